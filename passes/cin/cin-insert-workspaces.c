/* cin-insert-workspaces.c - inserts the workspaces that results need, which are rows
 * (insert_rows.c), and those that reductions want.
 *
 * A reduction in the innermost foralls goes to a scalar:
 *
 *     forall i { forall j { y[i] add b } }
 *  -> forall i { where { y[i] = t } producing t { forall j { t add b } } }
 *
 * Where foralls over a few coordinates each, as those of a block are, go inside of a reduction,
 * what they reduce into is small enough for registers:
 *
 *     forall ib { forall jb { forall ir { forall jr { y[i] add b } } } }
 *  -> forall ib { where { forall ir { y[i] = w[ir] } }
 *                 producing w { forall jb { forall ir { forall jr { w[ir] add b } } } } }
 *
 * Where a level below which there are others repeats coordinates, a workspace that a schedule has
 * made is added to for each.  What those of rows keep entries in is chosen at last
 * (choose_policies.c).
 *
 * (Kjolstad et al. 2019, section 5; Zhang et al. 2024, section 3.)
 */
#include "bridge.h"
#include "copied_operand.h"
#include "diagnostic.h"
#include "insert_workspaces.h"
#include "kernel_statement.h"
#include "parallel_safety.h"
#include "result_format.h"
#include "scattering.h"
#include "statistics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* ---- assignments to and from workspaces ---------------------------------------------------- */

bool inserter_is_result(const inserter *w, MlirOperation assign) {
  return mlirValueEqual(cin_access_tensor(assign), cin_kernel_result(w->kernel));
}

int inserter_assigns_below(const inserter *w, MlirOperation root, MlirValue tensor) {
  op_list assigns = ops_below(w->memory, root, cin_is_assign);
  int count = 0;
  for (int i = 0; i < assigns.count; ++i)
    count += mlirValueEqual(cin_access_tensor(assigns.ops[i]), tensor);
  return count;
}

bool inserter_reduces_over(const inserter *w, MlirOperation assign, MlirOperation forall) {
  if (!cin_assign_kind(assign) &&
      (provenance_is_counter(w->graph, cin_forall_variable(forall)) || assembly_lists(w->result)))
    return false;
  return !cin_access_follows(w->memory, w->graph, assign, cin_forall_variable(forall));
}

MlirOperation inserter_wrap_in_where(MlirOperation statement, MlirValue workspace) {
  MlirOperation where = cin_where_create(mlirOperationGetLocation(statement), workspace);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(statement), statement, where);
  mlirOperationRemoveFromParent(statement);
  mlirBlockAppendOwnedOperation(cin_where_producer(where), statement);
  return where;
}

MlirOperation inserter_wrap_all_in_where(const inserter *w, MlirOperation outer,
                                         MlirOperation assign, MlirValue workspace) {
  MlirOperation first = mlirOperationIsNull(outer)
                            ? cin_kernel_first_statement(w->kernel)
                            : mlirBlockGetFirstOperation(cin_forall_body(outer));
  MlirBlock block = mlirOperationGetBlock(first);
  MlirOperation where = cin_where_create(mlirOperationGetLocation(assign), workspace), next;
  for (MlirOperation op = first; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(cin_where_producer(where), op);
  }
  mlirBlockAppendOwnedOperation(block, where);
  return where;
}

void inserter_produce(MlirOperation assign, MlirValue workspace, intptr_t count,
                      const MlirValue *variables) {
  MlirOperation produced = cin_bare_assign(mlirOperationGetLocation(assign), workspace, count,
                                           variables, cin_assign_value(assign),
                                           cin_assign_kind(assign), cin_assign_identity(assign));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(assign), assign, produced);
}

void inserter_consume(MlirOperation assign, MlirBlock block, MlirValue workspace, intptr_t count,
                      const MlirValue *variables, bool plain) {
  MlirOperation read = cin_bare_read(mlirOperationGetLocation(assign), workspace, count, variables);
  mlirBlockAppendOwnedOperation(block, read);
  MlirOperation consumed = mlirOperationClone(assign);
  cin_assign_set_value(consumed, mlirOperationGetResult(read, 0));
  if (plain)
    cin_assign_set_plain(consumed);
  mlirBlockAppendOwnedOperation(block, consumed);
}

MlirBlock inserter_add_forall(MlirOperation assign, MlirValue variable, MlirBlock block) {
  MlirOperation forall = cin_forall_create(mlirOperationGetLocation(assign), variable);
  mlirBlockAppendOwnedOperation(block, forall);
  return cin_forall_body(forall);
}

