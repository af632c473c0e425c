/* The loops of statements on remapped levels (statement_remap.h). */
#include "statement_remap.h"

#include "density.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "result_format.h"
#include "unordered_access.h"

#include <string.h>

bool access_has_remaps(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].level->dimension < 0)
      return true;
  return false;
}

bool statement_has_remaps(const statement *s) {
  for (int i = 0; i <= s->operand_count; i++)
    if (access_has_remaps(&s->accesses[i]))
      return true;
  return false;
}

static bool is_counter(const format_level *level) {
  return remap_counted(level->expression) >= 0;
}

static bool access_has_counter(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (is_counter(a->levels[l].level))
      return true;
  return false;
}

/*--- What levels hold ---------------------------------------------------------------------------*/

static const statement_remap none = {{NULL}, false};

static bool is_none(const statement_remap *e) {
  return mlirAffineExprIsNull(e->by);
}

static bool is_same(const statement_remap *x, MlirAffineExpr by, bool is_value) {
  return mlirAffineExprEqual(x->by, by) && x->is_value == is_value;
}

/* Whether the coordinate of a level is that of a variable of its own. */
static bool is_remapped(const access_level *level) {
  return level->level->dimension < 0 || !mlirAffineExprIsNull(level->form);
}

static bool is_of(MlirAffineExpr expression, int d) {
  return remap_counted(expression) == d || mlirAffineExprIsFunctionOfDim(expression, d);
}

static bool is_remap(MlirAffineExpr expression) {
  remap r;
  return !mlirAffineExprIsNull(expression) && remap_of(expression, &r);
}

/* Whether two of the dimensions in an expression are subscripted by the same variable. */
static bool repeats_variable(const access *a, MlirAffineExpr expression) {
  for (int d = 0; d < a->format->order; d++)
    for (int e = 0; e < d; e++)
      if (is_of(expression, d) && is_of(expression, e) &&
          mlirAffineExprEqual(mlirAffineMapGetResult(a->map, d), mlirAffineMapGetResult(a->map, e)))
        return true;
  return false;
}

/* Whether what a level holds is the expression in the access's variables.  What is subtracted says
 * what a level is counted from: j - i below 6 from -5, also where i is j, though j - j is not. */
static bool keeps_its_least(const access *a, MlirAffineExpr expression) {
  return !repeats_variable(a, expression) ||
         (remap_is_form(expression) && remap_is_counted_from_zero(expression));
}

/* The expression that a level holds, or is subscripted by, of variables; null where there is none
 * that is known. */
static statement_remap level_remap(const statement *s, const access *a, const access_level *level) {
  MlirAffineExpr expression = level->level->expression;
  if (!mlirAffineExprIsNull(level->form))
    return (statement_remap){level->form, !remap_is_counted_from_zero(level->form)};
  if (!is_remap(expression) || !keeps_its_least(a, expression))
    return none;
  int order = a->format->order;
  MlirAffineExpr *variables = ARENA_ARRAY(s->memory, MlirAffineExpr, order + 1);
  for (int d = 0; d < order; d++) {
    variables[d] = mlirAffineMapGetResult(a->map, d);
    if (is_of(expression, d) && !mlirAffineExprIsADim(variables[d]))
      return none;
  }
  MlirAffineExpr held = remap_replace(expression, order, variables);
  return is_remap(held) ? (statement_remap){held, false} : none;
}

/* What variables and remaps are in the graph of relations: v, or their number after those. */
static int node_of(const statement *s, MlirAffineExpr e, bool is_value) {
  if (mlirAffineExprIsADim(e))
    return (int)mlirAffineDimExprGetPosition(e);
  for (int i = 0; i < s->remap_count; i++)
    if (is_same(&s->remaps[i], e, is_value))
      return s->unmapped->variable_count + i;
  return NO_NODE;
}

static int node_of_remap(const statement *s, const statement_remap *e) {
  return node_of(s, e->by, e->is_value);
}

