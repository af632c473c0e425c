/* Which operands are brought in order, and what that costs (unordered_access.h). */
#include "unordered_access.h"

#include "algebra.h"
#include "density.h"
#include "extent.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "level_entries.h"
#include "result_format.h"
#include "tin.h"
#include "tin_ops.h"

#include <math.h>
#include <string.h>

static bool is_ordered(const access_level *level) {
  return level->level->properties & LEVEL_ORDERED;
}

static bool is_unique(const access_level *level) {
  return level->level->properties & LEVEL_UNIQUE;
}

/* Whether no entry is there twice: its last level is unique, below levels that have each coordinate
 * once or one entry under each. */
static bool last_is_unique(const access *a) {
  if (tensor_format_repeats_branches(a->format))
    return false;
  return a->level_count == 0 || is_unique(&a->levels[a->level_count - 1]);
}

/* The nest whose loop over the variable walks the operand: that of its term, or one around it. */
static const nest *walking_nest(const statement *s, int access_number, int variable) {
  for (int n = 0; n < s->nest_count; n++)
    for (int i = 0; i < s->nests[n].access_count; i++)
      if (s->nests[n].accesses[i] == access_number)
        for (const nest *at = &s->nests[n]; at; at = at->parent)
          if (set_has(at->own, variable))
            return at;
  return NULL;
}

static bool visits_whole_dimension(const statement *s, int access_number, int variable) {
  const nest *n = walking_nest(s, access_number, variable);
  return n && !nest_skips_background(s, n, variable);
}

/*--- One order with others ---------------------------------------------------------------------*/

static bool is_full(const access_level *level) {
  return level->level->properties & LEVEL_FULL;
}

/* Whether the operand has a level of the variable, ordered or not, that can be located in. */
static bool could_be_located(const statement *s, int number, int variable, bool ordered) {
  for (int l = 0; l < s->accesses[number].level_count; l++) {
    const access_level *level = &s->accesses[number].levels[l];
    if (level->bare == variable && is_ordered(level) == ordered && is_unique(level) &&
        !is_full(level) && level->level->format->capabilities & LEVEL_LOCATE)
      return true;
  }
  return false;
}

/* The operands that are located at the coordinates that others have, one after the other as long as
 * the others tell where to go, unordered ones first (as merge_strategy.h chooses). */
static bit_set located_operands(const statement *s, int variable) {
  bit_set located = set_empty();
  for (int ordered = 0; ordered < 2; ordered++)
    for (int a = 0; a < s->operand_count; a++) {
      bit_set more = set_union(s->memory, located, set_of(s->memory, a));
      const nest *n =
          could_be_located(s, a, variable, ordered) ? walking_nest(s, a, variable) : NULL;
      if (n && (nest_skips_without(s, n, variable, more) ||
                (!ordered && visits_whole_dimension(s, a, variable))))
        located = more;
    }
  return located;
}

static bool other_operand_walks(const statement *s, int number, int variable, bit_set located) {
  for (int a = 0; a < s->operand_count; a++)
    for (int l = 0; a != number && !set_has(located, a) && l < s->accesses[a].level_count; l++) {
      const access_level *level = &s->accesses[a].levels[l];
      if (level->bare == variable && !is_full(level))
        return true;
    }
  return false;
}

/* Whether the level goes along the variable: holds it, or what follows from it alone. */
static bool goes_along(const statement *s, const access_level *level, int variable) {
  if (level->bare < 0)
    return level->recovered && set_equal(level->variables, set_of(s->memory, variable));
  MlirAffineExpr by = s->unmapped ? (MlirAffineExpr){0} : s->subscripts[level->bare];
  bool follows = !mlirAffineExprIsNull(by) && mlirAffineExprIsFunctionOfDim(by, variable);
  for (int v = 0; follows && v < s->variable_count; v++)
    follows = v == variable || !mlirAffineExprIsFunctionOfDim(by, v);
  return level->bare == variable || follows;
}

/* Whether the result wants the variable to ascend, in whichever way it is assembled. */
static bool result_ascends(const statement *s, int variable) {
  const access *result = statement_result(s);
  assembly_list list = statement_assemblies(s);
  assembly least = assembly_least(&list);
  for (int l = 0; l < result->level_count; l++)
    if (goes_along(s, &result->levels[l], variable) && assembly_ascends(&least, l))
      return true;
  return false;
}

/*--- Coordinates at several places -------------------------------------------------------------*/

/* Whether f(x + y) = f(x) + f(y) for the term as a function of the operand: what is made of it goes
 * through linear operators alone. */
static bool is_linear(const statement *s, int access_number) {
  MlirValue value = mlirBlockGetArgument(op_block(s->op, 0), access_number);
  for (;;) {
    MlirOpOperand use = value_only_use(value);
    if (mlirOpOperandIsNull(use))
      return false;
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tin_is_yield(op))
      return true;
    const algebra_operator *rule = algebra_operator_find(op_name(op));
    if (!tin_is_reduce(op) &&
        !algebra_operator_is_linear(rule, (int)mlirOpOperandGetOperandNumber(use)))
      return false;
    value = op_result(op, 0);
  }
}

/* Whether an entry of the result may come several times. */
static bool result_repeats(const statement *s) {
  assembly_list list = statement_assemblies(s);
  return assembly_repeats(assembly_least(&list).way);
}

