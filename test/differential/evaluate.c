/* The plain meaning of an expression: every tensor dense, every index variable a loop.
 *
 * A variable that the result does not have is summed in each term that has it:
 *
 *     y(i) = b(i) - A(i,j) * x(j)      sums the product alone
 *     y(i) = (A(i,j) + b(i)) * x(i)    is A(i,j) * x(i) + b(i) * x(i), and sums the first term
 *     y(i) = b(i) / (A(i,j) + 1)       sums the term A(i,j)
 *     y(i) = (A(i,j) + B(i,j)) / 2     sums the quotient, which integers round
 *
 * There is an entry where something comes to it: to all factors of a product, or to any term of a
 * sum.
 */
#include "case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct evaluation {
  const test_case *c;
  element *dense[MAX_TENSORS];
  presence *there[MAX_TENSORS];
  int64_t at[MAX_VARIABLES];
  bool reduced[MAX_VARIABLES]; /* a reduction over it encloses the node at hand */
} evaluation;

static int64_t place_of(const tensor *t, const int64_t *at) {
  int64_t place = 0;
  for (int d = 0; d < t->order; d++)
    place = place * t->dimensions[d] + at[d];
  return place;
}

static element *spread(const test_case *c, const tensor *t) {
  int64_t volume = tensor_volume(t);
  element *dense = calloc((size_t)(volume ? volume : 1), sizeof *dense);
  if (!dense)
    abort();
  for (int64_t i = 0; i < volume; i++)
    dense[i] = ring_fill(c->ring, t->type);
  for (int64_t e = 0; e < t->count; e++) {
    int64_t at = place_of(t, t->entries[e].coordinates);
    dense[at] = ring_plus(c->ring, t->type, dense[at], t->entries[e].value);
  }
  for (int64_t i = 0; i < volume; i++)
    dense[i] = ring_cast(c->ring, t->type, c->type, dense[i]);
  return dense;
}

/* All of a tensor that is dense, and the entries of others: what a format that only the compiler
 * packs stores besides is not known, nor how blocks of dense levels lie where it is converted. */
static presence *spread_presence(const tensor *t) {
  int64_t volume = tensor_volume(t);
  presence *there = calloc((size_t)(volume ? volume : 1), sizeof *there);
  int levels = t->order;
  if (!there)
    abort();
  while (!t->exotic && levels && t->levels[levels - 1] == LEVEL_DENSE)
    levels--;
  presence besides = t->exotic || levels < t->order ? MAYBE_ENTRY : NO_ENTRY;
  for (int64_t i = 0; i < volume; i++)
    there[i] = levels ? besides : AN_ENTRY;
  for (int64_t e = 0; e < t->count; e++)
    there[place_of(t, t->entries[e].coordinates)] = AN_ENTRY;
  return there;
}

//--- Numbers -------------------------------------------------------------------------------------

static bool is_finite(element x) {
  return isfinite(creall(x)) && isfinite(cimagl(x));
}

static double magnitude(element x) {
  return is_finite(x) ? (double)cabsl(x) : 0;
}

static number number_of(element value, double size, certainty how) {
  return (number){.value = value, .size = size, .how = how, .there = MAYBE_ENTRY};
}

static number exactly(element x) {
  return number_of(x, magnitude(x), CERTAIN);
}

static number nothing(const test_case *c) {
  number none = exactly(test_case_fill(c));
  none.there = NO_ENTRY;
  return none;
}

static presence both(presence x, presence y) {
  return x < y ? x : y;
}

/* What may be none may also be made one with the other, where that is a constant. */
static presence either(presence x, presence y) {
  return x == MAYBE_ENTRY || y == MAYBE_ENTRY ? MAYBE_ENTRY : x < y ? y : x;
}

/* What is made of x and y: as certain as they are, where it is not finite as soon as one of them is
 * not; else nothing is known of what is made of a number that may not be finite. */
static number made_of(element value, double size, bool keeps, number x, number y) {
  certainty how = x.how > y.how ? x.how : y.how;
  return number_of(value, is_finite(value) ? size : 0, how == CERTAIN || keeps ? how : ANYTHING);
}

static bool may_be_infinite(number x) {
  return x.how != CERTAIN || !is_finite(x.value);
}

static number plus(const test_case *c, number x, number y) {
  number sum = made_of(ring_plus(c->ring, c->type, x.value, y.value), x.size + y.size, true, x, y);
  if (!c->ring && isnan(creall(sum.value)) && sum.how == CERTAIN)
    sum.how = OR_NOT_FINITE;
  sum.in_parts = x.in_parts || y.in_parts;
  sum.there = either(x.there, y.there);
  return sum;
}

