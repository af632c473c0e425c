/* The statement as tin.einsum takes it. */
#include "maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char variable_names[] = "ijklm";

__attribute__((format(printf, 2, 3))) static void append(test_case *c, const char *format, ...) {
  size_t used = strlen(c->expression);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->expression + used, sizeof c->expression - used, format, arguments);
  va_end(arguments);
}

static void append_terms(test_case *c, const subscript *s, int sign, bool *first) {
  for (int v = 0; v < MAX_VARIABLES; v++) {
    int factor = s->factors[v] * sign;
    if (factor <= 0)
      continue;
    append(c, "%s", sign < 0 ? "-" : *first ? "" : "+");
    if (factor > 1)
      append(c, "%d*", factor);
    append(c, "%c", variable_names[v]);
    *first = false;
  }
}

static void append_subscript(test_case *c, const subscript *s) {
  bool first = true;
  append_terms(c, s, 1, &first);
  if (s->constant > 0)
    append(c, "%s%lld", first ? "" : "+", (long long)s->constant);
  append_terms(c, s, -1, &first);
}

static void append_access(test_case *c, const node *n) {
  const tensor *t = &c->tensors[n->tensor];
  append(c, "%s", t->name);
  for (int d = 0; d < t->order; d++) {
    append(c, "%s", d ? "," : "(");
    append_subscript(c, &n->subscripts[d]);
  }
  append(c, "%s", t->order ? ")" : n->tensor % 2 ? "()" : "");
}

static void append_node(test_case *c, const node *n) {
  static const char *const operators[] = {[NODE_ADD] = " + ",
                                          [NODE_SUBTRACT] = " - ",
                                          [NODE_MULTIPLY] = " * ",
                                          [NODE_DIVIDE] = " / ",
                                          [NODE_POWER] = "^"};
  switch (n->kind) {
  case NODE_ACCESS:
    append_access(c, n);
    break;
  case NODE_CONSTANT:
    append(c, n->value < 0 ? "(%.20Lg)" : "%.20Lg", n->value);
    break;
  case NODE_NEGATE:
    append(c, "(-");
    append_node(c, n->left);
    append(c, ")");
    break;
  case NODE_CALL:
    append(c, "%s(", n->function);
    append_node(c, n->left);
    for (const node *const *next = (const node *const[]){n->right, n->third, NULL}; *next; next++) {
      append(c, ", ");
      append_node(c, *next);
    }
    append(c, ")");
    break;
  default:
    append(c, "(");
    append_node(c, n->left);
    append(c, n->kind == NODE_COMPARE ? " %s " : "%s",
           n->kind == NODE_COMPARE ? n->function : operators[n->kind]);
    append_node(c, n->right);
    append(c, ")");
  }
}

void write_statement(test_case *c) {
  append(c, "%s", c->result.name);
  for (int d = 0; d < c->result.order; d++)
    append(c, "%c%c", d ? ',' : '(', variable_names[c->result_variables[d]]);
  append(c, "%s %s ", c->result.order ? ")" : "", c->accumulate ? "+=" : "=");
  append_node(c, c->root);
}
