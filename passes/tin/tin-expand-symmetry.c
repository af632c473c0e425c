/* tin-expand-symmetry.c - tensors of which one triangle is stored (#tin.format's symmetric) become
 * views of what is stored.
 *
 *     A symmetric      L = A where i >= j     what is stored
 *                      U = A where i > j      and without the diagonal
 *
 *     y(i) = sum_j A(i,j) * x(j)      becomes     t(i) = sum_j U(j,i) * x(j)
 *                                                 y(i) = sum_j L(i,j) * x(j) + t(i)
 *
 * where A is a factor of a sum and the result is dense.  Elsewhere A is converted:
 *
 *     B = convert A    becomes    B(i,j) = L(i,j) + U'(i,j),  U'(i,j) = U(j,i)
 *
 * To store one triangle the other must be the same: the matrix by rows stores what it stores by
 * columns.
 *
 *     A = convert B    becomes    R = convert B by rows,  C = convert R by columns,
 *                                 require that R and C store the same,
 *                                 A = convert (R where i >= j)
 */
#include "bridge.h"
#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "statement_rebuild.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

/*--- Types -------------------------------------------------------------------------------------*/

static tin_triangle triangle_of(MlirType type, intptr_t *a, intptr_t *b) {
  MlirAttribute format =
      mlirTypeIsARankedTensor(type) ? tinTypeGetFormat(type) : (MlirAttribute){0};
  return mlirAttributeIsNull(format) ? TIN_WHOLE : tinFormatAttrGetTriangle(format, a, b);
}

static bool is_symmetric(MlirType type) {
  intptr_t a = 0, b = 0;
  return triangle_of(type, &a, &b) == TIN_SYMMETRIC;
}

/* What is stored, or part of it. */
static MlirType seen_as(MlirType type, tin_triangle triangle) {
  intptr_t a = 0, b = 0;
  triangle_of(type, &a, &b);
  return tensor_with_encoding(type,
                              tinFormatAttrWithTriangle(tinTypeGetFormat(type), triangle, a, b));
}

/* d0, d1, ... with two of them exchanged. */
static MlirAffineMap exchange(arena *memory, MlirContext context, intptr_t order, intptr_t a,
                              intptr_t b) {
  MlirAffineExpr *dimensions = ARENA_ARRAY(memory, MlirAffineExpr, order + 1);
  for (intptr_t d = 0; d < order; d++)
    dimensions[d] = mlirAffineDimExprGet(context, d == a ? b : d == b ? a : d);
  return mlirAffineMapGet(context, order, 0, order, dimensions);
}

/* subscripts of an access to the tensor with two dimensions exchanged. */
static MlirAffineMap exchanged(arena *memory, MlirAffineMap map, intptr_t a, intptr_t b) {
  intptr_t order = mlirAffineMapGetNumResults(map);
  MlirAffineExpr *subscripts = ARENA_ARRAY(memory, MlirAffineExpr, order + 1);
  for (intptr_t d = 0; d < order; d++)
    subscripts[d] = mlirAffineMapGetResult(map, d == a ? b : d == b ? a : d);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), mlirAffineMapGetNumDims(map),
                          mlirAffineMapGetNumSymbols(map), order, subscripts);
}

/* The same levels over exchanged dimensions. */
static MlirType mirrored(arena *memory, MlirType type) {
  intptr_t a = 0, b = 0;
  triangle_of(type, &a, &b);
  MlirAttribute format = tinTypeGetFormat(type);
  MlirContext context = mlirTypeGetContext(type);
  MlirAffineMap map = tinFormatAttrGetMap(format);
  MlirAffineMap other = exchange(memory, context, mlirAffineMapGetNumDims(map), a, b);
  intptr_t count = tinFormatAttrGetNumLevels(format);
  MlirAffineExpr *expressions = ARENA_ARRAY(memory, MlirAffineExpr, count + 1);
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (intptr_t l = 0; l < count; l++) {
    expressions[l] = mlirAffineExprCompose(mlirAffineMapGetResult(map, l), other);
    levels[l] = tinFormatAttrGetLevel(format, l);
  }
  return tensor_with_encoding(
      type, tinFormatAttrGet(context,
                             mlirAffineMapGet(context, mlirAffineMapGetNumDims(map),
                                              mlirAffineMapGetNumSymbols(map), count, expressions),
                             count, levels, tinFormatAttrGetPositionWidth(format),
                             tinFormatAttrGetCoordinateWidth(format)));
}

