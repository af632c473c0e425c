/* tin-insert-conversions.c - operands and results whose level orders no loop order agrees with are
 * converted.
 *
 *     C(i,j) = A(i,j) + B(i,j), A and C by rows, B by columns: i -> j (A), j -> i (B)
 *
 *     B' = convert B to rows
 *     C(i,j) = A(i,j) + B'(i,j)
 *
 * For each order of the loops the accesses that contradict it are converted: an operand before, the
 * result after the statement. The cheapest order wins, by the estimated numbers of entries to be
 * sorted and the cost of the loops.  An order that needs no conversion is left only for one many
 * times cheaper: rows times columns into rows would look at every pair of a row and a column.
 */
#include "bridge.h"
#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "tin_ops.h"

#include <string.h>

static const double sorting_cost = 40; /* per entry */
static const double worth_a_conversion = 8;
enum { ORDER_LIMIT = 3000 }; /* that are looked at */

/* What an order asks for: the type of each access afterwards. */
typedef struct plan {
  bool found;
  double cost;
  int conversion_count;
  MlirType *types;
} plan;

typedef struct search {
  const statement *s;
  const iteration_graph *edges; /* all of them */
  plan best, best_unconverted;
  int seen;
} search;

/*--- The search --------------------------------------------------------------------------------*/

static bool convert_in_plan(const search *x, plan *p, const statement **converted, int a,
                            const int *order) {
  MlirType type = type_following_loops(x->s, a, order);
  if (mlirTypeIsNull(type))
    return false;
  p->types[a] = type;
  p->conversion_count++;
  p->cost += sorting_cost * access_entries(x->s, a);
  *converted = statement_with_type(*converted, a, type);
  return *converted != NULL;
}

static plan plan_order(const search *x, const int *order) {
  const statement *s = x->s, *converted = s;
  plan p = {.types = ARENA_ARRAY(s->memory, MlirType, s->operand_count + 1)};
  for (int a = 0; a <= s->operand_count; a++) {
    p.types[a] = s->accesses[a].type;
    if ((access_contradicts(x->edges, a, order) || access_needs_sorting(s, a)) &&
        !convert_in_plan(x, &p, &converted, a, order))
      return p;
  }
  p.found = iteration_graph_permits(iteration_graph_create(converted, true), order);
  if (p.found)
    p.cost += loop_cost(converted, order);
  return p;
}

static void keep_cheaper(plan *best, const plan *candidate) {
  if (candidate->found && (!best->found || candidate->cost < best->cost * (1 - 1e-9)))
    *best = *candidate;
}

static bool look_at(const int *order, void *data) {
  search *x = data;
  plan p = plan_order(x, order);
  keep_cheaper(&x->best, &p);
  if (p.conversion_count == 0)
    keep_cheaper(&x->best_unconverted, &p);
  return ++x->seen < ORDER_LIMIT;
}

static plan find_plan(const statement *s) {
  search x = {.s = s, .edges = iteration_graph_create(s, true)};
  int order[VARIABLE_LIMIT];
  if (iteration_graph_order(x.edges, order))
    look_at(order, &x);
  iteration_graph_visit_orders(iteration_graph_create(s, false), look_at, &x);
  bool keep =
      x.best_unconverted.found && x.best_unconverted.cost <= worth_a_conversion * x.best.cost;
  return keep ? x.best_unconverted : x.best;
}

/*--- The conversions ---------------------------------------------------------------------------*/

static bool is_converted(const statement *s, const plan *p, int a) {
  return !mlirTypeEqual(p->types[a], s->accesses[a].type);
}

static const char *reason_for(const statement *s, int a) {
  if (access_needs_sorting(s, a))
    return "since its unordered levels are merged with others";
  char *cycle = iteration_graph_cycle(iteration_graph_create(s, true));
  return *cycle ? arena_format(s->memory, "since the orders of the levels form a cycle, %s", cycle)
                : "since no order of the loops that agrees with its levels is fast";
}

static void say_conversion(const statement *s, const plan *p, int a) {
  const access *converted = &s->accesses[a];
  const char *reason = reason_for(s, a), *format = format_text(s->memory, p->types[a]);
  if (a == s->operand_count)
    remark_at(s->op, "computed '%s' as %s and converted it, %s", converted->name, format, reason);
  else
    remark_at(s->op, "converted operand '%s' to %s, %s", converted->name, format, reason);
}

/* The operand converted before, if another access of the same tensor needs the same. */
static MlirValue converted_before(const statement *s, const plan *p, int a) {
  for (int k = 0; k < a; k++)
    if (is_converted(s, p, k) && mlirValueEqual(s->accesses[k].operand, s->accesses[a].operand) &&
        mlirTypeEqual(p->types[k], p->types[a]))
      return mlirOperationGetOperand(s->op, k);
  return (MlirValue){0};
}

static void convert_operand(const statement *s, const plan *p, int a, builder *b) {
  MlirValue converted = converted_before(s, p, a);
  if (mlirValueIsNull(converted)) {
    say_conversion(s, p, a);
    builder_before(b, s->op);
    converted = convert_make(b, s->accesses[a].operand, p->types[a]);
  }
  mlirOperationSetOperand(s->op, a, converted);
}

static void convert_result(const statement *s, const plan *p, builder *b) {
  say_conversion(s, p, s->operand_count);
  MlirValue result = mlirOperationGetResult(s->op, 0);
  MlirType wanted = mlirValueGetType(result);
  mlirValueSetType(result, p->types[s->operand_count]);
  MlirOperation after = mlirOperationGetNextInBlock(s->op);
  builder_before(b, after);
  MlirValue converted = convert_make(b, result, wanted);
  MlirOperation convert = mlirOpResultGetOwner(converted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
}

static bool insert_conversions(MlirOperation op, arena *memory) {
  const statement *s = statement_create(memory, op);
  if (!s)
    return false;
  if (!statement_is_supported(s, false))
    return true; /* tin-to-cin says what is not */
  plan p = find_plan(s);
  if (!p.found)
    return error_at(op, "no order of the loops over %s is possible, with no conversion either: %s",
                    statement_names(s, statement_variables(s)),
                    iteration_graph_cycle(iteration_graph_create(s, true)));
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  for (int a = 0; a < s->operand_count; a++)
    if (is_converted(s, &p, a))
      convert_operand(s, &p, a, b);
  if (is_converted(s, &p, s->operand_count))
    convert_result(s, &p, b);
  builder_free(b);
  return true;
}

int tin_insert_conversions_run(MlirOperation module,
                               const struct tin_insert_conversions_options *options) {
  (void)options;
  arena *memory = arena_create();
  int count;
  MlirOperation *ops = collect_operations(memory, module, "tin.compute", &count);
  bool all = true;
  for (int i = 0; i < count; i++)
    all &= insert_conversions(ops[i], memory);
  arena_free(memory);
  return !all;
}
