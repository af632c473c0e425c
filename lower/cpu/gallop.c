/* gallop.c - going on in a level from the place where one stands to a coordinate.
 *
 *     at --+-----+-----------+-----------------------+
 *          a block, then steps of twice the size each
 *
 * The last coordinates of steps that double are looked at; the one that is not below the bound is
 * taken apart into PARTS steps, and so on down to a block; and in that the coordinates that are
 * below are counted, all at once where the level can load them so.  So what is d places away is
 * found in the logarithm of d (Bentley, Yao: An Almost Optimal Algorithm for Unbounded Searching,
 * 1976).  Steps of one size are looked at in a loop instead of by halves: the processor guesses
 * that it goes on, and has the next ones loaded in the meantime.
 *
 * For a block alone, that of two levels that are intersected, the next few blocks are passed one by
 * one before steps double: their end is the only branch that is hard to predict (Lemire, Boytsov,
 * Kurz: SIMD Compression and the Intersection of Sorted Integers, 2016, section 4).
 */
#include "walk.h"

enum { BLOCK = WALK_BLOCK, PARTS = 8 };

static MlirValue is_below(walk *w, MlirValue place, MlirValue bound) {
  return less(w->k->b, walk_access(w, place).coordinate, bound);
}

/* Whether `size` places from `at` on are before `end`, and the last of them is below the bound. */
static MlirValue is_passed(walk *w, MlirValue at, MlirValue size, MlirValue end, MlirValue bound) {
  builder *b = w->k->b;
  int mark = var_mark(b);
  variable passed = var_make(b, constant_bool(b, false));
  MlirValue next = add(b, at, size);
  if_begin(b, less(b, next, end));
  var_set(b, passed, is_below(w, sub(b, next, constant_index(b, 1)), bound));
  if_end(b);
  MlirValue result = var_get(b, passed);
  var_release(b, mark);
  return result;
}

/* while (passed(at, size, end)) at += size; */
static void pass(walk *w, variable at, MlirValue size, MlirValue end, MlirValue bound) {
  builder *b = w->k->b;
  while_begin(b);
  while_do(b, is_passed(w, var_get(b, at), size, end, bound));
  var_set(b, at, add(b, var_get(b, at), size));
  while_end(b);
}

/* while (passed(at, size, end)) { at += size; size += size; } */
static void pass_doubling(walk *w, variable at, variable size, MlirValue bound) {
  builder *b = w->k->b;
  while_begin(b);
  while_do(b, is_passed(w, var_get(b, at), var_get(b, size), w->end, bound));
  var_set(b, at, add(b, var_get(b, at), var_get(b, size)));
  var_set(b, size, add(b, var_get(b, size), var_get(b, size)));
  while_end(b);
}

/* What is sought is at one of the places at .. at + size: moves on until the size is `least`. */
static void narrow(walk *w, variable at, variable size, int64_t least, MlirValue bound) {
  builder *b = w->k->b;
  MlirValue smallest = constant_index(b, least), parts = constant_index(b, PARTS);
  while_begin(b);
  while_do(b, less(b, smallest, var_get(b, size)));
  var_set(b, size, max_i(b, smallest, floor_div(b, var_get(b, size), parts)));
  pass(w, at, var_get(b, size), w->end, bound);
  while_end(b);
  var_set(b, size, min_i(b, var_get(b, size), sub(b, w->end, var_get(b, at))));
}

/* How many of the `count` places from `at` on, a block and no fewer than one, are below. */
static MlirValue count_below(walk *w, MlirValue at, MlirValue count, MlirValue bound) {
  builder *b = w->k->b;
  MlirValue block = lanes_as_index(b, level_load_coordinates(w->l, at, count, BLOCK));
  MlirValue below = less(b, block, broadcast(b, walk_stored(w, bound), BLOCK));
  return count_lanes(b, and_i(b, below, lanes_mask(b, count, BLOCK)));
}

MlirValue walk_gallop_block(walk *w, MlirValue place, MlirValue bound, MlirValue near,
                            MlirValue *size) {
  builder *b = w->k->b;
  MlirValue block = constant_index(b, BLOCK), reach = constant_index(b, WALK_NEAR);
  MlirValue behind = min_i(b, w->end, add(b, place, near));
  int mark = var_mark(b);
  variable at = var_make(b, place), left = var_make(b, block);
  pass(w, at, block, behind, bound);
  MlirValue all_passed = less_equal(b, behind, add(b, var_get(b, at), block));
  if_begin(b, and_i(b, all_passed, less(b, behind, w->end)));
  var_set(b, left, reach);
  pass_doubling(w, at, left, bound);
  if_end(b);
  narrow(w, at, left, BLOCK, bound);
  MlirValue found = var_get(b, at);
  *size = var_get(b, left);
  var_release(b, mark);
  return found;
}

static MlirValue gallop_by_position(walk *w, MlirValue place, MlirValue bound) {
  builder *b = w->k->b;
  bool on_lanes = level_format_coordinates(w->format) >= 0 && !w->scratch.ptr;
  int mark = var_mark(b);
  variable at = var_make(b, place), left = var_make(b, constant_index(b, BLOCK));
  pass_doubling(w, at, left, bound);
  narrow(w, at, left, on_lanes ? BLOCK : 1, bound);
  MlirValue found = var_get(b, at), size = var_get(b, left);
  var_release(b, mark);
  return add(b, found,
             on_lanes ? count_below(w, found, size, bound)
                      : index_cast(b, is_below(w, found, bound), type_index(b)));
}

MlirValue walk_gallop(walk *w, MlirValue place, MlirValue bound) {
  builder *b = w->k->b;
  return w->by_position ? gallop_by_position(w, place, bound)
                        : min_i(b, w->end, max_i(b, place, walk_stored(w, bound)));
}
