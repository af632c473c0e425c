/* sparsify_windows.c - loops through windows of a few coordinates, which are written one after
 * another where all of them are there (cin-unroll).
 *
 *     l in max(0, c - 998) .. min(3, c + 1)       the taps of a filter, in the columns of a row:
 *                                                 all three where c - 998 <= 0 and 3 <= c + 1
 *     i in max(t, c - 2) .. min(t + 1024, c + 1)  the places that an entry is part of, in a tile:
 *                                                 all three where t <= c - 2, c + 1 <= t + 1024
 *
 *     if that holds, and there are just three     l = 0, 1, 2;  i = c - 2, c - 1, c
 *     else                                        a loop
 *
 * What is compared are the bounds before they were clipped: that is all that is worked out then.
 */
#include "sparsify_windows.h"

#include "cin_kernel.h"
#include "loop_cost.h"

/* Whether nothing but assignments is left of a body, once the loops in it are unrolled. */
static bool only_assigns(const block *code) {
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    bool unrolled = at->kind == STATEMENT_FORALL && op_integer(at->op, "unroll", 1) > 1;
    if (at->kind != STATEMENT_ASSIGNMENT && !(unrolled && only_assigns(&at->body)))
      return false;
  }
  return true;
}

bool window_is_written_out(const sparsifier *p, const index_statement *forall, const coiteration *c,
                           int64_t count) {
  bool counts = !c->count && c->case_count == 1 && !mlirValueIsNull(c->extent);
  bool in_form =
      cin_forall_is_window(forall->op) || provenance_is_in_form(p->graph, forall->variable);
  return counts && !mlirValueIsNull(c->low) && !mlirValueIsNull(c->high) && count > 1 &&
         count <= WRITTEN_OUT_MOST && !cin_unit_is_concurrent(c->unit) && in_form &&
         only_assigns(&forall->body);
}

/* Bounds as they were before they were clipped: from the greatest of `low` to the least of `high`,
 * where that is not less. */
enum { CLIPPED_MOST = 16 };
typedef struct clipped {
  MlirValue low[CLIPPED_MOST], high[CLIPPED_MOST];
  int low_count, high_count;
} clipped;

static bool is_of_two(MlirValue bound, const char *op, MlirValue *x, MlirValue *y) {
  MlirOperation owner = value_owner(bound);
  if (mlirOperationIsNull(owner) || !op_is(owner, op))
    return false;
  *x = mlirOperationGetOperand(owner, 0);
  *y = mlirOperationGetOperand(owner, 1);
  return true;
}

static bool is_same(MlirValue x, MlirValue y) {
  int64_t m, n;
  return mlirValueEqual(x, y) ||
         (value_is_constant_index(x, &m) && value_is_constant_index(y, &n) && m == n);
}

static void add_bound(MlirValue *all, int *count, MlirValue bound) {
  for (int n = 0; n < *count; ++n)
    if (is_same(all[n], bound))
      return;
  all[(*count)++] = bound;
}

static void add_low(clipped *all, MlirValue bound) {
  MlirValue x, y;
  if (all->low_count + 2 > CLIPPED_MOST || !is_of_two(bound, "arith.maxsi", &x, &y)) {
    add_bound(all->low, &all->low_count, bound);
    return;
  }
  add_low(all, x);
  add_low(all, y);
}

static bool is_low(const clipped *all, MlirValue bound) {
  MlirValue x, y;
  if (is_of_two(bound, "arith.maxsi", &x, &y))
    return is_low(all, x) && is_low(all, y);
  for (int n = 0; n < all->low_count; ++n)
    if (is_same(all->low[n], bound))
      return true;
  return false;
}

static void add_high(clipped *all, MlirValue bound) {
  MlirValue x, y;
  if (all->high_count + 2 <= CLIPPED_MOST && is_of_two(bound, "arith.minsi", &x, &y)) {
    add_high(all, x);
    add_high(all, y);
  } else if (is_of_two(bound, "arith.maxsi", &x, &y) && (is_low(all, x) || is_low(all, y))) {
    add_high(all, is_low(all, x) ? y : x);
  } else {
    add_bound(all->high, &all->high_count, bound);
  }
}

