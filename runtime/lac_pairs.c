/* lac_pairs.c - scratch arrays of (coordinate, position) pairs, that levels are walked through.
 *
 * They are sorted between the array and a spare one beside it (lac_entries.h):
 *
 *     block    pairs 0 .. room-1 | spare 0 .. room-1       or the other way round, once sorted
 *
 * So sorting takes no memory, and cannot fail.
 */
#include "lac_entries.h"

#include "lac_error.h"
#include "lac_memory.h"

#include <string.h>

enum { FIRST_ROOM = 64, WIDTH = sizeof(lac_pair), WORDS = WIDTH / sizeof(uint64_t) };

/* ---- Memory ------------------------------------------------------------------------------- */

static int64_t block_bytes(int64_t room) {
  int64_t bytes = lac_memory_bytes(room, WIDTH);
  return lac_memory_bytes(bytes, 2);
}

static void free_block(const lac_pairs *p) {
  lac_memory_release(p->pairs < p->spare ? p->pairs : p->spare, block_bytes(p->room));
}

void lac_kernel_pairs_grow(lac_pairs *p, int64_t needed, int32_t *status) {
  int64_t room = needed >= 0 && needed < 2 * p->room ? 2 * p->room : needed;
  lac_pair *block = lac_memory_allocate_whole(block_bytes(room));
  if (!block) {
    lac_status_take(status, LAC_ERROR_MEMORY);
    return;
  }
  if (p->room)
    memcpy(block, p->pairs, (size_t)p->room * WIDTH);
  free_block(p);
  *p = (lac_pairs){block, room, block + room};
}

lac_pairs *lac_kernel_pairs(int32_t *status) {
  lac_pairs *p = lac_memory_allocate(sizeof *p);
  if (p)
    lac_kernel_pairs_grow(p, FIRST_ROOM, status);
  else
    lac_status_take(status, LAC_ERROR_MEMORY);
  return p;
}

void lac_kernel_pairs_free(lac_pairs *p) {
  if (!p)
    return;
  free_block(p);
  lac_memory_release(p, sizeof *p);
}

/* ---- Sorting ------------------------------------------------------------------------------ */

void lac_kernel_pairs_sort(lac_pairs *p, int64_t count) {
  uint64_t *pairs = (uint64_t *)p->pairs, *spare = (uint64_t *)p->spare;
  lac_pair *sorted = (lac_pair *)lac_entries_sort(pairs, spare, count, WORDS, 1);
  if (sorted == p->pairs)
    return;
  p->spare = p->pairs;
  p->pairs = sorted;
}
