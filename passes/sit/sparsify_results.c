/* sparsify_results.c - assembles the result (Chou et al. 2018, section 3.3 and Figure 9a).
 *
 * A level that can insert has its position as soon as the coordinate is known. Levels that can only
 * append go in groups: a level with the branchless ones under it (the coordinates of a coordinate
 * list) is appended at once, when the last coordinate is known. A group over further appended
 * levels waits until those are done and is appended only if it has got children; a group over
 * inserted levels, or over values, is appended at once.
 */
#include "sparsify_visit.h"

#include "parallel_safety.h"

#include <mlir-c/BuiltinTypes.h>

static const MlirValue none = {NULL};

/* ---- levels ------------------------------------------------------------------------------- */

int result_level_count(const sparsifier *p) {
  return p->s->result->format->level_count;
}

const format_level *result_level(const sparsifier *p, int l) {
  return &p->s->result->format->levels[l];
}

bool result_inserts(const sparsifier *p, int l) {
  return assembly_takes(&p->built.how, l);
}

bool result_fills(const sparsifier *p, int l) {
  return result_inserts(p, l) && result_level(p, l)->properties & LEVEL_FULL;
}

/* Asked of relations of which nothing is bound. */
bool forall_deals_places(const sparsifier *p, const index_statement *forall) {
  if (cin_op_unit(forall->op) != CIN_CPU_THREAD)
    return false;
  provenance *unbound = provenance_create(p->memory, p->s->kernel);
  return unbound && !parallel_is_in_ranges(p->memory, unbound, p->s->kernel, forall->op,
                                           cin_op_race(forall->op));
}

static bool is_collected(const sparsifier *p) {
  return p->built.how.way == ASSEMBLY_COLLECT;
}

static bool is_branchless(const sparsifier *p, int l) {
  return result_level(p, l)->properties & LEVEL_BRANCHLESS;
}

/* The end of the group that level `l` begins. */
static int group_end(const sparsifier *p, int l) {
  int end = l + 1;
  while (!result_inserts(p, l) && end < result_level_count(p) && is_branchless(p, end) &&
         !result_inserts(p, end))
    ++end;
  return end;
}

MlirValue result_variable(const sparsifier *p, int l) {
  return assembly_variable(&p->built, l);
}

int result_level_of(const sparsifier *p, MlirValue variable) {
  return assembly_level_of(&p->built, variable);
}

bool result_is_known(const sparsifier *p, int l) {
  return assembly_is_known(&p->built, l);
}

static bool is_numbered(const sparsifier *p, int l) {
  return assembly_is_numbered(&p->built, l);
}

bool result_is_numbered(const sparsifier *p) {
  for (int l = 0; l < result_level_count(p); ++l)
    if (is_numbered(p, l))
      return true;
  return false;
}

/* ---- order -------------------------------------------------------------------------------- */

static bool is_appended_in_order(const sparsifier *p, MlirValue variable) {
  int l = assembly_level_along(&p->built, variable);
  return l >= 0 && assembly_ascends(&p->built.how, l);
}

bool result_appends_in_order_of(const sparsifier *p, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(p->graph, variable, &roots);
  bool ascends = is_appended_in_order(p, variable);
  for (intptr_t n = 0; n < count; ++n)
    ascends |= is_appended_in_order(p, roots[n]);
  return ascends;
}

/* ---- assembly ----------------------------------------------------------------------------- */

static const assignment *result_reduction(const sparsifier *p) {
  const tensor *result = p->s->result;
  for (int n = 0; n < result->assignment_count; ++n)
    if (result->assignments[n]->kind)
      return result->assignments[n];
  return NULL;
}

static bool is_array(const sparsifier *p) {
  for (int l = 0; l < result_level_count(p); ++l)
    if (!result_fills(p, l))
      return false;
  return true;
}

bool variable_comes_to_all(const sparsifier *p, MlirValue variable) {
  return mlirOperationIsNull(cin_subscript_of(p->s->kernel, variable));
}

