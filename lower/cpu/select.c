/* select.c - cases of a merge by selection instead of by branches.
 *
 *     if (B is here and C is here)  case (0, 1): append j; store b + c        which case it is, no
 *     else if (B is here)           case (0):    append j; store b            processor can guess
 *     else                          case (1):    append j; store c
 *
 * becomes
 *
 *     v01 = b + c;  v0 = b;  v1 = c                   the values of all cases
 *     append j; store (both here ? v01 : B is here ? v0 : v1)
 *
 * where in every case the same happens (appends, stores and settings of variables, to the same
 * places in the same order) but with other values, these cost little and may be computed in vain:
 * stored values at places that are there, and arithmetic that cannot trap.  What is selected are
 * results, never operands: no zero stands in for what is absent, so that 0 * infinity does not
 * appear.
 *
 * Control dependence becomes data dependence (Allen, Kennedy, Porterfield, Warren: Conversion of
 * Control Dependence to Data Dependence, POPL 1983).
 */
#include "coiterate.h"
#include "strategy.h"

#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

enum { CASES_MAX = 16, CHEAP = 48 }; /* operations of all cases together */

/* One case: where in its block it is, and whether it is the one (of those that are left). */
typedef struct side {
  int number;
  MlirOperation at;
  MlirValue present;
} side;

typedef struct sides {
  int count;
  side of[CASES_MAX];
} sides;

/* The cases of a walk. */
typedef struct all_cases {
  arena *memory;
  MlirOperation op;
  int count;
  const lattice_point *cases;
} all_cases;

/* Those within a point; false where there are too many. */
static bool take_cases(const all_cases *c, lattice_point point, sides *s) {
  s->count = 0;
  for (int i = 0; i < c->count; i++) {
    if (!set_within(c->cases[i], point))
      continue;
    if (s->count == CASES_MAX)
      return false;
    s->of[s->count++] = (side){.number = i, .at = mlirBlockGetFirstOperation(op_block(c->op, i))};
  }
  return s->count > 1;
}

/* ---- What may be computed in vain --------------------------------------------------------- */

/* Integer divisions trap. */
static bool is_arithmetic(MlirOperation op) {
  static const char *const dear[] = {"arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv"};
  static const char *const cheap[] = {"math.absf", "math.absi", "math.fma", "math.copysign"};
  for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
    if (op_is(op, cheap[i]))
      return true;
  for (size_t i = 0; i < sizeof dear / sizeof *dear; i++)
    if (op_name_begins(op, dear[i]))
      return op_is(op, "arith.divf");
  return op_name_begins(op, "arith.") && !mlirOperationGetNumRegions(op);
}

static bool is_read(MlirOperation op) {
  return sit_is_value(op) || (sit_is_locate(op) && !sit_locate_uses_scratch(op)) || sit_is_get(op);
}

static bool is_pure(MlirOperation op) {
  return is_read(op) || is_arithmetic(op);
}

static bool is_effect(MlirOperation op) {
  return sit_is_append(op) || sit_is_store(op) || sit_is_set(op) || sit_is_insert(op) ||
         (sit_is_accumulate(op) && !sit_accumulate_is_atomic(op));
}

/* Whether a case reads only what it does not write: values of the result come from memory that the
 * other cases would have written. */
static bool reads_others(MlirOperation op, MlirBlock block) {
  if (!sit_is_value(op))
    return true;
  MlirValue tensor = sit_op_tensor(op);
  for (OPERATIONS(other, block))
    if (is_effect(other) && op_uses(other, tensor))
      return false;
  return true;
}

static bool same_read(MlirOperation a, MlirOperation b) {
  return sit_is_locate(b) && mlirValueEqual(sit_op_tensor(a), sit_op_tensor(b)) &&
         sit_op_level(a) == sit_op_level(b);
}