/*--- From one triangle to both ------------------------------------------------------------------*/

typedef struct expansion {
  arena *memory;
  MlirOperation op;
  builder *b;
  MlirAttribute fill, name; /* null for zero, and where the tensor has none */
  const char **variables;
  int order;
} expansion;

static void name_variables(expansion *e, MlirType type) {
  e->order = tensor_order(type);
  e->variables = ARENA_ARRAY(e->memory, const char *, e->order + 1);
  for (int d = 0; d < e->order; d++)
    e->variables[d] = arena_format(e->memory, "d%d", d);
}

static const char *tensor_name(arena *memory, MlirAttribute name) {
  if (mlirAttributeIsNull(name))
    return NULL;
  MlirStringRef text = mlirStringAttrGetValue(name);
  return arena_text(memory, text.data, text.length);
}

/* The name of a statement's tensor, the result last; null where it has none. */
static MlirAttribute name_in(MlirOperation op, int number) {
  MlirAttribute names = op_attribute(op, "tensor_names");
  return mlirAttributeIsNull(names) ? names : mlirArrayAttrGetElement(names, number);
}

static MlirValue compute(const expansion *e, int count, const MlirValue *operands,
                         const MlirAffineMap *maps, MlirBlock body, MlirType result) {
  MlirAttribute fills[3] = {e->fill, e->fill, e->fill};
  const char *name = tensor_name(e->memory, e->name), *names[3] = {name, name, name};
  compute_parts parts = {.operand_count = count,
                         .variable_count = e->order,
                         .operands = operands,
                         .maps = maps,
                         .variables = e->variables,
                         .fills = mlirAttributeIsNull(e->fill) ? NULL : fills,
                         .names = name ? names : NULL,
                         .conversion = true,
                         .result = result,
                         .body = body};
  return compute_make(e->b, &parts);
}

static MlirValue named_convert(builder *b, MlirValue source, MlirType type, MlirAttribute fill,
                               MlirAttribute name) {
  MlirValue converted = convert_make(b, source, type, fill);
  if (!mlirAttributeIsNull(name))
    op_set(value_owner(converted), "tensor_name", name);
  return converted;
}

/* A conversion in place of e->op, or a part of it. */
static MlirValue convert(const expansion *e, MlirValue source, MlirType type) {
  return named_convert(e->b, source, type, e->fill, e->name);
}

/* U'(i,j) = U(j,i) */
static MlirValue mirror(const expansion *e, MlirValue source, MlirType type) {
  intptr_t a = 0, b = 0;
  triangle_of(type, &a, &b);
  MlirContext context = builder_context(e->b);
  MlirValue seen = view_make(e->b, source, seen_as(type, TIN_STRICTLY_LOWER));
  MlirAffineMap maps[] = {exchange(e->memory, context, e->order, a, b),
                          mlirAffineMapMultiDimIdentityGet(context, e->order)};
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirValue value = mlirBlockAddArgument(body, element_type(type), builder_location(e->b));
  builder_at_end(e->b, body);
  yield_make(e->b, value);
  builder_before(e->b, e->op);
  return compute(e, 1, &seen, maps, body, seen_as(type, TIN_WHOLE));
}

/* The operator that leaves a value as it is where the other one is the fill; NULL for none. */
static tin_reduction operator_ignoring(const expansion *e, MlirType element) {
  static const tin_reduction kinds[] = {TIN_ADD, TIN_MIN, TIN_MAX, TIN_MUL};
  if (mlirAttributeIsNull(e->fill))
    return TIN_ADD;
  bool is_complex = mlirTypeIsAComplex(element);
  for (int k = 0; k < 4; k++) {
    bool has = !is_complex || k == 0 || k == 3;
    if (has && mlirAttributeEqual(e->fill, combine_identity(e->b, kinds[k], element)))
      return kinds[k];
  }
  return TIN_NO_REDUCTION;
}

