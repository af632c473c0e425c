/* level_key.c - what tells an entry of a workspace from others: its coordinate, or, where there are
 * several levels, those of all of them in one word.
 *
 *     key(i, j)     i << bits(J) | j      of a policy that grows: taken apart by shifts
 *                   i * J + j             of one that has a place for each key: I * J places
 */
#include "level_format.h"

#include "storage_state.h"

enum { WORD = 64, KEY_BITS = 62 };

static bool is_shifted(const level *l) {
  return l->owner->levels[0].format->format->grows;
}

static MlirValue number(const level *l, int64_t x) {
  return constant_index(l->owner->b, x);
}

MlirValue storage_bits_below(builder *b, MlirValue size) {
  MlirType i64 = type_i(b, WORD);
  MlirValue one = constant_index(b, 1);
  MlirValue most = index_cast(b, sub(b, max_i(b, size, one), one), i64);
  MlirValue zeros = op_result(make_op(b, "math.ctlz", 1, &most, 1, &i64, 0, NULL), 0);
  return sub(b, constant_index(b, WORD), index_cast(b, zeros, type_index(b)));
}

static void refuse_long_keys(storage *s, MlirValue bits) {
  builder *b = s->b;
  if_begin(b, less(b, constant_index(b, KEY_BITS), bits));
  const char *message = arena_format(
      s->memory,
      "expected dimensions of a workspace of order %d that fit %d bits together, found "
      "larger ones: without --workspace the entries of sums are recorded instead",
      s->format->order, KEY_BITS);
  MlirValue arguments[] = {constant_text(b, message), s->status};
  call_seldom(b, "lac_kernel_refuse", (MlirType){NULL}, 2, arguments);
  if_end(b);
}

/* From the last level up: how far each is shifted, or how many keys there are below one coordinate.
 */
void storage_begin_keys(storage *s) {
  builder *b = s->b;
  int count = s->format->level_count;
  bool shifted = is_shifted(&s->levels[0]);
  MlirValue below = constant_index(b, shifted ? 0 : 1);
  for (int k = count - 1; k >= 0; k--) {
    s->levels[k].keys_below = below;
    below = shifted ? add(b, below, storage_bits_below(b, s->levels[k].size))
                    : storage_product(s, below, s->levels[k].size);
  }
  s->keys = below;
  if (shifted)
    refuse_long_keys(s, below);
}

/* The first key that the first `levels` of these coordinates are in: of all, theirs. */
static MlirValue first_key(const level *l, const MlirValue *coordinates, int levels) {
  const storage *s = l->owner;
  builder *b = s->b;
  MlirValue key = number(l, 0);
  for (int k = 0; k < levels; k++) {
    MlirValue below = s->levels[k].keys_below, part = coordinates[k];
    if (k + 1 < s->format->level_count)
      part = is_shifted(l) ? shift_left(b, part, below) : mul(b, part, below);
    key = is_shifted(l) ? or_i(b, key, part) : add(b, key, part);
  }
  return key;
}

MlirValue level_key(level *l, const MlirValue *coordinates) {
  return first_key(l, coordinates, l->owner->format->level_count);
}

bool level_key_is_shared(const level *l) {
  return l->owner->format->level_count > 1;
}

/* One level by itself may have begun otherwise. */
MlirValue level_key_count(level *l) {
  return l->owner->keys.ptr ? l->owner->keys : l->size;
}

MlirValue level_key_bits(level *l) {
  return l->owner->keys;
}

/* The coordinate of this level: to take off what the levels above have costs less than a remainder.
 */
static MlirValue part_of(const level *l, MlirValue key, const MlirValue *coordinates) {
  builder *b = l->owner->b;
  MlirValue rest = sub(b, key, first_key(l, coordinates, l->number));
  return is_shifted(l) ? shift_right(b, rest, l->keys_below) : floor_div(b, rest, l->keys_below);
}

void level_entry_access(level *l, MlirValue place, const MlirValue *coordinates,
                        MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)found;
  storage *s = l->owner;
  level *policy = &s->levels[0];
  MlirValue key, at = place;
  policy->format->format->entry(policy, place, &key, &at);
  *coordinate = part_of(l, key, coordinates);
  if (l->number + 1 == s->format->level_count)
    *position = at;
}

/* No quotient is computed: keys with these coordinates follow each other. */
MlirValue level_entry_is_at(level *l, MlirValue place, const MlirValue *coordinates) {
  builder *b = l->owner->b;
  level *policy = &l->owner->levels[0];
  MlirValue key, at = place;
  policy->format->format->entry(policy, place, &key, &at);
  MlirValue one = number(l, 1);
  MlirValue below = is_shifted(l) ? shift_left(b, one, l->keys_below) : l->keys_below;
  return less(b, key, add(b, first_key(l, coordinates, l->number + 1), below));
}
