/* Makes a random statement: the tree of the expression, and with it the tensors' dimensions.
 *
 * Subscripts are chosen before dimensions: a bare subscript gives its variable's extent, a compound
 * one room for its greatest value. What reads one tensor several times has to fit it.
 */
#include "statement_parts.h"

#include "lac_tensor.h"

#include <stdio.h>
#include <string.h>

static node *make_expression(maker *m, int depth);

static bool is_integer(const maker *m) {
  return holds_integers(m->c->type);
}

static bool is_complex(const maker *m) {
  return holds_complex(m->c->type);
}

node *new_node(maker *m, node_kind kind) {
  node *n = &m->c->nodes[m->c->node_count++];
  n->kind = kind;
  return n;
}

node *new_unary(maker *m, node_kind kind, node *left) {
  node *n = new_node(m, kind);
  n->left = left;
  return n;
}

static node *new_call(maker *m, const char *function, node *left) {
  node *n = new_unary(m, NODE_CALL, left);
  n->function = function;
  return n;
}

node *new_constant(maker *m, long double value) {
  node *n = new_node(m, NODE_CONSTANT);
  n->value = value;
  return n;
}

static int new_tensor(maker *m, int order) {
  tensor *t = &m->c->tensors[m->c->tensor_count];
  snprintf(t->name, sizeof t->name, "%c", 'A' + m->c->tensor_count);
  t->order = order;
  t->type = m->c->type;
  return m->c->tensor_count++;
}

//--- Subscripts ----------------------------------------------------------------------------------

int subscript_bare(const subscript *s) {
  int variable = -1;
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v] == 1 && variable < 0)
      variable = v;
    else if (s->factors[v] != 0)
      return -1;
  return s->constant == 0 ? variable : -1;
}

static int64_t last_value(const test_case *c, int variable) {
  return c->extents[variable] > 0 ? c->extents[variable] - 1 : 0;
}

int64_t subscript_least(const test_case *c, const subscript *s) {
  int64_t least = s->constant;
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v] < 0)
      least += s->factors[v] * last_value(c, v);
  return least;
}

int64_t subscript_greatest(const test_case *c, const subscript *s) {
  int64_t greatest = s->constant;
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v] > 0)
      greatest += s->factors[v] * last_value(c, v);
  return greatest;
}

static int random_order(maker *m) {
  static const int orders[] = {0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4};
  int order = orders[pick(m, 14)];
  return order < m->c->variable_count ? order : m->c->variable_count;
}

/* Different variables; now and then one of them twice, as in A(i,i), A(i,j,i), A(i,j,j). */
static void choose_variables(maker *m, node *n, int order) {
  int left[MAX_VARIABLES] = {0}, chosen[MAX_TENSOR_ORDER], count = m->c->variable_count;
  for (int v = 0; v < count; v++)
    left[v] = v;
  for (int d = 0; d < order; d++) {
    int at = pick(m, count), variable = left[at];
    left[at] = left[--count];
    chosen[d] = d > 0 && chance(m, 8) ? chosen[pick(m, d)] : variable;
    n->subscripts[d].factors[chosen[d]] = 1;
  }
}

/* i + k, 2*i, 2*i + k, i - k, i + 1, 3 - i, 3 - 2*i. */
void make_compound(maker *m, subscript *s) {
  int kind = pick(m, 6), i = subscript_bare(s), k = pick(m, m->c->variable_count);
  if (kind == 1 || kind == 2)
    s->factors[i] = 2;
  if (kind == 5)
    s->factors[i] = -1 - pick(m, 2);
  else if (k != i && kind != 1 && kind != 4)
    s->factors[k] = kind == 3 ? -1 : 1;
  else if (kind != 1)
    s->constant = 1 + pick(m, 2);
  s->constant -= subscript_least(m->c, s) < 0 ? subscript_least(m->c, s) : 0;
}

static bool make_some_compound(maker *m, node *n, int order) {
  bool any = false;
  for (int d = 0; d < order; d++)
    if (chance(m, 60)) {
      make_compound(m, &n->subscripts[d]);
      any = true;
    }
  return any;
}

/* A(i,3): in one case of six, many of them. */
static bool has_constant_subscripts(uint64_t seed) {
  return seed / 8192 % 6 == 0;
}

static bool make_one_constant(maker *m, node *n, int order) {
  if (!has_constant_subscripts(m->c->seed) || !chance(m, 50))
    return false;
  n->subscripts[pick(m, order)] = (subscript){.constant = pick(m, 4)};
  return true;
}

