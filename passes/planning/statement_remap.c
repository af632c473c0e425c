/* Which loops statements on remapped levels have (statement_remap.h). */
#include "statement_remap.h"

#include "density.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "level_entries.h"
#include "result_format.h"
#include "statement_direct.h"

#include <math.h>
#include <string.h>

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

static const statement *remapped_by(const statement *s, const access *driver, int levels) {
  return statement_in_loops(s, &(loop_choice){driver, levels, false, false, set_empty()});
}

MlirType access_plain_type(arena *memory, const access *a) {
  int order = a->format->order, *dimensions = ARENA_ARRAY(memory, int, order + 1);
  for (int d = 0; d < order; d++)
    dimensions[d] = d;
  return coordinate_list_type(memory, a->type, dimensions, NULL, NULL, false);
}

/*--- Subscripts that are variables --------------------------------------------------------------*/

static bool is_located(const access_level *level) {
  return level->level->format->capabilities & LEVEL_LOCATE;
}

/* What the coordinate of a level is, if it is a linear form of more than a variable; else null. */
static MlirAffineExpr form_of(const access *a, const access_level *level) {
  MlirAffineExpr form = {NULL};
  if (level->level->dimension >= 0 && level->bare < 0)
    form = remap_canonical(mlirAffineMapGetResult(a->map, level->level->dimension));
  return mlirAffineExprIsNull(form) || !remap_is_form(form) ? (MlirAffineExpr){NULL} : form;
}

/* Whether a level of the operand can only be walked to such a coordinate. */
static bool walks_to_form(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (!is_located(&a->levels[l]) && !mlirAffineExprIsNull(form_of(a, &a->levels[l])))
      return true;
  return false;
}

/* The statement with the subscripts noted as variables that can only be walked to, or with all of
 * the operands that have such; NULL where there are none. */
