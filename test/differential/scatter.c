/* scatter.c - cases whose results are scattered into: sparse ones, to whose entries the loops come
 * in any order and again and again (Zhang et al. 2024, section 2).
 *
 *     R(k,i) = A(i,j) * B(j,k) * C(k) - D(k,l) * E(l,i)
 *
 * A sum of products that have the result's variables, in any order, and others that are summed
 * over; by any policy of workspaces, for all of them or for the one named w; loops in any order.
 */
#include "lac_tensor.h"
#include "schedule_attempts.h"
#include "statement_parts.h"

#include <stdio.h>
#include <string.h>

static bool all_scatter;

void draw_scattering(bool all) {
  all_scatter = all;
}

bool all_are_scattering(void) {
  return all_scatter;
}

bool is_scattering(uint64_t seed) {
  return all_scatter || seed / 16 % 8 == 0;
}

//--- Sizes ---------------------------------------------------------------------------------------

enum { MOST_POINTS = 30000 };

/* So small that the plain evaluation of all variables stays short. */
static void bound_extents(test_case *c) {
  for (;;) {
    int64_t points = 1;
    int largest = 0;
    for (int v = 0; v < c->variable_count; v++) {
      points *= c->extents[v];
      largest = c->extents[v] > c->extents[largest] ? v : largest;
    }
    if (points <= MOST_POINTS)
      return;
    c->extents[largest] /= 2;
  }
}

/* Now and then one large, so that tables grow and bitmaps have several words. */
void choose_scatter_extents(maker *m) {
  static const int extents[] = {1, 2, 3, 3, 4, 5, 6, 7, 9, 13};
  test_case *c = m->c;
  c->variable_count = 2 + pick(m, 4);
  for (int v = 0; v < c->variable_count; v++)
    c->extents[v] = chance(m, 2) ? 0 : extents[pick(m, 10)];
  if (chance(m, 30))
    c->extents[pick(m, c->variable_count)] = 65 + pick(m, 400);
  bound_extents(c);
}

//--- The statement -------------------------------------------------------------------------------

enum { MOST_FACTORS = 3 };

static void choose_scatter_result(maker *m) {
  static const int orders[] = {1, 1, 2, 2, 2, 2, 3, 3, 4};
  test_case *c = m->c;
  int variables[MAX_VARIABLES] = {0}, count = c->variable_count;
  int most = count - (count > 1 && chance(m, 80)), order = orders[pick(m, 9)];
  for (int v = 0; v < count; v++)
    variables[v] = v;
  c->result.order = order < most ? order : most;
  for (int d = 0; d < c->result.order; d++) {
    int at = pick(m, count);
    c->result_variables[d] = variables[at];
    variables[at] = variables[--count];
  }
}

static bool has_variable(const test_case *c, int v) {
  bool has = false;
  for (int d = 0; d < c->result.order; d++)
    has |= c->result_variables[d] == v;
  return has;
}

/* An access with the variables of a set, in any order. */
static node *make_factor(maker *m, unsigned set) {
  node *n = new_node(m, NODE_ACCESS);
  int order = 0;
  for (int v = 0; v < m->c->variable_count; v++)
    if (set >> v & 1)
      n->subscripts[order++].factors[v] = 1;
  for (int d = order - 1; d > 0; d--) {
    int other = pick(m, d + 1);
    subscript s = n->subscripts[d];
    n->subscripts[d] = n->subscripts[other];
    n->subscripts[other] = s;
  }
  return finish_access(m, n, order);
}

static int size_of(unsigned set) {
  return __builtin_popcount(set);
}

/* Each variable in one factor, and in another one by chance: those that are summed over mostly. */
static void deal_variables(maker *m, unsigned set, int count, unsigned *factors) {
  for (int v = 0; v < m->c->variable_count; v++) {
    if (!(set >> v & 1))
      continue;
    int first = pick(m, count), second = first;
    if (chance(m, has_variable(m->c, v) ? 30 : 75))
      second = (first + 1) % count;
    while (size_of(factors[first]) == MAX_TENSOR_ORDER)
      first = (first + 1) % count;
    factors[first] |= 1u << v;
    if (size_of(factors[second]) < 3)
      factors[second] |= 1u << v;
  }
}

