/* positions.c - the positions of a level of an operand as numbers: sit.positions, sit.coordinate,
 * sit.ordinal (Senanayake et al. 2020, sections 3.3 and 5.1).
 *
 *     level 0   i      0     1     2
 *                      |           |
 *     level 1   j    0   1       2   3
 *     position       0   1       2   3
 */
#include "ir.h"
#include "kernel.h"
#include "parents.h"
#include "sit.h"
#include "walk.h"

/* ---- how many ----------------------------------------------------------------------------- */

static MlirValue count_of(storage *s, int k);

static MlirValue zero_of(level *l) {
  return level_constant(l, 0);
}

/* Where the positions of the last of so many parents end. */
static MlirValue end_of_last(level *l, const level_format *format, MlirValue parents) {
  builder *b = level_builder(l);
  int mark = var_mark(b);
  MlirValue begin, end;
  variable count = var_make(b, zero_of(l));
  if_begin(b, less(b, zero_of(l), parents));
  format->pos_iter(l, sub(b, parents, level_constant(l, 1)), &begin, &end);
  var_set(b, count, end);
  if_end(b);
  MlirValue last = var_get(b, count);
  var_release(b, mark);
  return last;
}

MlirValue positions_above(storage *s, int k) {
  return k ? count_of(s, k - 1) : level_constant(storage_level(s, k), 1);
}

static MlirValue count_of(storage *s, int k) {
  level *l = storage_level(s, k);
  const level_format *format = storage_level_format(s, k);
  MlirValue parents = positions_above(s, k);
  return format->capabilities & LEVEL_POSITION_ITERATION ? end_of_last(l, format, parents)
                                                         : level_place_count(l, parents);
}

/* ---- one position ------------------------------------------------------------------------- */

bool lower_ordinal(lowering *k, MlirOperation op) {
  lowered position = lowering_position(k, sit_op_position(op));
  if (position.last.ptr)
    return error_at(op, "'sit.ordinal' expected one position, found a segment of several");
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = position.value});
  return true;
}

/* ---- below a parent ----------------------------------------------------------------------- */

/* By position, each entry by itself. */
static bool begin_below(walk *w, lowering *k, MlirOperation op) {
  lowered parent = lowering_position(k, sit_op_parent(op));
  return walk_begin(w, k, op, lowering_storage(k, sit_op_tensor(op)), (int)sit_op_level(op), parent,
                    true, (MlirValue){NULL});
}

/* Of a level that is iterated by coordinate: p N + i. */
static MlirValue first_place(const walk *w) {
  builder *b = w->k->b;
  return w->by_position ? constant_index(b, 0) : mul(b, w->parent.value, level_size(w->l));
}

bool lower_positions(lowering *k, MlirOperation op) {
  MlirValue begin = constant_index(k->b, 0), end;
  walk w;
  if (sit_op_parent(op).ptr) {
    if (!begin_below(&w, k, op))
      return false;
    begin = add(k->b, first_place(&w), w.begin);
    end = add(k->b, first_place(&w), w.end);
  } else {
    end = count_of(lowering_storage(k, sit_op_tensor(op)), (int)sit_op_level(op));
  }
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = begin});
  lowering_bind(k, mlirOperationGetResult(op, 1), (lowered){.value = end});
  return true;
}

/* begin <= place < end */
static MlirValue coordinate_there(walk *w, MlirOperation op, MlirValue place, MlirValue outside) {
  builder *b = w->k->b;
  int mark = var_mark(b);
  variable coordinate = var_make(b, outside);
  if_begin(b, and_i(b, less_equal(b, w->begin, place), less(b, place, w->end)));
  entry n = walk_access(w, place);
  if (n.found.ptr)
    error_at(op,
             "'sit.coordinate' expected a level with a coordinate at each position, found level "
             "%d '%s'",
             w->number, w->format->name);
  var_set(b, coordinate, n.coordinate);
  if_end(b);
  MlirValue found = var_get(b, coordinate);
  var_release(b, mark);
  return n.found.ptr ? (MlirValue){NULL} : found;
}

bool lower_coordinate(lowering *k, MlirOperation op) {
  builder *b = k->b;
  walk w;
  if (!begin_below(&w, k, op))
    return false;
  MlirValue place = sub(b, lowering_scalar(k, sit_op_position(op)), first_place(&w));
  MlirValue minus_one = constant_index(b, -1);
  MlirValue last = sub(b, level_size(w.l), constant_index(b, 1));
  MlirValue outside = select_value(b, less(b, place, w.begin), minus_one, last);
  MlirValue coordinate = coordinate_there(&w, op, place, outside);
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = coordinate});
  return coordinate.ptr;
}
