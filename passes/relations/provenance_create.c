/* provenance_create.c - a provenance graph from the operations of a cin.kernel. */
#include "provenance_state.h"

#include "cin.h"
#include "ir.h"
#include "op_list.h"

#include <string.h>

static bool is_variable(MlirValue value) {
  return cinTypeIsAIndexVariable(mlirValueGetType(value));
}

static int add_node(provenance *graph, MlirValue variable) {
  graph->nodes[graph->node_count++] = (variable_node){.value = variable, .static_extent = -1};
  return relation_graph_node(graph->graph);
}

static relation_space space_of(const provenance *graph, const relation *r, int place) {
  if (r->rule->space)
    return r->rule->space(r, place);
  return r->rule->consumes ? graph->nodes[r->parents[0]].space : (relation_space){0};
}

/* What relation `r` makes of its children that no relation made before. */
static void derive(const provenance *graph, const relation *r) {
  relation_scope s = scope_of(graph, NULL, r);
  for (int place = 0; place < r->child_count; ++place) {
    variable_node *n = r->children[place] == NO_NODE ? NULL : &graph->nodes[r->children[place]];
    if (!n || n->derived_by)
      continue;
    n->derived_by = r;
    n->static_extent = r->rule->static_extent(&s, place);
    n->space = space_of(graph, r, place);
  }
  for (int i = 0; i < r->rule->consumes; ++i)
    graph->nodes[r->parents[i]].consumed_by = r;
}

static const variable_node *first_with(const provenance *graph, MlirOperation op,
                                       bool (*test)(const variable_node *)) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const variable_node *n = node_of(graph, mlirOperationGetOperand(op, i));
    if (n && test(n))
      return n;
  }
  return NULL;
}

static bool is_consumed(const variable_node *n) {
  return n->consumed_by;
}

/* A counter ends where entries do, which is known only from walking them. */
static bool has_extents(const provenance *graph, MlirOperation op) {
  const variable_node *n = first_with(graph, op, node_is_endless);
  return !n || error_at(op, "expected a variable of a known extent, found the counter '%.*s'",
                        TEXT(provenance_name(n->value)));
}

static bool can_consume(const provenance *graph, MlirOperation op, const relation_rule *rule) {
  const variable_node *n = NULL;
  for (int i = rule->consumes; i-- > 0;) {
    const variable_node *parent = node_of(graph, mlirOperationGetOperand(op, i));
    n = parent && is_consumed(parent) ? parent : n;
  }
  return !n || error_at(op, "expected a variable that no relation has consumed, found '%.*s'",
                        TEXT(provenance_name(n->value)));
}

/* Whether the variables that `op` uses are of the graph. */
static bool uses_known_variables(MlirOperation op, void *data) {
  const provenance *graph = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_variable(operand) && find_node(graph, operand) < 0)
      return error_at(op, "expected index variables made in the kernel's own block");
  }
  return true;
}

static bool has_size(MlirOperation op, int64_t size) {
  return size <= RELATION_MOST_SIZE || error_at(op, "expected a size of at most %lld, found %lld",
                                                (long long)RELATION_MOST_SIZE, (long long)size);
}

static int *operand_nodes(const provenance *graph, MlirOperation op, int *count) {
  int *nodes = ARENA_ARRAY(graph->memory, int, mlirOperationGetNumOperands(op) + 1);
  *count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    nodes[*count] = find_node(graph, mlirOperationGetOperand(op, i));
    *count += nodes[*count] >= 0;
  }
  return nodes;
}

/* An operation that a row is named after. */
static bool add_relation(provenance *graph, MlirOperation op, const relation_rule *rule,
                         MlirStringRef name) {
  int parent_count, child_count = (int)mlirOperationGetNumResults(op);
  if (!rule->extent)
    return error_at(op, "code for '%.*s' is not supported yet", TEXT(name));
  if (!uses_known_variables(op, graph) || !can_consume(graph, op, rule) ||
      !has_extents(graph, op) || !has_size(op, op_integer(op, "size", 1)) ||
      (rule->verify && !rule->verify(op)))
    return false;
  int *parents = operand_nodes(graph, op, &parent_count);
  int *children = ARENA_ARRAY(graph->memory, int, child_count + 1);
  for (int i = 0; i < child_count; ++i)
    children[i] = add_node(graph, mlirOperationGetResult(op, i));
  relation *r = relation_add(graph->graph, rule, parent_count, parents, child_count, children);
  r->op = op;
  r->size = op_integer(op, "size", 1);
  derive(graph, r);
  return true;
}

