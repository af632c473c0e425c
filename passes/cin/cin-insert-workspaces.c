/* cin-insert-workspaces.c - inserts the workspaces that results need and reductions want.
 *
 * A row of a sparse result that is scattered into, once for each iteration of a reduction outside
 * it, is built in a workspace of order one, and appended when it is complete:
 *
 *     forall i { forall j { forall k { A[i, k] add b } } }
 *  -> forall i { where { forall k { A[i, k] = w[k] } }
 *                producing w { forall j { forall k { w[k] add b } } } }
 *
 * So is one that several nests add to, inside of the foralls that they share:
 *
 *     forall i { forall j { A[i, j] add b }   forall k { A[i, k] add c } }
 *  -> forall i { where { forall j { A[i, j] = w[j] } }
 *                producing w { forall j { w[j] add b }   forall k { w[k] add c } } }
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
 * (Kjolstad et al. 2019, section 5; Zhang et al. 2024, section 3.)
 */
#include "assembly.h"
#include "bridge.h"
#include "cin.h"
#include "cin_kernel.h"
#include "parallel_safety.h"
#include "result_format.h"
#include "statistics.h"
#include "tin.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct inserter {
  arena *memory;
  builder *b; /* for the identities of reductions */
  MlirOperation kernel;
  provenance *graph;
  const tensor_format *result;
  assembly_list ways; /* to build it */
  bool strict;        /* keep the program's order in floating-point sums */
} inserter;

/* ---- what both share -------------------------------------------------------------------- */

static bool is_result(const inserter *w, MlirOperation assign) {
  return mlirValueEqual(cin_access_tensor(assign), cin_kernel_result(w->kernel));
}

static int assigns_below(const inserter *w, MlirOperation root, MlirValue tensor) {
  op_list assigns = ops_below(w->memory, root, cin_is_assign);
  int count = 0;
  for (int i = 0; i < assigns.count; ++i)
    count += mlirValueEqual(cin_access_tensor(assigns.ops[i]), tensor);
  return count;
}

/* Along a counter come other entries, which a plain assignment puts each in its place; a list takes
 * them along any loop. */
static bool reduces_over(const inserter *w, MlirOperation assign, MlirOperation forall) {
  if (!cin_assign_kind(assign) &&
      (provenance_is_counter(w->graph, cin_forall_variable(forall)) || assembly_lists(w->result)))
    return false;
  return !cin_access_follows(w->memory, w->graph, assign, cin_forall_variable(forall));
}

/* The statement in a where's producer instead, with the where in its place. */
static MlirOperation wrap_in_where(MlirOperation statement, MlirValue workspace) {
  MlirOperation where = cin_where_create(mlirOperationGetLocation(statement), workspace);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(statement), statement, where);
  mlirOperationRemoveFromParent(statement);
  mlirBlockAppendOwnedOperation(cin_where_producer(where), statement);
  return where;
}

/* The assignment, into the workspace instead. */
static void produce(MlirOperation assign, MlirValue workspace, intptr_t count,
                    const MlirValue *variables) {
  MlirOperation produced = cin_bare_assign(mlirOperationGetLocation(assign), workspace, count,
                                           variables, cin_assign_value(assign),
                                           cin_assign_kind(assign), cin_assign_identity(assign));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(assign), assign, produced);
}

/* The assignment, of what the workspace holds, at the end of `block`; plain or a reduction. */
static void consume(MlirOperation assign, MlirBlock block, MlirValue workspace, intptr_t count,
                    const MlirValue *variables, bool plain) {
  MlirOperation read = cin_bare_read(mlirOperationGetLocation(assign), workspace, count, variables);
  mlirBlockAppendOwnedOperation(block, read);
  MlirOperation consumed = mlirOperationClone(assign);
  cin_assign_set_value(consumed, mlirOperationGetResult(read, 0));
  if (plain)
    cin_assign_set_plain(consumed);
  mlirBlockAppendOwnedOperation(block, consumed);
}

/* One variable in place of another one. */
static void replace_subscripts(MlirOperation assign, MlirValue variable, MlirValue by) {
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(assign); ++n)
    if (mlirValueEqual(mlirOperationGetOperand(assign, n), variable))
      mlirOperationSetOperand(assign, n, by);
}

/* ---- order one: a scatter into the last level ------------------------------------------- */

typedef struct scatter {
  MlirOperation assign;
  op_list path;
  int reduction; /* the outermost forall of the path that reduces, or is not shared */
  int levels;    /* how many of the result's become known inside it */
  int appended;  /* how many of those would have to be known before it */
  int kept;      /* how many of those even where a row is gathered */
} scatter;

