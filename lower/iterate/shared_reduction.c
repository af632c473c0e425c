/* shared_reduction.c - what threads reduce into at once; see shared_reduction.h. */
#include "shared_reduction.h"

#include "cin.h"
#include "ir.h"
#include "kernel.h"
#include "sit.h"
#include "visits.h"

/* The chunks that have a copy each, where results are to come to the same bits. */
enum { CHUNKS_WITH_COPIES = 16 };

/* What a place of a copy costs, which is made, filled and added to the result, in visits (visits.h)
 * of single places in no order, and of places next to each other, one by one and on lanes. */
enum { PLACE_IN_VISITS = 6, PLACE_IN_LINE = 32, PLACE_ON_LANES = 8 };

static storage *result_storage(const lowering *k) {
  return lowering_storage(k, sit_kernel_result(k->op));
}

static bool is_shared(MlirOperation op) {
  return sit_is_coiterate(op) && cin_unit_is_concurrent(cin_op_unit(op)) &&
         cin_race_is_private(cin_op_race(op));
}

/* ---- What is reduced into ----------------------------------------------------------------- */

typedef struct reading {
  shared_reduction *r;
  MlirOperation loop;
} reading;

static bool add_variable(reading *n, MlirOperation set) {
  shared_reduction *r = n->r;
  MlirValue variable = sit_op_var(set);
  MlirOperation made = value_owner(variable);
  for (int i = 0; i < r->variable_count; i++)
    if (mlirValueEqual(r->variables[i].variable, variable))
      return true;
  if (value_is_made_in(n->loop, variable))
    return true;
  if (!sit_var_kind(made))
    return error_at(set, "'sit.set' on threads expected a variable that says by what it is reduced "
                         "('by add'), found one that does not");
  if (r->variable_count == SHARED_VARIABLES)
    return error_at(n->loop, "'sit.coiterate' on threads expected at most %d variables",
                    SHARED_VARIABLES);
  r->variables[r->variable_count++] =
      (shared_variable){.variable = variable,
                        .kind = sit_var_kind(made),
                        .element = mlirValueGetType(sit_var_initial(made))};
  return true;
}

/* By the loop right around, which may go over all coordinates. */
static int64_t place_in_visits(MlirOperation accumulate) {
  MlirOperation loop = mlirOperationGetParentOperation(accumulate);
  if (!sit_is_coiterate(loop) || sit_coiterate_count(loop))
    return PLACE_IN_VISITS;
  return cin_op_unit(loop) == CIN_CPU_VECTOR ? PLACE_ON_LANES : PLACE_IN_LINE;
}

static bool add_result(reading *n, MlirOperation accumulate) {
  shared_reduction *r = n->r;
  tin_reduction kind = sit_accumulate_kind(accumulate);
  if (cin_unit_is_gpu(cin_op_unit(n->loop)))
    return error_at(accumulate,
                    "'sit.accumulate' expected 'atomic' on a GPU, whose threads have no "
                    "copies of a result");
  if (!storage_has_places(result_storage(r->k)))
    return error_at(n->loop,
                    "'sit.coiterate' expected a dense result, of which threads have copies");
  if (r->kind && r->kind != kind)
    return error_at(accumulate, "'sit.accumulate' on threads expected '%s' as before, found '%s'",
                    tinReductionName(r->kind), tinReductionName(kind));
  r->kind = kind;
  r->place = place_in_visits(accumulate);
  r->result = sit_kernel_result(r->k->op);
  return true;
}

static bool add_workspace(reading *n, MlirOperation insert) {
  shared_reduction *r = n->r;
  MlirValue workspace = sit_op_tensor(insert);
  for (int i = 0; i < r->workspace_count; i++)
    if (mlirValueEqual(r->workspaces[i].workspace, workspace))
      return true;
  if (!storage_is_gathered_by_threads(lowering_storage(r->k, workspace)))
    return error_at(insert,
                    "'sit.insert' on threads expected a workspace that is kept by a policy, "
                    "found one of arrays");
  if (r->workspace_count == SHARED_WORKSPACES)
    return error_at(n->loop, "'sit.coiterate' on threads expected at most %d workspaces",
                    SHARED_WORKSPACES);
  r->workspaces[r->workspace_count++].workspace = workspace;
  return true;
}

