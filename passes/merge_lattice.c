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
  uint64_t *masks;
} sets;

typedef struct lattice_maker {
  const absence *known;
  int candidate_count;
  const iterator *const *candidates;
  bool *iterators; /* absent ones, for the set being looked at */
  bool failed;
} lattice_maker;

/* ---- values at a set ---------------------------------------------------------------------- */

static absence absence_outside(lattice_maker *m, uint64_t mask) {
  for (int n = 0; n < m->candidate_count; ++n)
    m->iterators[m->candidates[n]->number] = !(mask >> n & 1);
  return (absence){m->known->memory, m->known->statement, m->iterators, m->known->produced};
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

/* What a set is looked at for: an expression, or (`all`) the remainders of assignments. */
typedef struct subject {
  const expression *e;
  const effects *all;
} subject;

static bool same_values(lattice_maker *m, const subject *what, uint64_t x, uint64_t y) {
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

static int size_of(uint64_t mask) {
  int size = 0;
  for (; mask; mask &= mask - 1)
    ++size;
  return size;
}

/* Larger sets first; of one size, those with earlier iterators. */
static bool comes_before(uint64_t x, uint64_t y) {
  if (size_of(x) != size_of(y))
    return size_of(x) > size_of(y);
  uint64_t differ = x ^ y;
  return x & differ & (~differ + 1);
}

static void insert_set(lattice_maker *m, sets *all, uint64_t mask) {
  int at = 0;
  while (at < all->count && comes_before(all->masks[at], mask))
    ++at;
  if (at < all->count && all->masks[at] == mask)
    return;
  if (all->count == MERGE_LATTICE_MOST_POINTS) {
    m->failed = true;
    return;
  }
  memmove(all->masks + at + 1, all->masks + at, (size_t)(all->count - at) * sizeof *all->masks);
  all->masks[at] = mask;
  ++all->count;
}

static sets make_sets(lattice_maker *m) {
  return (sets){0, ARENA_ARRAY(m->known->memory, uint64_t, MERGE_LATTICE_MOST_POINTS)};
}

static sets only_empty(lattice_maker *m) {
  sets all = {1, ARENA_ARRAY(m->known->memory, uint64_t, 1)};
  return all;
}

static sets unions(lattice_maker *m, const sets *x, const sets *y) {
  if (x->count == 1 && x->masks[0] == 0)
    return *y;
  if (y->count == 1 && y->masks[0] == 0)
    return *x;
  sets all = make_sets(m);
  for (int i = 0; i < x->count && !m->failed; ++i)
    for (int j = 0; j < y->count && !m->failed; ++j)
      insert_set(m, &all, x->masks[i] | y->masks[j]);
  return all;
}

/* The first set of `all`, from number `from` on, that lies within `mask`. */
static int first_within(const sets *all, int from, uint64_t mask) {
  while (from < all->count && (all->masks[from] & ~mask))
    ++from;
  return from;
}

/* Smaller sets are looked at first: what is dropped there no larger one is compared with. */
static sets without_equals(lattice_maker *m, const subject *what, sets all) {
  for (int n = all.count - 2; n >= 0; --n) {
    int below = first_within(&all, n + 1, all.masks[n]);
    if (below == all.count || !same_values(m, what, all.masks[n], all.masks[below]))
      continue;
    memmove(all.masks + n, all.masks + n + 1, (size_t)(all.count - n - 1) * sizeof *all.masks);
    --all.count;
  }
  return all;
}

static int candidate_of(const lattice_maker *m, const access *a) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    for (int n = 0; n < m->candidate_count; ++n)
      if (a->iterators[k] == m->candidates[n])
        return n;
  return -1;
}

static sets sets_of(lattice_maker *m, const expression *e);

static sets sets_of_access(lattice_maker *m, const access *a) {
  int n = candidate_of(m, a);
  if (n < 0)
    return only_empty(m);
  sets all = make_sets(m);
  insert_set(m, &all, UINT64_C(1) << n);
  insert_set(m, &all, 0);
  return all;
}

static sets sets_of_temporary(lattice_maker *m, const tensor *workspace) {
  sets all = only_empty(m);
  for (int n = 0; n < workspace->assignment_count; ++n) {
    sets more = sets_of(m, workspace->assignments[n]->value);
    all = unions(m, &all, &more);
  }
  return all;
}

static bool is_open(const lattice_maker *m, const tensor *t) {
  return t->role == TENSOR_WORKSPACE && !m->known->produced[t->number];
}

static sets sets_of(lattice_maker *m, const expression *e) {
  if (m->failed || e->kind == EXPRESSION_CONSTANT || e->kind == EXPRESSION_SCALAR)
    return only_empty(m);
  if (e->kind == EXPRESSION_ACCESS && !is_open(m, e->access->tensor))
    return sets_of_access(m, e->access);
  sets all = only_empty(m);
  if (e->kind == EXPRESSION_ACCESS)
    all = sets_of_temporary(m, e->access->tensor);
  for (int n = 0; n < e->count; ++n) {
    sets more = sets_of(m, e->operands[n]);
    all = unions(m, &all, &more);
  }
  subject what = {.e = e};
  return m->failed ? only_empty(m) : without_equals(m, &what, all);
}

/* ---- the lattice -------------------------------------------------------------------------- */

/* A level that has every coordinate and is walked needs no `over`: every set is one with it. */
static sets with_full_levels(lattice_maker *m, sets all, bool *whole) {
  uint64_t used = 0, full = 0;
  for (int n = 0; n < all.count; ++n)
    used |= all.masks[n];
  for (int n = 0; n < m->candidate_count; ++n)
    if ((used >> n & 1) && iterator_is_full(m->candidates[n]))
      full |= UINT64_C(1) << n;
  if (!full || !*whole)
    return all;
  sets covered = make_sets(m);
  for (int n = 0; n < all.count; ++n)
    insert_set(m, &covered, all.masks[n] | full);
  *whole = false;
  return covered;
}

/* The lattice of the sets, its iterators only those that they use. */
static merge_lattice *lattice_of(lattice_maker *m, const sets *all, bool whole) {
  arena *memory = m->known->memory;
  merge_lattice *lattice = ARENA_ARRAY(memory, merge_lattice, 1);
  lattice->iterators = ARENA_ARRAY(memory, const iterator *, m->candidate_count + 1);
  lattice->points = ARENA_ARRAY(memory, uint64_t, all->count + 1);
  lattice->point_count = all->count;
  lattice->whole = whole;
  for (int n = 0; n < m->candidate_count; ++n) {
    bool used = false;
    for (int p = 0; p < all->count; ++p)
      if (all->masks[p] >> n & 1) {
        lattice->points[p] |= UINT64_C(1) << lattice->iterator_count;
        used = true;
      }
    if (used)
      lattice->iterators[lattice->iterator_count++] = m->candidates[n];
  }
  return lattice;
}

static sets sets_of_effects(lattice_maker *m, const effects *all) {
  sets points = only_empty(m);
  for (int n = 0; n < all->count; ++n) {
    sets more = sets_of(m, all->assignments[n]->value);
    points = unions(m, &points, &more);
  }
  subject what = {.all = all};
  return m->failed ? points : without_equals(m, &what, points);
}

merge_lattice *merge_lattice_build(const absence *known, const effects *all, int candidate_count,
                                   const iterator *const *candidates) {
  if (candidate_count > 64)
    return NULL;
  int total = known->statement->iterators.count;
  lattice_maker m = {known, candidate_count, candidates,
                     ARENA_ARRAY(known->memory, bool, total + 1), false};
  memcpy(m.iterators, known->iterators, (size_t)total * sizeof(bool));
  sets points = sets_of_effects(&m, all);
  if (m.failed)
    return NULL;
  absence nothing = absence_outside(&m, 0);
  bool whole = !effects_vanish(&nothing, all);
  if (!whole)
    --points.count;
  points = with_full_levels(&m, points, &whole);
  return m.failed ? NULL : lattice_of(&m, &points, whole);
}

uint64_t merge_lattice_located(arena *memory, const merge_lattice *l, uint64_t below_segments) {
  merged_level *levels = ARENA_ARRAY(memory, merged_level, l->iterator_count + 1);
  for (int n = 0; n < l->iterator_count; ++n) {
    levels[n] = (merged_level){l->iterators[n]->format->format->capabilities,
                               l->iterators[n]->format->properties};
    if (below_segments >> n & 1)
      levels[n].capabilities &= ~(unsigned)LEVEL_LOCATE;
  }
  return l->iterator_count + l->whole > 1
             ? merge_located(l->iterator_count, levels, l->point_count, l->points, l->whole)
             : 0;
}
