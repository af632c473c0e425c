/* lac_kept.c - short lists of blocks, in order of age; see lac_kept.h. */
#include "lac_kept.h"

#include "lac_block_list.h"
#include "lac_clean.h"
#include "lac_machine.h"
#include "lac_memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { BLOCKS = 64, SHARE = 8, UNKNOWN = -1, ALLOCATED_MOST = 32 << 20 };
enum { USES = LAC_KEPT_FOR_PIECES + 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lac_block_list kept[USES], allocated[USES];
static int64_t limit = UNKNOWN;

static void drop_oldest(lac_block_list *list) {
  lac_block oldest = lac_block_list_remove(list, 0);
  munmap(oldest.base, (size_t)oldest.bytes);
}

static void know_limit(void) {
  if (limit == UNKNOWN)
    limit = lac_machine_memory() / SHARE;
}

int64_t lac_kept_limit(void) {
  pthread_mutex_lock(&lock);
  know_limit();
  int64_t known = limit;
  pthread_mutex_unlock(&lock);
  return known;
}

static int64_t kept_bytes(void) {
  int64_t bytes = 0;
  for (int use = 0; use < USES; use++)
    bytes += kept[use].bytes;
  return bytes;
}

/* What is kept for others leaves last. */
static void make_room(lac_kept_for use, int64_t size) {
  know_limit();
  if (kept[use].count == BLOCKS)
    drop_oldest(&kept[use]);
  for (int i = 0; i < USES; i++) {
    lac_block_list *list = &kept[((int)use + i) % USES];
    while (list->count > 0 && kept_bytes() + size > limit)
      drop_oldest(list);
  }
}

/* Where the system cannot take it back by itself it is not kept. */
static bool can_keep(void *block, int64_t size) {
  return size <= limit && madvise(block, (size_t)size, MADV_FREE) == 0;
}

void lac_kept_offer(lac_kept_for use, void *block, int64_t size) {
  pthread_mutex_lock(&lock);
  make_room(use, size);
  bool keep = can_keep(block, size);
  if (keep)
    lac_block_list_add(&kept[use], block, size);
  pthread_mutex_unlock(&lock);
  if (!keep)
    munmap(block, (size_t)size);
}

/* The one in the range that is best; -1 where there is none. */
static int find_block(const lac_block_list *list, int64_t least, int64_t most, bool largest) {
  const lac_block *blocks = list->blocks;
  int found = -1;
  for (int i = 0; i < list->count; i++)
    if (blocks[i].bytes >= least && blocks[i].bytes <= most &&
        (found < 0 || (blocks[i].bytes > blocks[found].bytes) == largest))
      found = i;
  return found;
}

static void *take(lac_block_list *list, int64_t least, int64_t most, bool largest, int64_t *size) {
  lac_block taken = {NULL, 0};
  pthread_mutex_lock(&lock);
  int found = find_block(list, least, most, largest);
  if (found >= 0)
    taken = lac_block_list_remove(list, found);
  pthread_mutex_unlock(&lock);
  *size = taken.bytes;
  return taken.base;
}

void *lac_kept_take(lac_kept_for use, int64_t least, int64_t most, int64_t *size) {
  return take(&kept[use], least, most, false, size);
}
void *lac_kept_take_largest(lac_kept_for use, int64_t least, int64_t *size) {
  return take(&kept[use], least, INT64_MAX, true, size);
}

/* ---- Blocks of malloc --------------------------------------------------------------------- */

static void free_oldest(lac_block_list *list) {
  free(lac_block_list_remove(list, 0).base);
}

void lac_kept_offer_allocated(lac_kept_for use, void *block) {
  lac_block_list *list = &allocated[use];
  int64_t size = (int64_t)malloc_usable_size(block);
  pthread_mutex_lock(&lock);
  know_limit();
  bool keep = size >= LAC_KEPT_LEAST && size <= limit && size <= ALLOCATED_MOST;
  while (keep && list->count > 0 && (list->count == BLOCKS || list->bytes + size > ALLOCATED_MOST))
    free_oldest(list);
  if (keep)
    lac_block_list_add(list, block, size);
  pthread_mutex_unlock(&lock);
  if (!keep)
    free(block);
}

void *lac_kept_take_allocated(lac_kept_for use, int64_t bytes) {
  int64_t size;
  return take(&allocated[use], bytes, 2 * bytes, false, &size);
}
void *lac_kept_take_largest_allocated(lac_kept_for use, int64_t bytes, int64_t *size) {
  return take(&allocated[use], bytes, INT64_MAX, true, size);
}

/* ---- All of them -------------------------------------------------------------------------- */

int lac_kept_drop(void) {
  pthread_mutex_lock(&lock);
  int dropped = 0;
  for (int use = 0; use < USES; use++) {
    dropped += kept[use].count + allocated[use].count;
    while (kept[use].count > 0)
      drop_oldest(&kept[use]);
    while (allocated[use].count > 0)
      free_oldest(&allocated[use]);
  }
  pthread_mutex_unlock(&lock);
  return dropped > 0;
}

void lac_memory_keep(int64_t bytes) {
  lac_kept_drop();
  lac_clean_drop();
  pthread_mutex_lock(&lock);
  limit = bytes > 0 ? bytes : 0;
  pthread_mutex_unlock(&lock);
}
