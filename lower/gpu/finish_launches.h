/* finish_launches.h - where what launches wrote is wanted on the host.
 *
 *     launch                          launch
 *     %n = call @lac_device_number    %n = call @lac_device_number
 *     launch                  -->     launch
 *     x = memref.load                 call @lac_device_finish
 *                                     x = memref.load
 *
 * Until launches are finished, arrays stay on the device as they have left them (lac_device.h), so
 * that what is between two launches must neither look at arrays of theirs nor move their memory.
 */
#ifndef LACUNA_FINISH_LAUNCHES_H
#define LACUNA_FINISH_LAUNCHES_H

#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finishes the launches (gpu.launch_func) below a module, each before the first operation behind
 * it that may look at what it wrote; those that nothing of the kind is between together. */
void finish_launches(builder *b, MlirOperation module);

#ifdef __cplusplus
}
#endif
#endif
