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

#include <stdatomic.h>
#include <string.h>
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
bool lac_stream_pays_for_part(const void *data, int64_t bytes, int64_t all) {
  const char *first = data;
  int64_t least = lac_stream_from();
  if (!data || bytes <= 0 || all < least)
    return false;
  return least == 0 || (is_there(first) && is_there(first + bytes - 1));
}

bool lac_stream_pays(const void *data, int64_t bytes) {
  return lac_stream_pays_for_part(data, bytes, bytes);
}

/* ---- Copying ------------------------------------------------------------------------------ */

enum { LINE = 64 };
typedef int64_t line __attribute__((vector_size(LINE)));

void lac_stream_copy(void *to, const void *from, int64_t bytes) {
  char *at = to;
  const char *source = from;
  int64_t before = lac_minimum(bytes, (int64_t)(-(uintptr_t)at & (LINE - 1)));
  memcpy(at, source, (size_t)before);
  int64_t done = before;
  for (; done + LINE <= bytes; done += LINE) {
    line next;
    memcpy(&next, source + done, sizeof next);
    __builtin_nontemporal_store(next, (line *)(at + done));
  }
  memcpy(at + done, source + done, (size_t)(bytes - done));
  atomic_thread_fence(memory_order_seq_cst);
}
