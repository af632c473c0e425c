/* sparsify_extents.c - the extents of index variables, and the checks that shapes agree.
 *
 *     y(i) = A(i,k) * x(i + k)      extent(i) = A[0]          sit.match of all further bare
 *                                   extent(k) = A[1]          subscripts; sit.within "i + k"
 *
 * A variable that is like another one has its extent, and both must match where both are told.  One
 * without a bare subscript takes what a compound one leaves it: in y(i) = x(s i + d k) * f(k),
 *
 *     extent(i) = floor((x[0] - 1 - max(d k)) / s) + 1
 *
 * and where it is padded, x[pad](s i + d k - p), by p coordinates on both sides,
 *
 *     extent(i) = floor((x[0] + 2 p - 1 - max(d k)) / s) + 1
 */
#include "sparsify_state.h"

#include "cin.h"
#include "cin_kernel.h"

#include <mlir-c/BuiltinTypes.h>

static const MlirValue none = {NULL};

static int variable_number(const sparsifier *p, MlirValue variable) {
  for (int n = 0; n < p->variable_count; ++n)
    if (mlirValueEqual(p->variables[n], variable))
      return n;
  return -1;
}

MlirValue variable_extent(const sparsifier *p, MlirValue underived) {
  return p->extents[variable_number(p, underived)];
}

/* ---- bare subscripts ---------------------------------------------------------------------- */

/* An extent that the variable is told to have: the first is its extent, further ones must match. */
static void tell_extent(sparsifier *p, int variable, MlirValue extent) {
  if (mlirValueIsNull(p->extents[variable]))
    p->extents[variable] = extent;
  else
    sit_match(p->b, provenance_name(p->variables[variable]), p->extents[variable], extent);
}

static bool is_bare(const tensor_read *a, intptr_t d, MlirValue variable) {
  return !subscript_is_compound(&a->subscripts[d]) &&
         mlirValueEqual(subscript_variable(&a->subscripts[d]), variable);
}

static bool told_before(const sparsifier *p, int access_number, intptr_t d, MlirValue variable) {
  for (int n = 0; n < access_number; ++n)
    if (p->s->accesses[n]->tensor == p->s->accesses[access_number]->tensor &&
        is_bare(p->s->accesses[n], d, variable))
      return true;
  return false;
}

static void tell_operands_extents(sparsifier *p, int variable) {
  for (int n = 0; n < p->s->access_count; ++n) {
    const tensor_read *a = p->s->accesses[n];
    for (intptr_t d = 0; a->tensor->role == TENSOR_OPERAND && d < a->rank; ++d)
      if (is_bare(a, d, p->variables[variable]) && !told_before(p, n, d, p->variables[variable]))
        tell_extent(p, variable, sit_extent(p->b, a->tensor->value, d));
  }
}

static void tell_result_extents(sparsifier *p, int variable) {
  const assignment *a = p->s->result->assignments[0];
  for (intptr_t d = 0; d < a->rank; ++d)
    if (mlirValueEqual(subscript_variable(&a->subscripts[d]), p->variables[variable]) &&
        !mlirShapedTypeIsDynamicDim(p->s->result->type, d))
      tell_extent(p, variable,
                  constant_index(p->b, mlirShapedTypeGetDimSize(p->s->result->type, d)));
}

static void tell_bare_extents(sparsifier *p, int variable) {
  int64_t fixed = cin_index_extent(value_owner(p->variables[variable]));
  if (fixed >= 0)
    tell_extent(p, variable, constant_index(p->b, fixed));
  tell_operands_extents(p, variable);
  tell_result_extents(p, variable);
}

/* ---- variables that are alike -------------------------------------------------------------- */

/* The extent of `to`, unless it is told, is that of `from`; whether that is new. */
static bool pass_extent(sparsifier *p, int from, int to) {
  if (mlirValueIsNull(p->extents[from]) || !mlirValueIsNull(p->extents[to]))
    return false;
  p->extents[to] = p->extents[from];
  return true;
}

static int other_variable(const sparsifier *p, int variable) {
  MlirOperation index = value_owner(p->variables[variable]);
  return cin_index_like(index).ptr ? variable_number(p, cin_index_like(index)) : -1;
}

