/* lac_stream.c - of which results whole lines are stored past the caches; see lac_stream.h.
 *
 *     bytes of the array     as many as the last cache has, and no more than CACHED anyway: that of
 *                            a large machine is for many
 *     its pages              in memory; a page that is new has been cleared, and is in the caches
 */
#include "lac_stream.h"

#include "lac_integer.h"
#include "lac_machine.h"
#include "lac_tensor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FROM_UNREAD = -1, CACHED = 32 << 20 };

static _Atomic int64_t from = FROM_UNREAD;

void lac_stream_set_from(int64_t bytes) {
  atomic_store(&from, bytes < 0 ? FROM_UNREAD : bytes);
}

static int64_t usual(void) {
  return lac_minimum(lac_machine_cache(), CACHED);
}

static int64_t read_environment(void) {
  const char *text = getenv("LACUNA_STREAM_FROM");
  char *end = NULL;
  long long bytes = text ? strtoll(text, &end, 10) : 0;
  int64_t unread = FROM_UNREAD, said = text && end != text && bytes >= 0 ? bytes : usual();
  atomic_compare_exchange_strong(&from, &unread, said);
  return atomic_load(&from);
}

int64_t lac_stream_from(void) {
  int64_t bytes = atomic_load_explicit(&from, memory_order_relaxed);
  return bytes == FROM_UNREAD ? read_environment() : bytes;
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
  if (!data || bytes <= 0 || bytes < lac_stream_from())
    return false;
  return lac_stream_from() == 0 || (is_there(first) && is_there(first + bytes - 1));
}
