/* sparsify_scatter.c - how the result is assembled: results whose loops go in another order than
 * their levels.
 *
 * Levels that append want their coordinates one parent after the other.  Where the loops do not do
 * that, but all levels above can insert, the entries are scattered (Chou et al. 2020, section 4):
 * one walk counts the children of each parent, and with the edges made of the counts a second one
 * places them.
 *
 *     A(j,i) = B(i,j), B by rows, A by rows       sit.result %A scatter level 1
 *                                                 for i { for j in B's row { count under j } }
 *                                                 edges
 *                                                 for i { for j in B's row { place i under j } }
 *
 * Siblings stand in the order in which the loops come to them: i, ascending.  What is required of
 * the loops:
 *
 *     - an ordered level's variable comes before those of the levels scattered along with it, and
 *       is walked in ascending order;
 *     - reductions, and levels below that insert, come inside of all levels above: an entry is met
 *       once.
 *
 * Where all levels insert or can be collected, nothing is required: entries may come in any order,
 * and the same coordinate several times.  Each level that is collected is counted in a walk of its
 * own, and then has a position for each coordinate, in the walks after it:
 *
 *     A : (j - i : compressed, i, j), B by rows   sit.result %A collect
 *                                                 for i { for j in B's row { count j - i } }
 *                                                 edges
 *                                                 for i { for j in B's row { place j - i, ... } }
 */
#include "sparsify_state.h"

static int scatter_end(const sparsifier *p) {
  return tensor_format_scatter_end(p->s->result->format);
}

/* ---- order -------------------------------------------------------------------------------- */

/* The first level that has to be known before anything is reduced; -1 for none. */
static int next_expected(const sparsifier *p) {
  for (int l = 0; l < result_level_count(p); ++l) {
    bool wanted = p->scatter < 0 ? !result_inserts(p, l) : l < scatter_end(p);
    if (wanted && !result_is_known(p, l))
      return l;
  }
  return -1;
}

bool result_is_unfinished(const sparsifier *p) {
  return next_expected(p) >= 0;
}

/* What is appended stands under its parents in their order, those of levels that insert too. */
static bool is_before_appended(const sparsifier *p, int above, int l) {
  return !result_inserts(p, l) || !result_inserts(p, above) || result_appends_below(p, l);
}

static bool is_before_scattered(const sparsifier *p, int above, int l) {
  if (l >= scatter_end(p))
    return above < scatter_end(p);
  return above >= p->scatter && (result_level(p, above)->properties & LEVEL_ORDERED);
}

/* The first level above `l` that has to be known before it; -1 for none. */
static int first_missing(const sparsifier *p, int l) {
  for (int above = 0; above < l; ++above) {
    bool matters =
        p->scatter < 0 ? is_before_appended(p, above, l) : is_before_scattered(p, above, l);
    if (matters && !result_is_known(p, above))
      return above;
  }
  return -1;
}

/* Whether entries of the result may be appended as they come: all its levels are one unordered list
 * of coordinates, and the variable goes through different ones. */
static bool appends_as_they_come(const sparsifier *p, intptr_t count, const MlirValue *roots) {
  const assignment *a = p->s->result->assignments[0];
  for (int l = 0; l < result_level_count(p); ++l) {
    unsigned properties = result_level(p, l)->properties;
    if (result_inserts(p, l) || (properties & (LEVEL_ORDERED | LEVEL_UNIQUE)) ||
        (l > 0 && !(properties & LEVEL_BRANCHLESS)))
      return false;
  }
  for (intptr_t n = 0; n < count; ++n) {
    bool mentioned = false;
    for (intptr_t d = 0; d < a->rank; ++d)
      mentioned |= subscript_mentions(&a->subscripts[d], roots[n]);
    if (!mentioned)
      return false;
  }
  return true;
}

/* Whether the forall goes through a counter's values, along which come other entries, and these are
 * all that is appended from here on, in any order. */
static bool counts_entries(const sparsifier *p, const node *forall, int next) {
  if (!provenance_is_counter(p->graph, forall->variable) || p->s->result->assignments[0]->kind)
    return false;
  for (int l = next, first = -1; l < result_level_count(p); ++l) {
    unsigned properties = result_level(p, l)->properties;
    if (result_inserts(p, l) || result_is_known(p, l))
      continue;
    if ((properties & LEVEL_ORDERED) || (first >= 0 && !(properties & LEVEL_BRANCHLESS)))
      return false;
    first = l;
  }
  return p->scatter >= 0 || !result_inserts(p, next);
}

static bool must_ascend(const sparsifier *p, int l) {
  return p->scatter < 0 || (l >= p->scatter && l < scatter_end(p) &&
                            (result_level(p, l)->properties & LEVEL_ORDERED));
}

static bool takes_any_order(const sparsifier *p) {
  for (int l = p->scatter; p->scatter >= 0 && l < scatter_end(p); ++l)
    if (result_level(p, l)->properties & LEVEL_ORDERED)
      return false;
  return p->scatter >= 0;
}

static bool follows_from(const sparsifier *p, MlirValue variable, MlirValue root) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(p->graph, variable, &roots);
  for (intptr_t n = 0; n < count; ++n)
    if (mlirValueEqual(roots[n], root))
      return true;
  return false;
}

