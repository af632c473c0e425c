/* kept.h - compiled code kept in memory, by its key; what was used least lately goes when there is
 * too much.  From any thread. */
#ifndef LACUNA_KEPT_H
#define LACUNA_KEPT_H

#include "cache.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a key stands for, shared by all who take it: `take` gives it one owner more, `release` one
 * less. */
typedef struct kept_methods {
  void (*take)(void *value);
  void (*release)(void *value);
} kept_methods;

/* The value under the key, taken for the caller; NULL where there is none. */
void *kept_find(const cache_bytes *key, const kept_methods *methods);

/* Keeps `value`, taken once more, under the key, which is copied. */
void kept_add(const cache_bytes *key, void *value, const kept_methods *methods);

#ifdef __cplusplus
}
#endif
#endif
