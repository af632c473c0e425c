/* intersect.c - an intersection of two levels, in blocks: whether two blocks of coordinates meet,
 * all compared with all at once.
 *
 *     block of B    1  4  6  9  9  9  9  9   (the last ones, beyond the end, are its first again;
 *     block of C    2  5  7  7  7  7  7  7    drawn as the last here)
 *
 *     meet = (B == C[0] in all lanes) | ... | (B == C[7] in all lanes), in any lane
 *
 * Where blocks do not meet, which is the rule in short and very sparse fibres, two comparisons of
 * their last coordinates say which of them is done.  So a fibre of a few entries costs no branch
 * that is hard to predict (Schlegel, Willhalm, Lehner: Fast Sorted-Set Intersection using SIMD
 * Instructions, ADMS 2011, section 3).  Only where they meet the next PATIENCE places of each are
 * merged one by one:
 *
 *     while (b < b_end && c < c_end)
 *       if (the blocks at b and c meet)   merge [b, b + PATIENCE) and [c, c + PATIENCE)
 *       else                              the block that ends first is done
 *
 * Where one of the segments is much longer (seek.c), the next coordinate of the other is compared
 * with all of the block where it would stand, which is searched for:
 *
 *     while (b < b_end && c < c_end)            C the longer
 *       c = the block for B.crd[b]
 *       if (B.crd[b] is in the block at c)      merge [b, b + 1) and [c, c + 16)
 *       else                                    b + 1
 */
#include "merge.h"
#include "strategy.h"

#include "ir.h"

#include <mlir-c/BuiltinTypes.h>

enum { LANES = 8, PATIENCE = 32 };

static unsigned coordinate_width(const walk *w) {
  return storage_format(w->tensor)->coordinate_width;
}

static bool has_blocks(const walk *w) {
  return w->by_position && !w->chained && !w->scratch.ptr && !w->offset.ptr &&
         !w->parent.last.ptr && level_format_coordinates(w->format) >= 0 &&
         w->properties & LEVEL_ORDERED && !walk_is_single(w);
}

bool blocks_can_meet(const merge *m) {
  const coiteration *c = m->c;
  return strategy_is_taken(c->op, &blocks_strategy) && set_is_empty(m->located) &&
         c->level_count == 2 && c->case_count == 1 && set_size(c->cases[0]) == 2 &&
         !c->extent.ptr && !c->k->lanes && has_blocks(&c->levels[0]) && has_blocks(&c->levels[1]) &&
         coordinate_width(&c->levels[0]) == coordinate_width(&c->levels[1]);
}

static MlirValue block_size(builder *b, const walk *w, MlirValue place) {
  return min_i(b, sub(b, w->end, place), constant_index(b, LANES));
}

static MlirValue last_coordinate(builder *b, walk *w, MlirValue place, MlirValue size) {
  return walk_access(w, sub(b, add(b, place, size), constant_index(b, 1))).coordinate;
}

static MlirValue any_equal(builder *b, MlirValue block, MlirValue other) {
  MlirValue any = equal(b, block, broadcast_lane(b, other, 0));
  for (int64_t lane = 1; lane < LANES; lane++)
    any = or_i(b, any, equal(b, block, broadcast_lane(b, other, lane)));
  return any_lane(b, any);
}

/* What is compared next: whether it meets, and then how many places of each are merged, or where
 * each goes on else. */
typedef struct step {
  variable meets, reach[2], next[2];
} step;

static void compare_blocks(merge *m, const step *s) {
  builder *b = m->b;
  MlirValue sizes[2], blocks[2], last[2], places[2];
  for (int i = 0; i < 2; i++) {
    walk *w = m->strands[i].walk;
    places[i] = var_get(b, m->strands[i].cursor);
    sizes[i] = block_size(b, w, places[i]);
    blocks[i] = level_load_coordinates(w->l, places[i], sizes[i], LANES);
    last[i] = last_coordinate(b, w, places[i], sizes[i]);
  }
  for (int i = 0; i < 2; i++) {
    MlirValue done = less_equal(b, last[i], last[1 - i]);
    MlirValue passed = select_value(b, done, sizes[i], constant_index(b, 0));
    var_set(b, s->next[i], add(b, places[i], passed));
    var_set(b, s->reach[i], constant_index(b, PATIENCE));
  }
  var_set(b, s->meets, any_equal(b, blocks[0], blocks[1]));
}