/* Memory that is found by the coordinate may be far away: all cases want it, or none. */
static bool all_locate(const all_cases *c, const sides *s, MlirOperation op) {
  bool all = true;
  for (int i = 0; i < s->count && sit_is_locate(op); i++) {
    bool found = false;
    for (OPERATIONS(other, op_block(c->op, s->of[i].number)))
      found |= same_read(op, other);
    all &= found;
  }
  return all;
}

static bool all_cheap(const all_cases *c, const sides *s) {
  int count = 0;
  for (int i = 0; i < s->count; i++) {
    MlirBlock block = op_block(c->op, s->of[i].number);
    for (OPERATIONS(op, block))
      if (++count > CHEAP || !(is_effect(op) || is_pure(op)) || !reads_others(op, block) ||
          !all_locate(c, s, op))
        return false;
  }
  return true;
}

/* ---- Whether the same happens in all cases ------------------------------------------------ */

static bool is_selectable(MlirType type) {
  return mlirTypeIsAIndex(type) || type_is_float(type) || type_is_integer(type);
}

/* Which effect of its case this is; -1 if it is none. */
static int effect_number(MlirOperation op) {
  if (mlirOperationIsNull(op) || !is_effect(op))
    return -1;
  int number = 0;
  for (OPERATIONS(before, mlirOperationGetBlock(op))) {
    if (mlirOperationEqual(before, op))
      break;
    number += is_effect(before);
  }
  return number;
}

/* One value, positions that the same effect made, or scalars to select from. */
static bool operand_agrees(MlirValue x, MlirValue y) {
  if (mlirValueEqual(x, y) || is_selectable(mlirValueGetType(x)))
    return true;
  int made = effect_number(value_owner(x));
  return made >= 0 && made == effect_number(value_owner(y));
}

static bool effects_agree(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumOperands(a);
  bool agree = mlirStringRefEqual(op_name(a), op_name(b)) &&
               count == mlirOperationGetNumOperands(b) && sit_op_level(a) == sit_op_level(b) &&
               (!sit_is_accumulate(a) || sit_accumulate_kind(a) == sit_accumulate_kind(b));
  for (intptr_t i = 0; agree && i < count; i++) {
    MlirValue x = mlirOperationGetOperand(a, i);
    agree = operand_agrees(x, mlirOperationGetOperand(b, i));
    for (intptr_t j = 0; j < i; j++)
      agree &= !mlirValueEqual(x, mlirOperationGetOperand(a, j));
  }
  return agree;
}

static void skip_pure(side *of) {
  while (!mlirOperationIsNull(of->at) && is_pure(of->at))
    of->at = mlirOperationGetNextInBlock(of->at);
}

static bool all_agree(sides s) {
  for (;;) {
    for (int i = 0; i < s.count; i++)
      skip_pure(&s.of[i]);
    bool ended = mlirOperationIsNull(s.of[0].at);
    for (int i = 1; i < s.count; i++)
      if (mlirOperationIsNull(s.of[i].at) != ended ||
          !(ended || effects_agree(s.of[0].at, s.of[i].at)))
        return false;
    if (ended)
      return true;
    for (int i = 0; i < s.count; i++)
      s.of[i].at = mlirOperationGetNextInBlock(s.of[i].at);
  }
}

/* Whether some case runs wherever some level of the point is. */
static bool covers(const all_cases *c, lattice_point point) {
  for (int i = 0; i < c->count; i++)
    if (set_size(c->cases[i]) == 1)
      point = set_minus(c->memory, point, c->cases[i]);
  return set_is_empty(point);
}

bool cases_selectable(arena *memory, MlirOperation op, int case_count, const lattice_point *cases,
                      lattice_point point) {
  all_cases c = {memory, op, case_count, cases};
  sides s;
  return covers(&c, point) && take_cases(&c, point, &s) && all_cheap(&c, &s) && all_agree(s);
}

/* All of the point's levels walked, each entry by itself. */
static bool walks_entries(const walked *w, lattice_point point) {
  for (int i = 0; i < w->level_count; i++)
    if (set_has(point, i) && w->levels[i].chained)
      return false;
  lattice_point all = set_union(w->k->memory, point, w->located);
  for (int i = 0; i < w->case_count; i++)
    if (set_meets(w->cases[i], w->located) && set_within(w->cases[i], all))
      return false;
  return true;
}

