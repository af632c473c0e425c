/* conversion_plan.h - the cheapest way to loops that all levels agree with: an order, and the
 * accesses to be converted for it. */
#ifndef LACUNA_CONVERSION_PLAN_H
#define LACUNA_CONVERSION_PLAN_H

#include "statement.h"

typedef struct conversion_plan {
  bool found;
  double cost; /* of the conversions and the loops, as loop_cost counts */
  int conversion_count;
  MlirType *types; /* of each access afterwards */
} conversion_plan;

/* For each order of the loops the accesses that contradict it are converted, an operand before, the
 * result after the statement; the cheapest order wins.  One that needs no conversion is left only
 * for one many times cheaper: rows times columns into rows would look at every pair of a row and a
 * column. */
conversion_plan conversion_plan_find(const statement *s);

/* Whether the plan converts that access. */
bool conversion_plan_converts(const conversion_plan *plan, const statement *s, int access_number);

#endif
