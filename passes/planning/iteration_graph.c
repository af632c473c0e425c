/* The iteration graph: edges from levels, and the orders that agree with them
 * (iteration_graph.h). */
#include "iteration_graph.h"

#include "extent.h"
#include "result_format.h"

#include <string.h>

enum { ENUMERATION_LIMIT = 7, MOST_MOVES = 1000 };

/*--- Edges -------------------------------------------------------------------------------------*/

static bool has_edge(const iteration_graph *g, int from, int to, int access_number) {
  for (int e = 0; e < g->edge_count; e++)
    if (g->edges[e].from == from && g->edges[e].to == to && g->edges[e].access == access_number)
      return true;
  return false;
}

static void add_edge(iteration_graph *g, int from, int to, int access_number, const char *reason) {
  if (from == to || has_edge(g, from, to, access_number))
    return;
  if (g->edge_count == g->edge_room) {
    int room = g->edge_room ? 2 * g->edge_room : 16;
    iteration_edge *larger = ARENA_ARRAY(g->statement->memory, iteration_edge, room);
    if (g->edge_count)
      memcpy(larger, g->edges, sizeof *larger * (size_t)g->edge_count);
    g->edges = larger;
    g->edge_room = room;
  }
  g->edges[g->edge_count++] =
      (iteration_edge){.from = from, .to = to, .access = access_number, .reason = reason};
  set_insert(g->statement->memory, &g->before[to], from);
}

static void add_edges(iteration_graph *g, variable_set from, variable_set to, int access_number,
                      const char *reason) {
  for (int u = set_first(from); u >= 0; u = set_next(from, u + 1))
    for (int v = set_first(to); v >= 0; v = set_next(to, v + 1))
      add_edge(g, u, v, access_number, reason);
}

static bool can(const access_level *level, unsigned capability) {
  return level->level->format->capabilities & capability;
}

static bool others_walk(const statement *s, int number, int variable) {
  for (int a = 0; a < s->operand_count; a++)
    for (int l = 0; a != number && l < s->accesses[a].level_count; l++) {
      const access_level *level = &s->accesses[a].levels[l];
      if (level->bare == variable && level_is_walked(level))
        return true;
    }
  return false;
}

/* Whether the levels above must be known: to walk it, as it cannot locate and is not looked through
 * for a coordinate that is known, or nothing else tells its coordinates, as one of those above that
 * needs its variable would. */
static bool is_reached_from_above(const statement *s, int number, int l,
                                  variable_set needed_above) {
  const access_level *level = &s->accesses[number].levels[l];
  if (level->recovered || access_level_is_searched(&s->accesses[number], l))
    return false;
  return !can(level, LEVEL_LOCATE) ||
         (level->bare >= 0 && level_is_walked(level) && !set_has(needed_above, level->bare) &&
          !others_walk(s, number, level->bare));
}

static void add_operand_edges(iteration_graph *g, int number) {
  const access *a = &g->statement->accesses[number];
  arena *memory = g->statement->memory;
  variable_set above = set_empty(), needed = set_empty();
  for (int l = 0; l < a->level_count; l++) {
    const access_level *level = &a->levels[l];
    if (is_reached_from_above(g->statement, number, l, needed))
      add_edges(g, above, level->variables, number, a->name);
    set_add(memory, &above, level->variables);
    if (level->bare < 0)
      set_add(memory, &needed, level->variables);
  }
}

/* The counters along which a statement that reduces nothing meets other entries. */
static variable_set listed_counters(const statement *s) {
  return s->nests[0].kind ? set_empty() : statement_counters(s);
}

static bool is_block_around(const statement *s, int outer, int inner) {
  return s->loops[outer].variable < 0 && s->loops[inner].variable < 0 &&
         remap_is_digit_above(s->loops[outer].by, s->loops[inner].by);
}

/* Coordinates of a level that holds a whole dimension ascend where loops go through blocks of it
 * and then through what is in a block. */
static void add_block_edges(iteration_graph *g, const access_level *level, const access *a) {
  const statement *s = g->statement;
  for (int u = 0; u < s->variable_count && s->loops; u++)
    for (int v = 0; v < s->variable_count; v++)
      if (set_has(level->variables, u) && set_has(level->variables, v) && is_block_around(s, u, v))
        add_edge(g, u, v, s->operand_count, a->name);
}