//--- Accesses ------------------------------------------------------------------------------------

static bool subscript_fits(const maker *m, const tensor *t, int d, const node *n) {
  const subscript *s = &n->subscripts[d];
  int variable = subscript_bare(s);
  if (variable >= 0)
    return t->dimensions[d] == m->c->extents[variable];
  if (n->padded)
    return true;
  int64_t needed = subscript_greatest(m->c, s) + 1;
  return m->slack ? t->dimensions[d] >= needed : t->dimensions[d] == needed;
}

/* Whether tensor t can be accessed with these subscripts: its dimensions are fixed already. */
static bool fits(const maker *m, int number, const node *n, int order) {
  const tensor *t = &m->c->tensors[number];
  if (t->order != order || (number == 0 && m->c->accumulate))
    return false;
  for (int d = 0; d < order; d++)
    if (!subscript_fits(m, t, d, n))
      return false;
  return true;
}

static int find_tensor(maker *m, const node *n, int order) {
  for (int t = 0; t < m->c->tensor_count; t++)
    if (fits(m, t, n, order) && chance(m, 25))
      return t;
  return -1;
}

static void choose_dimensions(maker *m, tensor *t, const node *n) {
  for (int d = 0; d < t->order; d++) {
    const subscript *s = &n->subscripts[d];
    int variable = subscript_bare(s);
    t->dimensions[d] = variable >= 0 ? m->c->extents[variable]
                       : n->padded ? padded_dimension(m, s)
                                   : subscript_greatest(m->c, s) + 1 + (m->slack ? pick(m, 3) : 0);
    t->is_static[d] = chance(m, 5);
  }
}

node *finish_access(maker *m, node *n, int order) {
  n->tensor = find_tensor(m, n, order);
  if (n->tensor >= 0)
    return n;
  n->tensor = new_tensor(m, order);
  choose_dimensions(m, &m->c->tensors[n->tensor], n);
  return n;
}

static node *make_access(maker *m) {
  node *n = new_node(m, NODE_ACCESS);
  int order = random_order(m);
  choose_variables(m, n, order);
  bool compound = order > 0 && chance(m, m->pads ? 60 : 12) && make_some_compound(m, n, order);
  compound |= order > 0 && make_one_constant(m, n, order);
  m->accesses_left--;
  if (compound && m->pads && chance(m, 80))
    pad_access(m, n, order);
  finish_access(m, n, order);
  m->c->tensors[n->tensor].must_be_dense |= compound && chance(m, 30);
  return n;
}

/* The access of an order 2 tensor, and of its transpose. */
static node *make_transposed(maker *m, node_kind kind) {
  node *left = make_access(m), *n = new_unary(m, kind, left);
  if (m->c->tensors[left->tensor].order != 2)
    return left;
  n->right = new_node(m, NODE_ACCESS);
  n->right->subscripts[0] = left->subscripts[1];
  n->right->subscripts[1] = left->subscripts[0];
  n->right->tensor = left->tensor;
  n->right->padded = left->padded;
  m->accesses_left--;
  if (!fits(m, left->tensor, n->right, 2))
    finish_access(m, n->right, 2);
  m->c->tensors[n->right->tensor].must_be_dense |= m->c->tensors[left->tensor].must_be_dense;
  return n;
}

//--- Operators -----------------------------------------------------------------------------------

static node *make_leaf(maker *m) {
  return chance(m, 88) ? make_access(m) : new_constant(m, constant_value(m));
}

static node *make_binary(maker *m, node_kind kind, int depth) {
  if (m->accesses_left >= 2 && chance(m, 5))
    return make_transposed(m, kind);
  node *left = make_expression(m, depth - 1), *n = new_unary(m, kind, left);
  n->right = make_expression(m, depth - 1);
  return n;
}

/* x / c, x / D(i) with no zeros in D, x / (abs(y) + 1). */
static node *make_division(maker *m, int depth) {
  node *left = make_expression(m, depth - 1), *n = new_unary(m, NODE_DIVIDE, left);
  int kind = pick(m, 3);
  m->c->exact &= is_integer(m);
  if (kind == 0 || m->accesses_left < 1)
    n->right = new_constant(m, is_integer(m) ? 2 + pick(m, 2) : chance(m, 50) ? 4 : -0.5);
  else if (kind == 1 || is_complex(m)) {
    bool pads = m->pads;
    m->pads = false;
    n->right = make_access(m);
    m->pads = pads;
    m->c->tensors[n->right->tensor].must_be_full = true;
    m->c->tensors[n->right->tensor].must_be_dense |= is_integer(m);
  } else {
    n->right = new_unary(m, NODE_ADD, new_call(m, "abs", make_access(m)));
    n->right->right = new_constant(m, 1);
  }
  return n;
}

