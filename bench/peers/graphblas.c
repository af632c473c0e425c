/* SuiteSparse:GraphBLAS: mxv and vxm with full and sparse vectors, mxm, a mask for SDDMM, eWiseAdd,
 * the export by column, and build.
 *
 * Matrices hold 64-bit positions and indices here (versions before 10).  Operations may be left
 * unfinished by GraphBLAS: each run waits for its result.
 */
#include "harness.h"

#include <GraphBLAS.h>
#include <stdlib.h>
#include <string.h>

/* What a result is shown by. */
typedef struct exported {
  GrB_Index *positions, *coordinates;
  double *values;
} exported;

static GrB_Matrix a, b_matrix, x, y, factor;
static GrB_Vector x_vector, y_vector;
static GrB_Index *list_rows, *list_columns;
static exported shown;
static double *shown_dense;

//--- Operands ------------------------------------------------------------------------------------

static GrB_Index *widen(const int32_t *from, int64_t count) {
  GrB_Index *to = malloc(sizeof *to * (size_t)(count + 1));
  for (int64_t i = 0; to && i < count; i++)
    to[i] = (GrB_Index)from[i];
  return to;
}

static int take_csr(GrB_Matrix *matrix, const bench_tensor *t) {
  GrB_Index *positions = widen(t->positions[1], t->dimensions[0] + 1);
  GrB_Index *coordinates = widen(t->coordinates[1], t->counts[1]);
  GrB_Info info = GrB_Matrix_import_FP64(
      matrix, GrB_FP64, (GrB_Index)t->dimensions[0], (GrB_Index)t->dimensions[1], positions,
      coordinates, t->values, (GrB_Index)t->dimensions[0] + 1, (GrB_Index)t->counts[1],
      (GrB_Index)t->counts[1], GrB_CSR_FORMAT);
  free(positions);
  free(coordinates);
  return info || GrB_Matrix_wait(*matrix, GrB_MATERIALIZE);
}

/* A full matrix, row-major; GraphBLAS takes the array over. */
static int take_dense(GrB_Matrix *matrix, double *values, int64_t rows, int64_t columns) {
  size_t bytes = sizeof *values * (size_t)(rows * columns);
  void *copy = malloc(bytes);
  if (!copy)
    return 1;
  memcpy(copy, values, bytes);
  return GxB_Matrix_import_FullR(matrix, GrB_FP64, (GrB_Index)rows, (GrB_Index)columns, &copy,
                                 bytes, false, NULL);
}

static int make_matrices(bench *b) {
  GrB_init(GrB_NONBLOCKING);
  GxB_Global_Option_set(GxB_NTHREADS, b->threads);
  GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW);
  return take_csr(&a, &b->a) || take_csr(&b_matrix, &b->b);
}

/* A full vector; GraphBLAS takes a copy of the array over. */
static int take_vector(const double *values, int64_t size) {
  size_t bytes = sizeof *values * (size_t)size;
  void *copy = values ? malloc(bytes) : NULL;
  if (!copy)
    return 1;
  memcpy(copy, values, bytes);
  return GxB_Vector_import_Full(&x_vector, GrB_FP64, (GrB_Index)size, &copy, bytes, false, NULL);
}

static int make_spmv(bench *b) {
  return make_matrices(b) || take_vector(bench_dense(b, 0, "n"), b->a.dimensions[1]);
}

static int make_mxv_dense(bench *b) {
  return make_matrices(b) || take_vector(bench_scattered_vector(b, 'n'), b->a.dimensions[1]);
}

static int make_vxm_dense(bench *b) {
  return make_matrices(b) || take_vector(bench_scattered_vector(b, 'm'), b->a.dimensions[0]);
}

static int take_sparse_vector(const bench_tensor *x) {
  GrB_Index *coordinates = widen(x->coordinates[0], x->counts[0]);
  GrB_Info info = GrB_Vector_new(&x_vector, GrB_FP64, (GrB_Index)x->dimensions[0]) ||
                  GxB_Vector_Option_set(x_vector, GxB_SPARSITY_CONTROL, GxB_SPARSE) ||
                  GrB_Vector_build_FP64(x_vector, coordinates, x->values, (GrB_Index)x->counts[0],
                                        GrB_PLUS_FP64) ||
                  GrB_Vector_wait(x_vector, GrB_MATERIALIZE);
  free(coordinates);
  return info;
}

static int make_mxv_sparse(bench *b) {
  return make_matrices(b) || !bench_sparse_vector(b, 'n') || take_sparse_vector(&b->x);
}

static int make_vxm_sparse(bench *b) {
  return make_matrices(b) || !bench_sparse_vector(b, 'm') || take_sparse_vector(&b->x);
}

static int make_list(bench *b) {
  GrB_init(GrB_NONBLOCKING);
  GxB_Global_Option_set(GxB_NTHREADS, b->threads);
  GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW);
  bench_shuffle(&b->a);
  list_rows = widen(b->a.coordinates[0], b->a.counts[1]);
  list_columns = widen(b->a.coordinates[1], b->a.counts[1]);
  return !list_rows || !list_columns;
}

static int make_spmm(bench *b) {
  return make_matrices(b) || !bench_dense(b, 0, "nr") ||
         take_dense(&x, b->dense[0], b->a.dimensions[1], b->columns);
}

static int make_sddmm(bench *b) {
  return make_matrices(b) || !bench_dense(b, 0, "mr") || !bench_dense(b, 1, "nr") ||
         take_dense(&factor, b->dense[0], b->a.dimensions[0], b->columns) ||
         take_dense(&x, b->dense[1], b->a.dimensions[1], b->columns);
}

