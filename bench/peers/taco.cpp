// TACO: the benchmark's kernels as its users write them.  Operands are lent to it, a result is made
// anew in each run (assembled and computed); compiling is timed by itself.  The loops are those
// that it makes by default, the outermost in parallel where it can; SpGEMM has the schedule that
// its authors give for it, with a dense workspace for a row.
#include "harness.h"

#include <memory>
#include <taco.h>
#include <taco/index_notation/transformations.h>

using namespace taco;
using Values = Tensor<double>;

static const Format matrix({Dense, Dense}), csf({Sparse, Sparse, Sparse}),
    csf4({Sparse, Sparse, Sparse, Sparse});
static IndexVar i("i"), j("j"), k("k"), l("l"), r("r");

// Makes the result, and says what it is.
using Definition = Values (*)(bench *);

static Values a, b_tensor, c_tensor, factors[BENCH_DENSE], result;
static Definition define;
static bool is_product; // of sparse matrices

//--- Operands
//--------------------------------------------------------------------------------------

static std::vector<int> sizes_of(const bench_tensor &t) {
  return {t.dimensions, t.dimensions + t.order};
}

static Array lend(int32_t *data, int64_t count) {
  return makeArray(data, (size_t)count, Array::UserOwns);
}

static std::vector<ModeIndex> lend_levels(const bench_tensor &t) {
  std::vector<ModeIndex> levels;
  for (int level = 0; level < t.order; level++)
    levels.push_back(ModeIndex({lend(t.positions[level], bench_parents(&t, level) + 1),
                                lend(t.coordinates[level], t.counts[level])}));
  return levels;
}

static Values lend_tensor(const char *name, const bench_tensor &t) {
  if (t.order == 2)
    return makeCSR(name, sizes_of(t), t.positions[1], t.coordinates[1], t.values);
  const Format &format = t.order == 3 ? csf : csf4;
  Values tensor(name, sizes_of(t), format);
  auto storage = tensor.getStorage();
  storage.setIndex(Index(format, lend_levels(t)));
  storage.setValues(makeArray(t.values, (size_t)bench_entries(&t), Array::UserOwns));
  tensor.setStorage(storage);
  return tensor;
}

static Values lend_dense(bench *b, int slot, const char *shape) {
  std::vector<int> sizes;
  size_t count = 1;
  for (const char *letter = shape; *letter; letter++) {
    sizes.push_back((int)bench_size(b, *letter));
    count *= (size_t)sizes.back();
  }
  double *values = bench_dense(b, slot, shape);
  Values tensor("D" + std::to_string(slot), sizes,
                Format(std::vector<ModeFormatPack>(sizes.size(), Dense)));
  auto storage = tensor.getStorage();
  storage.setValues(makeArray(values, count, Array::UserOwns));
  tensor.setStorage(storage);
  return tensor;
}

static Values new_result(bench *b, const char *shape, const Format &format) {
  std::vector<int> sizes;
  for (const char *letter = shape; *letter; letter++)
    sizes.push_back((int)bench_size(b, *letter));
  return Values("Y", sizes, format);
}

//--- Kernels
//---------------------------------------------------------------------------------------

static Values spmv(bench *b) {
  Values y = new_result(b, "m", Format({Dense}));
  y(i) = a(i, j) * factors[0](j);
  return y;
}

static Values spmm(bench *b) {
  Values y = new_result(b, "mr", matrix);
  y(i, k) = a(i, j) * factors[0](j, k);
  return y;
}

static Values sddmm(bench *b) {
  Values y = new_result(b, "mn", CSR);
  y(i, j) = a(i, j) * factors[0](i, k) * factors[1](j, k);
  return y;
}

static Values add(bench *b) {
  Values y = new_result(b, "mn", CSR);
  y(i, j) = a(i, j) + b_tensor(i, j);
  return y;
}

static Values add3(bench *b) {
  Values y = new_result(b, "mn", CSR);
  y(i, j) = a(i, j) + b_tensor(i, j) + c_tensor(i, j);
  return y;
}

static Values spgemm(bench *b) {
  Values y = new_result(b, "mn", CSR);
  y(i, j) = a(i, k) * b_tensor(k, j);
  return y;
}

static Values ttv(bench *b) {
  Values y = new_result(b, "mn", Format({Sparse, Sparse}));
  y(i, j) = a(i, j, k) * factors[0](k);
  return y;
}

