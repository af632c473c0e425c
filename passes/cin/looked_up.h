/* looked_up.h - operands that loops look for coordinates in, where to store them otherwise takes
 * less, by what they are said to hold (tin.holds).
 *
 *     forall i { forall k { forall j { ... B[i, k] * C[k, j] } } }      C : (k : compressed, ...)
 *
 * C's first level is a list of the coordinates that have entries, in which those of B are looked
 * for again and again: each coordinate gets a place, for which the entries are copied as they are.
 *
 *     forall i { forall j { ... A[i, j] * x[j] } }                      x : (j : hashed)
 *
 * All entries of A are located in x: as a list in order, which is met again for each row, it marks
 * where they find it; or, with far fewer entries than a row has, is what is searched for there.
 */
#ifndef LACUNA_LOOKED_UP_H
#define LACUNA_LOOKED_UP_H

#include "access_order.h"

/* Whether it is as with C, or as with x. */
bool looked_up_again(arena *memory, const access_order *order);
bool located_too_often(arena *memory, const access_order *order);

#endif