static void add_remap(statement *to, const statement_remap *e) {
  remap r;
  remap_of(e->by, &r);
  int count = remap_part_count(&r), *parts = ARENA_ARRAY(to->memory, int, count + 1);
  parts[0] = r.dimension;
  for (int n = 0; n < count; n++)
    parts[n] = node_of(to, remap_part(&r, n), false);
  relation *added =
      relation_add_remap(to->relations, &r, parts, relation_graph_node(to->relations));
  added->is_value = e->is_value;
  to->remaps[to->remap_count++] = *e;
}

/* The parts first. */
static void take_remap(statement *to, const statement_remap *e) {
  remap r;
  if (!remap_of(e->by, &r) || node_of_remap(to, e) >= 0)
    return;
  for (int n = 0; n < remap_part_count(&r); n++)
    take_remap(to, &(statement_remap){remap_part(&r, n), false});
  add_remap(to, e);
}

/* The operations of an expression. */
static int depth_of(MlirAffineExpr e) {
  remap r;
  int count = 0;
  if (!remap_of(e, &r))
    return 0;
  for (int n = 0; n < remap_part_count(&r); n++)
    count += depth_of(remap_part(&r, n));
  return count + 1;
}

static int remap_total(const statement *s) {
  int count = 0;
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++)
      count += depth_of(s->accesses[i].levels[l].level->expression) +
               is_remapped(&s->accesses[i].levels[l]);
  return count;
}

static bool take_remaps(statement *to, const statement *s) {
  to->remap_count = 0;
  to->remaps = ARENA_ARRAY(s->memory, statement_remap, remap_total(s) + 1);
  to->relations = relation_graph_create(s->memory);
  for (int v = 0; v < s->variable_count; v++)
    relation_graph_node(to->relations);
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      statement_remap held = level_remap(s, &s->accesses[i], level);
      if (is_remapped(level) && is_none(&held))
        return false;
      if (is_remapped(level))
        take_remap(to, &held);
    }
  return true;
}

/*--- Loops -------------------------------------------------------------------------------------*/

static int loop_over(const statement *to, int variable) {
  for (int v = 0; v < to->variable_count; v++)
    if (to->loops[v].variable == variable)
      return v;
  return -1;
}

static int loop_through(const statement *to, const statement_remap *e) {
  for (int v = 0; v < to->variable_count; v++)
    if (to->loops[v].variable < 0 && is_same(e, to->loops[v].by, to->loops[v].is_value))
      return v;
  return -1;
}

static int node_of_loop(const statement *to, int loop) {
  const remapped_loop *l = &to->loops[loop];
  return l->variable >= 0 ? l->variable : node_of(to, l->by, l->is_value);
}

/* What is known inside of all loops but one. */
static relation_knowledge knowledge_without(const statement *to, int but) {
  relation_knowledge known = relation_knowledge_none(to->relations, NULL);
  for (int v = 0; v < to->variable_count; v++)
    if (v != but)
      relation_know(to->relations, &known, node_of_loop(to, v));
  return known;
}

static variable_set loops_to(const statement *to, const relation_knowledge *known, int node) {
  variable_set loops = set_empty();
  for (int v = 0; v < to->variable_count; v++)
    if (node_of_loop(to, v) == node)
      return set_of(to->memory, v);
  for (int n = 0; known->by[node] && n < known->by[node]->count; n++)
    set_add(to->memory, &loops, loops_to(to, known, known->by[node]->from[n]));
  return loops;
}

/* The loops that a node follows from.  Empty where it does not follow. */
static variable_set loops_of(const statement *to, int node) {
  relation_knowledge known = knowledge_without(to, -1);
  return known.since[node] < 0 ? set_empty() : loops_to(to, &known, node);
}

static void add_loop(statement *to, const char *name, remapped_loop loop) {
  to->variables[to->variable_count] = name;
  to->loops[to->variable_count++] = loop;
}

static bool is_one_of(int count, const char *const *names, const char *name) {
  for (int n = 0; n < count; n++)
    if (!strcmp(names[n], name))
      return true;
  return false;
}

static const char *name_of(const statement *s, MlirAffineExpr e);