MlirValue inserter_variable_like(const inserter *w, MlirValue variable) {
  const char *name = cin_new_name(w->memory, w->kernel, variable, "_row");
  MlirOperation index = cin_index_create(mlirOperationGetLocation(w->kernel), name, variable, -1);
  return mlirOperationGetResult(cin_declare(w->kernel, index), 0);
}

bool inserter_goes_in_place_of(const inserter *w, MlirValue loop, MlirValue variable) {
  const MlirValue *roots;
  return provenance_has_root(w->graph, loop, variable) &&
         (provenance_roots(w->graph, loop, &roots) > 1 ||
          provenance_space(w->graph, loop).is_positions || provenance_is_collapsed(w->graph, loop));
}

bool inserter_appends(const inserter *w) {
  return !assembly_repeats(assembly_least(&w->ways).way);
}

bool inserter_revisits(const inserter *w, MlirOperation assign, MlirOperation forall) {
  return inserter_reduces_over(w, assign, forall) ||
         (cin_assign_kind(assign) &&
          cin_access_reduces(w->graph, assign, cin_forall_variable(forall)));
}

/* ---- order zero: reductions innermost --------------------------------------------------- */

static bool is_where_of(MlirOperation op, MlirValue tensor) {
  return cin_is_where(op) && mlirValueEqual(cin_where_workspace(op), tensor);
}

/* Whether what is reduced in the forall is put together where it ends. */
static bool is_one_reduction(MlirOperation forall) {
  cin_unit unit = cin_op_unit(forall);
  bool parts = (cin_unit_is_concurrent(unit) || unit == CIN_CPU_VECTOR) &&
               cin_race_is_private(cin_op_race(forall));
  return !cin_forall_is_parallel(forall) || parts;
}

/* The outermost of the foralls around the assignment that reduce, with no other between; null if
 * the innermost does not. */
static MlirOperation innermost_reductions(const inserter *w, MlirOperation assign) {
  MlirOperation outermost = {NULL};
  for (MlirOperation up = mlirOperationGetParentOperation(assign);
       !cin_is_kernel(up) && !is_where_of(up, cin_access_tensor(assign));
       up = mlirOperationGetParentOperation(up)) {
    if (!cin_is_forall(up))
      continue;
    if (!is_one_reduction(up) || !inserter_reduces_over(w, assign, up))
      break;
    outermost = up;
  }
  return outermost;
}

/* Whether every value that reduces into one place is reduced inside `statement`. */
static bool is_complete(const inserter *w, MlirOperation assign, MlirOperation statement) {
  if (inserter_assigns_below(w, w->kernel, cin_access_tensor(assign)) != 1)
    return false;
  op_list path = cin_path(w->memory, statement);
  for (int i = 0; i < path.count; ++i)
    if (inserter_revisits(w, assign, path.ops[i]) || cin_op_race(path.ops[i]) != CIN_NO_RACES)
      return false;
  return true;
}

static bool is_zero(MlirAttribute value) {
  if (mlirAttributeIsAFloat(value))
    return mlirFloatAttrGetValueDouble(value) == 0;
  if (mlirAttributeIsAInteger(value))
    return mlirIntegerAttrGetValueInt(value) == 0;
  if (!mlirAttributeIsAArray(value))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    if (!is_zero(mlirArrayAttrGetElement(value, i)))
      return false;
  return true;
}

static bool starts_from_fill(const inserter *w, MlirOperation assign) {
  MlirAttribute fill = cin_kernel_result_fill(w->kernel);
  MlirAttribute identity = cin_assign_identity(assign);
  if (mlirAttributeIsNull(identity))
    identity = combine_identity(w->b, cin_assign_kind(assign), w->result->element);
  if (mlirAttributeIsNull(identity))
    return false;
  return mlirAttributeIsNull(fill) || is_zero(fill) ? is_zero(identity)
                                                    : mlirAttributeEqual(fill, identity);
}

bool inserter_may_assign(const inserter *w, MlirOperation assign, MlirOperation statement) {
  if (!inserter_is_result(w, assign))
    return false;
  bool adds_up = result_is_recorded(w->kernel) && cin_assign_kind(assign) == TIN_ADD;
  return adds_up || (is_complete(w, assign, statement) &&
                     (inserter_appends(w) || starts_from_fill(w, assign)));
}

/* Whether a forall around the statement, in `within`, comes to coordinates again and again. */
static bool is_met_again(const inserter *w, MlirOperation statement, MlirOperation within) {
  op_list path = cin_path(w->memory, statement);
  for (int i = 0; i < path.count; ++i)
    if (op_is_inside(path.ops[i], within) &&
        parallel_walk_branches(w->memory, w->graph, w->kernel, path.ops[i]))
      return true;
  return false;
}

/* Whether the result has places for all coordinates of its last level. */
static bool has_places(const inserter *w) {
  int count = w->result->level_count;
  return !count || w->result->levels[count - 1].properties & LEVEL_FULL;
}

