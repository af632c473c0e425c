/* The statement as tin.einsum takes it. */
#include "maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char variable_names[] = "ijklm";

/* A text that grows, of a case. */
typedef struct output {
  const test_case *c;
  char *text;
  size_t size;
} output;

__attribute__((format(printf, 2, 3))) static void append(const output *o, const char *format, ...) {
  size_t used = strlen(o->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(o->text + used, o->size - used, format, arguments);
  va_end(arguments);
}

static void append_terms(const output *o, const subscript *s, int sign, bool *first) {
  for (int v = 0; v < MAX_VARIABLES; v++) {
    int factor = s->factors[v] * sign;
    if (factor <= 0)
      continue;
    append(o, "%s", sign < 0 ? "-" : *first ? "" : "+");
    if (factor > 1)
      append(o, "%d*", factor);
    append(o, "%c", variable_names[v]);
    *first = false;
  }
}

static bool has_terms(const subscript *s) {
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v])
      return true;
  return false;
}

static void append_subscript(const output *o, const subscript *s) {
  bool first = true;
  append_terms(o, s, 1, &first);
  if (s->constant > 0)
    append(o, "%s%lld", first ? "" : "+", (long long)s->constant);
  else if (first && s->constant == 0 && !has_terms(s))
    append(o, "0");
  append_terms(o, s, -1, &first);
  if (s->constant < 0)
    append(o, "%lld", (long long)s->constant);
}

static void append_access(const output *o, const node *n) {
  const tensor *t = &o->c->tensors[n->tensor];
  append(o, "%s%s", t->name, !n->padded ? "" : n->pads ? "[pad:" : "[pad]");
  if (n->pads)
    append(o, "%d]", (int)n->value);
  for (int d = 0; d < t->order; d++) {
    append(o, "%s", d ? "," : "(");
    append_subscript(o, &n->subscripts[d]);
  }
  append(o, "%s", t->order ? ")" : n->tensor % 2 ? "()" : "");
}

static void append_node(const output *o, const node *n) {
  static const char *const operators[] = {[NODE_ADD] = " + ",
                                          [NODE_SUBTRACT] = " - ",
                                          [NODE_MULTIPLY] = " * ",
                                          [NODE_DIVIDE] = " / ",
                                          [NODE_POWER] = "^"};
  switch (n->kind) {
  case NODE_ACCESS:
    append_access(o, n);
    break;
  case NODE_CONSTANT:
    append(o, n->value < 0 ? "(%.20Lg)" : "%.20Lg", n->value);
    break;
  case NODE_NEGATE:
    append(o, "(-");
    append_node(o, n->left);
    append(o, ")");
    break;
  case NODE_CALL:
    append(o, "%s(", n->function);
    append_node(o, n->left);
    for (const node *const *next = (const node *const[]){n->right, n->third, NULL}; *next; next++) {
      append(o, ", ");
      append_node(o, *next);
    }
    append(o, ")");
    break;
  default:
    append(o, "(");
    append_node(o, n->left);
    append(o, n->kind == NODE_COMPARE ? " %s " : "%s",
           n->kind == NODE_COMPARE ? n->function : operators[n->kind]);
    append_node(o, n->right);
    append(o, ")");
  }
}

void write_node(const test_case *c, const node *n, char *text, size_t size) {
  *text = '\0';
  append_node(&(output){c, text, size}, n);
}

void write_statement(test_case *c) {
  const output whole = {c, c->expression, sizeof c->expression}, *o = &whole;
  append(o, "%s", c->result.name);
  for (int d = 0; d < c->result.order; d++) {
    append(o, "%s", d ? "," : "(");
    append_subscript(o, &c->result_subscripts[d]);
  }
  append(o, "%s %s ", c->result.order ? ")" : "", c->accumulate ? "+=" : "=");
  append_node(o, c->root);
}
