/* lac_network.h - inside the runtime: short rows sorted in registers. */
#ifndef LAC_NETWORK_H
#define LAC_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many numbers it sorts at least, at most. */
enum { LAC_NETWORK_LEAST = 8, LAC_NETWORK_LIMIT = 64 };

/* Sorts LAC_NETWORK_LEAST to LAC_NETWORK_LIMIT numbers ascending, in place. False, with nothing
 * done, where the processor has no registers for it. */
bool lac_network_sort(int64_t *numbers, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
