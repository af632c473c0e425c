/* sparsify_results.c - assembles the result (Chou et al. 2018, section 3.3 and Figure 9a).
 *
 * A level that can insert has its position as soon as the coordinate is known. Levels that can only
 * append go in groups: a level with the branchless ones under it (the coordinates of a coordinate
 * list) is appended at once, when the last coordinate is known. A group over further appended
 * levels waits until those are done and is appended only if it has got children; a group over
 * inserted levels, or over values, is appended at once.
 */
#include "sparsify_state.h"

#include <mlir-c/BuiltinTypes.h>

static const MlirValue none = {NULL};

/* ---- levels ------------------------------------------------------------------------------- */

static int level_count(const sparsifier *p) {
  return p->s->result->format->level_count;
}

static const format_level *level_at(const sparsifier *p, int l) {
  return &p->s->result->format->levels[l];
}

static bool inserts(const sparsifier *p, int l) {
  return level_at(p, l)->format->capabilities & LEVEL_INSERT;
}

static bool is_branchless(const sparsifier *p, int l) {
  return level_at(p, l)->properties & LEVEL_BRANCHLESS;
}

/* The end of the group that level `l` begins. */
static int group_end(const sparsifier *p, int l) {
  int end = l + 1;
  while (!inserts(p, l) && end < level_count(p) && is_branchless(p, end))
    ++end;
  return end;
}

static MlirValue level_variable(const sparsifier *p, int l) {
  const assignment *a = p->s->result->assignments[0];
  return subscript_variable(&a->subscripts[level_at(p, l)->dimension]);
}

static int level_of_variable(const sparsifier *p, MlirValue variable) {
  for (int l = 0; l < level_count(p); ++l)
    if (mlirValueEqual(level_variable(p, l), variable))
      return l;
  return -1;
}

static bool is_known(const sparsifier *p, int l) {
  return provenance_is_known(p->graph, level_variable(p, l));
}

/* ---- checks ------------------------------------------------------------------------------- */

static bool check_levels(const sparsifier *p) {
  MlirOperation op = p->s->result->assignments[0]->op;
  for (int l = 0; l < level_count(p); ++l) {
    const format_level *level = level_at(p, l);
    if (level->dimension < 0)
      return error_at(op,
                      "not supported yet: a result whose level %d holds an expression of "
                      "dimensions",
                      l);
    if (!inserts(p, l) && !(level->format->capabilities & LEVEL_APPEND))
      return error_at(op,
                      "expected levels of the result that can insert or append, found level %d "
                      "(%s)",
                      l, level->format->name);
    if (l && !inserts(p, l) && is_branchless(p, l) &&
        (inserts(p, l - 1) || (level_at(p, l - 1)->properties & LEVEL_UNIQUE)))
      return error_at(op,
                      "expected level %d (%s, one coordinate under each) of the result under a "
                      "nonunique level that is appended to, found it under level %d (%s)",
                      l, level->format->name, l - 1, level_at(p, l - 1)->format->name);
  }
  return true;
}

/* The first level that is appended to and whose coordinate is not known yet; -1 for none. */
static int next_appended(const sparsifier *p) {
  for (int l = 0; l < level_count(p); ++l)
    if (!inserts(p, l) && !is_known(p, l))
      return l;
  return -1;
}

/* Whether level `l` may become known now: those above it are, as far as order matters. */
static bool is_in_order(const sparsifier *p, int l) {
  for (int above = 0; above < l; ++above)
    if ((!inserts(p, l) || !inserts(p, above)) && !is_known(p, above))
      return false;
  return true;
}

static bool refuse_forall(const sparsifier *p, const node *forall, int next) {
  MlirStringRef found = provenance_name(forall->variable);
  MlirStringRef expected = provenance_name(level_variable(p, next));
  return error_at(forall->op,
                  "expected a forall over '%.*s', as level %d (%s) of %s is appended to in order; "
                  "found one over '%.*s' (a workspace or another loop order would help)",
                  TEXT(expected), next, level_at(p, next)->format->name, p->s->result->name,
                  TEXT(found));
}

static bool check_forall(const sparsifier *p, const node *forall) {
  int next = next_appended(p);
  if (next < 0)
    return true;
  const MlirValue *roots;
  intptr_t count = provenance_roots(p->graph, forall->variable, &roots);
  provenance_step step = provenance_next(p->graph, forall->variable);
  for (intptr_t n = 0; n < count; ++n) {
    int l = level_of_variable(p, roots[n]);
    if (l < 0 || !is_in_order(p, l) || (!inserts(p, l) && step.kind == PROVENANCE_RECOVER))
      return refuse_forall(p, forall, next);
  }
  return true;
}

static bool check_block(const sparsifier *p, const block *code);