/* Whether a plain assignment stores what it is of: not where that is the fill. */
static bool stores(const sparsifier *p, const assignment *a) {
  absence here = absence_here(p);
  return !a->kind && assignment_remainder(&here, a);
}

/* The foralls around the result's one assignment, with nothing beside them; false where there is
 * more. */
static bool find_foralls(const sparsifier *p, int *count, MlirValue *variables) {
  const block *code = &p->s->body;
  *count = 0;
  for (; code->count == 1 && !code->statements[0]->assignment; code = &code->statements[0]->body)
    if (code->statements[0]->kind == STATEMENT_FORALL)
      variables[(*count)++] = code->statements[0]->variable;
  return code->count == 1 && code->statements[0]->assignment->target == p->s->result;
}

enum { NO_BLOCK = -2 };

/* The last level that is appended to; -1. */
static int last_appended(const sparsifier *p) {
  int l = result_level_count(p) - 1;
  while (l >= 0 && result_inserts(p, l))
    --l;
  return l;
}

/* Whether levels that are copied have no positions but those of entries. */
static bool copies_entries(const sparsifier *p) {
  bool all = p->copied;
  for (int l = 0; all && l < p->built.how.end; ++l)
    all = result_level(p, l)->properties & LEVEL_COMPACT;
  return all;
}

/* The last level that is appended to or copied, above a block of values; -1 where the whole result
 * is one. */
static int above_block(const sparsifier *p) {
  if (is_array(p))
    return -1;
  if (p->built.how.way != ASSEMBLY_APPEND)
    return copies_entries(p) ? p->built.how.end - 1 : NO_BLOCK;
  int last = last_appended(p);
  return last + 1 < result_level_count(p) ? last : NO_BLOCK;
}

/* Whether the iterator is of a level that is copied. */
static bool is_copied(const sparsifier *p, const iterator *i) {
  bool copied = false;
  for (int l = 0; p->copied && l < p->built.how.end; ++l)
    copied |= p->copied->iterators[l] == i;
  return copied;
}

bool subscript_follows(const sparsifier *p, const subscript *s, int count,
                       const MlirValue *variables) {
  bool all = true;
  for (intptr_t n = 0; n < s->count; ++n)
    all &= !mlirAffineExprIsFunctionOfDim(s->expression, n) ||
           provenance_follows(p->graph, s->variables[n], count, variables);
  return all;
}

/* The foralls around the result's one assignment, `outer` of them around the block, in which it is
 * appended, or else there in any case. */
typedef struct block_nest {
  int foralls, outer;
  bool appended;
  MlirValue *variables;
} block_nest;

/* Whether the iterator, and those above it, are reached in the foralls around the block. */
static bool is_around_block(const sparsifier *p, const iterator *i, const block_nest *n) {
  bool around = true;
  for (; i; i = i->parent)
    around &= subscript_follows(p, &i->at, n->outer, n->variables);
  return around;
}

/* Whether the iterator may have no entry, or none in range, where something is copied, or has been
 * appended in the foralls around a block.  One that only what is assigned has is no matter. */
static bool leaves_out(const sparsifier *p, const iterator *i, const block_nest *n) {
  if (iterator_has_triangle(i))
    return true;
  if (!subscript_follows(p, &i->at, n->foralls, n->variables))
    return false;
  if (i->at.padded || iterator_is_located(i) || is_copied(p, i))
    return i->at.padded;
  return !n->appended || !is_around_block(p, i, n);
}

bool result_is_gone_through(const sparsifier *p, int above, MlirValue variable) {
  const MlirValue *bases;
  intptr_t count = provenance_bases(p->graph, variable, &bases);
  bool all = !provenance_space(p->graph, variable).is_positions;
  for (intptr_t n = 0; n < count; ++n)
    all &= result_level_of(p, bases[n]) > above;
  return all;
}

/* Whether a level is of a variable in a linear form: loops around a block may leave some of its
 * coordinates, as of R(i,i), or of R(i+j,i). */
static bool is_of_form(const sparsifier *p, int l) {
  const assignment *a = p->s->result->assignments[0];
  for (intptr_t d = 0; d < a->rank; ++d)
    if (mlirAffineExprIsFunctionOfDim(result_level(p, l)->expression, d) &&
        provenance_is_in_form(p->graph, subscript_variable(&a->subscripts[d])))
      return true;
  return false;
}

