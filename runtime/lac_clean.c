/* lac_clean.c - a short list of blocks that are all zero, in order of age; see lac_clean.h. */
#include "lac_clean.h"

#include "lac_kept.h"
#include "lac_memory.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCKS = 64, SMALL = 16 << 20 };

typedef struct clean_block {
  void *base;
  int64_t bytes;
} clean_block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static clean_block blocks[BLOCKS];
static int count;
static int64_t total;

static clean_block remove_at(int i) {
  clean_block removed = blocks[i];
  total -= removed.bytes;
  count--;
  memmove(&blocks[i], &blocks[i + 1], (size_t)(count - i) * sizeof *blocks);
  return removed;
}

static void drop_oldest(void) {
  clean_block oldest = remove_at(0);
  lac_memory_release(oldest.base, oldest.bytes);
}

void *lac_clean_take(int64_t bytes) {
  clean_block taken = {NULL, 0};
  pthread_mutex_lock(&lock);
  for (int i = count - 1; i >= 0 && !taken.base; i--)
    if (blocks[i].bytes == bytes)
      taken = remove_at(i);
  pthread_mutex_unlock(&lock);
  return taken.base;
}

void lac_clean_offer(void *block, int64_t bytes) {
  int64_t limit = lac_kept_limit();
  bool keep = bytes <= limit && (bytes <= SMALL || madvise(block, (size_t)bytes, MADV_FREE) == 0);
  pthread_mutex_lock(&lock);
  while (keep && count > 0 && (count == BLOCKS || total + bytes > limit))
    drop_oldest();
  if (keep) {
    blocks[count++] = (clean_block){block, bytes};
    total += bytes;
  }
  pthread_mutex_unlock(&lock);
  if (!keep)
    lac_memory_release(block, bytes);
}

int lac_clean_drop(void) {
  pthread_mutex_lock(&lock);
  int dropped = count;
  while (count > 0)
    drop_oldest();
  pthread_mutex_unlock(&lock);
  return dropped > 0;
}