/* A function of floating-point numbers that is finite on those that cases have. */
static node *make_smooth(maker *m) {
  static const char *const functions[] = {"exp",  "exp2",  "expm1", "sin",  "cos", "sinh",
                                          "cosh", "tanh",  "atan",  "cbrt", "erf", "floor",
                                          "ceil", "trunc", "sqrt",  "log1p"};
  int number = pick(m, 16);
  m->c->exact = false;
  node *argument = make_access(m);
  return new_call(m, functions[number], number < 14 ? argument : new_call(m, "abs", argument));
}

/* A comparison of what is stored, so that rounding decides nothing. */
static node *make_comparison(maker *m) {
  static const char *const operators[] = {"==", "!=", "<", "<=", ">", ">="};
  node *n = new_unary(m, NODE_COMPARE, make_access(m));
  n->function = operators[pick(m, is_complex(m) ? 2 : 6)];
  bool constant = m->accesses_left < 2 || chance(m, 60);
  n->right = constant ? new_constant(m, pick(m, 4)) : make_access(m);
  return n;
}

static node *make_choice(maker *m, int depth) {
  node *n = new_call(m, "select", chance(m, 70) ? make_comparison(m) : make_access(m));
  n->right = make_expression(m, depth - 1);
  n->third = chance(m, 40) ? new_constant(m, 0) : make_expression(m, depth - 1);
  return n;
}

static node *make_power(maker *m) {
  node *n = new_unary(m, NODE_POWER, make_access(m));
  n->right = new_constant(m, 2 + pick(m, 2));
  m->c->exact &= is_integer(m);
  return n;
}

static node *make_part(maker *m) {
  static const char *const parts[] = {"real", "imag", "conj"};
  return new_call(m, parts[pick(m, 3)], make_access(m));
}

/* Infinite where nothing is stored. */
static node *make_pole(maker *m, int depth) {
  m->c->exact = false;
  if (chance(m, 50))
    return new_call(m, "log", new_call(m, "abs", make_access(m)));
  node *n = new_unary(m, NODE_DIVIDE, make_expression(m, depth - 1));
  n->right = make_access(m);
  return n;
}

/* What the language has beside arithmetic and functions. */
static node *make_other(maker *m, int depth) {
  switch (pick(m, is_complex(m) || is_integer(m) ? 5 : 6)) {
  case 0:
  case 1:
    return make_comparison(m);
  case 2:
    return make_choice(m, depth);
  case 3:
    return is_complex(m) ? make_part(m) : make_power(m);
  case 4:
    return make_part(m);
  default:
    return make_pole(m, depth);
  }
}

static node *make_call(maker *m, int depth) {
  static const char *const functions[] = {"abs", "relu", "sign", "min", "max"};
  int number = is_complex(m) ? 5 : pick(m, is_integer(m) ? 5 : 8);
  m->c->exact &= number < 5;
  if (is_complex(m))
    return new_call(m, "exp", make_access(m));
  if (number >= 5)
    return make_smooth(m);
  if (number == 2)
    return new_call(m, functions[number], make_access(m));
  node *left = make_expression(m, depth - 1), *n = new_call(m, functions[number], left);
  if (number > 2)
    n->right = make_expression(m, depth - 1);
  return n;
}

static node *make_expression(maker *m, int depth) {
  int kind = pick(m, 100);
  if (depth == 0 || m->accesses_left <= 1 || kind < 8)
    return make_leaf(m);
  if (kind < 50)
    return make_binary(m, NODE_MULTIPLY, depth);
  if (kind < 72 || m->c->ring)
    return make_binary(m, NODE_ADD, depth);
  if (kind < 83)
    return make_binary(m, NODE_SUBTRACT, depth);
  if (kind < 87)
    return new_unary(m, NODE_NEGATE, make_expression(m, depth - 1));
  if (kind < 92)
    return make_division(m, depth);
  return kind < 96 ? make_call(m, depth) : make_other(m, depth);
}

//--- Many operands -------------------------------------------------------------------------------

/* What a wide statement is made of: one operator, or several. */
typedef enum wide_kind { WIDE_SUM, WIDE_PRODUCT, WIDE_ARITHMETIC, WIDE_CHOICES } wide_kind;

