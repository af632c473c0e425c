/* The table of kernels.  Positions and coordinates have 32 bits, as the peers' have. */
#include "kernels.h"

#include <string.h>

#define WIDTHS ", pos = 32, crd = 32>"
#define CSR "#tin.format<(i, j) -> (i : dense, j : compressed)" WIDTHS
#define CSC "#tin.format<(i, j) -> (j : dense, i : compressed)" WIDTHS
#define COO "#tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)" WIDTHS
#define DCSR "#tin.format<(i, j) -> (i : compressed, j : compressed)" WIDTHS
#define CSF "#tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)" WIDTHS
#define FIBRES "#tin.format<(i, j, k) -> (i : compressed, j : compressed, k : dense)" WIDTHS
#define SHUFFLED                                                                                   \
  "#tin.format<(i, j) -> (i : compressed(nonunique, unordered), "                                  \
  "j : singleton(nonunique, unordered))" WIDTHS
#define SPARSE_VECTOR "#tin.format<(i) -> (i : compressed)" WIDTHS
#define VECTOR "#tin.format<(i) -> (i : dense)>"
#define MATRIX "#tin.format<(i, j) -> (i : dense, j : dense)>"

const char kernel_csr[] = CSR, kernel_csc[] = CSC, kernel_csf[] = CSF,
           kernel_vector[] = SPARSE_VECTOR, kernel_shuffled[] = SHUFFLED;

static const kernel kernels[] = {
    {"spmv",
     "y(i) = A(i,j) * x(j)",
     {{"A", CSR, NULL, 'A'}, {"x", VECTOR, "n", 0}},
     "y",
     VECTOR,
     1},
    {"once",
     "y(i) = A(i,j) * x(j)",
     {{"A", CSR, NULL, 'A', COO}, {"x", VECTOR, "n", 0}},
     "y",
     VECTOR,
     1,
     true},
    {"mxv",
     "y(i) = A(i,j) * x(j)",
     {{"A", CSR, NULL, 'A'}, {"x", SPARSE_VECTOR, NULL, 'n'}},
     "y",
     VECTOR,
     1},
    {"vxm",
     "z(j) = x(i) * A(i,j)",
     {{"x", SPARSE_VECTOR, NULL, 'm'}, {"A", CSR, NULL, 'A'}},
     "z",
     VECTOR,
     1},
    {"spmm",
     "Y(i,k) = A(i,j) * X(j,k)",
     {{"A", CSR, NULL, 'A'}, {"X", MATRIX, "nr", 0}},
     "Y",
     MATRIX,
     2},
    {"sddmm",
     "R(i,j) = A(i,j) * C(i,k) * D(j,k)",
     {{"A", CSR, NULL, 'A'}, {"C", MATRIX, "mr", 0}, {"D", MATRIX, "nr", 0}},
     "R",
     CSR,
     2},
    {"add",
     "C(i,j) = A(i,j) + B(i,j)",
     {{"A", CSR, NULL, 'A'}, {"B", CSR, NULL, 'B'}},
     "C",
     CSR,
     2},
    {"spgemm",
     "C(i,j) = A(i,k) * B(k,j)",
     {{"A", CSR, NULL, 'A'}, {"B", CSR, NULL, 'B'}},
     "C",
     CSR,
     2},
    {"ttv",
     "Y(i,j) = T(i,j,k) * v(k)",
     {{"T", CSF, NULL, 'A'}, {"v", VECTOR, "p", 0}},
     "Y",
     DCSR,
     2},
    {"ttm",
     "Y(i,j,r) = T(i,j,k) * U(k,r)",
     {{"T", CSF, NULL, 'A'}, {"U", MATRIX, "pr", 0}},
     "Y",
     FIBRES,
     3},
    {"mttkrp",
     "M(i,r) = T(i,j,k) * B(j,r) * C(k,r)",
     {{"T", CSF, NULL, 'A'}, {"B", MATRIX, "nr", 0}, {"C", MATRIX, "pr", 0}},
     "M",
     MATRIX,
     2},
    {"inner",
     "a = S(i,j,k) * T(i,j,k)",
     {{"S", CSF, NULL, 'A'}, {"T", CSF, NULL, 'B'}},
     "a",
     NULL,
     0},
    {"to", NULL, {{"A", CSR, NULL, 'A'}}, "B", CSC, 2},
    {"coo-to", NULL, {{"A", SHUFFLED, NULL, 'A', SHUFFLED}}, "B", CSR, 2},
};

const kernel *kernel_find(const char *name) {
  for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    if (!strcmp(kernels[i].name, name))
      return &kernels[i];
  return NULL;
}
