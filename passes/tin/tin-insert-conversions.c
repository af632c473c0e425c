/* tin-insert-conversions.c - operands that no order of the loops could be right for are converted,
 * and statements whose best order contradicts how something is stored are told that order.
 *
 *     C(i,j) = A(i,j) + B(i,j), A and C by rows, B by columns: i -> j (A), j -> i (B)
 *
 *     C(i,j) = A(i,j) + B(i,j) in the order i, j
 *
 * What contradicts the order, here B, is converted once the loops stand (cin-insert-conversions);
 * the result of an outer product may be, in place of an operand that would have to be sorted.
 * Which order, and which operands are converted here, since they are unordered, conversion_plan.h
 * says; a statement that says its order already keeps it.  Before that, operands are converted that
 * are in no order and searched by compound subscripts, A(i, j + k), again and again, where no loops
 * go through the subscripts (statement_remap.h), and results that entries come to in an order that
 * no loops go through, or what they are to be scattered from is computed before
 * (converted_result.h).
 */
#include "bridge.h"
#include "conversion_plan.h"
#include "converted_result.h"
#include "diagnostic.h"
#include "extent.h"
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

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* Once others are converted, one may have to be in order that need not be as they are. */
static const char *reason_for(const statement *s, int a) {
  const char *sorting = access_sorting_reason(s, a);
  return sorting ? sorting : "it must be in order where others are converted";
}

static void say_conversion(const statement *s, const conversion_plan *p, int a) {
  statistic_add(STATISTIC_CONVERSIONS, 1);
  remark_at(s->op, "converted operand '%s' to %s, since %s; stored so, it need not be",
            s->accesses[a].name, format_text(s->memory, p->types[a]), reason_for(s, a));
}

/* Whether an access is converted here: the loops do not stand yet, so that it contradicts none. */
static bool converts_here(const statement *s, const conversion_plan *p, int a) {
  return conversion_plan_converts(p, s, a) && !p->contradicts[a];
}

/* The operand converted before, if another access of the same tensor needs the same. */
static MlirValue converted_before(const statement *s, const conversion_plan *p, int a) {
  for (int k = 0; k < a; k++)
    if (converts_here(s, p, k) && mlirValueEqual(s->accesses[k].operand, s->accesses[a].operand) &&
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

static const char order_attribute[] = "order", chosen_attribute[] = "order_is_chosen";

/* The statement says in which order its loops go, where something contradicts that. */
static void tell_order(const statement *s, const conversion_plan *p) {
  MlirContext context = mlirOperationGetContext(s->op);
  MlirAttribute *names = ARENA_ARRAY(s->memory, MlirAttribute, s->variable_count + 1);
  bool contradicts = false;
  for (int a = 0; a <= s->operand_count; a++)
    contradicts |= p->contradicts[a];
  for (int i = 0; i < s->variable_count; i++)
    names[i] =
        mlirStringAttrGet(context, mlirStringRefCreateFromCString(s->variables[p->order[i]]));
  if (!contradicts)
    return;
  op_set(s->op, order_attribute, mlirArrayAttrGet(context, s->variable_count, names));
  op_set(s->op, chosen_attribute, mlirUnitAttrGet(context));
}

static bool is_compound(const statement *s, int a) {
  MlirAffineMap map = s->accesses[a].map;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (!mlirAffineExprIsADim(mlirAffineMapGetResult(map, d)))
      return true;
  return false;
}

/* Whether the result is better ordered afterwards than an operand before: what is recorded is one
 * list under each parent.  Its variables have loops, and do not follow from those of an operand. */
static bool orders_result(const statement *s) {
  if (!tensor_format_records_siblings(statement_result(s)->format))
    return false;
  for (int a = 0; a < s->operand_count; a++) {
    const char *reason = access_sorting_reason(s, a);
    if (reason && !is_compound(s, a) && statement_reorders(s->memory, s->op)) {
      remark_at(s->op, "ordered the entries of '%s' last, not operand '%s', since %s",
                statement_result(s)->name, s->accesses[a].name, reason);
      return true;
    }
    if (reason)
      return false;
  }
  return false;
}

/*--- Results whose entries are recorded --------------------------------------------------------*/

/* Whether values that come to one place are added up to what it holds. */
static bool adds_up(const statement *s) {
  const nest *root = &s->nests[0];
  bool sums = !root->kind || (root->kind == TIN_ADD && mlirAttributeIsNull(root->identity));
  return s->nest_count == 1 && sums && !statement_op_drops_zeros(s->op) &&
         mlirAttributeIsNull(access_fill(s, s->operand_count));
}

/* Whether what loops go through are entries alone, so that there are no more values than these meet
 * each other. */
static bool meets_entries_alone(const statement *s) {
  for (int v = 0; v < s->variable_count; v++)
    if (!variable_is_walked(s, v))
      return false;
  return true;
}

/* Whether the plan converts an operand whose entries would have to be sorted for that: one without
 * an array for each coordinate of its outermost level. */
static bool sorts_operand(const statement *s, const conversion_plan *p) {
  for (int a = 0; a < s->operand_count; a++)
    if (conversion_plan_converts(p, s, a) && p->contradicts[a] && s->accesses[a].level_count > 1 &&
        level_is_walked(&s->accesses[a].levels[0]))
      return true;
  return false;
}

/* An order in which all operands are walked as they are stored, whatever the result is: that of a
 * dense one. */
static bool find_order_of_operands(const statement *s, int *order) {
  MlirType type = statement_result(s)->type;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *sizes = ARENA_ARRAY(s->memory, int64_t, rank + 1);
  for (intptr_t d = 0; d < rank; d++)
    sizes[d] = dimension_size(type, d);
  MlirType dense = mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(type),
                                           mlirAttributeGetNull());
  const statement *freed = statement_with_type(s, s->operand_count, dense);
  return freed && iteration_graph_order(iteration_graph_create(freed, true), order);
}

/* Whether an order in which the operands are walked as they are stored is better than the plan: by
 * what they cost, or, where that is a guess, if an operand would have to be sorted: to sort what is
 * made is no more than that. */
static bool is_worth_recording(const statement *s, const conversion_plan *p, const int *order) {
  return conversion_plan_is_told(s) ? p->conversion_count && loop_cost(s, order) < p->cost
                                    : sorts_operand(s, p);
}

/* Outer products, A(i,j) = B(i,k) * C(k,j) with B by columns and C by rows, of which few are stored
 * (Zhang et al. 2024, section 7.3).  The result is recorded then (cin-insert-conversions). */
static bool takes_order_of_operands(const statement *s, conversion_plan *p) {
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  if (!tensor_format_builds_by(statement_result(s)->format, CIN_RECORD) || !adds_up(s) ||
      !meets_entries_alone(s) || !find_order_of_operands(s, order) ||
      !is_worth_recording(s, p, order))
    return false;
  p->order = order;
  return true;
}

static bool refuse_all_orders(const statement *s) {
  return error_at(s->op, "no order of the loops over %s is possible, with no conversion either: %s",
                  statement_names(s, statement_variables(s)),
                  iteration_graph_cycle(iteration_graph_create(s, true)));
}

/*--- Levels that are searched ------------------------------------------------------------------*/

/* The operand as another access of it needs it too, or as it is converted here. */
static MlirValue searched_operand(const statement *s, int a, MlirType type) {
  for (int k = 0; k < a; k++)
    if (access_is_unsearched(&s->accesses[k]) &&
        mlirValueEqual(s->accesses[k].operand, s->accesses[a].operand))
      return mlirOperationGetOperand(s->op, k);
  remark_at(s->op,
            "converted operand '%s' to %s, since it is unordered, and searched by subscripts that "
            "are more than a variable; stored so, it need not be",
            s->accesses[a].name, format_text(s->memory, type));
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(s->op));
  builder_before(b, s->op);
  MlirValue converted = convert_make(b, s->accesses[a].operand, type, access_fill(s, a));
  statistic_add(STATISTIC_CONVERSIONS, 1);
  builder_free(b);
  return converted;
}

