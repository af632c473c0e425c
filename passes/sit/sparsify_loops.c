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
 * Which walks are allowed, sparsify_legality.c says; which are fused, sparsify_fuse.c; which go
 * through scratch arrays, sparsify_scratch.c; how far triangles let them go,
 * sparsify_triangles.c.
 */
#include "parallel_safety.h"
#include "sparsify_guards.h"
#include "sparsify_visit.h"
#include "sparsify_windows.h"

#include <mlir-c/BuiltinAttributes.h>

static const MlirValue none = {NULL};

/* ---- candidates --------------------------------------------------------------------------- */

static bool is_at(const sparsifier *p, const iterator *i, const visit *w) {
  if (w->compound)
    return (iterator_can_locate(i) || iterator_is_searched(i)) &&
           subscript_equal(&i->at, w->compound);
  return mlirValueEqual(subscript_variable(&i->at), w->known) || visit_takes_offset(p, w, i);
}

static bool is_candidate(const sparsifier *p, const usage *used, const iterator *i,
                         const visit *w) {
  return used->iterators[i->number] && !iterator_is_located(i) && iterator_is_reachable(p, i) &&
         is_at(p, i, w);
}

static void find_candidates(sparsifier *p, visit *w) {
  usage used = usage_of(p, &w->all);
  w->candidates = ARENA_ARRAY(p->memory, const iterator *, p->s->iterators.count + 1);
  w->candidate_count = 0;
  for (int n = 0; n < p->s->iterators.count; ++n)
    if (is_candidate(p, &used, p->s->iterators.iterators[n], w))
      w->candidates[w->candidate_count++] = p->s->iterators.iterators[n];
}

/* ---- bodies ------------------------------------------------------------------------------- */

static bool emit_visit(sparsifier *p, visit *w);

/* Finds what is to be walked further, to a coordinate that is known: levels at the variable
 * `known`, or others. */
static bool find_further(sparsifier *p, visit *further, MlirValue known) {
  further->known = known;
  if (!mlirValueIsNull(known))
    find_candidates(p, further);
  for (int n = 0; n < p->s->iterators.count && !further->candidate_count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    further->known = subscript_variable(&i->at);
    further->compound = subscript_is_compound(&i->at) ? &i->at : NULL;
    if (visit_comes_further(p, i))
      find_candidates(p, further);
  }
  further->located = true;
  for (int n = 0; n < further->candidate_count; ++n)
    further->located &= iterator_can_locate(further->candidates[n]);
  return further->candidate_count;
}

bool emit_entry(sparsifier *p, const block *code) {
  MlirValue came = sums_came(p, code);
  if (came.ptr)
    if_begin(p->b, came);
  result_frame frame = result_begin(p, code);
  bool emitted = result_is_counted(p) || emit_block(p, code);
  result_end(p, &frame);
  if (came.ptr)
    if_end(p->b);
  return emitted;
}

/* Code where all that a coordinate makes known is known. */
static bool emit_settled(sparsifier *p, const index_statement *forall, const effects *all) {
  if (!visit_check_order(p, forall, all))
    return false;
  emit_start(p, forall);
  bool guarded = result_guard(p, &forall->body);
  bool emitted = emit_entry(p, &forall->body);
  if (guarded)
    if_end(p->b);
  return emitted;
}

/* Code where a coordinate has become known (`known` null: none has): positions that are located may
 * be none, where they are of padded accesses. */
static bool emit_body(sparsifier *p, const index_statement *forall, MlirValue known) {
  visit further = {.forall = forall, .point = true};
  further.all = block_effects(p->memory, &forall->body);
  int maybe = p->now.maybe_count;
  settle(p, &further.all);
  MlirValue present = p->now.maybe_count > maybe ? effects_present(p, &further.all) : none;
  if (!mlirValueIsNull(present))
    if_begin(p->b, present);
  bool emitted = find_further(p, &further, known) ? emit_visit(p, &further)
                                                  : emit_settled(p, forall, &further.all);
  if (!mlirValueIsNull(present))
    if_end(p->b);
  return emitted;
}

