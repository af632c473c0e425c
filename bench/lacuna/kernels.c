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
           kernel_vector[] = SPARSE_VECTOR, kernel_dense_vector[] = VECTOR,
           kernel_shuffled[] = SHUFFLED;

static const kernel kernels[] = {
    {"spmv",
     "y(i) = A(i,j) * x(j)",
     {{"A", CSR, NULL, 'A', NULL}, {"x", VECTOR, "n", 0, NULL}},
     "y",
     VECTOR,
     1,
     false},
    {"once",
     "y(i) = A(i,j) * x(j)",
     {{"A", CSR, NULL, 'A', COO}, {"x", VECTOR, "n", 0, NULL}},
     "y",
     VECTOR,
     1,
     true},
    {"mxv",
     "y(i) = A(i,j) * x(j)",
     {{"A", CSR, NULL, 'A', NULL}, {"x", SPARSE_VECTOR, NULL, 'n', NULL}},
     "y",
     VECTOR,
     1,
     false},
    {"vxm",
     "z(j) = x(i) * A(i,j)",
     {{"x", SPARSE_VECTOR, NULL, 'm', NULL}, {"A", CSR, NULL, 'A', NULL}},
     "z",
     VECTOR,
     1,
     false},
    {"vxs",
     "z(j) = x(i) * A(i,j)",
     {{"x", SPARSE_VECTOR, NULL, 'm', NULL}, {"A", CSR, NULL, 'A', NULL}},
     "z",
     SPARSE_VECTOR,
     1,
     false},
    {"spmm",
     "Y(i,k) = A(i,j) * X(j,k)",
     {{"A", CSR, NULL, 'A', NULL}, {"X", MATRIX, "nr", 0, NULL}},
     "Y",
     MATRIX,
     2,
     false},
    {"sddmm",
     "R(i,j) = A(i,j) * C(i,k) * D(j,k)",
     {{"A", CSR, NULL, 'A', NULL}, {"C", MATRIX, "mr", 0, NULL}, {"D", MATRIX, "nr", 0, NULL}},
     "R",
     CSR,
     2,
     false},
    {"add",
     "C(i,j) = A(i,j) + B(i,j)",
     {{"A", CSR, NULL, 'A', NULL}, {"B", CSR, NULL, 'B', NULL}},
     "C",
     CSR,
     2,
     false},
    {"spgemm",
     "C(i,j) = A(i,k) * B(k,j)",
     {{"A", CSR, NULL, 'A', NULL}, {"B", CSR, NULL, 'B', NULL}},
     "C",
     CSR,
     2,
     false},
    {"ttv",
     "Y(i,j) = T(i,j,k) * v(k)",
     {{"T", CSF, NULL, 'A', NULL}, {"v", VECTOR, "p", 0, NULL}},
     "Y",
     DCSR,
     2,
     false},
    {"ttm",
     "Y(i,j,r) = T(i,j,k) * U(k,r)",
     {{"T", CSF, NULL, 'A', NULL}, {"U", MATRIX, "pr", 0, NULL}},
     "Y",
     FIBRES,
     3,
     false},
    {"mttkrp",
     "M(i,r) = T(i,j,k) * B(j,r) * C(k,r)",
     {{"T", CSF, NULL, 'A', NULL}, {"B", MATRIX, "nr", 0, NULL}, {"C", MATRIX, "pr", 0, NULL}},
     "M",
     MATRIX,
     2,
     false},
    {"inner",
     "a = S(i,j,k) * T(i,j,k)",
     {{"S", CSF, NULL, 'A', NULL}, {"T", CSF, NULL, 'B', NULL}},
     "a",
     NULL,
     0,
     false},
    {"to", NULL, {{"A", CSR, NULL, 'A', NULL}}, "B", CSC, 2, false},
    {"coo-to", NULL, {{"A", SHUFFLED, NULL, 'A', SHUFFLED}}, "B", CSR, 2, false},
};

const kernel *kernel_find(const char *name) {
  for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    if (!strcmp(kernels[i].name, name))
      return &kernels[i];
  return NULL;
}
