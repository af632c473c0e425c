/* MKL's inspector-executor routines for sparse matrices: y = A x (CSR, COO, BSR), Y = A X, sums, A
 * B, and conversions.  The inspector's hints and `mkl_sparse_optimize` are given in `prepare`, as
 * the manual says for kernels that are called often; matrices are lent to it.
 */
#include "made.h"

#include <mkl_service.h>
#include <mkl_spblas.h>

enum { BLOCK = 3, MANY_CALLS = 1000 };

#ifdef BENCH_F32
#define MKL(name) mkl_sparse_s_##name
#else
#define MKL(name) mkl_sparse_d_##name
#endif

static const struct matrix_descr general = {.type = SPARSE_MATRIX_TYPE_GENERAL};
static sparse_matrix_t a, b_matrix, c_matrix, result_matrix;

//--- Operands ------------------------------------------------------------------------------------

static int set_threads(bench *b) {
  mkl_set_num_threads(b->threads);
  return 0;
}

static int lend_csr(sparse_matrix_t *matrix, const bench_tensor *t) {
  return MKL(create_csr)(matrix, SPARSE_INDEX_BASE_ZERO, (MKL_INT)t->dimensions[0],
                         (MKL_INT)t->dimensions[1], t->positions[1], t->positions[1] + 1,
                         t->coordinates[1], t->values);
}

static int lend_coo(sparse_matrix_t *matrix, const bench_tensor *t) {
  return MKL(create_coo)(matrix, SPARSE_INDEX_BASE_ZERO, (MKL_INT)t->dimensions[0],
                         (MKL_INT)t->dimensions[1], (MKL_INT)t->counts[1], t->coordinates[0],
                         t->coordinates[1], t->values);
}

static int expect_vectors(sparse_matrix_t matrix) {
  return mkl_sparse_set_mv_hint(matrix, SPARSE_OPERATION_NON_TRANSPOSE, general, MANY_CALLS) ||
         mkl_sparse_optimize(matrix);
}

static int make_spmv(bench *b) {
  return set_threads(b) || !bench_dense(b, 0, "n") || lend_csr(&a, &b->a) || expect_vectors(a);
}

static int make_spmv_coo(bench *b) {
  return set_threads(b) || !bench_dense(b, 0, "n") || lend_coo(&a, &b->a);
}

static int make_spmv_bcsr(bench *b) {
  sparse_matrix_t rows;
  return set_threads(b) || !bench_dense(b, 0, "n") || lend_csr(&rows, &b->a) ||
         mkl_sparse_convert_bsr(rows, BLOCK, SPARSE_LAYOUT_ROW_MAJOR,
                                SPARSE_OPERATION_NON_TRANSPOSE, &a) ||
         expect_vectors(a);
}

static int make_spmm(bench *b) {
  return set_threads(b) || !bench_dense(b, 0, "nr") || lend_csr(&a, &b->a) ||
         mkl_sparse_set_mm_hint(a, SPARSE_OPERATION_NON_TRANSPOSE, general, SPARSE_LAYOUT_ROW_MAJOR,
                                (MKL_INT)b->columns, MANY_CALLS) ||
         mkl_sparse_optimize(a);
}

static int make_matrices(bench *b) {
  return set_threads(b) || lend_csr(&a, &b->a) || lend_csr(&b_matrix, &b->b) ||
         lend_csr(&c_matrix, &b->c);
}

static int make_list(bench *b) {
  bench_shuffle(&b->a);
  return set_threads(b) || lend_coo(&a, &b->a);
}

//--- Kernels -------------------------------------------------------------------------------------

static int spmv(bench *b) {
  return MKL(mv)(SPARSE_OPERATION_NON_TRANSPOSE, 1, a, general, b->dense[0], 0,
                 made_values(b, b->a.dimensions[0]));
}

static int spmm(bench *b) {
  MKL_INT columns = (MKL_INT)b->columns;
  return MKL(mm)(SPARSE_OPERATION_NON_TRANSPOSE, 1, a, general, SPARSE_LAYOUT_ROW_MAJOR,
                 b->dense[0], columns, columns, 0, made_values(b, b->a.dimensions[0] * b->columns),
                 columns);
}

static int add(bench *b) {
  (void)b;
  return MKL(add)(SPARSE_OPERATION_NON_TRANSPOSE, a, 1, b_matrix, &result_matrix);
}