static bool inserts_outside(const reading *n, MlirOperation op) {
  if (!sit_is_insert(op) || value_is_made_in(n->loop, sit_op_tensor(op)))
    return false;
  MlirOperation made = value_owner(sit_op_tensor(op));
  return !mlirOperationIsNull(made) && sit_is_workspace(made);
}

static bool visit(MlirOperation op, void *data) {
  reading *n = data;
  if (inserts_outside(n, op))
    return add_workspace(n, op);
  if (sit_is_set(op))
    return add_variable(n, op);
  bool into_result = (sit_is_accumulate(op) || sit_is_store(op)) &&
                     mlirValueEqual(sit_op_tensor(op), sit_kernel_result(n->r->k->op));
  if (into_result && sit_is_store(op))
    return error_at(op, "'sit.store' expected a reduction into the result, of which threads have "
                        "copies");
  return !into_result || add_result(n, op);
}

bool shared_reduction_read(shared_reduction *r, lowering *k, MlirOperation coiterate) {
  reading n = {r, coiterate};
  *r = (shared_reduction){.k = k, .loop = coiterate};
  return !cin_race_is_private(cin_op_race(coiterate)) || visit_below(coiterate, visit, &n);
}

bool shared_reduction_is_needed(const shared_reduction *r) {
  return r->variable_count || r->result.ptr || r->workspace_count;
}

/* Whether a loop on threads with chunks of their own is around an operation, inside of the block of
 * another one. */
static bool has_chunks_around(MlirOperation op, MlirOperation outside) {
  MlirBlock block = mlirOperationGetBlock(outside);
  for (; !mlirBlockEqual(mlirOperationGetBlock(op), block);
       op = mlirOperationGetParentOperation(op))
    if (is_shared(mlirOperationGetParentOperation(op)))
      return true;
  return false;
}

bool shared_workspace_is_gathered(MlirOperation workspace, const tensor_format *format) {
  MlirValue tensor = mlirOperationGetResult(workspace, 0);
  if (!format->level_count || !(format->levels[0].format->capabilities & LEVEL_WORKSPACE))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (sit_is_insert(op) && has_chunks_around(op, workspace))
      return true;
  }
  return false;
}

static bool has_copy_of_chunk(const shared_reduction *r) {
  return r->result.ptr && r->k->deterministic;
}

/* How many copies of the result, of at most so many, save more than they cost. */
static MlirValue copies_worth(const lowering *k, int64_t place, MlirValue most) {
  builder *b = k->b;
  MlirValue places = storage_value_count(result_storage(k));
  MlirValue visits = mul(b, places, constant_index(b, place));
  MlirValue arguments[] = {index_cast(b, most, type_i(b, 64)),
                           index_cast(b, visits, type_i(b, 64))};
  MlirValue count = call(b, "lac_kernel_copies_worth", type_i(b, 64), 2, arguments);
  return index_cast(b, count, type_index(b));
}

/* Fewer where there is little to do, whatever the number of threads. */
static MlirValue chunks_worth(const shared_reduction *r, MlirValue most) {
  builder *b = r->k->b;
  expect_visits(r->k, r->loop);
  MlirValue parts = call(b, "lac_kernel_parts_count", type_i(b, 64), 0, NULL);
  return min_i(b, most, index_cast(b, parts, type_index(b)));
}

MlirValue shared_reduction_chunks(const shared_reduction *r, int64_t most) {
  bool few = has_copy_of_chunk(r) || r->workspace_count;
  MlirValue chunks = constant_index(r->k->b, few ? CHUNKS_WITH_COPIES : most);
  if (!has_copy_of_chunk(r))
    return chunks_worth(r, chunks);
  expect_visits(r->k, r->loop);
  return copies_worth(r->k, r->place, chunks);
}

