/* kernels.h - the benchmark's kernels as Lacuna is told them: a statement and its formats. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdbool.h>

enum { KERNEL_OPERANDS = 4 };

/* An operand is sparse with a format, or dense with a shape as bench_dense takes it.  A sparse one
 * is A, B, C, or the sparse vector x of bench_sparse_vector.  It is made of the harness's arrays,
 * which are stored as `given`; lent as they are where that is its format, else converted. */
typedef struct kernel_operand {
  const char *name, *format;
  const char *shape; /* of a dense operand; NULL: a sparse one */
  char sparse; /* 'A', 'B', 'C', the dimension of A that x has: 'm', 'n', or 'R': the result of the
                   statement before */
  const char *given; /* NULL: CSR, CSF, or compressed */
  bool spread;       /* a matrix whose columns move apart until it has bench.columns of them */
} kernel_operand;

typedef struct kernel {
  const char *name;
  const char *expression; /* NULL: the conversion of A to the result's format */
  const char *sum;        /* the sum of all that the expression adds up, with no result to put it
                             in and no workspace; NULL: is not asked for */
  kernel_operand operands[KERNEL_OPERANDS + 1];
  const char *result, *result_format;
  int result_order;
  bool once;             /* operands are converted in every run */
  bool drop_zeros;       /* of a conversion */
  const char *then;      /* the kernel that is computed next, of this one's result; NULL: none */
  const char *schedule;  /* commands, as the command line says; NULL: none */
  const char *gathering; /* those that leave a workspace to be measured by its policies; NULL: none
                          */
} kernel;

/* Formats that the harness's arrays have. */
extern const char kernel_csr[], kernel_csc[], kernel_csf[], kernel_csf4[], kernel_vector[],
    kernel_dense_vector[], kernel_matrix[], kernel_shuffled[];

/* The kernel of that name, or NULL. */
const kernel *kernel_find(const char *name);

#endif
