/* runner.h - kernels for a GPU, each beside the same one for the CPU, and the data that they run
 * on, which is made on the spot. */
#ifndef BUNDLE_RUNNER_H
#define BUNDLE_RUNNER_H

#include "lac_tensor.h"

enum { BUNDLE_OPERANDS = 4, BUNDLE_ORDER = 3 };

typedef int32_t bundle_call(lac_tensor *result, lac_tensor *const *operands);
typedef int32_t bundle_pack(lac_tensor *packed, const lac_tensor *list);

/* What lac_generate.h makes of a kind, as sparse-gen calls it; what a kind does not need is 0. */
typedef struct bundle_data {
  const char *name, *kind;
  int64_t rows, nnz_per_row, block, nnz, dimensions[BUNDLE_ORDER];
} bundle_data;

/* An operand: the data, stored by `pack`; or, where that is NULL, dense, of `order` dimensions,
 * each a size, or -1 - d for that of the data's dimension d. */
typedef struct bundle_operand {
  bundle_pack *pack;
  int64_t order, sizes[BUNDLE_ORDER];
} bundle_operand;

typedef struct bundle_case {
  const char *title;
  const bundle_data *data;
  int32_t type;
  int operand_count;
  bundle_operand operands[BUNDLE_OPERANDS];
  bundle_call *on_gpu, *on_cpu;
} bundle_case;

/* The last one has no title. */
extern const bundle_case bundle_cases[];

#endif
