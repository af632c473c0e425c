/* The plain meaning of an expression: every tensor dense, every index variable a loop.
 *
 * A variable that the result does not have is summed in each term that has it:
 *
 *     y(i) = b(i) - A(i,j) * x(j)      sums the product alone
 *     y(i) = (A(i,j) + b(i)) * x(i)    is A(i,j) * x(i) + b(i) * x(i), and sums the first term
 */
#include "case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct evaluation {
  const test_case *c;
  double complex *dense[MAX_TENSORS];
  int64_t at[MAX_VARIABLES];
  bool reduced[MAX_VARIABLES]; /* a reduction over it encloses the node at hand */
} evaluation;

int64_t tensor_volume(const tensor *t) {
  int64_t volume = 1;
  for (int d = 0; d < t->order; d++)
    volume *= t->dimensions[d];
  return volume;
}

static bool is_min_plus(const test_case *c) {
  return c->semiring != NULL;
}

double test_case_fill(const test_case *c) {
  return is_min_plus(c) ? INFINITY : 0.0;
}

static double complex *spread(const test_case *c, const tensor *t) {
  int64_t volume = tensor_volume(t);
  double complex *dense = calloc((size_t)(volume ? volume : 1), sizeof *dense);
  for (int64_t i = 0; i < volume; i++)
    dense[i] = test_case_fill(c);
  for (int64_t e = 0; e < t->count; e++) {
    int64_t at = 0;
    for (int d = 0; d < t->order; d++)
      at = at * t->dimensions[d] + t->entries[e].coordinates[d];
    dense[at] = is_min_plus(c) ? t->entries[e].value : dense[at] + t->entries[e].value;
  }
  return dense;
}

static unsigned uses(const test_case *c, const node *n) {
  unsigned set = 0;
  if (!n)
    return 0;
  if (n->kind == NODE_ACCESS)
    for (int d = 0; d < c->tensors[n->tensor].order; d++)
      set |= 1u << n->variables[d];
  return set | uses(c, n->left) | uses(c, n->right);
}

static double complex plus(const evaluation *e, double complex x, double complex y) {
  return is_min_plus(e->c) ? fmin(creal(x), creal(y)) : x + y;
}

static double complex times(const evaluation *e, double complex x, double complex y) {
  return is_min_plus(e->c) ? creal(x) + creal(y) : x * y;
}

static double complex read_tensor(const evaluation *e, const node *n) {
  const tensor *t = &e->c->tensors[n->tensor];
  int64_t at = 0;
  for (int d = 0; d < t->order; d++)
    at = at * t->dimensions[d] + e->at[n->variables[d]];
  return e->dense[n->tensor][at];
}

static double apply(const char *function, double x, double y) {
  if (!strcmp(function, "min"))
    return fmin(x, y);
  if (!strcmp(function, "max"))
    return fmax(x, y);
  if (!strcmp(function, "abs"))
    return fabs(x);
  if (!strcmp(function, "sqrt"))
    return sqrt(x);
  return exp(x);
}

static double complex evaluate(evaluation *e, const node *n);

static double complex evaluate_operator(evaluation *e, const node *n) {
  switch (n->kind) {
  case NODE_ACCESS:
    return read_tensor(e, n);
  case NODE_CONSTANT:
    return n->value;
  case NODE_NEGATE:
    return -evaluate(e, n->left);
  case NODE_ADD:
    return plus(e, evaluate(e, n->left), evaluate(e, n->right));
  case NODE_SUBTRACT:
    return evaluate(e, n->left) - evaluate(e, n->right);
  case NODE_MULTIPLY:
    return times(e, evaluate(e, n->left), evaluate(e, n->right));
  case NODE_DIVIDE:
    return evaluate(e, n->left) / evaluate(e, n->right);
  default:
    return apply(n->function, creal(evaluate(e, n->left)),
                 n->right ? creal(evaluate(e, n->right)) : 0.0);
  }
}

/* The variables to be summed right here: none at a sum, whose terms are summed each by itself; at a
 * product those that both factors have; elsewhere all. */
static unsigned summed_here(const evaluation *e, const node *n) {
  unsigned open = 0, used = uses(e->c, n);
  for (int v = 0; v < e->c->variable_count; v++)
    if (!e->reduced[v] && (used >> v & 1))
      open |= 1u << v;
  switch (n->kind) {
  case NODE_NEGATE:
  case NODE_ADD:
  case NODE_SUBTRACT:
    return 0;
  case NODE_MULTIPLY:
    return open & uses(e->c, n->left) & uses(e->c, n->right);
  case NODE_DIVIDE:
    return open & uses(e->c, n->right);
  default:
    return open;
  }
}

static double complex sum_over(evaluation *e, const node *n, unsigned set) {
  int v = 0;
  if (!set)
    return evaluate_operator(e, n);
  while (!(set >> v & 1))
    v++;
  double complex sum = test_case_fill(e->c);
  e->reduced[v] = true;
  for (e->at[v] = 0; e->at[v] < e->c->extents[v]; e->at[v]++)
    sum = plus(e, sum, sum_over(e, n, set & ~(1u << v)));
  e->reduced[v] = false;
  return sum;
}

static double complex evaluate(evaluation *e, const node *n) {
  return sum_over(e, n, summed_here(e, n));
}

double complex *test_case_evaluate(const test_case *c) {
  evaluation e = {.c = c};
  int64_t volume = tensor_volume(&c->result);
  double complex *result = calloc((size_t)(volume ? volume : 1), sizeof *result);
  for (int t = 0; t < c->tensor_count; t++)
    e.dense[t] = spread(c, &c->tensors[t]);
  for (int d = 0; d < c->result.order; d++)
    e.reduced[c->result_variables[d]] = true;
  for (int64_t at = 0; at < volume; at++) {
    int64_t rest = at;
    for (int d = c->result.order - 1; d >= 0; d--) {
      e.at[c->result_variables[d]] = rest % c->result.dimensions[d];
      rest /= c->result.dimensions[d];
    }
    result[at] = evaluate(&e, c->root);
  }
  for (int t = 0; t < c->tensor_count; t++)
    free(e.dense[t]);
  return result;
}