static Values ttm(bench *b) {
  Values y = new_result(b, "mnr", Format({Sparse, Sparse, Dense}));
  y(i, j, r) = a(i, j, k) * factors[0](k, r);
  return y;
}

static Values mttkrp(bench *b) {
  Values y = new_result(b, "mr", matrix);
  y(i, r) = a(i, j, k) * factors[0](j, r) * factors[1](k, r);
  return y;
}

static Values mttkrp4(bench *b) {
  Values y = new_result(b, "mr", matrix);
  y(i, r) = a(i, j, k, l) * factors[0](j, r) * factors[1](k, r) * factors[2](l, r);
  return y;
}

static Values inner(bench *) {
  Values y("Y");
  y = a(i, j, k) * b_tensor(i, j, k);
  return y;
}

//--- Compiling, running
//----------------------------------------------------------------------------

// A workspace for a row of the result, whose rows are counted first.
static IndexStmt schedule_product(const Values &product) {
  Assignment assignment = product.getAssignment();
  TensorVar made = assignment.getLhs().getTensorVar();
  TensorVar row("w", Type(Float64, {made.getType().getShape().getDimension(1)}), dense);
  IndexStmt s = reorderLoopsTopologically(makeConcreteNotation(makeReductionNotation(assignment)));
  s = s.precompute(s.as<Forall>()
                       .getStmt()
                       .as<Forall>()
                       .getStmt()
                       .as<Forall>()
                       .getStmt()
                       .as<Assignment>()
                       .getRhs(),
                   j, j, row);
  s = s.assemble(made, AssembleStrategy::Insert, true);
  IndexStmt queries = s.as<Assemble>().getQueries();
  if (isa<Where>(queries))
    queries = queries.as<Where>().getConsumer();
  IndexVar counted = queries.as<Forall>().getIndexVar();
  return s.parallelize(i, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces)
      .parallelize(counted, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces);
}

// TACO finds code that it made before.
static void make_result(bench *b) {
  result = define(b);
  if (is_product)
    result.compile(schedule_product(result));
  else
    result.compile();
}

static int set_threads(bench *b) {
  taco_set_num_threads(b->threads);
  return 0;
}

static int prepare(bench *b, Definition definition, std::vector<const char *> shapes) {
  set_threads(b);
  a = lend_tensor("A", b->a);
  b_tensor = lend_tensor("B", b->b);
  c_tensor = lend_tensor("C", b->c);
  for (size_t slot = 0; slot < shapes.size(); slot++)
    factors[slot] = lend_dense(b, (int)slot, shapes[slot]);
  define = definition;
  double start = bench_clock();
  make_result(b);
  bench_compile_seconds = bench_clock() - start;
  return 0;
}

static int run(bench *) {
  result.assemble();
  result.compute();
  return 0;
}

static void drop(bench *b) {
  make_result(b);
}

//--- Results
//---------------------------------------------------------------------------------------

static int show(bench *, bench_result *shown) {
  const Index &index = result.getStorage().getIndex();
  shown->order = result.getOrder();
  shown->width = 4;
  shown->values = (const double *)result.getStorage().getValues().getData();
  for (int level = 0; level < shown->order; level++) {
    const ModeIndex &arrays = index.getModeIndex(level);
    bool stored = result.getFormat().getModeFormats()[level] == Sparse;
    shown->levels[level] = {result.getDimension(level),
                            stored ? arrays.getIndexArray(0).getData() : nullptr,
                            stored ? arrays.getIndexArray(1).getData() : nullptr, level};
  }
  return 0;
}

#define KERNEL(name, text, ...)                                                                    \
  {text,    [](bench *b) { return prepare(b, name, {__VA_ARGS__}); },                                                                      \
   run,     show,                                                                                  \
   drop,    set_threads,                                                                           \
   nullptr, nullptr}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      KERNEL(spmv, "spmv", "n"),
      KERNEL(spmm, "spmm", "nr"),
      KERNEL(sddmm, "sddmm", "mr", "nr"),
      KERNEL(add, "add"),
      KERNEL(add3, "add3"),
      {"spgemm",
       [](bench *b) {
         is_product = true;
         return prepare(b, spgemm, {});
       },
       run, show, drop, set_threads, nullptr, nullptr},
      KERNEL(ttv, "ttv", "p"),
      KERNEL(ttm, "ttm", "pr"),
      KERNEL(mttkrp, "mttkrp", "nr", "pr"),
      KERNEL(mttkrp4, "mttkrp4", "nr", "pr", "qr"),
      KERNEL(inner, "inner"),
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
