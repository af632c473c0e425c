/* harness.h - what every program of the benchmark shares, ours and the peers': operands, the clock,
 * and the fingerprint of a result.
 *
 *     PROGRAM KERNEL COLUMNS RUNS SECONDS A [B]
 *
 * COLUMNS are those of dense matrices; of kernels on a sparse vector it is how many of a million
 * places that vector has entries at.
 *
 * Each program loads the tensors in the folders A and B, runs KERNEL once to warm up and then at
 * least three and up to RUNS times (no more once SECONDS are over), and prints one line of JSON:
 * the seconds of each run, and what the last result came to.  A result is made anew in every run,
 * inside the timed region, and freed outside of it.  Threads are as many as OMP_NUM_THREADS says.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_ORDER = 3 };

/* A sparse operand as `pack` left it: 32-bit positions and coordinates, f64 values.
 *   order 1   a sparse vector (bench_sparse_vector): positions[0], coordinates[0]
 *   order 2   CSR: positions[1], coordinates[1]; and coordinates[0], the row of each entry (COO)
 *   order 3   CSF: positions and coordinates of all three levels
 * `counts` are the numbers of coordinates at each level (of a matrix: rows, entries); the last is
 * that of the values. */
typedef struct bench_tensor {
  int64_t order, dimensions[BENCH_ORDER], counts[BENCH_ORDER];
  int32_t *positions[BENCH_ORDER], *coordinates[BENCH_ORDER];
  double *values;
} bench_tensor;

/* The operands, for all runs.  B is A where no second folder was given. */
typedef struct bench {
  bench_tensor a, b;
  bench_tensor x;  /* as bench_sparse_vector made it */
  int64_t columns; /* of the dense operands; a sparse vector's entries in a million places */
  int threads;
  double *dense[3]; /* as bench_dense made them */
  void *state;      /* the peer's own */
} bench;

/* How many segments the positions of a level have. */
static inline int64_t bench_parents(const bench_tensor *t, int level) {
  return level > 0 && level < BENCH_ORDER ? t->counts[level - 1] : 1;
}

/* The number of values. */
static inline int64_t bench_entries(const bench_tensor *t) {
  return t->counts[t->order - 1];
}

/* Blocks in huge pages where they are large; `count` elements of 8 bytes, uninitialized. */
void *bench_allocate(int64_t count);

/* Fills dense[slot] with values between 1/2 and 3/2 that depend on the place and the slot,
 * row-major. Its shape is a letter a dimension: m, n, p the dimensions of A, r the columns; "nr" is
 * what A is multiplied with in SpMM.  Returns the array, NULL without memory. */
double *bench_dense(bench *b, int slot, const char *shape);

/* The sparse vector x, of the size of A's dimension `letter`, at places that a hash chooses, and
 * the same with zeros between its entries (dense[0]).  Returns false without memory. */
bool bench_sparse_vector(bench *b, char letter);
double *bench_scattered_vector(bench *b, char letter);

/* Brings the entries of A as a coordinate list into an order without order, always the same; its
 * positions stay what they were. */
void bench_shuffle(bench_tensor *t);

/* The size of a dimension by its letter. */
int64_t bench_size(const bench *b, char letter);

/* A result to be compared: levels as in Chou et al. 2018.  A level with `positions` is compressed,
 * one with `coordinates` alone a singleton below a level of as many entries, one with neither
 * dense.  `width` is the bytes of positions and coordinates; `dimension` the one that the level
 * holds.  Where a format stores zeros to fill up blocks or diagonals, `padded`, zeros are no
 * entries. */
typedef struct bench_level {
  int64_t size;
  const void *positions, *coordinates;
  int dimension;
} bench_level;

typedef struct bench_result {
  int order, width;
  bench_level levels[BENCH_ORDER];
  const double *values;
  bool padded;
} bench_result;

/* Results of the usual shapes. */
bench_result bench_scalar(const double *value);
bench_result bench_vector(int64_t size, const double *values);
bench_result bench_matrix(int64_t rows, int64_t columns, const double *values);
bench_result bench_csr(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const double *values);
bench_result bench_csc(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const double *values);

/* A kernel of a peer.  Each function returns 0, or anything else when it cannot.
 *   prepare   makes what does not count: the peer's own matrices, dense operands; may be NULL
 *   run       is timed: makes the result
 *   show      describes the last result
 *   drop      frees the last result */
typedef struct bench_kernel {
  const char *name;
  int (*prepare)(bench *b);
  int (*run)(bench *b);
  int (*show)(bench *b, bench_result *result);
  void (*drop)(bench *b);
} bench_kernel;

/* The main function of a program.  A kernel with the name "*" is taken for every name. */
int bench_main(int argc, char **argv, const bench_kernel *kernels, int count);

/* The name on the command line. */
extern const char *bench_kernel_name;

/* Bytes of operands and of the result that must move, when a program knows them. */
extern int64_t bench_moved_bytes;

#ifdef __cplusplus
}
#endif
#endif
