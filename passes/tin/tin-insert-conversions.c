/* tin-insert-conversions.c - operands and results whose level orders no loop order agrees with are
 * converted.
 *
 *     C(i,j) = A(i,j) + B(i,j), A and C by rows, B by columns: i -> j (A), j -> i (B)
 *
 *     B' = convert B to rows
 *     C(i,j) = A(i,j) + B'(i,j)
 *
 * Which ones, conversion_plan.h says.  Before that, operands are converted that are located in by
 * compound subscripts, A(i, j + k), and whose levels cannot be.  A constant, A(i, 2), is searched
 * for.
 */
#include "bridge.h"
#include "conversion_plan.h"
#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "statement_rebuild.h"
#include "statement_remap.h"
#include "statement_terms.h"
#include "statistics.h"
#include "tin.h"
#include "tin_ops.h"
#include "unordered_access.h"

static const char *reason_for(const statement *s, int a) {
  const char *sorting = access_sorting_reason(s, a);
  if (sorting)
    return arena_format(s->memory, "since %s", sorting);
  char *cycle = iteration_graph_cycle(iteration_graph_create(s, true));
  return *cycle ? arena_format(s->memory, "since the orders of the levels form a cycle, %s", cycle)
                : "since no order of the loops that agrees with its levels is fast";
}

static void say_conversion(const statement *s, const conversion_plan *p, int a) {
  const access *converted = &s->accesses[a];
  const char *reason = reason_for(s, a), *format = format_text(s->memory, p->types[a]);
  statistic_add(STATISTIC_CONVERSIONS, 1);
  if (a == s->operand_count)
    remark_at(s->op, "computed '%s' as %s and converted it, %s", converted->name, format, reason);
  else
    remark_at(s->op, "converted operand '%s' to %s, %s", converted->name, format, reason);
}

/* The operand converted before, if another access of the same tensor needs the same. */
static MlirValue converted_before(const statement *s, const conversion_plan *p, int a) {
  for (int k = 0; k < a; k++)
    if (conversion_plan_converts(p, s, k) &&
        mlirValueEqual(s->accesses[k].operand, s->accesses[a].operand) &&
        mlirTypeEqual(p->types[k], p->types[a]))
      return mlirOperationGetOperand(s->op, k);
  return (MlirValue){0};
}

static void convert_operand(const statement *s, const conversion_plan *p, int a, builder *b) {
  MlirValue converted = converted_before(s, p, a);
  if (mlirValueIsNull(converted)) {
    say_conversion(s, p, a);
    builder_before(b, s->op);
    converted = convert_make(b, s->accesses[a].operand, p->types[a], access_fill(s, a));
  }
  mlirOperationSetOperand(s->op, a, converted);
}

static void convert_result(const statement *s, const conversion_plan *p, builder *b) {
  say_conversion(s, p, s->operand_count);
  MlirValue result = mlirOperationGetResult(s->op, 0);
  MlirType wanted = mlirValueGetType(result);
  mlirValueSetType(result, p->types[s->operand_count]);
  MlirOperation after = mlirOperationGetNextInBlock(s->op);
  builder_before(b, after);
  MlirValue converted = convert_make(b, result, wanted, access_fill(s, s->operand_count));
  MlirOperation convert = mlirOpResultGetOwner(converted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
}

/* Whether the result is better ordered afterwards than an operand before. */
static bool orders_result(const statement *s) {
  for (int a = 0; a < s->operand_count; a++) {
    const char *reason = access_sorting_reason(s, a);
    if (reason && statement_reorders(s->memory, s->op)) {
      remark_at(s->op, "ordered the entries of '%s' last, not operand '%s', since %s",
                statement_result(s)->name, s->accesses[a].name, reason);
      return true;
    }
    if (reason)
      return false;
  }
  return false;
}

static bool refuse_all_orders(const statement *s) {
  return error_at(s->op, "no order of the loops over %s is possible, with no conversion either: %s",
                  statement_names(s, statement_variables(s)),
                  iteration_graph_cycle(iteration_graph_create(s, true)));
}

/*--- Levels that are located in ----------------------------------------------------------------*/

static bool locates_alike(const statement *s, int a, int b) {
  return mlirValueEqual(s->accesses[a].operand, s->accesses[b].operand) &&
         mlirTypeEqual(type_to_locate(s->memory, &s->accesses[a]),
                       type_to_locate(s->memory, &s->accesses[b]));
}

/* The operand as another access of it needs it too, or as it is converted here. */
static MlirValue located_operand(const statement *s, int a, MlirType type) {
  for (int k = 0; k < a; k++)
    if (access_needs_location(&s->accesses[k]) && locates_alike(s, k, a))
      return mlirOperationGetOperand(s->op, k);
  remark_at(s->op, "converted operand '%s' to %s, since it is located in by more than a variable",
            s->accesses[a].name, format_text(s->memory, type));
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(s->op));
  builder_before(b, s->op);
  MlirValue converted = convert_make(b, s->accesses[a].operand, type, access_fill(s, a));
  statistic_add(STATISTIC_CONVERSIONS, 1);
  builder_free(b);
  return converted;
}

/* The statement with operands that can be located in where subscripts are more than a variable. */
static const statement *locate_compounds(const statement *s) {
  bool converted = false;
  for (int a = 0; a < s->operand_count; a++) {
    if (!tensor_format_is_plain(s->accesses[a].format) || !access_needs_location(&s->accesses[a]))
      continue;
    MlirType type = type_to_locate(s->memory, &s->accesses[a]);
    if (mlirTypeIsNull(type))
      return s;
    mlirOperationSetOperand(s->op, a, located_operand(s, a, type));
    converted = true;
  }
  return converted ? statement_create(s->memory, s->op) : s;
}

static bool insert_conversions(MlirOperation op, arena *memory) {
  const statement *s = statement_create(memory, op);
  s = s ? locate_compounds(s) : NULL;
  if (!s)
    return false;
  if (!statement_is_supported(s, false) || statement_terms_find(s))
    return true; /* tin-to-cin says what is not */
  if (orders_result(s))
    return true;
  conversion_plan p = conversion_plan_find(s);
  if (!p.found)
    return refuse_all_orders(s);
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  for (int a = 0; a < s->operand_count; a++)
    if (conversion_plan_converts(&p, s, a))
      convert_operand(s, &p, a, b);
  if (conversion_plan_converts(&p, s, s->operand_count))
    convert_result(s, &p, b);
  builder_free(b);
  return true;
}

int tin_insert_conversions_run(MlirOperation module,
                               const struct tin_insert_conversions_options *options) {
  (void)options;
  return !change_operations(module, tin_is_compute, insert_conversions);
}
