/* looked_up.h - operands whose first level is a list of the coordinates that have entries, in which
 * loops look for others' coordinates again and again, as for k in the rows of C,
 *
 *     forall i { forall k { forall j { ... B[i, k] * C[k, j] } } }      C : (k : compressed, ...)
 *
 * where to give each coordinate a place takes less: for that the entries are copied as they are.
 */
#ifndef LACUNA_LOOKED_UP_H
#define LACUNA_LOOKED_UP_H

#include "access_order.h"

/* Whether that is so, by what operands are said to hold (tin.holds). */
bool looked_up_again(arena *memory, const access_order *order);

#endif
