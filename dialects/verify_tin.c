/* verify_tin.c - verifiers of the tin rung.
 *
 * A tin.compute is sound when every index variable that the result does not have is reduced once,
 * all that depends on it being inside that reduction, and when every variable has an extent.  The
 * variables that a value depends on are those of the accesses it is made from, without those that
 * a tin.reduce has taken off:
 *
 *     a: A[i, j]  {i, j}     b: x[j]  {j}     p = a * b  {i, j}     s = reduce p over (j)  {i}
 *
 * A reduction at compound subscripts of the result depends on these: with s = i + k
 *
 *     a: A[i]  {i}         b: B[k]  {k}     p = a * b  {i, k}     reduce p over (i, k) at (s)  {s}
 */
#include "arena.h"
#include "bit_set.h"
#include "ir.h"
#include "lac_ascii.h"
#include "level_format.h"
#include "remap.h"
#include "tin.h"
#include "verify.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef bit_set variable_set;

typedef struct dependence {
  MlirValue value;
  variable_set variables;
} dependence;

/* A tin.compute while it is verified. */
typedef struct compute {
  arena *memory;
  MlirOperation op;
  MlirAttribute variables, maps;
  intptr_t variable_count, operand_count;
  MlirBlock body;
  variable_set of_result, reduced;
  dependence *dependences;
  intptr_t dependence_count;
} compute;

static MlirStringRef variable_name(const compute *c, intptr_t v) {
  return element_text(c->variables, v);
}

/* The map of an operand or, last, of the result. */
static MlirAffineMap access_map(const compute *c, intptr_t access) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(c->maps, access));
}

static variable_set subscript_variables(const compute *c, MlirAffineExpr subscript) {
  variable_set result = set_empty();
  for (int v = 0; v < c->variable_count; v++)
    if (mlirAffineExprIsFunctionOfDim(subscript, v))
      set_insert(c->memory, &result, v);
  return result;
}

static variable_set access_variables(const compute *c, intptr_t access) {
  variable_set result = set_empty();
  MlirAffineMap map = access_map(c, access);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    set_add(c->memory, &result, subscript_variables(c, mlirAffineMapGetResult(map, d)));
  return result;
}

/* Compound subscripts of the result */

/* What a variable is the subscript of; null where it is none. */
static MlirAffineExpr subscript_of(const compute *c, intptr_t variable) {
  MlirAffineMap map = tin_compute_subscript(c->op, variable_name(c, variable));
  bool is_one = !mlirAffineMapIsNull(map) && mlirAffineMapGetNumResults(map) == 1;
  return is_one ? mlirAffineMapGetResult(map, 0) : (MlirAffineExpr){NULL};
}

static intptr_t find_variable(const compute *c, MlirStringRef name) {
  intptr_t v = 0;
  while (v < c->variable_count && !mlirStringRefEqual(variable_name(c, v), name))
    v++;
  return v;
}

static bool verify_subscript(const compute *c, MlirNamedAttribute subscript) {
  MlirStringRef name = mlirIdentifierStr(subscript.name);
  intptr_t variable = find_variable(c, name);
  if (variable == c->variable_count || !set_has(c->of_result, (int)variable))
    return error_at(c->op, "expected 'subscripts' to name variables of the result, found '%.*s'",
                    TEXT(name));
  MlirAffineExpr form = subscript_of(c, variable);
  MlirAffineMap map = tin_compute_subscript(c->op, name);
  bool is_form = !mlirAffineExprIsNull(form) && mlirAffineMapGetNumDims(map) == c->variable_count &&
                 mlirAffineMapGetNumSymbols(map) == 0;
  form = is_form ? remap_canonical(form) : form;
  is_form = is_form && (remap_is_form(form) || (mlirAffineExprIsAConstant(form) &&
                                                mlirAffineConstantExprGetValue(form) >= 0));
  for (int v = 0; v < c->variable_count && is_form; v++)
    is_form = !mlirAffineExprIsFunctionOfDim(form, v) || mlirAffineExprIsNull(subscript_of(c, v));
  return is_form ||
         error_at(c->op,
                  "expected the subscript '%.*s' as a map from the %ld variables to a "
                  "linear form of others, or to a number from 0 on, found %s",
                  TEXT(name), (long)c->variable_count, attribute_words(subscript.attribute).text);
}

