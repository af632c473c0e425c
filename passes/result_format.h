/* result_format.h - the format of a result as the loops of its statement see it.
 *
 * Where a statement's entries come in any order, several at one coordinate too, and the result's
 * scattered level can order them afterwards, the tin.compute and the cin.kernel say so by the
 * attribute `reorder` (expand, sort, compress):
 *
 *     A(i,j) = B(i,j)    A by rows, B a list in no order
 *
 *     count, record      A as (i : dense, j : compressed(nonunique, unordered))
 *     order, combine     A as (i : dense, j : compressed)
 *
 * The loops have the first one to do with.
 */
#ifndef LACUNA_RESULT_FORMAT_H
#define LACUNA_RESULT_FORMAT_H

#include "tensor_format.h"

/* Whether the tin.compute or cin.kernel orders its result afterwards. */
bool result_is_reordered(MlirOperation op);
void result_set_reordered(MlirOperation op, bool reordered);

/* The format that `type`, the type of the result of `op`, has for the loops.  NULL with a
 * diagnostic as from tensor_format_get, and where `op` wants to reorder what cannot be. */
const tensor_format *result_format_get(arena *memory, MlirOperation op, MlirType type);

#endif
