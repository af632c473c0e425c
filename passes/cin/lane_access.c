/* lane_access.c - what levels come to on lanes across a variable.  See lane_access.h.
 *
 *     located                 as lane_kind.h says
 *     walked, position above CONSECUTIVE, coordinate EACH: CONSECUTIVE, where there is one entry
 *                             below each, which lanes can access
 *
 * All else, as rows that are walked below each lane's position, does not fit.
 */
#include "lane_access.h"

#include "cin.h"
#include "merge_lattice.h"

#include <mlir-c/BuiltinTypes.h>

typedef struct lane_candidate {
  arena *memory;
  provenance *graph;
  kernel_statement *s;
  const assignment *assign;
  op_list path;
  MlirValue across;
  int first; /* the foralls of the path from there on, but for that of the lanes, are inside it */
  lane_gathers gathers;
  int each_count; /* variables whose coordinates are loaded below each lane's position */
  MlirValue *each;
} lane_candidate;

/* ---- coordinates -------------------------------------------------------------------------- */

static bool is_each(const lane_candidate *n, MlirValue variable) {
  for (int i = 0; i < n->each_count; ++i)
    if (mlirValueEqual(n->each[i], variable))
      return true;
  return false;
}

static bool is_in_path(const lane_candidate *n, MlirValue variable) {
  for (int i = 0; i < n->path.count; ++i)
    if (mlirValueEqual(cin_forall_variable(n->path.ops[i]), variable))
      return true;
  return false;
}

static bool lanes_differ_in(const lane_candidate *n, MlirValue variable) {
  return mlirValueEqual(variable, n->across) || is_each(n, variable);
}

/* The foralls whose variables are the same in all lanes. */
static op_list foralls_of_same(const lane_candidate *n) {
  op_list same = {0};
  for (int i = 0; i < n->path.count; ++i)
    if (!lanes_differ_in(n, cin_forall_variable(n->path.ops[i])))
      op_list_add(n->memory, &same, n->path.ops[i]);
  return same;
}

/* Whether the variable follows from them. */
static bool follows_from_same(const lane_candidate *n, MlirValue variable) {
  op_list same = foralls_of_same(n);
  cin_bind(n->graph, same);
  bool known = provenance_is_known(n->graph, variable);
  cin_unbind(n->graph, same);
  return known;
}

/* What a variable is that goes up by as much from lane to lane, all that is the same in them kept:
 * what the lanes go over a part of, a compound subscript, a window of it, a dimension beside a
 * diagonal.  One that goes down is in a window, which tiles go through faster. */
static lane_kind rising_kind(const lane_candidate *n, MlirValue variable) {
  op_list same = foralls_of_same(n);
  int64_t rise;
  cin_bind(n->graph, same);
  bool rises = provenance_rise(n->graph, variable, n->across, &rise) && rise > 0;
  cin_unbind(n->graph, same);
  lane_kind kind = rises ? lane_kind_scaled(LANES_CONSECUTIVE, rise) : LANES_OTHER;
  return kind == LANES_EACH ? LANES_OTHER : kind;
}

static lane_kind variable_kind(const lane_candidate *n, MlirValue variable) {
  if (mlirValueEqual(variable, n->across))
    return LANES_CONSECUTIVE;
  if (is_each(n, variable))
    return LANES_EACH;
  if (is_in_path(n, variable) || follows_from_same(n, variable))
    return LANES_SAME;
  return rising_kind(n, variable);
}

/* x + y and x * 2; other operators make a vector of what differs. */
static lane_kind operator_kind(MlirAffineExpr e, lane_kind x, lane_kind y) {
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(e);
  lane_kind sum = lane_kind_sum(x, y);
  if (mlirAffineExprIsAMul(e) && mlirAffineExprIsAConstant(right))
    return lane_kind_scaled(x, mlirAffineConstantExprGetValue(right));
  return mlirAffineExprIsAAdd(e) || sum == LANES_SAME || sum == LANES_OTHER ? sum : LANES_EACH;
}

