/* remap.c - the expressions of dimensions that levels may hold: their one form, and their parts. */
#include "remap.h"

#include "arena.h"

static const MlirAffineExpr no_expression = {NULL};

static MlirAffineExpr left_of(MlirAffineExpr e) {
  return mlirAffineBinaryOpExprGetLHS(e);
}

static MlirAffineExpr right_of(MlirAffineExpr e) {
  return mlirAffineBinaryOpExprGetRHS(e);
}

static bool is_product_by_constant(MlirAffineExpr e) {
  return mlirAffineExprIsAMul(e) && mlirAffineExprIsAConstant(right_of(e));
}

static bool is_linear(MlirAffineExpr e) {
  return mlirAffineExprIsAAdd(e) || is_product_by_constant(e);
}

/* ---- What levels can hold ----------------------------------------------------------------- */

/* A part of an expression; counters and constants are none. */
static bool is_part(MlirAffineExpr e) {
  if (mlirAffineExprIsADim(e))
    return true;
  if (!mlirAffineExprIsABinary(e))
    return false;
  if (mlirAffineExprIsAAdd(e))
    return is_part(left_of(e)) && (is_part(right_of(e)) || mlirAffineExprIsAConstant(right_of(e)));
  return is_part(left_of(e)) && mlirAffineExprIsAConstant(right_of(e)) &&
         (mlirAffineExprIsAMul(e) || mlirAffineConstantExprGetValue(right_of(e)) > 0);
}

/* ---- Linear forms ------------------------------------------------------------------------- */

/* So that sums of products with extents of dimensions are told to fit from their factors alone. */
#define MOST_FACTOR (INT64_C(1) << 48)

typedef struct linear_form {
  int count;
  remap_term *terms;
  int64_t constant;
  bool fits;
} linear_form;

static int term_total(MlirAffineExpr e) {
  if (mlirAffineExprIsAAdd(e))
    return term_total(left_of(e)) + term_total(right_of(e));
  return is_product_by_constant(e) ? term_total(left_of(e)) : 1;
}

static int compare_numbers(int64_t x, int64_t y) {
  return (x > y) - (x < y);
}

/* An order that depends on nothing but the expressions: dimensions by their numbers, then what is
 * deeper. */
static int compare_parts(MlirAffineExpr x, MlirAffineExpr y) {
  bool x_leaf = !mlirAffineExprIsABinary(x), y_leaf = !mlirAffineExprIsABinary(y);
  if (x_leaf != y_leaf)
    return x_leaf ? -1 : 1;
  if (mlirAffineExprIsADim(x) && mlirAffineExprIsADim(y))
    return compare_numbers(mlirAffineDimExprGetPosition(x), mlirAffineDimExprGetPosition(y));
  if (mlirAffineExprIsAConstant(x) && mlirAffineExprIsAConstant(y))
    return compare_numbers(mlirAffineConstantExprGetValue(x), mlirAffineConstantExprGetValue(y));
  if (x_leaf)
    return mlirAffineExprIsADim(x) ? -1 : 1;
  int left = compare_parts(left_of(x), left_of(y));
  if (!left)
    left = compare_parts(right_of(x), right_of(y));
  return left ? left : compare_numbers(mlirAffineExprIsAMod(x), mlirAffineExprIsAMod(y));
}

static bool comes_before(const remap_term *x, const remap_term *y) {
  if ((x->factor > 0) != (y->factor > 0))
    return x->factor > 0;
  return compare_parts(x->of, y->of) < 0;
}

static void add_term(linear_form *f, MlirAffineExpr of, int64_t factor) {
  int n = 0;
  while (n < f->count && !mlirAffineExprEqual(f->terms[n].of, of))
    ++n;
  if (n == f->count)
    f->terms[f->count++] = (remap_term){of, 0};
  f->terms[n].factor += factor;
  f->fits &= f->terms[n].factor <= MOST_FACTOR && f->terms[n].factor >= -MOST_FACTOR;
}

static void add_constant(linear_form *f, int64_t factor, int64_t constant) {
  int64_t product = 0;
  f->fits &= !__builtin_mul_overflow(factor, constant, &product) &&
             !__builtin_add_overflow(f->constant, product, &f->constant) &&
             f->constant <= MOST_FACTOR && f->constant >= -MOST_FACTOR;
}

