/* sparsify_loops.c - foralls become coiteration (Chou et al. 2018, section 4.5 and Figure 9a).
 *
 * code-gen(statement, forall v):
 *     the merge lattice of the statement at v, given what is absent already
 *     sit.coiterate over its iterators, one case for each point
 *     in the case of a point: its iterators have positions, all other candidates are absent;
 *         settle: locate what can be located, read what is complete
 *         levels at the same coordinate that are still to be walked (A(i,i)): a walk from v to v+1
 *         the result's levels begin; code-gen of the body; they end
 *
 * Fused iterators: directly nested foralls that do nothing but walk one chain of branchless levels,
 *
 *     forall i { forall j { y(i) add= A(i,j) * x(j) } }      A : (i : nonunique, j : branchless)
 *
 * visit the chain entry by entry, if the result allows that i is visited several times; otherwise
 * the duplicates of i make one visit.
 */
#include "sparsify_guards.h"

#include <mlir-c/BuiltinAttributes.h>

static const MlirValue none = {NULL};

/* A walk at a variable, of `forall`'s body: through the variable's interval, or (`point`) at the
 * one coordinate that is known, of a variable or of a subscript that is none. */
typedef struct walk {
  const node *forall;
  MlirValue known;
  const subscript *compound; /* NULL: a variable */
  bool point;
  bool located; /* only levels that can locate: `point` */
  bool strided;
  effects all;
  int candidate_count;
  const iterator **candidates;
  merge_lattice *lattice;
  bool fused;
} walk;

/* ---- candidates --------------------------------------------------------------------------- */

static bool can_locate(const iterator *i) {
  return i->format->format->capabilities & LEVEL_LOCATE;
}

static bool is_at(const iterator *i, const walk *w) {
  if (w->compound)
    return can_locate(i) && subscript_equal(&i->at, w->compound);
  return mlirValueEqual(subscript_variable(&i->at), w->known);
}

static bool is_candidate(const sparsifier *p, const usage *used, const iterator *i, const walk *w) {
  return used->iterators[i->number] && !iterator_is_located(i) && iterator_is_reachable(p, i) &&
         is_at(i, w) && (can_locate(i) || !w->located);
}

static void find_candidates(sparsifier *p, walk *w) {
  usage used = usage_of(p, &w->all);
  w->candidates = ARENA_ARRAY(p->memory, const iterator *, p->s->iterators.count + 1);
  w->candidate_count = 0;
  for (int n = 0; n < p->s->iterators.count; ++n)
    if (is_candidate(p, &used, p->s->iterators.iterators[n], w))
      w->candidates[w->candidate_count++] = p->s->iterators.iterators[n];
}

/* An iterator whose coordinate is known now but that cannot be reached: the level above it comes
 * later. */
static const iterator *find_out_of_order(const sparsifier *p, const effects *all) {
  usage used = usage_of(p, all);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (used.iterators[n] && !can_locate(i) && !p->now.absent[n] &&
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

/* Whether only part of what the tensor stores is seen. */
static bool has_triangle(const iterator *i) {
  return i->tensor->format->triangle != TIN_WHOLE;
}

/* ---- fused iterators ---------------------------------------------------------------------- */

/* The one branchless level under `i` that is used; NULL where there is none. */
static const iterator *chained(const sparsifier *p, const usage *used, const iterator *i) {
  const iterator *below = NULL;
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *child = p->s->iterators.iterators[n];
    if (child->parent != i || !used->iterators[n] || !iterator_is_branchless(child))
      continue;
    if (below)
      return NULL;
    below = child;
  }
  return below;
}

/* The forall over `variable` that is all there is in the body of `forall`. */
static const node *nested_over(const node *forall, MlirValue variable) {
  if (forall->body.count != 1)
    return NULL;
  const node *inner = forall->body.nodes[0];
  bool fits = inner->kind == NODE_FORALL && mlirValueEqual(inner->variable, variable) &&
              cin_op_unit(inner->op) == CIN_SERIAL;
  return fits ? inner : NULL;
}

/* Whether nothing remains where the iterator has no entry, and every other level is located. */
static bool is_alone(const sparsifier *p, const usage *used, const effects *all,
                     const iterator *first) {
  absence here = absence_here(p);
  bool *absent = ARENA_ARRAY(p->memory, bool, p->s->iterators.count + 1);
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    absent[n] = p->now.absent[n] || i == first;
    if (used->iterators[n] && !iterator_is_located(i) && i->tensor != first->tensor &&
        mlirValueIsNull(p->now.positions[n]))
      return false;
  }
  here.iterators = absent;
  return effects_vanish(&here, all);
}

