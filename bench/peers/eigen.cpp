// Eigen 3: y = A x, Y = A X, A + B, A B, and A in column-major order.  A is lent to it (Map).
#include "harness.h"

#include <Eigen/Sparse>

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

static Rows sparse;
static Columns columns;
static Eigen::VectorXd vector;
static Dense dense;

static Eigen::Map<const Rows> lend(const bench_tensor &t) {
  return {t.dimensions[0], t.dimensions[1],  t.counts[1],
          t.positions[1],  t.coordinates[1], t.values};
}

static int make_x(bench *b) {
  return !bench_dense(b, 0, "n");
}
static int make_columns(bench *b) {
  return !bench_dense(b, 0, "nr");
}

static int spmv(bench *b) {
  vector.resize(b->a.dimensions[0]);
  vector.noalias() = lend(b->a) * Eigen::Map<Eigen::VectorXd>(b->dense[0], b->a.dimensions[1]);
  return 0;
}

static int spmm(bench *b) {
  dense.resize(b->a.dimensions[0], b->columns);
  dense.noalias() = lend(b->a) * Eigen::Map<Dense>(b->dense[0], b->a.dimensions[1], b->columns);
  return 0;
}

static int add(bench *b) {
  sparse = lend(b->a) + lend(b->b);
  return 0;
}

static int spgemm(bench *b) {
  sparse = lend(b->a) * lend(b->b);
  return 0;
}

static int to_csc(bench *b) {
  columns = lend(b->a);
  return 0;
}

static int show_vector(bench *, bench_result *result) {
  *result = bench_vector(vector.size(), vector.data());
  return 0;
}

static int show_dense(bench *, bench_result *result) {
  *result = bench_matrix(dense.rows(), dense.cols(), dense.data());
  return 0;
}

static int show_sparse(bench *, bench_result *result) {
  *result = bench_csr(sparse.rows(), sparse.cols(), 4, sparse.outerIndexPtr(),
                      sparse.innerIndexPtr(), sparse.valuePtr());
  return 0;
}

static int show_columns(bench *, bench_result *result) {
  *result = bench_csc(columns.rows(), columns.cols(), 4, columns.outerIndexPtr(),
                      columns.innerIndexPtr(), columns.valuePtr());
  return 0;
}

static void drop(bench *) {
  sparse = Rows();
  columns = Columns();
  vector = Eigen::VectorXd();
  dense = Dense();
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_x, spmv, show_vector, drop},
      {"spmm", make_columns, spmm, show_dense, drop},
      {"add", nullptr, add, show_sparse, drop},
      {"spgemm", nullptr, spgemm, show_sparse, drop},
      {"to-csc", nullptr, to_csc, show_columns, drop},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
