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

/* ---- The loops around ---------------------------------------------------------------------- */

static bool is_coordinate_of(MlirOperation loop, MlirValue value) {
  for (intptr_t i = 0; i < sit_coiterate_case_count(loop); i++)
    if (mlirValueEqual(mlirBlockGetArgument(sit_coiterate_case_body(loop, i), 0), value))
      return true;
  return false;
}

/* The coordinate of a loop, in its first case. */
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

/* The next loop around an operation, whatever branches are between. */
static MlirOperation next_loop(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!sit_is_coiterate(op));
  return op;
}

/* The loop that a value is the coordinate of; null of others. */
static MlirOperation loop_with(MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsABlockArgument(value) || mlirBlockArgumentGetArgNumber(value) != 0)
    return none;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return sit_is_coiterate(loop) ? loop : none;
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

/* ---- Sums ---------------------------------------------------------------------------------- */

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

static bool is_zero(const linear *x) {
  return x->count == 0;
}

static bool equals(const linear *x, const linear *y) {
  linear difference = sum_of(*x, y, -1);
  return is_zero(&difference);
}

/* ---- Finding it ---------------------------------------------------------------------------- */

/* Whether a value is computed of the coordinates of loops, up to `outer`, and of what is there
 * outside of that. */
static bool computes(MlirOperation outer, MlirValue value) {
  if (!value_is_made_in(outer, value))
    return true;
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op))
    return loop_with(value).ptr;
  bool all = op_name_begins(op, "arith.") || sit_is_extent(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    all = all && computes(outer, mlirOperationGetOperand(op, i));
  return all;
}

/* The same of where each loop between an operation and `outer` begins. */
static bool computes_begins(MlirOperation outer, MlirOperation op) {
  for (MlirOperation at = next_loop(op); !mlirOperationEqual(at, outer); at = next_loop(at))
    if (sit_coiterate_lower(at).ptr && !computes(outer, sit_coiterate_lower(at)))
      return false;
  return true;
}

/* What a value is where the loops in `outer` begin, whose coordinate is the same in all cases. */
static linear begin_of(MlirOperation outer, MlirValue value) {
  linear sum = linear_of(outer, value), begin = number_of(0);
  if (sum.count < 0)
    return not_linear;
  for (int i = 0; i < sum.count; i++) {
    linear one = {.terms = {sum.terms[i]}, .count = 1};
    MlirValue coordinate = one.terms[0].coordinate;
    if (coordinate.ptr && is_coordinate_of(outer, coordinate)) {
      one.terms[0].coordinate = coordinate_of(outer);
    } else if (coordinate.ptr) {
      MlirValue lower = sit_coiterate_lower(loop_with(coordinate));
      linear from = lower.ptr ? begin_of(outer, lower) : number_of(0);
      one.terms[0].coordinate = (MlirValue){NULL};
      one = product_of(from, &one);
    }
    begin = sum_of(begin, &one, 1);
  }
  return begin;
}

static bool begin_alike(MlirOperation outer, MlirOperation x, MlirOperation y) {
  MlirValue of_x = sit_op_coordinate(x), of_y = sit_op_coordinate(y);
  if (mlirValueEqual(of_x, of_y))
    return true;
  linear from_x = begin_of(outer, of_x), from_y = begin_of(outer, of_y);
  return from_x.count >= 0 && equals(&from_x, &from_y);
}

/* The loop in `outer` whose coordinate it is, from a place on that is said; null for none. */
static MlirOperation loop_through_part(MlirOperation outer, MlirValue coordinate) {
  MlirOperation none = {NULL}, loop = loop_with(coordinate);
  if (mlirOperationIsNull(loop) || sit_coiterate_count(outer) ||
      sit_coiterate_case_count(outer) != 1)
    return none;
  bool is_part =
      sit_coiterate_lower(loop).ptr && sit_coiterate_upper(loop).ptr && is_counted_to(outer, loop);
  return is_part ? loop : none;
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
  MlirOperation inside = loop_through_part(f->loop, sit_op_coordinate(op));
  bool first = mlirOperationIsNull(f->entry);
  f->follows = computes(f->loop, sit_op_coordinate(op)) && computes_begins(f->loop, op) &&
               (first || begin_alike(f->loop, f->entry, op));
  f->inside = first || mlirOperationEqual(inside, f->inside) ? inside : (MlirOperation){NULL};
  f->entry = op;
  return f->follows;
}

first_level first_level_of(const lowering *k, MlirOperation loop) {
  finding n = {sit_kernel_result(k->op), {.loop = loop, .follows = true}};
  visit_below(loop, visit, &n);
  return n.f;
}

MlirOperation first_level_loop(const first_level *f) {
  return f->inside.ptr ? f->inside : f->loop;
}

/* ---- Where it begins ---------------------------------------------------------------------- */

static void bind_coordinate(lowering *k, MlirOperation loop, MlirValue at) {
  for (intptr_t i = 0; i < sit_coiterate_case_count(loop); i++)
    lowering_bind(k, mlirBlockGetArgument(sit_coiterate_case_body(loop, i), 0),
                  (lowered){.value = at});
}

/* Those of the loops around `op`: `at` of the outer one, of the others where they begin. */
static void bind_begins(lowering *k, MlirOperation outer, MlirOperation op, MlirValue at) {
  MlirOperation loop = next_loop(op);
  bool is_outer = mlirOperationEqual(loop, outer);
  if (!is_outer) {
    bind_begins(k, outer, loop, at);
    MlirValue lower = sit_coiterate_lower(loop);
    at = lower.ptr ? lowering_ahead(k, outer, lower) : constant_index(k->b, 0);
  }
  bind_coordinate(k, loop, at);
}

MlirValue first_level_begin(lowering *k, const first_level *f, MlirValue at) {
  if (!f->entry.ptr)
    return at;
  bind_begins(k, f->loop, f->entry, at);
  return lowering_ahead(k, f->loop, sit_op_coordinate(f->entry));
}

/* ---- Whether parts follow without a gap --------------------------------------------------- */

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
    return f->follows && !f->entry.ptr;
  MlirValue from = sit_coiterate_lower(f->inside), to = sit_coiterate_upper(f->inside);
  to = without_limit(f->loop, without_lower(to, from), limit);
  linear lower = linear_of(f->loop, from), upper = linear_of(f->loop, to);
  linear width = sum_of(upper, &lower, -1), constant = coefficient_of(&width, (MlirValue){NULL});
  return lower.count >= 0 && width.count > 0 && equals(&width, &constant) &&
         steps_over(f, &lower, width);
}