/* The relation that derives the twin, with the variable in its place, and another whole. */
static bool add_twin(provenance *graph, MlirOperation op) {
  if (!uses_known_variables(op, graph) || !has_extents(graph, op))
    return false;
  int twin = find_node(graph, mlirOperationGetOperand(op, 1));
  const relation *of = graph->nodes[twin].derived_by;
  if (!of || of->rule->consumes != 1 || of->parent_count != 1)
    return error_at(op,
                    "expected the twin of a variable that is derived from one other, found '%.*s'",
                    TEXT(provenance_name(graph->nodes[twin].value)));
  if (!can_consume(graph, op, of->rule))
    return false;
  int parent = find_node(graph, mlirOperationGetOperand(op, 0));
  int *children = ARENA_ARRAY(graph->memory, int, of->child_count + 1);
  int self = add_node(graph, mlirOperationGetResult(op, 0));
  for (int i = 0; i < of->child_count; ++i)
    children[i] = of->children[i] == twin ? self : of->children[i];
  relation *r = relation_add(graph->graph, of->rule, 1, &parent, of->child_count, children);
  r->op = of->op;
  r->size = of->size;
  derive(graph, r);
  return true;
}

static bool remaps_levels(const provenance *graph, MlirOperation op) {
  return first_with(graph, op, node_is_derived)
             ? error_at(op, "expected a remap of underived variables")
             : has_extents(graph, op);
}

/* The operands that the parts of a map's expression stand for; false where one is no operand. */
static bool take_parts(const provenance *graph, MlirOperation op, const remap *r, int *parts) {
  if (r->kind == REMAP_COUNTER)
    parts[0] = find_node(graph, mlirOperationGetOperand(op, 0));
  for (int n = 0; n < remap_part_count(r); ++n) {
    MlirAffineExpr part = remap_part(r, n);
    if (!mlirAffineExprIsADim(part))
      return false;
    parts[n] = find_node(graph, mlirOperationGetOperand(op, mlirAffineDimExprGetPosition(part)));
    if (is_one_of(n, parts, parts[n]))
      return false;
  }
  return true;
}

static bool add_remap(provenance *graph, MlirOperation op) {
  remap r;
  MlirAffineMap map = cin_remap_map(op);
  if (!uses_known_variables(op, graph) || !remaps_levels(graph, op))
    return false;
  int *parts = ARENA_ARRAY(graph->memory, int, mlirAffineMapGetNumInputs(map) + 1);
  if (!remap_of(remap_canonical(mlirAffineMapGetResult(map, 0)), &r) ||
      !take_parts(graph, op, &r, parts))
    return error_at(op, "expected one quotient, remainder, linear form or counter of different "
                        "variables");
  if (!has_size(op, r.size))
    return false;
  int self = add_node(graph, mlirOperationGetResult(op, 0));
  relation *added = relation_add_remap(graph->graph, &r, parts, self);
  added->is_value = cin_remap_is_value(op);
  derive(graph, added);
  return true;
}

/* A cin.index that is a subscript of the result: no relation derives it, but it follows, and others
 * from it. */
static bool add_subscript(provenance *graph, MlirOperation op) {
  remap r;
  int count;
  if (!uses_known_variables(op, graph) ||
      !remap_of(remap_canonical(mlirAffineMapGetResult(cin_subscript_map(op), 0)), &r))
    return false;
  const int *nodes = operand_nodes(graph, op, &count);
  int *parts = ARENA_ARRAY(graph->memory, int, r.count + 1);
  for (int n = 0; n < r.count; ++n) {
    parts[n] = nodes[1 + mlirAffineDimExprGetPosition(remap_term_at(&r, n).of)];
    if (is_one_of(n, parts, parts[n]) || parts[n] == nodes[0])
      return error_at(op, "expected different variables in the subscript and for it");
  }
  relation_add_remap(graph->graph, &r, parts, nodes[0])->is_value = true;
  return true;
}

static MlirStringRef relation_name(MlirOperation op) {
  bool up = cin_is_split(op) && op_has(op, "up");
  return up ? mlirStringRefCreateFromCString("cin.split up") : op_name(op);
}

static bool add_operation(provenance *graph, MlirOperation op) {
  if (cin_is_remap(op))
    return add_remap(graph, op);
  if (cin_is_subscript(op))
    return add_subscript(graph, op);
  if (cin_is_twin(op))
    return add_twin(graph, op);
  if (cin_is_index(op)) {
    int at = add_node(graph, mlirOperationGetResult(op, 0));
    graph->nodes[at].static_extent = op_integer(op, "extent", -1);
  }
  const relation_rule *rule = relation_rule_named(relation_name(op));
  return !rule || add_relation(graph, op, rule, relation_name(op));
}

