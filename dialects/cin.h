/* cin.h - the concrete index notation dialect, from C: its types, and its operations read.
 *
 * cin_ops.h makes operations; what is not here is read with mlir-c/IR.h, by the names of
 * dialects/Cin.td.
 */
#ifndef LACUNA_CIN_H
#define LACUNA_CIN_H

#include "tin.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Cin, cin);

/* !cin.index */
bool cinTypeIsAIndexVariable(MlirType type);
MlirType cinIndexVariableTypeGet(MlirContext context);

/* The `unit` of a cin.forall or sit.coiterate and its `race` strategy, numbered as in Cin.td. */
typedef enum cin_unit {
  CIN_SERIAL,
  CIN_CPU_THREAD,
  CIN_CPU_VECTOR,
  CIN_GPU_BLOCK,
  CIN_GPU_WARP,
  CIN_GPU_THREAD
} cin_unit;
typedef enum cin_bound_kind {
  CIN_MAX_EXACT,
  CIN_MIN_EXACT,
  CIN_MAX_CONSTRAINT,
  CIN_MIN_CONSTRAINT
} cin_bound_kind;
typedef enum cin_race {
  CIN_NO_RACES,
  CIN_IGNORE_RACES,
  CIN_ATOMICS,
  CIN_TEMPORARY,
  CIN_PARALLEL_REDUCTION
} cin_race;

/* From and to their words ("cpu_thread", "no_races"); false where the word is none of them. */
const char *cin_unit_name(cin_unit unit);
const char *cin_race_name(cin_race race);
const char *cin_bound_kind_name(cin_bound_kind kind);
bool cin_unit_from_name(MlirStringRef name, cin_unit *unit);
bool cin_race_from_name(MlirStringRef name, cin_race *race);

/* Whether its iterations run at once, each by a thread of its own: those of a CPU, or of a GPU. */
bool cin_unit_is_concurrent(cin_unit unit);
bool cin_unit_is_gpu(cin_unit unit);

/* Threads of a warp; how many values a workspace may have that a thread of a GPU holds itself: 64
 * take all of its registers, of 32 bits. */
enum { CIN_WARP = 32, CIN_OWN_VALUES = 64 };

/* Whether a warp can be cut into so many groups of as many lanes each, several of each. */
static inline bool cin_can_be_groups(int64_t count) {
  return count == 2 || count == 4 || count == 8 || count == 16;
}

/* Read and write them on a cin.forall or sit.coiterate. */
cin_unit cin_op_unit(MlirOperation op);
cin_race cin_op_race(MlirOperation op);
void cin_op_set_parallel(MlirOperation op, cin_unit unit, cin_race race);
/* Whether threads have what they reduce into for themselves, and it is put together afterwards. */
bool cin_race_is_private(cin_race race);

/* How the result of a kernel is built, numbered as in Cin.td; its word ("append"). */
typedef enum cin_assembly {
  CIN_INSERT,
  CIN_APPEND,
  CIN_SCATTER,
  CIN_COLLECT,
  CIN_RECORD,
  CIN_COPY
} cin_assembly;
const char *cin_assembly_name(cin_assembly way);

/* Read it on a cin.kernel or sit.result, and write it.  False where nothing says so yet. */
bool cin_op_assembly(MlirOperation kernel, cin_assembly *way);
void cin_op_set_assembly(MlirOperation kernel, cin_assembly way);

/* Which operation `op` is; a null one is none. */
bool cin_is_kernel(MlirOperation op);
bool cin_is_index(MlirOperation op);
bool cin_is_split(MlirOperation op);
bool cin_is_collapse(MlirOperation op);
bool cin_is_remap(MlirOperation op);
bool cin_is_subscript(MlirOperation op);
bool cin_is_window(MlirOperation op);
bool cin_is_pos(MlirOperation op);
bool cin_is_coord(MlirOperation op);
bool cin_is_bound(MlirOperation op);
bool cin_is_twin(MlirOperation op);
bool cin_is_forall(MlirOperation op);
bool cin_is_workspace(MlirOperation op);
bool cin_is_where(MlirOperation op);
bool cin_is_read(MlirOperation op);
bool cin_is_stored(MlirOperation op);
bool cin_is_assign(MlirOperation op);