/* Whether the statement runs for each entry of a level that may repeat coordinates, and reduces
 * into a result that has places for it: entries then reduce one by one, without a scalar between.
 * Else that tells whether there is an entry.  What is recorded is added up later, and takes no
 * reductions. */
static bool is_reduced_by_entry(const inserter *w, MlirOperation assign, MlirOperation statement) {
  MlirOperation parent = mlirOperationGetParentOperation(statement);
  if (!inserter_is_result(w, assign) || inserter_appends(w) || result_is_recorded(w->kernel) ||
      !has_places(w))
    return false;
  bool repeats =
      cin_is_forall(parent) && parallel_walk_repeats(w->memory, w->graph, w->kernel, parent);
  return repeats || is_met_again(w, statement, w->kernel);
}

static void insert_scalar(const inserter *w, MlirOperation assign, MlirOperation statement) {
  MlirType element = mlirValueGetType(cin_assign_value(assign));
  MlirType type = mlirRankedTensorTypeGet(0, NULL, element, mlirAttributeGetNull());
  bool plain = inserter_may_assign(w, assign, statement);
  MlirValue scalar = cin_declare_workspace(w->kernel, type, 0, NULL);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirOperation where = inserter_wrap_in_where(statement, scalar);
  inserter_produce(assign, scalar, 0, NULL);
  inserter_consume(assign, cin_where_consumer(where), scalar, 0, NULL, plain);
  mlirOperationDestroy(assign);
}

static bool is_scalar_workspace(const inserter *w, MlirOperation assign) {
  return !inserter_is_result(w, assign) && cin_access_rank(assign) == 0;
}

/* Whether the assignment is to a workspace of a few values, a sum of its own for each. */
static bool is_register_block(MlirOperation assign) {
  MlirType type = mlirValueGetType(cin_access_tensor(assign));
  return cin_is_workspace(value_owner(cin_access_tensor(assign))) &&
         mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) > 0;
}

static void insert_scalars(const inserter *w) {
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    MlirOperation assign = assigns.ops[i];
    if (!cin_assign_kind(assign) || is_scalar_workspace(w, assign) ||
        (w->strict && is_register_block(assign)))
      continue;
    MlirOperation statement = innermost_reductions(w, assign);
    if (!mlirOperationIsNull(statement) && !is_reduced_by_entry(w, assign, statement) &&
        inserter_assigns_below(w, statement, cin_access_tensor(assign)) == 1)
      insert_scalar(w, assign, statement);
  }
}

/* ---- workspaces that entries come to again ------------------------------------------------- */

/* What an operand holds several times, in levels of their own below a coordinate that it repeats,
 * adds up in a workspace as in the result. */
static void add_up_branches(const inserter *w) {
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    MlirOperation assign = assigns.ops[i], where = cin_where_of(assign);
    if (where.ptr && !cin_assign_kind(assign) && is_met_again(w, assign, where))
      cin_assign_set_kind(assign, TIN_ADD);
  }
}

/* ---- a few registers: reductions around short foralls ------------------------------------ */

enum { REGISTERS = 16, REGISTER_DIMENSIONS = 4 };

/* The foralls inside of the place `reduction` of a path that do not reduce. */
typedef struct register_block {
  op_list path;
  int reduction, count;
  MlirValue variables[REGISTER_DIMENSIONS];
  int64_t sizes[REGISTER_DIMENSIONS];
} register_block;

static bool is_directly_in(MlirOperation op, MlirOperation forall) {
  return mlirOperationEqual(mlirOperationGetParentOperation(op), forall) &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(op)) && !cin_forall_is_parallel(forall);
}

/* Of a split, the inner variable has no coordinate where the whole one is walked. */
static bool take_short_forall(const inserter *w, register_block *r, MlirOperation forall,
                              int64_t *registers) {
  MlirValue variable = cin_forall_variable(forall);
  int64_t size = provenance_static_extent(w->graph, variable);
  if (r->count == REGISTER_DIMENSIONS || size < 0 || size > REGISTERS ||
      !cin_is_remap(value_owner(variable)) ||
      !parallel_walks_full(w->memory, w->graph, w->kernel, forall))
    return false;
  r->variables[r->count] = variable;
  r->sizes[r->count++] = size;
  *registers *= size;
  return *registers <= REGISTERS;
}

