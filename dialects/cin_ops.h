/* cin_ops.h - makes the operations of the cin dialect.  Nothing is inserted anywhere; a region that
 * is not given has one empty block. */
#ifndef LACUNA_CIN_OPS_H
#define LACUNA_CIN_OPS_H

#include "cin.h"

#include <mlir-c/AffineMap.h>

/* The kernel takes `body`, whose arguments are the operands and the result. */
MlirOperation cin_kernel_create(MlirLocation location, intptr_t operand_count,
                                const MlirValue *operands, MlirType result, MlirBlock body);

/* `like` is null, `extent` -1 where there is none.  The split is by `size` into variables of these
 * names. */
MlirOperation cin_index_create(MlirLocation location, const char *name, MlirValue like,
                               int64_t extent);
MlirOperation cin_split_create(MlirLocation location, MlirValue parent, int64_t size,
                               const char *outer, const char *inner);
/* Of variables nested in each other, `above` the inner one, the outermost first. */
MlirOperation cin_collapse_create(MlirLocation location, MlirValue inner, intptr_t count,
                                  const MlirValue *above, const char *name);
/* Of a level, below those that hold the variables `above`, one for each. */
MlirOperation cin_pos_create(MlirLocation location, MlirValue parent, MlirValue tensor,
                             int64_t level, const MlirValue *above, const char *name);
/* Of the coordinates of a variable, where `parent` goes through positions in `pieces`. */
MlirOperation cin_twin_create(MlirLocation location, MlirValue parent, MlirValue twin,
                              const char *name);
MlirOperation cin_coord_create(MlirLocation location, MlirValue parent, MlirValue variable,
                               intptr_t count, const MlirValue *pieces, const char *name);
MlirOperation cin_bound_create(MlirLocation location, MlirValue parent, int64_t size,
                               cin_bound_kind kind, const char *name);
MlirOperation cin_remap_create(MlirLocation location, intptr_t count, const MlirValue *variables,
                               MlirAffineMap map, const char *name, bool is_value);
/* cin.window: what is left of a form where the outer variables are known. */
MlirOperation cin_window_create(MlirLocation location, MlirValue form, intptr_t outer_count,
                                const MlirValue *outer, MlirAffineMap start, intptr_t inner_count,
                                const MlirValue *inner, MlirAffineMap reach, const char *name);
/* What the map makes of the variables is the subscript. */
MlirOperation cin_subscript_create(MlirLocation location, MlirValue subscript, intptr_t count,
                                   const MlirValue *variables, MlirAffineMap map);

MlirOperation cin_workspace_create(MlirLocation location, MlirType type, intptr_t count,
                                   const MlirValue *variables);
MlirOperation cin_forall_create(MlirLocation location, MlirValue variable);
MlirOperation cin_where_create(MlirLocation location, MlirValue workspace);

/* Subscripts are what `map` makes of the variables.  `identity` is null where it is the kind's
 * own, and does not count without a kind. */
MlirOperation cin_read_create(MlirLocation location, MlirValue tensor, MlirAffineMap map,
                              const MlirValue *variables);
MlirOperation cin_assign_create(MlirLocation location, MlirValue tensor, MlirAffineMap map,
                                const MlirValue *variables, MlirValue value, tin_reduction kind,
                                MlirAttribute identity);

#endif
