/* A short list under a lock, the latest first. */
#include "memory_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CACHED = 64 };

typedef struct cached {
  cache_bytes key;
  void *value;
} cached;

static struct {
  pthread_mutex_t lock;
  cached entries[CACHED];
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
static void put_first(int i, cached entry) {
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
  cached entry = {{malloc(key->size), key->size}, value}, gone = {{NULL, 0}, NULL};
  if (!entry.key.data)
    return;
  memcpy(entry.key.data, key->data, key->size);
  methods->take(value);
  pthread_mutex_lock(&all.lock);
  int i = find(key);
  if (i < 0 && all.count < CACHED)
    i = all.count++;
  else {
    i = i < 0 ? CACHED - 1 : i;
    gone = all.entries[i];
  }
  put_first(i, entry);
  pthread_mutex_unlock(&all.lock);
  free(gone.key.data);
  if (gone.value)
    methods->release(gone.value);
}
