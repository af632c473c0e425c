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
 * An almost optimal algorithm for unbounded searching, 1976.)  A GPU's next piece is far from the
 * last one: there only where a piece ends is sought from where it begins.
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
  bool is_near; /* something was sought in the piece before */
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
    *f = (found_parents){k->found, s, number, var_make(k->b, constant_index(k->b, 0)), false};
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
  MlirValue none = constant_index(k->b, 0);
  if (!last || !var_can_set(k->b, last->count))
    return search_first(k->b, none, parents, begins_before, &what);
  bool is_near = last->is_near || !k->gpu;
  MlirValue count =
      is_near ? search_near(k->b, none, parents, var_get(k->b, last->count), begins_before, &what)
              : search_first(k->b, none, parents, begins_before, &what);
  last->is_near = true;
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