/* The variables of the levels that must be known before level `l`. */
static variable_set known_before(const statement *s, const assembly *a, int l) {
  const access *result = statement_result(s);
  variable_set set = set_empty();
  for (int above = 0; above < l; above++)
    if (assembly_is_before(a, above, l))
      set_add(s->memory, &set, result->levels[above].variables);
  return set;
}

/* What the way to assemble the result asks of the loops over its levels' variables. */
static void add_result_edges(iteration_graph *g, const assembly *a) {
  const statement *s = g->statement;
  const access *result = statement_result(s);
  for (int l = 0; l < result->level_count; l++) {
    const access_level *level = &result->levels[l];
    variable_set own = level->variables, above = known_before(s, a, l);
    add_edges(g, above, level->bare < 0 ? set_minus(s->memory, own, above) : own, s->operand_count,
              result->name);
    if (assembly_is_met_once(a, l))
      add_edges(g, own, listed_counters(s), s->operand_count, result->name);
    if (assembly_ascends(a, l))
      add_block_edges(g, level, result);
    if (assembly_is_outside(a, l))
      add_edges(g, own, statement_root_reductions(s), s->operand_count, result->name);
  }
}

/* The graph with the result assembled in this way; NULL: without what accesses ask for. */
static iteration_graph *create(const statement *s, const assembly *a) {
  iteration_graph *g = ARENA_ARRAY(s->memory, iteration_graph, 1);
  g->statement = s;
  g->before = ARENA_ARRAY(s->memory, variable_set, s->variable_count + 1);
  for (int n = 1; n < s->nest_count; n++)
    add_edges(g, s->nests[n].outer, s->nests[n].own, -1, "a nested reduction");
  if (!a)
    return g;
  add_result_edges(g, a);
  for (int n = 0; n < s->nest_count; n++)
    for (int i = 0; i < s->nests[n].access_count; i++)
      add_operand_edges(g, s->nests[n].accesses[i]);
  return g;
}

static bool levels_are_bare(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].bare < 0)
      return false;
  return true;
}

/* Whether the loops of the statement may go for this way: what is appended may be gathered before,
 * and what is scattered is told by its levels' own variables, or by any. */
static bool is_planned(const access *result, const assembly *a) {
  if (a->way == ASSEMBLY_SCATTER)
    return levels_are_bare(result) || access_takes_any_order(result, a);
  return a->way != ASSEMBLY_APPEND;
}

iteration_graph *iteration_graph_create(const statement *s, bool with_accesses) {
  assembly_list list = statement_assemblies(s);
  iteration_graph *first = with_accesses ? NULL : create(s, NULL), **last = &first;
  for (int i = 0; with_accesses && i < list.count; i++)
    if (is_planned(statement_result(s), &list.ways[i])) {
      *last = create(s, &list.ways[i]);
      last = &(*last)->other;
    }
  return first;
}

static bool edges_contradict(const iteration_graph *g, int access_number, const int *order) {
  int *place = ARENA_ARRAY(g->statement->memory, int, g->statement->variable_count + 1);
  for (int i = 0; i < g->statement->variable_count; i++)
    place[order[i]] = i;
  for (int e = 0; e < g->edge_count; e++)
    if (g->edges[e].access == access_number && place[g->edges[e].from] > place[g->edges[e].to])
      return true;
  return false;
}

bool access_contradicts(const iteration_graph *g, int access_number, const int *order) {
  for (; g; g = g->other)
    if (!edges_contradict(g, access_number, order))
      return false;
  return true;
}

bool order_scatters(const statement *s, const int *order) {
  if (result_is_recorded(s->op))
    return true;
  const iteration_graph *g = iteration_graph_create(s, true);
  return g->other && edges_contradict(g, s->operand_count, order) &&
         !access_contradicts(g->other, s->operand_count, order);
}

/*--- Orders ------------------------------------------------------------------------------------*/

static int *room_for_order(const statement *s) {
  return ARENA_ARRAY(s->memory, int, s->variable_count + 1);
}

