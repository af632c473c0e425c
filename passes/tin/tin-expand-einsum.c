/* tin-expand-einsum.c - tin.einsum text becomes tin.compute.
 *
 *     tin.einsum "y(i) = b(i) - A(i,j) * x(j)" (%b, %A, %x)
 *
 *     tin.compute (i, j) %b[i], %A[i, j], %x[j] -> [i] {
 *     ^bb0(%0: f64, %1: f64, %2: f64):
 *       %3 = arith.mulf %1, %2 : f64
 *       %4 = tin.reduce add %3 over (j) : f64
 *       %5 = arith.subf %0, %4 : f64
 *       tin.yield %5 : f64
 *     }
 *
 * einsum_expand.h says where the reductions go.  An operand has one subscripted occurrence for
 * each different access; element types that differ from the result's are cast.
 */
#include "bridge.h"
#include "diagnostic.h"
#include "einsum_expand.h"
#include "ir.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct expansion {
  arena *memory;
  MlirOperation op; /* the tin.einsum */
  const einsum *statement;
  semiring ring;
  builder *b;
  MlirType result;
} expansion;

/*--- Checks ------------------------------------------------------------------------------------*/

static bool parse(expansion *x) {
  MlirStringRef text = op_text(x->op, "expression");
  einsum_error error;
  x->statement = einsum_parse(x->memory, text.data, text.length, &error);
  if (!x->statement)
    return error_at(x->op, "column %d of the expression: %s", error.column, error.message);
  return true;
}

static bool refuse_unknown_semiring(const expansion *x, const char *name) {
  nearest near = nearest_to(name);
  semiring_offer(&near);
  return error_at(x->op,
                  "expected a semiring such as plus_times, min_plus, max_plus or or_and, found "
                  "'%s'%s",
                  name, nearest_hint(&near));
}

static bool is_defined(const semiring *ring, MlirType element) {
  return scalar_is_defined(ring->plus, element) && scalar_is_defined(ring->times, element);
}

/* The types for which it is. */
static bool refuse_element(const expansion *x, const char *name, MlirType element) {
  static const char *const types[] = {"f64", "f32", "f16", "bf16",         "i8",
                                      "i16", "i32", "i64", "complex<f32>", "complex<f64>"};
  const char *known = "";
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    MlirType type =
        mlirTypeParseGet(mlirOperationGetContext(x->op), mlirStringRefCreateFromCString(types[t]));
    if (is_defined(&x->ring, type))
      known = arena_format(x->memory, "%s%s%s", known, *known ? ", " : "", types[t]);
  }
  return error_at(x->op,
                  "the semiring '%s' is not defined for the result's element type %s: expected one "
                  "of %s (tensors have f64 where -t NAME:TYPE says no other)",
                  name, type_words(element).text, known);
}

static bool find_semiring(expansion *x) {
  const char *name = "plus_times";
  if (op_has(x->op, "semiring")) {
    MlirStringRef text = op_text(x->op, "semiring");
    name = arena_text(x->memory, text.data, text.length);
  }
  if (!semiring_from_name(name, &x->ring))
    return refuse_unknown_semiring(x, name);
  MlirType element = element_type(x->result);
  return is_defined(&x->ring, element) || refuse_element(x, name, element);
}

static bool check_order(const expansion *x, const char *name, MlirType type, int order) {
  if (tensor_order(type) != order)
    return error_at(x->op, "expected %d subscript%s of '%s', whose order is %d, found %d",
                    tensor_order(type), tensor_order(type) == 1 ? "" : "s", name,
                    tensor_order(type), order);
  if (!scalar_type_is_known(element_type(type)))
    return error_at(x->op, "expected '%s' to have floats, integers or complex numbers", name);
  return true;
}

static bool check_operands(const expansion *x) {
  const einsum *e = x->statement;
  intptr_t given = mlirOperationGetNumOperands(x->op);
  if (given != e->tensor_count) {
    char *names = arena_format(x->memory, "%s", "");
    for (int t = 0; t < e->tensor_count; t++)
      names = arena_format(x->memory, "%s%s%s", names, t ? ", " : "", e->tensors[t].name);
    return error_at(x->op, "expected %d operand%s (%s), found %d", e->tensor_count,
                    e->tensor_count == 1 ? "" : "s", names, (int)given);
  }
  for (int t = 0; t < e->tensor_count; t++)
    if (!check_order(x, e->tensors[t].name, mlirValueGetType(mlirOperationGetOperand(x->op, t)),
                     e->tensors[t].order))
      return false;
  return check_order(x, e->result, x->result, e->result_access.order);
}

/* Whether a subscript tells the size of a variable: the variable alone, or with a coefficient above
 * 0 beside variables whose sizes are known (2 * i + k goes as far as the dimension). */
static bool subscript_gives_size(const einsum_subscript *s, int variable, const bool *known) {
  bool found = false;
  for (int t = 0; t < s->term_count; t++) {
    bool is_it = s->terms[t].variable == variable;
    found |= is_it && s->terms[t].coefficient > 0;
    if (!is_it && !known[s->terms[t].variable])
      return false;
  }
  return found;
}