static bool check_node(const sparsifier *p, const node *at) {
  if (at->kind == NODE_WHERE) {
    if (block_assigns(&at->producer, p->s->result))
      return error_at(at->op, "expected a producer that assigns to its workspace, found one that "
                              "assigns to the result");
    return check_block(p, &at->body);
  }
  if (at->kind == NODE_FORALL) {
    if (!check_forall(p, at))
      return false;
    provenance_bind(p->graph, at->variable, none);
    bool legal = check_block(p, &at->body);
    provenance_unbind(p->graph, at->variable);
    return legal;
  }
  for (int l = 0; l < level_count(p); ++l)
    if (!is_known(p, l))
      return error_at(at->op, "expected a forall over '%.*s' around the assignment, found none",
                      TEXT(provenance_name(level_variable(p, l))));
  return true;
}

static bool check_block(const sparsifier *p, const block *code) {
  int assigning = 0;
  for (int n = 0; n < code->count; ++n) {
    const node *at = code->nodes[n];
    block alone = {1, &code->nodes[n]};
    if (!block_assigns(&alone, p->s->result))
      continue;
    if (assigning++ && next_appended(p) >= 0)
      return error_at(at->op, "expected one statement that appends to %s, found a second",
                      p->s->result->name);
    if (!check_node(p, at))
      return false;
  }
  return true;
}

static bool check_subscripts_agree(const sparsifier *p) {
  const tensor *result = p->s->result;
  for (int n = 1; n < result->assignment_count; ++n)
    for (intptr_t d = 0; d < result->assignments[n]->rank; ++d)
      if (!subscript_equal(&result->assignments[n]->subscripts[d],
                           &result->assignments[0]->subscripts[d]))
        return error_at(result->assignments[n]->op,
                        "expected the subscripts of the other assignments to %s", result->name);
  return true;
}

bool check_result(const sparsifier *p) {
  if (!p->s->result->assignment_count)
    return error_at(p->s->kernel, "expected an assignment to the result, found none");
  return check_subscripts_agree(p) && check_levels(p) && check_block(p, &p->s->body);
}

bool result_allows_revisits(const sparsifier *p, int count, const MlirValue *variables) {
  int first = 0, last = -1;
  while (first < level_count(p) && inserts(p, first))
    ++first;
  if (first == level_count(p))
    return true;
  if (first > 0)
    return false;
  last = group_end(p, 0) - 1;
  for (int l = last + 1; l < level_count(p); ++l)
    if (!inserts(p, l))
      return false;
  for (int n = 0; n < count; ++n)
    if (mlirValueEqual(level_variable(p, last), variables[n]))
      return false;
  return true;
}

bool result_appends_in_order_of(const sparsifier *p, MlirValue variable) {
  int l = level_of_variable(p, variable);
  return l >= 0 && !inserts(p, l) && (level_at(p, l)->properties & LEVEL_ORDERED);
}

/* ---- assembly ----------------------------------------------------------------------------- */

static const assignment *result_reduction(const sparsifier *p) {
  const tensor *result = p->s->result;
  for (int n = 0; n < result->assignment_count; ++n)
    if (result->assignments[n]->kind)
      return result->assignments[n];
  return NULL;
}

void emit_result(sparsifier *p) {
  const tensor *result = p->s->result;
  const assignment *reduction = result_reduction(p), *a = result->assignments[0];
  const scalar *initial = reduction ? &reduction->identity : &result->fill;
  MlirAttribute attribute = reduction ? reduction->identity_attribute : result->fill_attribute;
  if (scalar_is_zero(initial))
    attribute = (MlirAttribute){NULL};
  MlirValue *dimensions = ARENA_ARRAY(p->memory, MlirValue, a->rank + 1);
  for (intptr_t d = 0; d < a->rank; ++d)
    dimensions[d] = variable_extent(p, subscript_variable(&a->subscripts[d]));
  sit_result(p->b, result->value, a->rank, dimensions, attribute);
}

static MlirValue coordinate_of(sparsifier *p, int l) {
  return provenance_coordinate(p->graph, p->b, level_variable(p, l));
}

static MlirValue parent_of(const sparsifier *p, int l) {
  return l ? p->now.placed[l - 1] : none;
}

static void append_group(sparsifier *p, int first, int end) {
  for (int l = first; l < end; ++l)
    p->now.placed[l] = sit_append(p->b, p->s->result->value, l, coordinate_of(p, l));
}

static bool is_deferred(const sparsifier *p, int l) {
  int end = group_end(p, l);
  return !inserts(p, l) && end < level_count(p) && !inserts(p, end);
}

static bool group_is_known(const sparsifier *p, int l) {
  for (int end = group_end(p, l); l < end; ++l)
    if (!is_known(p, l))
      return false;
  return true;
}

static void place_group(sparsifier *p, int l) {
  if (inserts(p, l))
    p->now.placed[l] =
        sit_insert(p->b, p->s->result->value, l, coordinate_of(p, l), parent_of(p, l));
  else if (!is_deferred(p, l))
    append_group(p, l, group_end(p, l));
}

