/* gpu_loop.h - loops on blocks, warps and threads of a GPU. */
#ifndef LACUNA_GPU_LOOP_H
#define LACUNA_GPU_LOOP_H

#include "coiterate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The places begin..end-1 of a sit.coiterate on a unit of a GPU.  False after a diagnostic. */
bool gpu_loop(coiteration *c, MlirValue begin, MlirValue end);

#ifdef __cplusplus
}
#endif
#endif
