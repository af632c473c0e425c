/* narrow_kernel.h - a kernel that counts in 32 bits, for arrays that are short enough. */
#ifndef LACUNA_NARROW_KERNEL_H
#define LACUNA_NARROW_KERNEL_H

#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What arrays must have fewer elements than, and numbers that a kernel is passed be below, so that
 * it may count in 32 bits: places, and what a step brings them beyond the end, are then positive as
 * i32 too. */
enum { NARROW_LIMIT = 1 << 30, NARROW_STEP = 1 << 20 };

/* Lets the kernel (gpu.func) count in 32 bits where that makes no difference below that limit. */
void narrow_kernel(builder *b, MlirOperation kernel);

#ifdef __cplusplus
}
#endif
#endif