/* Whether the result is a list that takes the entries as they come, repeated or not. */
static bool result_lists(const statement *s, const access *a, int variable) {
  const access *result = statement_result(s);
  if (s->nests[0].kind || (!last_is_unique(a) && last_is_unique(result)))
    return false;
  if (assembly_lists(result->format))
    return true;
  for (int l = 0; l < result->level_count; l++) {
    const access_level *level = &result->levels[l];
    if (level->bare == variable)
      return assembly_keeps_all(result->format, l);
  }
  return false;
}

/* Whether each entry is one of a result whose entries can be placed as they come. */
static bool result_places(const statement *s, const access *a) {
  assembly_list list = statement_assemblies(s);
  assembly found;
  bool places = assembly_find(&list, ASSEMBLY_SCATTER, &found) ||
                assembly_find(&list, ASSEMBLY_RECORD, &found);
  return places && !s->nests[0].kind && last_is_unique(a);
}

/* Whether entries of one coordinate are entries of the result that are combined afterwards. */
static bool result_combines(const statement *s, int access_number) {
  return result_is_recorded(s->op) && !s->nests[0].kind && is_linear(s, access_number);
}

/* Whether each entry does its part by itself, so that a coordinate may be visited again. */
static bool entries_stand_alone(const statement *s, int access_number, int variable) {
  const access *a = &s->accesses[access_number];
  const nest *root = &s->nests[0];
  if (s->nest_count > 1)
    return false;
  if (result_lists(s, a, variable) || result_places(s, a) || result_combines(s, access_number))
    return true;
  bool sums = root->kind == TIN_ADD;
  return result_repeats(s) && (last_is_unique(a) || (sums && is_linear(s, access_number)));
}

/*--- Public ------------------------------------------------------------------------------------*/

static bool others_are_dense(const statement *s, int number) {
  bool dense = true;
  for (int a = 0; a < s->operand_count; a++)
    for (int l = 0; a != number && l < s->accesses[a].level_count; l++)
      dense &= is_full(&s->accesses[a].levels[l]);
  return dense;
}

/* Whether several levels of the access are walked along the variable, as in A(i, i). */
static bool walks_twice(const access *a, int variable) {
  int count = 0;
  for (int l = 0; l < a->level_count; l++)
    count += a->levels[l].bare == variable && !is_full(&a->levels[l]);
  return count > 1;
}

/* Whether what a level repeats, with levels of their own below, must be brought together. */
static bool must_collect_branches(const statement *s, int number, int l) {
  const access *a = &s->accesses[number];
  int variable = a->levels[l].bare;
  return tensor_format_level_repeats(a->format, l) && variable >= 0 &&
         (walks_twice(a, variable) || !others_are_dense(s, number) ||
          visits_whole_dimension(s, number, variable) || !entries_stand_alone(s, number, variable));
}

static const char *level_sorting_reason(const statement *s, int number, const access_level *level) {
  if (is_ordered(level) || !level_is_walked(level) || level->bare < 0)
    return NULL;
  bit_set located = located_operands(s, level->bare);
  if (set_has(located, number))
    return NULL;
  if (other_operand_walks(s, number, level->bare, located))
    return "its unordered levels are merged with others";
  if (result_ascends(s, level->bare))
    return "it is unordered, and the result is appended to in order";
  if (visits_whole_dimension(s, number, level->bare))
    return "it is unordered, and values are computed where it has none";
  if (!is_unique(level) && !entries_stand_alone(s, number, level->bare))
    return "it is unordered, and entries of the same coordinates belong together";
  return NULL;
}

/* Whether some nest reads the operand: of one that none reads, sizes are asked alone. */
static bool is_read(const statement *s, int number) {
  for (int n = 0; n < s->nest_count; n++)
    for (int a = 0; a < s->nests[n].access_count; a++)
      if (s->nests[n].accesses[a] == number)
        return true;
  return false;
}

const char *access_sorting_reason(const statement *s, int access_number) {
  const access *a = &s->accesses[access_number];
  const char *reason = NULL;
  int levels = is_read(s, access_number) ? a->level_count : 0;
  for (int l = 0; l < levels && !reason; l++)
    reason = must_collect_branches(s, access_number, l)
                 ? "coordinates that it repeats have levels of their own below"
                 : level_sorting_reason(s, access_number, &a->levels[l]);
  return reason;
}

/*--- In order through scratch arrays -----------------------------------------------------------*/

static const double gathering_cost = 8, comparing_cost = 4; /* per entry; and bit of their number */
static const double cached_entries = 1e5, leaping_cost = 400; /* and of more, what is below each */

static double visit_cost(double entries) {
  double each = gathering_cost + comparing_cost * log2(1 + entries);
  return entries * (entries > cached_entries ? each + leaping_cost : each);
}

/* How often the loops come to the level: the iterations of those around its own. */
static double level_visits(const statement *s, int number, const access_level *level,
                           const int *order) {
  int *path = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  const nest *n = walking_nest(s, number, level->bare);
  int length = n ? nest_path(s, n, order, path) : 0;
  double visits = 1;
  for (int p = 0; p < length && path[p] != level->bare; p++)
    visits *= trip_count(s, path[p]);
  return visits;
}

double access_scratch_cost(const statement *s, int access_number, const int *order) {
  const access *a = &s->accesses[access_number];
  bool below_branches = false;
  double cost = 0;
  for (int l = 0; l < a->level_count; l++) {
    const access_level *level = &a->levels[l];
    bool gathers = below_branches || level_sorting_reason(s, access_number, level);
    below_branches |= must_collect_branches(s, access_number, l);
    if (!gathers || level->bare < 0)
      continue;
    double entries = level_is_walked(level) ? level_entries(s, a, l) : 1;
    cost += level_visits(s, access_number, level, order) * visit_cost(entries);
  }
  return cost;
}