/* Adds factor * e, whose parts are canonical already unless they are sums. */
static void add_form(linear_form *f, MlirAffineExpr e, int64_t factor) {
  int64_t product = 0;
  if (!f->fits)
    return;
  if (mlirAffineExprIsAConstant(e)) {
    add_constant(f, factor, mlirAffineConstantExprGetValue(e));
  } else if (mlirAffineExprIsAAdd(e)) {
    add_form(f, left_of(e), factor);
    add_form(f, right_of(e), factor);
  } else if (is_product_by_constant(e)) {
    f->fits &=
        !__builtin_mul_overflow(factor, mlirAffineConstantExprGetValue(right_of(e)), &product) &&
        product <= MOST_FACTOR && product >= -MOST_FACTOR;
    add_form(f, left_of(e), product);
  } else {
    add_term(f, e, factor);
  }
}

static void sort_terms(linear_form *f) {
  for (int n = 1; n < f->count; ++n)
    for (int m = n; m > 0 && comes_before(&f->terms[m], &f->terms[m - 1]); --m) {
      remap_term term = f->terms[m];
      f->terms[m] = f->terms[m - 1];
      f->terms[m - 1] = term;
    }
}

static MlirAffineExpr constant_of(MlirAffineExpr like, int64_t value) {
  return mlirAffineConstantExprGet(mlirAffineExprGetContext(like), value);
}

static MlirAffineExpr rebuilt(const linear_form *f, MlirAffineExpr like) {
  MlirAffineExpr sum = no_expression;
  for (int n = 0; n < f->count; ++n) {
    const remap_term *t = &f->terms[n];
    MlirAffineExpr term =
        t->factor == 1 ? t->of : mlirAffineMulExprGet(t->of, constant_of(like, t->factor));
    if (t->factor)
      sum = mlirAffineExprIsNull(sum) ? term : mlirAffineAddExprGet(sum, term);
  }
  if (mlirAffineExprIsNull(sum))
    return constant_of(like, f->constant);
  return f->constant ? mlirAffineAddExprGet(sum, constant_of(like, f->constant)) : sum;
}

static MlirAffineExpr canonical_part(MlirAffineExpr e);

/* A sum with its parts in their one form. */
static MlirAffineExpr with_canonical_parts(MlirAffineExpr e) {
  if (mlirAffineExprIsAAdd(e)) {
    MlirAffineExpr left = with_canonical_parts(left_of(e));
    MlirAffineExpr right = with_canonical_parts(right_of(e));
    bool none = mlirAffineExprIsNull(left) || mlirAffineExprIsNull(right);
    return none ? no_expression : mlirAffineAddExprGet(left, right);
  }
  if (is_product_by_constant(e)) {
    MlirAffineExpr left = with_canonical_parts(left_of(e));
    return mlirAffineExprIsNull(left) ? left : mlirAffineMulExprGet(left, right_of(e));
  }
  return mlirAffineExprIsAConstant(e) ? e : canonical_part(e);
}

static MlirAffineExpr canonical_sum(MlirAffineExpr e) {
  MlirAffineExpr whole = with_canonical_parts(e);
  if (mlirAffineExprIsNull(whole))
    return whole;
  arena *memory = arena_create();
  linear_form f = {.terms = ARENA_ARRAY(memory, remap_term, term_total(whole)), .fits = true};
  add_form(&f, whole, 1);
  sort_terms(&f);
  MlirAffineExpr sum = f.fits ? rebuilt(&f, e) : no_expression;
  arena_free(memory);
  return sum;
}

/* ---- Quotients and remainders ------------------------------------------------------------- */

static MlirAffineExpr quotient(MlirAffineExpr x, int64_t size) {
  int64_t inner, product;
  if (size == 1)
    return x;
  if (mlirAffineExprIsAFloorDiv(x)) {
    inner = mlirAffineConstantExprGetValue(right_of(x));
    return __builtin_mul_overflow(inner, size, &product) ? no_expression
                                                         : quotient(left_of(x), product);
  }
  if (mlirAffineExprIsAMod(x)) {
    inner = mlirAffineConstantExprGetValue(right_of(x));
    if (inner % size == 0 && inner > size)
      return mlirAffineModExprGet(quotient(left_of(x), size), constant_of(x, inner / size));
  }
  return mlirAffineFloorDivExprGet(x, constant_of(x, size));
}