/* A serial forall's outer ones stay as they are; one on threads is around what it holds. */
static bool emit_unit_body(sparsifier *p, const index_statement *forall, MlirValue known,
                           bool fused) {
  if (!cin_unit_is_concurrent(cin_op_unit(forall->op)))
    return emit_body(p, forall, known);
  parallel_forall here = {p->now.parallel, forall->variable, cin_op_race(forall->op), fused};
  const parallel_forall *outer = p->now.parallel;
  p->now.parallel = &here;
  emit_workspaces(p, &forall->body);
  bool emitted = emit_body(p, forall, known);
  p->now.parallel = outer;
  return emitted;
}

/* Beyond some copies all is too much. */
static int copies_within(int copies, int64_t unroll) {
  enum { MOST = 1 << 16 };
  return unroll < MOST / copies ? copies * (int)unroll : MOST;
}

static void set_unit(sparsifier *p, coiteration *c, const index_statement *forall) {
  c->unit = cin_op_unit(forall->op);
  p->now.on_lanes |= c->unit == CIN_CPU_VECTOR;
  c->race = cin_op_race(forall->op);
  c->groups = parallel_groups(p->memory, forall->op);
  c->unroll = op_attribute(forall->op, "unroll");
  p->now.copies = copies_within(p->now.copies, op_integer(forall->op, "unroll", 1));
  c->strategies = op_attribute(forall->op, "strategies");
}

static void set_name(coiteration *c, sparsifier *p, MlirValue variable) {
  c->variable = mlirStringAttrGet(builder_context(p->b), provenance_name(variable));
}

/* ---- walks -------------------------------------------------------------------------------- */

static void enter_point(sparsifier *p, const visit *w, bit_set point, MlirBlock code) {
  const merge_lattice *l = w->lattice;
  for (int n = 0; n < w->candidate_count; ++n)
    p->now.absent[w->candidates[n]->number] = true;
  intptr_t argument = 1;
  for (int n = 0; n < l->iterator_count; ++n)
    if (set_has(point, n)) {
      p->now.absent[l->iterators[n]->number] = false;
      p->now.positions[l->iterators[n]->number] = mlirBlockGetArgument(code, argument++);
      p->now.segments[l->iterators[n]->number] = visit_segment(p, w, n);
      p->now.maybe[l->iterators[n]->number] = l->any;
      p->now.maybe_count += l->any;
      for (const iterator *i = l->iterators[n]->parent; i && !l->any; i = i->parent)
        p->now.maybe[i->number] = false;
    }
}

static bool emit_again(sparsifier *p, const visit *w) {
  reached_state before = reached_state_enter(p);
  bool emitted = emit_unit_body(p, w->forall, w->known, w->fused);
  reached_state_leave(p, before);
  return emitted;
}

/* The body, once for blocks that end in bounds and once for all, where that is to be told apart. */
static bool emit_in_blocks(sparsifier *p, const visit *w) {
  whole_blocks whole = emit_whole_blocks(p, w->forall);
  if (!whole.count)
    return emit_unit_body(p, w->forall, w->known, w->fused);
  if_begin(p->b, whole.condition);
  bool emitted = emit_again(p, w);
  whole_blocks_end(p, &whole);
  if_else(p->b);
  emitted = emitted && emit_again(p, w);
  if_end(p->b);
  return emitted;
}

/* The body of a forall whose variable is bound: what a block makes known can be beyond the end. */
static bool emit_remapped(sparsifier *p, const visit *w, bit_set point) {
  MlirValue guard = none;
  if (!guard_is_promised(p, w->known, w->lattice, w->lattice->any ? set_empty() : point))
    guard = emit_block_guard(p, w->forall, w->known);
  if (!mlirValueIsNull(guard))
    if_begin(p->b, guard);
  bool emitted = emit_in_blocks(p, w);
  if (!mlirValueIsNull(guard))
    if_end(p->b);
  return emitted;
}

