/* lac_stream.c - of which results whole lines are stored past the caches; see lac_stream.h.
 *
 *     bytes of the array     as many as the last cache has, and no more than CACHED anyway: that of
 *                            a large machine is for many
 *     its pages              in memory; a page that is new has been cleared, and is in the caches
 */
#include "lac_stream.h"

#include "lac_integer.h"
#include "lac_machine.h"
#include "lac_setting.h"
#include "lac_tensor.h"

#include <sys/mman.h>
#include <unistd.h>

enum { CACHED = 32 << 20 };

static lac_setting from = {"LACUNA_STREAM_FROM", -1};

void lac_stream_set_from(int64_t bytes) {
  lac_setting_set(&from, bytes);
}

int64_t lac_stream_from(void) {
  return lac_setting_get(&from, lac_minimum(lac_machine_cache(), CACHED));
}

/* Whether the page of an address is in memory. */
static bool is_there(const char *at) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  unsigned char found = 0;
  return mincore((void *)((uintptr_t)at & ~(page - 1)), 1, &found) == 0 && found & 1;
}

/* The first page, and the last one, which arrays that were shorter have not come to. */
bool lac_stream_pays(const void *data, int64_t bytes) {
  const char *first = data;
  int64_t least = lac_stream_from();
  if (!data || bytes <= 0 || bytes < least)
    return false;
  return least == 0 || (is_there(first) && is_there(first + bytes - 1));
}