static MlirAffineExpr remainder_of(MlirAffineExpr x, int64_t size) {
  if (mlirAffineExprIsAMod(x) && mlirAffineConstantExprGetValue(right_of(x)) % size == 0)
    x = left_of(x);
  return mlirAffineModExprGet(x, constant_of(x, size));
}

/* (x + size - 1) floordiv size. */
static MlirAffineExpr rounded_up(MlirAffineExpr x, int64_t size) {
  MlirAffineExpr sum = canonical_sum(mlirAffineAddExprGet(x, constant_of(x, size - 1)));
  return mlirAffineExprIsNull(sum) ? sum : quotient(sum, size);
}

/* What a level can hold, but no counter, in its one form; else null. */
static MlirAffineExpr canonical_part(MlirAffineExpr e) {
  if (mlirAffineExprIsADim(e))
    return e;
  if (!mlirAffineExprIsABinary(e))
    return no_expression;
  if (is_linear(e))
    return canonical_sum(e);
  if (!mlirAffineExprIsAConstant(right_of(e)) || mlirAffineExprIsAMul(e))
    return no_expression;
  MlirAffineExpr x = canonical_part(left_of(e));
  int64_t size = mlirAffineConstantExprGetValue(right_of(e));
  if (mlirAffineExprIsNull(x) || !is_part(x) || size < 1)
    return no_expression;
  if (mlirAffineExprIsAMod(e))
    return remainder_of(x, size);
  return mlirAffineExprIsACeilDiv(e) ? rounded_up(x, size) : quotient(x, size);
}

MlirAffineExpr remap_canonical(MlirAffineExpr expression) {
  MlirAffineExpr part = canonical_part(expression);
  return mlirAffineExprIsNull(part) ? expression : part;
}

/* ---- Taking apart ------------------------------------------------------------------------- */

static int term_count(MlirAffineExpr e) {
  if (!mlirAffineExprIsAAdd(e))
    return !mlirAffineExprIsAConstant(e);
  return term_count(left_of(e)) + term_count(right_of(e));
}

static int64_t trailing_constant(MlirAffineExpr e) {
  if (!mlirAffineExprIsAAdd(e) || !mlirAffineExprIsAConstant(right_of(e)))
    return 0;
  return mlirAffineConstantExprGetValue(right_of(e));
}

static void take_apart(MlirAffineExpr e, remap *r) {
  if (is_linear(e)) {
    *r = (remap){REMAP_LINEAR, .count = term_count(e), .constant = trailing_constant(e)};
    return;
  }
  r->kind = mlirAffineExprIsAMod(e) ? REMAP_REMAINDER : REMAP_QUOTIENT;
  r->of = left_of(e);
  r->size = mlirAffineConstantExprGetValue(right_of(e));
}

bool remap_of(MlirAffineExpr e, remap *r) {
  *r = (remap){.dimension = -1};
  if (mlirAffineExprIsASymbol(e))
    *r = (remap){REMAP_COUNTER, .dimension = (int)mlirAffineSymbolExprGetPosition(e)};
  else if (mlirAffineExprIsAConstant(e))
    *r = (remap){REMAP_CONSTANT, .constant = mlirAffineConstantExprGetValue(e), .dimension = -1};
  else if (mlirAffineExprIsABinary(e) && !mlirAffineExprIsACeilDiv(e) && is_part(e))
    take_apart(e, r);
  r->expression = e;
  return r->kind != REMAP_NONE;
}

static remap_term term_in(MlirAffineExpr e, int n) {
  while (mlirAffineExprIsAAdd(e)) {
    int before = term_count(left_of(e));
    e = n < before ? left_of(e) : right_of(e);
    n = n < before ? n : n - before;
  }
  if (!is_product_by_constant(e))
    return (remap_term){e, 1};
  return (remap_term){left_of(e), mlirAffineConstantExprGetValue(right_of(e))};
}

remap_term remap_term_at(const remap *r, int n) {
  return term_in(r->expression, n);
}

