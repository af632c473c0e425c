/* einsum_statement.c - a statement in tensor index notation: its names, its subscripts, and what
 * each node has of the variables below it (einsum_parser.h); errors of it for people.
 */
#include "einsum_parser.h"

#include "lac_ascii.h"

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

static bit_set variables_of(arena *memory, const einsum_access *access) {
  bit_set set = set_empty();
  for (int s = 0; s < access->order; s++)
    for (int t = 0; t < access->subscripts[s].term_count; t++)
      set_insert(memory, &set, access->subscripts[s].terms[t].variable);
  return set;
}

bit_set einsum_result_variables(arena *memory, const einsum *e) {
  return variables_of(memory, &e->result_access);
}

bit_set einsum_bare_variables(arena *memory, const einsum *e) {
  bit_set set = set_empty();
  for (int s = 0; s < e->result_access.order; s++)
    if (einsum_subscript_is_bare(&e->result_access.subscripts[s]))
      set_insert(memory, &set, e->result_access.subscripts[s].terms[0].variable);
  return set;
}

/* Of a sum: what one of its sides lacks, or goes down in one of them; of a product: what one side
 * has alone, and goes down there. */
static bit_set descending_in(arena *memory, const einsum_node *node) {
  const einsum_node *x = node->left, *y = node->right;
  bit_set shared;
  switch (node->kind) {
  case EINSUM_ADD:
  case EINSUM_SUBTRACT:
    shared = set_common(memory, x->variables, y->variables);
    return set_union(memory, set_minus(memory, node->variables, shared),
                     set_union(memory, x->descending, y->descending));
  case EINSUM_MULTIPLY:
  case EINSUM_DIVIDE:
    return set_union(memory, set_minus(memory, x->descending, y->variables),
                     set_minus(memory, y->descending, x->variables));
  case EINSUM_NEGATE:
    return x->descending;
  default:
    return set_empty();
  }
}

void einsum_node_note(arena *memory, einsum_node *node) {
  const einsum_node *const parts[] = {node->left, node->right, node->third};
  node->reads = node->access;
  node->variables = node->access ? variables_of(memory, node->access) : set_empty();
  node->depth = 0;
  for (int n = 0; n < 3 && parts[n]; n++) {
    node->reads |= parts[n]->reads;
    set_add(memory, &node->variables, parts[n]->variables);
    node->depth = node->depth > parts[n]->depth ? node->depth : parts[n]->depth + 1;
  }
  node->descending = descending_in(memory, node);
}

char *einsum_error_text(arena *memory, const char *text, size_t length, const einsum_error *error) {
  enum { SHOWN = 40 };
  size_t before = (size_t)error->column - 1;
  if (before > length)
    before = length;
  if (before == 0)
    return arena_format(memory, "column %d: %s", error->column, error->message);
  size_t start = before > SHOWN ? before - SHOWN : 0;
  char *shown = arena_text(memory, text + start, before - start);
  for (size_t i = 0; i < before - start; i++)
    if (!lac_is_printable(shown[i]))
      shown[i] = ' ';
  return arena_format(memory, "column %d: %s after '%s%s'", error->column, error->message,
                      start ? "..." : "", shown);
}
