/* provenance.c - the provenance graph of a kernel's index variables.
 *
 * Each relation is a row of functions; nothing else here knows what a relation computes.  With
 * i = s o + n for a split of i by s into o and n:
 *
 *     extent     of o: ceil(extent(i) / s)      of n: s
 *     recover    i = s o + n
 *     bounds     of i, when o is known: s o + bounds(n), cut at extent(i)
 *     guard      i < extent(i), unless s divides extent(i)
 *
 * (Senanayake et al. 2020, figures 18 and 19.)
 *
 * A remapping stands beside the relations: its variable is known where those that it maps are, and
 * these are recovered from it (provenance.h).
 */
#include "provenance_state.h"

#include "cin.h"
#include "ir.h"

#include <string.h>

/* ---- reading ---------------------------------------------------------------------------- */

int find_node(const provenance *graph, MlirValue variable) {
  for (int i = 0; i < graph->node_count; ++i)
    if (mlirValueEqual(graph->nodes[i].value, variable))
      return i;
  return -1;
}

node *node_of(const provenance *graph, MlirValue variable) {
  int i = find_node(graph, variable);
  return i < 0 ? NULL : &graph->nodes[i];
}

static const relation *deriver_of(const provenance *graph, const node *n) {
  return n->derived_by == NO_RELATION ? NULL : &graph->relations[n->derived_by];
}

static const relation *consumer_of(const provenance *graph, const node *n) {
  return n->consumed_by == NO_RELATION ? NULL : &graph->relations[n->consumed_by];
}

static int node_number(const provenance *graph, const node *n) {
  return (int)(n - graph->nodes);
}

bool node_is_bound(const provenance *graph, const node *n) {
  const relation *r = consumer_of(graph, n);
  if (n->bound || !r)
    return n->bound;
  for (int i = 0; i < r->child_count; ++i)
    if (!node_is_bound(graph, &graph->nodes[r->children[i]]))
      return false;
  return true;
}

bool node_is_known(const provenance *graph, const node *n) {
  recovery ignored;
  if (node_is_bound(graph, n))
    return true;
  return n->remapping ? remapping_is_known(graph, n->remapping)
                      : find_recovery(graph, node_number(graph, n), &ignored);
}

/* The place of the node `at` among a relation's parents or children, of which it is one. */
static int place_of(const int *nodes, int count, int at) {
  int place = 0;
  while (place < count - 1 && nodes[place] != at)
    ++place;
  return place;
}

MlirValue node_extent(provenance *graph, builder *b, int at) {
  node *n = &graph->nodes[at];
  if (n->static_extent >= 0)
    return constant_index(b, n->static_extent);
  const relation *r = deriver_of(graph, n);
  if (mlirValueIsNull(n->extent) && n->remapping)
    n->extent = remapping_extent(graph, b, n->remapping);
  if (mlirValueIsNull(n->extent) && r)
    n->extent = r->rule->extent(graph, b, r, place_of(r->children, MOST_CHILDREN, at));
  return n->extent;
}

MlirValue node_coordinate(provenance *graph, builder *b, int at) {
  node *n = &graph->nodes[at];
  const relation *r = consumer_of(graph, n);
  recovery found;
  if (n->bound)
    return n->coordinate;
  if (node_is_bound(graph, n))
    return r->rule->recover(graph, b, r, place_of(r->parents, MOST_PARENTS, at));
  if (n->remapping)
    return remapped_coordinate(graph, b, n->remapping);
  return find_recovery(graph, at, &found) ? recovered_coordinate(graph, b, at, &found)
                                          : n->coordinate;
}

static interval intersection(builder *b, interval x, interval y) {
  MlirValue low = max_i(b, x.low, y.low);
  return (interval){low, max_i(b, low, min_i(b, x.high, y.high))};
}

static interval node_bounds(provenance *graph, builder *b, int at) {
  const relation *r = consumer_of(graph, &graph->nodes[at]);
  const remapping *difference = bound_difference(graph, at);
  if (!r && !difference)
    return (interval){constant_index(b, 0), node_extent(graph, b, at)};
  if (!r)
    return difference_bounds(graph, b, at, difference);
  interval derived = r->rule->bounds(graph, b, r);
  return difference ? intersection(b, derived, difference_bounds(graph, b, at, difference))
                    : derived;
}

/* ---- split ------------------------------------------------------------------------------ */

enum { SPLIT_OUTER, SPLIT_INNER };

