/* tin-to-cin.c - the loops of each statement, in the order that the iteration graph and the costs
 * say.
 *
 *     y(i) = b(i) - sum_j A(i,j) * x(j)
 *
 *     cin.forall %i {
 *       cin.where {
 *         y(i) = b(i) - t()
 *       } producing %t {
 *         cin.forall %j { t() add= A(i,j) * x(j) }
 *       }
 *     }
 *
 * A reduction of the whole right-hand side accumulates into the result.  A nested one becomes the
 * producer of an order-0 workspace, around what is left of the loops as soon as the variables that
 * its term depends on are bound.
 */
#include "bridge.h"
#include "cin.h"
#include "diagnostic.h"
#include "ir.h"
#include "iteration_graph.h"
#include "statement_remap.h"
#include "tin_ops.h"
#include "value_map.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

typedef struct translation {
  const statement *s;
  builder *b;
  const int *order;
  MlirBlock kernel;
  const statement
      *maps;            /* whose variables the subscripts are in: s, or what it was remapped from */
  MlirValue *variables; /* the cin.index of each of those */
  MlirValue *loops;     /* what the foralls go over: those of s */
  MlirValue *workspaces; /* of each nest but the root */
  bool *is_produced;     /* and whether its cin.where stands already */
  bool *is_read;         /* of each operand */
} translation;

/*--- Accesses ----------------------------------------------------------------------------------*/

static bool map_uses(MlirAffineMap map, int variable) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), variable))
      return true;
  return false;
}

/* The variables that an access uses, and its map from those alone. */
static intptr_t access_operands(const translation *t, const access *a, MlirValue *variables,
                                MlirAttribute *map) {
  MlirContext context = builder_context(t->b);
  MlirAffineExpr compressed[VARIABLE_LIMIT];
  intptr_t count = 0;
  for (int v = 0; v < t->maps->variable_count; v++) {
    compressed[v] = mlirAffineConstantExprGet(context, 0);
    if (map_uses(a->map, v)) {
      compressed[v] = mlirAffineDimExprGet(context, count);
      variables[count++] = t->variables[v];
    }
  }
  MlirAffineMap compression =
      mlirAffineMapGet(context, count, 0, t->maps->variable_count, compressed);
  intptr_t order = mlirAffineMapGetNumResults(a->map);
  MlirAffineExpr *subscripts = ARENA_ARRAY(t->s->memory, MlirAffineExpr, order + 1);
  for (intptr_t d = 0; d < order; d++)
    subscripts[d] = mlirAffineExprCompose(mlirAffineMapGetResult(a->map, d), compression);
  *map = mlirAffineMapAttrGet(mlirAffineMapGet(context, count, 0, order, subscripts));
  return count;
}

static MlirValue emit_read(const translation *t, const access *a, MlirValue tensor) {
  MlirValue operands[VARIABLE_LIMIT + 1] = {tensor};
  MlirAttribute map;
  intptr_t count = 1 + access_operands(t, a, operands + 1, &map);
  MlirNamedAttribute attribute = named(t->b, "map", map);
  MlirType type = element_type(a->type);
  return op_result(make_op(t->b, "cin.read", count, operands, 1, &type, 1, &attribute), 0);
}

static access scalar_access(const translation *t, MlirValue workspace) {
  MlirContext context = builder_context(t->b);
  return (access){.type = mlirValueGetType(workspace),
                  .map = mlirAffineMapZeroResultGet(context, t->maps->variable_count, 0)};
}

static void emit_assign(const translation *t, const nest *n, const access *a, MlirValue tensor,
                        MlirValue value) {
  MlirValue operands[VARIABLE_LIMIT + 2] = {tensor};
  MlirNamedAttribute attributes[3];
  MlirAttribute map;
  intptr_t count = 1 + access_operands(t, a, operands + 1, &map);
  operands[count++] = value;
  int attribute_count = 0;
  attributes[attribute_count++] = named(t->b, "map", map);
  if (n->kind)
    attributes[attribute_count++] =
        named(t->b, "kind",
              text_attribute(builder_context(t->b), mlirStringRefCreateFromCString(n->kind)));
  if (!mlirAttributeIsNull(n->identity))
    attributes[attribute_count++] = named(t->b, "identity", n->identity);
  make_op(t->b, "cin.assign", count, operands, 0, NULL, attribute_count, attributes);
}