static void compare_long(merge *m, const step *s, int longer, MlirValue near) {
  builder *b = m->b;
  strand *many = &m->strands[longer], *few = &m->strands[1 - longer];
  walk *w = many->walk;
  MlirValue place = var_get(b, few->cursor), one = constant_index(b, 1), size;
  MlirValue wanted = walk_access(few->walk, place).coordinate;
  MlirValue at = walk_gallop_block(w, var_get(b, many->cursor), wanted, near, &size);
  MlirValue block = level_load_coordinates(w->l, at, size, WALK_BLOCK);
  MlirValue stored = index_cast(b, wanted, type_element(mlirValueGetType(block)));
  var_set(b, s->meets, any_lane(b, equal(b, block, broadcast(b, stored, WALK_BLOCK))));
  var_set(b, many->cursor, at);
  var_set(b, s->next[longer], at);
  var_set(b, s->next[1 - longer], add(b, place, one));
  var_set(b, s->reach[longer], size);
  var_set(b, s->reach[1 - longer], one);
}

static void compare(merge *m, const step *s, const seeking *longer) {
  builder *b = m->b;
  if (!longer->any.ptr) {
    compare_blocks(m, s);
    return;
  }
  if_begin(b, longer->any);
  if_begin(b, longer->is_long[0]);
  compare_long(m, s, 0, longer->near[0]);
  if_else(b);
  compare_long(m, s, 1, longer->near[1]);
  if_end(b);
  if_else(b);
  compare_blocks(m, s);
  if_end(b);
}

static bool merge_reach(merge *m, const step *step) {
  MlirValue ends[2];
  for (int i = 0; i < 2; i++) {
    strand *s = &m->strands[i];
    ends[i] = s->walk->end;
    s->walk->end =
        min_i(m->b, ends[i], add(m->b, var_get(m->b, s->cursor), var_get(m->b, step->reach[i])));
  }
  bool good = merge_branching_loop(m, m->c->cases[0], NULL);
  for (int i = 0; i < 2; i++)
    m->strands[i].walk->end = ends[i];
  return good;
}

bool blocks_loop(merge *m) {
  builder *b = m->b;
  seeking longer = seek_begin(m, m->c->cases[0]);
  MlirValue zero = constant_index(b, 0);
  while_begin(b);
  while_do(b, merge_has_places(m, m->c->cases[0]));
  int mark = var_mark(b);
  step s = {.meets = var_make(b, constant_bool(b, false))};
  for (int i = 0; i < 2; i++) {
    s.reach[i] = var_make(b, zero);
    s.next[i] = var_make(b, zero);
  }
  compare(m, &s, &longer);
  if_begin(b, var_get(b, s.meets));
  bool good = merge_reach(m, &s);
  if_else(b);
  for (int i = 0; i < 2; i++)
    var_set(b, m->strands[i].cursor, var_get(b, s.next[i]));
  if_end(b);
  var_release(b, mark);
  while_end(b);
  return good;
}

/* ---- The choice --------------------------------------------------------------------------- */

static bool may_have_blocks(const walked_level *l) {
  return l->by_position && !l->chained && !l->scratch && !l->offset && !l->below_segment &&
         !l->single && level_format_coordinates(l->format) >= 0 && l->properties & LEVEL_ORDERED;
}

static bool choose(const walked *w, int64_t *number) {
  (void)number;
  return walked_merges(w) && !w->parallel && !w->whole && !w->in_lanes &&
         set_is_empty(w->located) && w->level_count == 2 && w->case_count == 1 &&
         set_size(w->cases[0]) == 2 && may_have_blocks(&w->levels[0]) &&
         may_have_blocks(&w->levels[1]) &&
         w->levels[0].tensor->coordinate_width == w->levels[1].tensor->coordinate_width;
}

const strategy blocks_strategy = {
    .name = "blocks",
    .words = "compares whole blocks of coordinates at once",
    .choose = choose,
};
