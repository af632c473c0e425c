/* lac_device_codes.h - inside the runtime: kernels that are loaded, each once.
 *
 * A kernel is known by its name and by what it is: the content of its image, since a program may
 * give back the memory of one and compile another one into it, or its entry.  So many are kept, the
 * one that was asked for least lately leaving first, and an image goes with its last kernel.
 */
#ifndef LAC_DEVICE_CODES_H
#define LAC_DEVICE_CODES_H

#include "lac_device_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LAC_DEVICE_CODES = 256 };

/* The kernel, loaded; or NULL, with a status and a message.  The device is entered. */
lac_device_code *lac_device_codes_find(const lac_device *device, const char *name,
                                       const void *image, int64_t bytes,
                                       void (*entry)(void **arguments), int32_t *came_to);

#ifdef __cplusplus
}
#endif
#endif