/* Whether what is assigned at one coordinate is added up, now or when the result is ordered. */
static bool adds_up(const sparsifier *p, const assignment *a) {
  if (!a->kind)
    return p->reorders && a->target == p->s->result;
  return text_is(mlirStringRefCreateFromCString(a->kind), "add");
}

static bool are_linear_sums(const sparsifier *p, const effects *all, const tensor *t) {
  absence here = absence_here(p);
  for (int n = 0; n < all->count; ++n) {
    const assignment *a = all->assignments[n];
    const expression *e = assignment_remainder(&here, a);
    if (e && (!adds_up(p, a) || !expression_is_linear(e, t)))
      return false;
  }
  return true;
}

static bool effects_allow_revisits(const sparsifier *p, const effects *all, int count,
                                   const MlirValue *variables, MlirValue last) {
  for (int n = 0; n < all->count; ++n)
    if (all->assignments[n]->target == p->s->result &&
        !result_allows_revisits(p, count, variables, last))
      return false;
  return true;
}

/* Whether the result takes an entry several times, or combines them afterwards. */
static bool result_takes_repeats(const sparsifier *p) {
  unsigned once = LEVEL_UNIQUE | LEVEL_ORDERED;
  int count = result_level_count(p);
  return p->reorders || (count && !(result_level(p, count - 1)->properties & once));
}

static bool mark_fused(sparsifier *p, const iterator *first, const iterator *last) {
  for (const iterator *i = last; i; i = i == first ? NULL : i->parent)
    p->now.fused[i->number] = true;
  return true;
}

static bool has_branchless_below(const sparsifier *p, const usage *used, const iterator *i) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *child = p->s->iterators.iterators[n];
    if (child->parent == i && used->iterators[n] && iterator_is_branchless(child))
      return true;
  }
  return false;
}

/* Whether the walk's iterator begins a chain that can be fused; marks the chain if so. */
static bool fuse_chain(sparsifier *p, const walk *w) {
  const iterator *first = w->lattice->iterators[0], *last = first;
  const node *at = w->forall;
  if (has_triangle(first))
    return false;
  usage used = usage_of(p, &w->all);
  MlirValue *variables = ARENA_ARRAY(p->memory, MlirValue, first->tensor->format->level_count + 1);
  int count = 0;
  for (const iterator *next; (next = chained(p, &used, last)); last = next) {
    variables[count++] = at->variable;
    at = nested_over(at, subscript_variable(&next->at));
    if (!at)
      return false;
  }
  if (has_branchless_below(p, &used, last) || !is_alone(p, &used, &w->all, first))
    return false;
  if (!iterator_is_unique(last)) {
    variables[count++] = at->variable;
    if (last->level + 1 != first->tensor->format->level_count && result_takes_repeats(p))
      return mark_fused(p, first, last);
    if (!are_linear_sums(p, &w->all, first->tensor))
      return false;
  }
  if (!effects_allow_revisits(p, &w->all, count, variables, at->variable))
    return false;
  return mark_fused(p, first, last);
}

static bool is_fused(sparsifier *p, const walk *w, bool whole) {
  const merge_lattice *l = w->lattice;
  if (l->iterator_count != 1 || l->point_count != 1 || l->whole || w->point || !whole ||
      iterator_is_unique(l->iterators[0]))
    return false;
  return p->now.fused[l->iterators[0]->number] || fuse_chain(p, w);
}

/* ---- legality of a walk ------------------------------------------------------------------- */

static bool walks_in_order_of_result(const sparsifier *p, const walk *w) {
  return result_appends_in_order_of(p, w->known) && block_assigns(&w->forall->body, p->s->result);
}