static int add3(bench *b) {
  sparse_matrix_t sum = NULL;
  (void)b;
  int failed = MKL(add)(SPARSE_OPERATION_NON_TRANSPOSE, a, 1, b_matrix, &sum) ||
               MKL(add)(SPARSE_OPERATION_NON_TRANSPOSE, sum, 1, c_matrix, &result_matrix);
  mkl_sparse_destroy(sum);
  return failed;
}

/* Its columns come in no order. */
static int spgemm(bench *b) {
  (void)b;
  return mkl_sparse_spmm(SPARSE_OPERATION_NON_TRANSPOSE, a, b_matrix, &result_matrix) ||
         mkl_sparse_order(result_matrix);
}

/* The transpose by row is the matrix by column. */
static int to_csc(bench *b) {
  (void)b;
  return mkl_sparse_convert_csr(a, SPARSE_OPERATION_TRANSPOSE, &result_matrix) ||
         mkl_sparse_order(result_matrix);
}

static int coo_to_csr(bench *b) {
  (void)b;
  return mkl_sparse_convert_csr(a, SPARSE_OPERATION_NON_TRANSPOSE, &result_matrix) ||
         mkl_sparse_order(result_matrix);
}

static int to_bcsr(bench *b) {
  (void)b;
  return mkl_sparse_convert_bsr(a, BLOCK, SPARSE_LAYOUT_ROW_MAJOR, SPARSE_OPERATION_NON_TRANSPOSE,
                                &result_matrix);
}

//--- Results -------------------------------------------------------------------------------------

static int show_vector(bench *b, bench_result *result) {
  *result = bench_vector(b->a.dimensions[0], made_of(b)->values);
  return 0;
}

static int show_matrix(bench *b, bench_result *result) {
  *result = bench_matrix(b->a.dimensions[0], b->columns, made_of(b)->values);
  return 0;
}

/* A matrix as MKL shows it; rows begin where the one before ends. */
static int show_rows(sparse_matrix_t matrix, bench_result *result, bool by_column) {
  sparse_index_base_t base;
  MKL_INT rows, columns, *begins, *ends, *coordinates;
  bench_value *values;
  if (MKL(export_csr)(matrix, &base, &rows, &columns, &begins, &ends, &coordinates, &values))
    return 1;
  *result = by_column ? bench_csc(columns, rows, 4, begins, coordinates, values)
                      : bench_csr(rows, columns, 4, begins, coordinates, values);
  return begins + 1 != ends;
}

static int show_csr(bench *b, bench_result *result) {
  (void)b;
  return show_rows(result_matrix, result, false);
}

static int show_csc(bench *b, bench_result *result) {
  (void)b;
  return show_rows(result_matrix, result, true);
}

/* As CSR, zeros in the blocks left out. */
static int show_blocks(bench *b, bench_result *result) {
  sparse_matrix_t rows;
  (void)b;
  int failed = mkl_sparse_convert_csr(result_matrix, SPARSE_OPERATION_NON_TRANSPOSE, &rows) ||
               mkl_sparse_order(rows) || show_rows(rows, result, false);
  result->padded = true;
  return failed;
}

static void drop(bench *b) {
  made_drop(b);
  if (result_matrix)
    mkl_sparse_destroy(result_matrix);
  result_matrix = NULL;
}

/* MKL keeps buffers of its own. */
static void forget(bench *b) {
  (void)b;
  mkl_free_buffers();
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_spmv, spmv, show_vector, drop, set_threads, forget, NULL},
      {"spmv-coo", make_spmv_coo, spmv, show_vector, drop, set_threads, forget, NULL},
      {"spmv-bcsr", make_spmv_bcsr, spmv, show_vector, drop, set_threads, forget, NULL},
      {"spmm", make_spmm, spmm, show_matrix, drop, set_threads, forget, NULL},
      {"add", make_matrices, add, show_csr, drop, set_threads, forget, NULL},
      {"add3", make_matrices, add3, show_csr, drop, set_threads, forget, NULL},
      {"spgemm", make_matrices, spgemm, show_csr, drop, set_threads, forget, NULL},
      {"to-csc", make_matrices, to_csc, show_csc, drop, set_threads, forget, NULL},
      {"coo-to-csr", make_list, coo_to_csr, show_csr, drop, set_threads, forget, NULL},
      {"to-bcsr", make_matrices, to_bcsr, show_blocks, drop, set_threads, forget, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
