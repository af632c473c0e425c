/* lac_device_arrays.h - inside the runtime: which arrays of the host are on devices, and where.
 *
 *     host address, bytes --> on each device: where, and whether its contents are the host's
 *
 * An array is there for the launches that come, until these are finished; scratch memory until it
 * is given back; or it is there to stay (lac_tensor_to_device).  It leaves all devices when its
 * memory on the host is freed or moves, so that another array which is allocated there is not taken
 * for it.
 *
 * Called by one thread at a time, the device entered.
 */
#ifndef LAC_DEVICE_ARRAYS_H
#define LAC_DEVICE_ARRAYS_H

#include "lac_device_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the array is on the device, put there with its contents where `use` needs them.  NULL with
 * a status and a message: without memory, or where it shares memory with another array of the
 * launch, one of them written. */
void *lac_device_arrays_ask(const lac_device *device, void *host, int64_t bytes, int32_t use,
                            int32_t *came_to);

/* A launch has begun: what was asked for to be written is. */
void lac_device_arrays_launched(const lac_device *device);

/* Copies what launches have written to the host; in order once the device has been waited for. */
int32_t lac_device_arrays_fetch(const lac_device *device);

/* Copies `bytes` at `host` there as launches have left them, whether or not these are finished. */
int32_t lac_device_arrays_look(void *host, int64_t bytes);

/* Scratch memory at `host` leaves all devices. */
void lac_device_arrays_leave(const void *host);

/* No launch comes any more: what is not there to stay goes, scratch memory apart.  Where they were
 * not `fine`, what they wrote is copied anew by the next one that asks. */
void lac_device_arrays_end(const lac_device *device, bool fine);

/* From here on the array stays where it is put; it is copied anew.  LAC_ERROR_MEMORY. */
int32_t lac_device_arrays_stay(void *host, int64_t bytes);

/* What stays and shares memory with this leaves all devices, which it enters. */
void lac_device_arrays_forget(const void *host, int64_t bytes);

/* As which one the launches have asked for what is at `at` on the device, 1 for the first, and for
 * which use; 0 where they have not. */
int64_t lac_device_arrays_number(const lac_device *device, const void *at, int32_t *use);

#ifdef __cplusplus
}
#endif
#endif