int remap_part_count(const remap *r) {
  if (r->kind == REMAP_LINEAR)
    return r->count;
  return r->kind == REMAP_QUOTIENT || r->kind == REMAP_REMAINDER;
}

MlirAffineExpr remap_part(const remap *r, int n) {
  return r->kind == REMAP_LINEAR ? remap_term_at(r, n).of : r->of;
}

MlirAffineExpr remap_of_parts(const remap *r, const MlirAffineExpr *parts) {
  MlirAffineExpr sum = no_expression;
  if (r->kind == REMAP_CONSTANT)
    return r->expression;
  if (r->kind != REMAP_LINEAR) {
    MlirAffineExpr size = constant_of(r->expression, r->size);
    return r->kind == REMAP_QUOTIENT ? mlirAffineFloorDivExprGet(parts[0], size)
                                     : mlirAffineModExprGet(parts[0], size);
  }
  for (int n = 0; n < r->count; ++n) {
    MlirAffineExpr factor = constant_of(r->expression, remap_term_at(r, n).factor);
    MlirAffineExpr term = mlirAffineMulExprGet(parts[n], factor);
    sum = n ? mlirAffineAddExprGet(sum, term) : term;
  }
  return mlirAffineAddExprGet(sum, constant_of(r->expression, r->constant));
}

int remap_counted(MlirAffineExpr expression) {
  remap r;
  return remap_of(expression, &r) && r.kind == REMAP_COUNTER ? r.dimension : -1;
}

bool remap_is_of_alone(const remap *r, int dimension) {
  for (int n = 0; n < remap_part_count(r); ++n) {
    remap inner;
    MlirAffineExpr part = remap_part(r, n);
    if (mlirAffineExprIsADim(part)
            ? mlirAffineDimExprGetPosition(part) != dimension
            : !remap_of(part, &inner) || !remap_is_of_alone(&inner, dimension))
      return false;
  }
  return r->kind != REMAP_CONSTANT && (r->kind != REMAP_COUNTER || r->dimension == dimension);
}

bool remap_solves(MlirAffineExpr expression, int dimension) {
  remap r;
  bool solves = false;
  if (!remap_of(expression, &r) || r.kind != REMAP_LINEAR || r.count < 2)
    return false;
  for (int n = 0; n < r.count; ++n) {
    remap_term t = remap_term_at(&r, n);
    if (!mlirAffineExprIsADim(t.of))
      return false;
    bool is_it = mlirAffineDimExprGetPosition(t.of) == dimension;
    solves |= is_it && (t.factor == 1 || t.factor == -1);
  }
  return solves;
}

static bool fits(int64_t number) {
  return number <= MOST_FACTOR && number >= -MOST_FACTOR;
}

bool remap_is_form(MlirAffineExpr expression) {
  remap r;
  bool is = remap_of(expression, &r) && r.kind == REMAP_LINEAR && fits(r.constant);
  for (int n = 0; is && n < r.count; ++n) {
    remap_term t = remap_term_at(&r, n);
    is = mlirAffineExprIsADim(t.of) && t.factor && fits(t.factor);
    for (int m = 0; is && m < n; ++m)
      is = !mlirAffineExprEqual(remap_term_at(&r, m).of, t.of);
  }
  return is;
}

bool remap_is_counted_from_zero(MlirAffineExpr expression) {
  remap r;
  bool is = remap_of(expression, &r);
  if (!is || r.kind != REMAP_LINEAR)
    return is;
  for (int n = 0; n < r.count; ++n)
    is &= remap_term_at(&r, n).factor > 0;
  return is && r.constant >= 0;
}

/* ---- Digits ------------------------------------------------------------------------------- */

/* The number that `e` is a digit of, and the weight of its place: (x floordiv 4) mod 4 is of x and
 * 4.  Null for none. */
static MlirAffineExpr number_of(MlirAffineExpr e, int64_t *place) {
  remap r;
  *place = 1;
  if (!remap_of(e, &r) || (r.kind != REMAP_QUOTIENT && r.kind != REMAP_REMAINDER))
    return no_expression;
  if (r.kind == REMAP_REMAINDER && !(remap_of(r.of, &r) && r.kind == REMAP_QUOTIENT))
    return left_of(e);
  *place = r.size;
  return r.of;
}