static MlirValue thread_count(const lowering *k) {
  builder *b = k->b;
  MlirValue most = parallel_threads(b);
  MlirValue count = call(b, "lac_kernel_copies_count", type_i(b, 64), 1, &most);
  return index_cast(b, count, type_index(b));
}

MlirValue shared_reduction_threads(const shared_reduction *r) {
  if (!r->workspace_count || r->variable_count || r->result.ptr || r->k->deterministic)
    return (MlirValue){NULL};
  expect_visits(r->k, r->loop);
  return thread_count(r->k);
}

MlirValue shared_reduction_next(const shared_reduction *r) {
  return storage_gather_next(r->workspaces[0].outside.tensor);
}

/* ---- The loop ----------------------------------------------------------------------------- */

/* One for each chunk, or for each of so many threads as they are worth it for. */
static MlirValue copy_count(const lowering *k, int64_t place, MlirValue chunks) {
  builder *b = k->b;
  if (k->deterministic)
    return max_i(b, chunks, constant_index(b, 1));
  return copies_worth(k, place, thread_count(k));
}

/* No loop runs on more threads than have copies, until there is no such number (null) again. */
static void threads_most(const lowering *k, MlirValue count) {
  builder *b = k->b;
  MlirValue most =
      count.ptr ? index_cast(b, count, type_i(b, 64)) : constant_scalar(b, type_i(b, 64), 0);
  if (!k->deterministic)
    call(b, "lac_kernel_threads_most", (MlirType){NULL}, 1, &most);
}

void shared_partials_begin(shared_reduction *r, MlirValue count) {
  for (int i = 0; i < r->variable_count; i++) {
    shared_variable *v = &r->variables[i];
    v->partials = storage_partials_begin(result_storage(r->k), v->element, count);
  }
}

void shared_partials_end(shared_reduction *r) {
  builder *b = r->k->b;
  for (int i = 0; i < r->variable_count; i++) {
    shared_variable *v = &r->variables[i];
    variable all = v->outside.variable;
    var_set(b, all, storage_partials_end(v->partials, v->kind, var_get(b, all), r->k->strict));
  }
}

MlirValue shared_variable_identity(builder *b, const shared_variable *v) {
  return constant_attr(b, combine_identity(b, v->kind, v->element));
}

void shared_variables_enter(shared_reduction *r) {
  builder *b = r->k->b;
  for (int i = 0; i < r->variable_count; i++) {
    shared_variable *v = &r->variables[i];
    v->outside = *lowering_find(r->k, v->variable);
    variable own = var_make(b, shared_variable_identity(b, v));
    lowering_bind(r->k, v->variable, (lowered){.variable = own});
  }
}

/* Copies are made on threads too, if the loop does much; what was said of it is gone then. */
void shared_reduction_begin(shared_reduction *r, MlirValue count) {
  storage *s = result_storage(r->k);
  expect_visits(r->k, r->loop);
  r->whole = *lowering_find(r->k, sit_kernel_result(r->k->op));
  shared_partials_begin(r, count);
  for (int i = 0; i < r->workspace_count; i++) {
    shared_workspace *w = &r->workspaces[i];
    w->outside = *lowering_find(r->k, w->workspace);
    storage_gather_begin(w->outside.tensor, count);
  }
  r->lends = r->result.ptr && r->k->copies;
  if (r->lends)
    r->copies = r->k->copies;
  else if (r->result.ptr) {
    MlirValue copies = copy_count(r->k, r->place, count);
    r->copies = storage_copies_begin(s, r->kind, copies);
    expect_visits(r->k, r->loop);
    threads_most(r->k, copies);
  }
  if_begin(r->k->b, storage_is_fine(s));
}

static void enter_workspaces(shared_reduction *r) {
  r->outer = rest_mark(r->k);
  for (int i = 0; i < r->workspace_count; i++) {
    MlirValue begun;
    shared_workspace *w = &r->workspaces[i];
    storage *own = storage_gather_own(w->outside.tensor, &begun);
    lowering_bind(r->k, w->workspace, (lowered){.tensor = own, .ready = true});
    lower_rest_under(r->k, begun, own);
  }
}

