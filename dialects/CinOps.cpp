//===- CinOps.cpp - the operations of the cin dialect, read from C
//------------------------------===//

#include "Cin.hpp"
#include "Tin.hpp"
#include "cin.h"
#include "mlir/CAPI/AffineMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna::cin;

//===--------------------------------------------------------------------------------------------===//
// Which operation
//===--------------------------------------------------------------------------------------------===//

#define LACUNA_IS(function, Op)                                                                    \
  bool function(MlirOperation op) {                                                                \
    return llvm::isa_and_nonnull<Op>(unwrap(op));                                                  \
  }

LACUNA_IS(cin_is_kernel, KernelOp)
LACUNA_IS(cin_is_index, IndexOp)
LACUNA_IS(cin_is_split, SplitOp)
LACUNA_IS(cin_is_collapse, CollapseOp)
LACUNA_IS(cin_is_remap, RemapOp)
LACUNA_IS(cin_is_subscript, SubscriptOp)
LACUNA_IS(cin_is_window, WindowOp)
LACUNA_IS(cin_is_pos, PosOp)
LACUNA_IS(cin_is_coord, CoordOp)
LACUNA_IS(cin_is_bound, BoundOp)
LACUNA_IS(cin_is_twin, TwinOp)
LACUNA_IS(cin_is_forall, ForallOp)
LACUNA_IS(cin_is_workspace, WorkspaceOp)
LACUNA_IS(cin_is_where, WhereOp)
LACUNA_IS(cin_is_read, ReadOp)
LACUNA_IS(cin_is_stored, StoredOp)
LACUNA_IS(cin_is_assign, AssignOp)

template <typename Op> static Op as(MlirOperation op) {
  return llvm::cast<Op>(unwrap(op));
}

static MlirValue value(Value v) {
  return wrap(v);
}

static MlirBlock block(Region &region) {
  return wrap(&region.front());
}

//===--------------------------------------------------------------------------------------------===//
// Variables and relations
//===--------------------------------------------------------------------------------------------===//

MlirStringRef cin_variable_name(MlirOperation op, intptr_t i) {
  if (mlirOperationIsNull(op))
    return wrap(StringRef());
  return wrap(llvm::TypeSwitch<Operation *, StringRef>(unwrap(op))
                  .Case<SplitOp>([i](SplitOp split) {
                    return i ? split.getInnerName() : split.getOuterName();
                  })
                  .Case<IndexOp, CollapseOp, RemapOp, WindowOp, PosOp, CoordOp, BoundOp, TwinOp>(
                      [](auto o) { return o.getName(); })
                  .Default([](Operation *o) {
                    auto name = o->getAttrOfType<StringAttr>("name");
                    return name ? name.getValue() : StringRef();
                  }));
}

MlirValue cin_index_like(MlirOperation op) {
  return value(as<IndexOp>(op).getLike());
}
int64_t cin_index_extent(MlirOperation op) {
  auto index = llvm::dyn_cast_or_null<IndexOp>(unwrap(op));
  return index && index.getExtent() ? int64_t(*index.getExtent()) : -1;
}

MlirValue cin_split_parent(MlirOperation op) {
  return value(as<SplitOp>(op).getParent());
}
int64_t cin_split_size(MlirOperation op) {
  return int64_t(as<SplitOp>(op).getSize());
}
MlirValue cin_split_outer(MlirOperation op) {
  return value(as<SplitOp>(op).getOuter());
}
MlirValue cin_split_inner(MlirOperation op) {
  return value(as<SplitOp>(op).getInner());
}

MlirAttribute cin_bound_kind_attribute(MlirContext context, cin_bound_kind kind) {
  return wrap(Attribute(BoundKindAttr::get(unwrap(context), BoundKind(kind))));
}
cin_bound_kind cin_op_bound_kind(MlirOperation op) {
  return cin_bound_kind(as<BoundOp>(op).getKind());
}

MlirValue cin_pos_tensor(MlirOperation op) {
  return value(as<PosOp>(op).getTensor());
}
int64_t cin_pos_level(MlirOperation op) {
  return int64_t(as<PosOp>(op).getLevel());
}