static bool verify_result_subscripts(const compute *c) {
  MlirAttribute all = op_attribute(c->op, "subscripts");
  intptr_t count = mlirAttributeIsNull(all) ? 0 : mlirDictionaryAttrGetNumElements(all);
  for (intptr_t i = 0; i < count; i++)
    if (!verify_subscript(c, mlirDictionaryAttrGetElement(all, i)))
      return false;
  return true;
}

/* Variables and accesses */

static bool is_word(MlirStringRef text) {
  for (size_t i = 0; i < text.length; i++)
    if (!lac_is_letter_or_digit(text.data[i]) && text.data[i] != '_')
      return false;
  return text.length > 0 && !lac_is_digit(text.data[0]);
}

static bool verify_variables(const compute *c) {
  for (intptr_t v = 0; v < c->variable_count; v++) {
    MlirStringRef name = variable_name(c, v);
    if (!is_word(name))
      return error_at(c->op, "expected variables named by words, found '%.*s'", TEXT(name));
    for (intptr_t before = 0; before < v; before++)
      if (mlirStringRefEqual(name, variable_name(c, before)))
        return error_at(c->op, "expected distinct variables, found '%.*s' twice", TEXT(name));
  }
  return true;
}

static bool verify_access(const compute *c, intptr_t access) {
  MlirAffineMap map = access_map(c, access);
  MlirType type = operand_or_result_type(c->op, access);
  intptr_t order = tensor_order(type), found = mlirAffineMapGetNumResults(map);
  if (mlirAffineMapGetNumDims(map) != c->variable_count || mlirAffineMapGetNumSymbols(map) != 0)
    return error_at(c->op, "expected maps from the %ld variables, found %s",
                    (long)c->variable_count,
                    attribute_words(mlirArrayAttrGetElement(c->maps, access)).text);
  if (order != found)
    return error_at(c->op, "expected %ld subscripts of '%s', found %ld", (long)order,
                    type_words(type).text, (long)found);
  return verify_subscripts(c->op, map);
}

static bool verify_result_access(const compute *c) {
  variable_set seen = set_empty();
  MlirAffineMap map = access_map(c, c->operand_count);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr subscript = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsADim(subscript))
      return error_at(c->op, "expected bare variables as the result's subscripts");
    int variable = (int)mlirAffineDimExprGetPosition(subscript);
    if (set_has(seen, variable))
      return error_at(c->op, "expected each variable once in the result, found '%.*s' twice",
                      TEXT(variable_name(c, variable)));
    set_insert(c->memory, &seen, variable);
  }
  return true;
}

static bool verify_accesses(const compute *c) {
  if (!verify_tensors_or_scalars(c->op) ||
      !verify_count(c->op, "maps (operands and result)", c->operand_count + 1,
                    mlirArrayAttrGetNumElements(c->maps)))
    return false;
  for (intptr_t access = 0; access <= c->operand_count; access++)
    if (!verify_access(c, access))
      return false;
  return verify_result_access(c);
}

static bool verify_pads(const compute *c) {
  MlirAttribute pads = op_attribute(c->op, "pads");
  if (mlirAttributeIsNull(pads))
    return true;
  if (!verify_count(c->op, "pads", c->operand_count, mlirArrayAttrGetNumElements(pads)))
    return false;
  for (intptr_t i = 0; i < c->operand_count; i++) {
    MlirAttribute pad = tin_compute_pad(c->op, i);
    if (!mlirAttributeIsNull(pad) &&
        !verify_pad(c->op, element_type(operand_or_result_type(c->op, i)), pad))
      return false;
  }
  return true;
}

/* The region */

static bool verify_body(const compute *c) {
  if (!verify_count(c->op, "block arguments (one for each operand)", c->operand_count,
                    mlirBlockGetNumArguments(c->body)))
    return false;
  for (intptr_t i = 0; i < c->operand_count; i++)
    if (!verify_type(c->op, "a block argument", element_type(operand_or_result_type(c->op, i)),
                     mlirValueGetType(mlirBlockGetArgument(c->body, i))))
      return false;
  MlirOperation yield = mlirBlockGetTerminator(c->body);
  if (!tin_is_yield(yield))
    return error_at(c->op, "expected a tin.yield at the end of the region");
  return verify_type(yield, "a value",
                     element_type(operand_or_result_type(c->op, c->operand_count)),
                     mlirValueGetType(mlirOperationGetOperand(yield, 0)));
}

