/* merge_lattice.c - merge lattices by the iteration algebra.
 *
 * The sets of an expression come from below, each with what the expression is there:
 *
 *     sets(access)         {it}, {}          where it has an iterator to walk; else {}
 *     sets(op(e, f, ..))   all unions of a set of e, a set of f, ...
 *     sets(temporary)      the same of its producers' values
 *
 * and after each step every set whose simplified value is that of the first smaller set within it
 * is dropped: so that the sets of a product are {b, c}, {} and those of a sum all four, without any
 * rule for products or sums.  A set's value is the expression with all iterators outside it absent.
 */
#include "merge_lattice.h"

#include "merge_strategy.h"

#include <string.h>

typedef struct sets {
  int count;
  bit_set *masks;
} sets;

/* What is absent outside a set, and what expressions are there as far as they were asked for. */
typedef struct outside {
  bit_set mask;
  absence known;
} outside;

typedef struct lattice_maker {
  const absence *known;
  int candidate_count;
  const iterator *const *candidates;
  int outside_count, slot_count; /* a hash table by mask: numbers, from 1 */
  outside *outsides;
  int *slots;
  sets *of; /* of each expression, by number; no masks where it was not looked at */
  bit_set *scratch;
  int most; /* sets that may be looked at */
  bool failed;
} lattice_maker;

/* ---- values at a set ---------------------------------------------------------------------- */

static uint64_t hash_of(bit_set mask) {
  uint64_t hash = mask.word * UINT64_C(0x9e3779b97f4a7c15);
  for (int n = 0; n < mask.more_count; ++n)
    hash = (hash ^ mask.more[n]) * UINT64_C(0x9e3779b97f4a7c15);
  return hash >> 32;
}

static int *slot_of(const lattice_maker *m, bit_set mask) {
  uint64_t at = hash_of(mask) & ((uint64_t)m->slot_count - 1);
  while (m->slots[at] && !set_equal(m->outsides[m->slots[at] - 1].mask, mask))
    at = (at + 1) & ((uint64_t)m->slot_count - 1);
  return &m->slots[at];
}

static void make_room(lattice_maker *m) {
  arena *memory = m->known->memory;
  if (2 * m->outside_count < m->slot_count)
    return;
  outside *larger = ARENA_ARRAY(memory, outside, m->slot_count + 8);
  if (m->outside_count)
    memcpy(larger, m->outsides, sizeof *larger * (size_t)m->outside_count);
  m->outsides = larger;
  m->slot_count = m->slot_count ? 2 * m->slot_count : 16;
  m->slots = ARENA_ARRAY(memory, int, m->slot_count);
  for (int n = 0; n < m->outside_count; ++n)
    *slot_of(m, m->outsides[n].mask) = n + 1;
}

static absence absence_outside(lattice_maker *m, bit_set mask) {
  make_room(m);
  int *slot = slot_of(m, mask), total = m->known->statement->iterators.count;
  if (*slot)
    return m->outsides[*slot - 1].known;
  bool *iterators = ARENA_ARRAY(m->known->memory, bool, total + 1);
  memcpy(iterators, m->known->iterators, (size_t)total * sizeof *iterators);
  for (int n = 0; n < m->candidate_count; ++n)
    iterators[m->candidates[n]->number] = !set_has(mask, n);
  absence known = *m->known;
  known.iterators = iterators;
  known.done = expression_memory(m->known);
  m->outsides[m->outside_count++] = (outside){mask, known};
  *slot = m->outside_count;
  return known;
}

const expression *assignment_remainder(const absence *known, const assignment *a) {
  const expression *value = expression_simplify(known, a->value);
  const tensor *t = a->target;
  if (!a->kind)
    return expression_is_constant(value, &t->fill) && t->assignment_count == 1 ? NULL : value;
  bool dense = t->role == TENSOR_WORKSPACE || tensor_format_is_dense(t->format);
  if (!dense && !scalar_equal(&a->identity, &t->fill))
    return value;
  return expression_is_constant(value, &a->identity) ? NULL : value;
}