/* In most operands the same subscripts, or these exchanged: then all have entries at like places.
 */
static node *make_wide_operand(maker *m, const node *like, int order) {
  node *n = new_node(m, NODE_ACCESS);
  if (chance(m, 20))
    choose_variables(m, n, order = random_order(m));
  else
    memcpy(n->subscripts, like->subscripts, sizeof n->subscripts);
  if (order > 1 && chance(m, 15)) {
    n->subscripts[0] = like->subscripts[1];
    n->subscripts[1] = like->subscripts[0];
  }
  if (chance(m, 15))
    return finish_access(m, n, order);
  n->tensor = new_tensor(m, order);
  choose_dimensions(m, &m->c->tensors[n->tensor], n);
  return n;
}

static node *new_wide_operator(maker *m, wide_kind kind) {
  if (kind == WIDE_CHOICES && chance(m, 40))
    return new_call(m, chance(m, 50) ? "max" : "min", NULL);
  if (kind == WIDE_PRODUCT || (kind != WIDE_SUM && chance(m, 40)))
    return new_node(m, NODE_MULTIPLY);
  return new_node(m, !m->c->ring && chance(m, 20) ? NODE_SUBTRACT : NODE_ADD);
}

static node *make_wide_part(maker *m, wide_kind kind, const node *like, int order, int operands) {
  if (operands == 1)
    return make_wide_operand(m, like, order);
  int left = chance(m, 60) ? operands - 1 : 1 + pick(m, operands - 1);
  node *n = new_wide_operator(m, kind);
  n->left = make_wide_part(m, kind, like, order, left);
  n->right = make_wide_part(m, kind, like, order, operands - left);
  return n;
}

static node *make_wide(maker *m) {
  node like = {0};
  int most = m->c->variable_count < 2 ? 1 : 2, order = chance(m, 10) ? m->c->variable_count : most;
  choose_variables(m, &like, order);
  bool chooses = !m->c->ring && !is_complex(m);
  return make_wide_part(m, pick(m, chooses ? 4 : 3), &like, order, m->accesses_left);
}

//--- The result ----------------------------------------------------------------------------------

/* Notes for each node the variables that it has. */
static unsigned mark_variables(const test_case *c, node *n) {
  if (!n)
    return 0;
  n->variables =
      mark_variables(c, n->left) | mark_variables(c, n->right) | mark_variables(c, n->third);
  if (n->kind == NODE_ACCESS)
    for (int d = 0; d < c->tensors[n->tensor].order; d++)
      for (int v = 0; v < MAX_VARIABLES; v++)
        n->variables |= n->subscripts[d].factors[v] ? 1u << v : 0;
  return n->variables;
}

static void choose_result_variables(maker *m, unsigned used) {
  test_case *c = m->c;
  tensor *r = &c->result;
  for (int v = 0; v < c->variable_count && r->order < MAX_TENSOR_ORDER; v++)
    if (chance(m, used >> v & 1 ? 65 : 12))
      c->result_variables[r->order++] = v;
  for (int d = r->order - 1; d > 0 && chance(m, 40); d--) {
    int other = pick(m, d + 1), v = c->result_variables[d];
    c->result_variables[d] = c->result_variables[other];
    c->result_variables[other] = v;
  }
}

/* A variable that no operand has is broadcast over: only a static size tells how far. */
static void choose_result(maker *m) {
  test_case *c = m->c;
  unsigned used = mark_variables(c, c->root);
  tensor *r = &c->result;
  strcpy(r->name, "R");
  r->type = c->type;
  if (!m->scatters)
    choose_result_variables(m, used);
  for (int d = 0; d < r->order; d++) {
    r->dimensions[d] = c->extents[c->result_variables[d]];
    r->is_static[d] = chance(m, 5) || (!c->accumulate && !(used >> c->result_variables[d] & 1));
  }
  bare_result_subscripts(c);
  if (m->compound)
    compound_result_subscripts(m);
}

static void complete_previous(test_case *c) {
  tensor *previous = &c->tensors[0];
  strcpy(previous->name, "R");
  previous->type = c->type;
  previous->order = c->result.order;
  memcpy(previous->dimensions, c->result.dimensions, sizeof previous->dimensions);
}

//--- Sizes ---------------------------------------------------------------------------------------

static bool result_tells(const test_case *c, int variable) {
  for (int d = 0; d < c->result.order; d++)
    if (c->result_variables[d] == variable && (c->accumulate || c->result.is_static[d]))
      return true;
  return false;
}