/* Whether each value below what is appended, or copied, or of an array, is stored by a plain
 * assignment: the innermost loops are over all of the block there, divided or not, and nothing
 * else. */
static bool stores_blocks(const sparsifier *p) {
  const tensor *result = p->s->result;
  int levels = result_level_count(p), above = above_block(p);
  int foralls = ops_below(p->memory, p->s->kernel, cin_is_forall).count;
  block_nest n = {.variables = ARENA_ARRAY(p->memory, MlirValue, foralls + 1)};
  if (above == NO_BLOCK || p->drops || result->format->triangle != TIN_WHOLE ||
      result->assignment_count != 1 || !stores(p, result->assignments[0]) ||
      !find_foralls(p, &n.foralls, n.variables))
    return false;
  n.outer = n.foralls;
  while (n.outer > 0 && result_is_gone_through(p, above, n.variables[n.outer - 1]))
    --n.outer;
  n.appended = above >= 0 && !p->copied;
  if (above < 0 && n.outer)
    return false;
  for (int l = above + 1; l < levels; ++l) {
    MlirValue variable = result_variable(p, l);
    if (!(result_level(p, l)->properties & LEVEL_FULL) || !cin_is_index(value_owner(variable)) ||
        !variable_comes_to_all(p, variable) || (above >= 0 && is_of_form(p, l)) ||
        !provenance_follows(p->graph, variable, n.foralls - n.outer, n.variables + n.outer))
      return false;
  }
  for (int i = 0; i < p->s->iterators.count; ++i)
    if (leaves_out(p, p->s->iterators.iterators[i], &n))
      return false;
  return true;
}

/* Whether a loop on threads collects at once, each thread where its entries go. */
static bool collects_apart(const sparsifier *p) {
  op_list foralls = ops_below(p->memory, p->s->kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i)
    if (cin_op_unit(foralls.ops[i]) == CIN_CPU_THREAD &&
        parallel_collects_apart(p->memory, p->graph, p->s->kernel, foralls.ops[i]))
      return true;
  return false;
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
  p->parts = find_parts(p);
  sit_result(p->b, result->value, a->rank, dimensions, attribute, (cin_assembly)p->built.how.way,
             p->parts.innermost || stores_blocks(p), collects_apart(p));
}

static MlirValue number_of(sparsifier *p, int l) {
  int dimension = remap_counted(result_level(p, l)->expression);
  MlirValue variable = subscript_variable(&p->s->result->assignments[0]->subscripts[dimension]);
  return sit_number(p->b, p->s->result->value, l, provenance_coordinate(p->graph, p->b, variable));
}

static MlirValue coordinate_of(sparsifier *p, int l) {
  if (is_numbered(p, l))
    return number_of(p, l);
  return provenance_coordinate(p->graph, p->b, result_variable(p, l));
}

static MlirValue parent_of(const sparsifier *p, int l) {
  return l ? p->now.placed[l - 1] : none;
}

static void append_group(sparsifier *p, int first, int end) {
  for (int l = first; l < end; ++l)
    p->now.placed[l] = sit_append(p->b, p->s->result->value, l, coordinate_of(p, l));
}

static bool group_is_known(const sparsifier *p, int l) {
  for (int end = group_end(p, l); l < end; ++l)
    if (!result_is_known(p, l))
      return false;
  return true;
}

/* Whether entries of the level are appended once it is known whether they have any below. */
static bool is_deferred(const sparsifier *p, int l) {
  int end = group_end(p, l);
  return !result_inserts(p, l) && end < result_level_count(p) && !result_inserts(p, end) &&
         !group_is_known(p, end);
}

static void place_entries(sparsifier *p, int first, int end) {
  for (int l = first; l < end; ++l)
    p->now.placed[l] =
        sit_place(p->b, p->s->result->value, l, coordinate_of(p, l), parent_of(p, l));
}