/* Whether an unordered level is to be walked where an order is needed, but can be located in. */
static bool should_locate(const sparsifier *p, const walk *w) {
  const merge_lattice *l = w->lattice;
  uint64_t located = merge_lattice_located(p->memory, l);
  bool merges = l->iterator_count - __builtin_popcountll(located) > 1;
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    if (!iterator_is_ordered(i) && iterator_is_unique(i) && !(located >> n & 1) &&
        (i->format->format->capabilities & LEVEL_LOCATE) &&
        (merges || walks_in_order_of_result(p, w)))
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

/* ---- bodies ------------------------------------------------------------------------------- */

static bool emit_walk(sparsifier *p, walk *w);

/* Whether the coordinate that a level is to be walked to is known: by remappings, or because the
 * level can locate whichever comes. */
static bool is_known_further(const sparsifier *p, const iterator *i) {
  MlirValue variable = subscript_variable(&i->at);
  if (can_locate(i))
    return subscript_is_known(&i->at, p->graph);
  return !mlirValueIsNull(variable) && provenance_is_remapped(p->graph, variable);
}

/* Finds what is to be walked further, to a coordinate that is known: levels at the variable
 * `known`, or others.  After a stride only levels that can locate. */
static bool find_further(sparsifier *p, walk *further, MlirValue known) {
  further->known = known;
  further->located = further->strided;
  if (!mlirValueIsNull(known))
    find_candidates(p, further);
  for (int n = 0; n < p->s->iterators.count && !further->candidate_count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    further->known = subscript_variable(&i->at);
    further->compound = subscript_is_compound(&i->at) ? &i->at : NULL;
    if (is_known_further(p, i))
      find_candidates(p, further);
  }
  further->located = true;
  for (int n = 0; n < further->candidate_count; ++n)
    further->located &= can_locate(further->candidates[n]);
  return further->candidate_count;
}

/* Code where a coordinate has become known (`known` null: none has). */
static bool emit_body(sparsifier *p, const node *forall, MlirValue known, bool strided) {
  walk further = {.forall = forall, .point = true, .strided = strided};
  further.all = block_effects(p->memory, &forall->body);
  settle(p, &further.all);
  if (find_further(p, &further, known))
    return emit_walk(p, &further);
  const iterator *stuck = find_out_of_order(p, &further.all);
  if (stuck)
    return refuse_order(forall, stuck);
  bool guarded = result_guard(p, &forall->body);
  result_frame frame = result_begin(p, &forall->body);
  bool emitted = result_is_counted(p) || emit_block(p, &forall->body);
  result_end(p, &frame);
  if (guarded)
    if_end(p->b);
  return emitted;
}

/* A serial forall's outer ones stay as they are; one on threads is around what it holds. */
static bool emit_unit_body(sparsifier *p, const node *forall, MlirValue known, bool strided,
                           bool fused) {
  if (cin_op_unit(forall->op) != CIN_CPU_THREAD)
    return emit_body(p, forall, known, strided);
  parallel_forall here = {p->now.parallel, forall->variable, cin_op_race(forall->op), fused};
  const parallel_forall *outer = p->now.parallel;
  p->now.parallel = &here;
  emit_workspaces(p, &forall->body);
  bool emitted = emit_body(p, forall, known, strided);
  p->now.parallel = outer;
  return emitted;
}

static void set_unit(coiteration *c, const node *forall) {
  c->unit = cin_op_unit(forall->op);
  c->race = cin_op_race(forall->op);
  c->unroll = op_attribute(forall->op, "unroll");
}

static void set_name(coiteration *c, sparsifier *p, MlirValue variable) {
  c->variable = mlirStringAttrGet(builder_context(p->b), provenance_name(variable));
}

/* ---- walks -------------------------------------------------------------------------------- */

static void enter_point(sparsifier *p, const walk *w, uint64_t point, MlirBlock code) {
  const merge_lattice *l = w->lattice;
  for (int n = 0; n < w->candidate_count; ++n)
    p->now.absent[w->candidates[n]->number] = true;
  intptr_t argument = 1;
  for (int n = 0; n < l->iterator_count; ++n)
    if (point >> n & 1) {
      p->now.absent[l->iterators[n]->number] = false;
      p->now.positions[l->iterators[n]->number] = mlirBlockGetArgument(code, argument++);
    }
}

static bool emit_again(sparsifier *p, const walk *w) {
  walk_state before = walk_state_enter(p);
  bool emitted = emit_unit_body(p, w->forall, w->known, false, w->fused);
  walk_state_leave(p, before);
  return emitted;
}

/* The body, once for blocks that end in bounds and once for all, where that is to be told apart. */
static bool emit_in_blocks(sparsifier *p, const walk *w) {
  whole_blocks whole = emit_whole_blocks(p, w->forall);
  if (!whole.count)
    return emit_unit_body(p, w->forall, w->known, false, w->fused);
  if_begin(p->b, whole.condition);
  bool emitted = emit_again(p, w);
  whole_blocks_end(p, &whole);
  if_else(p->b);
  emitted = emitted && emit_again(p, w);
  if_end(p->b);
  return emitted;
}

/* The body of a forall whose variable is bound: what a block makes known can be beyond the end. */
static bool emit_remapped(sparsifier *p, const walk *w, uint64_t point) {
  MlirValue guard = none;
  if (!guard_is_promised(p, w->known, w->lattice, point))
    guard = emit_block_guard(p, w->forall, w->known);
  if (!mlirValueIsNull(guard))
    if_begin(p->b, guard);
  bool emitted = emit_in_blocks(p, w);
  if (!mlirValueIsNull(guard))
    if_end(p->b);
  return emitted;
}

static bool emit_point(sparsifier *p, const walk *w, uint64_t point, MlirBlock code) {
  walk_state before = walk_state_enter(p);
  builder_at_end(p->b, code);
  if (!w->point)
    provenance_bind(p->graph, w->known, mlirBlockGetArgument(code, 0));
  enter_point(p, w, point, code);
  bool emitted =
      w->point ? emit_body(p, w->forall, w->known, w->strided) : emit_remapped(p, w, point);
  if (!w->point)
    provenance_unbind(p->graph, w->known);
  walk_state_leave(p, before);
  return emitted;
}

static void set_iterators(sparsifier *p, const merge_lattice *l, coiteration *c) {
  MlirValue *tensors = ARENA_ARRAY(p->memory, MlirValue, l->iterator_count + 1);
  MlirValue *parents = ARENA_ARRAY(p->memory, MlirValue, l->iterator_count + 1);
  int64_t *levels = ARENA_ARRAY(p->memory, int64_t, l->iterator_count + 1);
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    tensors[n] = i->tensor->value;
    levels[n] = i->level;
    parents[n] = i->parent ? p->now.positions[i->parent->number] : none;
  }
  *c = (coiteration){.count = l->iterator_count,
                     .tensors = tensors,
                     .levels = levels,
                     .parents = parents,
                     .case_count = l->point_count,
                     .cases = l->points};
}