static bool access_gives_size(const einsum_access *access, int variable, const bool *known) {
  for (int s = 0; s < access->order; s++)
    if (subscript_gives_size(&access->subscripts[s], variable, known))
      return true;
  return false;
}

static bool operand_gives_size(const einsum *e, int variable, const bool *known) {
  for (int a = 0; a < e->access_count; a++)
    if (access_gives_size(e->accesses[a], variable, known))
      return true;
  return false;
}

static bool result_gives_size(const expansion *x, int variable) {
  const einsum_access *result = &x->statement->result_access;
  for (int s = 0; s < result->order; s++)
    if (einsum_subscript_is_bare(&result->subscripts[s]) &&
        result->subscripts[s].terms[0].variable == variable)
      return x->statement->accumulate || dimension_size(x->result, s) >= 0;
  return false;
}

static bool is_stated(const expansion *x, const char *variable) {
  MlirAttribute extents = op_attribute(x->op, "extents");
  MlirStringRef name = mlirStringRefCreateFromCString(variable);
  return !mlirAttributeIsNull(extents) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(extents, name));
}

/* Marks the variables whose sizes are known, until no subscript tells another one. */
static void find_sizes(const expansion *x, bool *known) {
  const einsum *e = x->statement;
  bool found = true;
  for (int v = 0; v < e->variable_count; v++)
    known[v] = is_stated(x, e->variables[v]) || result_gives_size(x, v);
  while (found) {
    found = false;
    for (int v = 0; v < e->variable_count; v++)
      if (!known[v] && operand_gives_size(e, v, known))
        known[v] = found = true;
  }
}

static bool check_sizes(const expansion *x) {
  const einsum *e = x->statement;
  bool *known = ARENA_ARRAY(x->memory, bool, e->variable_count + 1);
  find_sizes(x, known);
  for (int v = 0; v < e->variable_count; v++)
    if (!known[v])
      return error_at(x->op,
                      "the index variable '%s' has no size: expected it alone as a subscript of an "
                      "operand, -d %s:SIZE on a command line, or in IR `extents` or a static "
                      "dimension of the result that it subscripts",
                      e->variables[v], e->variables[v]);
  return true;
}

/*--- The statement -----------------------------------------------------------------------------*/

static MlirAffineExpr subscript_expression(MlirContext context, const einsum_subscript *s) {
  MlirAffineExpr sum = mlirAffineConstantExprGet(context, s->constant);
  for (int t = 0; t < s->term_count; t++) {
    MlirAffineExpr variable = mlirAffineDimExprGet(context, s->terms[t].variable);
    MlirAffineExpr factor = mlirAffineConstantExprGet(context, s->terms[t].coefficient);
    sum = mlirAffineAddExprGet(sum, mlirAffineMulExprGet(variable, factor));
  }
  return sum;
}

static MlirAffineMap access_map(const expansion *x, const einsum_access *access,
                                int variable_count) {
  MlirContext context = builder_context(x->b);
  MlirAffineExpr *subscripts = ARENA_ARRAY(x->memory, MlirAffineExpr, access->order + 1);
  for (int s = 0; s < access->order; s++)
    subscripts[s] = subscript_expression(context, &access->subscripts[s]);
  return mlirAffineMapGet(context, variable_count, 0, access->order, subscripts);
}

static MlirAttribute *make_fills(const expansion *x, const compute_parts *parts) {
  MlirType element = element_type(x->result);
  MlirAttribute zero = semiring_zero(x->b, &x->ring, element);
  if (mlirAttributeEqual(zero, combine_identity(x->b, TIN_ADD, element)))
    return NULL;
  MlirAttribute *fills = ARENA_ARRAY(x->memory, MlirAttribute, parts->operand_count + 1);
  for (int a = 0; a < parts->operand_count; a++)
    fills[a] = semiring_zero(x->b, &x->ring, element_type(mlirValueGetType(parts->operands[a])));
  fills[parts->operand_count] = zero;
  return fills;
}

/* What the operands are out of range: a unit for what they are where nothing is stored.  False
 * after a diagnostic; `*pads` is NULL where none is padded. */
static bool make_pads(const expansion *x, const einsum_body *body, const MlirAttribute **pads) {
  MlirContext context = builder_context(x->b);
  MlirAttribute *all = ARENA_ARRAY(x->memory, MlirAttribute, body->access_count + 1);
  for (int a = 0; a < body->access_count; a++) {
    const einsum_access *access = body->accesses[a];
    MlirType element = body->elements[access->tensor];
    MlirAttribute fill = semiring_zero(x->b, &x->ring, element), value = fill;
    if (access->pad)
      value = scalar_number_attribute(x->b, access->pad, element);
    if (mlirAttributeIsNull(value))
      return false;
    if (access->padded)
      all[a] = mlirAttributeEqual(value, fill) ? mlirUnitAttrGet(context) : value;
    *pads = access->padded ? all : *pads;
  }
  return true;
}

