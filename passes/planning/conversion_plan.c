/* The cheapest order of loops and conversions (conversion_plan.h). */
#include "conversion_plan.h"

#include "assembly.h"
#include "density.h"
#include "extent.h"
#include "format_order.h"
#include "iteration_graph.h"
#include "level_entries.h"
#include "loop_cost.h"
#include "statement_direct.h"
#include "statement_remap.h"
#include "unordered_access.h"

#include <math.h>
#include <string.h>

static const double copying_cost = 30; /* per entry; and where those of each parent */
static const double placing_cost = 30; /* are counted first, and then put there */
static const double conversion_cost = 2e4, sorting_conversion_cost = 2e5; /* of the code around */
static const double worth_a_conversion = 1.5; /* of costs of tensors that are known, */
static const double worth_a_guess = 8;        /* and where how large they are is guessed */

/* An order that was looked at: descents from several starts come to the same ones again. */
typedef struct seen_order {
  double cost;
  int *order;
} seen_order;

enum { SEEN_ORDERS = 1 << 12 };

typedef struct search {
  const statement *s;
  const iteration_graph *edges; /* all of them */
  const iteration_graph *free;  /* none */
  conversion_plan best, best_unconverted;
  seen_order *seen; /* SEEN_ORDERS of them, by their hash; the last of those that share a place */
} search;

/* Converting an access: the cost, the type it gets, null where it cannot be, and the statement
 * `before` with it. */
typedef struct planned_conversion {
  double cost;
  MlirType type;
  const statement *after;
} planned_conversion;

/* Of an operand; null where the coordinates of its first level get no places (format_order.h). */
static MlirType whole_type(const search *x, int a, MlirType type) {
  return a < x->s->operand_count && !mlirTypeIsNull(type)
             ? type_with_whole_root(x->s->memory, type, x->s->accesses[a].holds)
             : (MlirType){NULL};
}

/* The entries of the result: as many as values are computed, or as there can be. */
static double computed_entries(const statement *s) {
  double values = 1, places = 1;
  for (int v = 0; v < s->variable_count; v++) {
    values *= trip_count(s, v);
    places *= set_has(statement_result_variables(s), v) ? estimated_extent(s, v) : 1;
  }
  return fmin(values, places);
}

/* Of what is known, what it takes is; else what is no copy counts as sorted. */
static double cost_of_conversion(const search *x, int a, const access *after) {
  const access *before = &x->s->accesses[a];
  bool is_result = a == x->s->operand_count;
  bool is_told = is_result ? conversion_plan_is_told(x->s) : !mlirAttributeIsNull(before->holds);
  const access *from = is_result ? after : before, *to = is_result ? before : after;
  double entries = is_result && is_told ? computed_entries(x->s) : access_entries(x->s, before);
  if (assembly_copies(from->format, to->format))
    return conversion_cost + copying_cost * entries;
  if (is_told && tensor_format_scatter_level(to->format) >= 0)
    return conversion_cost + placing_cost * entries;
  return is_told ? sorting_conversion_cost + recording_cost(to, entries) * entries
                 : conversion_cost + access_sorting_cost(x->s, before);
}

static planned_conversion conversion_of(const search *x, const statement *before, int a,
                                        const int *order) {
  planned_conversion c = {.type = type_following_loops(x->s, a, order)};
  MlirType whole = whole_type(x, a, c.type);
  c.type = mlirTypeIsNull(whole) ? c.type : whole;
  if (!mlirTypeIsNull(c.type))
    c.after = statement_with_type(before, a, c.type);
  if (!c.after)
    return c;
  c.cost = cost_of_conversion(x, a, &c.after->accesses[a]);
  return c;
}

static bool convert_in_plan(conversion_plan *p, const statement **converted, int a,
                            planned_conversion c) {
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
    planned_conversion c = conversion_of(x, *converted, a, order);
    if (c.after && c.cost < access_scratch_cost(*converted, a, order)) {
      convert_in_plan(p, converted, a, c);
      a = -1;
    }
  }
  for (int a = 0; a < x->s->operand_count; a++)
    p->cost += access_scratch_cost(*converted, a, order);
}