/* Whether the code assigns to the result once, outside of foralls. */
static bool assigns_once(const sparsifier *p, const block *code) {
  const node *only = NULL;
  for (int n = 0; n < code->count; ++n) {
    block alone = {1, &code->nodes[n]};
    if (!block_assigns(&alone, p->s->result))
      continue;
    if (only)
      return false;
    only = code->nodes[n];
  }
  if (only && only->kind == NODE_WHERE)
    return assigns_once(p, &only->body);
  return only && only->kind == NODE_ASSIGNMENT;
}

/* The value at a position just appended, before it is reduced into. */
static void start_value(sparsifier *p, const block *code) {
  int last = level_count(p) - 1;
  const assignment *reduction = result_reduction(p);
  p->now.store_only = !inserts(p, last) && assigns_once(p, code);
  if (reduction && !inserts(p, last) && !p->now.store_only)
    sit_store(p->b, scalar_emit(p->b, &reduction->identity), p->s->result->value,
              p->now.placed[last]);
}

static void open_level(sparsifier *p, result_frame *frame) {
  int l = frame->last;
  if (l == level_count(p) || inserts(p, l))
    return;
  frame->opened = l;
  frame->begin = sit_end(p->b, p->s->result->value, l);
}

result_frame result_begin(sparsifier *p, const block *code) {
  int first = p->now.placed_count;
  result_frame frame = {first, first, -1, -1, none};
  if (!block_assigns(code, p->s->result))
    return frame;
  while (frame.last < level_count(p) && group_is_known(p, frame.last)) {
    if (is_deferred(p, frame.last))
      frame.deferred = frame.last;
    place_group(p, frame.last);
    frame.last = group_end(p, frame.last);
  }
  p->now.placed_count = frame.last;
  if (frame.last > first && frame.last == level_count(p))
    start_value(p, code);
  if (frame.last > first || p->now.at_top)
    open_level(p, &frame);
  p->now.at_top = false;
  return frame;
}

static void append_parent_if_grown(sparsifier *p, const result_frame *frame) {
  builder *b = p->b;
  MlirValue tensor = p->s->result->value;
  if_begin(b, not_equal(b, sit_end(b, tensor, frame->opened), frame->begin));
  append_group(p, frame->deferred, frame->last);
  sit_close(b, tensor, frame->opened, frame->begin, p->now.placed[frame->last - 1]);
  if_end(b);
}

void result_end(sparsifier *p, const result_frame *frame) {
  if (frame->opened < 0)
    return;
  if (frame->deferred >= 0)
    append_parent_if_grown(p, frame);
  else
    sit_close(p->b, p->s->result->value, frame->opened, frame->begin, parent_of(p, frame->opened));
}

/* ---- assignments -------------------------------------------------------------------------- */

static void assign_variable(sparsifier *p, const assignment *a, MlirValue value) {
  MlirValue variable = a->target->value;
  if (a->kind)
    value = combine(p->b, a->kind, sit_get(p->b, variable), value, p->strict);
  sit_set(p->b, variable, value);
}

static void assign_at(sparsifier *p, const assignment *a, MlirValue value, MlirValue position,
                      bool store, bool atomic) {
  if (store || !a->kind)
    sit_store(p->b, value, a->target->value, position);
  else
    sit_accumulate(p->b, a->kind, value, a->target->value, position, atomic);
}

static void assign_workspace(sparsifier *p, const assignment *a, MlirValue value) {
  if (a->target->format->order == 0) {
    assign_variable(p, a, value);
    return;
  }
  MlirValue at = subscript_coordinate(&a->subscripts[0], p->graph, p->b);
  MlirValue position = sit_insert(p->b, a->target->value, 0, at, none);
  assign_at(p, a, value, position, false, false);
}

static bool writes_apart(const sparsifier *p, const assignment *a, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(p->graph, variable, &roots);
  for (intptr_t n = 0; n < count; ++n) {
    bool mentioned = false;
    for (intptr_t d = 0; d < a->rank; ++d)
      mentioned |= subscript_mentions(&a->subscripts[d], roots[n]);
    if (!mentioned)
      return false;
  }
  return true;
}

static bool needs_atomic(const sparsifier *p, const assignment *a) {
  for (const parallel_forall *f = p->now.parallel; f; f = f->outer)
    if (f->race == CIN_ATOMICS && (f->fused || !writes_apart(p, a, f->variable)))
      return true;
  return false;
}

bool emit_assignment(sparsifier *p, const assignment *a) {
  absence here = absence_here(p);
  const expression *remainder = assignment_remainder(&here, a);
  if (!remainder)
    return true;
  builder_set_location(p->b, mlirOperationGetLocation(a->op));
  MlirValue value = emit_expression(p, remainder);
  if (mlirValueIsNull(value))
    return false;
  if (a->target->role == TENSOR_WORKSPACE) {
    assign_workspace(p, a, value);
    return true;
  }
  int last = level_count(p) - 1;
  MlirValue position = last < 0 ? none : p->now.placed[last];
  assign_at(p, a, value, position, p->now.store_only, needs_atomic(p, a));
  return true;
}