static const statement *with_forms(const statement *s, bool all) {
  statement *noted = ARENA_ARRAY(s->memory, statement, 1);
  bool any = false;
  *noted = *s;
  noted->accesses = ARENA_ARRAY(s->memory, access, s->operand_count + 1);
  memcpy(noted->accesses, s->accesses, sizeof *s->accesses * (size_t)(s->operand_count + 1));
  for (int i = 0; i < s->operand_count; i++) {
    access *a = &noted->accesses[i];
    access_level *levels = ARENA_ARRAY(s->memory, access_level, a->level_count + 1);
    for (int l = 0; l < a->level_count; l++) {
      bool is_noted = !is_located(&a->levels[l]) || (all && walks_to_form(a));
      levels[l] = a->levels[l];
      levels[l].form = is_noted ? form_of(a, &a->levels[l]) : (MlirAffineExpr){NULL};
      any |= is_located(&a->levels[l]) == all && !mlirAffineExprIsNull(levels[l].form);
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
      if (!mlirAffineExprIsNull(level->form) && !is_located(level) &&
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
  if (!s || !statement_is_direct(s))
    return;
  int *order = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  iteration_graph_order(iteration_graph_create(s, true), order);
  double cost = loop_cost(s, order);
  if (cost < best->cost * (1 - 1e-9))
    *best = (best_loops){s, cost};
}

static void try_driver(best_loops *best, const statement *s, const access *driver, int levels) {
  for (int walked_first = 0; walked_first < 2; walked_first++) {
    const loop_choice choice = {driver, levels, walked_first, false, set_empty()};
    const statement *loops = statement_in_loops(s, &choice);
    if (loops && goes_by_entries(loops))
      keep_cheaper(best, loops);
  }
}

/* Which variables of i + k = s have loops is chosen by what these cost: s, through the entries, and
 * one of i and k; or i and k, and the entries are walked some offset away (sparsify_offsets.c). */
const statement *statement_in_forms(const statement *s, int levels) {
  best_loops best = {NULL, INFINITY};
  if (s->nest_count > 1 || op_has(s->op, "order") || s->unmapped || statement_scatters(s))
    return NULL;
  for (int all = 0; all < 2; all++) {
    const statement *noted = with_forms(s, all);
    if (noted && levels)
      try_driver(&best, noted, statement_result(noted), levels);
    for (int a = 0; noted && !levels && a < s->operand_count; a++)
      try_driver(&best, noted, &noted->accesses[a], noted->accesses[a].level_count);
  }
  if (best.s && !levels && !statement_has_remaps(s))
    keep_cheaper(&best, s);
  return best.s;
}

/*--- Levels that are searched ------------------------------------------------------------------*/

static double listing_cost(const statement *s) {
  double cost = 0;
  for (int a = 0; a <= s->operand_count; a++)
    if (access_has_remaps(&s->accesses[a]))
      cost += access_listing_cost(s, &s->accesses[a]);
  return cost;
}

/* The cheapest loops in which what follows from them is searched for; NULL where there are none
 * that take less than to convert all that holds expressions, and in a conversion, which goes
 * through all that is stored. */
static const statement *statement_in_searches(const statement *s) {
  best_loops best = {NULL, listing_cost(s)};
  for (int a = -1; a < s->operand_count && !statement_op_is_conversion(s->op); a++) {
    const access *driver = a < 0 ? NULL : &s->accesses[a];
    int levels = driver ? driver->level_count : 0;
    const statement *found =
        statement_in_loops(s, &(loop_choice){driver, levels, false, true, set_empty()});
    keep_cheaper(&best, found);
  }
  return best.s;
}

/*--- Subscripts of the result -------------------------------------------------------------------*/

/* Ways to go through the compound subscripts of the result: of each one variable, the subscript
 * itself or one in it, follows from the others. */
typedef struct scatter {
  best_loops best;
  const statement *plain, *noted; /* without and with subscripts of operands that are variables */
  int count, *subscripts;
} scatter;

/* The loops where these variables follow, through the levels of an operand first that has something
 * other than dimensions, or in no such order. */
static void try_followed(scatter *x, variable_set follow) {
  for (int a = -2; a < x->plain->operand_count; a++) {
    const statement *s = a < -1 || !x->noted ? x->plain : x->noted;
    const access *driver = a < 0 ? NULL : &s->accesses[a];
    if ((a == -1 && !x->noted) || (driver && s == x->plain && !access_has_remaps(driver)))
      continue;
    for (int searches = 0; searches < 2; searches++)
      keep_cheaper(&x->best,
                   statement_in_loops(s, &(loop_choice){driver, driver ? driver->level_count : 0,
                                                        false, searches, follow}));
  }
}

static void try_subscripts(scatter *x, int from, variable_set follow) {
  const statement *s = x->plain;
  if (from == x->count) {
    try_followed(x, follow);
    return;
  }
  int subscript = x->subscripts[from];
  for (int v = 0; v < s->variable_count; v++)
    if ((v == subscript || mlirAffineExprIsFunctionOfDim(s->subscripts[subscript], v)) &&
        !set_has(follow, v))
      try_subscripts(x, from + 1, set_union(s->memory, follow, set_of(s->memory, v)));
}

/* Of many subscripts all follow (scatter), or none. */
enum { MOST_SUBSCRIPTS = 3 };

static void try_many(scatter *x) {
  try_followed(x, x->plain->nests[0].at);
  try_followed(x, set_empty());
}

/* The cheapest loops of a statement that reduces at compound subscripts of its result; where none
 * are direct, those over all but the subscripts. */
static const statement *statement_in_subscripts(const statement *s) {
  scatter x = {.best = {NULL, INFINITY}, .plain = s};
  variable_set at = s->nests[0].at;
  x.noted = with_forms(s, false);
  x.subscripts = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  for (int v = set_first(at); v >= 0; v = set_next(at, v + 1))
    x.subscripts[x.count++] = v;
  if (x.count > MOST_SUBSCRIPTS)
    try_many(&x);
  else
    try_subscripts(&x, 0, set_empty());
  const loop_choice scattering = {NULL, 0, false, false, at};
  return x.best.s ? x.best.s : statement_in_loops(s, &scattering);
}

/*--- Public -------------------------------------------------------------------------------------*/

/* By the first operand with remapped levels; where that is not direct, by another one, the levels
 * of which are walked and what others hold of its variables located, or at last searched for:
 *
 *     C(i,l) = A(i,j) * B(j,l), A by rows, B in blocks    loops i, j, lb, lr: B at j floordiv 4
 */
const statement *statement_remapped(const statement *s) {
  if (statement_scatters(s) && !s->unmapped)
    return s->nest_count > 1 ? NULL : statement_in_subscripts(s);
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
  other = statement_in_searches(s);
  return other ? other : first;
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
  bool direct = s && !s->searches && statement_is_direct(s);
  result_set_recorded(op, direct);
  return direct;
}