/* The copies of variables are as large as what they are copies of; null where there are none. */
static MlirAttribute make_alike(const expansion *x, const einsum_body *body) {
  MlirContext context = builder_context(x->b);
  MlirNamedAttribute *pairs = ARENA_ARRAY(x->memory, MlirNamedAttribute, body->variable_count + 1);
  intptr_t count = 0;
  for (int v = x->statement->variable_count; v < body->variable_count; v++)
    if (body->copied[v] != v)
      pairs[count++] =
          named(x->b, body->variables[v],
                text_attribute(context,
                               mlirStringRefCreateFromCString(body->variables[body->copied[v]])));
  return count ? mlirDictionaryAttrGet(context, count, pairs) : (MlirAttribute){0};
}

/* What the variables are that are compound subscripts of the result; null where there are none. */
static MlirAttribute make_subscripts(const expansion *x, const einsum_body *body) {
  const einsum_access *access = &x->statement->result_access;
  MlirContext context = builder_context(x->b);
  MlirNamedAttribute *all = ARENA_ARRAY(x->memory, MlirNamedAttribute, access->order + 1);
  intptr_t count = 0;
  for (int d = 0; d < access->order; d++) {
    if (body->subscripts[d] < 0)
      continue;
    MlirAffineExpr sum = subscript_expression(context, &body->forms[d]);
    MlirAffineMap map = mlirAffineMapGet(context, body->variable_count, 0, 1, &sum);
    all[count++] = named(x->b, body->variables[body->subscripts[d]], mlirAffineMapAttrGet(map));
  }
  return count ? mlirDictionaryAttrGet(context, count, all) : (MlirAttribute){0};
}

/* What the statement says, and the extent of the variable that goes with repeated subscripts. */
static MlirAttribute make_extents(const expansion *x, const einsum_body *body) {
  MlirAttribute said = op_attribute(x->op, "extents");
  MlirContext context = builder_context(x->b);
  return body->once < 0 ? said
                        : dictionary_with(x->memory, context, said, body->variables[body->once],
                                          integer_attribute(context, 1));
}

static MlirValue make_compute(const expansion *x, const einsum_body *body,
                              const MlirAttribute *pads) {
  const einsum *e = x->statement;
  int count = body->access_count;
  MlirValue *operands = ARENA_ARRAY(x->memory, MlirValue, count + 1);
  MlirAffineMap *maps = ARENA_ARRAY(x->memory, MlirAffineMap, count + 1);
  const char **names = ARENA_ARRAY(x->memory, const char *, count + 1);
  for (int a = 0; a < count; a++) {
    int tensor = body->accesses[a]->tensor;
    operands[a] = mlirOperationGetOperand(x->op, tensor);
    maps[a] = access_map(x, body->accesses[a], body->variable_count);
    names[a] = e->tensors[tensor].name;
  }
  maps[count] = access_map(x, &body->result_access, body->variable_count);
  names[count] = e->result;
  compute_parts parts = {.operand_count = count,
                         .variable_count = body->variable_count,
                         .operands = operands,
                         .maps = maps,
                         .variables = body->variables,
                         .names = names,
                         .pads = pads,
                         .alike = make_alike(x, body),
                         .subscripts = make_subscripts(x, body),
                         .extents = make_extents(x, body),
                         .schedule = op_attribute(x->op, "schedule"),
                         .result = x->result,
                         .body = body->block};
  parts.fills = make_fills(x, &parts);
  builder_before(x->b, x->op);
  return compute_make(x->b, &parts);
}

static const MlirType *operand_elements(const expansion *x) {
  MlirType *elements = ARENA_ARRAY(x->memory, MlirType, x->statement->tensor_count);
  for (int t = 0; t < x->statement->tensor_count; t++)
    elements[t] = element_type(mlirValueGetType(mlirOperationGetOperand(x->op, t)));
  return elements;
}

static bool expand_checked(expansion *x) {
  einsum_body body = {.memory = x->memory,
                      .statement = x->statement,
                      .ring = &x->ring,
                      .b = x->b,
                      .block = mlirBlockCreate(0, NULL, NULL),
                      .element = element_type(x->result),
                      .elements = operand_elements(x)};
  builder_at_end(x->b, body.block);
  MlirValue value = einsum_body_emit(&body);
  const MlirAttribute *pads = NULL;
  if (mlirValueIsNull(value) || !make_pads(x, &body, &pads)) {
    mlirBlockDestroy(body.block);
    return false;
  }
  yield_make(x->b, value);
  replace_operation(x->op, make_compute(x, &body, pads));
  return true;
}

static bool expand(MlirOperation op, arena *memory) {
  expansion x = {
      .memory = memory, .op = op, .result = mlirValueGetType(mlirOperationGetResult(op, 0))};
  if (!parse(&x) || !find_semiring(&x) || !check_operands(&x) || !check_sizes(&x))
    return false;
  x.b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  bool expanded = expand_checked(&x);
  builder_free(x.b);
  return expanded;
}

int tin_expand_einsum_run(MlirOperation module, const struct tin_expand_einsum_options *options) {
  (void)options;
  return !change_operations(module, tin_is_einsum, expand);
}