/* A product with the result's variables, mostly, and others. */
static node *make_term(maker *m) {
  const test_case *c = m->c;
  unsigned set = 0, factors[MOST_FACTORS] = {0};
  for (int v = 0; v < c->variable_count; v++)
    if (chance(m, has_variable(c, v) ? 97 : 80))
      set |= 1u << v;
  int count = size_of(set) > MAX_TENSOR_ORDER || chance(m, 75) ? 2 + pick(m, 2) : 1;
  deal_variables(m, set, count, factors);
  node *term = NULL;
  for (int f = 0; f < count; f++) {
    if (!factors[f] && (term || f < count - 1))
      continue;
    node *factor = make_factor(m, factors[f]), *left = term;
    term = left ? new_unary(m, NODE_MULTIPLY, left) : factor;
    term->right = left ? factor : NULL;
  }
  return term;
}

static node *make_scaled_term(maker *m) {
  node *term = make_term(m);
  if (m->c->ring || !chance(m, 10))
    return term;
  node *scaled = new_unary(m, NODE_MULTIPLY, new_constant(m, 2 + pick(m, 2)));
  scaled->right = term;
  return scaled;
}

node *make_scattering(maker *m) {
  int terms = chance(m, 60) ? 1 : 2 + chance(m, 25);
  choose_scatter_result(m);
  node *sum = make_scaled_term(m);
  for (int n = 1; n < terms; n++) {
    sum = new_unary(m, !m->c->ring && chance(m, 25) ? NODE_SUBTRACT : NODE_ADD, sum);
    sum->right = make_scaled_term(m);
  }
  return sum;
}

//--- How it is run -------------------------------------------------------------------------------

void choose_scatter_run(maker *m) {
  static const int threads[] = {1, 2, 3, 7};
  m->c->threads = threads[pick(m, 4)];
  m->c->deterministic = chance(m, 35);
  m->c->accumulate = chance(m, 15);
  m->slack = false;
}

/* The loops of Gustavson's algorithm: all but the last level of the result, what is summed over,
 * the last level. */
static bool attempt_rows(maker *m) {
  const test_case *c = m->c;
  const tensor *r = &c->result;
  char *text = m->c->schedule, summed[MOST_LOOPS][4] = {{0}};
  int count = 0, last = r->order - 1;
  for (int v = 0; v < c->variable_count; v++)
    if (is_used(c, v) && !has_variable(c, v))
      sprintf(summed[count++], ",%c", variable_names[v]);
  if (r->exotic || r->order < 2 || !count)
    return false;
  shuffle(m, count, summed);
  text += sprintf(text, "reorder(");
  for (int l = 0; l < last; l++)
    text += sprintf(text, "%s%c", l ? "," : "", variable_names[c->result_variables[r->modes[l]]]);
  for (int n = 0; n < count; n++)
    text += sprintf(text, "%s", summed[n]);
  sprintf(text, ",%c)", variable_names[c->result_variables[r->modes[last]]]);
  return true;
}

/* The outermost of the loops that are put in another order, on threads. */
static void gather_on_threads(maker *m) {
  static const char *const races[] = {"temporary", "temporary", "no_races"};
  char *text = m->c->schedule, *first = strstr(text, "reorder(");
  if (first && chance(m, 30))
    sprintf(text + strlen(text), " parallelize(%c,cpu_thread,%s)", first[strlen("reorder(")],
            races[pick(m, 3)]);
}

static bool attempt_order(maker *m, bool rows) {
  bool found = rows ? attempt_rows(m) : attempt_reorder(m);
  if (found)
    gather_on_threads(m);
  return found;
}

static bool attempt_scatter(maker *m) {
  int kind = pick(m, 10);
  if (kind < 7)
    return attempt_order(m, kind < 4);
  if (kind < 9)
    return attempt_precompute(m);
  return attempt_nested(m);
}

void choose_scatter_schedule(maker *m) {
  bool found = false, any = chance(m, 60);
  for (int n = 0; n < 4 && !found && chance(m, 80); n++)
    found = attempt_scatter(m) || any;
  if (!found)
    m->c->schedule[0] = '\0';
  choose_policies(m);
}
