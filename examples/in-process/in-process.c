/* in-process.c - a module is built, compiled and run inside a program, on arrays of its own.
 *
 *     y(i) = A(i,j) * x(j)        A: CSR
 *
 * once as tin.einsum, from its text, and once as tin.compute, with its algebra spelled out:
 *
 *     %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
 *     ^bb0(%a: f64, %b: f64):
 *       %p = arith.mulf %a, %b : f64
 *       %s = tin.reduce add %p over (j) : f64
 *       tin.yield %s : f64
 *     }
 *
 * for positions and coordinates of 32 bits and of 64.  Nothing is copied: the kernels read the
 * arrays of `matrix` and `x` where they are.
 */
#include "lacuna.h"

#include <math.h>
#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, COLUMNS = 2000, IN_A_ROW = 7, ENTRIES = ROWS * IN_A_ROW };

//--- Building ------------------------------------------------------------------------------------

static MlirStringRef text(const char *characters) {
  return mlirStringRefCreateFromCString(characters);
}

/* #tin.format<(i, j) -> (i : dense, j : compressed), pos = WIDTH, crd = WIDTH> */
static MlirAttribute csr(MlirContext context, unsigned width) {
  const MlirAttribute levels[] = {tinLevelAttrGet(context, text("dense"), 0, 0, NULL),
                                  tinLevelAttrGet(context, text("compressed"), 0, 0, NULL)};
  return tinFormatAttrGet(context, mlirAffineMapMultiDimIdentityGet(context, 2), 2, levels, width,
                          width);
}

/* Appends an operation to the block and gives its result. */
static MlirValue append(MlirBlock block, MlirOperation op) {
  mlirBlockAppendOwnedOperation(block, op);
  return mlirOperationGetResult(op, 0);
}

static MlirValue einsum(MlirLocation location, MlirBlock block, const MlirValue *operands,
                        MlirType result) {
  return append(block, tinEinsumCreate(location, text("y(i) = A(i,j) * x(j)"), 2, operands, result,
                                       text("")));
}

