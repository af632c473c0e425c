/* lac_device_stays.h - inside the runtime: what memory of arrays has to say to devices. */
#ifndef LAC_DEVICE_STAYS_H
#define LAC_DEVICE_STAYS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How many arrays are on devices to stay (lac_tensor_to_device). */
extern _Atomic int64_t lac_device_staying;
static inline bool lac_device_has_some(void) {
  return atomic_load_explicit(&lac_device_staying, memory_order_relaxed) > 0;
}

/* `bytes` from `host` on are about to be freed or moved: what stays of them on devices leaves.
 * Waits for launches of other threads. */
void lac_device_leave(const void *host, int64_t bytes);

#endif