static bool pass_extents(sparsifier *p) {
  bool progress = false;
  for (int n = 0; n < p->variable_count; ++n) {
    int other = other_variable(p, n);
    if (other >= 0 && (pass_extent(p, other, n) || pass_extent(p, n, other)))
      progress = true;
  }
  return progress;
}

static void match_extents(sparsifier *p) {
  for (int n = 0; n < p->variable_count; ++n) {
    int other = other_variable(p, n);
    if (other >= 0 && !mlirValueEqual(p->extents[n], p->extents[other]))
      sit_match(p->b, provenance_name(p->variables[other]), p->extents[other], p->extents[n]);
  }
}

/* ---- compound subscripts ------------------------------------------------------------------ */

/* factor * constant, or -1 where that is negative or does not fit. */
static int64_t scaled(int64_t factor, MlirAffineExpr constant) {
  int64_t product;
  bool fits = mlirAffineExprIsAConstant(constant) &&
              !__builtin_mul_overflow(factor, mlirAffineConstantExprGetValue(constant), &product);
  return fits && product >= 0 ? product : -1;
}

/* The factor of dimension `d` in `e`, or -1 where `e` is not linear in it, or goes down with it. */
static int64_t factor_of(MlirAffineExpr e, intptr_t d) {
  if (!mlirAffineExprIsFunctionOfDim(e, d))
    return 0;
  if (mlirAffineExprIsADim(e))
    return 1;
  if (!mlirAffineExprIsAAdd(e) && !mlirAffineExprIsAMul(e))
    return -1;
  int64_t left = factor_of(mlirAffineBinaryOpExprGetLHS(e), d);
  if (left >= 0 && mlirAffineExprIsAMul(e))
    return scaled(left, mlirAffineBinaryOpExprGetRHS(e));
  int64_t right = factor_of(mlirAffineBinaryOpExprGetRHS(e), d), sum;
  return left < 0 || right < 0 || __builtin_add_overflow(left, right, &sum) ? -1 : sum;
}

static bool is_mentioned(const subscript *s, intptr_t n) {
  return mlirAffineExprIsFunctionOfDim(s->expression, n);
}

/* The extents of the subscript's variables, number `free` taken as 1; false where one is not known
 * yet. */
static bool extents_of(const sparsifier *p, const subscript *s, intptr_t free, MlirValue *extents) {
  for (intptr_t n = 0; n < s->count; ++n) {
    if (!is_mentioned(s, n))
      continue;
    extents[n] = n == free ? constant_index(p->b, 1) : variable_extent(p, s->variables[n]);
    if (mlirValueIsNull(extents[n]))
      return false;
  }
  return true;
}

/* The range of a subscript; that over no coordinates at all is the empty 0..-1, which fits
 * everywhere. */
static subscript_range range_of(const sparsifier *p, const subscript *s, const MlirValue *extents) {
  builder *b = p->b;
  subscript_range range = subscript_emit_range(b, s->expression, extents);
  MlirValue zero = constant_index(b, 0), minus_one = constant_index(b, -1);
  for (intptr_t n = 0; n < s->count; ++n)
    if (is_mentioned(s, n)) {
      MlirValue empty = equal(b, extents[n], zero);
      range.low = select_value(b, empty, zero, range.low);
      range.high = select_value(b, empty, minus_one, range.high);
    }
  return range;
}

/* How many coordinates lie before the first one of a padded subscript, and so behind the last. */
static MlirValue padding_of(const sparsifier *p, const subscript *s, subscript_range first) {
  MlirValue zero = constant_index(p->b, 0);
  return s->padded ? max_i(p->b, zero, sub(p->b, zero, first.low)) : zero;
}

/* What a padded subscript spans fits in the dimension and its padding. */
static void check_span(const sparsifier *p, const subscript *s, subscript_range first,
                       MlirValue size, MlirValue padding) {
  builder *b = p->b;
  MlirValue padded = add(b, size, mul(b, padding, constant_index(b, 2)));
  sit_within(b,
             arena_format(p->memory, "%s, counted from its padding", subscript_text(p->memory, s)),
             constant_index(b, 0), sub(b, first.high, first.low), padded);
}