/*--- Scalar code -------------------------------------------------------------------------------*/

typedef struct scalar_code {
  const translation *t;
  const nest *n;
} scalar_code;

static const nest *child_of(const statement *s, const nest *n, MlirValue value) {
  for (int c = n->number + 1; c < s->nest_count; c++)
    if (s->nests[c].parent == n && mlirValueEqual(s->nests[c].value, value))
      return &s->nests[c];
  return NULL;
}

/* Arguments are read, and so are the workspaces of nested reductions; null for anything else. */
static MlirValue make_read(MlirValue value, void *data) {
  const scalar_code *code = data;
  const translation *t = code->t;
  if (mlirValueIsABlockArgument(value)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    t->is_read[number] = true;
    return emit_read(t, &t->s->accesses[number], mlirBlockGetArgument(t->kernel, number));
  }
  const nest *child = child_of(t->s, code->n, value);
  if (!child)
    return (MlirValue){0};
  MlirValue workspace = t->workspaces[child->number];
  access a = scalar_access(t, workspace);
  return emit_read(t, &a, workspace);
}

static void emit_statement(const translation *t, const nest *n) {
  value_map made = {.memory = t->s->memory};
  scalar_code code = {.t = t, .n = n};
  MlirValue value = value_map_copy(&made, t->b, n->term, make_read, &code);
  if (n->parent) {
    access a = scalar_access(t, t->workspaces[n->number]);
    emit_assign(t, n, &a, t->workspaces[n->number], value);
  } else {
    MlirValue result = mlirBlockGetArgument(t->kernel, t->s->operand_count);
    emit_assign(t, n, statement_result(t->s), result, value);
  }
}

/* An operand whose value nobody uses has to fit all the same, and may tell an extent. */
static void emit_unused(const translation *t) {
  for (int a = 0; a < t->s->operand_count; a++)
    if (!t->is_read[a] && mlirTypeIsARankedTensor(t->s->accesses[a].type))
      emit_read(t, &t->s->accesses[a], mlirBlockGetArgument(t->kernel, a));
}

/*--- Loops -------------------------------------------------------------------------------------*/

static MlirOperation make_with_regions(const translation *t, const char *name, MlirValue operand,
                                       int region_count, MlirBlock *blocks) {
  MlirRegion regions[2];
  for (int r = 0; r < region_count; r++) {
    regions[r] = mlirRegionCreate();
    blocks[r] = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[r], blocks[r]);
  }
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), builder_location(t->b));
  mlirOperationStateAddOperands(&state, 1, &operand);
  mlirOperationStateAddOwnedRegions(&state, region_count, regions);
  return insert_op(t->b, mlirOperationCreate(&state));
}

/* A child of `n` that can be produced once `bound` is, and has not been yet. */
static const nest *ready_child(const translation *t, const nest *n, variable_set bound) {
  for (int c = n->number + 1; c < t->s->nest_count; c++) {
    const nest *child = &t->s->nests[c];
    if (child->parent == n && set_within(child->outer, bound) && !t->is_produced[c])
      return child;
  }
  return NULL;
}

static int next_loop(const translation *t, const nest *n, int place) {
  while (place < t->s->variable_count && !set_has(n->own, t->order[place]))
    place++;
  return place;
}

static void emit_loops(const translation *t, const nest *n, int place, variable_set bound);

static void emit_where(const translation *t, const nest *n, const nest *child, int place,
                       variable_set bound) {
  MlirBlock blocks[2];
  MlirBlock here = builder_block(t->b);
  t->is_produced[child->number] = true;
  make_with_regions(t, "cin.where", t->workspaces[child->number], 2, blocks);
  builder_at_end(t->b, blocks[0]);
  emit_loops(t, n, place, bound);
  builder_at_end(t->b, blocks[1]);
  emit_loops(t, child, 0, bound);
  builder_at_end(t->b, here);
}

static void emit_forall(const translation *t, const nest *n, int place, variable_set bound) {
  MlirBlock body, here = builder_block(t->b);
  int variable = t->order[place];
  make_with_regions(t, "cin.forall", t->loops[variable], 1, &body);
  builder_at_end(t->b, body);
  emit_loops(t, n, place + 1, bound | set_of(variable));
  builder_at_end(t->b, here);
}