/* Nothing converted, in no order. */
static conversion_plan empty_plan(const statement *s) {
  conversion_plan p = {.types = ARENA_ARRAY(s->memory, MlirType, s->operand_count + 1),
                       .contradicts = ARENA_ARRAY(s->memory, bool, s->operand_count + 1),
                       .order = ARENA_ARRAY(s->memory, int, s->variable_count + 1)};
  for (int a = 0; a <= s->operand_count; a++)
    p.types[a] = s->accesses[a].type;
  return p;
}

/* What contradicts the order in the graph is converted; false where something cannot be, or still
 * does so. */
static bool convert_contradicting(const search *x, conversion_plan *p, const statement **converted,
                                  const iteration_graph *edges, const int *order) {
  for (int a = 0; a <= x->s->operand_count; a++) {
    if (!access_contradicts(edges, a, order))
      continue;
    if (p->contradicts[a])
      return false;
    p->contradicts[a] = true;
    if (!convert_in_plan(p, converted, a, conversion_of(x, *converted, a, order)))
      return false;
  }
  return true;
}

/* All that contradicts the order.  What is converted tells no coordinates any more to a level that
 * was not walked for them: that may contradict then. */
static bool follow_order(const search *x, conversion_plan *p, const statement **converted,
                         const int *order) {
  const iteration_graph *edges = x->edges;
  for (int before = -1; before < p->conversion_count;) {
    before = p->conversion_count;
    if (!convert_contradicting(x, p, converted, edges, order))
      return false;
    if (before < p->conversion_count)
      edges = iteration_graph_create(*converted, true);
  }
  return true;
}

/* What the loops cost, where operands whose coordinates are looked up again and again get a place
 * for each (looked_up.h), if that costs less. */
static double cost_of_loops(const search *x, const conversion_plan *p, const statement *converted,
                            const int *order) {
  double cost = loop_cost(converted, order);
  for (int a = 0; a < x->s->operand_count; a++) {
    const access *before = &x->s->accesses[a];
    MlirType type = whole_type(x, a, before->type);
    if (mlirTypeIsNull(type) || before->levels[0].bare < 0 || conversion_plan_converts(p, x->s, a))
      continue;
    const statement *after = statement_with_type(converted, a, type);
    double with = conversion_cost + copying_cost * access_entries(x->s, before);
    with += after ? loop_cost(after, order) : cost;
    converted = with < cost ? after : converted;
    cost = fmin(with, cost);
  }
  return cost;
}

static conversion_plan plan_order(const search *x, const int *order, conversion_plan empty) {
  const statement *s = x->s, *converted = s;
  conversion_plan p = empty;
  memcpy(p.order, order, sizeof *order * (size_t)s->variable_count);
  if (!follow_order(x, &p, &converted, order))
    return p;
  sort_in_plan(x, &p, &converted, order);
  p.found = iteration_graph_permits(iteration_graph_create(converted, true), order);
  if (p.found)
    p.cost += cost_of_loops(x, &p, converted, order);
  return p;
}

static void keep_cheaper(conversion_plan *best, const conversion_plan *candidate) {
  if (candidate->found && (!best->found || candidate->cost < best->cost * (1 - 1e-9)))
    *best = *candidate;
}

/* Of what a look at an order takes, only the plan is left: there are thousands of orders. */
static double cost_of_new(search *x, const int *order) {
  conversion_plan empty = empty_plan(x->s);
  arena_mark before = arena_mark_here(x->s->memory);
  conversion_plan p = plan_order(x, order, empty);
  arena_release(x->s->memory, before);
  keep_cheaper(&x->best, &p);
  if (p.conversion_count == 0)
    keep_cheaper(&x->best_unconverted, &p);
  return p.found ? p.cost : INFINITY;
}