static bool emit_point(sparsifier *p, const visit *w, bit_set point, MlirBlock code) {
  reached_state before = reached_state_enter(p);
  builder_at_end(p->b, code);
  if (!w->point)
    provenance_bind(p->graph, w->known, mlirBlockGetArgument(code, 0));
  enter_point(p, w, point, code);
  MlirValue derived = visit_derived(p, w);
  if (!mlirValueIsNull(derived))
    provenance_bind(p->graph, w->forall->variable, derived);
  MlirValue present = effects_present(p, &w->all);
  if (!mlirValueIsNull(present))
    if_begin(p->b, present);
  bool emitted = w->point ? emit_body(p, w->forall, w->known) : emit_remapped(p, w, point);
  if (!mlirValueIsNull(present))
    if_end(p->b);
  if (!mlirValueIsNull(derived))
    provenance_unbind(p->graph, w->forall->variable);
  if (!w->point)
    provenance_unbind(p->graph, w->known);
  reached_state_leave(p, before);
  return emitted;
}

static const bit_set *all_of(sparsifier *p, const merge_lattice *l) {
  bit_set *set = ARENA_ARRAY(p->memory, bit_set, 1);
  *set = set_below(p->memory, l->iterator_count);
  return set;
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
                     .any = l->any,
                     .case_count = l->any ? 1 : l->point_count,
                     .cases = l->any ? all_of(p, l) : l->points};
}

/* The interval that is visited: all of it, the one of a split variable, or one coordinate. */
static void set_bounds(sparsifier *p, const visit *w, bool whole, coiteration *c) {
  if (w->compound) {
    c->low = subscript_coordinate(w->compound, p->graph, p->b);
    c->extent = w->lattice->whole ? add(p->b, c->low, constant_index(p->b, 1)) : none;
    return;
  }
  if (w->lattice->whole)
    c->extent = provenance_extent(p->graph, p->b, w->known);
  if (w->point)
    c->low = provenance_coordinate(p->graph, p->b, w->known);
  else if (!whole)
    provenance_bounds(p->graph, p->b, w->known, &c->low, &c->high);
  c->offsets = visit_offsets(p, w);
  if (c->offsets && mlirValueIsNull(c->low)) {
    c->low = constant_index(p->b, 0);
    c->high = provenance_extent(p->graph, p->b, w->known);
  }
}

static bool emit_walk(sparsifier *p, const visit *w, const coiteration *c) {
  MlirBlock here = builder_block(p->b);
  MlirOperation op = sit_coiterate(p->b, c);
  p->made.walks++;
  p->made.cases += c->case_count;
  p->made.copies += (int64_t)c->case_count * p->now.copies;
  bool emitted = true;
  for (int n = 0; n < c->case_count && emitted; ++n)
    emitted = emit_point(p, w, c->cases[n], op_block(op, n));
  builder_at_end(p->b, here);
  return emitted;
}

/* The walk; of one through a window that is unrolled, another one where that is whole. */
static bool emit_cases(sparsifier *p, const visit *w, const coiteration *c) {
  int64_t count = op_integer(w->forall->op, "unroll", 1);
  if (w->point || !window_is_written_out(p, w->forall, c, count))
    return emit_walk(p, w, c);
  coiteration whole;
  if_begin(p->b, emit_window_is_whole(p, w->forall, c, count, &whole));
  bool emitted = emit_walk(p, w, &whole);
  if_else(p->b);
  emitted = emitted && emit_walk(p, w, c);
  if_end(p->b);
  return emitted;
}

/* A coordinate that is visited by itself is so beyond what a padded level has as well. */
static void visit_beyond(sparsifier *p, coiteration *c) {
  bool at_one = !mlirValueIsNull(c->low) && mlirValueIsNull(c->high);
  if (c->padded && at_one && !mlirValueIsNull(c->extent))
    c->extent = add(p->b, c->low, constant_index(p->b, 1));
}