static lane_kind affine_kind(const lane_candidate *n, const subscript *at, MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e))
    return LANES_SAME;
  if (mlirAffineExprIsADim(e))
    return variable_kind(n, at->variables[mlirAffineDimExprGetPosition(e)]);
  return operator_kind(e, affine_kind(n, at, mlirAffineBinaryOpExprGetLHS(e)),
                       affine_kind(n, at, mlirAffineBinaryOpExprGetRHS(e)));
}

static lane_kind subscript_kind(const lane_candidate *n, const subscript *at) {
  lane_kind kind = affine_kind(n, at, at->expression);
  bool vector = subscript_is_compound(at) && kind == LANES_EACH;
  return vector && n->gathers != LANES_GATHER_ALL ? LANES_OTHER : kind;
}

/* ---- walks -------------------------------------------------------------------------------- */

static bool is_read(const lane_candidate *n, const tensor_read *a) {
  return mlirBlockEqual(mlirOperationGetBlock(a->op), mlirOperationGetBlock(n->assign->op));
}

/* The iterators that the assignment's reads walk at the variable; their number. */
static int find_walked(const lane_candidate *n, MlirValue variable, const iterator **walked) {
  int count = 0;
  for (int k = 0; k < n->s->access_count; ++k) {
    const tensor_read *a = n->s->accesses[k];
    for (int l = 0; is_read(n, a) && l < a->tensor->format->level_count; ++l) {
      const iterator *i = a->iterators[l];
      bool there = iterator_is_located(i) || !mlirValueEqual(subscript_variable(&i->at), variable);
      for (int w = 0; w < count; ++w)
        there |= walked[w] == i;
      if (!there)
        walked[count++] = i;
    }
  }
  return count;
}

/* ---- positions ---------------------------------------------------------------------------- */

/* Numbers as wide as what processors gather, if this one does, of 32 or 64 bits; of any width where
 * somebody asks for it. */
static bool can_be_gathered(const lane_candidate *n, const tensor *t) {
  MlirType type = t->format->element;
  if (!type_is_float(type) && !type_is_integer(type))
    return false;
  unsigned width =
      type_is_float(type) ? mlirFloatTypeGetWidth(type) : mlirIntegerTypeGetWidth(type);
  return t->role == TENSOR_OPERAND &&
         (width == 32 || width == 64 || n->gathers == LANES_GATHER_ALL);
}

/* Whether a level's positions for each lane may be read at, if they can be at all. */
static bool may_be_gathered(const lane_candidate *n, const iterator *i, lane_kind above) {
  bool last = i->level == i->tensor->format->level_count - 1;
  return n->gathers == LANES_GATHER_ALL ||
         (n->gathers == LANES_GATHER_LOADED && last && above == LANES_SAME);
}

static bool visits_one(const iterator *i) {
  return !iterator_is_located(i) && iterator_is_branchless(i) &&
         i->format->format->pos_access_lanes && i->tensor->format->triangle == TIN_WHOLE;
}

/* Whether nothing is computed where the iterator has no entry, so that the loop is clipped to where
 * its access is in range. */
static bool vanishes_without(const lane_candidate *n, const iterator *i) {
  absence nothing = absence_of_nothing(n->memory, n->s);
  const assignment *only[] = {n->assign};
  effects all = {1, only};
  return effects_vanish_without(&nothing, &all, i);
}

/* Whether foralls inside of the lanes have no part in a subscript. */
static bool is_known_outside(const lane_candidate *n, const subscript *at) {
  op_list around = {0};
  for (int i = 0; i < n->path.count; ++i)
    if (i < n->first || mlirValueEqual(cin_forall_variable(n->path.ops[i]), n->across))
      op_list_add(n->memory, &around, n->path.ops[i]);
  cin_bind(n->graph, around);
  bool known = subscript_is_known(at, n->graph);
  cin_unbind(n->graph, around);
  return known;
}

