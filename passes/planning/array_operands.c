/* array_operands.c - see array_operands.h. */
#include "array_operands.h"

#include "command_words.h"
#include "conversion_plan.h"
#include "copying_commands.h"
#include "density.h"
#include "extent.h"
#include "format_order.h"
#include "level_entries.h"
#include "loop_cost.h"
#include "statement_remap.h"
#include "tin_ops.h"
#include "window_expansion.h"

/* What is copied, and the loops that the copies are read in. */
typedef struct copies {
  copied_accesses of;
  int lanes;             /* the variable that loops go along on lanes; -1 for none */
  const statement *with; /* arrays in place of those */
} copies;

/*--- Which operands ----------------------------------------------------------------------------*/

static bool has_own_variables(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].bare < 0)
      return false;
  return a->level_count > 0;
}

static bool may_be_copied(const access *a) {
  return !mlirAttributeIsNull(a->holds) && tensor_format_is_plain(a->format) &&
         a->format->triangle == TIN_WHOLE && has_own_variables(a);
}

/* How many bytes the array has; negative where that is not known. */
static double array_bytes(const access *a) {
  double bytes = access_bytes(a);
  for (int d = 0; d < a->format->order; d++) {
    int64_t size = tin_held_size(a->holds, a->type, d);
    if (size < 0)
      return -1;
    bytes *= (double)size;
  }
  return bytes;
}

static const access_level *last_level(const access *a) {
  return &a->levels[a->level_count - 1];
}

/* Whether an operand that is no array, and stays so, has the variable. */
static bool is_walked(const copies *c, int variable) {
  for (int a = 0; a < c->of.s->operand_count; a++)
    if (!c->of.copied[a] && !access_is_array(&c->of.s->accesses[a]) &&
        set_has(c->of.s->accesses[a].variables, variable))
      return true;
  return false;
}

/* A variable of the result that no operand is walked along and an array is stored along, or else
 * that an array has; -1 for none. */
static int other_variable_on_lanes(const copies *c) {
  variable_set kept = statement_result(c->of.s)->variables;
  int found = -1;
  for (int a = 0; a < c->of.s->operand_count; a++) {
    const access *operand = &c->of.s->accesses[a];
    for (int l = operand->level_count - 1; l >= 0 && access_is_array(operand); l--) {
      int v = operand->levels[l].bare;
      bool fits = v >= 0 && set_has(kept, v) && !is_walked(c, v);
      if (fits && l == operand->level_count - 1)
        return v;
      found = fits ? v : found;
    }
  }
  return found;
}

/* The variable of the result's last level, if it is one of an array and no operand is walked along
 * it, or another variable of the result, which is copied then; where entries are made, that of the
 * innermost loop, if it reduces. */
static void find_lanes(copies *c, const int *order) {
  const unsigned array = LEVEL_FULL | LEVEL_CONSECUTIVE;
  const access *result = statement_result(c->of.s);
  bool ends_in_array =
      result->level_count && (last_level(result)->level->properties & array) == array;
  int v = ends_in_array ? last_level(result)->bare : order[c->of.s->variable_count - 1];
  bool is_kept = ends_in_array || !set_has(result->variables, v);
  c->lanes = v >= 0 && is_kept && !is_walked(c, v) ? v : -1;
  if (c->lanes < 0 && v >= 0 && access_is_array(result) && !has_windows(c->of.s))
    c->lanes = other_variable_on_lanes(c);
}

/* Whether an array is stored along another variable than loops go, and come to `again` times. */
static bool is_met_across(const copies *c, const access *a, double bytes, double again) {
  const double most_bytes = 256 << 20;
  double visits = 1;
  if (!access_is_array(a) || !set_has(a->variables, c->lanes) || last_level(a)->bare == c->lanes ||
      bytes < 0 || bytes > most_bytes)
    return false;
  for (int v = 0; v < c->of.s->variable_count; v++)
    visits *= trip_count(c->of.s, v);
  return visits > again * bytes / access_bytes(a);
}

static double result_bytes(const copies *c) {
  const access *result = statement_result(c->of.s);
  double bytes = access_bytes(result);
  for (int l = 0; l < result->level_count; l++)
    bytes *= estimated_extent(c->of.s, result->levels[l].bare);
  return bytes;
}

static void copy_operand(copies *c, int a) {
  c->of.count += !c->of.copied[a];
  c->of.copied[a] = true;
}

/* A filter is the only operand that is no array. */
static void find_filter(copies *c) {
  const double most_bytes = 4 << 20;
  int a = has_windows(c->of.s) && access_is_array(statement_result(c->of.s))
              ? only_sparse_operand(c->of.s)
              : -1;
  double bytes =
      a < 0 || !may_be_copied(&c->of.s->accesses[a]) ? -1 : array_bytes(&c->of.s->accesses[a]);
  if (bytes >= 0 && bytes <= most_bytes)
    copy_operand(c, a);
}

/* A result is copied if all that is assigned to it can be said; it is cleared, stored and read once
 * more for that. */
static void find_result(copies *c) {
  const double again = 16;
  const access *result = statement_result(c->of.s);
  if (!has_windows(c->of.s) && has_own_variables(result) && result->format->triangle == TIN_WHOLE &&
      is_met_across(c, result, result_bytes(c), again) && assigns_product(c->of.s))
    copy_operand(c, c->of.s->operand_count);
}

