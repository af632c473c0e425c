/* cache.h - compiled code kept on disk, under everything that it depends on.
 *
 *     key = builds of the compiler, the runtime, MLIR, LLVM and the level formats
 *         + processor, features, optimization level + passes with their options + module
 *
 * An entry is a file named by a hash of its key, and holds the whole key: an entry is taken only
 * where the key is the same to the last byte and the content has its checksum.  Whose files are
 * trusted, and how many there are at most, cache_folder.h says.  Whatever else is found there
 * counts as nothing, and is replaced.  The folder may be emptied at any time.
 */
#ifndef LACUNA_CODE_CACHE_H
#define LACUNA_CODE_CACHE_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of any content. */
typedef struct cache_bytes {
  char *data;
  size_t size;
} cache_bytes;

/* Whether caches are to be used at all: not with LACUNA_CACHE=off in the environment. */
bool cache_is_on(void);

/* The key of a module, as text, that is lowered by `pipeline`.  No data when memory runs out; the
 * caller frees it. */
cache_bytes cache_key(const char *module, const char *pipeline, const machine_options *machine);

/* The content kept under the key, which the caller frees; no data where there is none. */
cache_bytes cache_read(const cache_bytes *key);

/* Keeps the content under the key, where that is possible. */
void cache_write(const cache_bytes *key, const cache_bytes *content);

#ifdef __cplusplus
}
#endif
#endif