static bool choose(const walked *w, int64_t *number) {
  lattice_point points[WALKED_POINTS_MAX];
  (void)number;
  if (!walked_merges(w) || w->parallel || w->whole || w->in_lanes)
    return false;
  int count = walked_points(w->k->memory, w->op, w->located, points);
  for (int p = 0; p < count; p++)
    if (walks_entries(w, points[p]) &&
        cases_selectable(w->k->memory, w->op, w->case_count, w->cases, points[p]))
      return true;
  return false;
}

const strategy select_strategy = {
    .name = "select",
    .words = "chooses between the cases without branches",
    .choose = choose,
};

/* ---- All cases at once -------------------------------------------------------------------- */

static bool lower_pure(lowering *k, side *of) {
  bool good = true;
  for (; good && !mlirOperationIsNull(of->at) && is_pure(of->at);
       of->at = mlirOperationGetNextInBlock(of->at))
    good = lower_operation(k, of->at);
  return good;
}

/* Operand i of the effect that all sides are at: that of the side that is present. */
static MlirValue selected(lowering *k, const sides *s, intptr_t i) {
  MlirValue value = lowering_scalar(k, mlirOperationGetOperand(s->of[s->count - 1].at, i));
  for (int n = s->count - 2; n >= 0; n--) {
    MlirValue here = lowering_scalar(k, mlirOperationGetOperand(s->of[n].at, i));
    if (!mlirValueEqual(here, value))
      value = select_value(k->b, s->of[n].present, here, value);
  }
  return value;
}

/* Lowers the effect that all sides are at once, as that of side 0 with selected operands. */
static bool lower_effect(lowering *k, sides *s) {
  MlirOperation op = s->of[0].at;
  intptr_t count = mlirOperationGetNumOperands(op);
  lowered *own = ARENA_ARRAY(k->memory, lowered, count + 1);
  for (intptr_t i = 0; i < count; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    lowered joined = own[i] = *lowering_find(k, operand);
    if (is_selectable(mlirValueGetType(operand)))
      joined.value = selected(k, s, i);
    lowering_bind(k, operand, joined);
  }
  bool good = lower_operation(k, op);
  for (intptr_t i = 0; i < count; i++)
    lowering_bind(k, mlirOperationGetOperand(op, i), own[i]);
  return good;
}

/* What the effect of side 0 made is what those of the others made. */
static void share_results(lowering *k, sides *s) {
  MlirOperation op = s->of[0].at;
  for (int n = 0; n < s->count; n++) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      lowering_bind(k, mlirOperationGetResult(s->of[n].at, i),
                    *lowering_find(k, mlirOperationGetResult(op, i)));
    s->of[n].at = mlirOperationGetNextInBlock(s->of[n].at);
  }
}

static MlirValue all_present(coiteration *c, int number, const MlirValue *present) {
  MlirValue all = constant_bool(c->k->b, true);
  for (int i = 0; i < c->level_count; i++)
    if (set_has(c->cases[number], i))
      all = and_i(c->k->b, all, present[i]);
  return all;
}

bool cases_select(coiteration *c, lattice_point point, MlirValue coordinate,
                  const MlirValue *present, const lowered *positions) {
  all_cases all = {c->k->memory, c->op, c->case_count, c->cases};
  sides s;
  bool good = take_cases(&all, point, &s);
  for (int n = 0; n < s.count; n++) {
    s.of[n].present = n + 1 < s.count ? all_present(c, s.of[n].number, present) : (MlirValue){NULL};
    coiteration_bind(c, s.of[n].number, coordinate, positions);
  }
  while (good) {
    for (int n = 0; good && n < s.count; n++)
      good = lower_pure(c->k, &s.of[n]);
    if (!good || mlirOperationIsNull(s.of[0].at))
      break;
    good = lower_effect(c->k, &s);
    share_results(c->k, &s);
  }
  return good;
}