/* Where what is copied has its own: what is below has its place under the last of its levels. */
static MlirValue copied_position(sparsifier *p, int l) {
  const iterator *i = p->copied->iterators[l];
  if (l + 1 < p->built.how.end)
    return none;
  return sit_copied(p->b, p->s->result->value, l, p->copied->tensor->value,
                    p->now.positions[i->number]);
}

static void place_group(sparsifier *p, int l) {
  if (p->counting && l > p->counted)
    return;
  if (p->counting && l == p->counted)
    sit_count(p->b, p->s->result->value, l, coordinate_of(p, l), parent_of(p, l));
  else if (p->copied && l < p->built.how.end)
    p->now.placed[l] = copied_position(p, l);
  else if (assembly_counts(&p->built.how, l))
    place_entries(p, l, group_end(p, l));
  else if (result_inserts(p, l))
    p->now.placed[l] =
        sit_insert(p->b, p->s->result->value, l, coordinate_of(p, l), parent_of(p, l));
  else if (!is_deferred(p, l))
    append_group(p, l, group_end(p, l));
}

/* Whether the code assigns to the result once, outside of foralls. */
static bool assigns_once(const sparsifier *p, const block *code) {
  const index_statement *only = NULL;
  for (int n = 0; n < code->count; ++n) {
    block alone = {1, &code->statements[n]};
    if (!block_assigns(&alone, p->s->result))
      continue;
    if (only)
      return false;
    only = code->statements[n];
  }
  if (only && only->kind == STATEMENT_WHERE)
    return assigns_once(p, &only->body);
  return only && only->kind == STATEMENT_ASSIGNMENT;
}

/* The value at a position just appended, before it is reduced into. */
static void start_value(sparsifier *p, const block *code) {
  int last = result_level_count(p) - 1;
  const assignment *reduction = result_reduction(p);
  p->now.store_only = !result_inserts(p, last) && assigns_once(p, code);
  if (reduction && !result_inserts(p, last) && !p->now.store_only && !p->counting)
    sit_store(p->b, scalar_emit(p->b, &reduction->identity), p->s->result->value,
              p->now.placed[last]);
}

/* What is appended to the frame's next level from here on is under one parent, which has come in
 * the frame, or is the root. */
static void open_level(sparsifier *p, result_frame *frame) {
  int l = frame->last;
  bool comes = l > frame->first || p->now.at_top;
  if (!comes || l == result_level_count(p) || result_inserts(p, l) ||
      assembly_places(&p->built.how))
    return;
  frame->opened[frame->opened_count++] = (opened_level){l, sit_end(p->b, p->s->result->value, l)};
}

/* What is collected is there once it is counted: not before its value is known, where that may be
 * left out. */
static bool may_be_placed(const sparsifier *p) {
  for (int l = 0; p->drops && is_collected(p) && l < result_level_count(p); ++l)
    if (!result_is_known(p, l))
      return false;
  return true;
}

bool result_guard(sparsifier *p, const block *code) {
  if (!p->drops || code->count != 1 || code->statements[0]->kind != STATEMENT_ASSIGNMENT)
    return false;
  const assignment *a = code->statements[0]->assignment;
  absence here = absence_here(p);
  const expression *remainder = assignment_remainder(&here, a);
  bool entry = remainder && a->target == p->s->result && !a->kind;
  MlirValue value = entry ? emit_expression(p, remainder) : none;
  if (mlirValueIsNull(value))
    return false;
  if_begin(p->b, differs(p->b, value, scalar_emit(p->b, &p->s->result->fill)));
  return true;
}

result_frame result_begin(sparsifier *p, const block *code) {
  int first = p->now.placed_count;
  result_frame frame = {.first = first, .last = first, .deferred = -1};
  if (!block_assigns(code, p->s->result))
    return frame;
  frame.opened = ARENA_ARRAY(p->memory, opened_level, result_level_count(p) + 1);
  bool waits = code->statements[0]->kind == STATEMENT_WHERE && sum_may_be_empty(p, code);
  while (may_be_placed(p) && frame.last < result_level_count(p) && group_is_known(p, frame.last) &&
         !(waits && !result_fills(p, frame.last))) {
    open_level(p, &frame);
    if (is_deferred(p, frame.last))
      frame.deferred = frame.last;
    place_group(p, frame.last);
    frame.last = group_end(p, frame.last);
  }
  p->now.placed_count = frame.last;
  if (frame.last > first && frame.last == result_level_count(p))
    start_value(p, code);
  open_level(p, &frame);
  p->now.at_top = false;
  return frame;
}

