/* The loops of statements on remapped levels (statement_remap.h). */
#include "statement_remap.h"

#include "density.h"
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

/* The variable that dimension `d` of the access is subscripted by, or -1. */
static int subscript_of(const access *a, int d) {
  MlirAffineExpr subscript = mlirAffineMapGetResult(a->map, d);
  return mlirAffineExprIsADim(subscript) ? (int)mlirAffineDimExprGetPosition(subscript) : -1;
}

/* The expression that a level holds, of variables; false where there is none that is known. */
static bool level_remap(const access *a, const format_level *level, remap *r) {
  if (!remap_of(level->expression, r))
    return false;
  r->dimension = subscript_of(a, r->dimension);
  if (r->other < 0)
    return r->dimension >= 0;
  r->other = subscript_of(a, r->other);
  return r->dimension >= 0 && r->other >= 0 && r->dimension != r->other;
}

static bool take_remap(statement *to, const remap *r) {
  for (int i = 0; i < to->remap_count; i++)
    if (remap_equal(&to->remaps[i], r))
      return true;
  to->remaps[to->remap_count++] = *r;
  return true;
}

static int level_total(const statement *s) {
  int count = 0;
  for (int i = 0; i <= s->operand_count; i++)
    count += s->accesses[i].level_count;
  return count;
}