/* The place of the innermost forall over a variable of the subscript, if all have one; else -1. */
static int last_place(const lane_candidate *n, const subscript *at) {
  int last = -1;
  for (int v = 0; v < at->count; ++v) {
    int place = n->path.count - 1;
    while (place >= 0 && !mlirValueEqual(cin_forall_variable(n->path.ops[place]), at->variables[v]))
      --place;
    if (place < 0)
      return -1;
    last = place > last ? place : last;
  }
  return last;
}

/* Whether a loop inside that counts is clipped to where the access is in range, in each lane
 * (sparsify_padding.c). */
static bool is_clipped_to(const lane_candidate *n, const iterator *i) {
  const iterator **walked = ARENA_ARRAY(n->memory, const iterator *, n->s->iterators.count + 1);
  int place = i->format->dimension < 0 ? -1 : last_place(n, &i->at);
  return place >= 0 && !find_walked(n, cin_forall_variable(n->path.ops[place]), walked);
}

/* Whether the access is tested in each lane, which then goes out of range one by one. */
static bool leaves_range(const lane_candidate *n, const iterator *i) {
  return i->at.padded && subscript_kind(n, &i->at) != LANES_SAME && !is_known_outside(n, &i->at) &&
         !is_clipped_to(n, i);
}

/* Whether the access is tested in each lane, not clipped to. */
static bool is_tested(const lane_candidate *n, const iterator *i) {
  return i->at.padded && subscript_kind(n, &i->at) != LANES_SAME && !vanishes_without(n, i);
}

static lane_kind position_kind(const lane_candidate *n, const iterator *i) {
  lane_kind above = i->parent ? position_kind(n, i->parent) : LANES_SAME;
  lane_kind at = is_tested(n, i) || leaves_range(n, i) ? LANES_OTHER : subscript_kind(n, &i->at);
  if (above == LANES_SAME && at == LANES_SAME)
    return LANES_SAME;
  if (!iterator_is_located(i))
    return above == LANES_CONSECUTIVE && at == LANES_EACH && !subscript_is_compound(&i->at) &&
                   visits_one(i)
               ? LANES_CONSECUTIVE
               : LANES_OTHER;
  lane_kind kind = lane_kind_located(i->format->properties, above, at);
  return kind == LANES_SPREAD && !may_be_gathered(n, i, above) ? LANES_OTHER : kind;
}

/* ---- one entry below each lane's position -------------------------------------------------- */

/* The one iterator that is walked at a variable, where that is all and nothing is done without it;
 * NULL for none. */
static const iterator *walked_alone(const lane_candidate *n, MlirValue variable) {
  const iterator **walked = ARENA_ARRAY(n->memory, const iterator *, n->s->iterators.count + 1);
  int count = find_walked(n, variable, walked);
  absence nothing = absence_of_nothing(n->memory, n->s);
  const assignment *only[] = {n->assign};
  effects all = {1, only};
  const merge_lattice *l = merge_lattice_build(&nothing, &all, count, walked, 1);
  return l && !l->whole && l->iterator_count == 1 && l->point_count == 1 ? l->iterators[0] : NULL;
}

/* Whether forall i of the path is around a place, as that of the lanes is then. */
static bool is_around(const lane_candidate *n, int i, int place) {
  return i < place || mlirValueEqual(cin_forall_variable(n->path.ops[i]), n->across);
}

/* Binds, or not any more, the foralls around a place that differ from lane to lane, or do not. */
static int bind_around(const lane_candidate *n, int place, bool differ) {
  int count = 0;
  for (int i = 0; i < n->path.count; ++i) {
    MlirValue variable = cin_forall_variable(n->path.ops[i]);
    if (!is_around(n, i, place) || lanes_differ_in(n, variable) != differ)
      continue;
    provenance_bind(n->graph, variable, (MlirValue){NULL});
    ++count;
  }
  return count;
}