/* Whether zero meets infinity or NaN, or in a semiring what stands for zero one that undoes it. */
static bool meets_infinity(const test_case *c, number x, number y) {
  ring_operator op = c->ring ? c->ring->times : TIMES;
  if (holds_integers(c->type) || x.value != test_case_fill(c))
    return false;
  if (op == PLUS)
    return y.how != CERTAIN || isnan(creall(x.value + y.value));
  return op == TIMES && may_be_infinite(y);
}

/* Parts of which one is zero, or of both signs, make NaN of infinity, where their sum does not. */
static number product_of(const test_case *c, number x, number y) {
  bool sums = c->ring && c->ring->times != TIMES;
  if (meets_infinity(c, x, y) || meets_infinity(c, y, x))
    return number_of(test_case_fill(c), 0, OR_NOT_FINITE);
  number product = made_of(ring_times(c->ring, c->type, x.value, y.value),
                           sums ? x.size + y.size : x.size * y.size, true, x, y);
  product.in_parts = x.in_parts || y.in_parts;
  if (product.how == CERTAIN &&
      ((x.in_parts && !is_finite(y.value)) || (y.in_parts && !is_finite(x.value))))
    product.how = OR_NOT_FINITE;
  return product;
}

static number times(const test_case *c, number x, number y) {
  number product = product_of(c, x, y);
  product.there = both(x.there, y.there);
  return product;
}

static element quotient(const test_case *c, element x, element y) {
  if (holds_complex(c->type))
    return element_wrapped(c->type, x / y);
  long double ratio = creall(x) / creall(y);
  if (holds_integers(c->type))
    ratio = y == 0 ? 0 : truncl(ratio);
  return element_wrapped(c->type, ratio);
}

/* The sign of a zero, and so that of an infinity, is not known. */
static number divided(const test_case *c, number x, number y) {
  double divisor = (double)cabsl(y.value);
  if (holds_integers(c->type))
    return exactly(quotient(c, x.value, y.value));
  if (x.value == 0 && (divisor == 0 || may_be_infinite(y)))
    return number_of(0, 0, OR_NOT_FINITE);
  if (divisor == 0 && !holds_complex(c->type))
    return number_of(INFINITY, 0, y.how == CERTAIN ? OR_NOT_FINITE : ANYTHING);
  return made_of(quotient(c, x.value, y.value), x.size / divisor * (y.size / divisor),
                 y.how == CERTAIN, x, y);
}

static element power_of(const test_case *c, element x, int exponent) {
  element power = 1;
  for (int n = 0; n < exponent; n++)
    power = ring_times(NULL, c->type, power, x);
  return power;
}

static bool holds(const char *comparison, element x, element y) {
  bool equal = x == y, less = creall(x)<creall(y), more = creall(x)> creall(y);
  if (comparison[1] == '=')
    return comparison[0] == '<'   ? less || equal
           : comparison[0] == '>' ? more || equal
                                  : equal == (comparison[0] == '=');
  return comparison[0] == '<' ? less : more;
}

static number chosen(number condition, number x, number y) {
  number which = condition.value != 0 ? x : y;
  if (condition.how != CERTAIN)
    which.how = ANYTHING;
  which.there = MAYBE_ENTRY;
  return which;
}

/* Functions of real numbers, none steeper than its value and its argument's magnitude. */
static const struct {
  const char *name;
  double (*of)(double);
} smooth[] = {{"exp2", exp2},   {"expm1", expm1}, {"sin", sin},     {"cos", cos},    {"sinh", sinh},
              {"cosh", cosh},   {"tanh", tanh},   {"atan", atan},   {"cbrt", cbrt},  {"erf", erf},
              {"floor", floor}, {"ceil", ceil},   {"trunc", trunc}, {"log1p", log1p}};