/* "j_i", "i_plus_j", "i_x2_plus_j". */
static const char *sum_name(const statement *s, const remap *r) {
  const char *name = "";
  for (int n = 0; n < r->count; n++) {
    remap_term t = remap_term_at(r, n);
    long long factor = t.factor < 0 ? -t.factor : t.factor;
    const char *joint = n == 0 ? "" : t.factor < 0 ? "_" : "_plus_";
    const char *times = factor == 1 ? "" : arena_format(s->memory, "_x%lld", factor);
    name = arena_format(s->memory, "%s%s%s%s", name, joint, name_of(s, t.of), times);
  }
  return r->count > 1 ? name : arena_format(s->memory, "%s_moved", name);
}

static const char *name_of(const statement *s, MlirAffineExpr e) {
  static const char *const words[] = {
      [REMAP_QUOTIENT] = "block", [REMAP_REMAINDER] = "in", [REMAP_COUNTER] = "slot"};
  remap r;
  if (!remap_of(e, &r))
    return s->variables[mlirAffineDimExprGetPosition(e)];
  if (r.kind == REMAP_CONSTANT)
    return arena_format(s->memory, "at_%lld", (long long)r.constant);
  if (r.kind == REMAP_LINEAR)
    return sum_name(s, &r);
  const char *of = r.kind == REMAP_COUNTER ? s->variables[r.dimension] : name_of(s, r.of);
  return arena_format(s->memory, "%s_%s", of, words[r.kind]);
}

const char *statement_remap_name(const statement *s, MlirAffineExpr e, int count,
                                 const char *const *taken) {
  const char *name = name_of(s, e);
  while (is_one_of(s->variable_count, s->variables, name) || is_one_of(count, taken, name))
    name = arena_format(s->memory, "%s_", name);
  return name;
}

static void add_variable_loop(statement *to, const statement *s, int variable) {
  if (set_is_empty(loops_of(to, variable)))
    add_loop(to, s->variables[variable], (remapped_loop){.variable = variable});
}

static bool result_has(const statement *s, int variable) {
  const access *result = statement_result(s);
  for (int l = 0; l < result->level_count; l++)
    if (result->levels[l].bare == variable)
      return true;
  return false;
}

static bool locates_any(const access_level *level) {
  return (level->level->properties & LEVEL_FULL) &&
         (level->level->format->capabilities & LEVEL_LOCATE);
}

static bool all_locate(const statement *s, int variable) {
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++)
      if (s->accesses[i].levels[l].bare == variable && !locates_any(&s->accesses[i].levels[l]))
        return false;
  return true;
}

/* Another variable of the linear form from which, and the form, `variable` follows, that the result
 * has; -1 for none. */
static int other_of_result(const statement *s, MlirAffineExpr by, int variable) {
  remap r;
  if (!remap_of(by, &r) || !remap_solves(by, variable) || r.count != 2)
    return -1;
  for (int n = 0; n < r.count; n++) {
    int other = (int)mlirAffineDimExprGetPosition(remap_part(&r, n));
    if (other != variable && result_has(s, other))
      return other;
  }
  return -1;
}

/* The variable that a loop goes over for a level of `variable`: where a difference or a sum has
 * become known and all levels locate whatever comes, the one of the two that the result has, so
 * that it is gone through in order. */
static int variable_to_go_over(const statement *to, const statement *s, const access_level *level) {
  int variable = level->bare;
  if (variable < 0 || result_has(s, variable) || !all_locate(s, variable))
    return variable;
  for (int v = 0; v < to->variable_count; v++) {
    int other = to->loops[v].variable < 0 ? other_of_result(s, to->loops[v].by, variable) : -1;
    if (other >= 0)
      return other;
  }
  return variable;
}

static void add_remap_loop(statement *to, const statement *s, const statement_remap *held) {
  add_loop(to, statement_remap_name(s, held->by, to->variable_count, to->variables),
           (remapped_loop){-1, held->by, held->is_value});
}

