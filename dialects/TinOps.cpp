//===- TinOps.cpp - the operations of the tin dialect, read from C
//------------------------------===//

#include "Tin.hpp"
#include "mlir/CAPI/AffineMap.h"
#include "tin.h"

using namespace lacuna::tin;
using mlir::cast;

//===--------------------------------------------------------------------------------------------===//
// Which operation
//===--------------------------------------------------------------------------------------------===//

#define LACUNA_IS(function, Op)                                                                    \
  bool function(MlirOperation op) {                                                                \
    return llvm::isa_and_nonnull<Op>(unwrap(op));                                                  \
  }

LACUNA_IS(tin_is_einsum, EinsumOp)
LACUNA_IS(tin_is_compute, ComputeOp)
LACUNA_IS(tin_is_reduce, ReduceOp)
LACUNA_IS(tin_is_yield, YieldOp)
LACUNA_IS(tin_is_convert, ConvertOp)
LACUNA_IS(tin_is_view, ViewOp)
LACUNA_IS(tin_is_require_equal, RequireEqualOp)
LACUNA_IS(tin_is_read, ReadOp)
LACUNA_IS(tin_is_write, WriteOp)
LACUNA_IS(tin_is_print, PrintOp)
LACUNA_IS(tin_is_match, MatchOp)
LACUNA_IS(tin_is_assemble, AssembleOp)
LACUNA_IS(tin_is_disassemble, DisassembleOp)

//===--------------------------------------------------------------------------------------------===//
// Statements
//===--------------------------------------------------------------------------------------------===//

static ComputeOp compute(MlirOperation op) {
  return cast<ComputeOp>(unwrap(op));
}

static MlirStringRef text(mlir::ArrayAttr texts, intptr_t i) {
  return wrap(cast<mlir::StringAttr>(texts[i]).getValue());
}

MlirAffineMap tin_compute_map(MlirOperation op, intptr_t i) {
  return wrap(cast<mlir::AffineMapAttr>(compute(op).getMaps()[i]).getValue());
}
MlirAttribute tin_compute_pad(MlirOperation op, intptr_t i) {
  mlir::ArrayAttr pads = compute(op).getPadsAttr();
  mlir::Attribute pad = pads && size_t(i) < pads.size() ? pads[i] : mlir::Attribute();
  return wrap(llvm::isa_and_nonnull<mlir::BoolAttr>(pad) ? mlir::Attribute() : pad);
}
bool tin_pad_is_value(MlirAttribute pad) {
  return unwrap(pad) && !llvm::isa<mlir::UnitAttr>(unwrap(pad));
}
intptr_t tin_compute_variable_count(MlirOperation op) {
  return intptr_t(compute(op).getVariables().size());
}
MlirStringRef tin_compute_variable(MlirOperation op, intptr_t v) {
  return text(compute(op).getVariables(), v);
}
MlirStringRef tin_compute_alike(MlirOperation op, MlirStringRef variable) {
  mlir::DictionaryAttr pairs = compute(op).getAlikeAttr();
  auto other = pairs ? pairs.getAs<mlir::StringAttr>(unwrap(variable)) : mlir::StringAttr();
  return other ? wrap(other.getValue()) : MlirStringRef{"", 0};
}
int64_t tin_compute_extent(MlirOperation op, MlirStringRef variable) {
  mlir::DictionaryAttr extents = compute(op).getExtentsAttr();
  auto extent = extents ? extents.getAs<mlir::IntegerAttr>(unwrap(variable)) : mlir::IntegerAttr();
  return extent ? extent.getInt() : -1;
}

MlirAffineMap tin_compute_subscript(MlirOperation op, MlirStringRef variable) {
  mlir::DictionaryAttr subscripts = compute(op).getSubscriptsAttr();
  auto map =
      subscripts ? subscripts.getAs<mlir::AffineMapAttr>(unwrap(variable)) : mlir::AffineMapAttr();
  return wrap(map ? map.getValue() : mlir::AffineMap());
}

//===--------------------------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------------------------===//

const char *tinReductionName(tin_reduction kind) {
  return kind == TIN_NO_REDUCTION ? "" : stringifyReduction(Reduction(kind)).data();
}

tin_reduction tinReductionFromName(MlirStringRef name) {
  std::optional<Reduction> found = symbolizeReduction(unwrap(name));
  return found ? tin_reduction(*found) : TIN_NO_REDUCTION;
}

MlirAttribute tinReductionAttrGet(MlirContext context, tin_reduction kind) {
  return wrap(mlir::Attribute(ReductionAttr::get(unwrap(context), Reduction(kind))));
}

tin_reduction tinReductionAttrGetKind(MlirAttribute attribute) {
  auto kind = llvm::dyn_cast_or_null<ReductionAttr>(unwrap(attribute));
  return kind ? tin_reduction(kind.getValue()) : TIN_NO_REDUCTION;
}

tin_reduction tin_reduce_kind(MlirOperation op) {
  return tin_reduction(llvm::cast<ReduceOp>(unwrap(op)).getKind());
}

MlirValue tin_reduce_value(MlirOperation op) {
  return wrap(mlir::Value(llvm::cast<ReduceOp>(unwrap(op)).getValue()));
}

intptr_t tin_reduce_variable_count(MlirOperation op) {
  return intptr_t(cast<ReduceOp>(unwrap(op)).getVariables().size());
}
MlirStringRef tin_reduce_variable(MlirOperation op, intptr_t v) {
  return text(cast<ReduceOp>(unwrap(op)).getVariables(), v);
}
MlirAttribute tin_reduce_identity(MlirOperation op) {
  return wrap(mlir::Attribute(cast<ReduceOp>(unwrap(op)).getIdentityAttr()));
}
intptr_t tin_reduce_at_count(MlirOperation op) {
  mlir::ArrayAttr at = cast<ReduceOp>(unwrap(op)).getAtAttr();
  return at ? intptr_t(at.size()) : 0;
}
MlirStringRef tin_reduce_at(MlirOperation op, intptr_t i) {
  return text(cast<ReduceOp>(unwrap(op)).getAtAttr(), i);
}