/* ---- triangles ---------------------------------------------------------------------------- */

/* The iterator above that is of another dimension of the triangle. */
static const iterator *across(const iterator *i, bool is_above) {
  const tensor_format *format = i->tensor->format;
  intptr_t other = is_above ? format->below : format->above;
  do
    i = i->parent;
  while (i && i->tensor->format->levels[i->level].dimension != other);
  return i;
}

/* above > below, or >=: the one known first bounds the other. */
static void bound_by_triangle(sparsifier *p, const iterator *i, MlirValue known, coiteration *c) {
  const tensor_format *format = i->tensor->format;
  int dimension = format->levels[i->level].dimension;
  bool is_above = dimension == format->above, is_below = dimension == format->below;
  const iterator *other = is_above || is_below ? across(i, is_above) : NULL;
  if (!other)
    return;
  MlirValue bound = subscript_coordinate(&other->at, p->graph, p->b);
  bool next = is_above == (format->triangle == TIN_STRICTLY_LOWER);
  if (next)
    bound = add(p->b, bound, constant_index(p->b, 1));
  if (mlirValueIsNull(c->low)) {
    c->low = constant_index(p->b, 0);
    c->high = provenance_extent(p->graph, p->b, known);
  }
  if (is_above)
    c->low = max_i(p->b, c->low, bound);
  else
    c->high = min_i(p->b, c->high, bound);
}

/* All points of a walk go as far as its triangles do. */
static bool set_triangles(sparsifier *p, const walk *w, coiteration *c) {
  const merge_lattice *l = w->lattice;
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    if (!has_triangle(i))
      continue;
    for (int point = 0; point < l->point_count; ++point)
      if (!(l->points[point] >> n & 1))
        return error_at(w->forall->op,
                        "expected part of a triangle only where nothing else is visited; found "
                        "level %d (%s) of %s (a tin.convert of it would help)",
                        i->level, i->format->format->name, i->tensor->name);
    bound_by_triangle(p, i, w->known, c);
  }
  return true;
}

/* The interval that is visited: all of it, the one of a split variable, or one coordinate. */
static void set_bounds(sparsifier *p, const walk *w, bool whole, coiteration *c) {
  if (w->compound) {
    c->low = subscript_coordinate(w->compound, p->graph, p->b);
    c->high = add(p->b, c->low, constant_index(p->b, 1));
    c->extent = w->lattice->whole ? c->high : none;
    return;
  }
  if (w->lattice->whole)
    c->extent = provenance_extent(p->graph, p->b, w->known);
  if (w->point) {
    c->low = provenance_coordinate(p->graph, p->b, w->known);
    c->high = add(p->b, c->low, constant_index(p->b, 1));
  } else if (!whole) {
    provenance_bounds(p->graph, p->b, w->known, &c->low, &c->high);
  }
}

static bool emit_cases(sparsifier *p, const walk *w, const coiteration *c) {
  MlirBlock here = builder_block(p->b);
  MlirOperation op = sit_coiterate(p->b, c);
  bool emitted = true;
  for (int n = 0; n < c->case_count && emitted; ++n)
    emitted = emit_point(p, w, c->cases[n], op_block(op, n));
  builder_at_end(p->b, here);
  return emitted;
}

