/* unordered_access.h - which operands with unordered levels must be sorted before loops can walk
 * them.
 *
 *     A : (i : compressed(unordered))
 *
 *     y(i) = A(i) * x(i),  x dense       walked alone, in whichever order      as it is
 *     y(i) = A(i) * B(i),  B compressed  two that are merged                   sorted
 *                          A hashed      located at B's coordinates            as it is
 *     y(i) = A(i) + x(i),  x dense       merged with a whole dimension         sorted
 *     y(i) = A(i),  y compressed         appended to in order                  sorted
 *
 * A level that is nonunique as well may have the same coordinate at several places, so that no
 * visit sees all that is stored there:
 *
 *     A : (i : compressed(nonunique, unordered), j : singleton(unordered))
 *
 *     y(i) = A(i,j) * x(j)               each entry adds its part              as it is
 *     y(i) = abs(sum_j A(i,j))           needs all of row i at once            sorted
 */
#ifndef LACUNA_UNORDERED_ACCESS_H
#define LACUNA_UNORDERED_ACCESS_H

#include "statement.h"

/* Why an operand must be sorted: "its unordered levels are merged with others"; NULL where it need
 * not be. */
const char *access_sorting_reason(const statement *s, int access_number);

#endif
