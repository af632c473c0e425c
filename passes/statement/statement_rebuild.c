/* New statements from parts of one (statement_rebuild.h). */
#include "statement_rebuild.h"

#include "ir.h"
#include "tin.h"
#include "tin_ops.h"
#include "value_map.h"

#include <mlir-c/BuiltinAttributes.h>

typedef struct rebuild {
  const statement *s;
  builder *b;
  const replacement *replaced;
  MlirBlock body;
  variable_set variables; /* used so far */
  variable_set accesses;  /* of the statement, added so far */
  variable_set at;        /* compound subscripts of the result that something is reduced at */
  int count;              /* of operands, the arrays have room for one more than the old ones */
  MlirValue *operands;
  MlirAffineMap *maps;
  const char **names;
  MlirAttribute *fills, *pads;
  bool any_pads;
} rebuild;

MlirAttribute compute_fill(MlirOperation compute, intptr_t number) {
  return statement_op_fill(compute, number);
}

MlirAttribute access_fill(const statement *s, int access_number) {
  return compute_fill(s->op, access_number);
}

MlirAffineMap map_to_variables(const statement *s, variable_set set) {
  MlirContext context = mlirOperationGetContext(s->op);
  MlirAffineExpr *variables = ARENA_ARRAY(s->memory, MlirAffineExpr, s->variable_count + 1);
  intptr_t order = 0;
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(set, v))
      variables[order++] = mlirAffineDimExprGet(context, v);
  return mlirAffineMapGet(context, s->variable_count, 0, order, variables);
}

static MlirValue add_operand(rebuild *r, MlirValue tensor, MlirAffineMap map, const char *name,
                             MlirAttribute fill) {
  r->operands[r->count] = tensor;
  r->maps[r->count] = map;
  r->names[r->count] = name;
  r->fills[r->count++] = fill;
  return mlirBlockAddArgument(r->body, element_type(mlirValueGetType(tensor)),
                              builder_location(r->b));
}

/* The operand that was just added is padded as it was. */
static void keep_pad(rebuild *r, const access *a) {
  r->pads[r->count - 1] = a->pad;
  r->any_pads |= !mlirAttributeIsNull(a->pad);
}

static MlirValue add_access(rebuild *r, int number) {
  const access *a = &r->s->accesses[number];
  set_add(r->s->memory, &r->variables, a->variables);
  set_insert(r->s->memory, &r->accesses, number);
  MlirValue made = add_operand(r, a->operand, a->map, a->name, access_fill(r->s, number));
  keep_pad(r, a);
  return made;
}

static void use_subscript(rebuild *r, int subscript) {
  set_insert(r->s->memory, &r->at, subscript);
  set_insert(r->s->memory, &r->variables, subscript);
  for (int v = 0; v < r->s->variable_count; v++)
    if (mlirAffineExprIsFunctionOfDim(r->s->subscripts[subscript], v))
      set_insert(r->s->memory, &r->variables, v);
}

static void use_reduced_variables(rebuild *r, MlirValue value) {
  MlirOperation op = value_owner(value);
  if (!tin_is_reduce(op))
    return;
  for (intptr_t i = 0; i < tin_reduce_variable_count(op); i++)
    for (int v = 0; v < r->s->variable_count; v++)
      if (text_is(tin_reduce_variable(op, i), r->s->variables[v]))
        set_insert(r->s->memory, &r->variables, v);
  for (intptr_t i = 0; i < tin_reduce_at_count(op); i++)
    for (int v = 0; v < r->s->variable_count; v++)
      if (text_is(tin_reduce_at(op, i), r->s->variables[v]))
        use_subscript(r, v);
}

static MlirValue make_argument(MlirValue value, void *data) {
  rebuild *r = data;
  if (r->replaced && mlirValueEqual(value, r->replaced->part)) {
    set_add(r->s->memory, &r->variables, r->replaced->variables);
    return add_operand(r, r->replaced->tensor, map_to_variables(r->s, r->replaced->variables),
                       r->replaced->name, r->replaced->fill);
  }
  if (mlirValueIsABlockArgument(value))
    return add_access(r, (int)mlirBlockArgumentGetArgNumber(value));
  use_reduced_variables(r, value);
  return (MlirValue){0};
}