static void close_level(sparsifier *p, const opened_level *level) {
  sit_close(p->b, p->s->result->value, level->number, level->begin, parent_of(p, level->number));
}

static void append_parent_if_grown(sparsifier *p, const result_frame *frame,
                                   const opened_level *level) {
  builder *b = p->b;
  if_begin(b, not_equal(b, sit_end(b, p->s->result->value, level->number), level->begin));
  append_group(p, frame->deferred, frame->last);
  close_level(p, level);
  if_end(b);
}

void result_end(sparsifier *p, const result_frame *frame) {
  for (int n = frame->opened_count; n-- > 0;)
    if (frame->deferred >= 0 && n + 1 == frame->opened_count)
      append_parent_if_grown(p, frame, &frame->opened[n]);
    else
      close_level(p, &frame->opened[n]);
}

bool result_is_counted(const sparsifier *p) {
  return p->counting && p->now.placed_count > p->counted;
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

static MlirValue insert_in_workspace(sparsifier *p, const assignment *a) {
  MlirValue position = none;
  for (int l = 0; l < a->target->format->level_count; ++l) {
    int dimension = a->target->format->levels[l].dimension;
    MlirValue at = subscript_coordinate(&a->subscripts[dimension], p->graph, p->b);
    position = sit_insert(p->b, a->target->value, l, at, position);
  }
  return position;
}

/* Where entries are only counted it matters which coordinates a workspace has. */
static void count_workspace(sparsifier *p, const assignment *a) {
  if (a->target->format->order > 0 && !tensor_in_registers(a->target))
    insert_in_workspace(p, a);
}

/* The value once there is a place for it, since what insertion branches for stands in its own
 * blocks: a product is then contracted with the sum that it goes into wherever the code is copied
 * to, and rounds alike. */
static bool assign_workspace(sparsifier *p, const assignment *a, const expression *remainder) {
  bool is_variable = a->target->format->order == 0;
  MlirValue position = is_variable ? none : insert_in_workspace(p, a);
  MlirValue value = emit_expression(p, remainder);
  if (mlirValueIsNull(value))
    return false;
  if (is_variable)
    assign_variable(p, a, value);
  else
    assign_at(p, a, value, position, false, false);
  return true;
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

/* Of foralls around each other, as a GPU has them, one with atomics makes those of the others that
 * have their races ignored (Senanayake et al. 2020). */
static bool needs_atomic(const sparsifier *p, const assignment *a) {
  bool asked = false, shared = false;
  for (const parallel_forall *f = p->now.parallel; f; f = f->outer) {
    asked |= f->race == CIN_ATOMICS;
    if (f->race == CIN_ATOMICS || f->race == CIN_IGNORE_RACES)
      shared |= f->fused || !writes_apart(p, a, f->variable);
  }
  return asked && shared;
}

bool emit_assignment(sparsifier *p, const assignment *a) {
  absence here = absence_here(p);
  const expression *remainder = assignment_remainder(&here, a);
  if (!remainder)
    return true;
  builder_set_location(p->b, mlirOperationGetLocation(a->op));
  sum_add(p, a->target);
  if (p->counting && a->target->role == TENSOR_WORKSPACE)
    count_workspace(p, a);
  if (p->counting)
    return true;
  if (a->target->role == TENSOR_WORKSPACE)
    return assign_workspace(p, a, remainder);
  MlirValue value = emit_expression(p, remainder);
  if (mlirValueIsNull(value))
    return false;
  int last = result_level_count(p) - 1;
  MlirValue position = last < 0 ? none : p->now.placed[last];
  assign_at(p, a, value, position, p->now.store_only, needs_atomic(p, a));
  return true;
}