static int64_t split_size(const relation *r) {
  return op_integer(r->op, "size", 1);
}

static int64_t split_static_extent(const provenance *graph, const relation *r, int child) {
  int64_t size = split_size(r), whole = graph->nodes[r->parents[0]].static_extent;
  if (child == SPLIT_INNER)
    return size;
  return whole < 0 ? -1 : whole / size + (whole % size != 0);
}

static MlirValue split_extent(provenance *graph, builder *b, const relation *r, int child) {
  MlirValue size = constant_index(b, split_size(r));
  return child == SPLIT_INNER ? size : ceil_div(b, node_extent(graph, b, r->parents[0]), size);
}

static MlirValue split_base(provenance *graph, builder *b, const relation *r) {
  MlirValue outer = node_coordinate(graph, b, r->children[SPLIT_OUTER]);
  return mul(b, outer, constant_index(b, split_size(r)));
}

static MlirValue split_recover(provenance *graph, builder *b, const relation *r, int parent) {
  (void)parent;
  MlirValue base = split_base(graph, b, r);
  return add(b, base, node_coordinate(graph, b, r->children[SPLIT_INNER]));
}

static bool split_overruns(const provenance *graph, const relation *r) {
  int64_t whole = graph->nodes[r->parents[0]].static_extent;
  return whole < 0 || whole % split_size(r) != 0;
}

static bool split_children_are_split(const provenance *graph, const relation *r) {
  return graph->nodes[r->children[SPLIT_OUTER]].consumed_by != NO_RELATION ||
         graph->nodes[r->children[SPLIT_INNER]].consumed_by != NO_RELATION;
}

static interval split_bounds(provenance *graph, builder *b, const relation *r) {
  bool nested = split_children_are_split(graph, r);
  MlirValue base = split_base(graph, b, r);
  interval inner = node_bounds(graph, b, r->children[SPLIT_INNER]);
  interval whole = {add(b, base, inner.low), add(b, base, inner.high)};
  if (nested || split_overruns(graph, r))
    whole.high = min_i(b, whole.high, node_extent(graph, b, r->parents[0]));
  if (nested)
    whole.high = max_i(b, whole.high, whole.low);
  return whole;
}

/* ---- the relations ---------------------------------------------------------------------- */

static const relation_rule rules[] = {
    {"cin.split", split_static_extent, split_extent, split_recover, split_bounds, split_overruns,
     SPLIT_INNER},
    {.name = "cin.split up"},
    {.name = "cin.collapse"},
    {.name = "cin.pos"},
    {.name = "cin.coord"},
    {.name = "cin.bound"},
};

static MlirStringRef relation_name(MlirOperation op) {
  bool up = op_is(op, "cin.split") && op_has(op, "up");
  return up ? mlirStringRefCreateFromCString("cin.split up") : op_name(op);
}

static const relation_rule *find_rule(MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (text_is(relation_name(op), rules[i].name))
      return &rules[i];
  return NULL;
}

/* ---- making the graph ------------------------------------------------------------------- */

static bool is_variable(MlirValue value) {
  return cinTypeIsAIndexVariable(mlirValueGetType(value));
}

int add_node(provenance *graph, MlirValue variable, int derived_by, int64_t static_extent) {
  graph->nodes[graph->node_count] = (node){.value = variable,
                                           .derived_by = derived_by,
                                           .consumed_by = NO_RELATION,
                                           .static_extent = static_extent};
  return graph->node_count++;
}

static void add_relation(provenance *graph, MlirOperation op, const relation_rule *rule) {
  int self = graph->relation_count++;
  relation *r = &graph->relations[self];
  *r = (relation){.op = op, .rule = rule};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int parent = find_node(graph, mlirOperationGetOperand(op, i));
    if (parent < 0)
      continue;
    r->parents[r->parent_count++] = parent;
    graph->nodes[parent].consumed_by = self;
  }
  r->child_count = (int)mlirOperationGetNumResults(op);
  for (int i = 0; i < r->child_count; ++i)
    r->children[i] =
        add_node(graph, mlirOperationGetResult(op, i), self, rule->static_extent(graph, r, i));
}

static void append_variables(provenance *graph, variable_list *list, const variable_list *more) {
  MlirValue *all = ARENA_ARRAY(graph->memory, MlirValue, list->count + more->count);
  if (list->count)
    memcpy(all, list->variables, sizeof *all * (size_t)list->count);
  memcpy(all + list->count, more->variables, sizeof *all * (size_t)more->count);
  list->variables = all;
  list->count += more->count;
}

