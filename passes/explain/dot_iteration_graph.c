/* dot_iteration_graph.c - iteration graphs (iteration_graph.h) as pictures: index variables, and an
 * edge i -> j with the tensor for which j must stand inside of i.
 *
 *     y(i) = A(i,j) * x(j), A by rows:       i -> j   A
 *
 * Dashed edges are those of one way to build the result where there are several: one of them must
 * hold.
 */
#include "dot.h"

#include "iteration_graph.h"
#include "kernel_statement.h"
#include "kernel_words.h"
#include "op_list.h"

static const char *title_of(const statement *s) {
  const char **operands = ARENA_ARRAY(s->memory, const char *, s->operand_count + 1);
  for (int a = 0; a < s->operand_count; a++)
    operands[a] = s->accesses[a].name;
  return title_words(s->memory, statement_result(s)->name, s->operand_count, operands);
}

static const char *quoted(const statement *s, const char *text) {
  return dot_text(s->memory, mlirStringRefCreateFromCString(text));
}

static bool same_edge(const iteration_edge *a, const iteration_edge *b) {
  return a->from == b->from && a->to == b->to && a->access == b->access;
}

static bool is_first(const iteration_graph *g, int e) {
  for (int before = 0; before < e; before++)
    if (same_edge(&g->edges[before], &g->edges[e]))
      return false;
  return true;
}

static bool has_edge(const iteration_graph *g, const iteration_edge *edge) {
  for (int e = 0; e < g->edge_count; e++)
    if (same_edge(&g->edges[e], edge))
      return true;
  return false;
}

/* Whether every way to build the result asks for it. */
static bool always_holds(const iteration_graph *first, const iteration_edge *edge) {
  for (const iteration_graph *g = first; g; g = g->other)
    if (!has_edge(g, edge))
      return false;
  return true;
}

static void write_edge(FILE *out, const statement *s, const iteration_edge *edge, bool always) {
  fprintf(out, "  %s -> %s [label = %s%s];\n", quoted(s, s->variables[edge->from]),
          quoted(s, s->variables[edge->to]),
          quoted(s, edge->access < 0 ? "a nested sum" : s->accesses[edge->access].name),
          always ? "" : ", style = dashed");
}

static void write_edges(FILE *out, const statement *s, const iteration_graph *first) {
  for (const iteration_graph *g = first; g; g = g->other)
    for (int e = 0; e < g->edge_count; e++) {
      bool always = always_holds(first, &g->edges[e]);
      if (is_first(g, e) && (g == first || !always))
        write_edge(out, s, &g->edges[e], always);
    }
}

static void write_graph(arena *memory, MlirOperation compute, FILE *out) {
  statement *s = statement_create(memory, compute);
  if (!s || statement_op_is_conversion(compute))
    return;
  dot_begin(memory, out, "iteration graph", title_of(s));
  for (int v = 0; v < s->variable_count; v++)
    fprintf(out, "  %s;\n", quoted(s, s->variables[v]));
  write_edges(out, s, iteration_graph_create(s, true));
  dot_end(out);
}

void dot_iteration_graphs(arena *memory, MlirOperation module, FILE *out) {
  op_list computes = ops_below(memory, module, tin_is_compute);
  for (int i = 0; i < computes.count; i++)
    write_graph(memory, computes.ops[i], out);
}