static bool add_level_loop(statement *to, const statement *s, const access *a, int l) {
  const access_level *level = &a->levels[l];
  if (!is_remapped(level)) {
    if (level->bare >= 0)
      add_variable_loop(to, s, variable_to_go_over(to, s, level));
    return true;
  }
  statement_remap held = level_remap(s, a, level);
  if (is_none(&held))
    return false;
  if (mlirAffineExprIsAConstant(held.by))
    return true;
  if (!set_is_empty(loops_of(to, node_of_remap(to, &held))))
    return !mlirAffineExprIsNull(level->form);
  add_remap_loop(to, s, &held);
  return true;
}

/* The operand through which the loops go: the first with a counter, or else with remapped levels;
 * NULL for none. */
static const access *find_driver(const statement *s) {
  const access *driver = NULL;
  for (int i = s->operand_count; i-- > 0;)
    if (access_has_counter(&s->accesses[i]) ||
        (access_has_remaps(&s->accesses[i]) && !(driver && access_has_counter(driver))))
      driver = &s->accesses[i];
  return driver;
}

/* Whether no loop goes over what the others make known, as over a variable for each of its own
 * blocks: what levels hold tells all parts of it. */
static bool loops_tell_apart(const statement *to) {
  for (int v = 0; v < to->variable_count; v++)
    if (knowledge_without(to, v).since[node_of_loop(to, v)] >= 0)
      return false;
  return true;
}

/* Loops for what another operand's levels hold and does not follow yet. */
static void add_other_loops(statement *to, const statement *s, const access *a) {
  for (int l = 0; l < a->level_count; l++) {
    if (!is_remapped(&a->levels[l]))
      continue;
    statement_remap held = level_remap(s, a, &a->levels[l]);
    if (!mlirAffineExprIsAConstant(held.by) && set_is_empty(loops_of(to, node_of_remap(to, &held))))
      add_remap_loop(to, s, &held);
  }
}

/* The levels of all operands: each adds one loop at most. */
static int level_total(const statement *s) {
  int count = 0;
  for (int i = 0; i < s->operand_count; i++)
    count += s->accesses[i].level_count;
  return count;
}

/* Which loops come before others that would follow from the same: those through the driver's
 * outermost levels, unless it is NULL, and then, if wanted, those over what operands are walked
 * along. */
typedef struct loop_choice {
  const access *driver;
  int levels;
  bool walked_first;
} loop_choice;

static bool take_loops(statement *to, const statement *s, const loop_choice *choice) {
  const access *driver = choice->driver;
  to->variable_count = 0;
  int most = s->variable_count + level_total(s);
  to->variables = ARENA_ARRAY(s->memory, const char *, most + 1);
  to->loops = ARENA_ARRAY(s->memory, remapped_loop, most + 1);
  for (int l = 0; driver && l < choice->levels; l++)
    if (!add_level_loop(to, s, driver, l))
      return false;
  for (int a = 0; driver && a < s->operand_count; a++)
    if (&s->accesses[a] != driver)
      add_other_loops(to, s, &s->accesses[a]);
  for (int v = 0; v < s->variable_count; v++)
    if (choice->walked_first && variable_is_walked(s, v))
      add_variable_loop(to, s, v);
  for (int v = 0; v < s->variable_count; v++)
    add_variable_loop(to, s, v);
  return loops_tell_apart(to);
}

/*--- Accesses and nests ------------------------------------------------------------------------*/

static variable_set loops_of_set(const statement *to, variable_set set) {
  variable_set loops = set_empty();
  for (int v = set_first(set); v >= 0; v = set_next(set, v + 1))
    set_add(to->memory, &loops, loops_of(to, v));
  return loops;
}

/* Whether a node goes down where a loop that it follows from goes up, and the others stay. */
static bool descends(const statement *to, const relation_knowledge *known, int node, bool down) {
  const relation_way *way = known->by[node];
  for (int n = 0; way && n < way->count; n++) {
    const relation_rule *rule = way->by->rule;
    bool against = rule->descends && rule->descends(way->by, node, way->from[n]);
    if (descends(to, known, way->from[n], down != against))
      return true;
  }
  return !way && down;
}