static bool expand_source(const expansion *e, MlirValue source, MlirType type, MlirType target) {
  MlirContext context = builder_context(e->b);
  MlirType element = element_type(type);
  tin_reduction kind = operator_ignoring(e, element);
  if (!kind)
    return error_at(e->op,
                    "expected a fill of 0, 1 or an infinity where one triangle is stored, "
                    "found %s",
                    attribute_words(e->fill).text);
  MlirValue parts[] = {view_make(e->b, source, seen_as(type, TIN_WHOLE)), mirror(e, source, type)};
  MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(context, e->order);
  MlirAffineMap maps[] = {identity, identity, identity};
  MlirType elements[] = {element, element};
  MlirLocation locations[] = {builder_location(e->b), builder_location(e->b)};
  MlirBlock body = mlirBlockCreate(2, elements, locations);
  builder_at_end(e->b, body);
  yield_make(e->b, combine(e->b, kind, mlirBlockGetArgument(body, 0), mlirBlockGetArgument(body, 1),
                           true));
  builder_before(e->b, e->op);
  replace_operation(e->op, compute(e, 2, parts, maps, body, target));
  return true;
}

/*--- From both triangles to one -----------------------------------------------------------------*/

static void require_equal(const expansion *e, MlirValue left, MlirValue right, MlirType type) {
  intptr_t a = 0, b = 0;
  triangle_of(type, &a, &b);
  char *reason =
      arena_format(e->memory,
                   "expected a tensor that is the same with dimensions %d and %d exchanged, as one "
                   "triangle of it is stored; found one that is not",
                   (int)a, (int)b);
  require_equal_make(e->b, left, right, reason);
}

static bool expand_target(const expansion *e, MlirValue source, MlirType type) {
  MlirType whole = seen_as(type, TIN_WHOLE);
  MlirValue rows = convert(e, source, whole);
  MlirValue columns = convert(e, rows, mirrored(e->memory, type));
  require_equal(e, rows, columns, type);
  MlirValue lower = convert(e, view_make(e->b, rows, seen_as(type, TIN_LOWER)), whole);
  replace_operation(e->op, view_make(e->b, lower, type));
  return true;
}

static bool expand_conversion(MlirOperation op, arena *memory) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirTypeEqual(from, to) || (!is_symmetric(from) && !is_symmetric(to)))
    return true;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  expansion e = {.memory = memory,
                 .op = op,
                 .b = b,
                 .fill = op_attribute(op, "fill"),
                 .name = op_attribute(op, "tensor_name")};
  name_variables(&e, from);
  builder_before(b, op);
  bool expanded = true;
  if (is_symmetric(from) && is_symmetric(to)) {
    MlirValue whole = convert(&e, source, seen_as(to, TIN_WHOLE));
    expanded = expand_target(&e, whole, to) && expand_conversion(value_owner(whole), memory);
  } else if (is_symmetric(to)) {
    expanded = expand_target(&e, source, to);
  } else {
    expanded = expand_source(&e, source, from, to);
  }
  builder_free(b);
  return expanded;
}

/*--- Statements ---------------------------------------------------------------------------------*/

static bool is_product(MlirOperation op) {
  return op_is(op, "arith.mulf") || op_is(op, "arith.muli") || op_is(op, "complex.mul");
}

/* The one operation that uses the value; null where there are several. */
static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = value_only_use(value);
  if (mlirOpOperandIsNull(use))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

