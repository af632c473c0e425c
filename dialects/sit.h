/* sit.h - the sparse iteration dialect, from C: its types, and its operations read.
 *
 * sit_ops.h makes operations; what is not here is read with mlir-c/IR.h, by the names of
 * dialects/Sit.td.
 */
#ifndef LACUNA_SIT_H
#define LACUNA_SIT_H

#include "tin.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Sit, sit);

/* !sit.pos<tensor, level>, of a ranked tensor type, and !sit.var<T> */
bool sitTypeIsAPosition(MlirType type);
MlirType sitPositionTypeGet(MlirType tensor, int64_t level);
MlirType sitPositionTypeGetTensor(MlirType position);
int64_t sitPositionTypeGetLevel(MlirType position);
bool sitTypeIsAVar(MlirType type);
MlirType sitVarTypeGet(MlirType element);
MlirType sitVarTypeGetElement(MlirType var);

/* Which operation `op` is; a null one is none. */
bool sit_is_kernel(MlirOperation op);
bool sit_is_extent(MlirOperation op);
bool sit_is_match(MlirOperation op);
bool sit_is_within(MlirOperation op);
bool sit_is_coiterate(MlirOperation op);
bool sit_is_locate(MlirOperation op);
bool sit_is_find(MlirOperation op);
bool sit_is_positions(MlirOperation op);
bool sit_is_coordinate(MlirOperation op);
bool sit_is_parents(MlirOperation op);
bool sit_is_present(MlirOperation op);
bool sit_is_ordinal(MlirOperation op);
bool sit_is_value(MlirOperation op);
bool sit_is_result(MlirOperation op);
bool sit_is_finish(MlirOperation op);
bool sit_is_workspace(MlirOperation op);
bool sit_is_insert(MlirOperation op);
bool sit_is_end(MlirOperation op);
bool sit_is_append(MlirOperation op);
bool sit_is_close(MlirOperation op);
bool sit_is_count(MlirOperation op);
bool sit_is_edges(MlirOperation op);
bool sit_is_place(MlirOperation op);
bool sit_is_copied(MlirOperation op);
bool sit_is_number(MlirOperation op);
bool sit_is_order(MlirOperation op);
bool sit_is_store(MlirOperation op);
bool sit_is_accumulate(MlirOperation op);
bool sit_is_sort(MlirOperation op);
bool sit_is_clear(MlirOperation op);
bool sit_is_var(MlirOperation op);
bool sit_is_get(MlirOperation op);
bool sit_is_set(MlirOperation op);
bool sit_is_call(MlirOperation op);
bool sit_is_array(MlirOperation op);
bool sit_is_values(MlirOperation op);
bool sit_is_memory(MlirOperation op);

/* What many operations have; null, or 0, where `op` has none: the tensor that is read or written
 * and its level, a coordinate there and the parent's position, the position of a value and the
 * value that is written, the variable of sit.get and sit.set, the handle of sit.array and
 * sit.values, the dimensions of a result or workspace. */
MlirValue sit_op_tensor(MlirOperation op);
int64_t sit_op_level(MlirOperation op);
MlirValue sit_op_coordinate(MlirOperation op);
MlirValue sit_op_parent(MlirOperation op);
MlirValue sit_op_position(MlirOperation op);
MlirValue sit_copied_source(MlirOperation op);
MlirValue sit_op_value(MlirOperation op);
MlirValue sit_op_var(MlirOperation op);
MlirValue sit_op_handle(MlirOperation op);
intptr_t sit_op_dimension_count(MlirOperation op);
MlirValue sit_op_dimension(MlirOperation op, intptr_t d);

/* Whether the operation reads a value of the tensor: a sit.value, or a sit.accumulate. */
bool sit_op_reads_value(MlirOperation op, MlirValue tensor);
/* Whether the operation, or one behind it in its block, clears a workspace. */
bool sit_is_cleared_behind(MlirOperation op, MlirValue workspace);

/* What one operation has, which `op` is; of a kernel the argument of its block that is made. */
MlirValue sit_kernel_result(MlirOperation op);
int64_t sit_extent_dimension(MlirOperation op);
bool sit_locate_uses_scratch(MlirOperation op);
/* Of a sit.locate or sit.coiterate: coordinates may be out of a level's range. */
bool sit_op_is_padded(MlirOperation op);
MlirValue sit_close_begin(MlirOperation op);
tin_reduction sit_accumulate_kind(MlirOperation op);
bool sit_accumulate_is_atomic(MlirOperation op);
MlirAttribute sit_workspace_identity(MlirOperation op);
MlirAttribute sit_result_initial(MlirOperation op);
bool sit_result_is_stored(MlirOperation op);
bool sit_result_is_apart(MlirOperation op);
MlirStringRef sit_check_text(MlirOperation op); /* sit.match, sit.within: what does not fit */
MlirValue sit_var_initial(MlirOperation op);
tin_reduction sit_var_kind(MlirOperation op); /* TIN_NO_REDUCTION where it says none */
int64_t sit_array_slot(MlirOperation op);
MlirValue sit_memory_pointer(MlirOperation op);
MlirValue sit_memory_length(MlirOperation op);

/* sit.coiterate: its iterators (the parent is null at level 0, the offset where there is none), the
 * coordinates that are visited
 * (null: none said; without an upper bound the lower is the one coordinate), its cases, each with
 * the numbers of its iterators. */
intptr_t sit_coiterate_count(MlirOperation op);
MlirValue sit_coiterate_tensor(MlirOperation op, intptr_t i);
int64_t sit_coiterate_level(MlirOperation op, intptr_t i);
MlirValue sit_coiterate_parent(MlirOperation op, intptr_t i);
intptr_t sit_coiterate_parent_count(MlirOperation op);
intptr_t sit_coiterate_offset_count(MlirOperation op);
MlirValue sit_coiterate_offset(MlirOperation op, intptr_t i);
bool sit_coiterate_uses_scratch(MlirOperation op, intptr_t i);
MlirValue sit_coiterate_extent(MlirOperation op);
MlirValue sit_coiterate_lower(MlirOperation op);
MlirValue sit_coiterate_upper(MlirOperation op);
bool sit_coiterate_is_fused(MlirOperation op);
bool sit_coiterate_takes_any(MlirOperation op);
bool sit_coiterate_is_unrolled(MlirOperation op);
/* 0 where nothing is said. */
int64_t sit_coiterate_unroll(MlirOperation op);
int64_t sit_coiterate_groups(MlirOperation op);
/* What its target does with its loops: all of it (a dictionary), or that of a name; null where
 * nothing is said.  `add` says one more, or another value of it. */
MlirAttribute sit_coiterate_strategies(MlirOperation op);
MlirAttribute sit_coiterate_strategy(MlirOperation op, const char *name);
void sit_coiterate_add_strategy(MlirOperation op, const char *name, MlirAttribute value);
intptr_t sit_coiterate_case_count(MlirOperation op);
intptr_t sit_coiterate_case_size(MlirOperation op, intptr_t number);
int64_t sit_coiterate_case_member(MlirOperation op, intptr_t number, intptr_t i);
MlirBlock sit_coiterate_case_body(MlirOperation op, intptr_t number);

#ifdef __cplusplus
}
#endif
#endif