static void unbind_around(const lane_candidate *n, int place, bool differ) {
  for (int i = n->path.count - 1; i >= 0; --i) {
    MlirValue variable = cin_forall_variable(n->path.ops[i]);
    if (is_around(n, i, place) && lanes_differ_in(n, variable) == differ)
      provenance_unbind(n->graph, variable);
  }
}

/* Whether the forall at a place goes as far in all lanes; below each lane's position, through all
 * that is there. */
static bool goes_alike(const lane_candidate *n, int place, bool below) {
  MlirValue variable = cin_forall_variable(n->path.ops[place]);
  int same = bind_around(n, place, false);
  bind_around(n, place, true);
  bool alike = provenance_bounds_follow(n->graph, variable, below ? 0 : same);
  unbind_around(n, place, true);
  unbind_around(n, place, false);
  return alike;
}

/* Whether what the forall at a place goes through is below each lane's position. */
static bool is_below_lanes(const lane_candidate *n, int place) {
  const iterator **walked = ARENA_ARRAY(n->memory, const iterator *, n->s->iterators.count + 1);
  int count = find_walked(n, cin_forall_variable(n->path.ops[place]), walked);
  bool below = false;
  for (int i = 0; i < count; ++i)
    below |= walked[i]->parent && position_kind(n, walked[i]->parent) != LANES_SAME;
  return below;
}

/* Whether it goes as far as each lane does, under a mask of the lanes: through one level at a place
 * that is the same for all of them, at a form of their variable, so that they go through much the
 * same. */
static bool goes_masked(const lane_candidate *n, int place) {
  MlirValue variable = cin_forall_variable(n->path.ops[place]);
  return provenance_is_in_form(n->graph, variable) && walked_alone(n, variable);
}

/* A forall inside over what one level has below each lane's position. */
static bool enter(lane_candidate *n, MlirValue variable) {
  n->each[n->each_count++] = variable;
  const iterator *alone = walked_alone(n, variable);
  return alone && visits_one(alone);
}

/* ---- accesses ----------------------------------------------------------------------------- */

static MlirStringRef across_name(const lane_candidate *n) {
  return provenance_name(n->across);
}

/* What is read at this level is neither the same in all lanes, nor consecutive, nor gathered. */
static const char *misfit_of_level(const lane_candidate *n, const iterator *i) {
  if (is_tested(n, i))
    return arena_format(n->memory,
                        "expected an access that is in range wherever something is computed, found "
                        "that of '%s', which is padded",
                        i->tensor->name);
  return arena_format(n->memory,
                      "expected places that are consecutive along '%.*s' or can be gathered, found "
                      "those of level %d (%s) of '%s'",
                      TEXT(across_name(n)), i->level, i->format->format->name, i->tensor->name);
}

static const char *misfit_of_read(const lane_candidate *n, const tensor_read *a) {
  lane_kind kind = LANES_SAME;
  for (int l = 0; l < a->tensor->format->level_count; ++l) {
    kind = position_kind(n, a->iterators[l]);
    if (kind == LANES_OTHER)
      return misfit_of_level(n, a->iterators[l]);
  }
  return kind != LANES_SPREAD || can_be_gathered(n, a->tensor)
             ? NULL
             : arena_format(n->memory,
                            "expected to gather numbers of an operand, found those of '%s', which "
                            "are not consecutive along '%.*s'",
                            a->tensor->name, TEXT(across_name(n)));
}

static const char *misfit_of_reads(const lane_candidate *n) {
  const char *misfit = NULL;
  for (int k = 0; k < n->s->access_count && !misfit; ++k)
    if (is_read(n, n->s->accesses[k]))
      misfit = misfit_of_read(n, n->s->accesses[k]);
  return misfit;
}