static void remap_level(const statement *to, const access *a, access_level *level) {
  int variable = level->bare;
  level->variables = loops_of_set(to, level->variables);
  if (is_remapped(level)) {
    statement_remap held = level_remap(to, a, level);
    level->bare = is_none(&held) ? -1 : loop_through(to, &held);
    level->recovered = !is_none(&held) && mlirAffineExprIsAConstant(held.by);
  } else if (variable >= 0) {
    relation_knowledge known = knowledge_without(to, -1);
    level->bare = loop_over(to, variable);
    level->recovered = level->bare < 0;
    level->descends = level->recovered && descends(to, &known, variable, false);
  }
  if (level->bare >= 0)
    level->variables = set_of(to->memory, level->bare);
}

/* The level as it is below a counter: its coordinates come in no order. */
static const format_level *without_order(const statement *to, const format_level *level) {
  format_level *copy = ARENA_ARRAY(to->memory, format_level, 1);
  *copy = *level;
  copy->properties &= ~(unsigned)LEVEL_ORDERED;
  return copy;
}

static void remap_access(const statement *to, access *a) {
  access_level *levels = ARENA_ARRAY(to->memory, access_level, a->level_count + 1);
  a->variables = loops_of_set(to, a->variables);
  if (a->level_count)
    memcpy(levels, a->levels, sizeof *levels * (size_t)a->level_count);
  a->levels = levels;
  bool counted = false;
  for (int l = 0; l < a->level_count; l++) {
    remap_level(to, a, &levels[l]);
    set_add(to->memory, &a->variables, levels[l].variables);
    if (counted && a != statement_result(to))
      levels[l].level = without_order(to, levels[l].level);
    counted |= is_counter(levels[l].level);
  }
}

/* One nest alone: loops of variables of several would not stand apart. */
static void remap_nest(statement *to, const statement *s) {
  to->nests = ARENA_ARRAY(s->memory, nest, 1);
  to->nests[0] = s->nests[0];
  to->nests[0].own =
      set_union(s->memory, loops_of_set(to, s->nests[0].own), statement_counters(to));
}

/* The statement in the loops chosen; NULL for none. */
static const statement *remapped_in(const statement *s, const loop_choice *choice) {
  statement *to = ARENA_ARRAY(s->memory, statement, 1);
  *to = *s;
  to->unmapped = s;
  if (!take_remaps(to, s) || !take_loops(to, s, choice))
    return NULL;
  to->trip_counts = ARENA_ARRAY(s->memory, double, to->variable_count + 1);
  to->accesses = ARENA_ARRAY(s->memory, access, s->operand_count + 1);
  memcpy(to->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  for (int i = 0; i <= s->operand_count; i++)
    remap_access(to, &to->accesses[i]);
  remap_nest(to, s);
  return to;
}

static const statement *remapped_by(const statement *s, const access *driver, int levels) {
  return remapped_in(s, &(loop_choice){driver, levels, false});
}

/*--- Whether to compute it so ------------------------------------------------------------------*/

/* Whether there is only one coordinate of the level to be looked at: below a level that repeats its
 * coordinates there are as many as it repeats. */
static bool has_one_coordinate(const access *a, int l) {
  return (a->levels[l].level->properties & LEVEL_BRANCHLESS) &&
         (l == 0 || (a->levels[l - 1].level->properties & LEVEL_UNIQUE));
}

/* Whether the coordinate of a level is known only where the levels above it have been reached: not
 * before the last of them that is about a variable that those above it are not about.
 *
 *     A(i,i,k)   (j floordiv 2 : dense, j mod 2 : dense, k : compressed, i : singleton)
 */
static bool comes_in_time(const statement *s, const access *a, int l) {
  variable_set above = set_empty(), last = set_empty();
  for (int m = 0; m < l; m++) {
    variable_set added = set_minus(s->memory, a->levels[m].variables, above);
    last = set_is_empty(added) ? last : added;
    set_add(s->memory, &above, added);
  }
  variable_set own = a->levels[l].variables;
  return set_is_empty(last) || set_meets(own, last) || !set_within(own, above);
}

/* Whether each level is located, or walked along with what the loops go through; to search for a
 * coordinate takes longer, but where there is only one. */
static bool keeps_step(const statement *s, const access *a) {
  for (int l = 0; l < a->level_count; l++) {
    const access_level *level = &a->levels[l];
    bool is_one = level->recovered && has_one_coordinate(a, l) && comes_in_time(s, a, l);
    bool is_found = is_one || access_level_is_searched(level) ||
                    (level->level->format->capabilities & LEVEL_LOCATE);
    if (level->bare < 0 && !is_found)
      return false;
  }
  return true;
}

/* The operands with counters, their number, and the last one. */
static int count_counting(const statement *s, const access **last) {
  int count = 0;
  for (int i = 0; i < s->operand_count; i++)
    if (access_has_counter(&s->accesses[i])) {
      *last = &s->accesses[i];
      count++;
    }
  return count;
}

/* Whether entries of the result can be numbered: each comes once, and where they have the numbers
 * of an operand's, they are those. */
static bool can_number(const statement *s, const access *operand) {
  const access *result = statement_result(s);
  if (!access_has_counter(result))
    return true;
  if (s->nests[0].kind || !tensor_format_builds_by(result->format, CIN_COLLECT))
    return false;
  variable_set counters = statement_counters(s);
  bool numbered_alike = !set_meets(result->variables, counters);
  return numbered_alike || (operand && set_equal(result->variables, operand->variables));
}

/* Whether one operand at most has a counter, its own, and nothing is computed but from its entries:
 * all else would be met once for each value of the counter. */
static bool counts_alone(const statement *s) {
  const access *operand = NULL;
  variable_set counters = statement_counters(s);
  int counting = count_counting(s, &operand);
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(counters, v) && !nest_skips_background(s, &s->nests[0], v))
      return false;
  return can_number(s, operand) && (counting == 0 || (counting == 1 && !set_is_empty(counters)));
}