static bool take_remaps(statement *to, const statement *s) {
  to->remaps = ARENA_ARRAY(s->memory, remap, level_total(s) + 1);
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const format_level *level = s->accesses[i].levels[l].level;
      remap r;
      if (level->dimension < 0 && (!level_remap(&s->accesses[i], level, &r) || !take_remap(to, &r)))
        return false;
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

static int loop_through(const statement *to, const remap *r) {
  for (int v = 0; v < to->variable_count; v++)
    if (to->loops[v].variable < 0 && remap_equal(&to->loops[v].by, r))
      return v;
  return -1;
}

/* The loops that a variable follows from: its own, those through its quotient and its remainder,
 * or through a difference or a sum and over the other variable.  Empty where it does not follow. */
static variable_set loops_of(const statement *to, int variable) {
  int own = loop_over(to, variable);
  if (own >= 0)
    return set_of(own);
  for (int v = 0; v < to->variable_count; v++) {
    remap by = to->loops[v].by;
    if (to->loops[v].variable >= 0 || by.kind == REMAP_REMAINDER)
      continue;
    int other = -1;
    if (by.kind == REMAP_QUOTIENT && by.dimension == variable) {
      by.kind = REMAP_REMAINDER;
      other = loop_through(to, &by);
    } else if (remap_is_diagonal(&by) && (by.dimension == variable || by.other == variable)) {
      other = loop_over(to, by.dimension == variable ? by.other : by.dimension);
    }
    if (other >= 0)
      return set_of(v) | set_of(other);
  }
  return 0;
}

static bool add_loop(statement *to, const char *name, remapped_loop loop) {
  if (to->variable_count == VARIABLE_LIMIT)
    return false;
  to->variables[to->variable_count] = name;
  to->loops[to->variable_count++] = loop;
  return true;
}

static bool is_one_of(int count, const char *const *names, const char *name) {
  for (int n = 0; n < count; n++)
    if (!strcmp(names[n], name))
      return true;
  return false;
}

const char *statement_remap_name(const statement *s, const remap *r, int count,
                                 const char *const *taken) {
  const char *name = s->variables[r->dimension];
  static const char *const words[] = {
      [REMAP_QUOTIENT] = "block", [REMAP_REMAINDER] = "in", [REMAP_COUNTER] = "slot"};
  const char *joint = r->kind == REMAP_SUM ? "_plus_" : "_";
  const char *word = r->other >= 0 ? s->variables[r->other] : words[r->kind];
  name = arena_format(s->memory, "%s%s%s", name, joint, word);
  while (is_one_of(s->variable_count, s->variables, name) || is_one_of(count, taken, name))
    name = arena_format(s->memory, "%s_", name);
  return name;
}

static bool add_variable_loop(statement *to, const statement *s, int variable) {
  return loops_of(to, variable) ||
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

/* The variable that a loop goes over for a level of `variable`: where a difference or a sum has
 * become known and all levels locate whatever comes, the one of the two that the result has, so
 * that it is gone through in order. */
static int variable_to_go_over(const statement *to, const statement *s, const access_level *level) {
  int variable = level->bare;
  if (variable < 0 || result_has(s, variable) || !all_locate(s, variable))
    return variable;
  for (int v = 0; v < to->variable_count; v++) {
    const remap *by = &to->loops[v].by;
    if (to->loops[v].variable >= 0 || !remap_is_diagonal(by))
      continue;
    int other = by->dimension == variable ? by->other : by->other == variable ? by->dimension : -1;
    if (other >= 0 && result_has(s, other))
      return other;
  }
  return variable;
}

static bool add_level_loop(statement *to, const statement *s, const access *a, int l) {
  const access_level *level = &a->levels[l];
  remap r;
  if (level->level->dimension >= 0)
    return level->bare < 0 || add_variable_loop(to, s, variable_to_go_over(to, s, level));
  if (!level_remap(a, level->level, &r))
    return false;
  bool follows = r.kind != REMAP_COUNTER && loops_of(to, r.dimension) &&
                 (r.other < 0 || loops_of(to, r.other));
  return !follows && loop_through(to, &r) < 0 &&
         add_loop(to, statement_remap_name(s, &r, to->variable_count, to->variables),
                  (remapped_loop){.variable = -1, .by = r});
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

/* Whether no loop goes over a variable for each of its own blocks: the levels of the driver hold
 * all parts of it. */
static bool loops_tell_apart(const statement *to) {
  for (int v = 0; v < to->variable_count; v++) {
    const remapped_loop *loop = &to->loops[v];
    if (loop->variable < 0 && loop->by.kind != REMAP_COUNTER &&
        loop_over(to, loop->by.dimension) >= 0 &&
        (loop->by.other < 0 || loop_over(to, loop->by.other) >= 0))
      return false;
  }
  return true;
}

static bool take_loops(statement *to, const statement *s) {
  const access *driver = find_driver(s);
  to->variable_count = 0;
  to->variables = ARENA_ARRAY(s->memory, const char *, VARIABLE_LIMIT);
  to->loops = ARENA_ARRAY(s->memory, remapped_loop, VARIABLE_LIMIT);
  for (int l = 0; driver && l < driver->level_count; l++)
    if (!add_level_loop(to, s, driver, l))
      return false;
  for (int v = 0; v < s->variable_count; v++)
    if (!add_variable_loop(to, s, v))
      return false;
  return loops_tell_apart(to);
}

/*--- Accesses and nests ------------------------------------------------------------------------*/

static variable_set loops_of_set(const statement *to, variable_set set) {
  variable_set loops = 0;
  for (int v = 0; v < VARIABLE_LIMIT; v++)
    if (set_has(set, v))
      loops |= loops_of(to, v);
  return loops;
}

static void remap_level(const statement *to, const access *a, access_level *level) {
  remap r;
  level->variables = loops_of_set(to, level->variables);
  if (level->level->dimension < 0) {
    level->bare = level_remap(a, level->level, &r) ? loop_through(to, &r) : -1;
  } else if (level->bare >= 0) {
    level->bare = loop_over(to, level->bare);
    level->recovered = level->bare < 0;
  }
  if (level->bare >= 0)
    level->variables = set_of(level->bare);
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
    a->variables |= levels[l].variables;
    if (counted && a != statement_result(to))
      levels[l].level = without_order(to, levels[l].level);
    counted |= is_counter(levels[l].level);
  }
}

/* One nest alone: loops of variables of several would not stand apart. */
static void remap_nest(statement *to, const statement *s) {
  to->nests = ARENA_ARRAY(s->memory, nest, 1);
  to->nests[0] = s->nests[0];
  to->nests[0].own = loops_of_set(to, s->nests[0].own) | statement_counters(to);
}

const statement *statement_remapped(const statement *s) {
  if (!statement_has_remaps(s))
    return s;
  statement *to = ARENA_ARRAY(s->memory, statement, 1);
  *to = *s;
  to->unmapped = s;
  if (s->nest_count > 1 || !take_remaps(to, s) || !take_loops(to, s))
    return NULL;
  to->trip_counts = ARENA_ARRAY(s->memory, double, to->variable_count + 1);
  to->accesses = ARENA_ARRAY(s->memory, access, s->operand_count + 1);
  memcpy(to->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  for (int i = 0; i <= s->operand_count; i++)
    remap_access(to, &to->accesses[i]);
  remap_nest(to, s);
  return to;
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
static bool comes_in_time(const access *a, int l) {
  variable_set above = 0, last = 0;
  for (int m = 0; m < l; m++) {
    variable_set added = a->levels[m].variables & ~above;
    last = added ? added : last;
    above |= added;
  }
  return !last || a->levels[l].variables & (last | ~above);
}

/* Whether each level is located, or walked along with what the loops go through; to search for a
 * coordinate takes longer, but where there is only one. */
static bool keeps_step(const access *a) {
  for (int l = 0; l < a->level_count; l++) {
    const access_level *level = &a->levels[l];
    bool is_one = level->recovered && has_one_coordinate(a, l) && comes_in_time(a, l);
    if (level->bare < 0 && !is_one && !(level->level->format->capabilities & LEVEL_LOCATE))
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
  if (s->nests[0].kind || !tensor_format_can_collect(result->format))
    return false;
  variable_set counters = statement_counters(s);
  bool numbered_alike = !(result->variables & counters);
  return numbered_alike || (operand && result->variables == operand->variables);
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
  return can_number(s, operand) && (counting == 0 || (counting == 1 && counters));
}

bool statement_has_loops(const statement *s) {
  int order[VARIABLE_LIMIT];
  if (!statement_is_supported(s, false) || (s->unmapped && !counts_alone(s)))
    return false;
  for (int i = 0; i < s->operand_count; i++)
    if (!keeps_step(&s->accesses[i]))
      return false;
  return iteration_graph_order(iteration_graph_create(s, true), order);
}

bool statement_is_direct(const statement *s) {
  for (int i = 0; i < s->operand_count; i++)
    if (access_sorting_reason(s, i))
      return false;
  return statement_has_loops(s);
}

bool statement_reorders(arena *memory, MlirOperation op) {
  const tensor_format *format = tensor_format_get(
      memory, mlirValueGetType(mlirOperationGetResult(op, 0)), mlirOperationGetLocation(op));
  if (!format || !tensor_format_reorders(format))
    return false;
  result_set_reordered(op, true);
  const statement *s = statement_create(memory, op);
  s = s ? statement_remapped(s) : NULL;
  bool direct = s && statement_is_direct(s);
  result_set_reordered(op, direct);
  return direct;
}
