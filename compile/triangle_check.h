/* triangle_check.h - whether a tensor of which one triangle is stored keeps to it. */
#ifndef LACUNA_TRIANGLE_CHECK_H
#define LACUNA_TRIANGLE_CHECK_H

#include "lac_tensor.h"
#include "tensor_format.h"

/* Checks that no entry of a tensor, sound in all else and of a type whose format has a triangle, is
 * outside the triangle.  LAC_OK, or another lac_status with `name` standing for the tensor in the
 * message.  A program is compiled for it: a tenth of a second. */
int32_t triangle_check(arena *memory, const lac_tensor *tensor, const tensor_format *format,
                       MlirType type, const char *name);

#endif