/* Levels that hold dimensions, at places that are different in all lanes, since nothing is reduced
 * along them. */
static bool target_can_be_scattered(const lane_candidate *n) {
  const tensor_format *format = n->assign->target->format;
  lane_kind at = LANES_SAME;
  for (int l = 0; l < format->level_count; ++l)
    at = lane_kind_located(format->levels[l].properties, at,
                           subscript_kind(n, &n->assign->subscripts[format->levels[l].dimension]));
  return n->gathers == LANES_GATHER_ALL && at == LANES_SPREAD &&
         (type_is_float(format->element) || type_is_integer(format->element));
}

/* The last of the levels is that of the lanes, or they are scattered. */
static bool target_fits(const lane_candidate *n) {
  const tensor_format *format = n->assign->target->format;
  int last = format->level_count - 1;
  if (last < 0 || !tensor_format_is_plain(format))
    return false;
  for (int l = 0; l < last; ++l)
    if (subscript_kind(n, &n->assign->subscripts[format->levels[l].dimension]) != LANES_SAME)
      return target_can_be_scattered(n);
  return (format->levels[last].properties & LEVEL_CONSECUTIVE) &&
         subscript_kind(n, &n->assign->subscripts[format->levels[last].dimension]) ==
             LANES_CONSECUTIVE;
}

static const char *misfit_of_target(const lane_candidate *n) {
  return target_fits(n)
             ? NULL
             : arena_format(n->memory,
                            "expected a result of numbers whose levels are arrays along '%.*s', "
                            "found that '%s' is not so",
                            TEXT(across_name(n)), n->assign->target->name);
}

/* ---- the nest ----------------------------------------------------------------------------- */

static const assignment *find_assignment(const kernel_statement *s, MlirOperation op) {
  for (int t = 0; t < s->tensor_count; ++t)
    for (int k = 0; k < s->tensors[t]->assignment_count; ++k)
      if (mlirOperationEqual(s->tensors[t]->assignments[k]->op, op))
        return s->tensors[t]->assignments[k];
  return NULL;
}

static MlirOperation kernel_around(MlirOperation op) {
  while (!cin_is_kernel(op))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static const char *misfit_of_walks(lane_candidate *n, int first, int place) {
  for (int at = first; at < n->path.count; ++at) {
    MlirValue variable = cin_forall_variable(n->path.ops[at]);
    bool below = is_below_lanes(n, at);
    if (at == place)
      continue;
    if (!goes_alike(n, at, below) && (below || !goes_masked(n, at)))
      return arena_format(n->memory,
                          "expected a loop over '%.*s' that goes as far for each '%.*s', found "
                          "otherwise",
                          TEXT(provenance_name(variable)), TEXT(across_name(n)));
    if (below && !enter(n, variable))
      return arena_format(n->memory,
                          "expected one entry at most below each '%.*s' at '%.*s', in a level that "
                          "lanes can access, found otherwise",
                          TEXT(across_name(n)), TEXT(provenance_name(variable)));
  }
  return NULL;
}

const char *lanes_misfit(arena *memory, provenance *graph, MlirOperation assign, op_list path,
                         int first, int place, lane_gathers gathers, int *each) {
  lane_candidate n = {.memory = memory,
                      .graph = graph,
                      .s = kernel_statement_read(memory, kernel_around(assign)),
                      .path = path,
                      .across = cin_forall_variable(path.ops[place]),
                      .first = first,
                      .gathers = gathers,
                      .each = ARENA_ARRAY(memory, MlirValue, path.count + 1)};
  n.assign = n.s ? find_assignment(n.s, assign) : NULL;
  if (!n.assign)
    return "expected a kernel that can be read";
  const char *misfit = misfit_of_walks(&n, first, place);
  *each = n.each_count;
  misfit = misfit ? misfit : misfit_of_reads(&n);
  return misfit ? misfit : misfit_of_target(&n);
}