bool statement_has_loops(const statement *s) {
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  if (!statement_is_supported(s, false) || (s->unmapped && !counts_alone(s)))
    return false;
  for (int i = 0; i < s->operand_count; i++)
    if (!keeps_step(s, &s->accesses[i]))
      return false;
  return iteration_graph_order(iteration_graph_create(s, true), order);
}

bool statement_is_direct(const statement *s) {
  for (int i = 0; i < s->operand_count; i++)
    if (access_sorting_reason(s, i))
      return false;
  return statement_has_loops(s);
}

bool statement_is_walked(const statement *s) {
  return statement_is_direct(s) || (set_is_empty(statement_counters(s)) && statement_has_loops(s));
}

MlirType access_plain_type(arena *memory, const access *a) {
  int order = a->format->order, *dimensions = ARENA_ARRAY(memory, int, order + 1);
  for (int d = 0; d < order; d++)
    dimensions[d] = d;
  if (!mlirValueIsNull(a->operand) && access_needs_location(a))
    return type_to_locate(memory, a);
  return coordinate_list_type(memory, a->type, dimensions, NULL, NULL, false);
}

/*--- Subscripts that are variables --------------------------------------------------------------*/

/* What the coordinate of a level is, if it is a linear form of more than a variable that can only
 * be walked to; else null. */
static MlirAffineExpr form_of(const access *a, const access_level *level) {
  MlirAffineExpr form = {NULL};
  bool is_known = level->level->dimension < 0 || level->bare >= 0 ||
                  access_level_is_searched(level) ||
                  (level->level->format->capabilities & LEVEL_LOCATE);
  if (!is_known)
    form = remap_canonical(mlirAffineMapGetResult(a->map, level->level->dimension));
  return is_known || !remap_is_form(form) ? (MlirAffineExpr){NULL} : form;
}