/* Those of the arguments come first. */
static variable_set depends_on(const compute *c, MlirValue value) {
  if (mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), c->body))
    return c->dependences[mlirBlockArgumentGetArgNumber(value)].variables;
  for (intptr_t i = c->dependence_count; i-- > 0;)
    if (mlirValueEqual(c->dependences[i].value, value))
      return c->dependences[i].variables;
  return set_empty();
}

static void add_dependence(compute *c, MlirValue value, variable_set variables) {
  c->dependences[c->dependence_count++] = (dependence){value, variables};
}

static bool take_off(compute *c, MlirOperation reduce, MlirStringRef name, variable_set *set) {
  int variable = (int)find_variable(c, name);
  if (variable == c->variable_count)
    return error_at(reduce, "expected variables of the tin.compute %s, found '%.*s'",
                    attribute_words(c->variables).text, TEXT(name));
  if (set_has(c->of_result, variable))
    return error_at(reduce, "expected variables that the result does not have, found '%.*s'",
                    TEXT(name));
  if (set_has(c->reduced, variable))
    return error_at(reduce, "expected one reduction of each variable, found two of '%.*s'",
                    TEXT(name));
  set_insert(c->memory, &c->reduced, variable);
  set_remove(c->memory, set, variable);
  return true;
}

static bool reduce_dependences(compute *c, MlirOperation reduce, variable_set *set) {
  MlirAttribute names = op_attribute(reduce, "variables");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); i++)
    if (!take_off(c, reduce, element_text(names, i), set))
      return false;
  return true;
}

typedef struct uses {
  const compute *c;
  variable_set set;
} uses;

static bool add_uses(MlirOperation op, void *data) {
  uses *u = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    set_add(u->c->memory, &u->set, depends_on(u->c, mlirOperationGetOperand(op, i)));
  return true;
}

static bool is_scalar(MlirType type) {
  return is_tensor_or_scalar(type) && !mlirTypeIsARankedTensor(type);
}

/* A statement is one expression of scalars. */
static bool verify_scalar_operation(MlirOperation op) {
  bool scalar = mlirOperationGetNumRegions(op) == 0;
  for (intptr_t i = 0; i < operand_and_result_count(op) && scalar; i++)
    scalar = is_scalar(operand_or_result_type(op, i));
  return scalar || error_at(op,
                            "expected operations on scalars and without regions in a tin.compute, "
                            "found '%.*s'",
                            TEXT(op_name(op)));
}

/* Each of the result's compound subscripts, from which what is reduced at them follows. */
static bool verify_at(const compute *c, MlirOperation reduce, variable_set *set) {
  for (intptr_t i = 0; i < tin_reduce_at_count(reduce); i++) {
    int variable = (int)find_variable(c, tin_reduce_at(reduce, i));
    if (variable == c->variable_count || mlirAffineExprIsNull(subscript_of(c, variable)))
      return error_at(reduce, "expected compound subscripts of the result, found '%.*s'",
                      TEXT(tin_reduce_at(reduce, i)));
    set_insert(c->memory, set, variable);
    variable_set parts = subscript_variables(c, subscript_of(c, variable));
    set_add(c->memory, set, set_minus(c->memory, parts, c->reduced));
  }
  return true;
}

