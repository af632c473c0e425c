/* converted_result.h - results that are computed in another format than they are to have. */
#ifndef LACUNA_CONVERTED_RESULT_H
#define LACUNA_CONVERTED_RESULT_H

#include "statement.h"

/* The statement's result becomes one of type `computed`, and what it was a conversion of that; a
 * remark says since what.  `b` is moved. */
void result_convert(const statement *s, builder *b, MlirType computed, const char *since);

/* Subscripts that share variables, R(i + j, 2 * i), come to coordinates in an order that no loops
 * give to levels that are appended to.  Levels that find coordinates take them as they come, and
 * are converted (the template insert, sort, merge, compress of Zhang et al. 2024, section 4).
 * The statement with such a result, or `s` itself where it is computed as it is, or not so either;
 * NULL after a diagnostic. */
const statement *result_scatter(const statement *s);

#endif
