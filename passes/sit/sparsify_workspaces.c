/* sparsify_workspaces.c - code for a where: the producer, then the consumer.
 *
 *     order 0                      in registers                 others
 *     %t = sit.var %identity       %w = sit.workspace           (%w = sit.workspace at the top)
 *     producer                     producer                     producer
 *     consumer                     consumer                     sit.sort %w level 0
 *                                                               consumer, which walks %w
 *                                                               sit.clear %w
 *
 * One of dense levels is located in, and not sorted.  Where all that the consumer does is to put
 * each value where it belongs, on lanes, it leaves the place cleared behind it, and there is no
 * sit.clear.
 *
 * A producer that has nothing to produce where the code stands is not emitted: the consumer has
 * been simplified by its identity already.
 */
#include "sparsify_guards.h"

#include "cin.h"

#include <mlir-c/BuiltinTypes.h>

static bool reads_workspace(const sparsifier *p, const index_statement *where) {
  effects all = block_effects(p->memory, &where->body);
  absence here = absence_here(p);
  for (int n = 0; n < all.count; ++n) {
    const expression *e = assignment_remainder(&here, all.assignments[n]);
    if (e && expression_reads(p->s->expressions, e, where->workspace))
      return true;
  }
  return false;
}

static bool emit_consumer(sparsifier *p, const index_statement *where) {
  reached_state before = reached_state_enter(p);
  p->now.produced[where->workspace->number] = true;
  effects all = block_effects(p->memory, &where->body);
  settle(p, &all);
  bool emitted = emit_entry(p, &where->body);
  reached_state_leave(p, before);
  return emitted;
}

static bool emit_producer(sparsifier *p, const index_statement *where) {
  effects all = block_effects(p->memory, &where->producer);
  settle(p, &all);
  return emit_block(p, &where->producer);
}

/* How threads below put together what each of them has reduced; TIN_NO_REDUCTION where none do. */
static tin_reduction reduced_on_threads(const block *code, const tensor *workspace) {
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    bool threads = at->kind == STATEMENT_FORALL && cin_unit_is_concurrent(cin_op_unit(at->op));
    if (threads && block_assigns(&at->body, workspace))
      return workspace->assignments[0]->kind;
    tin_reduction kind = reduced_on_threads(&at->body, workspace);
    if (kind || (kind = reduced_on_threads(&at->producer, workspace)))
      return kind;
  }
  return TIN_NO_REDUCTION;
}

/* Where entries are only counted, it matters whether anything comes to the variable. */
static bool emit_through_variable(sparsifier *p, const index_statement *where) {
  tensor *workspace = where->workspace;
  tin_reduction on_threads = reduced_on_threads(&where->producer, workspace);
  sum_begin(p, where, on_threads);
  if (p->counting && mlirValueIsNull(workspace->any))
    return emit_consumer(p, where);
  if (!p->counting)
    workspace->value = sit_var(p->b, scalar_emit(p->b, &workspace->fill), on_threads);
  if (!emit_producer(p, where))
    return false;
  MlirValue came = sum_came(p, where);
  if (came.ptr)
    if_begin(p->b, came);
  bool emitted = emit_consumer(p, where);
  if (came.ptr)
    if_end(p->b);
  return emitted;
}

static MlirAttribute identity_of(const tensor *workspace) {
  return scalar_is_zero(&workspace->fill) ? (MlirAttribute){NULL} : workspace->fill_attribute;
}

static bool emit_through_registers(sparsifier *p, const index_statement *where) {
  tensor *workspace = where->workspace;
  if (p->counting)
    return emit_consumer(p, where);
  int order = workspace->format->order;
  MlirValue *sizes = ARENA_ARRAY(p->memory, MlirValue, order);
  for (int d = 0; d < order; ++d)
    sizes[d] = constant_index(p->b, mlirShapedTypeGetDimSize(workspace->type, d));
  note_stands_apart(p, workspace);
  workspace->value = sit_workspace(p->b, workspace->type, order, sizes, identity_of(workspace));
  return emit_producer(p, where) && emit_consumer(p, where);
}

/* Whether the consumer goes on lanes through all places of an array, once, and does nothing but
 * assign what is there to a place in another.  On a GPU threads may read a place together, and one
 * of a triangle is assigned to in part. */
static bool takes_all(const sparsifier *p, const index_statement *where) {
  const tensor *workspace = where->workspace;
  const index_statement *forall = where->body.count == 1 ? where->body.statements[0] : NULL;
  if (p->counting || !tensor_format_is_dense(workspace->format) || workspace->format->order != 1 ||
      !forall || forall->kind != STATEMENT_FORALL || cin_op_unit(forall->op) != CIN_CPU_VECTOR ||
      !mlirValueEqual(forall->variable, cin_workspace_variable(workspace->op, 0)) ||
      forall->body.count != 1 || forall->body.statements[0]->kind != STATEMENT_ASSIGNMENT)
    return false;
  const assignment *a = forall->body.statements[0]->assignment;
  return !a->kind && tensor_format_is_dense(a->target->format) &&
         a->target->format->triangle == TIN_WHOLE && a->value->kind == EXPRESSION_ACCESS &&
         a->value->access->tensor == workspace;
}

static bool emit_through_tensor(sparsifier *p, const index_statement *where) {
  tensor *workspace = where->workspace;
  if (!emit_producer(p, where))
    return false;
  if (workspace->format->levels[0].format->capabilities & LEVEL_WORKSPACE)
    sit_sort(p->b, workspace->value, 0);
  workspace->is_taken = takes_all(p, where);
  if (!emit_consumer(p, where))
    return false;
  if (!workspace->is_taken)
    sit_clear(p->b, workspace->value);
  return true;
}

bool emit_where(sparsifier *p, const index_statement *where) {
  builder_set_location(p->b, mlirOperationGetLocation(where->op));
  if (!reads_workspace(p, where))
    return emit_entry(p, &where->body);
  if (tensor_in_registers(where->workspace))
    return emit_through_registers(p, where);
  return where->workspace->format->order == 0 ? emit_through_variable(p, where)
                                              : emit_through_tensor(p, where);
}

static void emit_workspace(sparsifier *p, tensor *workspace) {
  int order = workspace->format->order;
  MlirValue *extents = ARENA_ARRAY(p->memory, MlirValue, order);
  for (int d = 0; d < order; ++d)
    extents[d] = provenance_extent(p->graph, p->b, cin_workspace_variable(workspace->op, d));
  workspace->value = sit_workspace(p->b, workspace->type, order, extents, identity_of(workspace));
}

void emit_workspaces(sparsifier *p, const block *code) {
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    if (at->kind == STATEMENT_FORALL && cin_unit_is_concurrent(cin_op_unit(at->op)))
      continue;
    if (at->kind == STATEMENT_WHERE && at->workspace->format->order > 0 &&
        !tensor_in_registers(at->workspace))
      emit_workspace(p, at->workspace);
    emit_workspaces(p, &at->body);
    emit_workspaces(p, &at->producer);
  }
}
