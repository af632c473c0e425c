//===- TinOps.cpp - the operations of the tin dialect, read from C
//------------------------------===//

#include "Tin.hpp"
#include "tin.h"

using namespace lacuna::tin;

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
LACUNA_IS(tin_is_sort, SortOp)
LACUNA_IS(tin_is_read, ReadOp)
LACUNA_IS(tin_is_write, WriteOp)
LACUNA_IS(tin_is_print, PrintOp)
LACUNA_IS(tin_is_match, MatchOp)
LACUNA_IS(tin_is_assemble, AssembleOp)
LACUNA_IS(tin_is_disassemble, DisassembleOp)

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