/* The sum that the operand is a factor of; null where it is used otherwise. */
static MlirOperation sum_around(MlirOperation op, int number) {
  MlirOperation user = only_user(mlirBlockGetArgument(op_block(op, 0), number));
  while (!mlirOperationIsNull(user) && is_product(user))
    user = only_user(mlirOperationGetResult(user, 0));
  bool is_sum = !mlirOperationIsNull(user) && tin_is_reduce(user) &&
                tin_reduce_kind(user) == TIN_ADD && !op_has(user, "identity");
  return is_sum ? user : (MlirOperation){NULL};
}

/* Whether the later level of the triangle is walked, and the result takes sums in any order. */
static bool loops_go_both_ways(MlirOperation op, int number, arena *memory) {
  MlirLocation location = mlirOperationGetLocation(op);
  const tensor_format *format =
      tensor_format_get(memory, mlirValueGetType(mlirOperationGetOperand(op, number)), location);
  const tensor_format *result =
      tensor_format_get(memory, mlirValueGetType(mlirOperationGetResult(op, 0)), location);
  return format && result && tensor_format_is_dense(result) && tensor_format_is_plain(format) &&
         !(format->levels[tensor_format_triangle_level(format)].format->capabilities &
           LEVEL_LOCATE);
}

static const nest *nest_of(const statement *s, MlirOperation sum) {
  for (int n = 0; n < s->nest_count; n++)
    if (mlirOperationEqual(s->nests[n].reduce, sum))
      return &s->nests[n];
  return NULL;
}

static bool tells_size(const statement *s, const nest *n, int variable) {
  bool told = s->extents[variable] >= 0;
  for (int i = 0; i < n->access_count; i++)
    told |= access_tells_size(&s->accesses[n->accesses[i]], variable);
  return told;
}

/* Whether the sum by itself tells how far its variables go, so that it can be a statement. */
static bool sum_tells_sizes(MlirOperation op, arena *memory, MlirOperation sum) {
  const statement *s = statement_create(memory, op);
  const nest *n = s ? nest_of(s, sum) : NULL;
  bool told = n;
  for (int i = 0; n && i < n->access_count; i++)
    for (int v = 0; v < s->variable_count; v++)
      told &= !set_has(s->accesses[n->accesses[i]].variables, v) || tells_size(s, n, v);
  return told;
}

/* The statement with the operand's other triangle in its place. */
static statement *with_mirrored(const statement *s, builder *b, int number) {
  statement *other = ARENA_ARRAY(s->memory, statement, 1);
  access *accesses = ARENA_ARRAY(s->memory, access, s->operand_count + 1);
  *other = *s;
  memcpy(accesses, s->accesses, sizeof *accesses * (size_t)(s->operand_count + 1));
  access *a = &accesses[number];
  a->operand = view_make(b, a->operand, seen_as(a->type, TIN_STRICTLY_LOWER));
  a->map = exchanged(s->memory, a->map, a->format->above, a->format->below);
  a->name = arena_format(s->memory, "%s_mirrored", a->name);
  other->accesses = accesses;
  return other;
}

static const char **array_texts(arena *memory, MlirAttribute array, intptr_t room) {
  const char **texts = ARENA_ARRAY(memory, const char *, room + 1);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(array); i++) {
    MlirStringRef text = element_text(array, i);
    texts[i] = arena_text(memory, text.data, text.length);
  }
  return texts;
}