bool effects_vanish(const absence *known, const effects *all) {
  for (int n = 0; n < all->count; ++n)
    if (assignment_remainder(known, all->assignments[n]))
      return false;
  return true;
}

bool effects_vanish_without(const absence *known, const effects *all, const iterator *i) {
  absence without = *known;
  int count = known->statement->iterators.count;
  bool *absent = ARENA_ARRAY(known->memory, bool, count + 1);
  for (int n = 0; n < count; ++n)
    absent[n] = known->iterators[n] || n == i->number;
  without.iterators = absent;
  return effects_vanish(&without, all);
}

/* What a set is looked at for: an expression, or (`all`) the remainders of assignments. */
typedef struct subject {
  const expression *e;
  const effects *all;
} subject;

static bool same_values(lattice_maker *m, const subject *what, bit_set x, bit_set y) {
  if (what->e) {
    absence at_x = absence_outside(m, x);
    const expression *value = expression_simplify(&at_x, what->e);
    absence at_y = absence_outside(m, y);
    return expression_equal(value, expression_simplify(&at_y, what->e));
  }
  for (int n = 0; n < what->all->count; ++n) {
    absence at_x = absence_outside(m, x);
    const expression *value = assignment_remainder(&at_x, what->all->assignments[n]);
    absence at_y = absence_outside(m, y);
    if (!expression_equal(value, assignment_remainder(&at_y, what->all->assignments[n])))
      return false;
  }
  return true;
}

/* ---- sets --------------------------------------------------------------------------------- */

/* Larger sets first; of one size, those with earlier iterators. */
static bool comes_before(bit_set x, bit_set y) {
  if (set_size(x) != set_size(y))
    return set_size(x) > set_size(y);
  int in_x = set_first(x), in_y = set_first(y);
  while (in_x >= 0 && in_x == in_y) {
    in_x = set_next(x, in_x + 1);
    in_y = set_next(y, in_y + 1);
  }
  return in_x >= 0 && in_x < in_y;
}

/* How many of the sets come before this one. */
static int place_of(const sets *all, bit_set mask) {
  int low = 0, high = all->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (comes_before(all->masks[middle], mask))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert_set(lattice_maker *m, sets *all, bit_set mask) {
  int at = place_of(all, mask);
  if (at < all->count && set_equal(all->masks[at], mask))
    return;
  if (all->count == m->most) {
    m->failed = true;
    return;
  }
  memmove(all->masks + at + 1, all->masks + at, (size_t)(all->count - at) * sizeof *all->masks);
  all->masks[at] = mask;
  ++all->count;
}

/* Sets under construction: one at a time. */
static sets begin_sets(const lattice_maker *m) {
  return (sets){0, m->scratch};
}

static sets finished(const lattice_maker *m, const sets *all) {
  bit_set *masks = ARENA_ARRAY(m->known->memory, bit_set, all->count + 1);
  memcpy(masks, all->masks, (size_t)all->count * sizeof *masks);
  return (sets){all->count, masks};
}

static sets only_empty(void) {
  static bit_set empty;
  return (sets){1, &empty};
}

static bool is_only_empty(const sets *all) {
  return all->count == 1 && set_is_empty(all->masks[0]);
}

static bool are_equal(const sets *x, const sets *y) {
  bool equal = x->count == y->count;
  for (int n = 0; n < x->count && equal; ++n)
    equal = set_equal(x->masks[n], y->masks[n]);
  return equal;
}

/* Sets that hold the union of any two of them, as those of sums do, are their own unions. */
static bool are_closed(const sets *all) {
  return all->count == 1 || (all->count == 2 && set_is_empty(all->masks[1]));
}

static sets unions(lattice_maker *m, const sets *x, const sets *y) {
  if (is_only_empty(x) || (are_equal(x, y) && are_closed(x)))
    return *y;
  if (is_only_empty(y))
    return *x;
  sets all = begin_sets(m);
  for (int i = 0; i < x->count && !m->failed; ++i)
    for (int j = 0; j < y->count && !m->failed; ++j)
      insert_set(m, &all, set_union(m->known->memory, x->masks[i], y->masks[j]));
  return finished(m, &all);
}

/* The first set of `all`, from number `from` on, that lies within `mask`. */
static int first_within(const sets *all, int from, bit_set mask) {
  while (from < all->count && !set_within(all->masks[from], mask))
    ++from;
  return from;
}

/* Smaller sets are looked at first: what is dropped there no larger one is compared with. */
static sets without_equals(lattice_maker *m, const subject *what, sets old) {
  if (old.count < 2)
    return old;
  sets all = finished(m, &old);
  for (int n = all.count - 2; n >= 0; --n) {
    int below = first_within(&all, n + 1, all.masks[n]);
    if (below == all.count || !same_values(m, what, all.masks[n], all.masks[below]))
      continue;
    memmove(all.masks + n, all.masks + n + 1, (size_t)(all.count - n - 1) * sizeof *all.masks);
    --all.count;
  }
  return all;
}

static int candidate_of(const lattice_maker *m, const tensor_read *a) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    for (int n = 0; n < m->candidate_count; ++n)
      if (a->iterators[k] == m->candidates[n])
        return n;
  return -1;
}

