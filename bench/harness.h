/* harness.h - what every program of the benchmark shares, ours and the peers': operands, the clock,
 * memory, and the fingerprint of a result.
 *
 *     PROGRAM KERNEL COLUMNS A [B [C]]
 *
 * COLUMNS are those of dense matrices, or of sparse factors of a tensor; of kernels on a sparse
 * vector it is how many of a million places that vector has entries at.
 *
 * Each program loads the tensors in the folders A, B and C, runs KERNEL once, and then does what it
 * is told, a line on its standard input at a time, so that the programs of a benchmark can take
 * turns. It answers each with a line of JSON on its standard output:
 *
 *     warm       a timed run, into the memory that the result before it had
 *     cold       a timed run, into pages that the system has to make anew
 *     threads N  from now on as many; at first as OMP_NUM_THREADS says
 *     show       what the last result came to
 *     compile    makes the kernel anew; where kernels are compiled
 *
 * The answer to a run is its seconds, its processor time, what of that was spent in the system, the
 * page faults in it, and its peak: the most bytes that were resident at a time beyond those before
 * it (null where the system does not tell), which is what it needs where the run is cold.  A result
 * is made anew in every run, inside the timed region, and freed outside of it.  A run that takes
 * less than 20 ms is done twice, and the second one counts: others have had the caches in between.
 * Of one that takes less than 0.1 ms in warm memory the median of 31 that follow each other counts:
 * one alone shows what the looks at memory have left in the caches, and the steps of the clock.
 *
 * Memory is the C library's for everyone who takes it from there: for a warm run it keeps all that
 * is freed, for a cold one it maps every block of 128 KiB or more, and what was kept before is
 * given back (`forget`, where a program keeps memory in other ways).
 *
 * With BENCH_F32 values are f32.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_ORDER = 4, BENCH_DENSE = 3, BENCH_TAPS = 3 };

#ifdef BENCH_F32
typedef float bench_value;
#else
typedef double bench_value;
#endif

/* A sparse operand as `pack` left it: 32-bit positions and coordinates.
 *   order 1   a sparse vector (also bench_sparse_vector's): positions[0], coordinates[0]
 *   order 2   CSR: positions[1], coordinates[1]; and coordinates[0], the row of each entry (COO)
 *   order 3, 4   CSF: positions and coordinates of all levels
 * `counts` are the numbers of coordinates at each level (of a matrix: rows, entries); the last is
 * that of the values. */
typedef struct bench_tensor {
  int64_t order, dimensions[BENCH_ORDER], counts[BENCH_ORDER];
  int32_t *positions[BENCH_ORDER], *coordinates[BENCH_ORDER];
  bench_value *values;
} bench_tensor;

/* The operands, for all runs.  B and C are A where no more folders were given. */
typedef struct bench {
  bench_tensor a, b, c;
  bench_tensor x;  /* as bench_sparse_vector made it */
  int64_t columns; /* of the dense operands; a sparse vector's entries in a million places */
  int threads;
  bench_value *dense[BENCH_DENSE]; /* as bench_dense made them */
  void *state;                     /* the peer's own */
} bench;

/* How many segments the positions of a level have. */
static inline int64_t bench_parents(const bench_tensor *t, int level) {
  return level > 0 && level < BENCH_ORDER ? t->counts[level - 1] : 1;
}

/* The number of values. */
static inline int64_t bench_entries(const bench_tensor *t) {
  return t->counts[t->order - 1];
}

/* Uninitialized; in huge pages where GLIBC_TUNABLES say so, as for all that programs allocate. */
void *bench_allocate(int64_t bytes);

/* Fills dense[slot] with values between 1/2 and 3/2 that depend on the place and the slot,
 * row-major. Its shape is a letter a dimension: m, n, p, q the dimensions of A, r the columns, t
 * the taps of a filter; "nr" is what A is multiplied with in SpMM.  Returns the array, NULL
 * without memory. */
bench_value *bench_dense(bench *b, int slot, const char *shape);

/* Makes dense[slot] the array of A with all its zeros.  Returns it, NULL without memory. */
bench_value *bench_with_zeros(bench *b, int slot);

/* The sparse vector x, of the size of A's dimension `letter`, at places that a hash chooses, and
 * the same with zeros between its entries (dense[0]).  Returns false without memory. */
bool bench_sparse_vector(bench *b, char letter);
bench_value *bench_scattered_vector(bench *b, char letter);

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
  const bench_value *values;
  bool padded;
} bench_result;

/* Results of the usual shapes. */
bench_result bench_scalar(const bench_value *value);
bench_result bench_vector(int64_t size, const bench_value *values);
bench_result bench_matrix(int64_t rows, int64_t columns, const bench_value *values);
bench_result bench_array(int order, const int64_t *sizes, const bench_value *values);
bench_result bench_csr(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const bench_value *values);
bench_result bench_csc(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const bench_value *values);

/* A kernel of a peer.  Each function returns 0, or anything else when it cannot; all but `run`,
 * `show` and `drop` may be NULL. prepare   makes what does not count: the peer's own matrices,
 * dense operands run       is timed: makes the result show      describes the last result drop
 * frees the last result threads   takes over bench.threads, where OpenMP's omp_set_num_threads is
 * not all that it takes forget    gives back memory that is kept for later results otherwise than
 * by the C library compile   makes the kernel's code anew, for the operands at hand */
typedef struct bench_kernel {
  const char *name;
  int (*prepare)(bench *b);
  int (*run)(bench *b);
  int (*show)(bench *b, bench_result *result);
  void (*drop)(bench *b);
  int (*threads)(bench *b);
  void (*forget)(bench *b);
  int (*compile)(bench *b);
} bench_kernel;

/* The main function of a program.  A kernel with the name "*" is taken for every name. */
int bench_main(int argc, char **argv, const bench_kernel *kernels, int count);

/* The name on the command line. */
extern const char *bench_kernel_name;

/* What a program knows of its last result, for `show`: bytes of all arrays of the operands, and of
 * the result. */
extern int64_t bench_read_bytes, bench_written_bytes;

/* Seconds that the kernel's code took when it was made first, in a program that compiles. */
extern double bench_compile_seconds;

/* Seconds from some moment on. */
double bench_clock(void);

#ifdef __cplusplus
}
#endif
#endif
