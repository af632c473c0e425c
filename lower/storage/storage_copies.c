/* storage_copies.c - what threads reduce into, each for itself; see storage.h.
 *
 *     thread          0                1                 2
 *     values          of the result    copies[0 ..]      copies[stride ..]       all the identity
 *     in the end      y[i] = y[i] + copies[i] + copies[stride + i]
 *
 * Copies begin at lines of the cache of their own.  Where the identity is zero, what is added up is
 * set to zero again while it is in the cache, so that the next call has the copies without new
 * pages: those cost more than all that a thread adds to them.
 */
#include "storage_state.h"

enum { LINE = 64 };

struct storage_copies {
  storage *s;
  tin_reduction kind;
  MlirValue count, stride; /* in elements */
  scratch_memory values;   /* of all but the first */
};

static MlirAttribute identity_of(const storage_copies *c) {
  return combine_identity(c->s->b, c->kind, c->s->format->element);
}

static bool stays_clean(const storage_copies *c) {
  return is_all_zero(identity_of(c));
}

static void fill(storage_copies *c) {
  builder *b = c->s->b;
  MlirAttribute identity = identity_of(c);
  if (is_all_zero(identity))
    return;
  MlirValue all = mul(b, sub(b, c->count, constant_index(b, 1)), c->stride);
  MlirValue value = constant_attr(b, identity);
  storage_block part = storage_blocks_begin(c->s, all, all);
  MlirValue i = for_begin(b, part.begin, part.end, constant_index(b, 1));
  store(b, value, c->values.elements, i);
  for_end(b);
  parallel_end(b);
}

storage_copies *storage_copies_begin(storage *s, tin_reduction kind, MlirValue count) {
  builder *b = s->b;
  storage_copies *c = arena_alloc(s->memory, sizeof *c);
  MlirValue line = constant_index(b, LINE);
  *c = (storage_copies){.s = s, .kind = kind, .count = count};
  c->stride = mul(b, ceil_div(b, s->positions, line), line);
  MlirValue others = sub(b, count, constant_index(b, 1));
  c->values = scratch_take(s, s->format->element, storage_product(s, others, c->stride));
  if_begin(b, storage_is_fine(s));
  fill(c);
  if_end(b);
  return c;
}

/* The first is the result itself. */
storage *storage_copy(storage_copies *c, MlirValue number) {
  storage *s = c->s, *copy = arena_alloc(s->memory, sizeof *copy);
  builder *b = s->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  MlirValue bytes = constant_index(b, type_bytes(s->format->element));
  MlirValue behind = mul(b, mul(b, sub(b, number, one), c->stride), bytes);
  MlirValue other = element_pointer(b, c->values.pointer, behind, type_i(b, 8));
  *copy = *s;
  copy->values.pointer = select_value(b, equal(b, number, zero), s->values.pointer, other);
  copy->values.fixed = memory_at(s, copy->values.pointer, s->positions, s->format->element);
  return copy;
}

static void add_copy(storage_copies *c, MlirValue number, const storage_block *part, bool strict) {
  storage *s = c->s;
  builder *b = s->b;
  MlirValue from = mul(b, sub(b, number, constant_index(b, 1)), c->stride);
  MlirValue i = for_begin(b, part->begin, part->end, constant_index(b, 1));
  MlirValue at = add(b, from, i), other = load(b, c->values.elements, at);
  if (stays_clean(c))
    store(b, constant_attr(b, identity_of(c)), c->values.elements, at);
  storage_store(s, combine(b, c->kind, storage_load(s, i), other, strict), i);
  for_end(b);
}

static void add_copies(storage_copies *c, bool strict) {
  storage *s = c->s;
  builder *b = s->b;
  MlirValue one = constant_index(b, 1);
  MlirValue visits = mul(b, s->positions, c->count);
  storage_block part = storage_blocks_begin(s, s->positions, visits);
  MlirValue number = for_begin(b, one, c->count, one);
  add_copy(c, number, &part, strict);
  for_end(b);
  parallel_end(b);
}

void storage_copies_end(storage_copies *c, bool strict) {
  builder *b = c->s->b;
  MlirValue several = less(b, constant_index(b, 1), c->count);
  if_begin(b, and_i(b, several, storage_is_fine(c->s)));
  add_copies(c, strict);
  if (stays_clean(c))
    scratch_release_clean(c->s, &c->values);
  else
    scratch_release(c->s, &c->values);
  if_else(b);
  scratch_release(c->s, &c->values);
  if_end(b);
}

/* ---- Values of chunks --------------------------------------------------------------------- */

struct storage_partials {
  storage *s;
  MlirValue count;
  scratch_memory values;
};

storage_partials *storage_partials_begin(storage *s, MlirType element, MlirValue count) {
  storage_partials *p = arena_alloc(s->memory, sizeof *p);
  *p = (storage_partials){s, count, scratch_take(s, element, count)};
  return p;
}

void storage_partial_set(storage_partials *p, MlirValue number, MlirValue value) {
  store(p->s->b, value, p->values.elements, number);
}

MlirValue storage_partials_end(storage_partials *p, tin_reduction kind, MlirValue first,
                               bool strict) {
  builder *b = p->s->b;
  int mark = var_mark(b);
  variable all = var_make(b, first);
  if_begin(b, storage_is_fine(p->s));
  MlirValue i = for_begin_plain(b, constant_index(b, 0), p->count, constant_index(b, 1));
  MlirValue next = load(b, p->values.elements, i);
  var_set(b, all, combine(b, kind, var_get(b, all), next, strict));
  for_end(b);
  if_end(b);
  scratch_release(p->s, &p->values);
  MlirValue value = var_get(b, all);
  var_release(b, mark);
  return value;
}
