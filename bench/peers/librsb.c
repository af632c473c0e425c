/* librsb: y = A x and Y = A X with A as recursive sparse blocks, as its constructor splits it (not
 * tuned further). */
#include "made.h"

#include <rsb.h>
#include <string.h>

#ifdef BENCH_F32
#define NUMERICAL_TYPE RSB_NUMERICAL_TYPE_FLOAT
#else
#define NUMERICAL_TYPE RSB_NUMERICAL_TYPE_DOUBLE
#endif

static struct rsb_mtx_t *matrix;

static int set_threads(bench *b) {
  const rsb_coo_idx_t threads = b->threads;
  return rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads) != RSB_ERR_NO_ERROR;
}

static int make_matrix(bench *b) {
  const bench_tensor *a = &b->a;
  rsb_err_t status = rsb_lib_init(RSB_NULL_INIT_OPTIONS);
  if (status == RSB_ERR_NO_ERROR)
    matrix = rsb_mtx_alloc_from_coo_const(
        a->values, a->coordinates[0], a->coordinates[1], (rsb_nnz_idx_t)a->counts[1],
        NUMERICAL_TYPE, (rsb_coo_idx_t)a->dimensions[0], (rsb_coo_idx_t)a->dimensions[1], 1, 1,
        RSB_FLAG_NOFLAGS, &status);
  return status != RSB_ERR_NO_ERROR;
}

static int make_spmv(bench *b) {
  return make_matrix(b) || !bench_dense(b, 0, "n");
}

static int make_spmm(bench *b) {
  return make_matrix(b) || !bench_dense(b, 0, "nr");
}

static int spmv(bench *b) {
  const bench_value one = 1, zero = 0;
  bench_value *y = made_values(b, b->a.dimensions[0]);
  return rsb_spmv(RSB_TRANSPOSITION_N, &one, matrix, b->dense[0], 1, &zero, y, 1) !=
         RSB_ERR_NO_ERROR;
}

static int spmm(bench *b) {
  const bench_value one = 1, zero = 0;
  bench_value *y = made_values(b, b->a.dimensions[0] * b->columns);
  rsb_coo_idx_t columns = (rsb_coo_idx_t)b->columns;
  return rsb_spmm(RSB_TRANSPOSITION_N, &one, matrix, columns, RSB_FLAG_WANT_ROW_MAJOR_ORDER,
                  b->dense[0], columns, &zero, y, columns) != RSB_ERR_NO_ERROR;
}

static int show_vector(bench *b, bench_result *result) {
  *result = bench_vector(b->a.dimensions[0], made_of(b)->values);
  return 0;
}

static int show_matrix(bench *b, bench_result *result) {
  *result = bench_matrix(b->a.dimensions[0], b->columns, made_of(b)->values);
  return 0;
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_spmv, spmv, show_vector, made_drop, set_threads, NULL, NULL},
      {"spmm", make_spmm, spmm, show_matrix, made_drop, set_threads, NULL, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