static void find_roots(provenance *graph, node *n) {
  const relation *r = deriver_of(graph, n);
  if (!r)
    n->bases = n->roots = (variable_list){1, &n->value};
  if (n->remapping)
    find_remapped_roots(graph, n);
  for (int i = 0; r && i < r->parent_count; ++i) {
    append_variables(graph, &n->roots, &graph->nodes[r->parents[i]].roots);
    append_variables(graph, &n->bases, &graph->nodes[r->parents[i]].bases);
  }
}

static bool is_consumed_already(const provenance *graph, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const node *n = node_of(graph, mlirOperationGetOperand(op, i));
    if (n && n->consumed_by != NO_RELATION)
      return !error_at(op, "expected a variable that no relation has consumed, found '%.*s'",
                       TEXT(provenance_name(n->value)));
  }
  return false;
}

/* A counter ends where entries do, which is known only from walking them. */
static bool consumes_counter(const provenance *graph, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const node *n = node_of(graph, mlirOperationGetOperand(op, i));
    if (n && n->remapping && n->remapping->by.kind == REMAP_COUNTER)
      return !error_at(op, "expected a variable of a known extent, found the counter '%.*s'",
                       TEXT(provenance_name(n->value)));
  }
  return false;
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

static bool add_operation(provenance *graph, MlirOperation op) {
  const relation_rule *rule = find_rule(op);
  if (op_is(op, "cin.index"))
    add_node(graph, mlirOperationGetResult(op, 0), NO_RELATION, op_integer(op, "extent", -1));
  if (op_is(op, "cin.remap"))
    return uses_known_variables(op, graph) && add_remapping(graph, op);
  if (!rule)
    return true;
  if (!rule->recover)
    return error_at(op, "code for '%.*s' is not supported yet", TEXT(relation_name(op)));
  if (!uses_known_variables(op, graph) || is_consumed_already(graph, op) ||
      consumes_counter(graph, op))
    return false;
  if (op_integer(op, "size", 1) > MOST_SIZE)
    return error_at(op, "expected a size of at most %lld, found %lld", (long long)MOST_SIZE,
                    (long long)op_integer(op, "size", 1));
  add_relation(graph, op, rule);
  return true;
}

static provenance *create_empty(arena *memory, MlirOperation kernel) {
  provenance *graph = ARENA_ARRAY(memory, provenance, 1);
  int variables = 0, operations = 0;
  for (OPERATIONS(op, op_block(kernel, 0)), ++operations)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      variables += is_variable(mlirOperationGetResult(op, i));
  graph->memory = memory;
  graph->nodes = ARENA_ARRAY(memory, node, variables);
  graph->relations = ARENA_ARRAY(memory, relation, operations);
  graph->remappings = ARENA_ARRAY(memory, remapping, operations);
  return graph;
}

/* Before the first statement, so that workspaces over them can be made there. */
static bool declares_first(MlirOperation kernel) {
  bool stated = false;
  for (OPERATIONS(op, op_block(kernel, 0))) {
    stated |= op_is(op, "cin.forall") || op_is(op, "cin.where") || op_is(op, "cin.assign");
    if (stated && mlirOperationGetNumResults(op) && is_variable(mlirOperationGetResult(op, 0)))
      return error_at(op, "expected index variables before the kernel's statements");
  }
  return true;
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
    find_roots(graph, &graph->nodes[i]);
  return graph;
}

/* ---- names, ancestors, extents ---------------------------------------------------------- */

MlirStringRef provenance_name(MlirValue variable) {
  static const char *const split_names[] = {"outer_name", "inner_name"};
  MlirOperation op = value_owner(variable);
  bool split = op_is(op, "cin.split");
  return op_text(op, split ? split_names[mlirOpResultGetResultNumber(variable)] : "name");
}

bool provenance_is_underived(MlirValue variable) {
  return op_is(value_owner(variable), "cin.index");
}

intptr_t provenance_roots(const provenance *graph, MlirValue variable, const MlirValue **roots) {
  const node *n = node_of(graph, variable);
  *roots = n ? n->roots.variables : NULL;
  return n ? n->roots.count : 0;
}

intptr_t provenance_bases(const provenance *graph, MlirValue variable, const MlirValue **bases) {
  const node *n = node_of(graph, variable);
  *bases = n ? n->bases.variables : NULL;
  return n ? n->bases.count : 0;
}

