/* array_operands.c - see array_operands.h. */
#include "array_operands.h"

#include "command_words.h"
#include "conversion_plan.h"
#include "density.h"
#include "extent.h"
#include "format_order.h"
#include "level_entries.h"
#include "loop_cost.h"
#include "tin_ops.h"
#include "window_expansion.h"

/* The operands that are copied, and the loops that the copies are read in. */
typedef struct copies {
  const statement *s; /* in the variables of subscripts */
  bool *copied;       /* of each operand */
  int count;
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

/* The variable of the result's last level, if it is one of an array; else that of the innermost
 * loop, if it reduces.  -1 where an operand that is no array, and stays so, has it too. */
static int variable_on_lanes(const copies *c, const int *order) {
  const statement *s = c->s;
  const access *result = statement_result(s);
  const unsigned array = LEVEL_FULL | LEVEL_CONSECUTIVE;
  const access_level *last = &result->levels[result->level_count - 1];
  bool ends_in_array =
      result->level_count && (last->level->properties & array) == array && last->bare >= 0;
  int v = ends_in_array ? last->bare : order[s->variable_count - 1];
  if (!ends_in_array && set_has(result->variables, v))
    return -1;
  for (int a = 0; a < s->operand_count; a++)
    if (!c->copied[a] && !access_is_array(&s->accesses[a]) && set_has(s->accesses[a].variables, v))
      return -1;
  return v;
}

/* Whether an array is stored along another variable than loops go, and read again and again. */
static bool is_read_across(const copies *c, const access *a) {
  const double again = 4, most_bytes = 256 << 20;
  double visits = 1, bytes = array_bytes(a);
  if (!access_is_array(a) || !set_has(a->variables, c->lanes) ||
      a->levels[a->level_count - 1].bare == c->lanes || bytes < 0 || bytes > most_bytes)
    return false;
  for (int v = 0; v < c->s->variable_count; v++)
    visits *= trip_count(c->s, v);
  return visits > again * bytes / access_bytes(a);
}

static void copy_operand(copies *c, int a) {
  c->count += !c->copied[a];
  c->copied[a] = true;
}

/* A filter is the only operand that is no array. */
static void find_filter(copies *c) {
  const double most_bytes = 4 << 20;
  int a =
      has_windows(c->s) && access_is_array(statement_result(c->s)) ? only_sparse_operand(c->s) : -1;
  double bytes = a < 0 || !may_be_copied(&c->s->accesses[a]) ? -1 : array_bytes(&c->s->accesses[a]);
  if (bytes >= 0 && bytes <= most_bytes)
    copy_operand(c, a);
}

static bool find_operands(copies *c, const int *order) {
  find_filter(c);
  c->lanes = variable_on_lanes(c, order);
  for (int a = 0; a < c->s->operand_count && c->lanes >= 0; a++)
    if (may_be_copied(&c->s->accesses[a]) && is_read_across(c, &c->s->accesses[a]))
      copy_operand(c, a);
  return c->count > 0;
}

/*--- Their layout ------------------------------------------------------------------------------*/

/* The levels of an operand's array: in the order of loops, the one on lanes last. */
static int *order_in_array(const copies *c, const int *order) {
  int count = 0, *inner = ARENA_ARRAY(c->s->memory, int, c->s->variable_count + 1);
  for (int n = 0; n < c->s->variable_count; n++)
    if (order[n] != c->lanes)
      inner[count++] = order[n];
  if (c->lanes >= 0)
    inner[count] = c->lanes;
  return inner;
}

/* The statement with arrays whose levels are in that order; false after a diagnostic. */
static bool take_arrays(copies *c, const int *order) {
  c->with = c->s;
  for (int a = 0; a < c->s->operand_count && c->with; a++) {
    if (!c->copied[a])
      continue;
    c->with = statement_with_type(
        c->with, a, tensor_with_encoding(c->s->accesses[a].type, (MlirAttribute){NULL}));
    MlirType type = c->with ? type_following_loops(c->with, a, order) : (MlirType){NULL};
    c->with = mlirTypeIsNull(type) ? NULL : statement_with_type(c->with, a, type);
  }
  return c->with;
}

static double copying_cost(const copies *c) {
  double cost = 0;
  for (int n = 0; n < c->s->operand_count; n++) {
    const access *a = &c->s->accesses[n];
    double rows = 1;
    for (int l = 0; l < a->level_count - 1 && c->copied[n]; l++)
      rows *= access_is_array(a) ? 1 : level_entries(c->s, a, l);
    if (c->copied[n])
      cost +=
          clearing_cost(1, array_bytes(a)) + expansion_cost(rows, access_entries(c->s, a), false);
  }
  return cost;
}

/*--- Commands ----------------------------------------------------------------------------------*/

/* "k_before,l_before": variables of the loops that copy an operand, in the order of `of`, which no
 * other command means. */
static const char *names_before(const copies *c, int operand, const int *of, int count) {
  const statement *s = c->s;
  const char *suffix =
      c->count == 1 ? "_before" : arena_format(s->memory, "_before_%s", s->accesses[operand].name);
  const char *names = "";
  for (int n = 0; n < count; n++)
    names = arena_format(s->memory, "%s%s%s", names, n ? "," : "",
                         statement_new_name(s, s->variables[of[n]], suffix));
  return names;
}

/* "precompute(W(k,l),{l,k},{l_before,k_before},W_array)", and for one whose levels are walked
 * "reorder(k_before,l_before)", as they are stored. */
static const char *copying_commands(const copies *c, int operand, const int *order) {
  const statement *s = c->s;
  const access *a = &s->accesses[operand];
  int *stored = ARENA_ARRAY(s->memory, int, a->level_count + 1);
  int *made = ARENA_ARRAY(s->memory, int, a->level_count + 1), count = 0;
  for (int l = 0; l < a->level_count; l++)
    stored[l] = a->levels[l].bare;
  for (int n = 0; n < s->variable_count; n++)
    if (set_has(a->variables, order[n]))
      made[count++] = order[n];
  const char *copy =
      arena_format(s->memory, "precompute(%s,{%s},{%s},%s)", access_in_command(s, a),
                   variables_in_command(s, made, count), names_before(c, operand, made, count),
                   statement_new_name(s, a->name, "_array"));
  return access_is_array(a) ? copy
                            : arena_format(s->memory, "%s reorder(%s)", copy,
                                           names_before(c, operand, stored, a->level_count));
}

static const char *all_copying_commands(const copies *c, const int *order) {
  const char *words = "";
  for (int a = 0; a < c->s->operand_count; a++)
    if (c->copied[a])
      words = arena_format(c->s->memory, "%s%s%s", words, *words ? " " : "",
                           copying_commands(c, a, order));
  return words;
}

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

/* Where windows are gone along, whatever the loops are without copies: those that are the best with
 * them. */
static const char *window_commands(copies *c, double cost) {
  const double clearly = 0.7;
  int *as_written = ARENA_ARRAY(c->s->memory, int, c->s->variable_count + 1);
  for (int v = 0; v < c->s->variable_count; v++)
    as_written[v] = v;
  if (!find_operands(c, as_written) || !take_arrays(c, order_in_array(c, as_written)))
    return NULL;
  conversion_plan plan = conversion_plan_find(c->with);
  if (!plan.found || plan.conversion_count || plan.cost + copying_cost(c) > clearly * cost)
    return NULL;
  int *order = order_in_array(c, plan.order);
  return take_arrays(c, order) ? arena_format(c->s->memory, "%s %s", all_copying_commands(c, order),
                                              loop_commands(c->with, &plan))
                               : NULL;
}

const char *array_operands(const statement *s, const int *order, double cost) {
  const statement *maps = s->unmapped ? s->unmapped : s;
  copies c = {.s = maps, .copied = ARENA_ARRAY(s->memory, bool, s->operand_count + 1)};
  if (has_windows(s))
    return window_commands(&c, cost);
  bool known = !s->unmapped && !statement_scatters(s) && conversion_plan_is_told(s);
  return known && find_operands(&c, order) ? all_copying_commands(&c, order_in_array(&c, order))
                                           : NULL;
}