/* The name of the index variable that is the operation's result i, for people; empty for
 * what is none. */
MlirStringRef cin_variable_name(MlirOperation op, intptr_t i);

/* Variables and relations: cin.index (a null value, -1 where it says none; -1 too for what is no
 * cin.index), cin.split, cin.pos, cin.remap. */
MlirValue cin_index_like(MlirOperation op);
int64_t cin_index_extent(MlirOperation op);
MlirValue cin_split_parent(MlirOperation op);
int64_t cin_split_size(MlirOperation op);
MlirValue cin_split_outer(MlirOperation op);
MlirValue cin_split_inner(MlirOperation op);
MlirValue cin_pos_tensor(MlirOperation op);
int64_t cin_pos_level(MlirOperation op);
cin_bound_kind cin_op_bound_kind(MlirOperation op);
MlirAttribute cin_bound_kind_attribute(MlirContext context, cin_bound_kind kind);
MlirAffineMap cin_remap_map(MlirOperation op);
intptr_t cin_remap_variable_count(MlirOperation op);
MlirValue cin_remap_variable(MlirOperation op, intptr_t i);
bool cin_remap_is_value(MlirOperation op); /* it is a subscript: counted from zero */
/* cin.window: the form, of which the start is known from the outer variables, which are operands
 * behind it; the inner ones, over which the window reaches. */
MlirValue cin_window_form(MlirOperation op);
intptr_t cin_window_outer_count(MlirOperation op);
intptr_t cin_window_inner_count(MlirOperation op);
MlirValue cin_window_inner(MlirOperation op, intptr_t i);
MlirAffineMap cin_window_start(MlirOperation op);
MlirAffineMap cin_window_reach(MlirOperation op);
/* cin.subscript: the map takes its operands from the second on to the first, the subscript. */
MlirAffineMap cin_subscript_map(MlirOperation op);
MlirValue cin_subscript_variable(MlirOperation op);

/* Statements: cin.forall, cin.where, cin.workspace. */
MlirValue cin_forall_variable(MlirOperation op);
void cin_forall_set_variable(MlirOperation op, MlirValue variable);
bool cin_forall_is_parallel(MlirOperation op);
bool cin_forall_is_unrolled(MlirOperation op);
/* Whether it is said what becomes of its iterations, by `unroll` or `strategies`. */
bool cin_forall_is_told(MlirOperation op);
MlirBlock cin_forall_body(MlirOperation op);
MlirValue cin_where_workspace(MlirOperation op);
MlirBlock cin_where_consumer(MlirOperation op);
MlirBlock cin_where_producer(MlirOperation op);
intptr_t cin_workspace_variable_count(MlirOperation op);
MlirValue cin_workspace_variable(MlirOperation op, intptr_t d);

/* Accesses: a cin.read or cin.assign.  The map takes the variables to the subscripts. */
MlirValue cin_access_tensor(MlirOperation op);
MlirAffineMap cin_access_map(MlirOperation op);
intptr_t cin_access_variable_count(MlirOperation op);
/* Of a cin.read: what it is out of range, a unit for the tensor's fill; null: it must be in range.
 */
MlirAttribute cin_read_pad(MlirOperation op);
MlirValue cin_access_variable(MlirOperation op, intptr_t i);

/* cin.assign: no kind where it is plain; the identity is null where it is the kind's own. */
MlirValue cin_assign_value(MlirOperation op);
void cin_assign_set_value(MlirOperation op, MlirValue value);
tin_reduction cin_assign_kind(MlirOperation op);
MlirAttribute cin_assign_identity(MlirOperation op);
void cin_assign_set_plain(MlirOperation op);
void cin_assign_set_kind(MlirOperation op, tin_reduction kind);

#ifdef __cplusplus
}
#endif
#endif