/* The statement with operands that can be searched where subscripts are more than a variable. */
static const statement *search_compounds(const statement *s) {
  bool converted = false;
  for (int a = 0; a < s->operand_count; a++) {
    if (!tensor_format_is_plain(s->accesses[a].format) || !access_is_unsearched(&s->accesses[a]))
      continue;
    MlirType type = type_in_order(s->memory, s->accesses[a].type, s->accesses[a].format);
    if (mlirTypeIsNull(type))
      return s;
    mlirOperationSetOperand(s->op, a, searched_operand(s, a, type));
    converted = true;
  }
  return converted ? statement_create(s->memory, s->op) : s;
}

static bool insert_conversions(MlirOperation op, arena *memory) {
  MlirOperation parts[2];
  const statement *s = statement_create(memory, op);
  s = s ? result_scatter(s) : NULL;
  if (s && result_compute_values(s, parts))
    return insert_conversions(parts[0], memory) && insert_conversions(parts[1], memory);
  if (s && (statement_in_forms(s, 0) || statement_terms_find(s)))
    return true;
  s = s ? search_compounds(s) : NULL;
  if (!s)
    return false;
  if (!statement_is_supported(s, false) || statement_terms_find(s))
    return true; /* tin-to-cin says what is not */
  if (op_has(op, order_attribute) || orders_result(s) || statement_has_remaps(s))
    return true;
  conversion_plan p = conversion_plan_find(s);
  if (!p.found)
    return refuse_all_orders(s);
  if (takes_order_of_operands(s, &p)) {
    tell_order(s, &p);
    return true;
  }
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  for (int a = 0; a < s->operand_count; a++)
    if (converts_here(s, &p, a))
      convert_operand(s, &p, a, b);
  tell_order(s, &p);
  builder_free(b);
  return true;
}

int tin_insert_conversions_run(MlirOperation module,
                               const struct tin_insert_conversions_options *options) {
  (void)options;
  return !change_operations(module, tin_is_compute, insert_conversions);
}
