/* einsum_statement.c - a statement in tensor index notation: its names, its subscripts, and what
 * each node has of the variables below it (einsum_parser.h).
 */
#include "einsum_parser.h"

#include <string.h>

int einsum_find_variable(const einsum *e, const char *name) {
  for (int v = 0; v < e->variable_count; v++)
    if (!strcmp(e->variables[v], name))
      return v;
  return -1;
}

int einsum_find_tensor(const einsum *e, const char *name) {
  for (int t = 0; t < e->tensor_count; t++)
    if (!strcmp(e->tensors[t].name, name))
      return t;
  return -1;
}

bool einsum_subscript_is_bare(const einsum_subscript *s) {
  return s->term_count == 1 && s->terms[0].coefficient == 1 && s->constant == 0;
}

static uint64_t variables_of(const einsum_access *access) {
  uint64_t set = 0;
  for (int s = 0; s < access->order; s++)
    for (int t = 0; t < access->subscripts[s].term_count; t++)
      if (access->subscripts[s].terms[t].variable < 64)
        set |= UINT64_C(1) << access->subscripts[s].terms[t].variable;
  return set;
}

static uint64_t descending_in(const einsum_node *node) {
  const einsum_node *x = node->left, *y = node->right;
  switch (node->kind) {
  case EINSUM_ADD:
  case EINSUM_SUBTRACT:
    return ~x->variables | x->descending | ~y->variables | y->descending;
  case EINSUM_MULTIPLY:
  case EINSUM_DIVIDE:
    return (x->variables & ~y->variables & x->descending) | (~x->variables & y->descending);
  case EINSUM_NEGATE:
    return x->descending;
  default:
    return 0;
  }
}

void einsum_node_note(einsum_node *node) {
  const einsum_node *const parts[] = {node->left, node->right, node->third};
  node->reads = node->access;
  node->variables = node->access ? variables_of(node->access) : 0;
  node->depth = 0;
  for (int n = 0; n < 3 && parts[n]; n++) {
    node->reads |= parts[n]->reads;
    node->variables |= parts[n]->variables;
    node->depth = node->depth > parts[n]->depth ? node->depth : parts[n]->depth + 1;
  }
  node->descending = descending_in(node);
}
