//===- SitOps.cpp - the operations of the sit dialect, read from C
//------------------------------===//

#include "Sit.hpp"
#include "Tin.hpp"
#include "sit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna::sit;

//===--------------------------------------------------------------------------------------------===//
// Which operation
//===--------------------------------------------------------------------------------------------===//

#define LACUNA_IS(function, Op)                                                                    \
  bool function(MlirOperation op) {                                                                \
    return llvm::isa_and_nonnull<Op>(unwrap(op));                                                  \
  }

LACUNA_IS(sit_is_kernel, KernelOp)
LACUNA_IS(sit_is_extent, ExtentOp)
LACUNA_IS(sit_is_match, MatchOp)
LACUNA_IS(sit_is_within, WithinOp)
LACUNA_IS(sit_is_coiterate, CoiterateOp)
LACUNA_IS(sit_is_locate, LocateOp)
LACUNA_IS(sit_is_find, FindOp)
LACUNA_IS(sit_is_positions, PositionsOp)
LACUNA_IS(sit_is_coordinate, CoordinateOp)
LACUNA_IS(sit_is_parents, ParentsOp)
LACUNA_IS(sit_is_present, PresentOp)
LACUNA_IS(sit_is_ordinal, OrdinalOp)
LACUNA_IS(sit_is_value, ValueOp)
LACUNA_IS(sit_is_result, ResultOp)
LACUNA_IS(sit_is_finish, FinishOp)
LACUNA_IS(sit_is_workspace, WorkspaceOp)
LACUNA_IS(sit_is_insert, InsertOp)
LACUNA_IS(sit_is_end, EndOp)
LACUNA_IS(sit_is_append, AppendOp)
LACUNA_IS(sit_is_close, CloseOp)
LACUNA_IS(sit_is_count, CountOp)
LACUNA_IS(sit_is_edges, EdgesOp)
LACUNA_IS(sit_is_place, PlaceOp)
LACUNA_IS(sit_is_copied, CopiedOp)
LACUNA_IS(sit_is_number, NumberOp)
LACUNA_IS(sit_is_order, OrderOp)
LACUNA_IS(sit_is_store, StoreOp)
LACUNA_IS(sit_is_accumulate, AccumulateOp)
LACUNA_IS(sit_is_sort, SortOp)
LACUNA_IS(sit_is_clear, ClearOp)
LACUNA_IS(sit_is_var, VarOp)
LACUNA_IS(sit_is_get, GetOp)
LACUNA_IS(sit_is_set, SetOp)
LACUNA_IS(sit_is_call, CallOp)
LACUNA_IS(sit_is_array, ArrayOp)
LACUNA_IS(sit_is_values, ValuesOp)
LACUNA_IS(sit_is_memory, MemoryOp)

//===--------------------------------------------------------------------------------------------===//
// What many have
//===--------------------------------------------------------------------------------------------===//

/// What `get` takes of an operation that is one of `Ops`; else nothing.
template <typename Result, typename... Ops, typename Get>
static Result of(MlirOperation op, Get get) {
  return TypeSwitch<Operation *, Result>(unwrap(op))
      .template Case<Ops...>(get)
      .Default([](Operation *) { return Result{}; });
}

static MlirValue value(Value v) {
  return wrap(v);
}

MlirValue sit_op_tensor(MlirOperation op) {
  return of<MlirValue, ExtentOp, LocateOp, FindOp, PositionsOp, CoordinateOp, ParentsOp, ValueOp,
            ResultOp, FinishOp, InsertOp, EndOp, AppendOp, CloseOp, CountOp, EdgesOp, PlaceOp,
            NumberOp, OrderOp, StoreOp, AccumulateOp, SortOp, ClearOp, CopiedOp>(
      op, [](auto o) { return value(o.getTensor()); });
}

int64_t sit_op_level(MlirOperation op) {
  return of<int64_t, LocateOp, FindOp, PositionsOp, CoordinateOp, ParentsOp, InsertOp, EndOp,
            AppendOp, CloseOp, CountOp, EdgesOp, PlaceOp, NumberOp, OrderOp, SortOp, ArrayOp,
            CopiedOp>(op, [](auto o) { return int64_t(o.getLevel()); });
}

MlirValue sit_op_coordinate(MlirOperation op) {
  return of<MlirValue, LocateOp, FindOp, InsertOp, AppendOp, CountOp, PlaceOp, NumberOp>(
      op, [](auto o) { return value(o.getCoordinate()); });
}

