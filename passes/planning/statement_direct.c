/* Whether statements are computed from what is stored as it is (statement_direct.h). */
#include "statement_direct.h"

#include "density.h"
#include "iteration_graph.h"
#include "remapped_loops.h"
#include "unordered_access.h"

/* Whether there is only one coordinate of the level to be looked at: below a level that repeats its
 * coordinates there are as many as it repeats. */
static bool has_one_coordinate(const access *a, int l) {
  return format_level_is_one(a->levels[l].level, l ? a->levels[l - 1].level : NULL);
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
    bool is_found = is_one || access_level_is_searched(a, l) ||
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