/* What is computed where a counter's operand has no entries would be for each of its values. */
static bool check_counter(const sparsifier *p, const walk *w) {
  return w->compound || !w->lattice->whole || !provenance_is_counter(p->graph, w->known) ||
         error_at(w->forall->op,
                  "expected a walk of the levels that hold '%.*s', a counter, found values "
                  "computed where they have no entries",
                  TEXT(provenance_name(w->known)));
}

static bool emit_walk(sparsifier *p, walk *w) {
  const node *forall = w->forall;
  provenance_step step = {.whole = true};
  if (!w->point)
    step = provenance_next(p->graph, forall->variable);
  absence here = absence_here(p);
  w->lattice = merge_lattice_build(&here, &w->all, w->candidate_count, w->candidates);
  if (!w->lattice)
    return error_at(forall->op, "not supported yet: a merge lattice of more than %d points",
                    MERGE_LATTICE_MOST_POINTS);
  w->lattice->whole |= should_locate(p, w);
  walk_state before = walk_state_enter(p);
  w->fused = is_fused(p, w, step.whole);
  coiteration c;
  set_iterators(p, w->lattice, &c);
  set_bounds(p, w, step.whole, &c);
  c.fused = w->fused;
  if (!w->compound)
    set_name(&c, p, w->known);
  if (!w->point)
    set_unit(&c, forall);
  bool emitted = check_counter(p, w) && (w->located || check_ordered(p, w)) &&
                 (w->point || check_parallel(p, w)) && set_triangles(p, w, &c) &&
                 (!c.case_count || emit_cases(p, w, &c));
  walk_state_leave(p, before);
  return emitted;
}

/* ---- counted foralls ---------------------------------------------------------------------- */

/* A strided variable's coordinate can run over the end of its dimension. */
static bool emit_guarded(sparsifier *p, const node *forall, provenance_step step) {
  if (step.kind == PROVENANCE_COUNT)
    return emit_unit_body(p, forall, none, false, false);
  MlirValue guard = provenance_guard(p->graph, p->b, step.known);
  if (!mlirValueIsNull(guard))
    if_begin(p->b, guard);
  bool emitted = emit_unit_body(p, forall, step.known, true, false);
  if (!mlirValueIsNull(guard))
    if_end(p->b);
  return emitted;
}

static bool emit_count(sparsifier *p, const node *forall, provenance_step step) {
  const uint64_t empty = 0;
  coiteration c = {.case_count = 1, .cases = &empty};
  c.extent = provenance_extent(p->graph, p->b, forall->variable);
  set_unit(&c, forall);
  set_name(&c, p, forall->variable);
  MlirBlock here = builder_block(p->b);
  MlirOperation op = sit_coiterate(p->b, &c);
  MlirBlock code = op_block(op, 0);
  walk_state before = walk_state_enter(p);
  builder_at_end(p->b, code);
  provenance_bind(p->graph, forall->variable, mlirBlockGetArgument(code, 0));
  bool emitted = emit_guarded(p, forall, step);
  provenance_unbind(p->graph, forall->variable);
  walk_state_leave(p, before);
  builder_at_end(p->b, here);
  return emitted;
}

/* ---- blocks ------------------------------------------------------------------------------- */

static bool emit_forall(sparsifier *p, const node *forall) {
  effects all = block_effects(p->memory, &forall->body);
  absence here = absence_here(p);
  if (effects_vanish(&here, &all))
    return true;
  builder_set_location(p->b, mlirOperationGetLocation(forall->op));
  provenance_step step = provenance_next(p->graph, forall->variable);
  if (step.kind != PROVENANCE_WALK)
    return emit_count(p, forall, step);
  walk w = {.forall = forall, .known = step.known, .all = all};
  find_candidates(p, &w);
  return emit_walk(p, &w);
}

/* As the body of a forall over nothing. */
bool emit_root(sparsifier *p) {
  node *root = ARENA_ARRAY(p->memory, node, 1);
  *root = (node){.kind = NODE_FORALL, .op = p->s->kernel, .body = p->s->body};
  return emit_body(p, root, none, false);
}

static bool emit_node(sparsifier *p, const node *at) {
  switch (at->kind) {
  case NODE_FORALL:
    return emit_forall(p, at);
  case NODE_WHERE:
    return emit_where(p, at);
  case NODE_ASSIGNMENT:
    return emit_assignment(p, at->assignment);
  }
  return false;
}

bool emit_block(sparsifier *p, const block *code) {
  for (int n = 0; n < code->count; ++n)
    if (!emit_node(p, code->nodes[n]))
      return false;
  return true;
}