MlirValue sit_op_parent(MlirOperation op) {
  return of<MlirValue, LocateOp, FindOp, PositionsOp, CoordinateOp, InsertOp, CloseOp, CountOp,
            PlaceOp>(op, [](auto o) { return value(o.getParent()); });
}

MlirValue sit_op_position(MlirOperation op) {
  return of<MlirValue, CoordinateOp, ParentsOp, PresentOp, OrdinalOp, ValueOp, StoreOp,
            AccumulateOp, CopiedOp>(op, [](auto o) { return value(o.getPosition()); });
}

MlirValue sit_copied_source(MlirOperation op) {
  return value(cast<CopiedOp>(unwrap(op)).getSource());
}

MlirValue sit_op_value(MlirOperation op) {
  return of<MlirValue, StoreOp, AccumulateOp, SetOp>(op,
                                                     [](auto o) { return value(o.getValue()); });
}

MlirValue sit_op_var(MlirOperation op) {
  return of<MlirValue, GetOp, SetOp>(op, [](auto o) { return value(o.getVar()); });
}

MlirValue sit_op_handle(MlirOperation op) {
  return of<MlirValue, ArrayOp, ValuesOp>(op, [](auto o) { return value(o.getHandle()); });
}

intptr_t sit_op_dimension_count(MlirOperation op) {
  return of<intptr_t, ResultOp, WorkspaceOp>(
      op, [](auto o) { return intptr_t(o.getDimensions().size()); });
}

MlirValue sit_op_dimension(MlirOperation op, intptr_t d) {
  return of<MlirValue, ResultOp, WorkspaceOp>(op,
                                              [d](auto o) { return value(o.getDimensions()[d]); });
}

//===--------------------------------------------------------------------------------------------===//
// What one has
//===--------------------------------------------------------------------------------------------===//

template <typename Op> static Op as(MlirOperation op) {
  return llvm::cast<Op>(unwrap(op));
}

MlirValue sit_kernel_result(MlirOperation op) {
  return wrap(unwrap(op)->getRegion(0).front().getArguments().back());
}
int64_t sit_extent_dimension(MlirOperation op) {
  return int64_t(as<ExtentOp>(op).getDimension());
}
bool sit_locate_uses_scratch(MlirOperation op) {
  return as<LocateOp>(op).getScratch();
}
bool sit_op_is_padded(MlirOperation op) {
  return sit_is_locate(op) ? as<LocateOp>(op).getPadded() : as<CoiterateOp>(op).getPadded();
}
MlirValue sit_close_begin(MlirOperation op) {
  return value(as<CloseOp>(op).getBegin());
}
tin_reduction sit_accumulate_kind(MlirOperation op) {
  return tin_reduction(as<AccumulateOp>(op).getKind());
}
bool sit_accumulate_is_atomic(MlirOperation op) {
  return as<AccumulateOp>(op).getAtomic();
}
MlirValue sit_var_initial(MlirOperation op) {
  return value(as<VarOp>(op).getInit());
}
tin_reduction sit_var_kind(MlirOperation op) {
  std::optional<lacuna::tin::Reduction> kind = as<VarOp>(op).getKind();
  return kind ? tin_reduction(*kind) : TIN_NO_REDUCTION;
}
int64_t sit_array_slot(MlirOperation op) {
  return int64_t(as<ArrayOp>(op).getSlot());
}
MlirValue sit_memory_pointer(MlirOperation op) {
  return value(as<MemoryOp>(op).getPointer());
}
MlirValue sit_memory_length(MlirOperation op) {
  return value(as<MemoryOp>(op).getLength());
}

MlirAttribute sit_result_initial(MlirOperation op) {
  return wrap(Attribute(as<ResultOp>(op).getInitialAttr()));
}
bool sit_result_is_stored(MlirOperation op) {
  return as<ResultOp>(op).getStored();
}

bool sit_result_is_apart(MlirOperation op) {
  return as<ResultOp>(op).getApart();
}

MlirStringRef sit_check_text(MlirOperation op) {
  return wrap(sit_is_match(op) ? as<MatchOp>(op).getVariable() : as<WithinOp>(op).getSubscript());
}

MlirAttribute sit_workspace_identity(MlirOperation op) {
  return wrap(Attribute(as<WorkspaceOp>(op).getIdentityAttr()));
}

//===--------------------------------------------------------------------------------------------===//
// sit.coiterate
//===--------------------------------------------------------------------------------------------===//