static number function_of(const test_case *c, const char *function, number x, number y) {
  long double a = creall(x.value), b = creall(y.value);
  double real = (double)a;
  if (!strcmp(function, "min"))
    return number_of(fminl(a, b), fmax(x.size, y.size), CERTAIN);
  if (!strcmp(function, "max"))
    return number_of(fmaxl(a, b), fmax(x.size, y.size), CERTAIN);
  if (!strcmp(function, "abs"))
    return number_of(element_wrapped(c->type, cabsl(x.value)), x.size, CERTAIN);
  if (!strcmp(function, "real"))
    return number_of(a, x.size, CERTAIN);
  if (!strcmp(function, "imag"))
    return number_of(cimagl(x.value), x.size, CERTAIN);
  if (!strcmp(function, "conj"))
    return number_of(conjl(x.value), x.size, CERTAIN);
  if (!strcmp(function, "relu"))
    return number_of(fmaxl(a, 0), x.size, CERTAIN);
  if (!strcmp(function, "sign"))
    return exactly(a > 0 ? 1 : a < 0 ? -1 : 0);
  if (!strcmp(function, "sqrt"))
    return number_of(sqrt(real), 1 + x.size, CERTAIN);
  if (!strcmp(function, "log"))
    return number_of(log(real), 1 + fabs(log(real)) + x.size, CERTAIN);
  for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++)
    if (!strcmp(function, smooth[i].name))
      return number_of(smooth[i].of(real), (1 + fabs(smooth[i].of(real))) * (1 + x.size), CERTAIN);
  element power = cexp((double complex)x.value);
  return number_of(power, (double)cabsl(power) * (1 + x.size), CERTAIN);
}

/* fmin and fmax look over a NaN, which the language does not. */
static number apply(const test_case *c, const char *function, number x, number y) {
  number value = function_of(c, function, x, y);
  bool odd = isnan(creall(x.value)) || isnan(creall(y.value));
  value = made_of(value.value, value.size, !strcmp(function, "abs"), x, y);
  if (odd)
    value.how = ANYTHING;
  return value;
}

//--- The expression ------------------------------------------------------------------------------

static number evaluate(evaluation *e, const node *n);

static int64_t subscript_value(const evaluation *e, const subscript *s) {
  int64_t value = s->constant;
  for (int v = 0; v < e->c->variable_count; v++)
    value += s->factors[v] * e->at[v];
  return value;
}

/* Out of range: whether that is an entry of a dense operand, no one asks. */
static number padding(const evaluation *e, const node *n) {
  return n->padded ? exactly(n->pads ? (element)n->value : test_case_fill(e->c)) : nothing(e->c);
}

static number read_tensor(const evaluation *e, const node *n) {
  const tensor *t = &e->c->tensors[n->tensor];
  int64_t at = 0;
  for (int d = 0; d < t->order; d++) {
    int64_t coordinate = subscript_value(e, &n->subscripts[d]);
    if (coordinate < 0 || coordinate >= t->dimensions[d])
      return padding(e, n);
    at = at * t->dimensions[d] + coordinate;
  }
  number stored = exactly(e->dense[n->tensor][at]);
  stored.in_parts = t->duplicates;
  stored.there = n->pads ? MAYBE_ENTRY : e->there[n->tensor][at];
  return stored;
}

static int constants_in(const node *n) {
  return n ? (n->kind == NODE_CONSTANT) + constants_in(n->left) + constants_in(n->right) +
                 constants_in(n->third)
           : 0;
}

/* One that is as if nothing were there may be taken out, and so may several that come to that. */
static number constant(const test_case *c, element value) {
  number x = exactly(value);
  bool may_go = value == test_case_fill(c) || constants_in(c->root) > 1;
  x.there = may_go ? MAYBE_ENTRY : AN_ENTRY;
  return x;
}

static number minus(const test_case *c, number x) {
  x.value = element_wrapped(c->type, -x.value);
  return x;
}

static number evaluate_operator(evaluation *e, const node *n) {
  if (n->kind == NODE_ACCESS)
    return read_tensor(e, n);
  if (n->kind == NODE_CONSTANT)
    return constant(e->c, n->value);
  number x = evaluate(e, n->left);
  number y = n->right ? evaluate(e, n->right) : exactly(0);
  switch (n->kind) {
  case NODE_NEGATE:
    return minus(e->c, x);
  case NODE_ADD:
    return plus(e->c, x, y);
  case NODE_SUBTRACT:
    return plus(e->c, x, minus(e->c, y));
  case NODE_MULTIPLY:
    return times(e->c, x, y);
  case NODE_DIVIDE:
    return divided(e->c, x, y);
  case NODE_POWER:
    return made_of(power_of(e->c, x.value, (int)creall(y.value)),
                   pow(1 + x.size, (double)creall(y.value)), false, x, y);
  case NODE_COMPARE:
    return made_of(holds(n->function, x.value, y.value), 1, false, x, y);
  default:
    if (n->third)
      return chosen(x, y, evaluate(e, n->third));
    return apply(e->c, n->function, x, y);
  }
}