static bool find_dependences(compute *c, MlirOperation op) {
  uses u = {c, set_empty()};
  if (!verify_scalar_operation(op))
    return false;
  add_uses(op, &u);
  if (tin_is_reduce(op) && (!reduce_dependences(c, op, &u.set) || !verify_at(c, op, &u.set)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    add_dependence(c, mlirOperationGetResult(op, i), u.set);
  return true;
}

static intptr_t value_count(MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  for (OPERATIONS(op, block))
    count += mlirOperationGetNumResults(op);
  return count;
}

static bool verify_reductions(compute *c) {
  for (intptr_t i = 0; i < c->operand_count; i++)
    add_dependence(c, mlirBlockGetArgument(c->body, i), access_variables(c, i));
  for (OPERATIONS(op, c->body))
    if (!find_dependences(c, op))
      return false;
  MlirOperation yield = mlirBlockGetTerminator(c->body);
  variable_set outside =
      set_minus(c->memory, depends_on(c, mlirOperationGetOperand(yield, 0)), c->of_result);
  variable_set missing = set_minus(c->memory, outside, c->reduced);
  if (!set_is_empty(missing))
    return error_at(c->op,
                    "expected a tin.reduce over '%.*s', which the result does not have, found none",
                    TEXT(variable_name(c, set_first(missing))));
  if (!set_is_empty(outside))
    return error_at(
        c->op, "expected all that depends on '%.*s' inside its tin.reduce, found a use outside",
        TEXT(variable_name(c, set_first(outside))));
  return true;
}

/* Extents */

/* The coefficient of a variable in an expression; false where it is not linear in it. */
static bool coefficient(MlirAffineExpr e, intptr_t variable, int64_t *result) {
  int64_t left, right;
  *result = mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == variable;
  if (!mlirAffineExprIsABinary(e) || !mlirAffineExprIsFunctionOfDim(e, variable))
    return true;
  MlirAffineExpr factor = mlirAffineBinaryOpExprGetRHS(e);
  if (!coefficient(mlirAffineBinaryOpExprGetLHS(e), variable, &left) ||
      !coefficient(factor, variable, &right))
    return false;
  if (mlirAffineExprIsAAdd(e))
    return !__builtin_add_overflow(left, right, result);
  return mlirAffineExprIsAMul(e) && mlirAffineExprIsAConstant(factor) &&
         !__builtin_mul_overflow(left, mlirAffineConstantExprGetValue(factor), result);
}

/* Whether all variables of the subscript are known, but for one. */
static bool subscript_is_known(const compute *c, MlirAffineExpr subscript, int but,
                               variable_set known) {
  for (int v = 0; v < c->variable_count; v++)
    if (v != but && !set_has(known, v) && mlirAffineExprIsFunctionOfDim(subscript, v))
      return false;
  return true;
}

/* The subscript of an operand tells the extent of a variable that it goes up with, all others of it
 * being known. */
static bool operand_tells_extent(const compute *c, int variable, variable_set known) {
  int64_t factor;
  for (intptr_t access = 0; access < c->operand_count; access++) {
    MlirAffineMap map = access_map(c, access);
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
      MlirAffineExpr subscript = mlirAffineMapGetResult(map, d);
      if (coefficient(subscript, variable, &factor) && factor > 0 &&
          subscript_is_known(c, subscript, variable, known))
        return true;
    }
  }
  return false;
}

static bool result_tells_extent(const compute *c, intptr_t variable) {
  MlirAffineMap map = access_map(c, c->operand_count);
  MlirType type = operand_or_result_type(c->op, c->operand_count);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d)) == variable)
      return dimension_size(type, (int)d) >= 0;
  return false;
}

static MlirAttribute alike(const compute *c, intptr_t variable) {
  MlirAttribute pairs = op_attribute(c->op, "alike");
  return mlirAttributeIsNull(pairs)
             ? pairs
             : mlirDictionaryAttrGetElementByName(pairs, variable_name(c, variable));
}

static bool are_alike(const compute *c, intptr_t variable, intptr_t other) {
  MlirAttribute like = alike(c, variable);
  return !mlirAttributeIsNull(like) &&
         mlirStringRefEqual(mlirStringAttrGetValue(like), variable_name(c, other));
}

/* A subscript of the result goes as far as its range. */
static bool range_tells_extent(const compute *c, int variable, variable_set known) {
  MlirAffineExpr form = subscript_of(c, variable);
  return !mlirAffineExprIsNull(form) && subscript_is_known(c, form, variable, known);
}

static bool other_tells_extent(const compute *c, intptr_t variable, variable_set known) {
  for (int v = 0; v < c->variable_count; v++)
    if (set_has(known, v) && (are_alike(c, variable, v) || are_alike(c, v, variable)))
      return true;
  return false;
}

static variable_set stated_extents(const compute *c) {
  MlirAttribute extents = op_attribute(c->op, "extents");
  variable_set stated = set_empty();
  for (int v = 0; v < c->variable_count && !mlirAttributeIsNull(extents); v++)
    if (!mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(extents, variable_name(c, v))))
      set_insert(c->memory, &stated, v);
  return stated;
}

static variable_set find_extents(const compute *c) {
  variable_set known = stated_extents(c);
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < c->variable_count; v++)
      if (!set_has(known, v) &&
          (result_tells_extent(c, v) || operand_tells_extent(c, v, known) ||
           other_tells_extent(c, v, known) || range_tells_extent(c, v, known))) {
        set_insert(c->memory, &known, v);
        changed = true;
      }
  }
  return known;
}