static int level_known_at(const inserter *w, const scatter *s, int level) {
  int dimension = w->result->levels[level].dimension;
  return dimension < 0 ? -1 : cin_subscript_known_at(w->graph, s->path, s->assign, dimension);
}

/* Whether an entry of the result has to come once. */
static bool result_is_appended(const inserter *w) {
  return !assembly_repeats(assembly_least(&w->ways).way);
}

static bool is_outside(const inserter *w, assembly_way way, int level) {
  assembly found;
  return assembly_find(&w->ways, way, &found) && assembly_is_outside(&found, level);
}

/* Whether no way builds the level while its coordinates come again and again. */
static bool is_appended(const inserter *w, int level) {
  bool inserts = w->result->levels[level].format->capabilities & LEVEL_INSERT;
  return result_is_appended(w) && !inserts && is_outside(w, ASSEMBLY_APPEND, level);
}

/* Counts the levels that become known from place `known` of the path on. */
static void count_levels(const inserter *w, scatter *s, int known) {
  for (int l = 0; l < w->result->level_count; ++l) {
    if (level_known_at(w, s, l) < known)
      continue;
    ++s->levels;
    s->appended += is_appended(w, l);
    s->kept += is_outside(w, ASSEMBLY_WORKSPACE, l);
  }
}

/* Whether coordinates come again along the forall, or along it and others, as y[j] does where j
 * follows from diagonals and rows. */
static bool revisits(const inserter *w, MlirOperation assign, MlirOperation forall) {
  return reduces_over(w, assign, forall) ||
         (cin_assign_kind(assign) &&
          cin_access_reduces(w->graph, assign, cin_forall_variable(forall)));
}

static scatter find_scatter(const inserter *w, MlirOperation assign) {
  scatter s = {.assign = assign, .path = cin_path(w->memory, assign)};
  while (s.reduction < s.path.count && !revisits(w, assign, s.path.ops[s.reduction]))
    ++s.reduction;
  count_levels(w, &s, s.reduction + 1);
  return s;
}

static MlirStringRef reduction_name(const scatter *s) {
  return provenance_name(cin_forall_variable(s->path.ops[s->reduction]));
}

static bool refuse_order(const inserter *w, const scatter *s) {
  return error_at(s->assign,
                  "expected all but the last level of %s to be known outside the reduction over "
                  "'%.*s', found %d levels inside it: workspaces of order %d are not supported yet",
                  cin_tensor_name(w->memory, w->kernel, cin_access_tensor(s->assign)),
                  TEXT(reduction_name(s)), s->levels, s->levels);
}

static bool check_scatter(const inserter *w, const scatter *s, MlirValue variable) {
  if (!cin_assign_kind(s->assign))
    return error_at(s->assign, "expected a reduction over '%.*s', found a plain assignment",
                    TEXT(reduction_name(s)));
  if (assigns_below(w, s->path.ops[s->reduction], cin_access_tensor(s->assign)) != 1)
    return error_at(s->assign,
                    "expected one assignment to the sparse result in the reduction over '%.*s', "
                    "found several: not supported yet",
                    TEXT(reduction_name(s)));
  if (mlirValueIsNull(variable))
    return error_at(s->assign,
                    "expected an index variable as subscript of the last level of the sparse "
                    "result, found an expression: not supported yet");
  return true;
}

static bool derives_from(const inserter *w, MlirOperation forall, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(w->graph, cin_forall_variable(forall), &roots);
  return count == 1 && mlirValueEqual(roots[0], variable);
}

/* Whether the variable follows from parts of it, which foralls go over, and is none of a relation.
 */
static bool follows_from_remaps(const inserter *w, const scatter *s, MlirValue variable) {
  bool follows = !provenance_is_consumed(w->graph, variable);
  for (int i = 0; i < s->path.count; ++i)
    follows &= !mlirValueEqual(cin_forall_variable(s->path.ops[i]), variable);
  return follows;
}

/* A forall over the variable in `block`; its block. */
static MlirBlock add_forall(const scatter *s, MlirValue variable, MlirBlock block) {
  MlirOperation forall = cin_forall_create(mlirOperationGetLocation(s->assign), variable);
  mlirBlockAppendOwnedOperation(block, forall);
  return cin_forall_body(forall);
}

/* The foralls of the path from which `variable` is known, one in the other in `block`; the
 * innermost block.  Where it follows from its blocks, one over all of it, which comes to what was
 * gathered in order. */