bool provenance_is_consumed(const provenance *graph, MlirValue variable) {
  const node *n = node_of(graph, variable);
  return n && n->consumed_by != NO_RELATION;
}

void provenance_set_extent(provenance *graph, MlirValue underived, MlirValue extent) {
  node_of(graph, underived)->extent = extent;
}

void provenance_emit_extents(provenance *graph, builder *b) {
  for (int i = 0; i < graph->node_count; ++i)
    if (graph->nodes[i].static_extent < 0)
      node_extent(graph, b, i);
}

MlirValue provenance_extent(provenance *graph, builder *b, MlirValue variable) {
  return node_extent(graph, b, find_node(graph, variable));
}

int64_t provenance_static_extent(const provenance *graph, MlirValue variable) {
  const node *n = node_of(graph, variable);
  return n ? n->static_extent : -1;
}

/* ---- the meaning of a forall ------------------------------------------------------------ */

/* Whether the graph from `base` down to `leaf` goes along contiguous children only. */
static bool goes_contiguously(const provenance *graph, int base, int leaf) {
  while (base != leaf) {
    const relation *r = consumer_of(graph, &graph->nodes[base]);
    if (!r)
      return false;
    base = r->children[r->rule->contiguous_child];
  }
  return true;
}

static bool completes(const provenance *graph, node *variable, const node *base) {
  bool before = node_is_known(graph, base), bound = variable->bound;
  variable->bound = true;
  bool after = node_is_known(graph, base);
  variable->bound = bound;
  return after && !before;
}

provenance_step provenance_next(const provenance *graph, MlirValue variable) {
  int self = find_node(graph, variable);
  node *n = &graph->nodes[self];
  if (n->remapping)
    return (provenance_step){PROVENANCE_WALK, variable, true};
  for (intptr_t i = 0; i < n->bases.count; ++i) {
    int base = find_node(graph, n->bases.variables[i]);
    if (!completes(graph, n, &graph->nodes[base]))
      continue;
    bool walk = goes_contiguously(graph, base, self);
    return (provenance_step){walk ? PROVENANCE_WALK : PROVENANCE_RECOVER, n->bases.variables[i],
                             walk && base == self && !bound_difference(graph, self)};
  }
  return (provenance_step){.kind = PROVENANCE_COUNT};
}

void provenance_bounds(provenance *graph, builder *b, MlirValue known, MlirValue *low,
                       MlirValue *high) {
  interval whole = node_bounds(graph, b, find_node(graph, known));
  *low = whole.low;
  *high = whole.high;
}

/* ---- binding and recovery --------------------------------------------------------------- */

void provenance_bind(provenance *graph, MlirValue variable, MlirValue coordinate) {
  node *n = node_of(graph, variable);
  n->bound = true;
  n->coordinate = coordinate;
}

void provenance_unbind(provenance *graph, MlirValue variable) {
  node_of(graph, variable)->bound = false;
}

bool provenance_is_bound(const provenance *graph, MlirValue variable) {
  const node *n = node_of(graph, variable);
  return n && n->bound;
}

bool provenance_is_known(const provenance *graph, MlirValue variable) {
  return node_is_known(graph, node_of(graph, variable));
}

MlirValue provenance_coordinate(provenance *graph, builder *b, MlirValue variable) {
  return node_coordinate(graph, b, find_node(graph, variable));
}

MlirValue both_hold(builder *b, MlirValue x, MlirValue y) {
  if (mlirValueIsNull(x) || mlirValueIsNull(y))
    return mlirValueIsNull(x) ? y : x;
  return and_i(b, x, y);
}

static MlirValue node_guard(provenance *graph, builder *b, int at) {
  MlirValue guard = {NULL};
  const relation *r = consumer_of(graph, &graph->nodes[at]);
  if (graph->nodes[at].bound || !r)
    return guard;
  for (int i = 0; i < r->child_count; ++i)
    guard = both_hold(b, guard, node_guard(graph, b, r->children[i]));
  if (!r->rule->overruns(graph, r))
    return guard;
  MlirValue extent = node_extent(graph, b, at);
  return both_hold(b, guard, less(b, node_coordinate(graph, b, at), extent));
}

MlirValue provenance_guard(provenance *graph, builder *b, MlirValue variable) {
  int at = find_node(graph, variable);
  MlirValue guard = node_guard(graph, b, at);
  guard = both_hold(b, guard, difference_guard(graph, b, at));
  return both_hold(b, guard, provenance_remap_guard(graph, b, variable));
}
