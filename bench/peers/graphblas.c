/* SuiteSparse:GraphBLAS: mxv and vxm with full and sparse vectors, mxm, a mask for SDDMM, for
 * products of which little is wanted and for triangles, eWiseAdd, the export by column, and build.
 *
 * Triangles are counted as LAGraph's LAGr_TriangleCount does, of L, the entries below the diagonal,
 * and U, its transpose (Wolf et al. at Sandia, 2017): every product of
 * two entries is 1 (plus_pair), and only what the mask has is made,
 *
 *     LL    C<L> = L L    by rows         LUT   C<L> = L U'    by dot products
 *     UU    C<U> = U U    by rows         ULT   C<U> = U L'    by dot products
 *
 * Matrices hold 64-bit positions and indices here (versions before 10).  Operations may be left
 * unfinished by GraphBLAS: each run waits for its result.
 */
#include "harness.h"

#include <GraphBLAS.h>
#include <stdlib.h>
#include <string.h>

#ifdef BENCH_F32
#define VALUE GrB_FP32
#define PLUS GrB_PLUS_FP32
#define TIMES GrB_TIMES_FP32
#define SUM GrB_PLUS_MONOID_FP32
#define REDUCE GrB_Matrix_reduce_FP32
#define PLUS_TIMES GrB_PLUS_TIMES_SEMIRING_FP32
#define PLUS_PAIR GxB_PLUS_PAIR_FP32
#else
#define VALUE GrB_FP64
#define PLUS GrB_PLUS_FP64
#define TIMES GrB_TIMES_FP64
#define SUM GrB_PLUS_MONOID_FP64
#define REDUCE GrB_Matrix_reduce_FP64
#define PLUS_TIMES GrB_PLUS_TIMES_SEMIRING_FP64
#define PLUS_PAIR GxB_PLUS_PAIR_FP64
#endif

/* What a result is shown by. */
typedef struct exported {
  GrB_Index *positions, *coordinates;
  bench_value *values;
} exported;

static GrB_Matrix a, b_matrix, c_matrix, x, y, factor, second_factor;
static GrB_Vector x_vector, y_vector;
static GrB_Index *list_rows, *list_columns;
static exported shown;
static bench_value *shown_dense, total;

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
  GrB_Info info =
      GrB_Matrix_import(matrix, VALUE, (GrB_Index)t->dimensions[0], (GrB_Index)t->dimensions[1],
                        positions, coordinates, t->values, (GrB_Index)t->dimensions[0] + 1,
                        (GrB_Index)t->counts[1], (GrB_Index)t->counts[1], GrB_CSR_FORMAT);
  free(positions);
  free(coordinates);
  return info || GrB_Matrix_wait(*matrix, GrB_MATERIALIZE);
}

/* A full matrix, row-major; GraphBLAS takes the array over. */
static int take_dense(GrB_Matrix *matrix, bench_value *values, int64_t rows, int64_t columns) {
  size_t bytes = sizeof *values * (size_t)(rows * columns);
  void *copy = malloc(bytes);
  if (!copy)
    return 1;
  memcpy(copy, values, bytes);
  return GxB_Matrix_import_FullR(matrix, VALUE, (GrB_Index)rows, (GrB_Index)columns, &copy, bytes,
                                 false, NULL);
}

static int set_threads(bench *b) {
  return GxB_Global_Option_set(GxB_NTHREADS, b->threads);
}

static int begin(bench *b) {
  return GrB_init(GrB_NONBLOCKING) || set_threads(b) ||
         GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW);
}

static int make_matrices(bench *b) {
  return begin(b) || take_csr(&a, &b->a) || take_csr(&b_matrix, &b->b);
}

/* L and U = L'. */
static int make_triangles(bench *b) {
  return begin(b) || take_csr(&a, &b->a) ||
         GrB_Matrix_new(&b_matrix, VALUE, (GrB_Index)b->a.dimensions[1],
                        (GrB_Index)b->a.dimensions[0]) ||
         GrB_transpose(b_matrix, NULL, NULL, a, NULL) || GrB_Matrix_wait(b_matrix, GrB_MATERIALIZE);
}

static int make_three(bench *b) {
  return make_matrices(b) || take_csr(&c_matrix, &b->c);
}