static provenance *create_empty(arena *memory, MlirOperation kernel) {
  provenance *graph = ARENA_ARRAY(memory, provenance, 1);
  int variables = 0;
  for (OPERATIONS(op, op_block(kernel, 0)))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      variables += is_variable(mlirOperationGetResult(op, i));
  graph->memory = memory;
  graph->graph = relation_graph_create(memory);
  graph->nodes = ARENA_ARRAY(memory, variable_node, variables + 1);
  graph->bound = ARENA_ARRAY(memory, int, variables + 1);
  graph->known = ARENA_ARRAY(memory, relation_knowledge, 1);
  return graph;
}

/* Before the first statement, so that workspaces over them can be made there. */
static bool declares_first(MlirOperation kernel) {
  bool stated = false;
  for (OPERATIONS(op, op_block(kernel, 0))) {
    stated |= cin_is_forall(op) || cin_is_where(op) || cin_is_assign(op);
    if (stated && mlirOperationGetNumResults(op) && is_variable(mlirOperationGetResult(op, 0)))
      return error_at(op, "expected index variables before the kernel's statements");
  }
  return true;
}

static void append_variables(const provenance *graph, variable_list *list,
                             const variable_list *more) {
  if (!more->count)
    return;
  MlirValue *all = ARENA_ARRAY(graph->memory, MlirValue, list->count + more->count);
  if (list->count)
    memcpy(all, list->variables, sizeof *all * (size_t)list->count);
  memcpy(all + list->count, more->variables, sizeof *all * (size_t)more->count);
  list->variables = all;
  list->count += more->count;
}

/* ---- Roots -------------------------------------------------------------------------------- */

static bool descends_from(const provenance *graph, int at, int from) {
  while (at != from && node_is_derived(&graph->nodes[at]))
    at = graph->nodes[at].derived_by->parents[0];
  return at == from;
}

/* What the foralls around an operation make known. */
static relation_knowledge known_around(const provenance *graph, MlirOperation op) {
  relation_knowledge known = relation_knowledge_none(graph->graph, NULL);
  for (op = mlirOperationGetParentOperation(op); !cin_is_kernel(op);
       op = mlirOperationGetParentOperation(op))
    if (cin_is_forall(op))
      relation_know(graph->graph, &known, find_node(graph, cin_forall_variable(op)));
  return known;
}

/* Whether all foralls over what a relation derives are inside of those that make the parents known
 * that it does not consume, so that within them it derives from the others alone. */
static bool stands_inside(const provenance *graph, MlirOperation kernel, const relation *r) {
  op_list foralls = ops_below(graph->memory, kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i) {
    int at = find_node(graph, cin_forall_variable(foralls.ops[i]));
    if (at < 0 || !descends_from(graph, at, r->children[0]))
      continue;
    relation_knowledge known = known_around(graph, foralls.ops[i]);
    for (int n = r->rule->consumes; n < r->parent_count; ++n)
      if (known.since[r->parents[n]] < 0)
        return false;
  }
  return true;
}

/* Of a counter nothing is a root but itself. */
static void find_roots(const provenance *graph, MlirOperation kernel, variable_node *n) {
  const relation *r = n->derived_by;
  bool inside = r && r->rule->consumes && r->parent_count > r->rule->consumes &&
                stands_inside(graph, kernel, r);
  if (!r || r->rule->endless)
    n->roots = (variable_list){1, &n->value};
  if (!node_is_derived(n))
    n->bases = (variable_list){1, &n->value};
  for (int i = 0; r && i < r->parent_count; ++i) {
    if (!r->rule->endless && (!inside || i < r->rule->consumes))
      append_variables(graph, &n->roots, &graph->nodes[r->parents[i]].roots);
    if (i < r->rule->consumes)
      append_variables(graph, &n->bases, &graph->nodes[r->parents[i]].bases);
  }
}

provenance *provenance_create(arena *memory, MlirOperation kernel) {
  provenance *graph = create_empty(memory, kernel);
  if (!declares_first(kernel))
    return NULL;
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (!add_operation(graph, op))
      return NULL;
  if (!visit_below(kernel, uses_known_variables, graph))
    return NULL;
  for (int i = 0; i < graph->node_count; ++i)
    find_roots(graph, kernel, &graph->nodes[i]);
  know_bound(graph);
  return graph;
}
