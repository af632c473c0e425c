/* clip.c - where a walk begins and ends that is bounded from below and above.
 *
 *     sit.coiterate %A level 1 under %p from %low to %high      the first place whose coordinate is
 *                                                               not below a bound, by search
 *
 * What a loop over positions is bounded by are coordinates of positions: nothing is searched for
 * then, since between where those below the parent begin and end, place q comes right before what
 * is not below the next coordinate (Senanayake et al. 2020, section 5.2).
 *
 *     %j = sit.coordinate %A level 1 at %q under %p
 *     sit.coiterate %A level 1 under %p from %j + 1             begins at q + 1
 */
#include "coiterate.h"
#include "cursor.h"

#include "ir.h"
#include "sit.h"

typedef struct clipped {
  coiteration *c;
  walk *walk;
  int level; /* of the coiteration */
} clipped;

static bool is_coordinate(const clipped *u, MlirOperation op) {
  return sit_is_coordinate(op) && sit_op_level(op) == u->walk->number &&
         mlirValueEqual(sit_op_tensor(op), sit_coiterate_tensor(u->c->op, u->level)) &&
         mlirValueEqual(sit_op_parent(op), sit_coiterate_parent(u->c->op, u->level));
}

/* The place that a bound is the coordinate of, the one before it and 1; null for any other. */
static MlirValue place_of(const clipped *u, MlirValue bound) {
  builder *b = u->c->k->b;
  const MlirValue none = {NULL};
  MlirOperation op = mlirValueIsAOpResult(bound) ? value_owner(bound) : (MlirOperation){NULL};
  int64_t one;
  if (!op.ptr || mlirOperationGetNumOperands(op) != 2)
    return none;
  MlirValue left = mlirOperationGetOperand(op, 0), right = mlirOperationGetOperand(op, 1);
  if (op_is(op, "arith.addi") && value_is_constant_index(right, &one) && one == 1 &&
      mlirValueIsAOpResult(left) && is_coordinate(u, value_owner(left)))
    return add(b, lowering_scalar(u->c->k, sit_op_position(value_owner(left))),
               constant_index(b, 1));
  if (!op_is(op, "arith.maxsi"))
    return none;
  left = place_of(u, left);
  right = left.ptr ? place_of(u, right) : none;
  return right.ptr ? max_i(b, left, right) : none;
}

/* Whether no coordinate is below the bound: a dimension begins at 0. */
static bool is_start(const walk *w, MlirValue bound) {
  int64_t least;
  return !w->offset.ptr && value_is_constant_index(bound, &least) && least <= 0;
}

/* The place from which on coordinates are not below the bound, of those from `begin` on; that
 * the walk ends in, as a rule all the way. */
static MlirValue first_from(const clipped *u, MlirValue said, MlirValue begin, MlirValue bound,
                            bool ends) {
  builder *b = u->c->k->b;
  walk *w = u->walk;
  const unsigned wanted = LEVEL_ORDERED | LEVEL_UNIQUE;
  bool same = said.ptr && mlirValueEqual(lowering_scalar(u->c->k, said), bound);
  MlirValue place = same && !w->scratch.ptr && !w->offset.ptr && (w->properties & wanted) == wanted
                        ? place_of(u, said)
                        : (MlirValue){NULL};
  if (place.ptr)
    return min_i(b, w->end, max_i(b, begin, place));
  if (u->c->begins_near && !ends)
    return walk_seek_near(w, begin, begin, bound);
  return (ends ? walk_seek_end : walk_seek)(w, begin, bound);
}

void coiteration_clip(coiteration *c, int level, MlirValue low, MlirValue high) {
  walk *w = &c->levels[level];
  clipped u = {c, w, level};
  if (cursor_clip(c, level, low, high))
    return;
  if (low.ptr && !is_start(w, low))
    w->begin = w->by_position ? first_from(&u, sit_coiterate_lower(c->op), w->begin, low, false)
                              : max_i(c->k->b, w->begin, walk_stored(w, low));
  if (high.ptr)
    w->end = w->by_position ? first_from(&u, sit_coiterate_upper(c->op), w->begin, high, true)
                            : min_i(c->k->b, w->end, walk_stored(w, high));
}
