/* cin_kernel.h - reading and rewriting a cin.kernel: its foralls, accesses and assignments. */
#ifndef LACUNA_CIN_KERNEL_H
#define LACUNA_CIN_KERNEL_H

#include "arena.h"
#include "cin.h"
#include "ir.h"
#include "provenance.h"
#include "tensor_format.h"

/* A growing list of operations, in an arena. */
typedef struct op_list {
  int count, room;
  MlirOperation *ops;
} op_list;
void op_list_add(arena *memory, op_list *list, MlirOperation op);

/* The operations of the given name below `root`, in program order. */
op_list ops_below(arena *memory, MlirOperation root, const char *name);

/* A kernel's result (the last block argument), and the name of a tensor of it for diagnostics: as
 * in `tensor_names`, else "operand 0", "the result" or "a workspace". */
MlirValue cin_kernel_result(MlirOperation kernel);
const char *cin_tensor_name(arena *memory, MlirOperation kernel, MlirValue tensor);
/* The value where the result has nothing stored; null for the default, zero. */
MlirAttribute cin_kernel_result_fill(MlirOperation kernel);

/* The index variable of that name, derived or not; null where there is none. */
MlirValue cin_kernel_variable(MlirOperation kernel, const char *name);

/* A name that no index variable has: that of `variable` and the suffix. */
const char *cin_new_name(arena *memory, MlirOperation kernel, MlirValue variable,
                         const char *suffix);

/* The first operation of the kernel after its variables, relations and workspaces. */
MlirOperation cin_kernel_first_statement(MlirOperation kernel);

/* Foralls. */
MlirValue cin_forall_variable(MlirOperation forall);
void cin_forall_set_variable(MlirOperation forall, MlirValue variable);
bool cin_forall_is_parallel(MlirOperation forall);
/* How many foralls of the kernel range over the variable. */
int cin_foralls_over(arena *memory, MlirOperation kernel, MlirValue variable);
/* A forall over `variable` with an empty body; moves all statements of a block to the end of
 * another. */
MlirOperation cin_forall_create(MlirLocation location, MlirValue variable);
void move_statements(MlirBlock from, MlirBlock to);
/* forall v { s }  ->  forall outer { forall v { s } }; what the forall runs on is the outer one's.
 */
void cin_forall_enclose(MlirOperation forall, MlirValue outer);

/* The foralls around `op`, outermost first. */
op_list cin_path(arena *memory, MlirOperation op);

/* Accesses: a cin.read or cin.assign.  A subscript is the expression of one dimension; the
 * variable of a subscript that is nothing else, or null; whether a subscript or any of them uses
 * a variable. */
MlirValue cin_access_tensor(MlirOperation access);
intptr_t cin_access_rank(MlirOperation access);
MlirValue cin_access_bare(MlirOperation access, intptr_t dimension);
bool cin_subscript_uses(MlirOperation access, intptr_t dimension, MlirValue variable);
bool cin_access_uses(MlirOperation access, MlirValue variable);
/* Whether some underived ancestor of `variable` is in no subscript: for an assignment, whether
 * the variable is reduced over. */
bool cin_access_reduces(const provenance *graph, MlirOperation access, MlirValue variable);

/* The variable whose coordinates a level of what is accessed holds: the bare subscript, or the
 * cin.remap of them; null where there is none. */
MlirValue cin_access_level(MlirOperation kernel, MlirOperation access, const format_level *level);

/* Whether a subscript follows from `variable`, that of a forall around; while none is bound. */
bool cin_access_follows(arena *memory, provenance *graph, MlirOperation access, MlirValue variable);

/* New accesses, not inserted anywhere; the variables are the bare subscripts.  An empty `kind` is
 * a plain assignment; `identity` may be null. */
MlirOperation cin_read_create(MlirLocation location, MlirValue tensor, intptr_t count,
                              const MlirValue *variables);
MlirOperation cin_assign_create(MlirLocation location, MlirValue tensor, intptr_t count,
                                const MlirValue *variables, MlirValue value, MlirStringRef kind,
                                MlirAttribute identity);
/* A workspace over variables, inserted among the declarations of the kernel. */
MlirValue cin_workspace_create(MlirOperation kernel, MlirType type, intptr_t count,
                               const MlirValue *variables);
/* A cin.split of a variable by `size` into two of these names, inserted there too. */
MlirOperation cin_split_create(MlirOperation kernel, MlirValue variable, int64_t size,
                               const char *outer, const char *inner);
/* A cin.where of `workspace`, with an empty consumer and producer. */
enum { CIN_CONSUMER, CIN_PRODUCER };
MlirOperation cin_where_create(MlirLocation location, MlirValue workspace);

/* The place in `path` of the forall at which an underived variable or a cin.remap, or all of a
 * subscript, becomes known; -1 where none makes it known.  `*kind`, unless NULL, is what that
 * forall is for it. */
int cin_known_at(provenance *graph, op_list path, MlirValue wanted, provenance_kind *kind);
int cin_subscript_known_at(provenance *graph, op_list path, MlirOperation access,
                           intptr_t dimension);

#endif
