/* The cheapest order of loops and conversions (conversion_plan.h). */
#include "conversion_plan.h"

#include "density.h"
#include "format_order.h"
#include "iteration_graph.h"
#include "unordered_access.h"

#include <math.h>
#include <string.h>

static const double sorting_cost = 120, copying_cost = 30; /* per entry */
static const double worth_a_conversion = 8;

typedef struct search {
  const statement *s;
  const iteration_graph *edges; /* all of them */
  const iteration_graph *free;  /* none */
  conversion_plan best, best_unconverted;
} search;

/* Converting an access: the cost, the type it gets, null where it cannot be, and the statement
 * `before` with it. */
typedef struct conversion {
  double cost;
  MlirType type;
  const statement *after;
} conversion;

static conversion conversion_of(const search *x, const statement *before, int a, const int *order) {
  conversion c = {.type = type_following_loops(x->s, a, order)};
  if (!mlirTypeIsNull(c.type))
    c.after = statement_with_type(before, a, c.type);
  if (!c.after)
    return c;
  bool is_result = a == x->s->operand_count;
  const tensor_format *here = x->s->accesses[a].format, *there = c.after->accesses[a].format;
  bool sorts = !format_copies(is_result ? there : here, is_result ? here : there);
  c.cost = (sorts ? sorting_cost : copying_cost) * access_entries(x->s, &x->s->accesses[a]);
  return c;
}

static bool convert_in_plan(conversion_plan *p, const statement **converted, int a, conversion c) {
  if (!c.after)
    return false;
  p->types[a] = c.type;
  p->conversion_count++;
  p->cost += c.cost;
  *converted = c.after;
  return true;
}

/* An operand that must be in order is so at each visit, or converted once, if that is cheaper.
 * Converting one may be why another one must be in order, or need not be any more. */
static void sort_in_plan(const search *x, conversion_plan *p, const statement **converted,
                         const int *order) {
  for (int a = 0; a < x->s->operand_count; a++) {
    if (conversion_plan_converts(p, x->s, a) || !access_sorting_reason(*converted, a))
      continue;
    conversion c = conversion_of(x, *converted, a, order);
    if (c.after && c.cost < access_scratch_cost(*converted, a, order)) {
      convert_in_plan(p, converted, a, c);
      a = -1;
    }
  }
  for (int a = 0; a < x->s->operand_count; a++)
    p->cost += access_scratch_cost(*converted, a, order);
}

static conversion_plan plan_order(const search *x, const int *order) {
  const statement *s = x->s, *converted = s;
  conversion_plan p = {.types = ARENA_ARRAY(s->memory, MlirType, s->operand_count + 1)};
  for (int a = 0; a <= s->operand_count; a++)
    p.types[a] = s->accesses[a].type;
  for (int a = 0; a <= s->operand_count; a++)
    if (access_contradicts(x->edges, a, order) &&
        !convert_in_plan(&p, &converted, a, conversion_of(x, converted, a, order)))
      return p;
  sort_in_plan(x, &p, &converted, order);
  p.found = iteration_graph_permits(iteration_graph_create(converted, true), order);
  if (p.found)
    p.cost += loop_cost(converted, order);
  return p;
}

static void keep_cheaper(conversion_plan *best, const conversion_plan *candidate) {
  if (candidate->found && (!best->found || candidate->cost < best->cost * (1 - 1e-9)))
    *best = *candidate;
}

static double cost_of(const int *order, void *data) {
  search *x = data;
  conversion_plan p = plan_order(x, order);
  keep_cheaper(&x->best, &p);
  if (p.conversion_count == 0)
    keep_cheaper(&x->best_unconverted, &p);
  return p.found ? p.cost : INFINITY;
}

static bool look_at(const int *order, void *data) {
  cost_of(order, data);
  return true;
}

static bool look_from(const int *order, void *data) {
  search *x = data;
  int improved[VARIABLE_LIMIT];
  memcpy(improved, order, sizeof *order * (size_t)x->s->variable_count);
  iteration_graph_improve(x->free, improved, cost_of, data);
  return true;
}

conversion_plan conversion_plan_find(const statement *s) {
  search x = {
      .s = s, .edges = iteration_graph_create(s, true), .free = iteration_graph_create(s, false)};
  int order[VARIABLE_LIMIT];
  bool small = iteration_graph_is_small(x.free);
  if (iteration_graph_order(x.edges, order))
    small ? look_at(order, &x) : look_from(order, &x);
  if (small)
    iteration_graph_visit_orders(x.free, look_at, &x);
  else
    iteration_graph_visit_starts(x.free, look_from, &x);
  bool keep =
      x.best_unconverted.found && x.best_unconverted.cost <= worth_a_conversion * x.best.cost;
  return keep ? x.best_unconverted : x.best;
}

bool conversion_plan_converts(const conversion_plan *plan, const statement *s, int access_number) {
  return !mlirTypeEqual(plan->types[access_number], s->accesses[access_number].type);
}
