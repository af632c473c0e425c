/* converted_result.h - results that are computed in another format than they are to have, or from
 * values that are computed before. */
#ifndef LACUNA_CONVERTED_RESULT_H
#define LACUNA_CONVERTED_RESULT_H

#include "statement.h"

/* The statement's result becomes one of type `computed`, and what it was a conversion of that; a
 * remark says since what.  `b` is moved. */
void result_convert(const statement *s, builder *b, MlirType computed, const char *since);

/* Subscripts that share variables, R(i + j, 2 * i), come to coordinates in an order that no loops
 * give to levels that are appended to, or none that go through entries alone.  Levels that find
 * coordinates take them as they come, and are converted (the template insert, sort, merge, compress
 * of Zhang et al. 2024, section 4).
 * The statement with such a result, or `s` itself where it is computed as it is, or not so either;
 * NULL after a diagnostic. */
const statement *result_scatter(const statement *s);

/* Where operands ask for different orders, and the result has compound subscripts, there may be no
 * loops with any result: what comes to these is computed before then, by loops that go through no
 * subscripts, with what operands have to be converted for them.
 *
 *     R(i - j + 9) = A(j, i) * B(i, j)      t(i, j) = A(j, i) * B(i, j)
 *                                           R(i - j + 9) = t(i, j)
 *
 * The statement becomes those two, `parts`; false where it is computed as it is, or that does not
 * help. */
bool result_compute_values(const statement *s, MlirOperation parts[2]);

#endif
