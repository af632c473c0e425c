/* triad - the memory's bandwidth: z = 3 x + y on three arrays of MEGABYTES each, the best of ten
 * runs, in bytes a second (McCalpin's STREAM).  Four words an element are counted: a processor
 * fetches a line of z before it writes to it.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 10, WORDS_A_MEGABYTE = 125000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fill(double *array, int64_t count, double value) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    array[i] = value;
}

static double run(double *restrict z, const double *restrict x, const double *restrict y,
                  int64_t count) {
  double start = now();
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    z[i] = 3 * x[i] + y[i];
  return now() - start;
}

int main(int argc, char **argv) {
  int64_t count = (argc > 1 ? strtoll(argv[1], NULL, 10) : 400) * WORDS_A_MEGABYTE;
  double *x = bench_allocate(8 * count), *y = bench_allocate(8 * count),
         *z = bench_allocate(8 * count);
  if (!x || !y || !z)
    return fprintf(stderr, "error: no memory\n"), 1;
  fill(x, count, 1);
  fill(y, count, 2);
  fill(z, count, 0);
  double best = run(z, x, y, count);
  for (int i = 1; i < RUNS; i++) {
    double seconds = run(z, x, y, count);
    best = seconds < best ? seconds : best;
  }
  printf("%.6g\n", 32.0 * (double)count / best);
  return z[count - 1] != 5;
}