static seen_order *place_of(const search *x, const int *order) {
  uint64_t hash = 0;
  for (int i = 0; i < x->s->variable_count; i++)
    hash = (hash ^ (uint64_t)order[i]) * 0x9e3779b97f4a7c15u;
  return &x->seen[(hash >> 32) % SEEN_ORDERS];
}

static double cost_of(const int *order, void *data) {
  search *x = data;
  size_t size = sizeof *order * (size_t)x->s->variable_count;
  seen_order *seen = place_of(x, order);
  if (seen->order && !memcmp(seen->order, order, size))
    return seen->cost;
  seen->order = ARENA_ARRAY(x->s->memory, int, x->s->variable_count + 1);
  memcpy(seen->order, order, size);
  return seen->cost = cost_of_new(x, order);
}

static bool look_at(const int *order, void *data) {
  cost_of_new(data, order);
  return true;
}

static bool look_from(const int *order, void *data) {
  search *x = data;
  int *improved = ARENA_ARRAY(x->s->memory, int, x->s->variable_count + 1);
  memcpy(improved, order, sizeof *order * (size_t)x->s->variable_count);
  iteration_graph_improve(x->free, improved, cost_of, data);
  return true;
}

bool conversion_plan_is_told(const statement *s) {
  for (int i = 0; i < s->operand_count; i++)
    if (access_is_sparse(&s->accesses[i]) && mlirAttributeIsNull(s->accesses[i].holds))
      return false;
  return true;
}

static conversion_plan plan_plain(const statement *s) {
  search x = {
      .s = s, .edges = iteration_graph_create(s, true), .free = iteration_graph_create(s, false)};
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  bool small = iteration_graph_is_small(x.free);
  if (!small)
    x.seen = ARENA_ARRAY(s->memory, seen_order, SEEN_ORDERS);
  if (iteration_graph_order(x.edges, order))
    small ? look_at(order, &x) : look_from(order, &x);
  if (small)
    iteration_graph_visit_orders(x.free, look_at, &x);
  else
    iteration_graph_visit_starts(x.free, look_from, &x);
  double worth = conversion_plan_is_told(s) ? worth_a_conversion : worth_a_guess;
  bool keep = x.best_unconverted.found && x.best_unconverted.cost <= worth * x.best.cost;
  return keep ? x.best_unconverted : x.best;
}

/*--- Levels that hold expressions --------------------------------------------------------------*/

static conversion_plan plan_remapped(const statement *s, const statement *remapped) {
  int *order = ARENA_ARRAY(s->memory, int, remapped->variable_count + 1);
  conversion_plan p = empty_plan(s);
  p.found = iteration_graph_order(iteration_graph_create(remapped, true), order);
  if (p.found)
    p.cost = loop_cost(remapped, order);
  return p;
}

static conversion_plan plan_without_remaps(const statement *s) {
  conversion_plan nothing = empty_plan(s);
  double cost = 0;
  int count = 0;
  for (int a = 0; a <= s->operand_count; a++) {
    if (!access_has_remaps(&s->accesses[a]))
      continue;
    MlirType type = access_plain_type(s->memory, &s->accesses[a]);
    cost += access_sorting_cost(s, &s->accesses[a]);
    s = mlirTypeIsNull(type) ? NULL : statement_with_type(s, a, type);
    count++;
    if (!s)
      return nothing;
  }
  if (!statement_is_supported(s, false))
    return nothing;
  conversion_plan p = plan_plain(s);
  p.cost += cost;
  p.conversion_count += count;
  return p;
}

conversion_plan conversion_plan_find(const statement *s) {
  const statement *in_forms = statement_in_forms(s, 0);
  if (in_forms)
    return plan_remapped(s, in_forms);
  if (!statement_has_remaps(s))
    return plan_plain(s);
  const statement *remapped = statement_remapped(s);
  return remapped && statement_is_walked(remapped) ? plan_remapped(s, remapped)
                                                   : plan_without_remaps(s);
}

bool conversion_plan_converts(const conversion_plan *plan, const statement *s, int access_number) {
  return !mlirTypeEqual(plan->types[access_number], s->accesses[access_number].type);
}