static void use_result_variables(rebuild *r, MlirAffineMap map) {
  for (int v = 0; v < r->s->variable_count; v++)
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
      if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), v))
        set_insert(r->s->memory, &r->variables, v);
}

static bool is_unused(const statement *s, int number) {
  for (int n = 0; n < s->nest_count; n++)
    for (int a = 0; a < s->nests[n].access_count; a++)
      if (s->nests[n].accesses[a] == number)
        return false;
  return true;
}

static int bare_dimension(MlirAffineMap map, int variable) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr subscript = mlirAffineMapGetResult(map, d);
    if (mlirAffineExprIsADim(subscript) && mlirAffineDimExprGetPosition(subscript) == variable)
      return (int)d;
  }
  return -1;
}

/* Whether it is stated how far the variable goes, or an operand that was added tells it, or a
 * dimension of the result. */
static bool is_told(const rebuild *r, const rebuilt_result *result, int variable) {
  int dimension = bare_dimension(result->map, variable);
  bool told = r->s->extents[variable] >= 0 ||
              (dimension >= 0 && dimension_size(result->type, dimension) >= 0);
  for (int a = 0; a < r->count; a++)
    told |= bare_dimension(r->maps[a], variable) >= 0;
  return told;
}

/* An operand of the whole statement that tells it: one that brings no more variables, if there is
 * such a one; -1 for none. */
static int find_teller(const rebuild *r, int variable) {
  int teller = -1;
  for (int a = 0; a < r->s->operand_count; a++) {
    const access *operand = &r->s->accesses[a];
    if (!access_tells_size(operand, variable))
      continue;
    if (set_within(operand->variables, r->variables))
      return a;
    teller = teller < 0 ? a : teller;
  }
  return teller;
}

/* The subscript where the variable is `at` and all others are 0. */
static int64_t value_at(const statement *s, MlirAffineExpr subscript, int variable, int64_t at) {
  MlirContext context = mlirOperationGetContext(s->op);
  MlirAffineExpr *values = ARENA_ARRAY(s->memory, MlirAffineExpr, s->variable_count + 1);
  for (int v = 0; v < s->variable_count; v++)
    values[v] = mlirAffineConstantExprGet(context, v == variable ? at : 0);
  MlirAffineMap point = mlirAffineMapGet(context, 0, 0, s->variable_count, values);
  return mlirAffineConstantExprGetValue(mlirAffineExprCompose(subscript, point));
}

/* Whether a subscript of the access grows with the variable, so that it leaves it an extent. */
static bool leaves_size(const statement *s, const access *a, int variable) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(a->map); d++) {
    MlirAffineExpr subscript = mlirAffineMapGetResult(a->map, d);
    if (value_at(s, subscript, variable, 1) > value_at(s, subscript, variable, 0))
      return true;
  }
  return false;
}

/* Of a variable that stands alone nowhere: the first operand that leaves it an extent, if none is
 * there that does; -1 for none. */
static int find_compound(const rebuild *r, int variable) {
  int first = -1;
  for (int a = 0; a < r->s->operand_count; a++) {
    if (!leaves_size(r->s, &r->s->accesses[a], variable))
      continue;
    if (set_has(r->accesses, a))
      return -1;
    first = first < 0 ? a : first;
  }
  return first;
}

static bool are_alike(const statement *s, int v, int w) {
  int first = s->alike[v] >= 0 ? s->alike[v] : v;
  return w == first || s->alike[w] == first;
}

/* The variable among those that are alike to one that the whole statement tells and that is not
 * told yet; -1 where one is told, or none can be. */
static int find_missing(rebuild *r, const rebuilt_result *result, int variable) {
  const statement *s = r->s;
  int missing = -1;
  for (int w = 0; w < s->variable_count; w++) {
    if (!are_alike(s, variable, w))
      continue;
    if (set_has(r->variables, w) && is_told(r, result, w))
      return -1;
    if (find_teller(r, w) >= 0 && missing != variable)
      missing = w;
  }
  return missing;
}

static void keep_tellers(rebuild *r, const rebuilt_result *result) {
  for (int v = 0; v < r->s->variable_count;) {
    int missing = set_has(r->variables, v) ? find_missing(r, result, v) : -1;
    if (missing >= 0)
      add_access(r, find_teller(r, missing));
    v = missing >= 0 ? 0 : v + 1;
  }
}