/* The most coordinates of a variable such that factor * variable + rest, which is in `first` at 0,
 * stays below `size` and its padding: floor((size - 1 + padding - max(rest)) / factor) + 1. */
static MlirValue most_that_fit(const sparsifier *p, subscript_range first, int64_t factor,
                               MlirValue size, MlirValue padding) {
  builder *b = p->b;
  MlirValue left = sub(b, add(b, size, padding), first.high);
  if (factor == 1)
    return left;
  left = sub(b, left, constant_index(b, 1));
  return add(b, floor_div(b, left, constant_index(b, factor)), constant_index(b, 1));
}

/* The extent from subscript `d` of the access: the largest that fits, not below 0; of a padded one
 * with as much padding behind the dimension as before it.  Where a variable of the rest has no
 * coordinates it leaves what its first one would. */
static bool solve_subscript(sparsifier *p, int variable, const tensor_read *a, intptr_t d) {
  const subscript *s = &a->subscripts[d];
  MlirValue *extents = ARENA_ARRAY(p->memory, MlirValue, s->count + 1);
  for (intptr_t n = 0; n < s->count; ++n) {
    int64_t factor = factor_of(s->expression, n);
    if (!mlirValueEqual(s->variables[n], p->variables[variable]) || factor < 1 ||
        !extents_of(p, s, n, extents))
      continue;
    for (intptr_t m = 0; m < s->count; ++m)
      if (is_mentioned(s, m))
        extents[m] = max_i(p->b, extents[m], constant_index(p->b, 1));
    subscript_range first = subscript_emit_range(p->b, s->expression, extents);
    MlirValue size = sit_extent(p->b, a->tensor->value, d), padding = padding_of(p, s, first);
    if (s->padded)
      check_span(p, s, first, size, padding);
    MlirValue most = most_that_fit(p, first, factor, size, padding);
    tell_extent(p, variable, max_i(p->b, most, constant_index(p->b, 0)));
    return true;
  }
  return false;
}

static bool solve_extent(sparsifier *p, int variable) {
  for (int n = 0; n < p->s->access_count; ++n) {
    const tensor_read *a = p->s->accesses[n];
    for (intptr_t d = 0; a->tensor->role == TENSOR_OPERAND && d < a->rank; ++d)
      if (solve_subscript(p, variable, a, d))
        return true;
  }
  return false;
}

static bool range_extents(sparsifier *p);

/* One more: what is like it has its extent, before that is solved from a subscript of its own. */
static bool solve_next_extent(sparsifier *p) {
  for (int n = 0; n < p->variable_count; ++n)
    if (mlirValueIsNull(p->extents[n]) && solve_extent(p, n))
      return true;
  return false;
}

static bool solve_extents(sparsifier *p) {
  while (pass_extents(p) || range_extents(p) || solve_next_extent(p))
    ;
  for (int n = 0; n < p->variable_count; ++n)
    if (mlirValueIsNull(p->extents[n]))
      return error_at(value_owner(p->variables[n]),
                      "expected an extent of '%.*s': a bare subscript of an operand, a static "
                      "dimension of the result, or `extent`; found none",
                      TEXT(provenance_name(p->variables[n])));
  return true;
}

static void check_within(sparsifier *p, const tensor_read *a, intptr_t d) {
  const subscript *s = &a->subscripts[d];
  MlirValue *extents = ARENA_ARRAY(p->memory, MlirValue, s->count + 1);
  extents_of(p, s, -1, extents);
  subscript_range range = range_of(p, s, extents);
  sit_within(p->b, subscript_text(p->memory, s), range.low, range.high,
             sit_extent(p->b, a->tensor->value, d));
}

static void check_compound_subscripts(sparsifier *p) {
  for (int n = 0; n < p->s->access_count; ++n) {
    const tensor_read *a = p->s->accesses[n];
    for (intptr_t d = 0; a->tensor->role == TENSOR_OPERAND && d < a->rank; ++d)
      if (subscript_is_compound(&a->subscripts[d]) && !a->subscripts[d].padded)
        check_within(p, a, d);
  }
}

