/* array_operand.c - see array_operand.h. */
#include "array_operand.h"

#include "command_words.h"
#include "conversion_plan.h"
#include "level_entries.h"
#include "loop_cost.h"
#include "tin_ops.h"
#include "window_expansion.h"

static bool has_own_variables(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].bare < 0)
      return false;
  return true;
}

static bool may_be_array(const access *a) {
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

static double array_cost(const statement *s, const access *a, double bytes) {
  double rows = 1;
  for (int l = 0; l < a->level_count - 1; l++)
    rows *= level_entries(s, a, l);
  return clearing_cost(1, bytes) + expansion_cost(rows, access_entries(s, a), false);
}

/* "precompute(W(k,l),{k,l},{k_entry,l_entry},W_array) reorder(k_entry,l_entry)": the loops through
 * entries have variables of their own, which no later command means, in the order that they are
 * stored in. */
static const char *expanding_commands(const statement *s, const access *a) {
  const char *entries = "", *array = statement_new_name(s, a->name, "_array");
  int *of = ARENA_ARRAY(s->memory, int, a->level_count + 1);
  for (int l = 0; l < a->level_count; l++) {
    of[l] = a->levels[l].bare;
    entries = arena_format(s->memory, "%s%s%s", entries, l ? "," : "",
                           statement_new_name(s, s->variables[of[l]], "_entry"));
  }
  return arena_format(s->memory, "precompute(%s,{%s},{%s},%s) reorder(%s)", access_in_command(s, a),
                      variables_in_command(s, of, a->level_count), entries, array, entries);
}

/* The loops of a statement on arrays. */
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

const char *array_operand(const statement *s, double cost) {
  const double clearly = 0.7, most_bytes = 4 << 20;
  s = s->unmapped ? s->unmapped : s;
  int number = has_windows(s) && access_is_array(statement_result(s)) ? only_sparse_operand(s) : -1;
  const access *a = number < 0 ? NULL : &s->accesses[number];
  if (!a || !may_be_array(a))
    return NULL;
  double bytes = array_bytes(a);
  if (bytes < 0 || bytes > most_bytes)
    return NULL;
  const statement *with =
      statement_with_type(s, number, tensor_with_encoding(a->type, (MlirAttribute){NULL}));
  conversion_plan plan = with ? conversion_plan_find(with) : (conversion_plan){0};

  if (!plan.found || plan.conversion_count || plan.cost + array_cost(s, a, bytes) > clearly * cost)
    return NULL;
  return arena_format(s->memory, "%s %s", expanding_commands(s, a), loop_commands(with, &plan));
}