static sets sets_of_access(lattice_maker *m, const tensor_read *a) {
  int n = candidate_of(m, a);
  if (n < 0)
    return only_empty();
  sets all = begin_sets(m);
  insert_set(m, &all, set_of(m->known->memory, n));
  insert_set(m, &all, set_empty());
  return finished(m, &all);
}

static bool is_open(const lattice_maker *m, const tensor *t) {
  return t->role == TENSOR_WORKSPACE && !m->known->produced[t->number];
}

static int part_count(const lattice_maker *m, const expression *e) {
  bool temporary = e->kind == EXPRESSION_ACCESS && is_open(m, e->access->tensor);
  return temporary ? e->access->tensor->assignment_count : e->count;
}

static const expression *part_of(const expression *e, int n) {
  return e->count ? e->operands[n] : e->access->tensor->assignments[n]->value;
}

/* The sets of the expression, given those of its parts. */
static sets sets_of_new(lattice_maker *m, const expression *e) {
  int count = part_count(m, e);
  if (e->kind == EXPRESSION_ACCESS && !is_open(m, e->access->tensor))
    return sets_of_access(m, e->access);
  sets all = only_empty();
  for (int n = 0; n < count && !m->failed; ++n)
    all = unions(m, &all, &m->of[part_of(e, n)->number]);
  subject what = {.e = e};
  return m->failed || !count ? only_empty() : without_equals(m, &what, all);
}

/* Parts are numbered before what they are parts of. */
static sets sets_of(lattice_maker *m, const expression *e) {
  const expression_table *table = m->known->statement->expressions;
  bool *wanted = ARENA_ARRAY(m->known->memory, bool, e->number + 1);
  wanted[e->number] = true;
  for (int n = e->number; n >= 0; --n)
    for (int k = 0; wanted[n] && !m->of[n].masks && k < part_count(m, table->all[n]); ++k)
      wanted[part_of(table->all[n], k)->number] = true;
  for (int n = 0; n <= e->number; ++n)
    if (wanted[n] && !m->of[n].masks)
      m->of[n] = sets_of_new(m, table->all[n]);
  return m->of[e->number];
}

/* ---- the lattice -------------------------------------------------------------------------- */

/* A level that has every coordinate and is walked needs no `over`: every set is one with it. */
static sets with_full_levels(lattice_maker *m, sets all, bool *whole) {
  arena *memory = m->known->memory;
  bit_set used = set_empty(), full = set_empty();
  for (int n = 0; n < all.count; ++n)
    set_add(memory, &used, all.masks[n]);
  for (int n = set_first(used); n >= 0; n = set_next(used, n + 1))
    if (iterator_is_full(m->candidates[n]))
      set_insert(memory, &full, n);
  if (set_is_empty(full) || !*whole)
    return all;
  sets covered = begin_sets(m);
  for (int n = 0; n < all.count; ++n)
    insert_set(m, &covered, set_union(memory, all.masks[n], full));
  *whole = false;
  return finished(m, &covered);
}

