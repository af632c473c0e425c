/* tin-to-cin.c - the loops of each statement, in the order that it says, or else the iteration
 * graph and the costs.
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
 * its term depends on are bound.  A sum whose terms no nest of loops goes through together has one
 * for each, inside of those that they share (statement_terms.h).
 */
#include "array_operands.h"
#include "bridge.h"
#include "cin.h"
#include "cin_ops.h"
#include "diagnostic.h"
#include "ir.h"
#include "iteration_graph.h"
#include "nonzero_pieces.h"
#include "result_format.h"
#include "statement_remap.h"
#include "statement_terms.h"
#include "tin.h"
#include "tin_ops.h"
#include "value_map.h"
#include "window_expansion.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

/* The cin.remap of what levels hold, by the expression and the term that it is of, and the names of
 * loops so far. */
typedef struct remaps {
  int count, name_count;
  statement_remap *expressions;
  const statement **terms;
  MlirValue *values;
  const char **names;
} remaps;

typedef struct translation {
  const statement *s;
  builder *b;
  const int *order;
  MlirBlock kernel;
  const statement
      *maps;            /* whose variables the subscripts are in: s, or what it was remapped from */
  MlirValue *variables; /* the cin.index of each of those */
  MlirValue *loops;     /* what the foralls go over: those of s */
  remaps *made;
  MlirOperation subtracted_by; /* what the value is subtracted from the sum by, or null */
  MlirValue *workspaces;       /* of each nest but the root */
  bool *is_produced;           /* and whether its cin.where stands already */
  bool *is_read;               /* of each operand */
} translation;

/*--- Accesses ----------------------------------------------------------------------------------*/

static bool map_uses(MlirAffineMap map, int variable) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), variable))
      return true;
  return false;
}

/* The variables that an access uses, and its map from those alone. */
static void access_operands(const translation *t, const access *a, MlirValue *variables,
                            MlirAffineMap *map) {
  MlirContext context = builder_context(t->b);
  MlirAffineExpr *compressed =
      ARENA_ARRAY(t->s->memory, MlirAffineExpr, t->maps->variable_count + 1);
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
  *map = mlirAffineMapGet(context, count, 0, order, subscripts);
}

static MlirValue emit_read(const translation *t, const access *a, MlirValue tensor) {
  MlirValue *variables = ARENA_ARRAY(t->s->memory, MlirValue, t->maps->variable_count + 1);
  MlirAffineMap map;
  access_operands(t, a, variables, &map);
  MlirOperation read = cin_read_create(builder_location(t->b), tensor, map, variables);
  if (!mlirAttributeIsNull(a->pad))
    op_set(read, "pad", a->pad);
  return op_result(insert_op(t->b, read), 0);
}

static access scalar_access(const translation *t, MlirValue workspace) {
  MlirContext context = builder_context(t->b);
  return (access){.type = mlirValueGetType(workspace),
                  .map = mlirAffineMapZeroResultGet(context, t->maps->variable_count, 0)};
}

