/* lac_emulated_memory.h - inside the runtime: the memory of the emulated device, and what kernels
 * may do with an address.
 *
 *     |  room  |  array  |  room  |       what is near an array and not in it is out of its bounds
 *
 * Kernels may touch the arrays of their launch, as it asked for them; the shared memory of their
 * block; what is on their own stack; and read what the process cannot write, the constants of the
 * program.  Everything else, the host's memory and the program's variables, is not on a device.
 */
#ifndef LAC_EMULATED_MEMORY_H
#define LAC_EMULATED_MEMORY_H

#include "lac_device_kind.h"
#include "lac_race.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lac_emulated_array {
  char *data;
  lac_shadow shadow;    /* with how many bytes there are */
  bool is_shared;       /* of a block */
  int64_t number;       /* as which one the launch asked for it, 0 where it did not */
  int32_t use;          /* what it asked for it for */
  uint32_t *last_block; /* that has touched each sector (lac_emulated_counts.h); NULL: none has */
} lac_emulated_array;

/* Memory with room around it, aligned to 256 bytes, each byte LAC_EMULATED_UNDEFINED; NULL and a
 * message without memory.  Released by its address. */
enum { LAC_EMULATED_UNDEFINED = 0xa5 };
void *lac_emulated_memory_allocate(int64_t bytes, bool is_shared);
void lac_emulated_memory_release(void *data);

/* A launch begins: nobody has touched anything, and these are what it asked for. */
void lac_emulated_memory_begin(void);

/* The array at this address, or near it; NULL where there is none. */
lac_emulated_array *lac_emulated_memory_find(const void *at);

/* Whether the process may read all of this, and write none. */
bool lac_emulated_memory_is_constant(const void *at, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
