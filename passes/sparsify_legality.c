/* sparsify_legality.c - whether a walk may stand where it does: the order that its levels have and
 * that others want, one level or several on threads, what is known before.
 */
#include "sparsify_walk.h"

/* An iterator whose coordinate is known now but that cannot be reached: the level above it comes
 * later. */
static const iterator *find_out_of_order(const sparsifier *p, const effects *all) {
  usage used = usage_of(p, all);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (used.iterators[n] && !iterator_can_locate(i) && !p->now.absent[n] &&
        mlirValueIsNull(p->now.positions[n]) && subscript_is_known(&i->at, p->graph))
      return i;
  }
  return NULL;
}

static bool refuse_order(const node *forall, const iterator *i) {
  const iterator *above = i->parent;
  if (!above)
    return error_at(forall->op,
                    "expected loops that visit level %d (%s) of %s in ascending order, found "
                    "strides",
                    i->level, i->format->format->name, i->tensor->name);
  MlirStringRef found = provenance_name(subscript_variable(&i->at));
  return error_at(forall->op,
                  "expected '%.*s' after the variables of the levels above level %d (%s) of %s, "
                  "found it before them (another loop order, or a tin.convert of %s, would help)",
                  TEXT(found), i->level, i->format->format->name, i->tensor->name, i->tensor->name);
}

bool walk_check_order(const sparsifier *p, const node *forall, const effects *all) {
  const iterator *stuck = find_out_of_order(p, all);
  return !stuck || refuse_order(forall, stuck);
}

static bool walks_in_order_of_result(const sparsifier *p, const walk *w) {
  return result_appends_in_order_of(p, w->known) && block_assigns(&w->forall->body, p->s->result);
}

/* Whether an unordered level is to be walked where an order is needed, but can be located in. */
bool walk_should_locate(const sparsifier *p, const walk *w) {
  const merge_lattice *l = w->lattice;
  uint64_t located = merge_lattice_located(p->memory, l);
  bool merges = l->iterator_count - __builtin_popcountll(located) > 1;
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    if (!iterator_is_ordered(i) && iterator_is_unique(i) && !(located >> n & 1) &&
        iterator_can_locate(i) && (merges || walks_in_order_of_result(p, w)))
      return true;
  }
  return false;
}

static bool check_ordered(const sparsifier *p, const walk *w) {
  const merge_lattice *l = w->lattice;
  uint64_t located = merge_lattice_located(p->memory, l);
  int walked = l->iterator_count - __builtin_popcountll(located);
  bool appended = walks_in_order_of_result(p, w);
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    if (iterator_is_ordered(i) || located >> n & 1)
      continue;
    if (iterator_repeats(p, i) && block_assigns(&w->forall->body, p->s->result))
      return error_at(w->forall->op,
                      "expected coordinates that are not repeated, as the result has each once; "
                      "found level %d (%s, unordered) of %s",
                      i->level, i->format->format->name, i->tensor->name);
    if (walked > 1 || l->whole)
      return error_at(w->forall->op,
                      "not supported yet: expected ordered levels where several are merged or a "
                      "whole dimension is visited, found level %d (%s, unordered) of %s",
                      i->level, i->format->format->name, i->tensor->name);
    if (appended)
      return error_at(
          w->forall->op,
          "expected an ordered walk, as the result is appended to in order; found level "
          "%d (%s, unordered) of %s",
          i->level, i->format->format->name, i->tensor->name);
  }
  return true;
}

static bool check_parallel(const sparsifier *p, const walk *w) {
  const merge_lattice *l = w->lattice;
  uint64_t located = merge_lattice_located(p->memory, l);
  int walked = l->iterator_count - __builtin_popcountll(located);
  if (cin_op_unit(w->forall->op) != CIN_CPU_THREAD)
    return true;
  if (walked + l->whole > 1 || (!located && l->point_count > 1))
    return error_at(w->forall->op,
                    "not supported yet: expected a parallel forall that counts or walks one level, "
                    "found one that merges %d",
                    walked + l->whole);
  for (int n = 0; n < l->iterator_count; ++n)
    if (!iterator_is_unique(l->iterators[n]) && !w->fused)
      return error_at(w->forall->op,
                      "not supported yet: expected a parallel forall over a level without "
                      "duplicates, found level %d (%s, nonunique) of %s",
                      l->iterators[n]->level, l->iterators[n]->format->format->name,
                      l->iterators[n]->tensor->name);
  return true;
}

/* What is computed where a counter's operand has no entries would be for each of its values. */
static bool check_counter(const sparsifier *p, const walk *w) {
  return w->compound || !w->lattice->whole || !provenance_is_counter(p->graph, w->known) ||
         error_at(w->forall->op,
                  "expected a walk of the levels that hold '%.*s', a counter, found values "
                  "computed where they have no entries",
                  TEXT(provenance_name(w->known)));
}

bool walk_check(const sparsifier *p, const walk *w) {
  return check_counter(p, w) && (w->located || check_ordered(p, w)) &&
         (w->point || check_parallel(p, w));
}
