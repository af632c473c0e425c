/* merge_heads.c - a merge as one loop for all points of its lattice, with the coordinate at each
 * cursor (its head) in a variable that is past every coordinate once the level is exhausted.
 *
 *     for i in 0..n-1                           or: while (min(heads) < past)
 *       if (B.head == i && C.head == i) ... else if ... else case ()
 *       if (B.head == i) B.head = coordinate at ++b
 */
#include "merge.h"

static MlirValue past(merge *m) {
  return constant_index(m->b, INT64_MAX);
}

/* head = cursor < end ? coordinate at cursor : past */
static void refresh(merge *m, strand *s) {
  builder *b = m->b;
  var_set(b, s->head, past(m));
  if_begin(b, less(b, var_get(b, s->cursor), s->walk->end));
  entry n = walk_access(s->walk, var_get(b, s->cursor));
  s->has_found = n.found.ptr;
  var_set(b, s->head, n.coordinate);
  if (n.found.ptr)
    var_set(b, s->head_found, n.found);
  if_end(b);
}

static void heads_begin(merge *m) {
  m->heads = true;
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (s->located)
      continue;
    s->head = var_make(m->b, past(m));
    s->head_found = var_make(m->b, constant_bool(m->b, true));
    refresh(m, s);
  }
}

static MlirValue head_of(merge *m, strand *s) {
  return var_get(m->b, s->head);
}

static lattice_point all_levels(merge *m) {
  return set_below(m->c->k->memory, m->c->level_count);
}

static MlirValue least_head(merge *m) {
  return merge_least(m, set_minus(m->c->k->memory, all_levels(m), m->located), head_of);
}

static void heads_present(merge *m, MlirValue coordinate) {
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (s->located)
      continue;
    s->place = var_get(m->b, s->cursor);
    s->here = equal(m->b, var_get(m->b, s->head), coordinate);
    s->present = s->has_found ? and_i(m->b, s->here, var_get(m->b, s->head_found)) : s->here;
    if (s->walk->chained)
      merge_find_last(m, s, coordinate);
  }
}

static void heads_advance(merge *m) {
  for (int i = 0; i < m->c->level_count; i++) {
    strand *s = &m->strands[i];
    if (s->located)
      continue;
    if_begin(m->b, s->here);
    var_set(m->b, s->cursor,
            s->walk->chained ? var_get(m->b, s->last)
                             : add(m->b, s->place, constant_index(m->b, 1)));
    refresh(m, s);
    if_end(m->b);
  }
}

static bool head_iteration(merge *m, MlirValue coordinate) {
  heads_present(m, coordinate);
  bool good = merge_cases(m, all_levels(m), coordinate);
  heads_advance(m);
  return good;
}

bool merge_coordinate_loop(merge *m) {
  builder *b = m->b;
  MlirValue low = m->c->low.ptr ? m->c->low : constant_index(b, 0);
  heads_begin(m);
  MlirValue coordinate = for_begin(b, low, coiteration_high(m->c), constant_index(b, 1));
  coiteration_unroll(m->c);
  bool good = head_iteration(m, coordinate);
  for_end(b);
  return good;
}

bool merge_head_loop(merge *m) {
  builder *b = m->b;
  heads_begin(m);
  while_begin(b);
  coiteration_unroll(m->c);
  while_do(b, less(b, least_head(m), past(m)));
  bool good = head_iteration(m, least_head(m));
  while_end(b);
  return good;
}
