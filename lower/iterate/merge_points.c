/* merge_points.c - the points of a merge's lattice, and how much code their loops are.
 *
 * Each point's loop holds the code of all cases within the point, so that a case is made as often
 * as there are points above it, with all that is merged inside:
 *
 *     cases  {B, C} {B} {C}                     2 operands:   5 bodies for 3 cases
 *     points {B, C}: 3 cases, {B}: 1, {C}: 1    3 operands:  19 bodies for 7 cases
 *
 * and merges inside one another multiply.  Where that would be much, one loop holds each case once
 * (merge_heads.c).
 */
#include "ir.h"
#include "merge.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

/* The operations before lowering that loops of points may hold, with all that is inside. */
enum { OPERATIONS_AT_ONCE = 1024 };

/* What walking one operand in a loop counts as: asking whether it is at its end, where it is,
 * whether that is least, and going on. */
enum { OPERATIONS_OF_A_WALK = 8 };

int coiteration_cases(arena *memory, MlirOperation op, lattice_point **cases) {
  int count = (int)sit_coiterate_case_count(op);
  *cases = ARENA_ARRAY(memory, lattice_point, count + 1);
  for (int i = 0; i < count; i++)
    for (intptr_t m = 0; m < sit_coiterate_case_size(op, i); m++)
      set_insert(memory, &(*cases)[i], (int)sit_coiterate_case_member(op, i, m));
  return count;
}

/* The unions of cases, without what is located; -1 where they are more than WALKED_POINTS_MAX. */
static int unions(arena *memory, int case_count, const lattice_point *cases, lattice_point located,
                  lattice_point *points) {
  int count = 0;
  for (int i = 0; i < case_count; i++)
    for (int p = -1, known = count; p < known; p++) {
      lattice_point point =
          set_union(memory, set_minus(memory, cases[i], located), p < 0 ? set_empty() : points[p]);
      int at = 0;
      while (at < count && !set_equal(points[at], point))
        at++;
      if (at < count || set_is_empty(point))
        continue;
      if (count == WALKED_POINTS_MAX)
        return -1;
      points[count++] = point;
    }
  return count;
}

static void sort_points(lattice_point *points, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && set_size(points[j]) > set_size(points[j - 1]); j--) {
      lattice_point swapped = points[j];
      points[j] = points[j - 1];
      points[j - 1] = swapped;
    }
}

/* How many points hold the case: the loops that it is in; 1 where there is but one loop. */
static int loops_with(lattice_point walked, int count, const lattice_point *points) {
  int loops = 0;
  for (int p = 0; p < count; p++)
    loops += set_within(walked, points[p]);
  return count < 0 ? 1 : loops;
}

static int64_t operations_of(arena *memory, MlirOperation op);

static int64_t operations_in(arena *memory, MlirOperation op, intptr_t region) {
  int64_t operations = 0;
  for (OPERATIONS(inner, op_block(op, region)))
    operations += operations_of(memory, inner);
  return operations;
}

/* Of the points' loops, and of one loop instead, with what is walked in each. */
static void operations_of_loops(arena *memory, MlirOperation op, lattice_point located, int count,
                                const lattice_point *points, int64_t *loops, int64_t *one) {
  lattice_point *cases, walked = set_empty();
  int case_count = coiteration_cases(memory, op, &cases);
  for (int i = 0; i < case_count; i++) {
    int64_t operations = operations_in(memory, op, i);
    lattice_point own = set_minus(memory, cases[i], located);
    set_add(memory, &walked, own);
    *one += operations;
    *loops += operations * loops_with(own, count, points);
  }
  *one += OPERATIONS_OF_A_WALK * set_size(walked);
  for (int p = 0; p < (count < 0 ? 1 : count); p++)
    *loops += OPERATIONS_OF_A_WALK * set_size(count < 0 ? walked : points[p]);
}

static int64_t operations_of_coiteration(arena *memory, MlirOperation op) {
  lattice_point *cases, points[WALKED_POINTS_MAX];
  int64_t loops = 0, one = 0;
  int case_count = coiteration_cases(memory, op, &cases);
  bool alone = sit_coiterate_takes_any(op) || sit_coiterate_extent(op).ptr;
  int count = alone ? -1 : unions(memory, case_count, cases, set_empty(), points);
  operations_of_loops(memory, op, set_empty(), count, points, &loops, &one);
  return loops > OPERATIONS_AT_ONCE ? one : loops;
}

static int64_t operations_of(arena *memory, MlirOperation op) {
  if (sit_is_coiterate(op))
    return operations_of_coiteration(memory, op);
  int64_t operations = 1;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    if (!mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r))))
      operations += operations_in(memory, op, r);
  return operations;
}

int walked_points(arena *memory, MlirOperation op, lattice_point located, lattice_point *points) {
  lattice_point *cases;
  int64_t loops = 0, one = 0;
  int case_count = coiteration_cases(memory, op, &cases);
  int count = sit_coiterate_takes_any(op) ? -1 : unions(memory, case_count, cases, located, points);
  if (count < 2)
    return count;
  operations_of_loops(memory, op, located, count, points, &loops, &one);
  sort_points(points, count);
  return loops > OPERATIONS_AT_ONCE ? -1 : count;
}