/* The level that holds the variable, or, where entries are scattered in any order, the first that
 * holds what follows from it; -1, also where it tells an entry and what is below it. */
static int level_told_by(const sparsifier *p, MlirValue root) {
  int level = result_level_of(p, root), end = scatter_end(p);
  if (level >= 0 || !takes_any_order(p))
    return level;
  for (int l = 0; l < result_level_count(p); ++l) {
    bool told = follows_from(p, result_variable(p, l), root);
    if (told && level >= 0 && level < end && l >= end)
      return -1;
    level = told && level < 0 ? l : level;
  }
  return level;
}

result_fault result_order_fault(const sparsifier *p, const node *forall) {
  int next = next_expected(p);
  if (next < 0)
    return (result_fault){-1, -1};
  const MlirValue *roots, *bases;
  intptr_t count = provenance_roots(p->graph, forall->variable, &roots);
  provenance_step step = provenance_next(p->graph, forall->variable);
  if (counts_entries(p, forall, next) || (p->scatter < 0 && appends_as_they_come(p, count, roots)))
    return (result_fault){-1, -1};
  if (provenance_bases(p->graph, forall->variable, &bases) == 1 &&
      result_level_of(p, bases[0]) >= 0) {
    roots = bases;
    count = 1;
  }
  for (intptr_t n = 0; n < count; ++n) {
    int l = level_told_by(p, roots[n]), missing = l < 0 ? next : first_missing(p, l);
    if (missing >= 0)
      return (result_fault){missing, -1};
    if (step.kind == PROVENANCE_RECOVER && must_ascend(p, l))
      return (result_fault){next, l};
  }
  return (result_fault){-1, -1};
}

/* ---- the choice --------------------------------------------------------------------------- */

static bool is_assembled(sparsifier *p, const block *code);

static bool is_assembled_in(sparsifier *p, const node *forall) {
  if (provenance_is_known(p->graph, forall->variable) ||
      provenance_is_consumed(p->graph, forall->variable))
    return true; /* the checks say so */
  if (result_order_fault(p, forall).level >= 0)
    return false;
  provenance_bind(p->graph, forall->variable, (MlirValue){NULL});
  bool assembled = is_assembled(p, &forall->body);
  provenance_unbind(p->graph, forall->variable);
  return assembled;
}

/* Whether the foralls go in an order that the result's levels allow. */
static bool is_assembled(sparsifier *p, const block *code) {
  for (int n = 0; n < code->count; ++n) {
    const node *at = code->nodes[n];
    block alone = {1, &code->nodes[n]};
    if (!block_assigns(&alone, p->s->result))
      continue;
    if (at->kind == NODE_FORALL ? !is_assembled_in(p, at)
                                : at->kind == NODE_WHERE && !is_assembled(p, &at->body))
      return false;
  }
  return true;
}

/* Whether coordinates of the first levels, up to level `end`, come in no order. */
static bool walks_unordered(const sparsifier *p, int end) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    int l = result_level_of(p, subscript_variable(&i->at));
    if (l >= 0 && l < end && !iterator_is_located(i) && !iterator_is_ordered(i))
      return true;
  }
  return false;
}

static bool can_collect(const sparsifier *p) {
  return tensor_format_can_collect(p->s->result->format);
}

/* Whether the result is appended, where it could be scattered into or collected as well.  What is
 * appended before its values are known is there though all of them may be dropped. */
static bool is_appended(sparsifier *p, int scatter) {
  const tensor_format *format = p->s->result->format;
  int end = can_collect(p) ? format->level_count : scatter;
  return !p->reorders && !(p->drops && can_collect(p)) && !tensor_format_must_collect(format) &&
         is_assembled(p, &p->s->body) && !walks_unordered(p, end);
}

static bool is_scattered(sparsifier *p, int scatter) {
  p->scatter = scatter;
  return scatter >= 0 && !(p->drops && can_collect(p)) && is_assembled(p, &p->s->body);
}

void choose_assembly(sparsifier *p) {
  const tensor_format *format = p->s->result->format;
  int scatter = tensor_format_scatter_level(format);
  p->scatter = -1;
  p->collects = false;
  if ((scatter < 0 && !can_collect(p)) || is_appended(p, scatter) || is_scattered(p, scatter))
    return;
  p->scatter = -1;
  p->collects = can_collect(p) && !p->reorders;
}

/* ---- repeated entries --------------------------------------------------------------------- */

/* The branchless level under `i` whose coordinate the result has; NULL for none. */
static const iterator *entry_below(const sparsifier *p, const iterator *i) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *below = p->s->iterators.iterators[n];
    if (below->parent == i && iterator_is_branchless(below) &&
        result_level_of(p, subscript_variable(&below->at)) >= 0)
      return below;
  }
  return NULL;
}

static bool has_entries_once(const sparsifier *p) {
  int last = result_level_count(p) - 1;
  while (last >= 0 && result_inserts(p, last))
    --last;
  return last >= 0 && (result_level(p, last)->properties & LEVEL_UNIQUE);
}

bool iterator_repeats(const sparsifier *p, const iterator *i) {
  if (iterator_is_ordered(i) || !has_entries_once(p) ||
      result_level_of(p, subscript_variable(&i->at)) < 0)
    return false;
  for (const iterator *below; (below = entry_below(p, i));)
    i = below;
  return !iterator_is_unique(i);
}
