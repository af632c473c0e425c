// Eigen 3: y = A x, x A, Y = A X, A + B, A + B + C, A B, that at A's places, A in column-major
// order, and A of triplets.  A is lent to it (Map).
#include "harness.h"

#include <Eigen/Sparse>
#include <vector>

using Rows = Eigen::SparseMatrix<bench_value, Eigen::RowMajor, int32_t>;
using Columns = Eigen::SparseMatrix<bench_value, Eigen::ColMajor, int32_t>;
using Triplet = Eigen::Triplet<bench_value, int32_t>;
using Vector = Eigen::Matrix<bench_value, Eigen::Dynamic, 1>;
using Dense = Eigen::Matrix<bench_value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

static Rows sparse;
static Columns columns;
static Vector vector;
static Dense dense;
static std::vector<Triplet> triplets;

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

static int make_scattered(bench *b) {
  return !bench_scattered_vector(b, 'n');
}
static int make_scattered_rows(bench *b) {
  return !bench_scattered_vector(b, 'm');
}

static void make_triplets(const bench_tensor &t) {
  for (int64_t e = 0; e < t.counts[1]; e++)
    triplets.emplace_back(t.coordinates[0][e], t.coordinates[1][e], t.values[e]);
}

static int make_sorted_list(bench *b) {
  make_triplets(b->a);
  return make_x(b);
}

static int make_list(bench *b) {
  bench_shuffle(&b->a);
  make_triplets(b->a);
  return 0;
}

static int spmv(bench *b) {
  vector.resize(b->a.dimensions[0]);
  vector.noalias() = lend(b->a) * Eigen::Map<Vector>(b->dense[0], b->a.dimensions[1]);
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

static int add3(bench *b) {
  sparse = lend(b->a) + lend(b->b) + lend(b->c);
  return 0;
}

// Eigen has no masks: the product is made as a whole.  Of triangles all three are A.
static int masked(bench *b) {
  sparse = Rows(lend(b->b) * lend(b->c)).cwiseProduct(lend(b->a));
  return 0;
}

static int count_triangles(bench *b) {
  masked(b);
  vector.resize(1);
  vector[0] = sparse.sum();
  return 0;
}

static int show_scalar(bench *, bench_result *result) {
  *result = bench_scalar(vector.data());
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

static int vxm(bench *b) {
  vector.resize(b->a.dimensions[1]);
  vector.noalias() = lend(b->a).transpose() * Eigen::Map<Vector>(b->dense[0], b->a.dimensions[0]);
  return 0;
}

static int coo_to_csr(bench *b) {
  sparse = Rows(b->a.dimensions[0], b->a.dimensions[1]);
  sparse.setFromTriplets(triplets.begin(), triplets.end());
  return 0;
}

static int once(bench *b) {
  coo_to_csr(b);
  vector.resize(b->a.dimensions[0]);
  vector.noalias() = sparse * Eigen::Map<Vector>(b->dense[0], b->a.dimensions[1]);
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
  vector = Vector();
  dense = Dense();
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_x, spmv, show_vector, drop, nullptr, nullptr, nullptr},
      {"spmm", make_columns, spmm, show_dense, drop, nullptr, nullptr, nullptr},
      {"add", nullptr, add, show_sparse, drop, nullptr, nullptr, nullptr},
      {"add3", nullptr, add3, show_sparse, drop, nullptr, nullptr, nullptr},
      {"spgemm", nullptr, spgemm, show_sparse, drop, nullptr, nullptr, nullptr},
      {"masked", nullptr, masked, show_sparse, drop, nullptr, nullptr, nullptr},
      {"tri", nullptr, masked, show_sparse, drop, nullptr, nullptr, nullptr},
      {"tri-count", nullptr, count_triangles, show_scalar, drop, nullptr, nullptr, nullptr},
      {"tri-lower", nullptr, count_triangles, show_scalar, drop, nullptr, nullptr, nullptr},
      {"to-csc", nullptr, to_csc, show_columns, drop, nullptr, nullptr, nullptr},
      {"coo-to-csr", make_list, coo_to_csr, show_sparse, drop, nullptr, nullptr, nullptr},
      {"once-csr", make_sorted_list, once, show_vector, drop, nullptr, nullptr, nullptr},
      {"mxv-dense", make_scattered, spmv, show_vector, drop, nullptr, nullptr, nullptr},
      {"vxm-dense", make_scattered_rows, vxm, show_vector, drop, nullptr, nullptr, nullptr},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
