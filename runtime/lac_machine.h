/* lac_machine.h - inside the runtime: how much memory there is, and how much the caches hold. */
#ifndef LAC_MACHINE_H
#define LAC_MACHINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of memory and swap that this process may have: the machine's, or what its control group is
 * limited to.  INT64_MAX where nothing tells. */
int64_t lac_machine_memory(void);

/* What of it is free now, or could be made free by dropping what is only cached.  Reads /proc. */
int64_t lac_machine_free_memory(void);

/* Bytes of the last cache; INT64_MAX where nothing tells. */
int64_t lac_machine_cache(void);

#ifdef __cplusplus
}
#endif
#endif
