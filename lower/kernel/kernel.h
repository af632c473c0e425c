/* kernel.h - lowering one sit.kernel to a function: what the parts of it offer each other.
 *
 *     sit.kernel (%A, %x) {         @f_kernel(%y, %A, %x: !llvm.ptr) -> i32
 *       extents, checks       -->     if the handles are stored as their formats say
 *                                       if the shapes agree
 *       sit.result %y                     if there is memory
 *       walks                               loops
 *       sit.finish %y                       complete the result
 *     }                               return the status
 *
 * Lowering is one walk over the ops in program order with a map from values of sit to lowered ones.
 */
#ifndef LACUNA_KERNEL_H
#define LACUNA_KERNEL_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lowers the body of k->op into `function`'s entry block (a block with a !llvm.ptr for the result
 * and then the operands).  False after a diagnostic. */
bool lower_kernel(lowering *k, MlirBlock entry);

/* Whatever comes in the rest of the block stands under `condition`; what is made here is released
 * at its end (`release` may be NULL). */
void lower_rest_under(lowering *k, MlirValue condition, storage *release);

/* The same for a result; the level that it wants to be counted next is released after all. */
void lower_rest_counting(lowering *k, MlirValue condition, storage *result);

/* Whether a result was begun (`begun`) and, where it will have an entry at every coordinate, is
 * worth its memory (full_result.c). */
MlirValue result_is_worthwhile(lowering *k, MlirValue result, MlirValue begun);

/* sit.coiterate (coiterate.c), scalar code and scf.if (scalars.c), reading operands
 * (operands.c), building results and workspaces (results.c).
 * Each lowers `op`, or gives a diagnostic at it and false. */
typedef bool lower_function(lowering *k, MlirOperation op);
lower_function lower_coiterate, lower_scalar, lower_if;
lower_function lower_extent, lower_match, lower_within;
lower_function lower_locate, lower_find, lower_present, lower_value;
lower_function lower_positions, lower_coordinate, lower_parents, lower_ordinal;
lower_function lower_result, lower_finish, lower_workspace, lower_insert, lower_end, lower_append,
    lower_close, lower_count, lower_edges, lower_place, lower_copied, lower_number, lower_order,
    lower_store, lower_accumulate, lower_sort, lower_clear;
lower_function lower_var, lower_get, lower_set;

#ifdef __cplusplus
}
#endif
#endif
