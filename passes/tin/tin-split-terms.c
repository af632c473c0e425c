/* tin-split-terms.c - a nested reduction that cannot stand inside the other loops becomes a
 * statement of its own.
 *
 *     y(i) = b(i) - sum_j A(i,j) * x(j),  A by columns: the loops must be j, i, but the sum is
 *                                         needed whole at each i
 *
 *     t(i) = sum_j A(i,j) * x(j)
 *     y(i) = b(i) - t(i)
 *
 * Also where the sum could stand inside but would take several times as long there (A * B + C with
 * dense matrices: the loops inside run along a column of B), and where A is in blocks or diagonals:
 * loops go through what its levels hold in a statement of its own, else it would be converted.
 */
#include "bridge.h"
#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "nest_split.h"
#include "statement_rebuild.h"
#include "statement_remap.h"
#include "statement_terms.h"
#include "statistics.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <math.h>
#include <string.h>

/*--- Of many nests ----------------------------------------------------------------------------*/

/* Whether the nest has none inside of it. */
static bool is_leaf(const statement *s, const nest *n) {
  for (int c = n->number + 1; c < s->nest_count; c++)
    if (s->nests[c].parent == n)
      return false;
  return true;
}

/* Whether loops around the nest may come to the same sums again and again: over what the nest
 * around it depends on, or goes through, and it does not. */
static bool is_repeated(const nest *n) {
  const nest *around = n->parent;
  bool is_once = set_is_empty(around->outer) && set_is_empty(n->outer);
  return !is_once && !(set_within(around->own, n->outer) && set_within(around->outer, n->outer));
}

/* Of many nests, to compare the costs of all ways to split them takes too long: the innermost ones
 * that would be repeated go first, one after the other.
 *
 *     s = A(i,j) * B(j,k) * C(k,l) * ...      t(j) = sum_i A(i,j)
 *                                             u(k) = sum_j t(j) * B(j,k);  ...
 */
static const nest *choose_of_many(const statement *s) {
  for (int n = s->nest_count - 1; n > 0; n--)
    if (is_leaf(s, &s->nests[n]) && is_repeated(&s->nests[n]) && nest_is_separable(s, &s->nests[n]))
      return &s->nests[n];
  return NULL;
}

/* Loops go through compound subscripts of the result in a statement of its own, of one nest: those
 * inside of the nest that reduces at them go first, the innermost before others, and then that
 * itself; NULL where there are none, or no other nest. */
static const nest *choose_scatter(const statement *s) {
  int at = 0;
  while (at < s->nest_count && set_is_empty(s->nests[at].at))
    at++;
  if (at == s->nest_count)
    return NULL;
  for (int n = s->nest_count - 1; n > at; n--)
    if (nest_is_within(&s->nests[n], &s->nests[at]))
      return &s->nests[n];
  return at ? &s->nests[at] : NULL;
}

static const char *reason_to_split(const statement *s, const nest *n) {
  if (!set_is_empty(n->at) || statement_scatters(s))
    return "since loops go through subscripts of the result alone";
  if (statement_has_remaps(s))
    return "since else no loops would go through what the levels of all operands hold";
  char *cycle = iteration_graph_cycle(iteration_graph_create(s, true));
  return *cycle ? arena_format(s->memory, "since inside the other loops it would need the order %s",
                               cycle)
                : "since inside the other loops it would take longer";
}

/*--- Splitting ---------------------------------------------------------------------------------*/

static bool is_name_taken(const statement *s, const char *name) {
  for (int a = 0; a <= s->operand_count; a++)
    if (!strcmp(s->accesses[a].name, name))
      return true;
  return false;
}

static const char *temporary_name(const statement *s) {
  const char *name = "t";
  for (int i = 1; is_name_taken(s, name); i++)
    name = arena_format(s->memory, "t%d", i);
  return name;
}

/* The operand that the nest (or all but it) reads and that has the variable alone as a subscript,
 * and as which; NULL where none has. */
static const access *find_size(const statement *s, const nest *n, bool within, int variable,
                               intptr_t *dimension) {
  for (int c = 0; c < s->nest_count; c++)
    for (int a = 0; nest_is_within(&s->nests[c], n) == within && a < s->operand_count; a++) {
      *dimension = access_dimension_of(&s->accesses[a], variable);
      if (*dimension >= 0 && nest_reads(&s->nests[c], a))
        return &s->accesses[a];
    }
  return NULL;
}

/* Variables that are alike and come to different statements: neither sees both sizes. */
static void match_alike(const statement *s, const nest *n, builder *b) {
  variable_set inside = nest_variables(s, n, true);
  for (int v = 0; v < s->variable_count; v++) {
    int other = s->alike[v];
    if (other < 0 || set_has(inside, v) == set_has(inside, other))
      continue;
    intptr_t here, there;
    const access *x = find_size(s, n, set_has(inside, other), other, &there);
    const access *y = find_size(s, n, set_has(inside, v), v, &here);
    if (x && y)
      match_make(b, s->variables[other], x->operand, there, y->operand, here);
  }
}

static MlirOperation split(const statement *s, const nest *n, builder *b) {
  rebuilt_result temporary = {.type = nest_temporary(s, n),
                              .map = map_to_variables(s, n->outer),
                              .name = temporary_name(s),
                              .fill = nest_fill(b, n)};
  MlirOperation parts[2];
  builder_before(b, s->op);
  match_alike(s, n, b);
  statement_split(s, b, n->value, n->outer, &temporary, parts);
  return parts[1];
}

/* Splits one nest off; null where nothing needs to be, or `*failed`. */
static MlirOperation split_once(MlirOperation op, arena *memory, bool *failed) {
  const statement *s = statement_create(memory, op);
  *failed = !s;
  const nest *n = NULL;
  conversion_plan plan;
  if (s && (s->nest_count == 1 || statement_terms_find(s)))
    return (MlirOperation){NULL};
  if (s)
    n = choose_scatter(s);
  if (!n && s && s->nest_count > MANY_NESTS)
    n = choose_of_many(s);
  if (!n && s && s->nest_count > 1 && nest_split_is_comparable(s))
    n = nest_split_choose(s, &plan);
  if (!n)
    return (MlirOperation){NULL};
  remark_at(op, "the reduction over %s is computed before, into a temporary%s%s, %s",
            statement_names(s, n->own), set_is_empty(n->outer) ? "" : " over ",
            statement_names(s, n->outer), reason_to_split(s, n));
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  MlirOperation rest = split(s, n, b);
  statistic_add(STATISTIC_REDUCTIONS_SPLIT, 1);
  builder_free(b);
  return rest;
}

int tin_split_terms_run(MlirOperation module, const struct tin_split_terms_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list found = ops_below(memory, module, tin_is_compute);
  bool failed = false;
  for (int i = 0; i < found.count && !failed; i++)
    for (MlirOperation op = found.ops[i]; !mlirOperationIsNull(op) && !failed;)
      op = split_once(op, memory, &failed);
  arena_free(memory);
  return failed;
}