/* Whether a sum inside the node has terms with the variable and terms without. */
static bool sums_inside(const node *n, int v) {
  bool left = n->left && n->left->variables >> v & 1,
       right = n->right && n->right->variables >> v & 1;
  switch (n->kind) {
  case NODE_ADD:
  case NODE_SUBTRACT:
    return !left || !right || sums_inside(n->left, v) || sums_inside(n->right, v);
  case NODE_NEGATE:
    return sums_inside(n->left, v);
  case NODE_MULTIPLY:
  case NODE_DIVIDE:
    return !(left && right) && sums_inside(left ? n->left : n->right, v);
  default:
    return false;
  }
}

/* The variables to be summed right here: those that the node has, unless a sum inside it has terms
 * without them. */
static unsigned summed_here(const evaluation *e, const node *n) {
  unsigned here = 0;
  for (int v = 0; v < e->c->variable_count; v++)
    if (!e->reduced[v] && (n->variables >> v & 1) && !sums_inside(n, v))
      here |= 1u << v;
  return here;
}

static number sum_over(evaluation *e, const node *n, unsigned set) {
  int v = 0;
  if (!set)
    return evaluate_operator(e, n);
  while (!(set >> v & 1))
    v++;
  number sum = nothing(e->c);
  if (holds_integers(e->c->type))
    sum.size = 0;
  if (!e->c->extents[v])
    sum.there = MAYBE_ENTRY;
  e->reduced[v] = true;
  for (e->at[v] = 0; e->at[v] < e->c->extents[v]; e->at[v]++)
    sum = plus(e->c, sum, sum_over(e, n, set & ~(1u << v)));
  e->reduced[v] = false;
  return sum;
}

static number evaluate(evaluation *e, const node *n) {
  unsigned here = summed_here(e, n);
  return here ? sum_over(e, n, here) : evaluate_operator(e, n);
}

static number evaluate_at(evaluation *e, int64_t at) {
  const test_case *c = e->c;
  int64_t rest = at;
  for (int d = c->result.order - 1; d >= 0; d--) {
    e->at[c->result_variables[d]] = rest % c->result.dimensions[d];
    rest /= c->result.dimensions[d];
  }
  number value = evaluate(e, c->root);
  const element *previous = c->accumulate ? e->dense[0] : NULL;
  return previous ? plus(c, exactly(previous[at]), value) : value;
}

/* The numbers of the value at all places, zero for a start, added up where subscripts of the result
 * are more than variables. */
static void scatter(evaluation *e, unsigned left, number *result) {
  const test_case *c = e->c;
  int64_t at = 0;
  int v = 0;
  for (int d = 0; !left && d < c->result.order; d++)
    at = at * c->result.dimensions[d] + subscript_value(e, &c->result_subscripts[d]);
  if (!left) {
    result[at] = plus(c, result[at], evaluate(e, c->root));
    return;
  }
  while (!(left >> v & 1))
    v++;
  for (e->at[v] = 0; e->at[v] < c->extents[v]; e->at[v]++)
    scatter(e, left & ~(1u << v), result);
}

static void evaluate_scattered(evaluation *e, int64_t volume, number *result) {
  const test_case *c = e->c;
  unsigned left = 0;
  for (int v = 0; v < c->variable_count; v++)
    left |= e->reduced[v] ? 1u << v : 0;
  for (int64_t at = 0; at < volume; at++) {
    result[at] = nothing(c);
    if (holds_integers(c->type))
      result[at].size = 0;
  }
  scatter(e, left, result);
  for (int64_t at = 0; c->accumulate && at < volume; at++)
    result[at] = plus(c, exactly(e->dense[0][at]), result[at]);
}

number *test_case_evaluate(const test_case *c) {
  evaluation e = {.c = c};
  int64_t volume = tensor_volume(&c->result);
  number *result = calloc((size_t)(volume ? volume : 1), sizeof *result);
  for (int t = 0; t < c->tensor_count; t++) {
    e.dense[t] = spread(c, &c->tensors[t]);
    e.there[t] = spread_presence(&c->tensors[t]);
  }
  for (int d = 0; d < c->result.order; d++)
    for (int v = 0; v < c->variable_count; v++)
      e.reduced[v] |= c->result_subscripts[d].factors[v] != 0;
  if (c->scatters)
    evaluate_scattered(&e, volume, result);
  for (int64_t at = 0; !c->scatters && at < volume; at++)
    result[at] = evaluate_at(&e, at);
  for (int t = 0; t < c->tensor_count; t++) {
    free(e.dense[t]);
    free(e.there[t]);
  }
  return result;
}