MlirAffineMap cin_remap_map(MlirOperation op) {
  return wrap(as<RemapOp>(op).getMap());
}
intptr_t cin_remap_variable_count(MlirOperation op) {
  return intptr_t(as<RemapOp>(op).getVariables().size());
}
MlirValue cin_remap_variable(MlirOperation op, intptr_t i) {
  return value(as<RemapOp>(op).getVariables()[i]);
}
MlirAffineMap cin_subscript_map(MlirOperation op) {
  return wrap(as<SubscriptOp>(op).getMap());
}
MlirValue cin_subscript_variable(MlirOperation op) {
  return value(as<SubscriptOp>(op).getSubscript());
}
MlirValue cin_window_form(MlirOperation op) {
  return value(as<WindowOp>(op).getForm());
}
intptr_t cin_window_outer_count(MlirOperation op) {
  return intptr_t(as<WindowOp>(op).getOuter().size());
}
intptr_t cin_window_inner_count(MlirOperation op) {
  return intptr_t(as<WindowOp>(op).getInner().size());
}
MlirValue cin_window_inner(MlirOperation op, intptr_t i) {
  return value(as<WindowOp>(op).getInner()[i]);
}
MlirAffineMap cin_window_start(MlirOperation op) {
  return wrap(as<WindowOp>(op).getStart());
}
MlirAffineMap cin_window_reach(MlirOperation op) {
  return wrap(as<WindowOp>(op).getReach());
}
bool cin_remap_is_value(MlirOperation op) {
  return as<RemapOp>(op).getIsValue();
}

//===--------------------------------------------------------------------------------------------===//
// Statements
//===--------------------------------------------------------------------------------------------===//

MlirValue cin_forall_variable(MlirOperation op) {
  return value(as<ForallOp>(op).getVariable());
}
void cin_forall_set_variable(MlirOperation op, MlirValue variable) {
  as<ForallOp>(op)->setOperand(0, unwrap(variable));
}
bool cin_forall_is_parallel(MlirOperation op) {
  return as<ForallOp>(op).getUnit() != Unit::Serial;
}
bool cin_forall_is_told(MlirOperation op) {
  return cin_forall_is_unrolled(op) || as<ForallOp>(op).getStrategiesAttr();
}
bool cin_forall_is_unrolled(MlirOperation op) {
  return as<ForallOp>(op).getUnroll().has_value();
}
MlirBlock cin_forall_body(MlirOperation op) {
  return block(as<ForallOp>(op).getBody());
}

MlirValue cin_where_workspace(MlirOperation op) {
  return value(as<WhereOp>(op).getWorkspace());
}
MlirBlock cin_where_consumer(MlirOperation op) {
  return block(as<WhereOp>(op).getConsumer());
}
MlirBlock cin_where_producer(MlirOperation op) {
  return block(as<WhereOp>(op).getProducer());
}

intptr_t cin_workspace_variable_count(MlirOperation op) {
  return intptr_t(as<WorkspaceOp>(op).getVariables().size());
}
MlirValue cin_workspace_variable(MlirOperation op, intptr_t d) {
  return value(as<WorkspaceOp>(op).getVariables()[d]);
}

//===--------------------------------------------------------------------------------------------===//
// Accesses
//===--------------------------------------------------------------------------------------------===//

MlirValue cin_access_tensor(MlirOperation op) {
  return cin_is_read(op) ? value(as<ReadOp>(op).getTensor()) : value(as<AssignOp>(op).getTensor());
}
MlirAffineMap cin_access_map(MlirOperation op) {
  return cin_is_read(op) ? wrap(as<ReadOp>(op).getMap()) : wrap(as<AssignOp>(op).getMap());
}
MlirAttribute cin_read_pad(MlirOperation op) {
  return wrap(as<ReadOp>(op).getPadAttr());
}
intptr_t cin_access_variable_count(MlirOperation op) {
  return intptr_t(cin_is_read(op) ? as<ReadOp>(op).getVariables().size()
                                  : as<AssignOp>(op).getVariables().size());
}
MlirValue cin_access_variable(MlirOperation op, intptr_t i) {
  return value(cin_is_read(op) ? as<ReadOp>(op).getVariables()[i]
                               : as<AssignOp>(op).getVariables()[i]);
}

MlirValue cin_assign_value(MlirOperation op) {
  return value(as<AssignOp>(op).getValue());
}
void cin_assign_set_value(MlirOperation op, MlirValue assigned) {
  as<AssignOp>(op).getValueMutable().assign(unwrap(assigned));
}
tin_reduction cin_assign_kind(MlirOperation op) {
  std::optional<lacuna::tin::Reduction> kind = as<AssignOp>(op).getKind();
  return kind ? tin_reduction(*kind) : TIN_NO_REDUCTION;
}
MlirAttribute cin_assign_identity(MlirOperation op) {
  return wrap(Attribute(as<AssignOp>(op).getIdentityAttr()));
}
void cin_assign_set_kind(MlirOperation op, tin_reduction kind) {
  AssignOp assign = as<AssignOp>(op);
  assign.setKindAttr(
      lacuna::tin::ReductionAttr::get(assign.getContext(), lacuna::tin::Reduction(kind)));
}
void cin_assign_set_plain(MlirOperation op) {
  as<AssignOp>(op).removeKindAttr();
  as<AssignOp>(op).removeIdentityAttr();
}