/* How many blocks are around what a value is computed from. */
static int depth_of(MlirValue value) {
  MlirOperation owner = value_owner(value);
  int depth = 0;
  if (mlirValueIsABlockArgument(value)) {
    owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    for (; !mlirOperationIsNull(owner); owner = mlirOperationGetParentOperation(owner))
      ++depth;
    return depth;
  }
  for (intptr_t n = 0; op_name_begins(owner, "arith.") && n < mlirOperationGetNumOperands(owner);
       ++n) {
    int of_operand = depth_of(mlirOperationGetOperand(owner, n));
    depth = of_operand > depth ? of_operand : depth;
  }
  return depth;
}

/* Where a window begins and ends that is as wide as `width`: of those between a bound and that and
 * some more, the one that moves with the innermost loop, and not a tile of what it goes through. */
static bool find_window(const clipped *all, MlirValue *low, MlirValue *high, MlirValue *width) {
  MlirValue x, y;
  int deepest = 0;
  for (int h = 0; h < all->high_count; ++h)
    for (int l = 0; l < all->low_count; ++l)
      if (is_of_two(all->high[h], "arith.addi", &x, &y) && depth_of(all->low[l]) > deepest &&
          (mlirValueEqual(x, all->low[l]) || mlirValueEqual(y, all->low[l]))) {
        deepest = depth_of(all->low[l]);
        *low = all->low[l];
        *high = all->high[h];
        *width = mlirValueEqual(x, *low) ? y : x;
      }
  return deepest > 0;
}

/* Whether nothing is clipped off of the window that these bounds are: two comparisons, with what
 * loops around tell as one number each. */
static MlirValue is_whole(builder *b, const clipped *all, MlirValue low, MlirValue high,
                          MlirValue from, MlirValue to) {
  MlirValue least = {NULL}, most = {NULL}, yes = constant_bool(b, true);
  for (int n = 0; n < all->low_count; ++n)
    if (!is_same(all->low[n], low))
      least = least.ptr ? max_i(b, least, all->low[n]) : all->low[n];
  for (int n = 0; n < all->high_count; ++n)
    if (!is_same(all->high[n], high))
      most = most.ptr ? min_i(b, most, all->high[n]) : all->high[n];
  MlirValue begins = least.ptr ? less_equal(b, least, from) : yes;
  return and_i(b, begins, most.ptr ? less_equal(b, to, most) : yes);
}

/* A sum or difference with `by` in place of a number that it is of. */
static MlirValue sum_with(builder *b, MlirValue sum, MlirValue number, MlirValue by) {
  MlirValue x, y;
  if (mlirValueEqual(sum, number))
    return by;
  bool adds = is_of_two(sum, "arith.addi", &x, &y);
  if (!adds && !is_of_two(sum, "arith.subi", &x, &y))
    return sum;
  MlirValue left = sum_with(b, x, number, by), right = sum_with(b, y, number, by);
  if (mlirValueEqual(left, x) && mlirValueEqual(right, y))
    return sum;
  return (adds ? add : sub)(b, left, right);
}

/* Of bounds as they were before they were clipped, so that these are not worked out where all is in
 * them. */
MlirValue emit_window_is_whole(sparsifier *p, const index_statement *forall, const coiteration *c,
                               int64_t count, coiteration *whole) {
  builder *b = p->b;
  MlirValue all = constant_index(b, count), zero = constant_index(b, 0), low, high, width;
  clipped bounds = {.low_count = 0};
  *whole = *c;
  whole->unroll = (MlirAttribute){NULL};
  add_low(&bounds, c->low);
  add_high(&bounds, c->high);
  if (cin_forall_is_window(forall->op) && find_window(&bounds, &low, &high, &width)) {
    MlirValue is_wide = equal(b, width, all);
    whole->low = sum_with(b, low, width, all);
    whole->high = add(b, whole->low, all);
    return and_i(b, is_wide, is_whole(b, &bounds, low, high, whole->low, whole->high));
  }
  whole->low = whole->high = (MlirValue){NULL};
  whole->extent = all;
  return and_i(b, equal(b, c->extent, all), is_whole(b, &bounds, zero, c->extent, zero, all));
}