static MlirBlock copy_foralls(const inserter *w, const scatter *s, MlirValue variable,
                              MlirBlock block) {
  if (follows_from_remaps(w, s, variable))
    return add_forall(s, variable, block);
  for (int i = s->reduction; i < s->path.count; ++i)
    if (derives_from(w, s->path.ops[i], variable))
      block = add_forall(s, cin_forall_variable(s->path.ops[i]), block);
  return block;
}

/* Whether a forall goes through positions of an operand in the place of the variable, or through it
 * and others as one: what was gathered has neither. */
static bool goes_in_place_of(const inserter *w, MlirValue loop, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(w->graph, loop, &roots);
  bool found = false;
  for (intptr_t i = 0; i < count; ++i)
    found |= mlirValueEqual(roots[i], variable);
  return found && (count > 1 || provenance_space(w->graph, loop).is_positions ||
                   provenance_is_collapsed(w->graph, loop));
}

static bool is_gone_through_otherwise(const inserter *w, const scatter *s, MlirValue variable) {
  for (int i = s->reduction; i < s->path.count; ++i)
    if (goes_in_place_of(w, cin_forall_variable(s->path.ops[i]), variable))
      return true;
  return false;
}

/* Another variable of the same coordinates. */
static MlirValue variable_like(const inserter *w, MlirValue variable) {
  const char *name = cin_new_name(w->memory, w->kernel, variable, "_row");
  MlirOperation index = cin_index_create(mlirOperationGetLocation(w->kernel), name, variable, -1);
  return mlirOperationGetResult(cin_declare(w->kernel, index), 0);
}

/* The foralls over what was gathered, in the where's consumer: its block, and what goes through the
 * coordinates in it. */
static MlirBlock go_through_row(const inserter *w, const scatter *s, MlirOperation where,
                                MlirValue *variable) {
  if (!is_gone_through_otherwise(w, s, *variable))
    return copy_foralls(w, s, *variable, cin_where_consumer(where));
  *variable = variable_like(w, *variable);
  return add_forall(s, *variable, cin_where_consumer(where));
}

static bool insert_row_workspace(const inserter *w, const scatter *s) {
  int last = w->result->level_count - 1;
  if (s->kept)
    return refuse_order(w, s);
  MlirValue variable = cin_access_bare(s->assign, w->result->levels[last].dimension);
  if (!check_scatter(w, s, variable))
    return false;
  MlirType type = cin_list_workspace_type(s->assign, w->result);
  if (mlirTypeIsNull(type))
    return false;
  MlirValue workspace = cin_declare_workspace(w->kernel, type, 1, &variable);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirOperation where = wrap_in_where(s->path.ops[s->reduction], workspace);
  MlirValue gathered = variable;
  MlirBlock consumer = go_through_row(w, s, where, &gathered);
  produce(s->assign, workspace, 1, &variable);
  replace_subscripts(s->assign, variable, gathered);
  consume(s->assign, consumer, workspace, 1, &gathered, true);
  mlirOperationDestroy(s->assign);
  return true;
}

/* ---- order one: several nests into one row ------------------------------------------------ */

/* How many foralls, from the outermost one on, are around both. */
static int shared_foralls(const op_list *x, const op_list *y) {
  int count = 0;
  while (count < x->count && count < y->count && mlirOperationEqual(x->ops[count], y->ops[count]))
    ++count;
  return count;
}

static bool reduce_alike(MlirOperation x, MlirOperation y) {
  return cin_assign_kind(x) && cin_assign_kind(x) == cin_assign_kind(y) &&
         mlirAttributeEqual(cin_assign_identity(x), cin_assign_identity(y));
}

/* The assignments to the result, each from the first forall on that not all share. */
static scatter *find_nests(const inserter *w, int *count) {
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  scatter *nests = ARENA_ARRAY(w->memory, scatter, assigns.count + 1);
  *count = 0;
  for (int i = 0; i < assigns.count; ++i)
    if (is_result(w, assigns.ops[i]))
      nests[(*count)++] =
          (scatter){.assign = assigns.ops[i], .path = cin_path(w->memory, assigns.ops[i])};
  int shared = *count ? nests[0].path.count : 0;
  for (int i = 1; i < *count; ++i) {
    int both = shared_foralls(&nests[0].path, &nests[i].path);
    shared = both < shared ? both : shared;
  }
  for (int i = 0; i < *count; ++i) {
    nests[i].reduction = shared;
    count_levels(w, &nests[i], shared);
  }
  return nests;
}

