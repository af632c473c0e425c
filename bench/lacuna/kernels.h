/* kernels.h - the benchmark's kernels as Lacuna is told them: a statement and its formats. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

enum { KERNEL_OPERANDS = 3 };

/* An operand is sparse, A or B with a format, or dense with a shape as bench_dense takes it. */
typedef struct kernel_operand {
  const char *name, *format;
  const char *shape; /* of a dense operand; NULL: the sparse operand A or B */
  char sparse;
} kernel_operand;

typedef struct kernel {
  const char *name;
  const char *expression; /* NULL: the conversion of A to the result's format */
  kernel_operand operands[KERNEL_OPERANDS + 1];
  const char *result, *result_format;
  int result_order;
} kernel;

/* The kernel of that name, or NULL. */
const kernel *kernel_find(const char *name);

#endif
