/* conjugate-gradient.c - solves A x = b for the 5-point stencil of a square grid,
 *
 *           -1
 *       -1   4  -1
 *           -1
 *
 * by conjugate gradients (Hestenes and Stiefel 1952).  The three kernels are compiled ahead of time
 * by sparse-cc, each from one line (Makefile), with a C header each:
 *
 *     spmv   q(i) = A(i,j) * p(j)      A: CSR with positions and coordinates of 32 bits
 *     dot    s = u(i) * v(i)
 *     axpy   w(i) = u(i) + a * v(i)
 *
 * A lives in arrays of this program; the kernels read them where they are.
 */
#include "axpy.h"
#include "dot.h"
#include "spmv.h"

#include "lac_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program where a kernel fails. */
static void check(int32_t status) {
  if (status == LAC_OK)
    return;
  fprintf(stderr, "error: %s\n", lac_error_message());
  exit(1);
}

static void *allocate(size_t count, size_t width) {
  void *memory = calloc(count, width);
  if (memory)
    return memory;
  fputs("error: no memory\n", stderr);
  exit(1);
}

//--- Tensors on arrays of this program -----------------------------------------------------------

/* A dense vector on `values`; `shape` gives it its one dimension and level. */
typedef struct vector_shape {
  int64_t dimension;
  lac_level level;
} vector_shape;

static lac_tensor vector(vector_shape *shape, double *values, int64_t n) {
  *shape = (vector_shape){n, {.kind = "dense", .size = n}};
  return (lac_tensor){.order = 1,
                      .level_count = 1,
                      .dimensions = &shape->dimension,
                      .levels = &shape->level,
                      .values = lac_array_lend(values, n, sizeof *values),
                      .type = LAC_F64};
}

static lac_tensor scalar(double *value) {
  return (lac_tensor){.values = lac_array_lend(value, 1, sizeof *value), .type = LAC_F64};
}

//--- The matrix ----------------------------------------------------------------------------------

typedef struct stencil {
  int64_t side, n, count; /* of the grid, of unknowns, of stored entries */
  int32_t *positions, *coordinates;
  double *values;
  int64_t dimensions[2];
  lac_level levels[2];
} stencil;

static void append(stencil *s, int64_t column, double value) {
  s->coordinates[s->count] = (int32_t)column;
  s->values[s->count++] = value;
}

static void append_row(stencil *s, int64_t row) {
  int64_t x = row % s->side, y = row / s->side;
  if (y > 0)
    append(s, row - s->side, -1);
  if (x > 0)
    append(s, row - 1, -1);
  append(s, row, 4);
  if (x + 1 < s->side)
    append(s, row + 1, -1);
  if (y + 1 < s->side)
    append(s, row + s->side, -1);
  s->positions[row + 1] = (int32_t)s->count;
}

static stencil stencil_create(int64_t side) {
  stencil s = {.side = side, .n = side * side};
  s.positions = allocate((size_t)s.n + 1, sizeof *s.positions);
  s.coordinates = allocate(5 * (size_t)s.n, sizeof *s.coordinates);
  s.values = allocate(5 * (size_t)s.n, sizeof *s.values);
  for (int64_t row = 0; row < s.n; row++)
    append_row(&s, row);
  return s;
}

static void stencil_free(stencil *s) {
  free(s->positions);
  free(s->coordinates);
  free(s->values);
}

static lac_tensor stencil_tensor(stencil *s) {
  s->dimensions[0] = s->dimensions[1] = s->n;
  s->levels[0] = (lac_level){.kind = "dense", .size = s->n};
  s->levels[1] =
      (lac_level){.kind = "compressed",
                  .size = s->n,
                  .array = {[LAC_POSITIONS] = lac_array_lend(s->positions, s->n + 1, 4),
                            [LAC_COORDINATES] = lac_array_lend(s->coordinates, s->count, 4)}};
  return (lac_tensor){.order = 2,
                      .level_count = 2,
                      .dimensions = s->dimensions,
                      .levels = s->levels,
                      .values = lac_array_lend(s->values, s->count, sizeof *s->values),
                      .type = LAC_F64};
}

//--- The method ----------------------------------------------------------------------------------

static double dot_product(const lac_tensor *u, const lac_tensor *v) {
  lac_tensor s = {0};
  check(dot(&s, u, v));
  double value = *(double *)s.values.data;
  lac_tensor_free(&s);
  return value;
}

/* u becomes u + a v.  The kernel makes a new vector, which then takes the old one's place. */
static void add_scaled(lac_tensor *u, double a, const lac_tensor *v) {
  lac_tensor factor = scalar(&a), sum = {0};
  check(axpy(&sum, u, &factor, v));
  lac_tensor_free(u);
  *u = sum;
}

/* u becomes v + a u. */
static void scale_and_add(lac_tensor *u, double a, const lac_tensor *v) {
  lac_tensor factor = scalar(&a), sum = {0};
  check(axpy(&sum, v, &factor, u));
  lac_tensor_free(u);
  *u = sum;
}

/* Solves A x = b from x = 0, until the residual is below `tolerance` of b's norm.  Returns the
 * number of iterations. */
static int solve(const lac_tensor *A, const lac_tensor *b, lac_tensor *x, double tolerance) {
  lac_tensor r = {0}, p = {0}, q = {0};
  check(lac_tensor_copy(b, &r));
  check(lac_tensor_copy(b, &p));
  double rr = dot_product(&r, &r), enough = tolerance * tolerance * rr;
  int iterations = 0;
  for (; rr > enough && iterations < 10000; iterations++) {
    check(spmv(&q, A, &p));
    double step = rr / dot_product(&p, &q);
    add_scaled(x, step, &p);
    add_scaled(&r, -step, &q);
    double next = dot_product(&r, &r);
    scale_and_add(&p, next / rr, &r);
    rr = next;
  }
  lac_tensor_free(&r);
  lac_tensor_free(&p);
  lac_tensor_free(&q);
  return iterations;
}

/* |b - A x| / |b|, by loops of its own. */
static double residual(const stencil *s, const double *b, const double *x) {
  double rr = 0, bb = 0;
  for (int64_t i = 0; i < s->n; i++) {
    double r = b[i];
    for (int32_t p = s->positions[i]; p < s->positions[i + 1]; p++)
      r -= s->values[p] * x[s->coordinates[p]];
    rr += r * r;
    bb += b[i] * b[i];
  }
  return sqrt(rr / bb);
}

int main(int argc, char **argv) {
  long side = argc > 1 ? strtol(argv[1], NULL, 10) : 300;
  if (side < 1 || side > 10000) {
    fprintf(stderr, "usage: %s SIDE   the side of the grid, 1 to 10000\n", argv[0]);
    return 1;
  }
  stencil s = stencil_create(side);
  double *ones = allocate((size_t)s.n, sizeof *ones), *zeros = allocate((size_t)s.n, sizeof *zeros);
  for (int64_t i = 0; i < s.n; i++)
    ones[i] = 1;
  vector_shape shape_b, shape_x;
  lac_tensor A = stencil_tensor(&s);
  lac_tensor b = vector(&shape_b, ones, s.n), x = vector(&shape_x, zeros, s.n);
  int iterations = solve(&A, &b, &x, 1e-10);
  double left = residual(&s, ones, x.values.data);
  printf("%lld unknowns, %lld entries, %d iterations, residual %.1e\n", (long long)s.n,
         (long long)s.count, iterations, left);
  lac_tensor_free(&x);
  free(ones);
  free(zeros);
  stencil_free(&s);
  return left < 1e-9 ? 0 : 1;
}
