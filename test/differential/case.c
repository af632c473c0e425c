/* Makes a random case: first the tree of the expression, then what it implies for the tensors
 * (dimensions, formats), then their entries. */
#include "case.h"

#include "format_names.h"
#include "lac_tensor.h"
#include "random.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
  test_case *c;
  uint64_t random;
  int accesses_left;
  bool divide; /* a dense operand without zeros is to come */
} maker;

static const char variable_names[] = "ijkl";

static bool is_integer(const maker *m) {
  return m->c->type == LAC_I32 || m->c->type == LAC_I64;
}

//--- The expression ------------------------------------------------------------------------------

static node *new_node(maker *m, node_kind kind) {
  node *n = &m->c->nodes[m->c->node_count++];
  n->kind = kind;
  return n;
}

static int new_tensor(maker *m, int order) {
  tensor *t = &m->c->tensors[m->c->tensor_count];
  snprintf(t->name, sizeof t->name, "%c", 'A' + m->c->tensor_count);
  t->order = order;
  return m->c->tensor_count++;
}

static int random_order(maker *m) {
  static const int orders[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 3};
  int order = orders[random_below(&m->random, 10)];
  return order < m->c->variable_count ? order : m->c->variable_count;
}

static void choose_subscripts(maker *m, node *n, int order) {
  int left[MAX_VARIABLES], count = m->c->variable_count;
  for (int v = 0; v < count; v++)
    left[v] = v;
  for (int d = 0; d < order; d++) {
    int pick = random_below(&m->random, count);
    n->variables[d] = left[pick];
    left[pick] = left[--count];
  }
  if (order == 2 && random_chance(&m->random, 4))
    n->variables[1] = n->variables[0];
}

/* Whether tensor t can be accessed with these subscripts: its dimensions are fixed already. */
static bool fits(const maker *m, const tensor *t, const node *n) {
  for (int d = 0; d < t->order; d++)
    if (t->dimensions[d] != m->c->extents[n->variables[d]])
      return false;
  return true;
}

static node *make_access(maker *m) {
  node *n = new_node(m, NODE_ACCESS);
  int order = random_order(m);
  choose_subscripts(m, n, order);
  m->accesses_left--;
  for (int t = 0; t < m->c->tensor_count && random_chance(&m->random, 8); t++)
    if (m->c->tensors[t].order == order && fits(m, &m->c->tensors[t], n)) {
      n->tensor = t;
      return n;
    }
  n->tensor = new_tensor(m, order);
  for (int d = 0; d < order; d++)
    m->c->tensors[n->tensor].dimensions[d] = m->c->extents[n->variables[d]];
  return n;
}

static node *make_leaf(maker *m, bool constants) {
  if (constants && m->c->tensor_count > 0 && random_chance(&m->random, 8)) {
    static const double values[] = {2, 3, 0.5, -1, 1};
    node *n = new_node(m, NODE_CONSTANT);
    n->value = values[random_below(&m->random, is_integer(m) ? 2 : 5)];
    return n;
  }
  return make_access(m);
}

static node *make_expression(maker *m, int depth);

static node *make_binary(maker *m, node_kind kind, int depth) {
  node *n = new_node(m, kind);
  n->left = make_expression(m, depth - 1);
  n->right = make_expression(m, depth - 1);
  return n;
}

static node *make_call(maker *m, int depth) {
  static const char *const functions[] = {"min", "max", "abs", "exp", "sqrt"};
  node *n = new_node(m, NODE_CALL);
  int pick = random_below(&m->random, m->c->type == LAC_F64 ? 4 : 3);
  n->function = functions[pick];
  n->left = make_expression(m, depth - 1);
  if (pick < 2)
    n->right = make_expression(m, depth - 1);
  if (pick > 2)
    m->c->exact = false;
  return n;
}

static node *make_expression(maker *m, int depth) {
  bool plain = m->c->semiring != NULL;
  bool real = m->c->type != LAC_C128;
  int pick = random_below(&m->random, 100);
  if (depth == 0 || m->accesses_left <= 1 || pick < 12)
    return make_leaf(m, !plain);
  if (pick < 55)
    return make_binary(m, NODE_MULTIPLY, depth);
  if (pick < 75 || plain)
    return make_binary(m, NODE_ADD, depth);
  if (pick < 88)
    return make_binary(m, NODE_SUBTRACT, depth);
  if (pick < 92) {
    node *n = new_node(m, NODE_NEGATE);
    n->left = make_expression(m, depth - 1);
    return n;
  }
  if (pick < 95 && m->c->type == LAC_F64) {
    node *n = new_node(m, NODE_DIVIDE);
    n->left = make_expression(m, depth - 1);
    n->right = new_node(m, NODE_CONSTANT);
    n->right->value = random_chance(&m->random, 50) ? 4.0 : -0.5;
    return n;
  }
  return real ? make_call(m, depth) : make_leaf(m, true);
}

