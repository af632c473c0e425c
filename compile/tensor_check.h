/* tensor_check.h - whether a stored tensor is what its type promises. */
#ifndef LACUNA_TENSOR_CHECK_H
#define LACUNA_TENSOR_CHECK_H

#include "lac_tensor.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Checks everything that code for `type` (a ranked tensor or a scalar) takes for granted: levels of
 * its kinds and widths, level sizes that are the dimensions, and what lac_tensor_check does, with
 * the properties (ordered, unique) that the type's format says, and that a symmetric tensor
 * has entries in the triangle that is stored alone.  `name` stands for the tensor in
 * messages. LAC_OK, or another lac_status with the first thing that is broken. */
int32_t tensor_check(const lac_tensor *tensor, MlirType type, const char *name);

#ifdef __cplusplus
}
#endif
#endif