/* The statement with one more operand, subscripted by `map`, whose block argument is there. */
static void add_operand(MlirOperation op, arena *memory, builder *b, MlirValue operand,
                        MlirAffineMap map) {
  int count = (int)mlirOperationGetNumOperands(op);
  MlirAttribute maps = op_attribute(op, "maps"), variables = op_attribute(op, "variables"),
                fills = op_attribute(op, "fills"), names = op_attribute(op, "tensor_names");
  MlirValue *operands = ARENA_ARRAY(memory, MlirValue, count + 1);
  MlirAffineMap *all_maps = ARENA_ARRAY(memory, MlirAffineMap, count + 2);
  MlirAttribute *all_fills = ARENA_ARRAY(memory, MlirAttribute, count + 2);
  MlirAttribute *pads = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  const char **all_names =
      mlirAttributeIsNull(names) ? NULL : array_texts(memory, names, count + 2);
  for (int i = 0; i <= count; i++) {
    int to = i == count ? count + 1 : i;
    all_maps[to] = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (i < count) {
      operands[i] = mlirOperationGetOperand(op, i);
      pads[i] = tin_compute_pad(op, i);
    }
    if (!mlirAttributeIsNull(fills))
      all_fills[to] = mlirArrayAttrGetElement(fills, i);
  }
  operands[count] = operand;
  all_maps[count] = map;
  all_fills[count] = combine_identity(b, TIN_ADD, element_type(mlirValueGetType(operand)));
  if (all_names) {
    all_names[count + 1] = all_names[count];
    all_names[count] = "t";
  }
  MlirBlock body = op_block(op, 0);
  mlirBlockDetach(body);
  compute_parts parts = {.operand_count = count + 1,
                         .variable_count = (int)mlirArrayAttrGetNumElements(variables),
                         .operands = operands,
                         .maps = all_maps,
                         .variables =
                             array_texts(memory, variables, mlirArrayAttrGetNumElements(variables)),
                         .fills = mlirAttributeIsNull(fills) ? NULL : all_fills,
                         .pads = op_has(op, "pads") ? pads : NULL,
                         .names = all_names,
                         .alike = op_attribute(op, "alike"),
                         .subscripts = op_attribute(op, "subscripts"),
                         .extents = op_attribute(op, "extents"),
                         .schedule = op_attribute(op, "schedule"),
                         .result = mlirValueGetType(mlirOperationGetResult(op, 0)),
                         .body = body};
  builder_before(b, op);
  replace_operation(op, compute_make(b, &parts));
}

/* sum becomes sum + value */
static void add_to_sum(builder *b, MlirOperation sum, MlirValue value) {
  MlirValue first = mlirOperationGetResult(sum, 0);
  builder_before(b, mlirOperationGetNextInBlock(sum));
  MlirValue both = combine(b, TIN_ADD, first, value, true);
  MlirOperation made = value_owner(both);
  mlirValueReplaceAllUsesExcept(first, both, 1, &made);
}

/* t = the sum over the other triangle; then sum + t, the sum over what is stored. */
static bool compute_with_both(MlirOperation op, arena *memory, builder *b, int number,
                              MlirOperation sum) {
  const statement *s = statement_create(memory, op);
  const nest *n = s ? nest_of(s, sum) : NULL;
  if (!n)
    return false;
  MlirValue operand = mlirOperationGetOperand(op, number);
  variable_set variables = n->parent ? n->outer : statement_result_variables(s);
  rebuilt_result temporary = {.type = temporary_type(s, variables, mlirValueGetType(n->value)),
                              .map = map_to_variables(s, variables),
                              .name = "t"};
  builder_before(b, op);
  const statement *other = with_mirrored(s, b, number);
  MlirValue t = statement_rebuild(other, b, n->value, &temporary, NULL);
  mlirOperationSetOperand(op, number,
                          view_make(b, operand, seen_as(s->accesses[number].type, TIN_WHOLE)));
  add_to_sum(
      b, sum,
      mlirBlockAddArgument(op_block(op, 0), mlirValueGetType(n->value), builder_location(b)));
  add_operand(op, memory, b, t, temporary.map);
  return true;
}

/* Whether the operand is zero where nothing is stored, and out of range. */
static bool is_zero_elsewhere(MlirOperation op, int number, builder *b) {
  MlirAttribute fill = compute_fill(op, number), pad = tin_compute_pad(op, number);
  MlirType element = element_type(mlirValueGetType(mlirOperationGetOperand(op, number)));
  MlirAttribute zero = combine_identity(b, TIN_ADD, element);
  return (mlirAttributeIsNull(fill) || mlirAttributeEqual(fill, zero)) &&
         (!tin_pad_is_value(pad) || mlirAttributeEqual(pad, zero));
}