static bool emit_visit(sparsifier *p, visit *w) {
  const index_statement *forall = w->forall;
  provenance_step step = {.whole = true};
  if (!w->point)
    step = provenance_next(p->graph, forall->variable);
  visit_choose_lattice(p, w);
  if (!w->lattice)
    return error_at(forall->op, "not supported yet: a merge lattice of more than %d points",
                    MERGE_LATTICE_MOST_POINTS);
  reached_state before = reached_state_enter(p);
  if (!w->lattice->any)
    p->now.cases *= w->lattice->point_count ? w->lattice->point_count : 1;
  w->fused = visit_is_fused(p, w, step.whole);
  w->scratch = visit_scratch(p, w);
  coiteration c;
  set_iterators(p, w->lattice, &c);
  set_bounds(p, w, step.whole, &c);
  visit_clip(p, w, &c);
  c.fused = w->fused;
  for (int n = 0; n < w->lattice->iterator_count; ++n)
    c.padded |= iterator_may_be_outside(p, w->lattice->iterators[n]);
  visit_beyond(p, &c);
  c.scratch = w->scratch;
  if (!w->compound)
    set_name(&c, p, w->known);
  if (!w->point)
    set_unit(p, &c, forall);
  bool emitted = visit_check(p, w) && visit_check_pieces(p, w) && visit_set_triangles(p, w, &c) &&
                 (!c.case_count || emit_cases(p, w, &c));
  reached_state_leave(p, before);
  return emitted;
}

/* ---- counted foralls ---------------------------------------------------------------------- */

/* A strided variable's coordinate can run over the end of its dimension, and what is counted in
 * parts over the end of a part. */
static bool emit_guarded(sparsifier *p, const index_statement *forall, provenance_step step) {
  MlirValue guard = step.kind == PROVENANCE_COUNT ? provenance_count_guard(p->graph, p->b)
                                                  : provenance_guard(p->graph, p->b, step.known);
  if (!mlirValueIsNull(guard))
    if_begin(p->b, guard);
  bool emitted = emit_unit_body(p, forall, step.known, false);
  if (!mlirValueIsNull(guard))
    if_end(p->b);
  return emitted;
}

static bool emit_count(sparsifier *p, const index_statement *forall, provenance_step step) {
  const bit_set empty = set_empty();
  coiteration c = {.case_count = 1, .cases = &empty};
  c.extent = provenance_extent(p->graph, p->b, forall->variable);
  if (provenance_is_bounded(p->graph, forall->variable))
    provenance_bounds(p->graph, p->b, forall->variable, &c.low, &c.high);
  reached_state before = reached_state_enter(p);
  set_unit(p, &c, forall);
  set_name(&c, p, forall->variable);
  MlirBlock here = builder_block(p->b);
  MlirOperation op = sit_coiterate(p->b, &c);
  MlirBlock code = op_block(op, 0);
  builder_at_end(p->b, code);
  provenance_bind(p->graph, forall->variable, mlirBlockGetArgument(code, 0));
  bool emitted = emit_guarded(p, forall, step);
  provenance_unbind(p->graph, forall->variable);
  reached_state_leave(p, before);
  builder_at_end(p->b, here);
  return emitted;
}

/* ---- blocks ------------------------------------------------------------------------------- */

static bool emit_forall(sparsifier *p, const index_statement *forall) {
  effects all = block_effects(p->memory, &forall->body);
  absence here = absence_here(p);
  if (effects_vanish(&here, &all))
    return true;
  builder_set_location(p->b, mlirOperationGetLocation(forall->op));
  provenance_step step = provenance_next(p->graph, forall->variable);
  if (step.kind != PROVENANCE_WALK)
    return emit_count(p, forall, step);
  visit w = {.forall = forall, .known = step.known, .all = all};
  find_candidates(p, &w);
  return emit_visit(p, &w);
}

/* As the body of a forall over nothing. */
bool emit_root(sparsifier *p) {
  index_statement *root = ARENA_ARRAY(p->memory, index_statement, 1);
  *root = (index_statement){.kind = STATEMENT_FORALL, .op = p->s->kernel, .body = p->s->body};
  return emit_body(p, root, none);
}

static bool emit_statement(sparsifier *p, const index_statement *at) {
  switch (at->kind) {
  case STATEMENT_FORALL:
    return emit_forall(p, at);
  case STATEMENT_WHERE:
    return emit_where(p, at);
  case STATEMENT_ASSIGNMENT:
    return emit_assignment(p, at->assignment);
  }
  return false;
}

bool emit_block(sparsifier *p, const block *code) {
  for (int n = 0; n < code->count; ++n)
    if (!emit_statement(p, code->statements[n]))
      return false;
  return true;
}