//--- Kernels -------------------------------------------------------------------------------------

static int make_result(bench *b, int64_t columns) {
  return GrB_Matrix_new(&y, GrB_FP64, (GrB_Index)b->a.dimensions[0], (GrB_Index)columns);
}

static int spmv(bench *b) {
  return GrB_Vector_new(&y_vector, GrB_FP64, (GrB_Index)b->a.dimensions[0]) ||
         GrB_mxv(y_vector, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, x_vector, NULL) ||
         GrB_Vector_wait(y_vector, GrB_MATERIALIZE);
}

static int vxm(bench *b) {
  return GrB_Vector_new(&y_vector, GrB_FP64, (GrB_Index)b->a.dimensions[1]) ||
         GrB_vxm(y_vector, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, x_vector, a, NULL) ||
         GrB_Vector_wait(y_vector, GrB_MATERIALIZE);
}

static int coo_to_csr(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_Matrix_build_FP64(y, list_rows, list_columns, b->a.values, (GrB_Index)b->a.counts[1],
                               GrB_PLUS_FP64) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int spmm(bench *b) {
  return make_result(b, b->columns) ||
         GrB_mxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, x, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int sddmm(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_mxm(y, a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, factor, x, GrB_DESC_ST1) ||
         GrB_Matrix_eWiseMult_BinaryOp(y, NULL, NULL, GrB_TIMES_FP64, y, a, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int add(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_Matrix_eWiseAdd_BinaryOp(y, NULL, NULL, GrB_PLUS_FP64, a, b_matrix, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int spgemm(bench *b) {
  return make_result(b, b->b.dimensions[1]) ||
         GrB_mxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, b_matrix, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

/* The transpose by row is the matrix by column. */
static int to_csc(bench *b) {
  return GrB_Matrix_new(&y, GrB_FP64, (GrB_Index)b->a.dimensions[1],
                        (GrB_Index)b->a.dimensions[0]) ||
         GrB_transpose(y, NULL, NULL, a, NULL) || GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

//--- Results -------------------------------------------------------------------------------------

static int show_elements(int64_t size, bench_result *result) {
  shown.values = calloc((size_t)size, sizeof *shown.values);
  for (int64_t i = 0; shown.values && i < size; i++)
    GrB_Vector_extractElement_FP64(&shown.values[i], y_vector, (GrB_Index)i);
  *result = bench_vector(size, shown.values);
  return shown.values == NULL;
}

static int show_vector(bench *b, bench_result *result) {
  return show_elements(b->a.dimensions[0], result);
}

static int show_row(bench *b, bench_result *result) {
  return show_elements(b->a.dimensions[1], result);
}

static int export_csr(exported *e) {
  GrB_Index positions, coordinates, values;
  if (GrB_Matrix_exportSize(&positions, &coordinates, &values, GrB_CSR_FORMAT, y))
    return 1;
  e->positions = malloc(sizeof *e->positions * (positions + 1));
  e->coordinates = malloc(sizeof *e->coordinates * (coordinates + 1));
  e->values = malloc(sizeof *e->values * (values + 1));
  return GrB_Matrix_export_FP64(e->positions, e->coordinates, e->values, &positions, &coordinates,
                                &values, GrB_CSR_FORMAT, y);
}

static int show_csr(bench *b, bench_result *result) {
  int failed = export_csr(&shown);
  *result = bench_csr(b->a.dimensions[0], b->b.dimensions[1], 8, shown.positions, shown.coordinates,
                      shown.values);
  return failed;
}

static int show_csc(bench *b, bench_result *result) {
  int failed = export_csr(&shown);
  *result = bench_csc(b->a.dimensions[0], b->a.dimensions[1], 8, shown.positions, shown.coordinates,
                      shown.values);
  return failed;
}

/* Rows without entries in A have none in the result either. */
static void scatter(const exported *e, int64_t rows, int64_t columns, double *values) {
  for (int64_t i = 0; i < rows; i++)
    for (GrB_Index p = e->positions[i]; p < e->positions[i + 1]; p++)
      values[i * columns + (int64_t)e->coordinates[p]] = e->values[p];
}

static int show_dense(bench *b, bench_result *result) {
  int64_t rows = b->a.dimensions[0];
  shown_dense = calloc((size_t)(rows * b->columns), sizeof *shown_dense);
  if (!shown_dense || export_csr(&shown))
    return 1;
  scatter(&shown, rows, b->columns, shown_dense);
  *result = bench_matrix(rows, b->columns, shown_dense);
  return 0;
}

static void drop(bench *b) {
  (void)b;
  GrB_Matrix_free(&y);
  GrB_Vector_free(&y_vector);
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_spmv, spmv, show_vector, drop},
      {"spmm", make_spmm, spmm, show_dense, drop},
      {"sddmm", make_sddmm, sddmm, show_csr, drop},
      {"add", make_matrices, add, show_csr, drop},
      {"spgemm", make_matrices, spgemm, show_csr, drop},
      {"to-csc", make_matrices, to_csc, show_csc, drop},
      {"coo-to-csr", make_list, coo_to_csr, show_csr, drop},
      {"mxv-dense", make_mxv_dense, spmv, show_vector, drop},
      {"mxv-sparse", make_mxv_sparse, spmv, show_vector, drop},
      {"vxm-dense", make_vxm_dense, vxm, show_row, drop},
      {"vxm-sparse", make_vxm_sparse, vxm, show_row, drop},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