static void convert_operand(MlirOperation op, arena *memory, builder *b, int number) {
  MlirValue operand = mlirOperationGetOperand(op, number);
  MlirType whole = seen_as(mlirValueGetType(operand), TIN_WHOLE);
  MlirAttribute named = name_in(op, number);
  const char *name = tensor_name(memory, named);
  remark_at(op,
            "converted operand '%s' to %s, since one triangle of it is stored and it is no factor "
            "of a sum into a dense result; stored so, it need not be",
            name ? name : arena_format(memory, "operand %d", number + 1),
            format_text(memory, whole));
  builder_before(b, op);
  mlirOperationSetOperand(op, number,
                          named_convert(b, operand, whole, compute_fill(op, number), named));
}

static void convert_result(MlirOperation op, builder *b) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  mlirValueSetType(result, seen_as(type, TIN_WHOLE));
  builder_before(b, mlirOperationGetNextInBlock(op));
  int last = (int)mlirOperationGetNumOperands(op);
  bool computed = tin_is_compute(op);
  MlirAttribute none = {NULL};
  MlirValue converted = named_convert(b, result, type, computed ? compute_fill(op, last) : none,
                                      computed ? name_in(op, last) : none);
  MlirOperation convert = value_owner(converted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
}

static bool expand_result(MlirOperation op, arena *memory) {
  (void)memory;
  if (!is_symmetric(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return true;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  convert_result(op, b);
  builder_free(b);
  return true;
}

/* Operands are taken from the last to the first: the statement that has one more is a new one. */
static bool expand_operands(MlirOperation op, arena *memory) {
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  int mirrored_operand = -1;
  bool expanded = true;
  for (int i = (int)mlirOperationGetNumOperands(op) - 1; i >= 0; i--) {
    if (!is_symmetric(mlirValueGetType(mlirOperationGetOperand(op, i))))
      continue;
    bool factor = mirrored_operand < 0 && !mlirOperationIsNull(sum_around(op, i)) &&
                  is_zero_elsewhere(op, i, b) && loops_go_both_ways(op, i, memory) &&
                  sum_tells_sizes(op, memory, sum_around(op, i));
    if (factor)
      mirrored_operand = i;
    else
      convert_operand(op, memory, b, i);
  }
  if (mirrored_operand >= 0)
    expanded = compute_with_both(op, memory, b, mirrored_operand, sum_around(op, mirrored_operand));
  builder_free(b);
  return expanded;
}

/* What prints and writes takes all entries. */
static bool expand_output(MlirOperation op, arena *memory) {
  (void)memory;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  if (!is_symmetric(mlirValueGetType(operand)))
    return true;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  builder_before(b, op);
  MlirType whole = seen_as(mlirValueGetType(operand), TIN_WHOLE);
  mlirOperationSetOperand(op, 0, convert_make(b, operand, whole, (MlirAttribute){0}));
  builder_free(b);
  return true;
}

/* What a part leaves out would be lost. */
static bool refuse_part(MlirOperation op, arena *memory) {
  intptr_t a = 0, b = 0;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  tin_triangle triangle = triangle_of(type, &a, &b);
  return triangle == TIN_WHOLE || triangle == TIN_SYMMETRIC ||
         error_at(op, "expected a result that is stored whole or symmetric, found '%s'",
                  format_text(memory, type));
}

static op_kind *const makers[] = {tin_is_read, tin_is_compute, tin_is_convert};

static bool refuse_parts(MlirOperation module) {
  bool all = true;
  for (int i = 0; i < 3; i++)
    all &= change_operations(module, makers[i], refuse_part);
  return all;
}

int tin_expand_symmetry_run(MlirOperation module,
                            const struct tin_expand_symmetry_options *options) {
  (void)options;
  return !refuse_parts(module) || !change_operations(module, tin_is_read, expand_result) ||
         !change_operations(module, tin_is_compute, expand_result) ||
         !change_operations(module, tin_is_compute, expand_operands) ||
         !change_operations(module, tin_is_print, expand_output) ||
         !change_operations(module, tin_is_write, expand_output) ||
         !change_operations(module, tin_is_convert, expand_conversion);
}
