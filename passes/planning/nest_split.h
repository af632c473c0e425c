/* nest_split.h - a nested reduction computed before the statement that it is in, into a temporary:
 * where that can be, and where it pays.
 *
 *     y(i) = b(i) - sum_j A(i,j) * x(j)          t(i) = sum_j A(i,j) * x(j);  y(i) = b(i) - t(i)
 */
#ifndef LACUNA_NEST_SPLIT_H
#define LACUNA_NEST_SPLIT_H

#include "conversion_plan.h"

/* Whether the nest's term reads operand `number` itself. */
bool nest_reads(const nest *n, int number);

/* The variables of all loops of the nest and those inside of it (or of all others). */
variable_set nest_variables(const statement *s, const nest *n, bool within);

/* Of the nest's value for each combination of its outer variables. */
MlirType nest_temporary(const statement *s, const nest *n);

/* What a temporary that the nest reduces, or its value, is where nothing is stored: an empty
 * reduction; null where that is zero. */
MlirAttribute nest_fill(builder *b, const nest *n);

/* Whether every variable has a size in the statement that it comes to. */
bool nest_is_separable(const statement *s, const nest *n);

/* Of many nests, to compare the costs of all ways to split them takes too long. */
enum { MANY_NESTS = 12 };
/* Whether there are few, and loops that have a cost. */
bool nest_split_is_comparable(const statement *s);

/* The nest that is best taken out, where that gains much, or saves a conversion; the innermost of
 * those that are as good; NULL where none is.  `best`: of the two statements and the temporary, or
 * of the whole.  A sum that was factored (tin-factor-reductions) stays where it is. */
const nest *nest_split_choose(const statement *s, conversion_plan *best);

#endif
