/* cin_kernel.h - reading and rewriting a cin.kernel: its foralls, accesses and assignments. */
#ifndef LACUNA_CIN_KERNEL_H
#define LACUNA_CIN_KERNEL_H

#include "arena.h"
#include "cin.h"
#include "cin_ops.h"
#include "ir.h"
#include "op_list.h"
#include "provenance.h"
#include "tensor_format.h"

/* A kernel's result (the last block argument), and the name of a tensor of it for diagnostics: as
 * in `tensor_names`, else "operand 0", "the result" or "a workspace". */
MlirValue cin_kernel_result(MlirOperation kernel);
const char *cin_tensor_name(arena *memory, MlirOperation kernel, MlirValue tensor);
/* The same without the quotes around a name; and as in "operand 'A'", "operand 0". */
const char *cin_tensor_bare_name(arena *memory, MlirOperation kernel, MlirValue tensor);
const char *cin_operand_name(arena *memory, MlirOperation kernel, MlirValue operand);
/* The value where the result has nothing stored; null for the default, zero. */
MlirAttribute cin_kernel_result_fill(MlirOperation kernel);

/* The index variable of that name, derived or not; null where there is none. */
MlirValue cin_kernel_variable(MlirOperation kernel, const char *name);

/* A name that no index variable has: that of `variable` and the suffix. */
const char *cin_new_name(arena *memory, MlirOperation kernel, MlirValue variable,
                         const char *suffix);

/* The first operation of the kernel after its variables, relations and workspaces. */
MlirOperation cin_kernel_first_statement(MlirOperation kernel);

/* How many foralls of the kernel range over the variable. */
int cin_foralls_over(arena *memory, MlirOperation kernel, MlirValue variable);
/* Moves all statements of a block to the end of another. */
void move_statements(MlirBlock from, MlirBlock to);
/* forall v { s }  ->  forall outer { forall v { s } }; what the forall runs on is the outer one's.
 */
void cin_forall_enclose(MlirOperation forall, MlirValue outer);
/* Foralls that are fixed keep their order among each other: somebody asked for it. */
void cin_forall_fix(MlirOperation forall);
bool cin_forall_is_fixed(MlirOperation forall);

/* Whether it is unrolled as often as a window that others leave it is wide (cin-unroll). */
bool cin_forall_is_window(MlirOperation forall);
void cin_forall_make_window(MlirOperation forall);
/* forall v { ... forall u { s } }  ->  forall u { ... forall v { s } }, fixed or not; what each
 * runs on stays. */
void cin_forall_exchange(MlirOperation forall, MlirOperation other);

/* The cin.subscript of the kernel by which the variable is a compound subscript of others; null
 * where it is none. */
MlirOperation cin_subscript_of(MlirOperation kernel, MlirValue variable);

/* The forall that is all there is in another; null where there is none. */
MlirOperation cin_only_forall_in(MlirOperation forall);

/* The foralls around `op`, outermost first. */
op_list cin_path(arena *memory, MlirOperation op);
/* The cin.where around an access that makes the workspace which is accessed; null for none. */
MlirOperation cin_where_of(MlirOperation access);
/* Whether the order in which assignments below reduce shows in the result: not that of integers. */
bool cin_rounds_below(arena *memory, MlirOperation op);

/* Accesses: a cin.read or cin.assign.  A subscript is the expression of one dimension; the
 * variable of a subscript that is nothing else, or null; whether a subscript or any of them uses
 * a variable. */
intptr_t cin_access_rank(MlirOperation access);
MlirValue cin_access_bare(MlirOperation access, intptr_t dimension);
bool cin_subscript_uses(MlirOperation access, intptr_t dimension, MlirValue variable);
bool cin_access_uses(MlirOperation access, MlirValue variable);
/* Whether a variable follows from the subscripts, as i from 2 * i + 1, or from i + k and k. */
bool cin_access_determines(const provenance *graph, MlirOperation access, MlirValue variable);
/* Whether some underived ancestor of `variable` is in no subscript, and does not follow from them:
 * for an assignment, whether the variable is reduced over. */
bool cin_access_reduces(const provenance *graph, MlirOperation access, MlirValue variable);

/* The variable whose coordinates a level of what is accessed holds: the bare subscript, or the
 * cin.remap of them; null where there is none. */
MlirValue cin_access_level(MlirOperation kernel, MlirOperation access, const format_level *level);
/* The cin.remap that a compound subscript, an expression of these variables, is: a linear form,
 * counted from zero, in which the access is bare; null for none. */
MlirValue cin_form_variable(MlirOperation kernel, MlirAffineExpr subscript, intptr_t count,
                            const MlirValue *variables);
/* The same for a level of a tensor of this order, subscripted by these variables (null: not bare).
 */
MlirValue cin_level_variable(MlirOperation kernel, const format_level *level, int order,
                             const MlirValue *variables);

/* Whether a subscript follows from `variable`, that of a forall around; while none is bound. */
bool cin_access_follows(arena *memory, provenance *graph, MlirOperation access, MlirValue variable);

/* New accesses, not inserted anywhere; the variables are the bare subscripts. */
MlirOperation cin_bare_read(MlirLocation location, MlirValue tensor, intptr_t count,
                            const MlirValue *variables);
MlirOperation cin_bare_assign(MlirLocation location, MlirValue tensor, intptr_t count,
                              const MlirValue *variables, MlirValue value, tin_reduction kind,
                              MlirAttribute identity);
/* The type of a workspace of so many variables that lists what is in it by a policy, for what is
 * like a result of this format; null after a diagnostic at `op` where there is no such (NULL); and
 * by one with so many options, 0 where it is as it usually is. */
MlirType cin_list_workspace_type(MlirOperation op, const tensor_format *result, int order,
                                 const level_format *policy);
MlirType cin_policy_workspace_type(MlirOperation op, const tensor_format *result, int order,
                                   const level_format *policy, int count, const int64_t *options);
/* The policy of a workspace; NULL where its levels are arrays. */
const level_format *cin_workspace_policy(arena *memory, MlirOperation workspace);
/* A workspace over variables, a split of one, inserted among the declarations of the kernel. */
MlirValue cin_declare_workspace(MlirOperation kernel, MlirType type, intptr_t count,
                                const MlirValue *variables);
MlirOperation cin_declare(MlirOperation kernel, MlirOperation op); /* of one made otherwise */
MlirOperation cin_declare_split(MlirOperation kernel, MlirValue variable, int64_t size,
                                const char *outer, const char *inner);

/* Binds the variables of foralls, in their order, to nothing that is emitted; and unbinds them. */
void cin_bind(provenance *graph, op_list foralls);
void cin_unbind(provenance *graph, op_list foralls);

/* The place in `path` of the forall at which an underived variable or a cin.remap, or all of a
 * subscript, becomes known; -1 where none makes it known.  `*kind`, unless NULL, is what that
 * forall is for it. */
int cin_known_at(provenance *graph, op_list path, MlirValue wanted, provenance_kind *kind);
int cin_subscript_known_at(provenance *graph, op_list path, MlirOperation access,
                           intptr_t dimension);

#endif
