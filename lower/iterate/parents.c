/* parents.c - sit.parents: which row a piece of the stored entries begins in (coordinate tracking,
 * Senanayake et al. 2020, section 5.1).
 *
 *     level 0   i      0     1     2             sit.parents level 1 before 2: how many of 0, 1, 2
 *                      |           |             begin before it: 1
 *     level 1   j    0   1       2   3
 *     position       0   1       2   3
 *
 * By search over where the children begin.  In a loop over pieces the answers ascend, and one is
 * near the last: it is sought from there in steps of 1, 2, 4, ..., up or down, and then between the
 * last two places, so that a piece of few rows takes few steps wherever it begins.  (Bentley, Yao:
 * An almost optimal algorithm for unbounded searching, 1976.)
 *
 *     found ->  b b b b b b . . .     b: begins before the position
 *               |1|  2|      4|       the answer is between the last two
 */
#include "parents.h"

#include "ir.h"
#include "op_list.h"
#include "search.h"
#include "sit.h"

/* What was found last in a level; the newest first. */
typedef struct found_parents {
  struct found_parents *next;
  storage *tensor;
  int level;
  variable count;
} found_parents;

/* ---- Search ------------------------------------------------------------------------------- */

typedef struct sought {
  level *l;
  const level_format *format;
  MlirValue position;
} sought;

static MlirValue begins_before(void *data, MlirValue parent) {
  const sought *s = data;
  MlirValue begin, end;
  s->format->pos_iter(s->l, parent, &begin, &end);
  return less(level_builder(s->l), begin, s->position);
}

/* Where there is no such parent it does not begin before, nor after, as asked. */
static MlirValue is_within_and(sought *s, MlirValue at, MlirValue parents, bool before) {
  builder *b = level_builder(s->l);
  int mark = var_mark(b);
  variable found = var_make(b, constant_bool(b, false));
  if_begin(b, and_i(b, less_equal(b, constant_index(b, 0), at), less(b, at, parents)));
  MlirValue begins = begins_before(s, at);
  var_set(b, found, before ? begins : equal(b, begins, constant_bool(b, false)));
  if_end(b);
  MlirValue result = var_get(b, found);
  var_release(b, mark);
  return result;
}

/* while (at + step is so) at += step, step *= 2; all that is so up or down from `at`, which is. */
static void go_on(sought *s, variable at, variable step, MlirValue parents, bool up) {
  builder *b = level_builder(s->l);
  while_begin(b);
  MlirValue next = (up ? add : sub)(b, var_get(b, at), var_get(b, step));
  while_do(b, is_within_and(s, next, parents, up));
  var_set(b, at, (up ? add : sub)(b, var_get(b, at), var_get(b, step)));
  var_set(b, step, mul(b, var_get(b, step), constant_index(b, 2)));
  while_end(b);
}

/* [low, high] that has the answer: at the found one, up from it, or down. */
static MlirValue search_near(sought *s, MlirValue found, MlirValue parents) {
  builder *b = level_builder(s->l);
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  int mark = var_mark(b);
  variable at = var_make(b, found), step = var_make(b, one);
  variable low = var_make(b, zero), high = var_make(b, parents);
  if_begin(b, is_within_and(s, found, parents, true));
  go_on(s, at, step, parents, true);
  var_set(b, low, add(b, var_get(b, at), one));
  var_set(b, high, min_i(b, parents, add(b, var_get(b, at), var_get(b, step))));
  if_else(b);
  go_on(s, at, step, parents, false);
  var_set(b, low, max_i(b, zero, sub(b, add(b, var_get(b, at), one), var_get(b, step))));
  var_set(b, high, var_get(b, at));
  if_end(b);
  MlirValue first = search_first(b, var_get(b, low), var_get(b, high), begins_before, s);
  var_release(b, mark);
  return first;
}

/* ---- What was found ----------------------------------------------------------------------- */

static found_parents *found_in(const lowering *k, const storage *s, int number) {
  found_parents *f = k->found;
  while (f && (f->tensor != s || f->level != number))
    f = f->next;
  return f;
}

static bool is_sought_in(MlirOperation parents, MlirOperation coiterate) {
  MlirOperation around = mlirOperationGetParentOperation(parents);
  while (!sit_is_coiterate(around) && !sit_is_kernel(around))
    around = mlirOperationGetParentOperation(around);
  return mlirOperationEqual(around, coiterate);
}

bool parents_are_sought(MlirOperation coiterate) {
  arena *memory = arena_create();
  op_list all = ops_below(memory, coiterate, sit_is_parents);
  bool sought = false;
  for (int n = 0; n < all.count; ++n)
    sought |= is_sought_in(all.ops[n], coiterate);
  arena_free(memory);
  return sought;
}

struct found_parents *parents_begin(lowering *k, MlirOperation coiterate) {
  found_parents *before = k->found;
  op_list all = ops_below(k->memory, coiterate, sit_is_parents);
  for (int n = 0; n < all.count; ++n) {
    storage *s = lowering_storage(k, sit_op_tensor(all.ops[n]));
    int number = (int)sit_op_level(all.ops[n]);
    found_parents *f = found_in(k, s, number);
    bool made = false;
    for (found_parents *own = k->found; own != before; own = own->next)
      made |= own == f;
    if (made || !is_sought_in(all.ops[n], coiterate) ||
        storage_level_format(s, number)->parents_before)
      continue;
    f = ARENA_ARRAY(k->memory, found_parents, 1);
    *f = (found_parents){k->found, s, number, var_make(k->b, constant_index(k->b, 0))};
    k->found = f;
  }
  return before;
}

void parents_end(lowering *k, struct found_parents *before) {
  k->found = before;
}

/* ---- The operation ------------------------------------------------------------------------ */

static MlirValue search(lowering *k, storage *s, int number, MlirValue position) {
  level *l = storage_level(s, number);
  sought what = {l, storage_level_format(s, number), position};
  MlirValue parents = positions_above(s, number);
  found_parents *last = found_in(k, s, number);
  if (!last || !var_can_set(k->b, last->count))
    return search_first(k->b, constant_index(k->b, 0), parents, begins_before, &what);
  MlirValue count = search_near(&what, var_get(k->b, last->count), parents);
  var_set(k->b, last->count, count);
  return count;
}

bool lower_parents(lowering *k, MlirOperation op) {
  storage *s = lowering_storage(k, sit_op_tensor(op));
  int number = (int)sit_op_level(op);
  const level_format *format = storage_level_format(s, number);
  MlirValue position = lowering_scalar(k, sit_op_position(op));
  MlirValue count =
      format->parents_before
          ? format->parents_before(storage_level(s, number), positions_above(s, number), position)
          : search(k, s, number, position);
  lowering_bind(k, mlirOperationGetResult(op, 0), (lowered){.value = count});
  return true;
}
