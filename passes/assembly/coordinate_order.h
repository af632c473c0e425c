/* coordinate_order.h - whether foralls go over the coordinates of a variable in their order.
 *
 *     forall i { ... }                             i itself
 *     forall i0 { forall i1 { ... } }              split(i, i0, i1, n): its parts, parts of these
 *     forall i_block { forall i_in { ... } }       i floordiv n and i mod n, which levels hold
 *     forall i0 { forall k { forall i1 { ... } } } the same, where the forall over k only reduces
 */
#ifndef LACUNA_COORDINATE_ORDER_H
#define LACUNA_COORDINATE_ORDER_H

#include "cin_kernel.h"
#include "provenance.h"

/* Whether `forall` and those in it, each all there is in the one around, go over the coordinates of
 * the variable in order, for what `assign`, in them, assigns.  What only reduces, and is serial,
 * may stand between: it will be around the producer of a workspace only, or around what is
 * recorded. */
bool goes_over_in_order(arena *memory, provenance *graph, MlirOperation kernel,
                        MlirOperation forall, MlirOperation assign, MlirValue variable);

#endif
