/* unordered_access.h - which operands must be brought in order: those with unordered levels that
 * loops need in order, and those whose levels repeat coordinates and branch below.
 *
 *     A : (i : compressed(unordered))
 *
 *     y(i) = A(i) * x(i),  x dense       walked alone, in whichever order      as it is
 *     y(i) = A(i) * B(i),  B compressed  two that are merged                   in order
 *                          A hashed      located at B's coordinates            as it is
 *     y(i) = A(i) + x(i),  x dense       merged with a whole dimension         in order
 *     y(i) = A(i),  y compressed         appended to in order                  in order
 *
 * A level that is nonunique as well may have the same coordinate at several places, so that no
 * visit sees all that is stored there:
 *
 *     A : (i : compressed(nonunique, unordered), j : singleton(unordered))
 *
 *     y(i) = A(i,j) * x(j)               each entry adds its part              as it is
 *     y(i) = abs(sum_j A(i,j))           needs all of row i at once            in order
 *
 * There are two ways.  Each visit goes through a scratch array, in which the children of one parent
 * are sorted (sparsify_scratch.c): always possible where the loops go from level to level, it
 * takes no memory to speak of, and costs a sort at each visit.  Or all of the operand is converted
 * before the loops: once, but it is read, counted, written and sorted as a whole.  Which one
 * conversion_plan.h chooses.
 */
#ifndef LACUNA_UNORDERED_ACCESS_H
#define LACUNA_UNORDERED_ACCESS_H

#include "statement.h"

/* Why an operand must be in order: "its unordered levels are merged with others"; NULL where it
 * need not be. */
const char *access_sorting_reason(const statement *s, int access_number);

/* What it costs to visit it in order through scratch arrays, in loops of that order, as loop_cost
 * counts; 0 where it need not be. */
double access_scratch_cost(const statement *s, int access_number, const int *order);

#endif