bool remap_is_digit_above(MlirAffineExpr upper, MlirAffineExpr lower) {
  int64_t above, below;
  MlirAffineExpr x = number_of(upper, &above), y = number_of(lower, &below);
  return !mlirAffineExprIsNull(x) && !mlirAffineExprIsNull(y) && mlirAffineExprEqual(x, y) &&
         above > below;
}

/* ---- Replacing and reckoning -------------------------------------------------------------- */

MlirAffineExpr remap_replace(MlirAffineExpr expression, intptr_t count,
                             const MlirAffineExpr *dimensions) {
  MlirContext context = mlirAffineExprGetContext(expression);
  int counted = remap_counted(expression);
  if (counted >= 0)
    return mlirAffineExprIsADim(dimensions[counted])
               ? mlirAffineSymbolExprGet(context, mlirAffineDimExprGetPosition(dimensions[counted]))
               : no_expression;
  MlirAffineMap map =
      mlirAffineMapGet(context, INT16_MAX, 0, count, (MlirAffineExpr *)(uintptr_t)dimensions);
  return remap_canonical(mlirAffineExprCompose(expression, map));
}

static int64_t last_of_sum(const remap *r, const int64_t *last) {
  int64_t sum = r->constant > 0 ? r->constant : 0, product;
  for (int n = 0; n < r->count; ++n) {
    remap_term t = remap_term_at(r, n);
    int64_t own = remap_last(t.of, last);
    if (own == INT64_MAX ||
        __builtin_mul_overflow(own, t.factor < 0 ? -t.factor : t.factor, &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return INT64_MAX;
  }
  return sum;
}

int64_t remap_last(MlirAffineExpr e, const int64_t *last) {
  remap r;
  if (mlirAffineExprIsADim(e))
    return last[mlirAffineDimExprGetPosition(e)];
  if (!remap_of(e, &r) || r.kind == REMAP_COUNTER)
    return INT64_MAX;
  if (r.kind == REMAP_CONSTANT)
    return r.constant;
  if (r.kind == REMAP_LINEAR)
    return last_of_sum(&r, last);
  int64_t own = remap_last(r.of, last);
  if (r.kind == REMAP_REMAINDER)
    return own < r.size ? own : r.size - 1;
  return own == INT64_MAX ? own : own / r.size;
}

/* ---- Names -------------------------------------------------------------------------------- */

/* "j_i", "i_plus_j", "i_x2_plus_j". */
static const char *sum_name(arena *memory, const remap *r, const char *const *dimensions) {
  const char *name = "";
  for (int n = 0; n < r->count; n++) {
    remap_term t = remap_term_at(r, n);
    long long factor = t.factor < 0 ? -t.factor : t.factor;
    const char *joint = n == 0 ? "" : t.factor < 0 ? "_" : "_plus_";
    const char *times = factor == 1 ? "" : arena_format(memory, "_x%lld", factor);
    name =
        arena_format(memory, "%s%s%s%s", name, joint, remap_name(memory, t.of, dimensions), times);
  }
  return r->count > 1 ? name : arena_format(memory, "%s_moved", name);
}

const char *remap_constant_name(arena *memory, int64_t constant) {
  unsigned long long size = constant < 0 ? 0 - (uint64_t)constant : (uint64_t)constant;
  return arena_format(memory, "at_%s%llu", constant < 0 ? "minus_" : "", size);
}

const char *remap_name(arena *memory, MlirAffineExpr expression, const char *const *dimensions) {
  static const char *const words[] = {
      [REMAP_QUOTIENT] = "block", [REMAP_REMAINDER] = "in", [REMAP_COUNTER] = "slot"};
  remap r;
  if (!remap_of(expression, &r))
    return dimensions[mlirAffineDimExprGetPosition(expression)];
  if (r.kind == REMAP_CONSTANT)
    return remap_constant_name(memory, r.constant);
  if (r.kind == REMAP_LINEAR)
    return sum_name(memory, &r, dimensions);
  const char *of =
      r.kind == REMAP_COUNTER ? dimensions[r.dimension] : remap_name(memory, r.of, dimensions);
  return arena_format(memory, "%s_%s", of, words[r.kind]);
}
