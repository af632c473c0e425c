/* first_level.c - the loop that goes over the coordinates of a result's first level; see
 * first_level.h.
 *
 * Parts follow each other without a gap where the bounds of the loop through one are linear in the
 * coordinates of the loops around, with these coefficients:
 *
 *     upper - lower                     w       from 32 i0 + 8 i1 to 32 i0 + 8 i1 + 8:  w = 8
 *     of the loop right around          w       of i1
 *     of one that has n of these in it  w n     of i0, with n = 4
 */
#include "first_level.h"

#include "ir.h"
#include "kernel.h"
#include "sit.h"

/* ---- Finding it --------------------------------------------------------------------------- */

static bool is_coordinate_of(MlirOperation loop, MlirValue value) {
  for (intptr_t i = 0; i < sit_coiterate_case_count(loop); i++)
    if (mlirValueEqual(mlirBlockGetArgument(sit_coiterate_case_body(loop, i), 0), value))
      return true;
  return false;
}

/* The coordinate of a loop of one case. */
static MlirValue coordinate_of(MlirOperation loop) {
  return mlirBlockGetArgument(sit_coiterate_case_body(loop, 0), 0);
}

/* The loop right around an operation, which counts, where that is in its one case. */
static MlirOperation loop_of(MlirOperation op) {
  MlirOperation loop = mlirOperationGetParentOperation(op), none = {NULL};
  bool counts =
      sit_is_coiterate(loop) && sit_coiterate_case_count(loop) == 1 && !sit_coiterate_count(loop);
  return counts ? loop : none;
}

/* Whether loops that count from 0 on, between an operation and `outer`, are all there is around
 * it. */
static bool is_counted_to(MlirOperation outer, MlirOperation op) {
  MlirOperation loop = loop_of(op);
  while (!mlirOperationIsNull(loop) && !mlirOperationEqual(loop, outer)) {
    if (sit_coiterate_lower(loop).ptr)
      return false;
    loop = loop_of(loop);
  }
  return !mlirOperationIsNull(loop);
}

static bool computes(MlirOperation loop, MlirValue value) {
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op) || !value_is_made_in(loop, value))
    return true;
  bool all = op_name_begins(op, "arith.") || sit_is_extent(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    all = all && computes(loop, mlirOperationGetOperand(op, i));
  return all;
}

/* The loop in `loop` whose coordinate it is, from a place on that is computed; null for none. */
static MlirOperation loop_inside(MlirOperation loop, MlirValue coordinate) {
  MlirOperation none = {NULL};
  if (!mlirValueIsABlockArgument(coordinate) || sit_coiterate_count(loop) ||
      sit_coiterate_case_count(loop) != 1)
    return none;
  MlirOperation inside = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(coordinate));
  bool is_part = sit_is_coiterate(inside) && mlirBlockArgumentGetArgNumber(coordinate) == 0 &&
                 sit_coiterate_lower(inside).ptr && sit_coiterate_upper(inside).ptr &&
                 is_counted_to(loop, inside);
  return is_part && computes(loop, sit_coiterate_lower(inside)) ? inside : none;
}

typedef struct finding {
  MlirValue result;
  first_level f;
} finding;

static bool visit(MlirOperation op, void *data) {
  finding *n = data;
  first_level *f = &n->f;
  if ((!sit_is_insert(op) && !sit_is_append(op)) || sit_op_level(op) != 0 ||
      !mlirValueEqual(sit_op_tensor(op), n->result) ||
      is_coordinate_of(f->loop, sit_op_coordinate(op)))
    return true;
  MlirOperation inside = loop_inside(f->loop, sit_op_coordinate(op));
  bool other = f->inside.ptr && !mlirOperationEqual(inside, f->inside);
  f->follows = inside.ptr && !other;
  f->inside = inside;
  return f->follows;
}

first_level first_level_of(const lowering *k, MlirOperation loop) {
  finding n = {sit_kernel_result(k->op), {loop, true, {NULL}}};
  visit_below(loop, visit, &n);
  return n.f;
}

MlirOperation first_level_loop(const first_level *f) {
  return f->inside.ptr ? f->inside : f->loop;
}

/* ---- Where it begins ---------------------------------------------------------------------- */

static bool compute(lowering *k, MlirOperation loop, MlirValue value) {
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op) || !value_is_made_in(loop, value))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!compute(k, loop, mlirOperationGetOperand(op, i)))
      return false;
  return lower_operation(k, op);
}

/* Those of loops between: all begin where they do. */
static void bind_first(lowering *k, const first_level *f, MlirValue at) {
  for (MlirOperation loop = loop_of(f->inside); !mlirOperationEqual(loop, f->loop);
       loop = loop_of(loop))
    lowering_bind(k, coordinate_of(loop), (lowered){.value = constant_index(k->b, 0)});
  lowering_bind(k, coordinate_of(f->loop), (lowered){.value = at});
}

MlirValue first_level_begin(lowering *k, const first_level *f, MlirValue at) {
  if (!f->inside.ptr)
    return at;
  MlirValue lower = sit_coiterate_lower(f->inside);
  bind_first(k, f, at);
  compute(k, f->loop, lower);
  return lowering_scalar(k, lower);
}

/* ---- Whether parts follow without a gap --------------------------------------------------- */

/* A sum of terms: a number, times a coordinate of a loop, times a value from outside of all (each
 * null: times 1). */
typedef struct term {
  MlirValue coordinate, factor;
  int64_t number;
} term;

enum { TERMS = 8 };

typedef struct linear {
  term terms[TERMS];
  int count; /* -1: it is no such sum */
} linear;

static const linear not_linear = {.count = -1};