static bool check_nests(int count, const scatter *nests, MlirValue variable) {
  for (int i = 0; i < count; ++i)
    if (nests[i].kept || !reduce_alike(nests[i].assign, nests[0].assign))
      return error_at(nests[i].assign,
                      "expected several assignments to the sparse result to add to one row of it, "
                      "all but its last level known outside, found %d levels inside",
                      nests[i].levels);
  return !mlirValueIsNull(variable) ||
         error_at(nests[0].assign,
                  "expected an index variable as subscript of the last level of the sparse "
                  "result, found an expression: not supported yet");
}

/* All statements inside of the foralls that are shared, in a where's producer. */
static MlirOperation wrap_nests_in_where(const inserter *w, const scatter *nest,
                                         MlirValue workspace) {
  MlirOperation first =
      nest->reduction
          ? mlirBlockGetFirstOperation(cin_forall_body(nest->path.ops[nest->reduction - 1]))
          : cin_kernel_first_statement(w->kernel);
  MlirBlock block = mlirOperationGetBlock(first);
  MlirOperation where = cin_where_create(mlirOperationGetLocation(nest->assign), workspace), next;
  for (MlirOperation op = first; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(cin_where_producer(where), op);
  }
  mlirBlockAppendOwnedOperation(block, where);
  return where;
}

static bool insert_nests_workspace(const inserter *w, int count, const scatter *nests) {
  MlirValue variable =
      cin_access_bare(nests[0].assign, w->result->levels[w->result->level_count - 1].dimension);
  if (!check_nests(count, nests, variable))
    return false;
  MlirType type = cin_list_workspace_type(nests[0].assign, w->result);
  if (mlirTypeIsNull(type))
    return false;
  MlirValue workspace = cin_declare_workspace(w->kernel, type, 1, &variable);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirOperation where = wrap_nests_in_where(w, &nests[0], workspace);
  MlirBlock consumer = copy_foralls(w, &nests[0], variable, cin_where_consumer(where));
  consume(nests[0].assign, consumer, workspace, 1, &variable, true);
  for (int i = 0; i < count; ++i) {
    produce(nests[i].assign, workspace, 1, &variable);
    mlirOperationDestroy(nests[i].assign);
  }
  return true;
}

static bool insert_row_workspaces(const inserter *w) {
  int count;
  const scatter *nests = find_nests(w, &count);
  if (count > 1 && nests[0].appended)
    return insert_nests_workspace(w, count, nests);
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    if (!is_result(w, assigns.ops[i]))
      continue;
    scatter s = find_scatter(w, assigns.ops[i]);
    if (s.appended && s.reduction < s.path.count && !insert_row_workspace(w, &s))
      return false;
  }
  return true;
}

/* ---- order zero: reductions innermost --------------------------------------------------- */

static bool is_where_of(MlirOperation op, MlirValue tensor) {
  return cin_is_where(op) && mlirValueEqual(cin_where_workspace(op), tensor);
}

/* Whether what is reduced in the forall is put together where it ends. */
static bool is_one_reduction(MlirOperation forall) {
  cin_unit unit = cin_op_unit(forall);
  bool parts = (unit == CIN_CPU_THREAD || unit == CIN_CPU_VECTOR) &&
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
    if (!is_one_reduction(up) || !reduces_over(w, assign, up))
      break;
    outermost = up;
  }
  return outermost;
}