static bool verify_extents(const compute *c) {
  variable_set known = find_extents(c);
  for (int v = 0; v < c->variable_count; v++)
    if (!set_has(known, v))
      return error_at(c->op,
                      "expected an extent for each variable, found none for '%.*s' (no operand has "
                      "it as a bare subscript, and it is no static dimension of the result)",
                      TEXT(variable_name(c, v)));
  return true;
}

static bool verify_pair(const compute *c, MlirNamedAttribute pair) {
  MlirStringRef variable = mlirIdentifierStr(pair.name);
  MlirStringRef other = mlirAttributeIsAString(pair.attribute)
                            ? mlirStringAttrGetValue(pair.attribute)
                            : mlirStringRefCreateFromCString("");
  intptr_t like = find_variable(c, other);
  if (find_variable(c, variable) == c->variable_count || like == c->variable_count)
    return error_at(c->op, "expected 'alike' to name variables of the tin.compute %s, found '%.*s'",
                    attribute_words(c->variables).text,
                    TEXT(like == c->variable_count ? other : variable));
  if (!mlirAttributeIsNull(alike(c, like)))
    return error_at(c->op,
                    "expected '%.*s' alike to a variable that is alike to no other, found "
                    "'%.*s'",
                    TEXT(variable), TEXT(other));
  return true;
}

static bool verify_stated_extents(MlirOperation op) {
  MlirAttribute extents = op_attribute(op, "extents");
  intptr_t count = mlirAttributeIsNull(extents) ? 0 : mlirDictionaryAttrGetNumElements(extents);
  for (intptr_t e = 0; e < count; e++) {
    MlirNamedAttribute extent = mlirDictionaryAttrGetElement(extents, e);
    if (!mlirAttributeIsAInteger(extent.attribute) ||
        mlirIntegerAttrGetValueInt(extent.attribute) < 0 ||
        mlirIntegerAttrGetValueInt(extent.attribute) > TIN_LARGEST_SIZE)
      return error_at(op, "expected an extent of '%.*s' from 0 to 2^60, found %s",
                      TEXT(mlirIdentifierStr(extent.name)), attribute_words(extent.attribute).text);
  }
  return true;
}

static bool verify_stated(const compute *c) {
  MlirAttribute extents = op_attribute(c->op, "extents");
  intptr_t count = mlirAttributeIsNull(extents) ? 0 : mlirDictionaryAttrGetNumElements(extents);
  for (intptr_t e = 0; e < count; e++) {
    MlirNamedAttribute extent = mlirDictionaryAttrGetElement(extents, e);
    MlirStringRef name = mlirIdentifierStr(extent.name);
    if (find_variable(c, name) == c->variable_count)
      return error_at(c->op,
                      "expected 'extents' to name variables of the tin.compute %s, found '%.*s'",
                      attribute_words(c->variables).text, TEXT(name));
  }
  return verify_stated_extents(c->op);
}

static bool verify_alike(const compute *c) {
  MlirAttribute pairs = op_attribute(c->op, "alike");
  intptr_t count = mlirAttributeIsNull(pairs) ? 0 : mlirDictionaryAttrGetNumElements(pairs);
  for (intptr_t p = 0; p < count; p++)
    if (!verify_pair(c, mlirDictionaryAttrGetElement(pairs, p)))
      return false;
  return true;
}

static bool verify_values(compute *c) {
  c->dependences = ARENA_ARRAY(c->memory, dependence, value_count(c->body));
  c->of_result = access_variables(c, c->operand_count);
  return verify_result_subscripts(c) && verify_reductions(c) && verify_alike(c) &&
         verify_stated(c) && verify_extents(c);
}

bool tin_compute_verify(MlirOperation op) {
  compute c = {.op = op,
               .variables = op_attribute(op, "variables"),
               .maps = op_attribute(op, "maps"),
               .operand_count = mlirOperationGetNumOperands(op),
               .body = op_block(op, 0)};
  c.variable_count = mlirArrayAttrGetNumElements(c.variables);
  c.memory = arena_create();
  bool good = verify_variables(&c) && verify_accesses(&c) && verify_pads(&c) &&
              verify_fills_and_names(op) && verify_body(&c) && verify_values(&c);
  arena_free(c.memory);
  return good;
}