static MlirValue multiply(MlirLocation location, MlirBlock block, MlirValue a, MlirValue b) {
  const MlirValue operands[] = {a, b};
  const MlirType type = mlirValueGetType(a);
  MlirOperationState state = mlirOperationStateGet(text("arith.mulf"), location);
  mlirOperationStateAddOperands(&state, 2, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  return append(block, mlirOperationCreate(&state));
}

/* The body of the statement: the sum over j of the product of its two arguments. */
static MlirBlock body(MlirLocation location, MlirType element) {
  const MlirType types[] = {element, element};
  const MlirLocation locations[] = {location, location};
  const MlirStringRef over[] = {text("j")};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  MlirValue product =
      multiply(location, block, mlirBlockGetArgument(block, 0), mlirBlockGetArgument(block, 1));
  MlirValue sum =
      append(block, tinReduceCreate(location, TIN_ADD, product, 1, over, (MlirAttribute){NULL}));
  mlirBlockAppendOwnedOperation(block, tinYieldCreate(location, sum));
  return block;
}

/* The subscripts `variables`, of the index variables (i, j). */
static MlirAffineMap subscripts(MlirContext context, intptr_t count, const int *variables) {
  MlirAffineExpr list[2];
  for (intptr_t s = 0; s < count; s++)
    list[s] = mlirAffineDimExprGet(context, variables[s]);
  return mlirAffineMapGet(context, 2, 0, count, list);
}

static MlirValue compute(MlirLocation location, MlirBlock block, const MlirValue *operands,
                         MlirType result) {
  MlirContext context = mlirLocationGetContext(location);
  const MlirStringRef variables[] = {text("i"), text("j")};
  const MlirAffineMap maps[] = {subscripts(context, 2, (int[]){0, 1}),
                                subscripts(context, 1, (int[]){1}),
                                subscripts(context, 1, (int[]){0})};
  return append(block, tinComputeCreate(location, 2, operands, maps, 2, variables, result,
                                        body(location, mlirShapedTypeGetElementType(result))));
}

typedef MlirValue statement(MlirLocation location, MlirBlock block, const MlirValue *operands,
                            MlirType result);

/* A module with one function of this name: func.func @name(%A: CSR, %x) -> y. */
static MlirModule build(MlirContext context, unsigned width, const char *name,
                        statement *make_statement) {
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(location);
  MlirType element = mlirF64TypeGet(context);
  MlirType matrix = lacuna_tensor_type(2, NULL, element, csr(context, width));
  MlirType vector = lacuna_tensor_type(1, NULL, element, (MlirAttribute){NULL});
  const MlirType operands[] = {matrix, vector};
  MlirBlock block = lacuna_function(module, name, 2, operands, 1, &vector);
  const MlirValue arguments[] = {mlirBlockGetArgument(block, 0), mlirBlockGetArgument(block, 1)};
  MlirValue y = make_statement(location, block, arguments, vector);
  lacuna_return(block, 1, &y);
  return module;
}

//--- Running -------------------------------------------------------------------------------------

/* A matrix in arrays of this program, with indices of 32 and of 64 bits. */
static struct {
  int32_t positions32[ROWS + 1], coordinates32[ENTRIES];
  int64_t positions64[ROWS + 1], coordinates64[ENTRIES];
  double values[ENTRIES];
} matrix;
static double x[COLUMNS], expected[ROWS];

static void fill(void) {
  for (int j = 0; j < COLUMNS; j++)
    x[j] = 1 + j % 5;
  for (int i = 0, p = 0; i < ROWS; i++) {
    for (int n = 0; n < IN_A_ROW; n++, p++) {
      int j = (i + n * 271) % 283 + n * 283;
      matrix.coordinates32[p] = j;
      matrix.coordinates64[p] = j;
      matrix.values[p] = 1 + (i * n) % 3;
      expected[i] += matrix.values[p] * x[j];
    }
    matrix.positions32[i + 1] = p;
    matrix.positions64[i + 1] = p;
  }
}

/* Both operands, on those arrays. */
static bool lend(unsigned width, lac_tensor *A, lac_tensor *vector) {
  bool wide = width == 64;
  return !lac_lend_csr(A, LAC_F64, ROWS, COLUMNS, (int32_t)width,
                       wide ? (void *)matrix.positions64 : matrix.positions32,
                       wide ? (void *)matrix.coordinates64 : matrix.coordinates32, matrix.values) &&
         !lac_lend_dense(vector, LAC_F64, 1, (int64_t[]){COLUMNS}, x);
}

static bool is_expected(const lac_tensor *y) {
  const double *values = y->values.data;
  bool good = y->values.length == ROWS;
  for (int i = 0; good && i < ROWS; i++)
    good = fabs(values[i] - expected[i]) <= 1e-12 * fabs(expected[i]);
  return good;
}

static bool run(lacuna_kernel *k, const char *name, unsigned width) {
  lac_tensor A = {0}, vector = {0}, y = {0};
  bool done = lend(width, &A, &vector) && !lacuna_call(k, name, (void *[]){&y, &A, &vector});
  bool good = done && is_expected(&y);
  if (done)
    printf("%s, indices of %u bits: %s\n", name, width, good ? "as expected" : "wrong");
  else
    fprintf(stderr, "error: %s\n", lac_error_message());
  lac_tensor_free(&y);
  lac_tensor_free(&A);
  lac_tensor_free(&vector);
  return good;
}

static bool compile_and_run(lacuna_compiler *c, unsigned width, const char *name,
                            statement *make_statement) {
  lacuna_options options = lacuna_options_default();
  MlirModule module = build(lacuna_context(c), width, name, make_statement);
  lacuna_kernel *k = lacuna_compile(c, module, &options);
  mlirModuleDestroy(module);
  if (!k)
    fprintf(stderr, "error: %s\n", lacuna_error(c));
  bool good = k && run(k, name, width);
  lacuna_kernel_free(k);
  return good;
}

int main(void) {
  lacuna_compiler *c = lacuna_open();
  bool good = c != NULL;
  fill();
  for (unsigned width = 32; good && width <= 64; width += 32)
    good = compile_and_run(c, width, "einsum", einsum) &&
           compile_and_run(c, width, "compute", compute);
  lacuna_close(c);
  return good ? 0 : 1;
}