static void leave_workspaces(shared_reduction *r, MlirValue chunk) {
  for (int i = 0; i < r->workspace_count; i++) {
    shared_workspace *w = &r->workspaces[i];
    storage_gather_end(w->outside.tensor, lowering_storage(r->k, w->workspace), chunk);
    lowering_bind(r->k, w->workspace, w->outside);
  }
  close_rest(r->k, r->outer);
}

void shared_reduction_enter(shared_reduction *r, MlirValue chunk) {
  builder *b = r->k->b;
  shared_variables_enter(r);
  enter_workspaces(r);
  if (!r->result.ptr)
    return;
  MlirValue number =
      has_copy_of_chunk(r)
          ? chunk
          : index_cast(b, call(b, "omp_get_thread_num", type_i(b, 32), 0, NULL), type_index(b));
  lowered own = r->whole;
  own.tensor = storage_copy(r->copies, number);
  lowering_bind(r->k, r->result, own);
}

void shared_reduction_leave(shared_reduction *r, MlirValue chunk) {
  for (int i = 0; i < r->variable_count; i++) {
    shared_variable *v = &r->variables[i];
    variable own = lowering_find(r->k, v->variable)->variable;
    storage_partial_set(v->partials, chunk, var_get(r->k->b, own));
    lowering_bind(r->k, v->variable, v->outside);
  }
  if (r->result.ptr)
    lowering_bind(r->k, r->result, r->whole);
  leave_workspaces(r, chunk);
}

void shared_reduction_end(shared_reduction *r) {
  if_end(r->k->b);
  shared_partials_end(r);
  if (r->result.ptr && !r->lends) {
    threads_most(r->k, (MlirValue){NULL});
    storage_copies_end(r->copies, r->k->strict);
  }
}

/* ---- Copies of loops around ------------------------------------------------------------- */

/* What is done with the result in a loop. */
typedef struct result_uses {
  const lowering *k;
  MlirOperation loop;
  tin_reduction kind;   /* what it is reduced by */
  bool shared, differs; /* by loops on threads that want copies; in several ways, or otherwise */
  int64_t place;        /* what one of a copy costs, in visits */
} result_uses;

static bool is_of_result(const result_uses *u, MlirOperation op) {
  bool names = sit_is_accumulate(op) || sit_is_store(op) || sit_is_value(op);
  return names && mlirValueEqual(sit_op_tensor(op), sit_kernel_result(u->k->op));
}

/* Whether a loop on threads with copies is around the operation, inside of the loop. */
static bool has_copies(const result_uses *u, MlirOperation op) {
  for (; !mlirOperationEqual(op, u->loop); op = mlirOperationGetParentOperation(op))
    if (walked_on_threads(op))
      return cin_race_is_private(cin_op_race(op));
  return false;
}

static bool look(MlirOperation op, void *data) {
  result_uses *u = data;
  if (!is_of_result(u, op))
    return true;
  tin_reduction kind = sit_is_accumulate(op) ? sit_accumulate_kind(op) : TIN_NO_REDUCTION;
  u->differs |= !kind || (u->kind && u->kind != kind);
  u->kind = kind;
  u->shared |= has_copies(u, op);
  u->place = place_in_visits(op);
  return true;
}

bool shared_copies_begin(lowering *k, MlirOperation coiterate) {
  result_uses u = {.k = k, .loop = coiterate};
  if (k->copies || k->parallel_mark || cin_op_unit(coiterate) != CIN_SERIAL)
    return false;
  visit_below(coiterate, look, &u);
  if (!u.shared || u.differs ||
      tensor_format_no_array_level(storage_format(result_storage(k))) >= 0)
    return false;
  builder *b = k->b;
  expect_visits(k, coiterate);
  MlirValue count = copy_count(k, u.place, constant_index(b, CHUNKS_WITH_COPIES));
  k->copies = storage_copies_begin(result_storage(k), u.kind, count);
  threads_most(k, count);
  return true;
}

void shared_copies_end(lowering *k) {
  threads_most(k, (MlirValue){NULL});
  storage_copies_end(k->copies, k->strict);
  k->copies = NULL;
}
