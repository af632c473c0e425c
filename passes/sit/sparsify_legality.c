/* sparsify_legality.c - whether a walk may stand where it does: below what its levels are below,
 * and with one level or several on threads.
 */
#include "cin.h"
#include "sparsify_visit.h"

/* Whether the level or one above it is at what remappings make, or at what follows from other
 * variables, which may be bound further in. */
static bool is_reached_late(const sparsifier *p, const iterator *i) {
  for (; i; i = i->parent) {
    MlirValue variable = subscript_variable(&i->at);
    if (!mlirValueIsNull(variable) &&
        (cin_is_remap(value_owner(variable)) || provenance_is_remapped(p->graph, variable)))
      return true;
  }
  return false;
}

bool visit_comes_further(const sparsifier *p, const iterator *i) {
  bool finds = iterator_can_locate(i) || iterator_is_searched(i) || is_reached_late(p, i);
  return finds && subscript_is_known(&i->at, p->graph);
}

/* An iterator whose coordinate is known now but that cannot be reached: the level above it comes
 * later. */
static const iterator *find_out_of_order(const sparsifier *p, const effects *all) {
  usage used = usage_of(p, all);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (used.iterators[n] && !p->now.absent[n] && mlirValueIsNull(p->now.positions[n]) &&
        subscript_is_known(&i->at, p->graph) && !visit_comes_further(p, i))
      return i;
  }
  return NULL;
}

static bool refuse_order(const index_statement *forall, const iterator *i) {
  MlirStringRef found = provenance_name(subscript_variable(&i->at));
  return error_at(forall->op,
                  "expected '%.*s' after the variables of the levels above level %d (%s) of %s, "
                  "found it before them, which is not supported (another loop order, or a "
                  "tin.convert of %s, would "
                  "help)",
                  TEXT(found), i->level, i->format->format->name, i->tensor->name, i->tensor->name);
}

bool visit_check_order(const sparsifier *p, const index_statement *forall, const effects *all) {
  const iterator *stuck = find_out_of_order(p, all);
  return !stuck || refuse_order(forall, stuck);
}

static bool check_parallel(const sparsifier *p, const visit *w) {
  const merge_lattice *l = w->lattice;
  bit_set located = visit_located(p, w);
  int walked = l->iterator_count - set_size(located);
  if (!w->dealt)
    return true;
  if (walked + l->whole > 1 || (set_is_empty(located) && l->point_count > 1))
    return error_at(w->forall->op,
                    "not supported yet: expected a parallel forall that counts or walks one level, "
                    "found one that merges %d",
                    walked + l->whole);
  for (int n = 0; n < l->iterator_count; ++n)
    if (visit_segment(p, w, n).kind != SEGMENT_NONE)
      return error_at(w->forall->op,
                      "not supported yet: expected a parallel forall over a level without "
                      "duplicates, found level %d (%s) of %s",
                      l->iterators[n]->level, l->iterators[n]->format->format->name,
                      l->iterators[n]->tensor->name);
  return true;
}

/* What is computed where a counter's operand has no entries would be for each of its values. */
static bool check_counter(const sparsifier *p, const visit *w) {
  return w->compound || !w->lattice->whole || !provenance_is_counter(p->graph, w->known) ||
         error_at(w->forall->op,
                  "expected a walk of the levels that hold '%.*s', a counter, found values "
                  "computed where they have no entries",
                  TEXT(provenance_name(w->known)));
}

bool visit_check(const sparsifier *p, const visit *w) {
  return check_counter(p, w) && check_parallel(p, w);
}
