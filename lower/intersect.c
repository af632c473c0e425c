/* intersect.c - whether two blocks of coordinates meet, all compared with all at once.
 *
 *     block of B    1  4  6  9  9  9  9  9   (the last ones, beyond the end, are its first again;
 *     block of C    2  5  7  7  7  7  7  7    drawn as the last here)
 *
 *     meet = (B == C[0] in all lanes) | ... | (B == C[7] in all lanes), in any lane
 *
 * Where blocks do not meet, which is the rule in short and very sparse fibres, two comparisons of
 * their last coordinates say which of them is done.  So a fibre of a few entries costs no branch
 * that is hard to predict (Schlegel, Willhalm, Lehner: Fast Sorted-Set Intersection using SIMD
 * Instructions, ADMS 2011, section 3).
 *
 * Where one segment is much longer than the other, blocks that do not meet are followed by a
 * search: each place moves on to the other's coordinate (Demaine, Lopez-Ortiz, Munro: Adaptive Set
 * Intersections, Unions, and Differences, 2000).  So the longer segment is not read as a whole.
 */
#include "coiterate.h"

#include "ir.h"

#include <mlir-c/BuiltinTypes.h>

enum { LANES = 8, MUCH_LONGER = 32 };

static unsigned coordinate_width(const walk *w) {
  return storage_format(w->tensor)->coordinate_width;
}

static bool has_blocks(const walk *w) {
  return w->by_position && !w->chained && !w->parent.last.ptr && w->format->pos_lanes &&
         w->properties & LEVEL_ORDERED && !walk_is_single(w);
}

bool blocks_can_meet(const coiteration *c) {
  return c->level_count == 2 && c->case_count == 1 && c->cases[0] == 3 && !c->extent.ptr &&
         !c->k->lanes && has_blocks(&c->levels[0]) && has_blocks(&c->levels[1]) &&
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

MlirValue blocks_meet(coiteration *c, const MlirValue places[2], MlirValue next[2]) {
  builder *b = c->k->b;
  MlirValue sizes[2], blocks[2], last[2];
  for (int i = 0; i < 2; i++) {
    walk *w = &c->levels[i];
    sizes[i] = block_size(b, w, places[i]);
    blocks[i] = w->format->pos_lanes(w->l, places[i], sizes[i], LANES);
    last[i] = last_coordinate(b, w, places[i], sizes[i]);
  }
  for (int i = 0; i < 2; i++) {
    MlirValue done = less_equal(b, last[i], last[1 - i]);
    next[i] = add(b, places[i], select_value(b, done, sizes[i], constant_index(b, 0)));
  }
  return any_equal(b, blocks[0], blocks[1]);
}

MlirValue blocks_are_uneven(coiteration *c) {
  builder *b = c->k->b;
  MlirValue size[2], limit[2];
  for (int i = 0; i < 2; i++) {
    size[i] = sub(b, c->levels[i].end, c->levels[i].begin);
    limit[i] = mul(b, size[i], constant_index(b, MUCH_LONGER));
  }
  MlirValue first = less(b, limit[0], size[1]);
  return or_i(b, first, less(b, limit[1], size[0]));
}

/* The place itself where it is not behind: nothing is searched then. */
static MlirValue seek_from(walk *w, MlirValue place, MlirValue coordinate, MlirValue bound) {
  builder *b = w->k->b;
  int mark = var_mark(b);
  variable at = var_make(b, place);
  if_begin(b, less(b, coordinate, bound));
  var_set(b, at, walk_seek(w, add(b, place, constant_index(b, 1)), bound));
  if_end(b);
  MlirValue sought = var_get(b, at);
  var_release(b, mark);
  return sought;
}

void blocks_seek(coiteration *c, const MlirValue places[2], MlirValue next[2]) {
  MlirValue coordinates[2];
  for (int i = 0; i < 2; i++)
    coordinates[i] = walk_access(&c->levels[i], places[i]).coordinate;
  for (int i = 0; i < 2; i++)
    next[i] = seek_from(&c->levels[i], places[i], coordinates[i], coordinates[1 - i]);
}