bool iteration_graph_permits(const iteration_graph *g, const int *order) {
  if (g->other && iteration_graph_permits(g->other, order))
    return true;
  variable_set bound = set_empty();
  for (int i = 0; i < g->statement->variable_count; i++) {
    if (!set_within(g->before[order[i]], bound))
      return false;
    set_insert(g->statement->memory, &bound, order[i]);
  }
  return true;
}

static void take_in_turn(const statement *s, const access *a, variable_set *taken, int *order,
                         int *count) {
  for (int l = 0; l < a->level_count; l++)
    for (int v = 0; v < s->variable_count; v++)
      if (set_has(a->levels[l].variables, v) && !set_has(*taken, v)) {
        order[(*count)++] = v;
        set_insert(s->memory, taken, v);
      }
}

/* The variables in the order of the result's levels, then of the operands', one after the other:
 * what they are called says nothing. */
static void natural_order(const statement *s, int *order) {
  variable_set taken = set_empty();
  int count = 0;
  take_in_turn(s, statement_result(s), &taken, order, &count);
  for (int a = 0; a < s->operand_count; a++)
    take_in_turn(s, &s->accesses[a], &taken, order, &count);
  for (int v = 0; v < s->variable_count; v++)
    if (!set_has(taken, v))
      order[count++] = v;
}

bool iteration_graph_order_from(const iteration_graph *g, const int *natural, int *order) {
  int count = g->statement->variable_count;
  variable_set bound = set_empty();
  for (int i = 0; i < count; i++) {
    int n = 0;
    while (n < count && (set_has(bound, natural[n]) || !set_within(g->before[natural[n]], bound)))
      n++;
    if (n == count)
      return false;
    order[i] = natural[n];
    set_insert(g->statement->memory, &bound, natural[n]);
  }
  return true;
}

typedef struct enumeration {
  const iteration_graph *g;
  order_visitor *visit;
  void *data;
  int *natural, *order;
} enumeration;

static bool enumerate(enumeration *e, int depth, variable_set bound) {
  arena *memory = e->g->statement->memory;
  int count = e->g->statement->variable_count;
  if (depth == count)
    return e->visit(e->order, e->data);
  for (int n = 0; n < count; n++) {
    int v = e->natural[n];
    if (set_has(bound, v) || !set_within(e->g->before[v], bound))
      continue;
    e->order[depth] = v;
    if (!enumerate(e, depth + 1, set_union(memory, bound, set_of(memory, v))))
      return false;
  }
  return true;
}

void iteration_graph_visit_orders(const iteration_graph *g, order_visitor *visit, void *data) {
  enumeration e = {.g = g,
                   .visit = visit,
                   .data = data,
                   .natural = room_for_order(g->statement),
                   .order = room_for_order(g->statement)};
  natural_order(g->statement, e.natural);
  enumerate(&e, 0, set_empty());
}

bool iteration_graph_is_small(const iteration_graph *g) {
  return g->statement->variable_count <= ENUMERATION_LIMIT;
}

/* a b c d e with the element at `from` moved to `to`: 3 to 1 gives a d b c e. */
static void move(const int *order, int count, int from, int to, int *moved) {
  int at = 0;
  for (int i = 0; i < count; i++) {
    if (at == to)
      moved[at++] = order[from];
    if (i != from)
      moved[at++] = order[i];
  }
  if (at == to)
    moved[at] = order[from];
}

/* Orders that are being made cheaper, and how many more may be looked at. */
typedef struct descent {
  const iteration_graph *g;
  order_cost *cost;
  void *data;
  double least;
  int moves_left;
  int *moved; /* room for an order */
} descent;

static bool is_cheaper(descent *d, const int *order) {
  if (!iteration_graph_permits(d->g, order))
    return false;
  d->moves_left--;
  double found = d->cost(order, d->data);
  bool cheaper = found < d->least * (1 - 1e-9);
  d->least = cheaper ? found : d->least;
  return cheaper;
}

/* How many orders may be looked at on the way down from one: of many variables there are many
 * starts, and each look takes longer. */
static int most_moves(const statement *s) {
  enum { MANY_VARIABLES = 16 };
  if (s->variable_count <= MANY_VARIABLES)
    return MOST_MOVES;
  return MOST_MOVES * MANY_VARIABLES / (s->variable_count * (s->operand_count + 1));
}

