/* gpu_loop.h - loops on blocks, warps and threads of a GPU. */
#ifndef LACUNA_GPU_LOOP_H
#define LACUNA_GPU_LOOP_H

#include "coiterate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a sit.coiterate is on a unit of a GPU, and does what kernels can. */
bool gpu_launches(MlirOperation coiterate);

/* The places begin..end-1 of a sit.coiterate on a unit of a GPU.  False after a diagnostic. */
bool gpu_loop(coiteration *c, MlirValue begin, MlirValue end);

/* Around a sit.coiterate: where it would be a launch that does what no kernel can, it stays on the
 * host, with a remark, and so do those in it; whether that begins here. */
bool gpu_host_begin(lowering *k, MlirOperation coiterate);
void gpu_host_end(lowering *k, bool begun);

/* Whether a sit.coiterate's iterations are dealt out to a unit of a GPU. */
bool gpu_deals_out(const lowering *k, MlirOperation coiterate);

#ifdef __cplusplus
}
#endif
#endif
