/* A nest for each term of a sum (statement_terms.h). */
#include "statement_terms.h"

#include "ir.h"
#include "iteration_graph.h"
#include "result_format.h"
#include "scalar.h"
#include "scalar_ops.h"
#include "statement_direct.h"
#include "statement_rebuild.h"
#include "statement_remap.h"

#include <math.h>
#include <string.h>

/* How many times faster nests of their own must be where one goes through all terms. */
static const double worth_a_nest = 2;

/*--- Operators ---------------------------------------------------------------------------------*/

typedef struct sum_operator {
  const char *name;
  tin_reduction kind;
  bool subtracts;
} sum_operator;

static const sum_operator operators[] = {
    {"arith.addf", TIN_ADD, false},     {"arith.addi", TIN_ADD, false},
    {"complex.add", TIN_ADD, false},    {"arith.subf", TIN_ADD, true},
    {"arith.subi", TIN_ADD, true},      {"complex.sub", TIN_ADD, true},
    {"arith.minimumf", TIN_MIN, false}, {"arith.maximumf", TIN_MAX, false},
};

static const sum_operator *operator_of(MlirValue value) {
  MlirOperation op = value_owner(value);
  for (size_t n = 0; n < sizeof operators / sizeof *operators && !mlirOperationIsNull(op); n++)
    if (op_is(op, operators[n].name))
      return &operators[n];
  return NULL;
}

/* Whether the result holds the identity where nothing has been added to it. */
static bool starts_from_identity(const statement *s, tin_reduction kind) {
  MlirType type = mlirValueGetType(s->nests[0].value);
  scalar fill = scalar_zero(type);
  MlirAttribute stated = access_fill(s, s->operand_count);
  if (!mlirAttributeIsNull(stated) && !scalar_from_attribute(stated, type, &fill))
    return false;
  if (kind == TIN_ADD)
    return scalar_is_zero(&fill);
  return type_is_float(type) && isinf(fill.re) && (fill.re > 0) == (kind == TIN_MIN);
}

/*--- Loops of a term ---------------------------------------------------------------------------*/

/* How many levels of the result all terms share loops over; -1 where it cannot be built from
 * several nests. */
static int shared_levels(const statement *s) {
  const access *result = statement_result(s);
  assembly_list list = statement_assemblies(s);
  int last = result->level_count - 1;
  if (assembly_repeats(assembly_least(&list).way))
    return 0;
  for (int l = 0; l <= last; l++)
    if (result->levels[l].bare < 0)
      return -1;
  return last >= 0 && assembly_gathers(&list, last) ? last : -1;
}

typedef struct best_order {
  const statement *s;
  int shared;
  int *first; /* the loops that come first */
  double cost;
  int *order;
  bool found;
} best_order;

static bool keep_best(const int *order, void *data) {
  best_order *best = data;
  for (int n = 0; n < best->shared; n++)
    if (order[n] != best->first[n])
      return true;
  double cost = loop_cost(best->s, order);
  if (best->found && cost >= best->cost)
    return true;
  best->found = true;
  best->cost = cost;
  memcpy(best->order, order, sizeof *order * (size_t)best->s->variable_count);
  return true;
}

/* The loop over a variable of the maps, or -1. */
static int loop_of(const statement *s, int variable) {
  if (!s->loops)
    return variable;
  for (int v = 0; v < s->variable_count; v++)
    if (s->loops[v].variable == variable)
      return v;
  return -1;
}

/* The best order of the loops of `s` with those over the result's outermost levels first. */
static bool find_order(const statement *s, const statement *unmapped, int shared, int *order) {
  best_order best = {
      .s = s, .shared = shared, .first = ARENA_ARRAY(s->memory, int, shared + 1), .order = order};
  for (int l = 0; l < shared; l++) {
    best.first[l] = loop_of(s, statement_result(unmapped)->levels[l].bare);
    if (best.first[l] < 0)
      return false;
  }
  for (const iteration_graph *g = iteration_graph_create(s, true); g; g = g->other)
    if (iteration_graph_is_small(g))
      iteration_graph_visit_orders(g, keep_best, &best);
    else
      iteration_graph_visit_starts(g, keep_best, &best);
  return best.found;
}

/* Whether the term alone is computed from its operands as they are stored. */
static bool take_term(const statement *s, MlirValue value, tin_reduction kind, int shared,
                      statement_term *term) {
  const statement *part = statement_of_term(s, value, kind);
  const statement *loops = part ? statement_remapped_below(part, shared) : NULL;
  if (!loops || !statement_is_direct(loops))
    return false;
  term->s = loops;
  term->order = ARENA_ARRAY(s->memory, int, loops->variable_count + 1);
  return find_order(loops, part, shared, term->order);
}

/*--- Taking a sum apart ------------------------------------------------------------------------*/

/* The loops of one nest that computes the statement as it stands, and what they cost; NULL where
 * there is none. */