/* The statement with those subscripts noted as variables; NULL where there are none. */
static const statement *with_forms(const statement *s) {
  statement *noted = ARENA_ARRAY(s->memory, statement, 1);
  bool any = false;
  *noted = *s;
  noted->accesses = ARENA_ARRAY(s->memory, access, s->operand_count + 1);
  memcpy(noted->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  for (int i = 0; i < s->operand_count; i++) {
    access *a = &noted->accesses[i];
    access_level *levels = ARENA_ARRAY(s->memory, access_level, a->level_count + 1);
    for (int l = 0; l < a->level_count; l++) {
      levels[l] = a->levels[l];
      levels[l].form = form_of(a, &a->levels[l]);
      any |= !mlirAffineExprIsNull(levels[l].form);
    }
    a->levels = levels;
  }
  return any ? noted : NULL;
}

/* Whether loops through subscripts go where entries are: all that is between them would be gone
 * through for nothing. */
static bool goes_by_entries(const statement *s) {
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      if (!mlirAffineExprIsNull(level->form) &&
          (level->bare < 0 || !nest_skips_background(s, &s->nests[0], level->bare)))
        return false;
    }
  return true;
}

typedef struct best_loops {
  const statement *s;
  double cost;
} best_loops;

static void keep_cheaper(best_loops *best, const statement *s) {
  if (!s || !statement_is_direct(s) || !goes_by_entries(s))
    return;
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  iteration_graph_order(iteration_graph_create(s, true), order);
  double cost = loop_cost(s, order);
  if (!best->s || cost < best->cost * (1 - 1e-9))
    *best = (best_loops){s, cost};
}

static void try_driver(best_loops *best, const statement *s, const access *driver, int levels) {
  for (int walked_first = 0; walked_first < 2; walked_first++)
    keep_cheaper(best, remapped_in(s, &(loop_choice){driver, levels, walked_first}));
}

/* Which variables of i + k = s have loops is chosen by what these cost: s, through the entries, and
 * one of i and k. */
const statement *statement_in_forms(const statement *s, int levels) {
  const statement *noted =
      s->nest_count > 1 || op_has(s->op, "order") || s->unmapped ? NULL : with_forms(s);
  best_loops best = {NULL, 0};
  if (noted && levels)
    try_driver(&best, noted, statement_result(noted), levels);
  for (int a = 0; noted && !levels && a < s->operand_count; a++)
    try_driver(&best, noted, &noted->accesses[a], noted->accesses[a].level_count);
  return best.s;
}

/*--- Public -------------------------------------------------------------------------------------*/

/* By the first operand with remapped levels; where that is not direct, by another one, the levels
 * of which are walked and what others hold of its variables located:
 *
 *     C(i,l) = A(i,j) * B(j,l), A by rows, B in blocks    loops i, j, lb, lr: B at j floordiv 4
 */
const statement *statement_remapped(const statement *s) {
  const statement *in_forms = statement_in_forms(s, 0);
  if (in_forms || !statement_has_remaps(s))
    return in_forms ? in_forms : s;
  if (s->nest_count > 1)
    return NULL;
  const access *driver = find_driver(s);
  const statement *first = remapped_by(s, driver, driver ? driver->level_count : 0), *other;
  if (!driver || (first && statement_is_walked(first)))
    return first;
  for (int a = 0; a < s->operand_count; a++) {
    const access *tells = &s->accesses[a];
    other =
        tells != driver && tells->level_count ? remapped_by(s, tells, tells->level_count) : NULL;
    if (other && statement_is_direct(other))
      return other;
  }
  return first;
}

const statement *statement_remapped_below(const statement *s, int levels) {
  const statement *in_forms = levels ? statement_in_forms(s, levels) : NULL;
  if (in_forms)
    return in_forms;
  if (!levels || !statement_has_remaps(s))
    return statement_remapped(s);
  return remapped_by(s, statement_result(s), levels);
}

bool statement_reorders(arena *memory, MlirOperation op) {
  const tensor_format *format = tensor_format_get(
      memory, mlirValueGetType(mlirOperationGetResult(op, 0)), mlirOperationGetLocation(op));
  if (!format || !tensor_format_builds_by(format, CIN_RECORD))
    return false;
  result_set_recorded(op, true);
  const statement *s = statement_create(memory, op);
  s = s ? statement_remapped(s) : NULL;
  bool direct = s && statement_is_direct(s);
  result_set_recorded(op, direct);
  return direct;
}