/* The loops of `n` from `place` of the order on, inside those over `bound`. */
static void emit_loops(const translation *t, const nest *n, int place, variable_set bound) {
  const nest *child = ready_child(t, n, bound);
  place = next_loop(t, n, place);
  if (child)
    emit_where(t, n, child, place, bound);
  else if (place < t->s->variable_count)
    emit_forall(t, n, place, bound);
  else
    emit_statement(t, n);
}

/*--- Kernels -----------------------------------------------------------------------------------*/

static MlirOperation make_kernel(const translation *t) {
  const statement *s = t->s;
  MlirRegion body = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(body, t->kernel);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("cin.kernel"), builder_location(t->b));
  for (int a = 0; a < s->operand_count; a++)
    mlirOperationStateAddOperands(&state, 1, &s->accesses[a].operand);
  mlirOperationStateAddResults(&state, 1, &statement_result(s)->type);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  static const char *const kept[] = {"fills", "tensor_names", "reorder", "drop_zeros",
                                     "conversion"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (op_has(s->op, kept[i])) {
      MlirNamedAttribute attribute = named(t->b, kept[i], op_attribute(s->op, kept[i]));
      mlirOperationStateAddAttributes(&state, 1, &attribute);
    }
  return mlirOperationCreate(&state);
}

static void make_arguments(const translation *t) {
  for (int a = 0; a <= t->s->operand_count; a++)
    mlirBlockAddArgument(t->kernel, t->s->accesses[a].type, builder_location(t->b));
}

static MlirValue make_variable(const translation *t, int v) {
  MlirContext context = builder_context(t->b);
  MlirType type = cinIndexVariableTypeGet(context);
  MlirStringRef name = mlirStringRefCreateFromCString(t->maps->variables[v]);
  int64_t extent = t->maps->extents[v];
  MlirNamedAttribute attributes[] = {named(t->b, "name", text_attribute(context, name)),
                                     named(t->b, "extent", integer_attribute(context, extent))};
  int like = t->maps->alike[v];
  MlirValue *other = like < 0 ? NULL : &t->variables[like];
  return op_result(
      make_op(t->b, "cin.index", other != NULL, other, 1, &type, extent < 0 ? 1 : 2, attributes),
      0);
}

/* Those that are like another one after it. */
static void make_variables(const translation *t) {
  for (int like = 0; like < 2; like++)
    for (int v = 0; v < t->maps->variable_count; v++)
      if ((t->maps->alike[v] >= 0) == like)
        t->variables[v] = make_variable(t, v);
}

/* d0 floordiv size, d0 mod size, d0 - d1, d0 + d1, or s0, a counter. */
static MlirAffineMap remap_map(MlirContext context, const remap *r) {
  MlirAffineExpr s0 = mlirAffineSymbolExprGet(context, 0);
  if (r->kind == REMAP_COUNTER)
    return mlirAffineMapGet(context, 0, 1, 1, &s0);
  MlirAffineExpr d0 = mlirAffineDimExprGet(context, 0), d1 = mlirAffineDimExprGet(context, 1);
  MlirAffineExpr size = mlirAffineConstantExprGet(context, r->size);
  MlirAffineExpr minus = mlirAffineMulExprGet(d1, mlirAffineConstantExprGet(context, -1));
  MlirAffineExpr e = r->kind == REMAP_QUOTIENT    ? mlirAffineFloorDivExprGet(d0, size)
                     : r->kind == REMAP_REMAINDER ? mlirAffineModExprGet(d0, size)
                     : r->kind == REMAP_SUM       ? mlirAffineAddExprGet(d0, d1)
                                                  : mlirAffineAddExprGet(d0, minus);
  return mlirAffineMapGet(context, r->other < 0 ? 1 : 2, 0, 1, &e);
}

static MlirValue make_remap(const translation *t, const remap *r, const char *text) {
  MlirContext context = builder_context(t->b);
  MlirType type = cinIndexVariableTypeGet(context);
  MlirValue operands[2] = {t->variables[r->dimension]};
  if (r->other >= 0)
    operands[1] = t->variables[r->other];
  MlirStringRef name = mlirStringRefCreateFromCString(text);
  MlirNamedAttribute attributes[] = {
      named(t->b, "map", mlirAffineMapAttrGet(remap_map(context, r))),
      named(t->b, "name", text_attribute(context, name))};
  return op_result(
      make_op(t->b, "cin.remap", r->other < 0 ? 1 : 2, operands, 1, &type, 2, attributes), 0);
}