//--- As text -------------------------------------------------------------------------------------

static void append(test_case *c, const char *format, ...) {
  size_t used = strlen(c->expression);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->expression + used, sizeof c->expression - used, format, arguments);
  va_end(arguments);
}

static void append_subscripts(test_case *c, int order, const int *variables) {
  if (order == 0)
    return;
  for (int d = 0; d < order; d++)
    append(c, "%c%c", d ? ',' : '(', variable_names[variables[d]]);
  append(c, ")");
}

static void append_node(test_case *c, const node *n) {
  static const char *const operators[] = {
      [NODE_ADD] = " + ", [NODE_SUBTRACT] = " - ", [NODE_MULTIPLY] = " * ", [NODE_DIVIDE] = " / "};
  switch (n->kind) {
  case NODE_ACCESS:
    append(c, "%s", c->tensors[n->tensor].name);
    append_subscripts(c, c->tensors[n->tensor].order, n->variables);
    break;
  case NODE_CONSTANT:
    append(c, n->value < 0 ? "(%g)" : "%g", n->value);
    break;
  case NODE_NEGATE:
    append(c, "(-");
    append_node(c, n->left);
    append(c, ")");
    break;
  case NODE_CALL:
    append(c, "%s(", n->function);
    append_node(c, n->left);
    if (n->right) {
      append(c, ", ");
      append_node(c, n->right);
    }
    append(c, ")");
    break;
  default:
    append(c, "(");
    append_node(c, n->left);
    append(c, "%s", operators[n->kind]);
    append_node(c, n->right);
    append(c, ")");
  }
}

//--- Formats -------------------------------------------------------------------------------------

static void shuffle_modes(maker *m, tensor *t) {
  for (int l = 0; l < t->order; l++)
    t->modes[l] = l;
  for (int l = t->order - 1; l > 0 && random_chance(&m->random, 60); l--) {
    int other = random_below(&m->random, l + 1), mode = t->modes[l];
    t->modes[l] = t->modes[other];
    t->modes[other] = mode;
  }
}

static void mode_order_text(const tensor *t, char *text) {
  for (int l = 0; l < t->order; l++)
    text += sprintf(text, "%c%d", l ? ',' : ':', t->modes[l]);
}

static void level_list_text(maker *m, const tensor *t, char *text) {
  for (int l = 0; l < t->order; l++)
    text +=
        sprintf(text, "%s%s", l ? "," : "", random_chance(&m->random, 60) ? "compressed" : "dense");
}

static void choose_format(maker *m, tensor *t, int dense_percent) {
  char spec[256] = "", *error = NULL;
  if (t->order == 0)
    return;
  shuffle_modes(m, t);
  int pick = random_below(&m->random, 100);
  if (pick < dense_percent)
    strcpy(spec, "dense");
  else if (pick % 3 == 0)
    strcpy(spec, "coo");
  else
    level_list_text(m, t, spec);
  mode_order_text(t, spec + strlen(spec));
  t->format = format_from_name(spec, t->order, &error);
}

/* A coordinate list given as it is, duplicates and all. */
static void choose_coordinates(maker *m, tensor *t) {
  shuffle_modes(m, t);
  t->coordinates = true;
  t->format = format_of_coordinates(t->order, t->modes);
}

//--- Entries -------------------------------------------------------------------------------------

static double complex random_value(maker *m) {
  static const double values[] = {1, 2, 3, -1, -2, 5};
  double real = values[random_below(&m->random, 6)];
  if (m->c->type != LAC_C128)
    return real;
  return real + values[random_below(&m->random, 6)] * I;
}

static void add_entry(maker *m, tensor *t, int64_t at) {
  entry *e = &t->entries[t->count++];
  for (int d = t->order - 1; d >= 0; d--) {
    e->coordinates[d] = at % t->dimensions[d];
    at /= t->dimensions[d];
  }
  e->value = random_value(m);
}

/* Whether what has no entry is stored all the same, as zero: its last level is dense. */
static bool stores_zeros(const tensor *t) {
  const char *last = t->format ? strrchr(t->format, ':') : NULL;
  return last && !strncmp(last, ": dense", 7);
}

