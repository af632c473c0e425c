/* result_format.h - the format of a result as the loops of its statement see it.
 *
 * Where a statement's entries come in any order, several at one coordinate too, and the result's
 * levels can be appended to in order afterwards, they are recorded (expand, sort, compress): the
 * tin.compute says so by the attribute `record`, the cin.kernel by `by record`:
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

/* Whether the entries of the result of a tin.compute or cin.kernel are recorded. */
bool result_is_recorded(MlirOperation op);
/* Says so, or that they are not, on a tin.compute. */
void result_set_recorded(MlirOperation compute, bool recorded);

/* The format that `type`, the type of the result of `op`, has for the loops.  NULL with a
 * diagnostic as from tensor_format_get, and where `op` wants to record what cannot be. */
const tensor_format *result_format_get(arena *memory, MlirOperation op, MlirType type);

#endif
