/* lac_clean.c - a short list of blocks that are all zero, in order of age; see lac_clean.h. */
#include "lac_clean.h"

#include "lac_block_list.h"
#include "lac_kept.h"
#include "lac_memory.h"

#include <pthread.h>
#include <sys/mman.h>

enum { SMALL = 16 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lac_block_list kept;

static void drop_oldest(void) {
  lac_block oldest = lac_block_list_remove(&kept, 0);
  lac_memory_release(oldest.base, oldest.bytes);
}

void *lac_clean_take(int64_t bytes) {
  lac_block taken = {NULL, 0};
  pthread_mutex_lock(&lock);
  for (int i = kept.count - 1; i >= 0 && !taken.base; i--)
    if (kept.blocks[i].bytes == bytes)
      taken = lac_block_list_remove(&kept, i);
  pthread_mutex_unlock(&lock);
  return taken.base;
}

void lac_clean_offer(void *block, int64_t bytes) {
  int64_t limit = lac_kept_limit();
  bool keep = bytes <= limit && (bytes <= SMALL || madvise(block, (size_t)bytes, MADV_FREE) == 0);
  pthread_mutex_lock(&lock);
  while (keep && kept.count > 0 && (kept.count == LAC_BLOCK_LIMIT || kept.bytes + bytes > limit))
    drop_oldest();
  if (keep)
    lac_block_list_add(&kept, block, bytes);
  pthread_mutex_unlock(&lock);
  if (!keep)
    lac_memory_release(block, bytes);
}

int lac_clean_drop(void) {
  pthread_mutex_lock(&lock);
  int dropped = kept.count;
  while (kept.count > 0)
    drop_oldest();
  pthread_mutex_unlock(&lock);
  return dropped > 0;
}