static const statement *together(const statement *s, double *cost) {
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  bool is_plain = !statement_has_remaps(s) && statement_is_supported(s, false);
  const statement *loops = is_plain ? s : statement_remapped(s);
  if (!loops || (!is_plain && !statement_is_walked(loops)) ||
      !iteration_graph_order(iteration_graph_create(loops, true), order))
    return NULL;
  *cost = loop_cost(loops, order);
  return loops;
}

static int count_terms(MlirValue sum, tin_reduction kind) {
  int count = 1;
  for (const sum_operator *o = operator_of(sum); o && o->kind == kind; o = operator_of(sum)) {
    sum = mlirOperationGetOperand(value_owner(sum), 0);
    count++;
  }
  return count;
}

static bool is_zero(MlirValue value) {
  MlirOperation op = value_owner(value);
  scalar x;
  return !mlirOperationIsNull(op) && op_is(op, "arith.constant") &&
         scalar_from_attribute(op_attribute(op, "value"), mlirValueGetType(value), &x) &&
         scalar_is_zero(&x);
}

/* The terms from the last one on, at the end of `all`; how many they are, or 0. */
static int take_from_end(const statement *s, MlirValue sum, tin_reduction kind, int shared,
                         int room, statement_term *all) {
  int at = room;
  while (at > 1) {
    MlirOperation op = value_owner(sum);
    statement_term *last = &all[--at];
    if (operator_of(sum)->subtracts)
      last->subtracted_by = op;
    if (!take_term(s, mlirOperationGetOperand(op, 1), kind, shared, last))
      return 0;
    sum = mlirOperationGetOperand(op, 0);
    if (kind == TIN_ADD && is_zero(sum))
      return room - at;
    if (take_term(s, sum, kind, shared, &all[at - 1]))
      return room - at + 1;
  }
  return 0;
}

/* Whether the nested reductions, if there are any, are one that is another sum for each value of
 * the result.  So it may be added up in the result itself: where that comes first, each value is
 * what it would be otherwise. */
static bool has_sum_alone(const statement *s, tin_reduction kind) {
  const nest *sum = s->nest_count == 2 ? &s->nests[1] : NULL;
  return s->nest_count == 1 ||
         (sum && sum->kind == kind && mlirAttributeIsNull(sum->identity) &&
          set_within(s->nests[0].own, sum->outer) && !op_has(sum->reduce, "factored"));
}

static bool is_nested_sum(const statement *s, const statement_term *term) {
  return s->nest_count > 1 && mlirValueEqual(term->s->nests[0].term, s->nests[1].term);
}

static void put_sum_first(const statement *s, int count, statement_term *terms) {
  int at = 0;
  while (at < count - 1 && !is_nested_sum(s, &terms[at]))
    at++;
  statement_term sum = terms[at];
  if (!is_nested_sum(s, &sum))
    return;
  memmove(&terms[1], terms, sizeof *terms * (size_t)at);
  terms[0] = sum;
}

/* Whether some operand is searched for a coordinate: loops of its term's own may go through its
 * entries. */
static bool is_searched(const statement *s) {
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++)
      if (access_level_is_searched(&s->accesses[i], l))
        return true;
  return false;
}

static double cost_apart(int count, const statement_term *terms) {
  double cost = 0;
  for (int n = 0; n < count; n++)
    cost += loop_cost(terms[n].s, terms[n].order);
  return cost;
}

/* Whether some part is reduced at compound subscripts of the result: what else goes over these
 * would make known what is in them. */
static bool has_scatters(const statement *s) {
  bool found = false;
  for (int n = 0; n < s->nest_count; n++)
    found |= !set_is_empty(s->nests[n].at);
  return found;
}

const statement_terms *statement_terms_find(const statement *s) {
  const nest *root = &s->nests[0];
  const sum_operator *last = operator_of(root->term);
  int shared = shared_levels(s);
  if (root->kind || !last || shared < 0 || has_scatters(s) || result_is_recorded(s->op) ||
      !has_sum_alone(s, last->kind) || !starts_from_identity(s, last->kind))
    return NULL;
  double cost = 0;
  const statement *whole = together(s, &cost);
  if (whole && (s->nest_count > 1 || !is_searched(whole)))
    return NULL;
  int room = count_terms(root->term, last->kind);
  statement_term *all = ARENA_ARRAY(s->memory, statement_term, room);
  int count = take_from_end(s, root->term, last->kind, shared, room, all);
  bool is_sum = count > 1 || s->nest_count > 1; /* -x is 0 - x */
  if (!count || !is_sum || (whole && cost_apart(count, all + room - count) * worth_a_nest > cost))
    return NULL;
  put_sum_first(s, count, all + room - count);
  statement_terms *terms = ARENA_ARRAY(s->memory, statement_terms, 1);
  *terms = (statement_terms){.count = count, .terms = all + room - count, .shared = shared};
  return terms;
}