/* Whether a subscript that is more than a variable may tell its size, as others are known. */
static bool subscript_may_tell(const subscript *s, int variable, unsigned known) {
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v] && v != variable && !(known >> v & 1))
      return false;
  return subscript_bare(s) < 0 && s->factors[variable] > 0;
}

/* The access tells a variable's size: bare, or beside others that are known by its dimension. */
typedef struct telling {
  bool bare, right, wrong;
} telling;

static void take_access(const maker *m, telling *t, const node *access, int variable,
                        unsigned known) {
  for (int d = 0; d < m->c->tensors[access->tensor].order; d++) {
    const subscript *s = &access->subscripts[d];
    t->bare |= subscript_bare(s) == variable;
    if (!subscript_may_tell(s, variable, known))
      continue;
    bool right = size_told(m->c, access, d, variable) == m->c->extents[variable] &&
                 m->c->extents[variable] > 0;
    for (int v = 0; v < MAX_VARIABLES; v++)
      right &= !s->factors[v] || m->c->extents[v] > 0;
    t->right |= right;
    t->wrong |= !right;
  }
}

static telling operands_tell(const maker *m, int variable, unsigned known) {
  telling t = {0};
  for (int n = 0; n < m->c->node_count; n++)
    if (m->c->nodes[n].kind == NODE_ACCESS)
      take_access(m, &t, &m->c->nodes[n], variable, known);
  return t;
}

/* Where compound subscripts tell several sizes it is the first one's: none may be wrong that could
 * be it. */
static unsigned known_sizes(const maker *m) {
  unsigned known = 0, before, all = (1u << m->c->variable_count) - 1;
  for (int v = 0; v < m->c->variable_count; v++)
    if (result_tells(m->c, v) || operands_tell(m, v, 0).bare)
      known |= 1u << v;
  do {
    before = known;
    for (int v = 0; v < m->c->variable_count; v++)
      if (!(known >> v & 1) && operands_tell(m, v, known).right && !operands_tell(m, v, all).wrong)
        known |= 1u << v;
  } while (known != before);
  return known;
}

/* Multiplies by a vector for each variable whose size nothing tells. */
static void tell_all_sizes(maker *m) {
  unsigned used = mark_variables(m->c, m->c->root) | compound_result_variables(m->c);
  for (int v = 0; v < m->c->variable_count; v++) {
    if (!(used >> v & 1) || known_sizes(m) >> v & 1)
      continue;
    node *product = new_unary(m, NODE_MULTIPLY, m->c->root);
    product->right = new_node(m, NODE_ACCESS);
    product->right->subscripts[0].factors[v] = 1;
    product->right->tensor = new_tensor(m, 1);
    choose_dimensions(m, &m->c->tensors[product->right->tensor], product->right);
    m->c->root = product;
  }
}

static bool has_access(const node *n) {
  return n && (n->kind == NODE_ACCESS || has_access(n->left) || has_access(n->right) ||
               has_access(n->third));
}

/* R(i,j,..) = A(i,j,..), both of one type. */
static void make_copy(maker *m) {
  static const int orders[] = {1, 1, 2, 2, 2, 2, 2, 3, 3, 4};
  test_case *c = m->c;
  int order = orders[pick(m, 10)];
  c->variable_count = order < c->variable_count ? order : c->variable_count;
  c->root = new_node(m, NODE_ACCESS);
  for (int v = 0; v < c->variable_count; v++)
    c->root->subscripts[v].factors[v] = 1;
  c->root->tensor = new_tensor(m, c->variable_count);
  choose_dimensions(m, &c->tensors[0], c->root);
  c->result = c->tensors[0];
  strcpy(c->result.name, "R");
  for (int v = 0; v < c->variable_count; v++)
    c->result_variables[v] = v;
  bare_result_subscripts(c);
  mark_variables(c, c->root);
}

void make_statement(maker *m) {
  test_case *c = m->c;
  if (c->conversion) {
    make_copy(m);
    return;
  }
  if (c->accumulate)
    new_tensor(m, -1);
  c->root = m->scatters ? make_scattering(m) : m->wide ? make_wide(m) : make_expression(m, 4);
  if (!has_access(c->root) && !c->accumulate)
    c->root = make_access(m);
  choose_result(m);
  if (c->accumulate)
    complete_previous(c);
  tell_all_sizes(m);
  mark_variables(c, c->root);
}