static bool find_copies(copies *c, const int *order) {
  const double again = 4;
  find_filter(c);
  find_lanes(c, order);
  for (int a = 0; a < c->of.s->operand_count && c->lanes >= 0; a++) {
    const access *operand = &c->of.s->accesses[a];
    if (may_be_copied(operand) && is_met_across(c, operand, array_bytes(operand), again))
      copy_operand(c, a);
  }
  if (c->lanes >= 0)
    find_result(c);
  return c->of.count > 0;
}

/*--- Their layout ------------------------------------------------------------------------------*/

/* The levels of an operand's array: in the order of loops, the one on lanes last. */
static int *order_in_array(const copies *c, const int *order) {
  int count = 0, *inner = ARENA_ARRAY(c->of.s->memory, int, c->of.s->variable_count + 1);
  for (int n = 0; n < c->of.s->variable_count; n++)
    if (order[n] != c->lanes)
      inner[count++] = order[n];
  if (c->lanes >= 0)
    inner[count] = c->lanes;
  return inner;
}

/* The statement with arrays whose levels are in that order; false after a diagnostic. */
static bool take_arrays(copies *c, const int *order) {
  c->with = c->of.s;
  for (int a = 0; a <= c->of.s->operand_count && c->with; a++) {
    if (!c->of.copied[a])
      continue;
    c->with = statement_with_type(
        c->with, a, tensor_with_encoding(c->of.s->accesses[a].type, (MlirAttribute){NULL}));
    MlirType type = c->with ? type_following_loops(c->with, a, order) : (MlirType){NULL};
    c->with = mlirTypeIsNull(type) ? NULL : statement_with_type(c->with, a, type);
  }
  return c->with;
}

static double copying_cost(const copies *c) {
  double cost = 0;
  for (int n = 0; n < c->of.s->operand_count; n++) {
    const access *a = &c->of.s->accesses[n];
    double rows = 1;
    for (int l = 0; l < a->level_count - 1 && c->of.copied[n]; l++)
      rows *= access_is_array(a) ? 1 : level_entries(c->of.s, a, l);
    if (c->of.copied[n])
      cost += clearing_cost(1, array_bytes(a)) +
              expansion_cost(rows, access_entries(c->of.s, a), false);
  }
  return cost;
}

/*--- Loops -------------------------------------------------------------------------------------*/

/* The loops through windows of a statement on arrays. */
static const char *loop_commands(const statement *s, const conversion_plan *plan) {
  int *path = ARENA_ARRAY(s->memory, int, s->variable_count + 1), lanes;
  int length = window_loops(s, plan->order, path, &lanes);
  const char *expansion = window_expansion(s, plan->cost),
             *order = arena_format(s->memory, "reorder(%s)", variables_in_command(s, path, length));
  if (expansion)
    return expansion;
  return lanes < 0 ? order
                   : arena_format(s->memory, "%s parallelize(%s,cpu_vector,no_races)", order,
                                  s->variables[path[lanes]]);
}

static const int *order_as_written(const statement *s) {
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  for (int v = 0; v < s->variable_count; v++)
    order[v] = v;
  return order;
}

/* The loops that are the best with the arrays, which take the order; none found where something is
 * converted for them. */
static conversion_plan plan_with_arrays(copies *c, const int *order) {
  conversion_plan plan = {0};
  if (take_arrays(c, order_in_array(c, order)))
    plan = conversion_plan_find(c->with);
  plan.found &= !plan.conversion_count;
  return plan;
}

/* Where windows are gone along, whatever the loops are without copies: those that are the best with
 * them, which no command says where they go through compound subscripts. */
static const char *window_commands(copies *c, double cost) {
  const double clearly = 0.7;
  const int *order = order_as_written(c->of.s);
  conversion_plan plan = {0};
  if (find_copies(c, order))
    plan = plan_with_arrays(c, order);
  if (!plan.found || plan.cost + copying_cost(c) > clearly * cost)
    return NULL;
  if (statement_in_forms(c->with, 0) || statement_has_remaps(c->with))
    return copying_commands(&c->of, order_in_array(c, order));
  order = order_in_array(c, plan.order);
  return take_arrays(c, order)
             ? arena_format(c->of.s->memory, "%s %s", copying_commands(&c->of, order),
                            loop_commands(c->with, &plan))
             : NULL;
}

/* Else the loops are those without copies, but where the result is copied: those were chosen for
 * how it is stored. */
static const char *other_commands(copies *c, const int *order) {
  if (!find_copies(c, order))
    return NULL;
  if (!c->of.copied[c->of.s->operand_count])
    return copying_commands(&c->of, order_in_array(c, order));
  conversion_plan plan = plan_with_arrays(c, order);
  int *path = ARENA_ARRAY(c->of.s->memory, int, c->of.s->variable_count + 1), lanes;
  if (!plan.found)
    return NULL;
  int length = window_loops(c->with, plan.order, path, &lanes);
  return arena_format(c->of.s->memory, "reorder(%s) %s",
                      variables_in_command(c->of.s, path, length),
                      copying_commands(&c->of, order_in_array(c, plan.order)));
}

const char *array_operands(const statement *s, const int *order, double cost) {
  bool *copied = ARENA_ARRAY(s->memory, bool, s->operand_count + 1);
  copies c = {.of = {.s = s, .copied = copied}};
  if (!s->variable_count || s->unmapped || statement_scatters(s) || !conversion_plan_is_told(s))
    return NULL;
  return has_windows(s) ? window_commands(&c, cost) : other_commands(&c, order);
}
