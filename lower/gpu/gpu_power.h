/* gpu_power.h - powers of integers on a GPU, for which it has no function that could be called. */
#ifndef LACUNA_GPU_POWER_H
#define LACUNA_GPU_POWER_H

#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* math.ipowi: wraps as products do; of a negative exponent 1 over the power, rounded to zero, and 0
 * where that is over 0. */
MlirValue gpu_integer_power(builder *b, MlirValue base, MlirValue exponent);

#ifdef __cplusplus
}
#endif
#endif
