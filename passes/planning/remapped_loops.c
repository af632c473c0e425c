/* The loops of statements on remapped levels (remapped_loops.h). */
#include "remapped_loops.h"

#include "density.h"
#include "extent.h"

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

bool access_has_counter(const access *a) {
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

static MlirAffineExpr subscript_of(const access *a, int d) {
  return remap_canonical(mlirAffineMapGetResult(a->map, d));
}

static bool is_bare(const access *a, int d) {
  return mlirAffineExprIsADim(subscript_of(a, d));
}

/* Whether something that is subtracted, which says what the level is counted from, is of a compound
 * subscript: that goes as far as it reaches, not as the dimension does. */
static bool subtracts_compound(const access *a, MlirAffineExpr expression) {
  remap r;
  if (!remap_of(expression, &r))
    return false;
  for (int n = 0; n < remap_part_count(&r); n++) {
    MlirAffineExpr part = remap_part(&r, n);
    bool subtracted = r.kind == REMAP_LINEAR && remap_term_at(&r, n).factor < 0;
    for (int d = 0; d < a->format->order && subtracted; d++)
      if (is_of(part, d) && !is_bare(a, d))
        return true;
    if (subtracts_compound(a, part))
      return true;
  }
  return false;
}

static MlirAffineExpr dimension_expression(const statement *s, int position) {
  return mlirAffineDimExprGet(mlirOperationGetContext(s->op), position);
}

/* What stands for a dimension in what levels hold: the variable, or what stands for a compound
 * subscript; null where that is none that is known. */
static MlirAffineExpr stands_for(const statement *s, const access *a, int d) {
  MlirAffineExpr subscript = subscript_of(a, d);
  for (int f = 0; f < s->form_count; f++)
    if (mlirAffineExprEqual(s->forms[f], subscript))
      return dimension_expression(s, s->unmapped->variable_count + f);
  return is_bare(a, d) ? subscript : (MlirAffineExpr){NULL};
}

/* Whether a subscript is counted from zero, where it could be from its least too. */
static bool is_value(const statement *s, MlirAffineExpr form) {
  bool noted = false;
  for (int f = 0; f < s->form_count; f++)
    noted |= mlirAffineExprEqual(s->forms[f], form);
  return noted || !remap_is_counted_from_zero(form);
}

/* The expression that a level holds, or is subscripted by, of variables; null where there is none
 * that is known. */
static statement_remap level_remap(const statement *s, const access *a, const access_level *level) {
  MlirAffineExpr expression = level->level->expression;
  if (!mlirAffineExprIsNull(level->form))
    return (statement_remap){level->form, is_value(s, level->form)};
  if (!is_remap(expression) || !keeps_its_least(a, expression) || subtracts_compound(a, expression))
    return none;
  int order = a->format->order;
  MlirAffineExpr *variables = ARENA_ARRAY(s->memory, MlirAffineExpr, order + 1);
  for (int d = 0; d < order; d++) {
    variables[d] = stands_for(s, a, d);
    if (is_of(expression, d) && mlirAffineExprIsNull(variables[d]))
      return none;
  }
  MlirAffineExpr held = remap_replace(expression, order, variables);
  return is_remap(held) ? (statement_remap){held, false} : none;
}

/* What variables and remaps are in the graph of relations: v, or their number after those. */
static int node_of(const statement *s, MlirAffineExpr e, bool is_value) {
  int position = mlirAffineExprIsADim(e) ? (int)mlirAffineDimExprGetPosition(e) : -1;
  if (position >= s->unmapped->variable_count)
    return node_of(s, s->forms[position - s->unmapped->variable_count], true);
  if (position >= 0)
    return position;
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
  if (r.kind == REMAP_COUNTER)
    parts[0] = node_of(to, dimension_expression(to, r.dimension), false);
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

static int remap_total(const statement *to, const statement *s) {
  int count = to->form_count;
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++)
      count += depth_of(s->accesses[i].levels[l].level->expression) +
               is_remapped(&s->accesses[i].levels[l]);
  return count;
}

/* Notes a subscript that is no variable alone; false where it is none that a variable can be. */
static bool take_form(statement *to, MlirAffineExpr subscript) {
  bool noted = mlirAffineExprIsADim(subscript);
  for (int f = 0; f < to->form_count; f++)
    noted |= mlirAffineExprEqual(to->forms[f], subscript);
  if (noted)
    return true;
  to->forms[to->form_count++] = subscript;
  return remap_is_form(subscript) || mlirAffineExprIsAConstant(subscript);
}

/* The compound subscripts of operands whose levels hold expressions. */
static bool take_forms(statement *to, const statement *s) {
  int room = 0;
  to->form_count = 0;
  for (int i = 0; i < s->operand_count; i++)
    room += s->accesses[i].format->order;
  to->forms = ARENA_ARRAY(s->memory, MlirAffineExpr, room + 1);
  for (int i = 0; i < s->operand_count; i++)
    for (int d = 0; access_has_remaps(&s->accesses[i]) && d < s->accesses[i].format->order; d++)
      if (!take_form(to, subscript_of(&s->accesses[i], d)))
        return false;
  return true;
}

/* The compound subscripts of the result are variables of the maps. */
static void take_subscripts(statement *to, const statement *s) {
  remap r;
  variable_set at = s->nests[0].at;
  for (int v = set_first(at); v >= 0; v = set_next(at, v + 1)) {
    remap_of(s->subscripts[v], &r);
    int *parts = ARENA_ARRAY(to->memory, int, r.count + 1);
    for (int n = 0; n < r.count; n++)
      parts[n] = (int)mlirAffineDimExprGetPosition(remap_term_at(&r, n).of);
    relation_add_remap(to->relations, &r, parts, v)->is_value = true;
  }
}

static bool take_remaps(statement *to, const statement *s) {
  to->remap_count = 0;
  to->remaps = ARENA_ARRAY(s->memory, statement_remap, remap_total(to, s) + 1);
  to->relations = relation_graph_create(s->memory);
  for (int v = 0; v < s->variable_count; v++)
    relation_graph_node(to->relations);
  take_subscripts(to, s);
  for (int f = 0; f < to->form_count; f++)
    take_remap(to, &(statement_remap){to->forms[f], true});
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      statement_remap held = level_remap(to, &s->accesses[i], level);
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

/* Those of the variables of the maps, then of what stands for compound subscripts. */
static const char *const *names_of_dimensions(const statement *s) {
  const statement *maps = s->unmapped ? s->unmapped : s;
  int count = maps->variable_count;
  const char **names = ARENA_ARRAY(s->memory, const char *, count + s->form_count + 1);
  memcpy(names, maps->variables, sizeof *names * (size_t)count);
  for (int f = 0; f < s->form_count; f++)
    if (remap_is_form(s->forms[f]) || mlirAffineExprIsAConstant(s->forms[f]))
      names[count + f] = remap_name(s->memory, s->forms[f], names);
  return names;
}

const char *statement_remap_name(const statement *s, MlirAffineExpr e, int count,
                                 const char *const *taken) {
  const statement *maps = s->unmapped ? s->unmapped : s;
  const char *name = remap_name(s->memory, e, names_of_dimensions(s));
  while (is_one_of(maps->variable_count, maps->variables, name) || is_one_of(count, taken, name))
    name = arena_format(s->memory, "%s_", name);
  return name;
}

/* What is a constant subscript of the result is known without a loop. */
static bool is_constant(const statement *s, int variable) {
  MlirAffineExpr by = s->subscripts[variable];
  return !mlirAffineExprIsNull(by) && mlirAffineExprIsAConstant(by);
}

static void add_variable_loop(statement *to, const statement *s, int variable) {
  if (!is_constant(s, variable) && set_is_empty(loops_of(to, variable)))
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

static void add_remap_loop(statement *to, const statement_remap *held) {
  add_loop(to, statement_remap_name(to, held->by, to->variable_count, to->variables),
           (remapped_loop){-1, held->by, held->is_value});
}

static bool add_level_loop(statement *to, const statement *s, const access *a, int l) {
  const access_level *level = &a->levels[l];
  if (!is_remapped(level)) {
    if (level->bare >= 0)
      add_variable_loop(to, s, variable_to_go_over(to, s, level));
    return true;
  }
  statement_remap held = level_remap(to, a, level);
  if (is_none(&held))
    return false;
  if (mlirAffineExprIsAConstant(held.by))
    return true;
  if (!set_is_empty(loops_of(to, node_of_remap(to, &held))))
    return !mlirAffineExprIsNull(level->form);
  add_remap_loop(to, &held);
  return true;
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
static void add_other_loops(statement *to, const access *a) {
  for (int l = 0; l < a->level_count; l++) {
    if (!is_remapped(&a->levels[l]))
      continue;
    statement_remap held = level_remap(to, a, &a->levels[l]);
    if (!mlirAffineExprIsAConstant(held.by) && set_is_empty(loops_of(to, node_of_remap(to, &held))))
      add_remap_loop(to, &held);
  }
}

/* The levels of all operands: each adds one loop at most. */
static int level_total(const statement *s) {
  int count = 0;
  for (int i = 0; i < s->operand_count; i++)
    count += s->accesses[i].level_count;
  return count;
}

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
      add_other_loops(to, &s->accesses[a]);
  for (int v = 0; v < s->variable_count; v++)
    if (choice->walked_first && variable_is_walked(s, v) && !set_has(choice->follow, v))
      add_variable_loop(to, s, v);
  for (int v = 0; v < s->variable_count; v++)
    if (!set_has(choice->follow, v))
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
  level->searched = to->searches && a != statement_result(to) && level->bare < 0;
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

/*--- Padded accesses ---------------------------------------------------------------------------*/

static bool is_padded(const access *a) {
  return !mlirAttributeIsNull(a->pad);
}

/* Whether a level of the access has a loop that goes through a compound subscript, or through what
 * holds it. */
static bool goes_through_form(const statement *to, const access *a, int variable) {
  for (int l = 0; l < a->level_count; l++)
    for (int d = 0; a->levels[l].bare == variable && d < a->format->order; d++)
      if (is_of(a->levels[l].level->expression, d) && !is_bare(a, d))
        return to->loops[variable].variable < 0;
  return false;
}

/* Whether nothing is computed where some access has nothing that a loop goes through. */
static bool loop_is_told(const statement *to, int variable) {
  for (int i = 0; i < to->operand_count; i++)
    for (int l = 0; l < to->accesses[i].level_count; l++)
      if (to->accesses[i].levels[l].bare == variable && nest_skips_absent(to, &to->nests[0], i))
        return true;
  return false;
}

/* A loop through a padded subscript goes as far as dimensions do: what is computed out of range has
 * to be nothing. */
static bool loops_stay_in_range(const statement *to) {
  for (int i = 0; i < to->operand_count; i++)
    for (int v = 0; is_padded(&to->accesses[i]) && v < to->variable_count; v++)
      if (goes_through_form(to, &to->accesses[i], v) && !loop_is_told(to, v))
        return false;
  return true;
}

/* The loops that the result's coordinates follow from, and that do not follow from these. */
static variable_set scattered_loops(const statement *to, const statement *s) {
  relation_knowledge known = relation_knowledge_none(to->relations, NULL);
  variable_set loops = set_empty();
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(statement_result(s)->variables, v))
      relation_know(to->relations, &known, v);
  for (int v = 0; v < to->variable_count; v++)
    if (known.since[node_of_loop(to, v)] < 0)
      set_insert(to->memory, &loops, v);
  return loops;
}

const statement *statement_in_loops(const statement *s, const loop_choice *choice) {
  statement *to = ARENA_ARRAY(s->memory, statement, 1);
  *to = *s;
  to->unmapped = s;
  to->searches = choice->searches;
  if (!take_forms(to, s) || !take_remaps(to, s) || !take_loops(to, s, choice))
    return NULL;
  to->trip_counts = ARENA_ARRAY(s->memory, double, to->variable_count + 1);
  to->accesses = ARENA_ARRAY(s->memory, access, s->operand_count + 1);
  memcpy(to->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  for (int i = 0; i <= s->operand_count; i++)
    remap_access(to, &to->accesses[i]);
  remap_nest(to, s);
  if (statement_scatters(s))
    to->scattered = scattered_loops(to, s);
  return loops_stay_in_range(to) ? to : NULL;
}