/* The lattice of the sets, its iterators only those that they use. */
static merge_lattice *lattice_of(lattice_maker *m, const sets *all, bool whole) {
  arena *memory = m->known->memory;
  merge_lattice *lattice = ARENA_ARRAY(memory, merge_lattice, 1);
  lattice->iterators = ARENA_ARRAY(memory, const iterator *, m->candidate_count + 1);
  lattice->points = ARENA_ARRAY(memory, bit_set, all->count + 1);
  lattice->point_count = all->count;
  lattice->whole = whole;
  for (int n = 0; n < m->candidate_count; ++n) {
    bool used = false;
    for (int p = 0; p < all->count; ++p)
      if (set_has(all->masks[p], n)) {
        set_insert(memory, &lattice->points[p], lattice->iterator_count);
        used = true;
      }
    if (used)
      lattice->iterators[lattice->iterator_count++] = m->candidates[n];
  }
  return lattice;
}

static sets sets_of_effects(lattice_maker *m, const effects *all) {
  sets points = only_empty();
  for (int n = 0; n < all->count; ++n) {
    sets more = sets_of(m, all->assignments[n]->value);
    points = unions(m, &points, &more);
  }
  subject what = {.all = all};
  return m->failed ? points : without_equals(m, &what, points);
}

static lattice_maker make_lattices(const absence *known, int count,
                                   const iterator *const *candidates, int most) {
  int expressions = known->statement->expressions->count;
  return (lattice_maker){.known = known,
                         .candidate_count = count,
                         .candidates = candidates,
                         .of = ARENA_ARRAY(known->memory, sets, expressions + 1),
                         .scratch = ARENA_ARRAY(known->memory, bit_set, most),
                         .most = most};
}

absence absence_of_nothing(arena *memory, const kernel_statement *s) {
  return (absence){.memory = memory,
                   .statement = s,
                   .iterators = ARENA_ARRAY(memory, bool, s->iterators.count + 1),
                   .produced = ARENA_ARRAY(memory, bool, s->tensor_count + 1)};
}

merge_lattice *merge_lattice_of_any(const absence *known, const effects *all, int candidate_count,
                                    const iterator *const *candidates) {
  lattice_maker m = make_lattices(known, candidate_count, candidates, candidate_count);
  absence nothing = absence_outside(&m, set_empty());
  bool whole = !effects_vanish(&nothing, all);
  sets points = begin_sets(&m);
  for (int n = 0; n < candidate_count; ++n) {
    insert_set(&m, &points, set_of(known->memory, n));
    whole &= !iterator_is_full(candidates[n]);
  }
  merge_lattice *lattice = lattice_of(&m, &points, whole);
  lattice->any = true;
  return lattice;
}

/* Of sets that are looked at some are no points. */
enum { SETS_FOR_A_POINT = 4 };

merge_lattice *merge_lattice_build(const absence *known, const effects *all, int candidate_count,
                                   const iterator *const *candidates, int most) {
  lattice_maker m = make_lattices(known, candidate_count, candidates, SETS_FOR_A_POINT * most);
  sets points = sets_of_effects(&m, all);
  if (m.failed)
    return NULL;
  absence nothing = absence_outside(&m, set_empty());
  bool whole = !effects_vanish(&nothing, all);
  if (!whole)
    --points.count;
  points = with_full_levels(&m, points, &whole);
  return m.failed || points.count > most ? NULL : lattice_of(&m, &points, whole);
}

bit_set merge_lattice_located(arena *memory, const merge_lattice *l, bit_set below_segments) {
  merged_level *levels = ARENA_ARRAY(memory, merged_level, l->iterator_count + 1);
  for (int n = 0; n < l->iterator_count; ++n) {
    levels[n] = (merged_level){l->iterators[n]->format->format->capabilities,
                               l->iterators[n]->format->properties};
    if (set_has(below_segments, n))
      levels[n].capabilities &= ~(unsigned)LEVEL_LOCATE;
  }
  return l->iterator_count + l->whole > 1
             ? merge_located(memory, l->iterator_count, levels, l->point_count, l->points, l->whole)
             : set_empty();
}