/* ---- padded subscripts -------------------------------------------------------------------- */

/* The variable that a padded subscript is; null where it is none. */
static MlirValue padded_form(const sparsifier *p, const tensor_read *a, intptr_t d) {
  const subscript *s = &a->subscripts[d];
  return s->padded ? cin_form_variable(p->s->kernel, s->expression, s->count, s->variables) : none;
}

/* Whether an access before this one, or a subscript before, is the same variable. */
static bool form_met_before(const sparsifier *p, int access, intptr_t dimension, MlirValue form) {
  for (int n = 0; n <= access; ++n) {
    intptr_t rank = n == access ? dimension : p->s->accesses[n]->rank;
    for (intptr_t d = 0; d < rank; ++d)
      if (mlirValueEqual(padded_form(p, p->s->accesses[n], d), form))
        return true;
  }
  return false;
}

/* The greatest dimension that the variable subscripts. */
static MlirValue widest_dimension(const sparsifier *p, MlirValue form) {
  MlirValue widest = none;
  for (int n = 0; n < p->s->access_count; ++n) {
    const tensor_read *a = p->s->accesses[n];
    for (intptr_t d = 0; d < a->rank; ++d)
      if (mlirValueEqual(padded_form(p, a, d), form)) {
        MlirValue size = sit_extent(p->b, a->tensor->value, d);
        widest = mlirValueIsNull(widest) ? size : max_i(p->b, widest, size);
      }
  }
  return widest;
}

/* A variable that is a padded subscript goes as far as the dimensions do, not as it reaches. */
static void bound_padded_forms(const sparsifier *p) {
  for (int n = 0; n < p->s->access_count; ++n) {
    const tensor_read *a = p->s->accesses[n];
    for (intptr_t d = 0; d < a->rank; ++d) {
      MlirValue form = padded_form(p, a, d);
      if (!mlirValueIsNull(form) && !form_met_before(p, n, d, form))
        provenance_set_extent(p->graph, form, widest_dimension(p, form));
    }
  }
}

/* ---- subscripts of the result ------------------------------------------------------------- */

/* What a cin.subscript says that a variable is. */
static subscript subscript_stated(const sparsifier *p, MlirOperation op) {
  MlirAffineMap map = cin_subscript_map(op);
  intptr_t count = mlirAffineMapGetNumDims(map);
  MlirValue *variables = ARENA_ARRAY(p->memory, MlirValue, count + 1);
  for (intptr_t n = 0; n < count; ++n)
    variables[n] = mlirOperationGetOperand(op, 1 + n);
  return (subscript){mlirAffineMapGetResult(map, 0), count, variables, false};
}

/* A dimension that nothing tells goes as far as its subscript does: whether there is a new one. */
static bool range_extents(sparsifier *p) {
  bool progress = false;
  for (OPERATIONS(op, op_block(p->s->kernel, 0))) {
    if (!cin_is_subscript(op))
      continue;
    int variable = variable_number(p, cin_subscript_variable(op));
    subscript s = subscript_stated(p, op);
    MlirValue *extents = ARENA_ARRAY(p->memory, MlirValue, s.count + 1);
    if (!mlirValueIsNull(p->extents[variable]) || !extents_of(p, &s, -1, extents))
      continue;
    builder *b = p->b;
    MlirValue end = add(b, range_of(p, &s, extents).high, constant_index(b, 1));
    p->extents[variable] = max_i(b, end, constant_index(b, 0));
    progress = true;
  }
  return progress;
}

/* The subscript in words, without variables that are only 0, as `once` of D(i,i + once). */
static const char *words_of(const sparsifier *p, const subscript *s) {
  MlirContext context = mlirAffineExprGetContext(s->expression);
  MlirAffineExpr *shown = ARENA_ARRAY(p->memory, MlirAffineExpr, s->count + 1);
  for (intptr_t i = 0; i < s->count; ++i)
    shown[i] = provenance_static_extent(p->graph, s->variables[i]) == 1
                   ? mlirAffineConstantExprGet(context, 0)
                   : mlirAffineDimExprGet(context, i);
  subscript rest = *s;
  rest.expression =
      mlirAffineExprCompose(s->expression, mlirAffineMapGet(context, s->count, 0, s->count, shown));
  return subscript_text(p->memory, &rest);
}

