/* Which nested reduction of a statement is best computed before (nest_split.h). */
#include "nest_split.h"

#include "format_order.h"
#include "ir.h"
#include "level_entries.h"
#include "statement_remap.h"

#include <math.h>

/* How many times faster two statements must be to be worth a temporary. */
static const double worth_a_temporary = 2;
/* How many times slower they may be where they save the conversion of an operand. */
static const double worth_a_conversion = 8;

/*--- Whether a nest can be taken out -----------------------------------------------------------*/

bool nest_reads(const nest *n, int number) {
  for (int i = 0; i < n->access_count; i++)
    if (n->accesses[i] == number)
      return true;
  return false;
}

variable_set nest_variables(const statement *s, const nest *n, bool within) {
  variable_set own = set_empty();
  for (int c = 0; c < s->nest_count; c++)
    if (nest_is_within(&s->nests[c], n) == within)
      set_add(s->memory, &own, s->nests[c].own);
  return own;
}

static bool reads(const statement *s, const nest *n, bool within, int number) {
  for (int c = 0; c < s->nest_count; c++)
    if (nest_is_within(&s->nests[c], n) == within && nest_reads(&s->nests[c], number))
      return true;
  return false;
}

/* Whether the statement of the nest (or of all but it) has the operand: one that nothing reads goes
 * along with what is left, and to where all of its variables are (statement_rebuild.h). */
static bool has_operand(const statement *s, const nest *n, bool within, int number) {
  if (reads(s, n, true, number) || reads(s, n, false, number))
    return reads(s, n, within, number);
  variable_set inside = nest_variables(s, n, true);
  set_add(s->memory, &inside, n->outer);
  return !within || set_within(s->accesses[number].variables, inside);
}

/* Whether an operand of the nest's statement (or of what is left) tells the size of the
 * variable. */
static bool part_tells_size(const statement *s, const nest *n, bool within, int variable) {
  for (int a = 0; a < s->operand_count; a++)
    if (access_tells_size(&s->accesses[a], variable) && has_operand(s, n, within, a))
      return true;
  return false;
}

/* Whether only others tell how far the variable goes, which is not stated: operands of the other
 * part, or a variable that is alike. */
static bool loses_size(const statement *s, const nest *n, bool within, int variable) {
  if (s->extents[variable] >= 0 || part_tells_size(s, n, within, variable))
    return false;
  bool is_alike = s->alike[variable] >= 0;
  for (int v = 0; v < s->variable_count; v++)
    is_alike |= s->alike[v] == variable;
  return is_alike || part_tells_size(s, n, !within, variable);
}

MlirType nest_temporary(const statement *s, const nest *n) {
  return temporary_type(s, n->outer, mlirValueGetType(n->value));
}

MlirAttribute nest_fill(builder *b, const nest *n) {
  MlirType type = mlirValueGetType(n->value);
  MlirAttribute identity =
      mlirAttributeIsNull(n->identity) ? combine_identity(b, n->kind, type) : n->identity;
  bool is_zero = mlirAttributeEqual(identity, combine_identity(b, TIN_ADD, type));
  return is_zero ? (MlirAttribute){0} : identity;
}

static bool dimensions_have_sizes(const statement *s, const nest *n) {
  MlirType type = nest_temporary(s, n);
  int dimension = 0;
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(n->outer, v) && dimension_size(type, dimension++) < 0 && set_is_empty(n->at) &&
        !part_tells_size(s, n, true, v))
      return false;
  return true;
}

/* Those of the nest's statement (or of what is left): of its nests, and of operands that nothing
 * reads. */
static variable_set all_variables(const statement *s, const nest *n, bool within) {
  variable_set all = nest_variables(s, n, within);
  for (int a = 0; a < s->operand_count; a++)
    if (has_operand(s, n, within, a))
      set_add(s->memory, &all, s->accesses[a].variables);
  return all;
}

/* Whether every variable has a size in the statement that it comes to; the temporary tells those
 * of its dimensions. */
bool nest_is_separable(const statement *s, const nest *n) {
  variable_set inside = all_variables(s, n, true), outside = all_variables(s, n, false);
  for (int v = 0; v < s->variable_count; v++)
    if (!set_has(n->outer, v) && ((set_has(inside, v) && loses_size(s, n, true, v)) ||
                                  (set_has(outside, v) && loses_size(s, n, false, v))))
      return false;
  return dimensions_have_sizes(s, n);
}

/* The cost of the two statements and of the temporary, with the conversions that they need. */
static bool split_plan(const statement *s, const nest *n, conversion_plan *plan) {
  MlirType type = nest_temporary(s, n);
  const statement *part = statement_of_nest(s, n, type);
  const statement *rest = statement_without_nest(s, n, type);
  if (!part || !rest)
    return false;
  conversion_plan part_plan = conversion_plan_find(part), rest_plan = conversion_plan_find(rest);
  *plan = (conversion_plan){
      .found = part_plan.found && rest_plan.found,
      .cost = part_plan.cost + rest_plan.cost + access_entries(part, statement_result(part)),
      .conversion_count = part_plan.conversion_count + rest_plan.conversion_count};
  return plan->found;
}

/*--- Which one ---------------------------------------------------------------------------------*/

bool nest_split_is_comparable(const statement *s) {
  return s->nest_count <= MANY_NESTS &&
         (statement_has_remaps(s) || statement_is_supported(s, false));
}

/* What the plan with a temporary must be cheaper than: by much where it saves no conversion. */
static double most_cost(const conversion_plan *whole, const conversion_plan *split) {
  if (!whole->found)
    return INFINITY;
  bool saves = split->conversion_count < whole->conversion_count;
  return saves ? whole->cost * worth_a_conversion : whole->cost / worth_a_temporary;
}

/* The nest that is best taken out, where that gains much, or saves a conversion; the innermost of
 * those that are as good. */
const nest *nest_split_choose(const statement *s, conversion_plan *best) {
  conversion_plan whole = conversion_plan_find(s), split = {.cost = INFINITY}, plan;
  const nest *chosen = NULL;
  for (int n = s->nest_count - 1; n > 0; n--) {
    if (op_has(s->nests[n].reduce, "factored") || !nest_is_separable(s, &s->nests[n]) ||
        !split_plan(s, &s->nests[n], &plan) || plan.cost >= most_cost(&whole, &plan) ||
        plan.cost >= split.cost)
      continue;
    chosen = &s->nests[n];
    split = plan;
  }
  *best = chosen ? split : whole;
  return chosen;
}