/* The variables that are used go as far as they do in the whole statement, also where an operand
 * that tells it is read by another part: else they would have no extent, or as much as a compound
 * subscript leaves them.  One that is added for a compound subscript uses more variables. */
static void keep_sizes(rebuild *r, const rebuilt_result *result) {
  const statement *s = r->s;
  keep_tellers(r, result);
  for (int v = 0; v < s->variable_count;) {
    bool open = set_has(r->variables, v) && s->alike[v] < 0 && !is_told(r, result, v);
    int compound = open && find_teller(r, v) < 0 ? find_compound(r, v) : -1;
    if (compound >= 0) {
      add_access(r, compound);
      keep_tellers(r, result);
    }
    v = compound >= 0 ? 0 : v + 1;
  }
}

/* Operands whose values no part of the statement uses have to fit, and tell extents: they stay with
 * what is left of it, and go along to where all of their variables are. */
static void keep_unused(rebuild *r) {
  for (int a = 0; a < r->s->operand_count; a++) {
    const access *operand = &r->s->accesses[a];
    if (is_unused(r->s, a) && (r->replaced || set_within(operand->variables, r->variables)))
      add_access(r, a);
  }
}

/* The variables used get new numbers: the map to these. */
static MlirAffineMap renumber(rebuild *r, const char **variables, int *count) {
  MlirContext context = builder_context(r->b);
  MlirAffineExpr *numbers = ARENA_ARRAY(r->s->memory, MlirAffineExpr, r->s->variable_count + 1);
  *count = 0;
  for (int v = 0; v < r->s->variable_count; v++) {
    numbers[v] = mlirAffineConstantExprGet(context, 0);
    if (set_has(r->variables, v)) {
      variables[*count] = r->s->variables[v];
      numbers[v] = mlirAffineDimExprGet(context, (*count)++);
    }
  }
  MlirAffineMap compression = mlirAffineMapGet(context, *count, 0, r->s->variable_count, numbers);
  for (int a = 0; a <= r->count; a++) {
    intptr_t order = mlirAffineMapGetNumResults(r->maps[a]);
    MlirAffineExpr *subscripts = ARENA_ARRAY(r->s->memory, MlirAffineExpr, order + 1);
    for (intptr_t d = 0; d < order; d++)
      subscripts[d] = mlirAffineExprCompose(mlirAffineMapGetResult(r->maps[a], d), compression);
    r->maps[a] = mlirAffineMapGet(context, *count, 0, order, subscripts);
  }
  return compression;
}

/* The subscripts that something is still reduced at, of the new numbers; null where there are none.
 */
static MlirAttribute subscripts_left(const rebuild *r, MlirAffineMap numbers) {
  const statement *s = r->s;
  MlirContext context = builder_context(r->b);
  MlirNamedAttribute *all = ARENA_ARRAY(s->memory, MlirNamedAttribute, s->variable_count + 1);
  intptr_t count = 0;
  for (int v = set_first(r->at); v >= 0; v = set_next(r->at, v + 1)) {
    MlirAffineExpr form = mlirAffineExprCompose(s->subscripts[v], numbers);
    MlirAffineMap map = mlirAffineMapGet(context, mlirAffineMapGetNumDims(numbers), 0, 1, &form);
    all[count++] = named(r->b, s->variables[v], mlirAffineMapAttrGet(map));
  }
  return count ? mlirDictionaryAttrGet(context, count, all) : (MlirAttribute){0};
}

/* Null where all are zero; else zero where one is not said. */
static const MlirAttribute *complete_fills(rebuild *r, MlirType result) {
  bool any = false;
  for (int a = 0; a <= r->count; a++)
    any |= !mlirAttributeIsNull(r->fills[a]);
  for (int a = 0; any && a <= r->count; a++)
    if (mlirAttributeIsNull(r->fills[a])) {
      MlirType type = a == r->count ? result : mlirValueGetType(r->operands[a]);
      r->fills[a] = combine_identity(r->b, TIN_ADD, element_type(type));
    }
  return any ? r->fills : NULL;
}

/* The first of those alike to a variable that are still used: what the others are said to be alike
 * to may be used no more. */
static int first_alike(const rebuild *r, int variable) {
  int w = set_first(r->variables);
  while (w != variable && !are_alike(r->s, variable, w))
    w = set_next(r->variables, w + 1);
  return w;
}