/* What nobody says the end of may still begin below zero. */
static void check_result_subscripts(sparsifier *p) {
  for (OPERATIONS(op, op_block(p->s->kernel, 0))) {
    if (!cin_is_subscript(op))
      continue;
    subscript s = subscript_stated(p, op);
    MlirValue *extents = ARENA_ARRAY(p->memory, MlirValue, s.count + 1);
    extents_of(p, &s, -1, extents);
    subscript_range range = range_of(p, &s, extents);
    sit_within(p->b, words_of(p, &s), range.low, range.high,
               variable_extent(p, cin_subscript_variable(op)));
  }
}

/* ---- collapsed variables ------------------------------------------------------------------ */

/* So that what is made of a number of one, a size at most further, does not overflow. */
#define MOST_COLLAPSED (INT64_C(1) << 60)

/* Whether the product of the extents of all parts can be counted to. */
static void check_collapsed(const sparsifier *p, MlirOperation collapse) {
  builder *b = p->b;
  MlirValue one = constant_index(b, 1), most = constant_index(b, MOST_COLLAPSED);
  MlirValue product = one, over = constant_bool(b, false);
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(collapse); ++n) {
    MlirValue extent = provenance_extent(p->graph, b, mlirOperationGetOperand(collapse, n));
    extent = max_i(b, extent, one);
    over = or_i(b, over, less(b, floor_div(b, most, product), extent));
    product = select_value(b, over, one, mul(b, product, extent));
  }
  MlirValue variable = mlirOperationGetResult(collapse, 0);
  sit_within(b, arena_format(p->memory, "%.*s", TEXT(provenance_name(variable))),
             constant_index(b, 0), select_value(b, over, constant_index(b, INT64_MAX), one),
             constant_index(b, MOST_COLLAPSED));
}

static void check_all_collapsed(const sparsifier *p) {
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_collapse(op) &&
        provenance_static_extent(p->graph, mlirOperationGetResult(op, 0)) < 0)
      check_collapsed(p, op);
}

/* ---- bounds ------------------------------------------------------------------------------- */

/* That a variable ends where the kernel says. */
static void check_bound(const sparsifier *p, MlirOperation bound) {
  builder *b = p->b;
  MlirValue variable = mlirOperationGetOperand(bound, 0);
  MlirValue extent = provenance_extent(p->graph, b, variable);
  MlirValue told = constant_index(b, op_integer(bound, "size", 0));
  if (cin_op_bound_kind(bound) == CIN_MAX_EXACT)
    sit_match(b, provenance_name(variable), told, extent);
  else if (cin_op_bound_kind(bound) == CIN_MAX_CONSTRAINT)
    sit_within(b, arena_format(p->memory, "%.*s", TEXT(provenance_name(variable))),
               constant_index(b, 0), sub(b, extent, constant_index(b, 1)), told);
}

static void check_bounds(const sparsifier *p) {
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_bound(op))
      check_bound(p, op);
}

/* ---- all ---------------------------------------------------------------------------------- */

static void gather_variables(sparsifier *p) {
  int count = 0;
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    count += cin_is_index(op);
  p->variables = ARENA_ARRAY(p->memory, MlirValue, count + 1);
  p->extents = ARENA_ARRAY(p->memory, MlirValue, count + 1);
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_index(op))
      p->variables[p->variable_count++] = mlirOperationGetResult(op, 0);
}

bool emit_extents(sparsifier *p) {
  gather_variables(p);
  for (int n = 0; n < p->variable_count; ++n)
    tell_bare_extents(p, n);
  if (!solve_extents(p))
    return false;
  match_extents(p);
  check_compound_subscripts(p);
  check_result_subscripts(p);
  for (int n = 0; n < p->variable_count; ++n)
    provenance_set_extent(p->graph, p->variables[n], p->extents[n]);
  bound_padded_forms(p);
  provenance_emit_extents(p->graph, p->b, false);
  check_all_collapsed(p);
  check_bounds(p);
  return true;
}