/* One round: whether moving some variable made the order cheaper. */
static bool descend(descent *d, int *order) {
  int count = d->g->statement->variable_count;
  bool better = false;
  for (int from = 0; from < count; from++)
    for (int to = 0; to < count && d->moves_left; to++) {
      move(order, count, from, to, d->moved);
      if (to != from && is_cheaper(d, d->moved)) {
        memcpy(order, d->moved, sizeof *order * (size_t)count);
        better = true;
      }
    }
  return better;
}

void iteration_graph_improve(const iteration_graph *g, int *order, order_cost *cost, void *data) {
  descent d = {
      g, cost, data, cost(order, data), most_moves(g->statement), room_for_order(g->statement)};
  while (d.moves_left && descend(&d, order))
    ;
}

void iteration_graph_visit_starts(const iteration_graph *g, order_visitor *visit, void *data) {
  const statement *s = g->statement;
  int *natural = room_for_order(s), *order = room_for_order(s), *wish = room_for_order(s);
  natural_order(s, natural);
  for (int a = 0; a <= s->operand_count; a++) {
    variable_set taken = set_empty();
    int count = 0;
    take_in_turn(s, &s->accesses[s->operand_count - a], &taken, wish, &count);
    for (int n = 0; n < s->variable_count; n++)
      if (!set_has(taken, natural[n]))
        wish[count++] = natural[n];
    if (iteration_graph_order_from(g, wish, order) && !visit(order, data))
      return;
  }
}

typedef struct best_order {
  const statement *s;
  const iteration_graph *g;
  int *order;
  double cost;
  bool found;
} best_order;

static bool keep_best(const int *order, void *data) {
  best_order *best = data;
  double cost = loop_cost(best->s, order);
  if (best->found && cost >= best->cost * (1 - 1e-9))
    return true;
  best->found = true;
  best->cost = cost;
  memcpy(best->order, order, sizeof *order * (size_t)best->s->variable_count);
  return true;
}

static double cost_of(const int *order, void *data) {
  best_order *best = data;
  return loop_cost(best->s, order);
}

static bool improve_and_keep(const int *order, void *data) {
  best_order *best = data;
  int *improved = room_for_order(best->s);
  memcpy(improved, order, sizeof *order * (size_t)best->s->variable_count);
  iteration_graph_improve(best->g, improved, cost_of, data);
  return keep_best(improved, data);
}

bool iteration_graph_order(const iteration_graph *g, int *order) {
  best_order best = {.s = g->statement, .order = order};
  for (; g; g = g->other) {
    best.g = g;
    if (iteration_graph_is_small(g))
      iteration_graph_visit_orders(g, keep_best, &best);
    else
      iteration_graph_visit_starts(g, improve_and_keep, &best);
  }
  return best.found;
}

/*--- Cycles ------------------------------------------------------------------------------------*/

static const iteration_edge *edge_into(const iteration_graph *g, int to, variable_set among) {
  for (int e = 0; e < g->edge_count; e++)
    if (g->edges[e].to == to && set_has(among, g->edges[e].from))
      return &g->edges[e];
  return NULL;
}

/* The variables that no order can place: each has a predecessor among them. */
static variable_set unplaceable(const iteration_graph *g) {
  int count = g->statement->variable_count;
  variable_set left = statement_variables(g->statement);
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < count; v++)
      if (set_has(left, v) && !set_meets(g->before[v], left)) {
        set_remove(g->statement->memory, &left, v);
        changed = true;
      }
  }
  return left;
}

char *iteration_graph_cycle(const iteration_graph *g) {
  const statement *s = g->statement;
  variable_set left = unplaceable(g), seen = set_empty();
  if (set_is_empty(left))
    return arena_format(s->memory, "%s", "");
  int v = set_first(left);
  for (; !set_has(seen, v); v = edge_into(g, v, left)->from)
    set_insert(s->memory, &seen, v);
  const char *text = "";
  int at = v;
  do {
    const iteration_edge *e = edge_into(g, at, left);
    text = arena_format(s->memory, " -> %s (%s)%s", s->variables[e->to], e->reason, text);
    at = e->from;
  } while (at != v);
  return arena_format(s->memory, "%s%s", s->variables[v], text);
}