/* The loop that goes through what levels hold, or -1. */
static int loop_by(const statement *s, const remap *r) {
  int v = s->variable_count - 1;
  while (v >= 0 && !(s->loops[v].variable < 0 && remap_equal(&s->loops[v].by, r)))
    v--;
  return v;
}

/* A cin.remap for all that levels hold, whether a loop goes through it or not. */
static void make_loops(const translation *t) {
  const statement *s = t->s;
  int count = s->variable_count;
  const char **names = ARENA_ARRAY(s->memory, const char *, count + s->remap_count + 1);
  memcpy(names, s->variables, sizeof *names * (size_t)count);
  for (int v = 0; v < s->variable_count; v++)
    t->loops[v] = t->variables[s->loops && s->loops[v].variable >= 0 ? s->loops[v].variable : v];
  for (int r = 0; s->loops && r < s->remap_count; r++) {
    int loop = loop_by(s, &s->remaps[r]);
    const char *name =
        loop >= 0 ? s->variables[loop] : statement_remap_name(t->maps, &s->remaps[r], count, names);
    MlirValue made = make_remap(t, &s->remaps[r], name);
    if (loop >= 0)
      t->loops[loop] = made;
    else
      names[count++] = name;
  }
}

static void make_workspaces(const translation *t) {
  for (int n = 1; n < t->s->nest_count; n++) {
    MlirType element = mlirValueGetType(t->s->nests[n].term);
    MlirType type = mlirRankedTensorTypeGet(0, NULL, element, (MlirAttribute){0});
    t->workspaces[n] = op_result(make_op(t->b, "cin.workspace", 0, NULL, 1, &type, 0, NULL), 0);
  }
}

static MlirValue translate_ordered(const statement *s, builder *b, const int *order) {
  translation t = {.s = s,
                   .b = b,
                   .order = order,
                   .kernel = mlirBlockCreate(0, NULL, NULL),
                   .maps = s->unmapped ? s->unmapped : s,
                   .variables = ARENA_ARRAY(s->memory, MlirValue, VARIABLE_LIMIT),
                   .loops = ARENA_ARRAY(s->memory, MlirValue, VARIABLE_LIMIT),
                   .workspaces = ARENA_ARRAY(s->memory, MlirValue, s->nest_count),
                   .is_produced = ARENA_ARRAY(s->memory, bool, s->nest_count),
                   .is_read = ARENA_ARRAY(s->memory, bool, s->operand_count + 1)};
  make_arguments(&t);
  builder_at_end(b, t.kernel);
  make_variables(&t);
  make_loops(&t);
  make_workspaces(&t);
  emit_loops(&t, &s->nests[0], 0, 0);
  emit_unused(&t);
  builder_before(b, s->op);
  return op_result(insert_op(b, make_kernel(&t)), 0);
}

static bool find_order(const statement *s, int *order) {
  const iteration_graph *g = iteration_graph_create(s, true);
  if (iteration_graph_order(g, order))
    return true;
  return error_at(s->op, "no order of the loops over %s agrees with the orders of the levels: %s",
                  statement_names(s, statement_variables(s)), iteration_graph_cycle(g));
}

/* Says why levels that hold expressions have no loops; false. */
static bool refuse_remaps(const statement *s) {
  return statement_is_supported(s, true) &&
         error_at(s->op, "no nest of loops goes through what the levels of all operands hold "
                         "(a tin.convert of an operand would help)");
}

static bool translate(MlirOperation op, arena *memory) {
  const statement *whole = statement_create(memory, op);
  const statement *s = whole ? statement_remapped(whole) : NULL;
  int order[VARIABLE_LIMIT];
  bool possible = s && statement_is_supported(s, true) && find_order(s, order);
  if (whole && !s)
    refuse_remaps(whole);
  if (possible) {
    builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
    replace_operation(op, translate_ordered(s, b, order));
    builder_free(b);
  }
  return possible;
}

int tin_to_cin_run(MlirOperation module, const struct tin_to_cin_options *options) {
  (void)options;
  return !change_operations(module, "tin.compute", translate);
}