intptr_t sit_coiterate_count(MlirOperation op) {
  return intptr_t(as<CoiterateOp>(op).getTensors().size());
}

MlirValue sit_coiterate_tensor(MlirOperation op, intptr_t i) {
  return value(as<CoiterateOp>(op).getTensors()[i]);
}

int64_t sit_coiterate_level(MlirOperation op, intptr_t i) {
  return as<CoiterateOp>(op).getLevels()[i];
}

intptr_t sit_coiterate_parent_count(MlirOperation op) {
  return intptr_t(as<CoiterateOp>(op).getParents().size());
}

MlirValue sit_coiterate_parent(MlirOperation op, intptr_t i) {
  auto coiterate = as<CoiterateOp>(op);
  ArrayRef<int64_t> levels = coiterate.getLevels();
  if (levels[i] == 0)
    return MlirValue{};
  auto below = [](int64_t level) { return level > 0; };
  return value(coiterate.getParents()[llvm::count_if(levels.take_front(i), below)]);
}

intptr_t sit_coiterate_offset_count(MlirOperation op) {
  return intptr_t(as<CoiterateOp>(op).getOffsets().size());
}
MlirValue sit_coiterate_offset(MlirOperation op, intptr_t i) {
  auto coiterate = as<CoiterateOp>(op);
  ArrayRef<int64_t> offset = coiterate.getOffset().value_or(ArrayRef<int64_t>());
  const int64_t *at = llvm::find(offset, int64_t(i));
  return at == offset.end() ? MlirValue{} : value(coiterate.getOffsets()[at - offset.begin()]);
}

bool sit_coiterate_uses_scratch(MlirOperation op, intptr_t i) {
  auto scratch = as<CoiterateOp>(op).getScratch();
  return scratch && llvm::is_contained(*scratch, int64_t(i));
}

MlirValue sit_coiterate_extent(MlirOperation op) {
  return value(as<CoiterateOp>(op).getExtent());
}
MlirValue sit_coiterate_lower(MlirOperation op) {
  return value(as<CoiterateOp>(op).getLower());
}
MlirValue sit_coiterate_upper(MlirOperation op) {
  return value(as<CoiterateOp>(op).getUpper());
}

bool sit_coiterate_is_fused(MlirOperation op) {
  return as<CoiterateOp>(op).getFused();
}
bool sit_coiterate_takes_any(MlirOperation op) {
  return as<CoiterateOp>(op).getAny();
}
bool sit_coiterate_is_unrolled(MlirOperation op) {
  return as<CoiterateOp>(op).getUnroll().has_value();
}
int64_t sit_coiterate_unroll(MlirOperation op) {
  return as<CoiterateOp>(op).getUnroll().value_or(0);
}
int64_t sit_coiterate_groups(MlirOperation op) {
  return as<CoiterateOp>(op).getGroups().value_or(0);
}

MlirAttribute sit_coiterate_strategies(MlirOperation op) {
  return wrap(Attribute(as<CoiterateOp>(op).getStrategiesAttr()));
}
MlirAttribute sit_coiterate_strategy(MlirOperation op, const char *name) {
  DictionaryAttr all = as<CoiterateOp>(op).getStrategiesAttr();
  return all ? wrap(all.get(name)) : MlirAttribute{};
}
void sit_coiterate_add_strategy(MlirOperation op, const char *name, MlirAttribute value) {
  auto coiterate = as<CoiterateOp>(op);
  NamedAttrList all(coiterate.getStrategiesAttr());
  all.set(name, unwrap(value));
  coiterate.setStrategiesAttr(all.getDictionary(coiterate.getContext()));
}

static ArrayRef<int64_t> members(MlirOperation op, intptr_t number) {
  return llvm::cast<DenseI64ArrayAttr>(as<CoiterateOp>(op).getCases()[number]).asArrayRef();
}

intptr_t sit_coiterate_case_count(MlirOperation op) {
  return intptr_t(as<CoiterateOp>(op).getCases().size());
}
intptr_t sit_coiterate_case_size(MlirOperation op, intptr_t number) {
  return intptr_t(members(op, number).size());
}
int64_t sit_coiterate_case_member(MlirOperation op, intptr_t number, intptr_t i) {
  return members(op, number)[i];
}
MlirBlock sit_coiterate_case_body(MlirOperation op, intptr_t number) {
  return wrap(&as<CoiterateOp>(op).getBodies()[number].front());
}
