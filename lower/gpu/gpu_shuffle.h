/* gpu_shuffle.h - what lanes of a warp tell each other. */
#ifndef LACUNA_GPU_SHUFFLE_H
#define LACUNA_GPU_SHUFFLE_H

#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Among a set of lanes, a bit each (i32), the one whose number differs in the bits `by`. */
typedef struct lane_exchange {
  MlirValue lanes;
  int64_t by;
} lane_exchange;

/* What x, a number of any type, is on that lane.  All of the set come here together. */
MlirValue value_of_lane(builder *b, MlirValue x, lane_exchange with);

#ifdef __cplusplus
}
#endif
#endif