/* Whether the forall at `reduction` reduces around short foralls only, which do not. */
static bool find_short_foralls(const inserter *w, MlirOperation assign, register_block *r) {
  int64_t registers = 1;
  r->count = 0;
  if (!inserter_reduces_over(w, assign, r->path.ops[r->reduction]) ||
      !is_directly_in(assign, r->path.ops[r->path.count - 1]))
    return false;
  for (int i = r->reduction + 1; i < r->path.count; ++i)
    if (!is_directly_in(r->path.ops[i], r->path.ops[i - 1]) ||
        (!inserter_reduces_over(w, assign, r->path.ops[i]) &&
         !take_short_forall(w, r, r->path.ops[i], &registers)))
      return false;
  return r->count > 0;
}

static void insert_registers(const inserter *w, MlirOperation assign, const register_block *r) {
  MlirOperation statement = r->path.ops[r->reduction];
  MlirType type =
      mlirRankedTensorTypeGet(r->count, r->sizes, w->result->element, mlirAttributeGetNull());
  bool plain = inserter_may_assign(w, assign, statement);
  MlirValue workspace = cin_declare_workspace(w->kernel, type, r->count, r->variables);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirBlock consumer = cin_where_consumer(inserter_wrap_in_where(statement, workspace));
  for (int i = 0; i < r->count; ++i) {
    MlirOperation forall = cin_forall_create(mlirOperationGetLocation(statement), r->variables[i]);
    mlirBlockAppendOwnedOperation(consumer, forall);
    consumer = cin_forall_body(forall);
  }
  inserter_produce(assign, workspace, r->count, r->variables);
  inserter_consume(assign, consumer, workspace, r->count, r->variables, plain);
  mlirOperationDestroy(assign);
}

static void insert_register_blocks(const inserter *w) {
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    MlirOperation assign = assigns.ops[i];
    register_block r = {.path = cin_path(w->memory, assign)};
    if (!inserter_is_result(w, assign) || !cin_assign_kind(assign) || inserter_appends(w))
      continue;
    while (r.reduction < r.path.count && !find_short_foralls(w, assign, &r))
      ++r.reduction;
    if (r.reduction < r.path.count)
      insert_registers(w, assign, &r);
  }
}

/* ---- words --------------------------------------------------------------------------------- */

static bool holds(const op_list *list, MlirOperation op) {
  for (int i = 0; i < list->count; ++i)
    if (mlirOperationEqual(list->ops[i], op))
      return true;
  return false;
}

/* Why rows are gathered, of those that are not from before. */
static void say_rows(const inserter *w, const op_list *before) {
  op_list wheres = ops_below(w->memory, w->kernel, cin_is_where);
  for (int i = 0; i < wheres.count; ++i) {
    if (holds(before, wheres.ops[i]))
      continue;
    scattering s = scattering_of(w->memory, w->graph, w->kernel, wheres.ops[i]);
    if (s.reason)
      remark_at(w->kernel, "gathered the entries of %s along %s in a workspace, %s: %s", s.result,
                s.along, s.reason, s.kind);
  }
}

/* ---- the pass --------------------------------------------------------------------------- */

/* What has its place from the start is not gathered. */
static bool is_copied(const inserter *w) {
  cin_assembly told;
  const kernel_statement *s =
      cin_op_assembly(w->kernel, &told) ? NULL : kernel_statement_read(w->memory, w->kernel);
  return s && copied_operand(w->memory, w->graph, s);
}

static bool insert_into_kernel(arena *memory, MlirOperation kernel,
                               const struct cin_insert_workspaces_options *options) {
  MlirLocation location = mlirOperationGetLocation(kernel);
  inserter w = {.memory = memory,
                .kernel = kernel,
                .strict = options->strict,
                .policies = options->policies,
                .bytes = options->bytes};
  w.graph = provenance_create(memory, kernel);
  w.result = tensor_format_get(memory, mlirValueGetType(cin_kernel_result(kernel)), location);
  op_list before = ops_below(memory, kernel, cin_is_where);
  if (w.result)
    w.ways = assembly_ways(w.result, result_is_recorded(kernel));
  if (!w.graph || !w.result || (!is_copied(&w) && !inserter_insert_rows(&w)))
    return false;
  w.graph = provenance_create(memory, kernel);
  if (!w.graph)
    return false;
  if (options->remarks && !statement_op_is_conversion(kernel))
    say_rows(&w, &before);
  w.b = builder_create(mlirOperationGetContext(kernel), location);
  add_up_branches(&w);
  insert_register_blocks(&w);
  insert_scalars(&w);
  builder_free(w.b);
  return inserter_choose_policies(&w);
}

int cin_insert_workspaces_run(MlirOperation module,
                              const struct cin_insert_workspaces_options *options) {
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool inserted = true;
  for (int i = 0; i < kernels.count && inserted; ++i)
    inserted = insert_into_kernel(memory, kernels.ops[i], options);
  if (inserted && kernels.count)
    inserter_say_missing(memory, module, options->policies);
  arena_free(memory);
  return !inserted;
}
