/* memory_cache.h - compiled code kept in memory, by its key; what was used least lately goes when
 * there is too much.  From any thread. */
#ifndef LACUNA_MEMORY_CACHE_H
#define LACUNA_MEMORY_CACHE_H

#include "cache.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a key stands for, shared by all who take it: `take` gives it one owner more, `release` one
 * less. */
typedef struct memory_cache_methods {
  void (*take)(void *value);
  void (*release)(void *value);
} memory_cache_methods;

/* The value under the key, taken for the caller; NULL where there is none. */
void *memory_cache_find(const cache_bytes *key, const memory_cache_methods *methods);

/* Keeps `value`, taken once more, under the key, which is copied. */
void memory_cache_add(const cache_bytes *key, void *value, const memory_cache_methods *methods);

#ifdef __cplusplus
}
#endif
#endif