static bool is_same(MlirValue x, MlirValue y) {
  return mlirValueEqual(x, y) || (!x.ptr && !y.ptr);
}

static bool are_alike(const term *x, const term *y) {
  return is_same(x->coordinate, y->coordinate) && is_same(x->factor, y->factor);
}

/* x + sign y */
static linear sum_of(linear x, const linear *y, int64_t sign) {
  if (x.count < 0 || y->count < 0)
    return not_linear;
  for (int i = 0; i < y->count; i++) {
    int at = 0;
    while (at < x.count && !are_alike(&x.terms[at], &y->terms[i]))
      at++;
    if (at == TERMS)
      return not_linear;
    if (at == x.count)
      x.terms[x.count++] = (term){y->terms[i].coordinate, y->terms[i].factor, 0};
    x.terms[at].number += sign * y->terms[i].number;
    if (!x.terms[at].number)
      x.terms[at] = x.terms[--x.count];
  }
  return x;
}

/* The product, where no more than one of the two has a coordinate, or a value from outside. */
static bool multiply(term *x, const term *y) {
  if ((x->coordinate.ptr && y->coordinate.ptr) || (x->factor.ptr && y->factor.ptr))
    return false;
  x->coordinate = x->coordinate.ptr ? x->coordinate : y->coordinate;
  x->factor = x->factor.ptr ? x->factor : y->factor;
  x->number *= y->number;
  return true;
}

static linear product_of(linear x, const linear *y) {
  if (x.count < 0 || y->count != 1)
    return not_linear;
  for (int i = 0; i < x.count; i++)
    if (!multiply(&x.terms[i], &y->terms[0]))
      return not_linear;
  return x;
}

static linear number_of(int64_t number) {
  linear n = {.terms = {{.number = number}}, .count = number != 0};
  return n;
}

/* A value in the loop, or in one that it is around. */
static linear linear_of(MlirOperation loop, MlirValue value) {
  int64_t number;
  if (value_is_constant_index(value, &number))
    return number_of(number);
  linear alone = {.terms = {{.number = 1}}, .count = 1};
  if (mlirValueIsABlockArgument(value) && value_is_made_in(loop, value))
    alone.terms[0].coordinate = value;
  else
    alone.terms[0].factor = value;
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op) || !value_is_made_in(loop, value))
    return alone;
  if (!op_is(op, "arith.addi") && !op_is(op, "arith.muli"))
    return not_linear;
  linear x = linear_of(loop, mlirOperationGetOperand(op, 0));
  linear y = linear_of(loop, mlirOperationGetOperand(op, 1));
  if (op_is(op, "arith.addi"))
    return sum_of(x, &y, 1);
  return y.count == 1 ? product_of(x, &y) : product_of(y, &x);
}

/* What a coordinate is multiplied by; with null: the terms that have none. */
static linear coefficient_of(const linear *sum, MlirValue coordinate) {
  linear found = number_of(0);
  for (int i = 0; i < sum->count; i++)
    if (is_same(sum->terms[i].coordinate, coordinate))
      found.terms[found.count++] = sum->terms[i];
  for (int i = 0; i < found.count; i++)
    found.terms[i].coordinate = (MlirValue){NULL};
  return found;
}

static bool is_zero(const linear *x) {
  return x->count == 0;
}

static bool equals(const linear *x, const linear *y) {
  linear difference = sum_of(*x, y, -1);
  return is_zero(&difference);
}

/* `upper` of max(upper, lower). */
static MlirValue without_lower(MlirValue upper, MlirValue lower) {
  MlirOperation op = value_owner(upper);
  bool clipped = !mlirOperationIsNull(op) && op_is(op, "arith.maxsi") &&
                 mlirValueEqual(mlirOperationGetOperand(op, 1), lower);
  return clipped ? mlirOperationGetOperand(op, 0) : upper;
}

/* `upper` of min(upper, limit), where the limit is from outside of the loop. */
static MlirValue without_limit(MlirOperation loop, MlirValue upper, MlirValue *limit) {
  MlirOperation op = value_owner(upper);
  *limit = (MlirValue){NULL};
  if (mlirOperationIsNull(op) || !op_is(op, "arith.minsi") ||
      value_is_made_in(loop, mlirOperationGetOperand(op, 1)))
    return upper;
  *limit = mlirOperationGetOperand(op, 1);
  return mlirOperationGetOperand(op, 0);
}

/* Whether loops around, up to that on threads, step over as much as is in an iteration of theirs,
 * which in the innermost is `width`. */
static bool steps_over(const first_level *f, const linear *lower, linear width) {
  MlirOperation loop = loop_of(f->inside);
  for (;;) {
    linear step = coefficient_of(lower, coordinate_of(loop));
    if (width.count < 0 || !equals(&step, &width))
      return false;
    if (mlirOperationEqual(loop, f->loop))
      return true;
    if (sit_coiterate_upper(loop).ptr)
      return false;
    linear times = linear_of(f->loop, sit_coiterate_extent(loop));
    width = product_of(times, &width);
    loop = loop_of(loop);
  }
}

bool first_level_is_gapless(const first_level *f, MlirValue *limit) {
  *limit = (MlirValue){NULL};
  if (!f->follows || !f->inside.ptr)
    return f->follows;
  MlirValue from = sit_coiterate_lower(f->inside), to = sit_coiterate_upper(f->inside);
  to = without_limit(f->loop, without_lower(to, from), limit);
  linear lower = linear_of(f->loop, from), upper = linear_of(f->loop, to);
  linear width = sum_of(upper, &lower, -1), constant = coefficient_of(&width, (MlirValue){NULL});
  return lower.count >= 0 && width.count > 0 && equals(&width, &constant) &&
         steps_over(f, &lower, width);
}