/* The variables that were alike and are still used; null where there are none. */
static MlirAttribute alike_left(const rebuild *r) {
  const statement *s = r->s;
  MlirContext context = builder_context(r->b);
  MlirNamedAttribute *pairs = ARENA_ARRAY(s->memory, MlirNamedAttribute, s->variable_count + 1);
  intptr_t count = 0;
  for (int v = set_first(r->variables); v >= 0; v = set_next(r->variables, v + 1)) {
    int first = first_alike(r, v);
    if (first != v)
      pairs[count++] =
          named(r->b, s->variables[v],
                text_attribute(context, mlirStringRefCreateFromCString(s->variables[first])));
  }
  return count ? mlirDictionaryAttrGet(context, count, pairs) : (MlirAttribute){0};
}

/* The extents that are stated of the variables still used; null where there are none. */
static MlirAttribute extents_left(const rebuild *r) {
  const statement *s = r->s;
  MlirContext context = builder_context(r->b);
  MlirNamedAttribute *extents = ARENA_ARRAY(s->memory, MlirNamedAttribute, s->variable_count + 1);
  intptr_t count = 0;
  for (int v = 0; v < s->variable_count; v++)
    if (s->extents[v] >= 0 && set_has(r->variables, v))
      extents[count++] = named(r->b, s->variables[v], integer_attribute(context, s->extents[v]));
  return count ? mlirDictionaryAttrGet(context, count, extents) : (MlirAttribute){0};
}

static MlirValue finish(rebuild *r, const rebuilt_result *result) {
  const char **variables = ARENA_ARRAY(r->s->memory, const char *, r->s->variable_count + 1);
  int variable_count;
  r->maps[r->count] = result->map;
  r->names[r->count] = result->name;
  r->fills[r->count] = result->fill;
  MlirAffineMap numbers = renumber(r, variables, &variable_count);
  compute_parts parts = {.operand_count = r->count,
                         .variable_count = variable_count,
                         .operands = r->operands,
                         .maps = r->maps,
                         .variables = variables,
                         .fills = complete_fills(r, result->type),
                         .pads = r->any_pads ? r->pads : NULL,
                         .names = r->names,
                         .alike = alike_left(r),
                         .subscripts = subscripts_left(r, numbers),
                         .extents = extents_left(r),
                         .schedule = op_attribute(r->s->op, "schedule"),
                         .result = result->type,
                         .body = r->body};
  return compute_make(r->b, &parts);
}

MlirValue statement_rebuild(const statement *s, builder *b, MlirValue value,
                            const rebuilt_result *result, const replacement *replaced) {
  int room = s->operand_count + 2;
  rebuild r = {.s = s,
               .b = b,
               .replaced = replaced,
               .body = mlirBlockCreate(0, NULL, NULL),
               .operands = ARENA_ARRAY(s->memory, MlirValue, room),
               .maps = ARENA_ARRAY(s->memory, MlirAffineMap, room),
               .names = ARENA_ARRAY(s->memory, const char *, room),
               .fills = ARENA_ARRAY(s->memory, MlirAttribute, room),
               .pads = ARENA_ARRAY(s->memory, MlirAttribute, room)};
  builder_at_end(b, r.body);
  value_map made = {.memory = s->memory};
  yield_make(b, value_map_copy(&made, b, value, make_argument, &r));
  use_result_variables(&r, result->map);
  keep_unused(&r);
  keep_sizes(&r, result);
  builder_before(b, s->op);
  return finish(&r, result);
}

void statement_split(const statement *s, builder *b, MlirValue value, variable_set variables,
                     const rebuilt_result *temporary, MlirOperation parts[2]) {
  const access *result = statement_result(s);
  replacement read = {.part = value,
                      .tensor = statement_rebuild(s, b, value, temporary, NULL),
                      .variables = variables,
                      .name = temporary->name,
                      .fill = temporary->fill};
  rebuilt_result whole = {.type = result->type,
                          .map = result->map,
                          .name = result->name,
                          .fill = access_fill(s, s->operand_count)};
  MlirValue rest = statement_rebuild(s, b, s->nests[0].value, &whole, &read);
  replace_operation(s->op, rest);
  parts[0] = value_owner(read.tensor);
  parts[1] = value_owner(rest);
}
