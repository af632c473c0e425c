/* device_target.h - what a target names that kernels run on. */
#ifndef LACUNA_DEVICE_TARGET_H
#define LACUNA_DEVICE_TARGET_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The device of a pipeline's options (bridge.h), from
 *
 *     cpu              none: NULL
 *     gpu              the GPU of this machine; without one, where code alone is made, sm_90
 *     gpu:sm_80        such a one
 *     gpu-emulated     the one that the CPU emulates
 *     auto             the GPU where there is one, else the CPU
 *
 * and from NULL what LACUNA_TARGET in the environment names; where that is not set or empty, none.
 * `runs` says that kernels are to run here, which needs a driver.  False with one line in *error,
 * which the caller frees. */
bool device_target(const char *target, bool runs, const char **device, char **error);

/* Whether it is the device where there is one, and kernels can run there, that is meant, as auto
 * and the environment do, so that nothing is to be said of others. */
bool device_target_is_optional(const char *target);

/* Whether a text is one of these, and not the triple of a processor. */
bool is_device_target(const char *target);

#ifdef __cplusplus
}
#endif
#endif