/* A full vector; GraphBLAS takes a copy of the array over. */
static int take_vector(const bench_value *values, int64_t size) {
  size_t bytes = sizeof *values * (size_t)size;
  void *copy = values ? malloc(bytes) : NULL;
  if (!copy)
    return 1;
  memcpy(copy, values, bytes);
  return GxB_Vector_import_Full(&x_vector, VALUE, (GrB_Index)size, &copy, bytes, false, NULL);
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
  GrB_Info info =
      GrB_Vector_new(&x_vector, VALUE, (GrB_Index)x->dimensions[0]) ||
      GxB_Vector_Option_set(x_vector, GxB_SPARSITY_CONTROL, GxB_SPARSE) ||
      GrB_Vector_build(x_vector, coordinates, x->values, (GrB_Index)x->counts[0], PLUS) ||
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
  if (begin(b))
    return 1;
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

static int make_attention(bench *b) {
  return make_sddmm(b) || !bench_dense(b, 2, "nr") ||
         take_dense(&second_factor, b->dense[2], b->a.dimensions[1], b->columns);
}

//--- Kernels -------------------------------------------------------------------------------------

static int make_result(bench *b, int64_t columns) {
  return GrB_Matrix_new(&y, VALUE, (GrB_Index)b->a.dimensions[0], (GrB_Index)columns);
}

static int spmv(bench *b) {
  return GrB_Vector_new(&y_vector, VALUE, (GrB_Index)b->a.dimensions[0]) ||
         GrB_mxv(y_vector, NULL, NULL, PLUS_TIMES, a, x_vector, NULL) ||
         GrB_Vector_wait(y_vector, GrB_MATERIALIZE);
}

static int vxm(bench *b) {
  return GrB_Vector_new(&y_vector, VALUE, (GrB_Index)b->a.dimensions[1]) ||
         GrB_vxm(y_vector, NULL, NULL, PLUS_TIMES, x_vector, a, NULL) ||
         GrB_Vector_wait(y_vector, GrB_MATERIALIZE);
}

static int coo_to_csr(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_Matrix_build(y, list_rows, list_columns, b->a.values, (GrB_Index)b->a.counts[1],
                          PLUS) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int spmm(bench *b) {
  return make_result(b, b->columns) || GrB_mxm(y, NULL, NULL, PLUS_TIMES, a, x, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int sddmm(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_mxm(y, a, NULL, PLUS_TIMES, factor, x, GrB_DESC_ST1) ||
         GrB_Matrix_eWiseMult_BinaryOp(y, NULL, NULL, TIMES, y, a, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

/* The product of A's entries with those of R, times X, into Y. */
static int sddmm_spmm(bench *b) {
  GrB_Matrix product = NULL;
  int failed = sddmm(b);
  product = y;
  y = NULL;
  failed = failed || make_result(b, b->columns) ||
           GrB_mxm(y, NULL, NULL, PLUS_TIMES, product, second_factor, NULL) ||
           GrB_Matrix_wait(y, GrB_MATERIALIZE);
  GrB_Matrix_free(&product);
  return failed;
}

/* A product wanted at A's places alone, times A there. */
static int triangles(bench *b) {
  return make_result(b, b->a.dimensions[1]) || GrB_mxm(y, a, NULL, PLUS_TIMES, a, a, GrB_DESC_S) ||
         GrB_Matrix_eWiseMult_BinaryOp(y, NULL, NULL, TIMES, y, a, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int count_triangles(bench *b) {
  return triangles(b) || REDUCE(&total, NULL, SUM, y, NULL);
}

/* The mask is one of places; its values are ones. */
static int masked(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_mxm(y, a, NULL, PLUS_TIMES, b_matrix, c_matrix, GrB_DESC_S) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

/* The sum of C<mask> = mask * other. */
static int sum_masked(bench *b, GrB_Matrix mask, GrB_Matrix other, GrB_Descriptor how) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_mxm(y, mask, NULL, PLUS_PAIR, mask, other, how) || REDUCE(&total, NULL, SUM, y, NULL);
}

static int triangles_ll(bench *b) {
  return sum_masked(b, a, a, GrB_DESC_S);
}

static int triangles_uu(bench *b) {
  return sum_masked(b, b_matrix, b_matrix, GrB_DESC_S);
}

static int triangles_lut(bench *b) {
  return sum_masked(b, a, b_matrix, GrB_DESC_ST1);
}

static int triangles_ult(bench *b) {
  return sum_masked(b, b_matrix, a, GrB_DESC_ST1);
}

static int add3(bench *b) {
  GrB_Matrix sum = NULL;
  int failed =
      GrB_Matrix_new(&sum, VALUE, (GrB_Index)b->a.dimensions[0], (GrB_Index)b->a.dimensions[1]) ||
      GrB_Matrix_eWiseAdd_BinaryOp(sum, NULL, NULL, PLUS, a, b_matrix, NULL) ||
      make_result(b, b->a.dimensions[1]) ||
      GrB_Matrix_eWiseAdd_BinaryOp(y, NULL, NULL, PLUS, sum, c_matrix, NULL) ||
      GrB_Matrix_wait(y, GrB_MATERIALIZE);
  GrB_Matrix_free(&sum);
  return failed;
}

static int add(bench *b) {
  return make_result(b, b->a.dimensions[1]) ||
         GrB_Matrix_eWiseAdd_BinaryOp(y, NULL, NULL, PLUS, a, b_matrix, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

static int spgemm(bench *b) {
  return make_result(b, b->b.dimensions[1]) ||
         GrB_mxm(y, NULL, NULL, PLUS_TIMES, a, b_matrix, NULL) ||
         GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

/* The transpose by row is the matrix by column. */
static int to_csc(bench *b) {
  return GrB_Matrix_new(&y, VALUE, (GrB_Index)b->a.dimensions[1], (GrB_Index)b->a.dimensions[0]) ||
         GrB_transpose(y, NULL, NULL, a, NULL) || GrB_Matrix_wait(y, GrB_MATERIALIZE);
}

//--- Results -------------------------------------------------------------------------------------

static int show_elements(int64_t size, bench_result *result) {
  shown.values = calloc((size_t)size, sizeof *shown.values);
  for (int64_t i = 0; shown.values && i < size; i++)
    GrB_Vector_extractElement(&shown.values[i], y_vector, (GrB_Index)i);
  *result = bench_vector(size, shown.values);
  return shown.values == NULL;
}

static int show_vector(bench *b, bench_result *result) {
  return show_elements(b->a.dimensions[0], result);
}

static int show_row(bench *b, bench_result *result) {
  return show_elements(b->a.dimensions[1], result);
}

static int show_total(bench *b, bench_result *result) {
  (void)b;
  *result = bench_scalar(&total);
  return 0;
}

static int export_csr(exported *e) {
  GrB_Index positions, coordinates, values;
  if (GrB_Matrix_exportSize(&positions, &coordinates, &values, GrB_CSR_FORMAT, y))
    return 1;
  e->positions = malloc(sizeof *e->positions * (positions + 1));
  e->coordinates = malloc(sizeof *e->coordinates * (coordinates + 1));
  e->values = malloc(sizeof *e->values * (values + 1));
  return GrB_Matrix_export(e->positions, e->coordinates, e->values, &positions, &coordinates,
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
static void scatter(const exported *e, int64_t rows, int64_t columns, bench_value *values) {
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
  free(shown.positions);
  free(shown.coordinates);
  free(shown.values);
  free(shown_dense);
  shown = (exported){0};
  shown_dense = NULL;
  GrB_Matrix_free(&y);
  GrB_Vector_free(&y_vector);
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_spmv, spmv, show_vector, drop, set_threads, NULL, NULL},
      {"spmm", make_spmm, spmm, show_dense, drop, set_threads, NULL, NULL},
      {"sddmm", make_sddmm, sddmm, show_csr, drop, set_threads, NULL, NULL},
      {"add", make_matrices, add, show_csr, drop, set_threads, NULL, NULL},
      {"spgemm", make_matrices, spgemm, show_csr, drop, set_threads, NULL, NULL},
      {"sddmm-spmm", make_attention, sddmm_spmm, show_dense, drop, set_threads, NULL, NULL},
      {"add3", make_three, add3, show_csr, drop, set_threads, NULL, NULL},
      {"masked", make_three, masked, show_csr, drop, set_threads, NULL, NULL},
      {"tri-lower-ll", make_triangles, triangles_ll, show_total, drop, set_threads, NULL, NULL},
      {"tri-lower-uu", make_triangles, triangles_uu, show_total, drop, set_threads, NULL, NULL},
      {"tri-lower-lut", make_triangles, triangles_lut, show_total, drop, set_threads, NULL, NULL},
      {"tri-lower-ult", make_triangles, triangles_ult, show_total, drop, set_threads, NULL, NULL},
      {"tri", make_matrices, triangles, show_csr, drop, set_threads, NULL, NULL},
      {"tri-count", make_matrices, count_triangles, show_total, drop, set_threads, NULL, NULL},
      {"to-csc", make_matrices, to_csc, show_csc, drop, set_threads, NULL, NULL},
      {"coo-to-csr", make_list, coo_to_csr, show_csr, drop, set_threads, NULL, NULL},
      {"mxv-dense", make_mxv_dense, spmv, show_vector, drop, set_threads, NULL, NULL},
      {"mxv-sparse", make_mxv_sparse, spmv, show_vector, drop, set_threads, NULL, NULL},
      {"vxm-dense", make_vxm_dense, vxm, show_row, drop, set_threads, NULL, NULL},
      {"vxm-sparse", make_vxm_sparse, vxm, show_row, drop, set_threads, NULL, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
