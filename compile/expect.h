/* expect.h - which tensors a program is compiled for: what its operands hold, said in the module
 * (tin.holds). */
#ifndef LACUNA_EXPECT_H
#define LACUNA_EXPECT_H

#include "lac_tensor.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To three bits, so that one program does for operands that have about as many. */
int64_t expect_about(double number);

/* The same of over how many of `size` coordinates entries are spread, (sum n)^2 / sum n^2 where
 * coordinates have n of them each: `squares` is the sum of n^2, 0 where it was not counted.  0, for
 * not known, where that is not far from all. */
int64_t expect_spread(double entries, double squares, int64_t size);

/* That sum of entries with these coordinates, of as many of them as are looked at in microseconds;
 * 0 where too few of those are alike to tell, as where they are spread over more than thousands. */
double expect_squares(const lac_array *coordinates, int64_t entries);

/* Bytes of memory that are free, for what `bytes` of the pipelines (bridge.h) says: to a power of
 * two, so that compiled code is found again. */
int64_t expect_bytes(void);

/* Says of the operands of a function, one for each, that they hold as much as these tensors.  False
 * with one line in *error, which the caller frees, where the module has no such function, or a
 * tensor is none or of another order than its operand. */
bool expect_tensors(MlirModule module, const char *function, const lac_tensor *const *operands,
                    char **error);

#ifdef __cplusplus
}
#endif
#endif
