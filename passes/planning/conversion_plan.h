/* conversion_plan.h - the cheapest way to loops that all levels agree with: an order, and the
 * accesses to be converted for it. */
#ifndef LACUNA_CONVERSION_PLAN_H
#define LACUNA_CONVERSION_PLAN_H

#include "statement.h"

typedef struct conversion_plan {
  bool found;
  double cost; /* of the conversions and the loops, as loop_cost counts */
  int conversion_count;
  MlirType *types;   /* of each access afterwards */
  bool *contradicts; /* of each access: it is converted since it contradicts the order, if not for
                        being unordered */
  int *order;        /* of the loops; not where levels hold expressions */
} conversion_plan;

/* For each order of the loops the accesses that contradict it are converted, an operand before, the
 * result after the statement; operands that must be in order (unordered_access.h) are sorted at
 * each visit, in a scratch array, or converted where that is cheaper: those that are visited again
 * and again, as the rows of B for each entry of X in C(i,j) = X(i,k) * (A(k,j) + B(k,j)), and lists
 * so long that what is below each entry is far from the one before.  The cheapest order wins.  One
 * that needs no conversion is left only for one many times cheaper: rows times columns into rows
 * would look at every pair of a row and a column.  A statement on remapped levels that is not
 * computed from them as they are stored (statement_remap.h) has them converted first. */
conversion_plan conversion_plan_find(const statement *s);

/* Whether it is said of each sparse operand what it holds (tin.holds): costs are no guesses. */
bool conversion_plan_is_told(const statement *s);

/* Whether the plan converts that access. */
bool conversion_plan_converts(const conversion_plan *plan, const statement *s, int access_number);

#endif