/* Whether every value that reduces into one place is reduced inside `statement`. */
static bool is_complete(const inserter *w, MlirOperation assign, MlirOperation statement) {
  if (assigns_below(w, w->kernel, cin_access_tensor(assign)) != 1)
    return false;
  op_list path = cin_path(w->memory, statement);
  for (int i = 0; i < path.count; ++i)
    if (revisits(w, assign, path.ops[i]) || cin_op_race(path.ops[i]) != CIN_NO_RACES)
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

/* Whether the consumer may assign: what is recorded is added up later; or nothing else reduces into
 * the place, and the places that it does not visit hold the identity, which is what they would hold
 * otherwise. */
static bool may_assign(const inserter *w, MlirOperation assign, MlirOperation statement) {
  if (!is_result(w, assign))
    return false;
  return result_is_recorded(w->kernel) || (is_complete(w, assign, statement) &&
                                           (result_is_appended(w) || starts_from_fill(w, assign)));
}

/* Whether a forall around the statement comes to coordinates again and again. */
static bool is_met_again(const inserter *w, MlirOperation statement) {
  op_list path = cin_path(w->memory, statement);
  for (int i = 0; i < path.count; ++i)
    if (parallel_walk_branches(w->memory, w->graph, w->kernel, path.ops[i]))
      return true;
  return false;
}

/* Whether the statement runs for each entry of a level that may repeat coordinates, and reduces
 * into a result that can insert: entries then reduce one by one, without a scalar between. */
static bool is_reduced_by_entry(const inserter *w, MlirOperation assign, MlirOperation statement) {
  MlirOperation parent = mlirOperationGetParentOperation(statement);
  if (!is_result(w, assign) || result_is_appended(w))
    return false;
  bool repeats =
      cin_is_forall(parent) && parallel_walk_repeats(w->memory, w->graph, w->kernel, parent);
  return repeats || is_met_again(w, statement);
}

static void insert_scalar(const inserter *w, MlirOperation assign, MlirOperation statement) {
  MlirType element = mlirValueGetType(cin_assign_value(assign));
  MlirType type = mlirRankedTensorTypeGet(0, NULL, element, mlirAttributeGetNull());
  bool plain = may_assign(w, assign, statement);
  MlirValue scalar = cin_declare_workspace(w->kernel, type, 0, NULL);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirOperation where = wrap_in_where(statement, scalar);
  produce(assign, scalar, 0, NULL);
  consume(assign, cin_where_consumer(where), scalar, 0, NULL, plain);
  mlirOperationDestroy(assign);
}

static bool is_scalar_workspace(const inserter *w, MlirOperation assign) {
  return !is_result(w, assign) && cin_access_rank(assign) == 0;
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
        assigns_below(w, statement, cin_access_tensor(assign)) == 1)
      insert_scalar(w, assign, statement);
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
  if (!reduces_over(w, assign, r->path.ops[r->reduction]) ||
      !is_directly_in(assign, r->path.ops[r->path.count - 1]))
    return false;
  for (int i = r->reduction + 1; i < r->path.count; ++i)
    if (!is_directly_in(r->path.ops[i], r->path.ops[i - 1]) ||
        (!reduces_over(w, assign, r->path.ops[i]) &&
         !take_short_forall(w, r, r->path.ops[i], &registers)))
      return false;
  return r->count > 0;
}

static void insert_registers(const inserter *w, MlirOperation assign, const register_block *r) {
  MlirOperation statement = r->path.ops[r->reduction];
  MlirType type =
      mlirRankedTensorTypeGet(r->count, r->sizes, w->result->element, mlirAttributeGetNull());
  bool plain = may_assign(w, assign, statement);
  MlirValue workspace = cin_declare_workspace(w->kernel, type, r->count, r->variables);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirBlock consumer = cin_where_consumer(wrap_in_where(statement, workspace));
  for (int i = 0; i < r->count; ++i) {
    MlirOperation forall = cin_forall_create(mlirOperationGetLocation(statement), r->variables[i]);
    mlirBlockAppendOwnedOperation(consumer, forall);
    consumer = cin_forall_body(forall);
  }
  produce(assign, workspace, r->count, r->variables);
  consume(assign, consumer, workspace, r->count, r->variables, plain);
  mlirOperationDestroy(assign);
}

static void insert_register_blocks(const inserter *w) {
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    MlirOperation assign = assigns.ops[i];
    register_block r = {.path = cin_path(w->memory, assign)};
    if (!is_result(w, assign) || !cin_assign_kind(assign) || result_is_appended(w))
      continue;
    while (r.reduction < r.path.count && !find_short_foralls(w, assign, &r))
      ++r.reduction;
    if (r.reduction < r.path.count)
      insert_registers(w, assign, &r);
  }
}

/* ---- the pass --------------------------------------------------------------------------- */

static bool insert_into_kernel(arena *memory, MlirOperation kernel, bool strict) {
  MlirLocation location = mlirOperationGetLocation(kernel);
  inserter w = {.memory = memory, .kernel = kernel, .strict = strict};
  w.graph = provenance_create(memory, kernel);
  w.result = tensor_format_get(memory, mlirValueGetType(cin_kernel_result(kernel)), location);
  if (w.result)
    w.ways = assembly_ways(w.result, result_is_recorded(kernel));
  if (!w.graph || !w.result || !insert_row_workspaces(&w))
    return false;
  w.graph = provenance_create(memory, kernel);
  if (!w.graph)
    return false;
  w.b = builder_create(mlirOperationGetContext(kernel), location);
  insert_register_blocks(&w);
  insert_scalars(&w);
  builder_free(w.b);
  return true;
}

int cin_insert_workspaces_run(MlirOperation module,
                              const struct cin_insert_workspaces_options *options) {
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool inserted = true;
  for (int i = 0; i < kernels.count && inserted; ++i)
    inserted = insert_into_kernel(memory, kernels.ops[i], options->strict);
  arena_free(memory);
  return !inserted;
}