static bool is_within(MlirOperation op, op_kind *is_kind) {
  while (!mlirOperationIsNull(op) && !is_kind(op))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

bool tin_reduce_verify(MlirOperation op) {
  if (!is_within(op, tin_is_compute))
    return error_at(op, "expected to stand in a tin.compute");
  return verify_constant(op, "identity", "an identity", operand_or_result_type(op, 0));
}

/* The other operations */

static tin_text_reader *text_reader;

void tinTextReaderSet(tin_text_reader *reader) {
  text_reader = reader;
}

const char *tinTextProblem(arena *memory, MlirStringRef text, int *column) {
  return text_reader ? text_reader(memory, text, column) : NULL;
}

static bool verify_text(MlirOperation op) {
  arena *memory = arena_create();
  int column;
  const char *problem = tinTextProblem(memory, op_text(op, "expression"), &column);
  bool good = !problem || error_at(op, "column %d of the expression: %s", column, problem);
  arena_free(memory);
  return good;
}

bool tin_einsum_verify(MlirOperation op) {
  return verify_tensors_or_scalars(op) && verify_stated_extents(op) && verify_text(op);
}

static bool shapes_agree(MlirType a, MlirType b) {
  if (tensor_order(a) != tensor_order(b))
    return false;
  for (int d = 0; d < tensor_order(a); d++) {
    int64_t m = dimension_size(a, d), n = dimension_size(b, d);
    if (m >= 0 && n >= 0 && m != n)
      return false;
  }
  return true;
}

bool tin_convert_verify(MlirOperation op) {
  MlirType from = operand_or_result_type(op, 0), to = operand_or_result_type(op, 1);
  if (!shapes_agree(from, to))
    return error_at(op, "expected a result of the shape of '%s', found '%s'", type_words(from).text,
                    type_words(to).text);
  return verify_type(op, "elements", element_type(from), element_type(to)) &&
         (!op_has(op, "fill") || verify_fill(op, element_type(to), op_attribute(op, "fill")));
}

static MlirAttribute whole_format(MlirType type) {
  MlirAttribute format = tinTypeGetFormat(type);
  return mlirAttributeIsNull(format) ? format : tinFormatAttrWithTriangle(format, TIN_WHOLE, 0, 0);
}

bool tin_view_verify(MlirOperation op) {
  MlirType from = operand_or_result_type(op, 0), to = operand_or_result_type(op, 1);
  if (!shapes_agree(from, to) || !mlirAttributeEqual(whole_format(from), whole_format(to)))
    return error_at(op,
                    "expected a result that differs from '%s' in its triangle alone, found '%s'",
                    type_words(from).text, type_words(to).text);
  return verify_type(op, "elements", element_type(from), element_type(to));
}

bool tin_match_verify(MlirOperation op) {
  static const char *const dimensions[] = {"expected_dimension", "found_dimension"};
  for (intptr_t i = 0; i < 2; i++) {
    int64_t order = tensor_order(operand_or_result_type(op, i));
    int64_t dimension = op_integer(op, dimensions[i], 0);
    if (dimension < 0 || dimension >= order)
      return error_at(op, "expected a dimension of a tensor of order %lld, found %lld",
                      (long long)order, (long long)dimension);
  }
  return true;
}

/* Of operands and results, those from `begin` to `end` are arrays of one dimension, the last of
 * them the values of the tensor. */
static bool verify_arrays(MlirOperation op, MlirType tensor, intptr_t begin, intptr_t end) {
  if (mlirAttributeIsNull(tinTypeGetFormat(tensor)))
    return error_at(op, "expected a tensor with a #tin.format, found '%s'",
                    type_words(tensor).text);
  if (begin == end)
    return error_at(op, "expected the levels' arrays and the values, found none");
  for (intptr_t i = begin; i < end; i++)
    if (mlirShapedTypeGetRank(operand_or_result_type(op, i)) != 1)
      return error_at(op, "expected arrays of one dimension, found '%s'",
                      type_words(operand_or_result_type(op, i)).text);
  return verify_type(op, "values", element_type(tensor),
                     element_type(operand_or_result_type(op, end - 1)));
}

bool tin_assemble_verify(MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  MlirType tensor = operand_or_result_type(op, operands);
  intptr_t dimensions = mlirDenseI32ArrayGetElement(op_attribute(op, "operandSegmentSizes"), 0);
  return verify_count(op, "dimensions", tensor_order(tensor), dimensions) &&
         verify_arrays(op, tensor, dimensions, operands);
}

bool tin_disassemble_verify(MlirOperation op) {
  return verify_arrays(op, operand_or_result_type(op, 0), 1, operand_and_result_count(op));
}
