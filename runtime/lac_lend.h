/* lac_lend.h - tensors from a program's own arrays, in one call.
 *
 *     lac_tensor A = {0}, x = {0}, y = {0};
 *     lac_lend_csr(&A, LAC_F64, 3, 4, 32, positions, coordinates, values);
 *     lac_lend_dense(&x, LAC_F64, 1, (int64_t[]){4}, ones);
 *     spmv(&y, &A, &x);
 *     lac_tensor_free(&A);  lac_tensor_free(&x);  lac_tensor_free(&y);
 *
 * What is lent stays the caller's: the tensor reads it where it is, and it must live as long as the
 * tensor does.  The dimensions are copied, and what else the tensor needs is its own:
 * lac_tensor_free frees that and no more.  lac_tensor_copy makes a tensor that owns all of it.
 *
 * `tensor` is an empty one.  `bits` is the width of positions and coordinates, 8, 16, 32 or 64
 * (unsigned), as `pos` and `crd` of the format say.  What is lent is checked whole, each array
 * once: positions that begin with 0 and do not decrease, coordinates that are in the dimensions and
 * ascend.  LAC_OK; or LAC_ERROR_FORMAT, with what was expected and what was found, or
 * LAC_ERROR_MEMORY: the tensor is empty then.
 */
#ifndef LAC_LEND_H
#define LAC_LEND_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Dense, the last dimension's elements next to each other (format `dense`): as many values as the
 * product of the dimensions (of order 0, one). */
int32_t lac_lend_dense(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                       void *values);

/* Compressed sparse rows (format `csr`, or with pos = crd = `bits`): rows + 1 positions, of which
 * the last is how many coordinates and values there are. */
int32_t lac_lend_csr(lac_tensor *tensor, int32_t type, int64_t rows, int64_t columns, int32_t bits,
                     void *positions, void *coordinates, void *values);

/* A coordinate list (format `coo`, with crd = `bits` and pos = 64): coordinates[d] has the
 * coordinate in dimension d of each of `count` entries, which are sorted by the first, then the
 * second, ...; none is there twice.  One that is not sorted: lac_copy_coo. */
int32_t lac_lend_coo(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                     int64_t count, int32_t bits, void *const *coordinates, void *values);

/* The same list, copied and sorted: the entries may come in any order, but none twice. */
int32_t lac_copy_coo(lac_tensor *tensor, int32_t type, int64_t order, const int64_t *dimensions,
                     int64_t count, int32_t bits, void *const *coordinates, const void *values);

#ifdef __cplusplus
}
#endif
#endif
