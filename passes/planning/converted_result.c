/* Results that are computed in another format, or from values computed before
 * (converted_result.h). */
#include "converted_result.h"

#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "nest_split.h"
#include "statement_rebuild.h"
#include "statement_remap.h"
#include "statement_terms.h"
#include "tin.h"
#include "tin_ops.h"

#include <math.h>

void result_convert(const statement *s, builder *b, MlirType computed, const char *since) {
  MlirValue result = mlirOperationGetResult(s->op, 0);
  const access *a = statement_result(s);
  remark_at(s->op, "computed '%s' as %s and converted it, since %s; stored so, it need not be",
            a->name, format_text(s->memory, computed), since);
  mlirValueSetType(result, computed);
  builder_before(b, mlirOperationGetNextInBlock(s->op));
  MlirValue converted = convert_make(b, result, a->type, access_fill(s, s->operand_count));
  MlirOperation convert = mlirOpResultGetOwner(converted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
}

/* What the loops take that go through the statement with its result as it is (tin-to-cin); infinite
 * where there are none. */
static double cost_of_loops(const statement *s) {
  const statement *looped = statement_remapped(s);
  int *order = ARENA_ARRAY(s->memory, int, (looped ? looped->variable_count : 0) + 1);
  bool any = looped && statement_is_supported(looped, false) &&
             iteration_graph_order(iteration_graph_create(looped, true), order);
  return any ? loop_cost(looped, order) : INFINITY;
}

/* Whether there are such loops, or a nest for each of its terms. */
static bool is_computed(const statement *s) {
  return isfinite(cost_of_loops(s)) || statement_terms_find(s);
}

/* How many times longer loops through the subscripts must be estimated to take than those that go
 * where entries are: estimates of windows, by which convolutions are gathered, are much too high.
 */
static const double worth_scattering = 1e3;

/* With a result that takes entries as they come; NULL where that is no better than loops that take
 * so long. */
static const statement *scattered(const statement *s, double as_is) {
  const access *result = statement_result(s);
  MlirType type = scattered_type(s->memory, result->type, result->format);
  const statement *made =
      mlirTypeIsNull(type) ? NULL : statement_with_type(s, s->operand_count, type);
  double cost = made ? cost_of_loops(made) : INFINITY;
  return isfinite(cost) && cost * worth_scattering < as_is ? made : NULL;
}

const statement *result_scatter(const statement *s) {
  if (!statement_scatters(s) || tensor_format_is_dense(statement_result(s)->format) ||
      statement_terms_find(s))
    return s;
  double as_is = cost_of_loops(s);
  const statement *made = scattered(s, as_is);
  if (!made)
    return s;
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(s->op));
  result_convert(s, b, statement_result(made)->type,
                 isfinite(as_is)
                     ? "loops through its subscripts in order would go where no entries are"
                     : "its subscripts come in an order that no loops go through");
  builder_free(b);
  return statement_create(s->memory, s->op);
}

/* ---- What is scattered, computed before -------------------------------------------------- */

/* The values that come to compound subscripts of the result, and the variables that tell all of its
 * subscripts. */
typedef struct scattered_values {
  MlirValue value;
  variable_set variables;
} scattered_values;

/* The result's other variables, and what is reduced at the subscripts. */
static variable_set variables_of(const statement *s, MlirOperation reduce) {
  variable_set variables = set_minus(s->memory, statement_result_variables(s), s->nests[0].at);
  for (intptr_t i = 0; i < tin_reduce_variable_count(reduce); i++)
    for (int v = 0; v < s->variable_count; v++)
      if (text_is(tin_reduce_variable(reduce, i), s->variables[v]))
        set_insert(s->memory, &variables, v);
  return variables;
}

/* Whether an operand, or the statement, says how far each of them goes. */
static bool have_sizes(const statement *s, variable_set variables) {
  for (int v = set_first(variables); v >= 0; v = set_next(variables, v + 1)) {
    bool told = s->extents[v] >= 0;
    for (int a = 0; a < s->operand_count; a++)
      told |= access_tells_size(&s->accesses[a], v);
    if (!told)
      return false;
  }
  return true;
}

/* False where they are what an operand has, or no size of theirs is known. */
static bool find_values(const statement *s, scattered_values *found) {
  MlirOperation reduce = value_owner(s->nests[0].value);
  if (!statement_scatters(s) || s->nest_count > 1 || !tin_is_reduce(reduce) ||
      !tin_reduce_at_count(reduce))
    return false;
  found->value = mlirOperationGetOperand(reduce, 0);
  found->variables = variables_of(s, reduce);
  return !mlirValueIsABlockArgument(found->value) && have_sizes(s, found->variables);
}

/* One value, or many that loops find by their coordinates, so that these may come in any order. */
static MlirType type_of_values(const statement *s, const scattered_values *v) {
  MlirType type = temporary_type(s, v->variables, mlirValueGetType(v->value));
  return set_is_empty(v->variables) ? type : scattered_type(s->memory, type, NULL);
}

bool result_compute_values(const statement *s, MlirOperation parts[2]) {
  scattered_values v;
  if (!find_values(s, &v) || is_computed(s))
    return false;
  MlirType type = type_of_values(s, &v);
  if (mlirTypeIsNull(type))
    return false;
  remark_at(
      s->op,
      "what comes to subscripts of the result is computed before, into a temporary%s%s, since "
      "no loops go through both",
      set_is_empty(v.variables) ? "" : " over ", statement_names(s, v.variables));
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(s->op));
  rebuilt_result temporary = {.type = type,
                              .map = map_to_variables(s, v.variables),
                              .name = statement_new_name(s, "t", ""),
                              .fill = nest_fill(b, &s->nests[0])};
  statement_split(s, b, v.value, v.variables, &temporary, parts);
  builder_free(b);
  return true;
}
