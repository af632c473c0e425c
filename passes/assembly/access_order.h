/* access_order.h - how a kernel's foralls come to the coordinates of the levels of an access, and
 * whether an operand's levels allow that.
 *
 * A level that cannot locate is reached only by walking it, under one parent at a time and in
 * ascending order.  So when a forall makes its coordinate known, those of the levels above it must
 * be known (Kjolstad et al. 2017, section 4), and the forall must visit an interval, not strides:
 *
 *     A : (i : dense, j : compressed)      forall i { forall j { ... A[i, j] ... } }      as stored
 *                                          forall j { forall i { ... A[i, j] ... } }      not
 *
 * A level that could locate, but stores entries that no other operand tells, is walked too.  Levels
 * whose coordinates are those of compound subscripts, or follow from what other levels hold, are
 * searched in and ask for nothing.  What results ask for, assembly_loops.h says.
 */
#ifndef LACUNA_ACCESS_ORDER_H
#define LACUNA_ACCESS_ORDER_H

#include "cin_kernel.h"

typedef struct access_order {
  MlirOperation kernel, access;
  const tensor_format *format;
  op_list path;  /* the foralls around, outermost first */
  int *known_at; /* of each level: the place in the path at which its coordinate becomes known; -1
                    where that is nowhere, or it is a constant */
  bool *strides; /* of each level: its coordinates do not ascend, and are not found one by one */
  bool *asks;    /* of each level: it is walked, below those above it */
} access_order;

/* Of a cin.read or cin.assign, while no variable is bound, and with its tensor of that type.  False
 * after a diagnostic where the format is none. */
bool access_order_read(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation access,
                       MlirType type, access_order *order);

/* Whether the foralls are against the order of the operand's levels: the first level that they are
 * against, and in *above the one above it that is known later, or -1 where it is visited in
 * strides; -1 where all is well. */
int access_order_fault(const access_order *order, int *above);

/* Whether a level has entries to be walked: it cannot locate, or some coordinates are not there. */
bool format_level_is_walked(const format_level *level);

/* Which variables' foralls the levels of the operands, and what the result asks of reductions, want
 * outside of which others: "i -> k (A) -> i (B)" is a cycle of these.  The shortest in which level
 * `above` of an access is outside of level `level`; NULL where there is none. */
const char *access_order_cycle(arena *memory, provenance *graph, const access_order *order,
                               int above, int level);

#endif
