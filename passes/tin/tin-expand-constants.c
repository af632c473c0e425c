/* tin-expand-constants.c - a constant subscript of a result, at a level that is appended to, is one
 * that goes with a loop of one iteration.
 *
 *     C(2,i) = x(i)    ->    C(once+2,i) = x(i), once < 1      C : (i : compressed, j : compressed)
 *
 * Levels with a place for each coordinate are located in at a constant as at any other.
 */
#include "bridge.h"
#include "ir.h"
#include "statement.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>

/*--- Which -------------------------------------------------------------------------------------*/

/* Whether a level that has no place for each coordinate holds dimension `d`, or an expression of
 * it, or one counts its entries. */
static bool is_appended(const access *result, int d) {
  for (int l = 0; l < result->level_count; l++) {
    const format_level *level = result->levels[l].level;
    bool holds = mlirAffineExprIsFunctionOfDim(level->expression, d);
    if ((holds && !(level->properties & LEVEL_FULL)) || remap_counted(level->expression) == d)
      return true;
  }
  return false;
}

/* The first variable that is such a subscript; -1 for none. */
static int find_constant(const statement *s) {
  const access *result = statement_result(s);
  for (int v = 0; v < s->variable_count; v++) {
    int d = mlirAffineExprIsNull(s->subscripts[v]) ? -1 : access_dimension_of(result, v);
    if (d >= 0 && mlirAffineExprIsAConstant(s->subscripts[v]) && is_appended(result, d))
      return v;
  }
  return -1;
}

/*--- One more variable -------------------------------------------------------------------------*/

static MlirAffineMap with_one_more(MlirAffineMap map, arena *memory) {
  intptr_t count = mlirAffineMapGetNumResults(map);
  MlirAffineExpr *results = ARENA_ARRAY(memory, MlirAffineExpr, count + 1);
  for (intptr_t n = 0; n < count; n++)
    results[n] = mlirAffineMapGetResult(map, n);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), mlirAffineMapGetNumDims(map) + 1, 0, count,
                          results);
}

static void widen_maps(MlirOperation op, arena *memory) {
  MlirAttribute maps = op_attribute(op, "maps");
  intptr_t count = mlirArrayAttrGetNumElements(maps);
  MlirAttribute *wider = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (intptr_t n = 0; n < count; n++)
    wider[n] = mlirAffineMapAttrGet(
        with_one_more(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, n)), memory));
  op_set(op, "maps", mlirArrayAttrGet(mlirOperationGetContext(op), count, wider));
}

static MlirAttribute texts_with(arena *memory, MlirContext context, MlirAttribute texts,
                                MlirStringRef text) {
  intptr_t count = mlirArrayAttrGetNumElements(texts);
  MlirAttribute *all = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (intptr_t n = 0; n < count; n++)
    all[n] = mlirArrayAttrGetElement(texts, n);
  all[count] = mlirStringAttrGet(context, text);
  return mlirArrayAttrGet(context, count + 1, all);
}

/* once + constant, `once` being the variable behind `count` others, and 0.  A form has to be more
 * than a variable alone: where the constant is 0, it is 2 * once. */
static MlirAffineMap form_at(MlirAffineMap constant, intptr_t count) {
  MlirContext context = mlirAffineMapGetContext(constant);
  MlirAffineExpr at = mlirAffineMapGetResult(constant, 0);
  MlirAffineExpr once = mlirAffineDimExprGet(context, count);
  if (mlirAffineConstantExprGetValue(at) == 0)
    once = mlirAffineMulExprGet(once, mlirAffineConstantExprGet(context, 2));
  MlirAffineExpr form = mlirAffineAddExprGet(once, at);
  return mlirAffineMapGet(context, count + 1, 0, 1, &form);
}

/* Each subscript in one variable more; that of `v`, a constant, as a form of the last. */
static void widen_subscripts(const statement *s, int v) {
  MlirContext context = mlirOperationGetContext(s->op);
  for (int u = 0; u < s->variable_count; u++) {
    MlirAffineMap map =
        tin_compute_subscript(s->op, mlirStringRefCreateFromCString(s->variables[u]));
    if (mlirAffineMapIsNull(map))
      continue;
    MlirAffineMap wider = u == v ? form_at(map, s->variable_count) : with_one_more(map, s->memory);
    op_set(s->op, "subscripts",
           dictionary_with(s->memory, context, op_attribute(s->op, "subscripts"), s->variables[u],
                           mlirAffineMapAttrGet(wider)));
  }
}

/* What is reduced at the subscript is reduced over the variable as well. */
static void reduce_over(const statement *s, int v, MlirStringRef once) {
  for (OPERATIONS(op, op_block(s->op, 0))) {
    bool is_at = false;
    for (intptr_t n = 0; tin_is_reduce(op) && n < tin_reduce_at_count(op); n++)
      is_at |= text_is(tin_reduce_at(op, n), s->variables[v]);
    if (is_at)
      op_set(
          op, "variables",
          texts_with(s->memory, mlirOperationGetContext(op), op_attribute(op, "variables"), once));
  }
}

static void add_variable(const statement *s, int v) {
  MlirContext context = mlirOperationGetContext(s->op);
  const char *name = statement_new_name(s, "once", "");
  MlirStringRef once = mlirStringRefCreateFromCString(name);
  widen_maps(s->op, s->memory);
  widen_subscripts(s, v);
  reduce_over(s, v, once);
  op_set(s->op, "variables",
         texts_with(s->memory, context, op_attribute(s->op, "variables"), once));
  op_set(s->op, "extents",
         dictionary_with(s->memory, context, op_attribute(s->op, "extents"), name,
                         integer_attribute(context, 1)));
}

/*--- The pass ----------------------------------------------------------------------------------*/

static bool expand(MlirOperation op, arena *memory) {
  while (op_has(op, "subscripts")) {
    const statement *s = statement_create(memory, op);
    int v = s ? find_constant(s) : -1;
    if (v < 0)
      return s;
    add_variable(s, v);
  }
  return true;
}

int tin_expand_constants_run(MlirOperation module,
                             const struct tin_expand_constants_options *options) {
  (void)options;
  return !change_operations(module, tin_is_compute, expand);
}