static void fill_entries(maker *m, tensor *t) {
  static const int densities[] = {0, 5, 10, 20, 30, 50, 80, 100};
  int density = t->order ? densities[random_below(&m->random, 8)] : 100;
  if (m->c->semiring && stores_zeros(t))
    density = 100;
  int64_t volume = tensor_volume(t);
  t->entries = calloc((size_t)(2 * volume + 1), sizeof *t->entries);
  for (int64_t at = 0; at < volume; at++) {
    if (!random_chance(&m->random, density))
      continue;
    add_entry(m, t, at);
    if (t->coordinates && !m->c->semiring && random_chance(&m->random, 25))
      add_entry(m, t, at);
  }
}

//--- The case ------------------------------------------------------------------------------------

static unsigned used_variables(const test_case *c, const node *n) {
  unsigned set = 0;
  if (!n)
    return 0;
  if (n->kind == NODE_ACCESS)
    for (int d = 0; d < c->tensors[n->tensor].order; d++)
      set |= 1u << n->variables[d];
  return set | used_variables(c, n->left) | used_variables(c, n->right);
}

static void choose_extents(maker *m) {
  static const int extents[] = {0, 1, 1, 2, 3, 4, 5, 6, 7, 9};
  m->c->variable_count = 1 + random_below(&m->random, MAX_VARIABLES);
  for (int v = 0; v < m->c->variable_count; v++)
    m->c->extents[v] =
        extents[random_below(&m->random, 10) | (random_chance(&m->random, 70) ? 1 : 0)];
}

static void choose_result(maker *m) {
  test_case *c = m->c;
  unsigned used = used_variables(c, c->root);
  c->result.order = 0;
  for (int v = 0; v < c->variable_count && c->result.order < MAX_TENSOR_ORDER; v++)
    if ((used >> v & 1) && random_chance(&m->random, 65))
      c->result_variables[c->result.order++] = v;
  if (c->result.order > 1 && random_chance(&m->random, 30)) {
    int first = c->result_variables[0];
    c->result_variables[0] = c->result_variables[1];
    c->result_variables[1] = first;
  }
  for (int d = 0; d < c->result.order; d++)
    c->result.dimensions[d] = c->extents[c->result_variables[d]];
  strcpy(c->result.name, "R");
  choose_format(m, &c->result, 40);
}

static void choose_kind(maker *m) {
  static const int32_t types[] = {LAC_F64, LAC_F64, LAC_F64, LAC_F64, LAC_F64,
                                  LAC_F64, LAC_F32, LAC_I32, LAC_I64, LAC_C128};
  m->c->type = types[random_below(&m->random, 10)];
  m->c->exact = true;
  m->c->schedule = "";
  m->c->threads = random_chance(&m->random, 10) ? 2 : 1;
  if (m->c->type == LAC_F64 && random_chance(&m->random, 6))
    m->c->semiring = "min_plus";
}

void test_case_make(test_case *c, uint64_t seed) {
  maker m = {.c = c, .random = seed};
  memset(c, 0, sizeof *c);
  c->seed = seed;
  m.accesses_left = 1 + random_below(&m.random, 4);
  choose_kind(&m);
  choose_extents(&m);
  c->root = make_expression(&m, 3);
  if (c->tensor_count == 0)
    c->root = make_access(&m);
  choose_result(&m);
  append(c, "%s", c->result.name);
  append_subscripts(c, c->result.order, c->result_variables);
  append(c, " = ");
  append_node(c, c->root);
  for (int t = 0; t < c->tensor_count; t++) {
    if (c->tensors[t].order && random_chance(&m.random, 12))
      choose_coordinates(&m, &c->tensors[t]);
    else
      choose_format(&m, &c->tensors[t], 30);
    fill_entries(&m, &c->tensors[t]);
  }
}

void test_case_free(test_case *c) {
  free(c->result.format);
  for (int t = 0; t < c->tensor_count; t++) {
    free(c->tensors[t].format);
    free(c->tensors[t].entries);
  }
}

static void print_tensor(const tensor *t) {
  printf("  %s: ", t->name);
  for (int d = 0; d < t->order; d++)
    printf("%s%lld", d ? "x" : "", (long long)t->dimensions[d]);
  printf(" %s, %lld entries\n", t->format ? t->format : "scalar", (long long)t->count);
}

void test_case_print(const test_case *c) {
  printf("  %s\n  %s%s%s, %d thread%s\n", c->expression, lac_type_name(c->type),
         c->semiring ? ", " : "", c->semiring ? c->semiring : "", c->threads,
         c->threads == 1 ? "" : "s");
  print_tensor(&c->result);
  for (int t = 0; t < c->tensor_count; t++)
    print_tensor(&c->tensors[t]);
}
