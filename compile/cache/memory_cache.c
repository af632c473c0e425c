/* A short list under a lock, the latest first. */
#include "memory_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 64 };

typedef struct kept {
  cache_bytes key;
  void *value;
} kept;

static struct {
  pthread_mutex_t lock;
  kept entries[KEPT];
  int count;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int find(const cache_bytes *key) {
  for (int i = 0; i < all.count; i++)
    if (all.entries[i].key.size == key->size &&
        !memcmp(all.entries[i].key.data, key->data, key->size))
      return i;
  return -1;
}

/* Makes `entry` the first, over the place `i`. */
static void put_first(int i, kept entry) {
  memmove(&all.entries[1], &all.entries[0], (size_t)i * sizeof entry);
  all.entries[0] = entry;
}

void *memory_cache_find(const cache_bytes *key, const memory_cache_methods *methods) {
  void *value = NULL;
  pthread_mutex_lock(&all.lock);
  int i = find(key);
  if (i >= 0) {
    value = all.entries[i].value;
    methods->take(value);
    put_first(i, all.entries[i]);
  }
  pthread_mutex_unlock(&all.lock);
  return value;
}

void memory_cache_add(const cache_bytes *key, void *value, const memory_cache_methods *methods) {
  kept entry = {{malloc(key->size), key->size}, value}, gone = {{NULL, 0}, NULL};
  if (!entry.key.data)
    return;
  memcpy(entry.key.data, key->data, key->size);
  methods->take(value);
  pthread_mutex_lock(&all.lock);
  int i = find(key);
  if (i < 0 && all.count < KEPT)
    i = all.count++;
  else {
    i = i < 0 ? KEPT - 1 : i;
    gone = all.entries[i];
  }
  put_first(i, entry);
  pthread_mutex_unlock(&all.lock);
  free(gone.key.data);
  if (gone.value)
    methods->release(gone.value);
}