static void emit_assign(const translation *t, const nest *n, const access *a, MlirValue tensor,
                        MlirValue value) {
  MlirValue *variables = ARENA_ARRAY(t->s->memory, MlirValue, t->maps->variable_count + 1);
  MlirAffineMap map;
  access_operands(t, a, variables, &map);
  insert_op(t->b, cin_assign_create(builder_location(t->b), tensor, map, variables, value, n->kind,
                                    n->identity));
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

/* 0 - value, by the operation that subtracts it in the text. */
static MlirValue emit_negative(const translation *t, MlirValue value) {
  MlirAttribute zero = combine_identity(t->b, TIN_ADD, mlirValueGetType(value));
  MlirOperation negative = mlirOperationClone(t->subtracted_by);
  mlirOperationSetOperand(negative, 0, constant_attr(t->b, zero));
  mlirOperationSetOperand(negative, 1, value);
  return op_result(insert_op(t->b, negative), 0);
}

static void emit_statement(const translation *t, const nest *n) {
  value_map made = {.memory = t->s->memory};
  scalar_code code = {.t = t, .n = n};
  MlirValue value = value_map_copy(&made, t->b, n->term, make_read, &code);
  if (!n->parent && !mlirOperationIsNull(t->subtracted_by))
    value = emit_negative(t, value);
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
  MlirBlock here = builder_block(t->b);
  MlirOperation where = cin_where_create(builder_location(t->b), t->workspaces[child->number]);
  t->is_produced[child->number] = true;
  if (op_has(child->reduce, "factored"))
    op_set(where, "factored", op_attribute(child->reduce, "factored"));
  insert_op(t->b, where);
  builder_at_end(t->b, cin_where_consumer(where));
  emit_loops(t, n, place, bound);
  builder_at_end(t->b, cin_where_producer(where));
  emit_loops(t, child, 0, bound);
  builder_at_end(t->b, here);
}

static void emit_forall(const translation *t, const nest *n, int place, variable_set bound) {
  MlirBlock here = builder_block(t->b);
  int variable = t->order[place];
  MlirOperation forall = cin_forall_create(builder_location(t->b), t->loops[variable]);
  builder_at_end(t->b, cin_forall_body(insert_op(t->b, forall)));
  emit_loops(t, n, place + 1, set_union(t->s->memory, bound, set_of(t->s->memory, variable)));
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
  MlirValue *operands = ARENA_ARRAY(s->memory, MlirValue, s->operand_count + 1);
  for (int a = 0; a < s->operand_count; a++)
    operands[a] = s->accesses[a].operand;
  MlirOperation kernel = cin_kernel_create(builder_location(t->b), s->operand_count, operands,
                                           statement_result(s)->type, t->kernel);
  static const char *const kept[] = {"fills", "tensor_names", "drop_zeros", "conversion",
                                     "schedule"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (op_has(s->op, kept[i]))
      op_set(kernel, kept[i], op_attribute(s->op, kept[i]));
  if (result_is_recorded(s->op))
    cin_op_set_assembly(kernel, CIN_RECORD);
  return kernel;
}

static void make_arguments(const translation *t) {
  for (int a = 0; a <= t->s->operand_count; a++)
    mlirBlockAddArgument(t->kernel, t->s->accesses[a].type, builder_location(t->b));
}

static MlirValue make_variable(const translation *t, int v) {
  int like = t->maps->alike[v];
  MlirOperation index =
      cin_index_create(builder_location(t->b), t->maps->variables[v],
                       like < 0 ? (MlirValue){NULL} : t->variables[like], t->maps->extents[v]);
  return op_result(insert_op(t->b, index), 0);
}

/* That a variable is a compound subscript of the result. */
static void make_subscript(const translation *t, int v) {
  MlirContext context = builder_context(t->b);
  MlirAffineExpr form = t->maps->subscripts[v];
  const access a = {.map = mlirAffineMapGet(context, t->maps->variable_count, 0, 1, &form)};
  MlirValue *variables = ARENA_ARRAY(t->s->memory, MlirValue, t->maps->variable_count + 1);
  MlirAffineMap map;
  access_operands(t, &a, variables, &map);
  insert_op(t->b, cin_subscript_create(builder_location(t->b), t->variables[v],
                                       mlirAffineMapGetNumDims(map), variables, map));
}

/* Those that are like another one after it. */
static void make_variables(const translation *t) {
  for (int like = 0; like < 2; like++)
    for (int v = 0; v < t->maps->variable_count; v++)
      if ((t->maps->alike[v] >= 0) == like)
        t->variables[v] = make_variable(t, v);
  variable_set at = t->maps->nests[0].at;
  for (int v = set_first(at); v >= 0; v = set_next(at, v + 1))
    make_subscript(t, v);
}

/* What a remap does to its parts d0, d1, ..., or to s0, which it counts. */
static MlirAffineMap remap_map(const statement *s, const remap *r) {
  MlirContext context = mlirAffineExprGetContext(r->expression);
  MlirAffineExpr e = {NULL};
  if (r->kind == REMAP_COUNTER) {
    e = mlirAffineSymbolExprGet(context, 0);
    return mlirAffineMapGet(context, 0, 1, 1, &e);
  }
  int count = remap_part_count(r);
  MlirAffineExpr *parts = ARENA_ARRAY(s->memory, MlirAffineExpr, count);
  for (int n = 0; n < count; n++)
    parts[n] = mlirAffineDimExprGet(context, n);
  e = remap_of_parts(r, parts);
  return mlirAffineMapGet(context, count, 0, 1, &e);
}

static bool is_same(const statement_remap *x, MlirAffineExpr by, bool is_value) {
  return mlirAffineExprEqual(x->by, by) && x->is_value == is_value;
}

/* Whether an expression means in one term what it does in another: those of subscripts number them
 * from the first that the term has. */
static bool has_same_forms(const translation *t, const statement *other, MlirAffineExpr e) {
  int first = t->maps->variable_count;
  for (int f = 0; f < t->s->form_count; f++)
    if (mlirAffineExprIsFunctionOfDim(e, first + f) &&
        (f >= other->form_count || !mlirAffineExprEqual(t->s->forms[f], other->forms[f])))
      return false;
  return true;
}

/* Its number, or that of the next one. */
static int remap_number(const translation *t, MlirAffineExpr e, bool is_value) {
  int n = 0;
  while (n < t->made->count && !(is_same(&t->made->expressions[n], e, is_value) &&
                                 has_same_forms(t, t->made->terms[n], e)))
    n++;
  return n;
}

static MlirValue value_of(const translation *t, MlirAffineExpr part) {
  int position = mlirAffineExprIsADim(part) ? (int)mlirAffineDimExprGetPosition(part) : -1;
  if (position >= t->maps->variable_count) {
    MlirAffineExpr form = t->s->forms[position - t->maps->variable_count];
    return t->made->values[remap_number(t, form, true)];
  }
  if (position >= 0)
    return t->variables[position];
  return t->made->values[remap_number(t, part, false)];
}

static MlirValue make_remap(const translation *t, const statement_remap *made, const char *text) {
  remap r;
  remap_of(made->by, &r);
  int count = remap_part_count(&r);
  MlirValue *parts = ARENA_ARRAY(t->s->memory, MlirValue, count + 1);
  for (int n = 0; n < count; n++)
    parts[n] = value_of(t, remap_part(&r, n));
  if (r.kind == REMAP_COUNTER)
    parts[count++] = value_of(t, mlirAffineDimExprGet(builder_context(t->b), r.dimension));
  MlirOperation remap = cin_remap_create(builder_location(t->b), count, parts, remap_map(t->s, &r),
                                         text, made->is_value);
  return op_result(insert_op(t->b, remap), 0);
}

/* The loop that goes through what levels hold, or -1. */
static int loop_by(const statement *s, const statement_remap *e) {
  int v = s->variable_count - 1;
  while (v >= 0 && !(s->loops[v].variable < 0 && is_same(e, s->loops[v].by, s->loops[v].is_value)))
    v--;
  return v;
}

static void take_remap(const translation *t, const statement_remap *e) {
  remaps *made = t->made;
  const char *name = statement_remap_name(t->s, e->by, made->name_count, made->names);
  made->values[made->count] = make_remap(t, e, name);
  made->names[made->name_count++] = name;
  made->terms[made->count] = t->s;
  made->expressions[made->count++] = *e;
}

/* A cin.remap for all that levels hold, whether a loop goes through it or not. */
static void make_loops(const translation *t) {
  const statement *s = t->s;
  for (int v = 0; v < s->variable_count; v++)
    t->loops[v] = t->variables[s->loops && s->loops[v].variable >= 0 ? s->loops[v].variable : v];
  for (int r = 0; s->loops && r < s->remap_count; r++) {
    const statement_remap *e = &s->remaps[r];
    int number = remap_number(t, e->by, e->is_value), loop = loop_by(s, e);
    if (number == t->made->count)
      take_remap(t, e);
    if (loop >= 0)
      t->loops[loop] = t->made->values[number];
  }
}

static void make_workspaces(const translation *t) {
  for (int n = 1; n < t->s->nest_count; n++) {
    MlirType element = mlirValueGetType(t->s->nests[n].term);
    MlirType type = mlirRankedTensorTypeGet(0, NULL, element, (MlirAttribute){0});
    MlirOperation workspace = cin_workspace_create(builder_location(t->b), type, 0, NULL);
    t->workspaces[n] = op_result(insert_op(t->b, workspace), 0);
  }
}

/* Room for what the levels of all terms hold. */
static remaps *make_room_for_remaps(const statement *maps, int count, const statement_term *terms) {
  remaps *made = ARENA_ARRAY(maps->memory, remaps, 1);
  int room = 1;
  for (int n = 0; n < count; n++)
    room += terms[n].s->remap_count;
  made->expressions = ARENA_ARRAY(maps->memory, statement_remap, room);
  made->terms = ARENA_ARRAY(maps->memory, const statement *, room);
  made->values = ARENA_ARRAY(maps->memory, MlirValue, room);
  made->names = ARENA_ARRAY(maps->memory, const char *, room);
  return made;
}

/* The translation of one of the terms: what all share is that of `whole`. */
static translation translation_of(const translation *whole, const statement_term *term) {
  translation t = *whole;
  t.s = term->s;
  t.order = term->order;
  t.subtracted_by = term->subtracted_by;
  t.loops = ARENA_ARRAY(t.s->memory, MlirValue, t.s->variable_count + 1);
  t.workspaces = ARENA_ARRAY(t.s->memory, MlirValue, t.s->nest_count);
  t.is_produced = ARENA_ARRAY(t.s->memory, bool, t.s->nest_count);
  make_loops(&t);
  make_workspaces(&t);
  return t;
}

/* The nests of all terms, inside of the first `shared` loops, which they have in common. */
static void emit_terms(int count, const translation *terms, int shared) {
  builder *b = terms[0].b;
  MlirBlock here = builder_block(b);
  for (int place = 0; place < shared; place++) {
    MlirValue variable = terms[0].loops[terms[0].order[place]];
    builder_at_end(b,
                   cin_forall_body(insert_op(b, cin_forall_create(builder_location(b), variable))));
  }
  MlirBlock inside = builder_block(b);
  for (int n = 0; n < count; n++) {
    arena *memory = terms[n].s->memory;
    variable_set bound = set_empty();
    for (int place = 0; place < shared; place++)
      set_insert(memory, &bound, terms[n].order[place]);
    emit_loops(&terms[n], &terms[n].s->nests[0], shared, bound);
    builder_at_end(b, inside);
  }
  builder_at_end(b, here);
}

/* `maps` in the nests of its terms: one, where it is computed in one. */
static MlirValue translate_terms(const statement *maps, builder *b, const statement_terms *terms) {
  translation whole = {.s = maps,
                       .maps = maps,
                       .b = b,
                       .kernel = mlirBlockCreate(0, NULL, NULL),
                       .variables = ARENA_ARRAY(maps->memory, MlirValue, maps->variable_count + 1),
                       .made = make_room_for_remaps(maps, terms->count, terms->terms),
                       .is_read = ARENA_ARRAY(maps->memory, bool, maps->operand_count + 1)};
  translation *all = ARENA_ARRAY(maps->memory, translation, terms->count);
  make_arguments(&whole);
  builder_at_end(b, whole.kernel);
  make_variables(&whole);
  for (int n = 0; n < terms->count; n++)
    all[n] = translation_of(&whole, &terms->terms[n]);
  emit_terms(terms->count, all, terms->shared);
  emit_unused(&whole);
  builder_before(b, maps->op);
  return op_result(insert_op(b, make_kernel(&whole)), 0);
}

static int variable_named(const statement *s, MlirStringRef name) {
  int v = 0;
  while (v < s->variable_count && !text_is(name, s->variables[v]))
    v++;
  return v;
}

/* The order that the statement says. */
static bool read_order(const statement *s, MlirAttribute told, int *order) {
  bool *seen = ARENA_ARRAY(s->memory, bool, s->variable_count + 1);
  bool all = mlirArrayAttrGetNumElements(told) == s->variable_count;
  for (int i = 0; i < s->variable_count && all; i++) {
    order[i] = variable_named(s, element_text(told, i));
    all = order[i] < s->variable_count && !seen[order[i]];
    seen[order[i]] = true;
  }
  return all || error_at(s->op, "expected each of %s once in 'order'",
                         statement_names(s, statement_variables(s)));
}

/* Compound subscripts of the result leave fewer loops and orders to choose from: with them that
 * there are none is no fault of the statement. */
static const char *unsupported(const statement *s) {
  return statement_scatters(s) ? "not supported yet, with compound subscripts of the result: " : "";
}

static bool find_order(const statement *s, int *order) {
  MlirAttribute told = op_attribute(s->op, "order");
  if (!mlirAttributeIsNull(told) && !s->unmapped)
    return read_order(s, told, order);
  const iteration_graph *g = iteration_graph_create(s, true);
  if (iteration_graph_order(g, order))
    return true;
  return error_at(s->op, "%sno order of the loops over %s agrees with the orders of the levels: %s",
                  unsupported(s), statement_names(s, statement_variables(s)),
                  iteration_graph_cycle(g));
}

/* Says why levels that hold expressions have no loops; false. */
static bool refuse_remaps(const statement *s) {
  return statement_is_supported(s, true) &&
         error_at(s->op,
                  "%sno nest of loops goes through what the levels of all operands hold "
                  "(a tin.convert of an operand would help)",
                  unsupported(s));
}

/* The statement as a whole, as its only term; NULL after a diagnostic where it has no loops. */
static const statement_terms *one_term(const statement *whole) {
  const statement *s = statement_remapped(whole);
  if (!s) {
    refuse_remaps(whole);
    return NULL;
  }
  statement_terms *terms = ARENA_ARRAY(whole->memory, statement_terms, 1);
  statement_term *term = ARENA_ARRAY(whole->memory, statement_term, 1);
  *term = (statement_term){.s = s, .order = ARENA_ARRAY(whole->memory, int, s->variable_count + 1)};
  *terms = (statement_terms){.count = 1, .terms = term};
  return statement_is_supported(s, true) && find_order(s, term->order) ? terms : NULL;
}

static void propose(builder *b, MlirOperation kernel, const char *name, const char *commands) {
  if (commands)
    op_set(kernel, name,
           text_attribute(builder_context(b), mlirStringRefCreateFromCString(commands)));
}

static bool leaves_loops_open(const statement *s) {
  return !op_has(s->op, "schedule") &&
         (!op_has(s->op, "order") || op_has(s->op, "order_is_chosen"));
}

/* Proposes commands that are estimated to be worth it (cin-schedule), for a CPU and for a GPU. */
static void propose_commands(builder *b, MlirOperation kernel, const statement_terms *terms) {
  const statement_term *only = &terms->terms[0];
  if (terms->count != 1 || !leaves_loops_open(only->s))
    return;
  double cost = loop_cost(only->s, only->order);
  const char *expansion = window_expansion(only->s, cost);
  propose(b, kernel, "proposal",
          expansion ? expansion : array_operands(only->s, only->order, cost));
  propose(b, kernel, "gpu_proposal", nonzero_pieces(only->s));
}

static bool translate(MlirOperation op, arena *memory) {
  const statement *whole = statement_create(memory, op);
  const statement_terms *terms = whole ? statement_terms_find(whole) : NULL;
  if (whole && !terms)
    terms = one_term(whole);
  if (!terms)
    return false;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  MlirValue result = translate_terms(whole, b, terms);
  propose_commands(b, value_owner(result), terms);
  replace_operation(op, result);
  builder_free(b);
  return true;
}

int tin_to_cin_run(MlirOperation module, const struct tin_to_cin_options *options) {
  (void)options;
  return !change_operations(module, tin_is_compute, translate);
}
