/* lac_writer.h - inside the runtime: text to a file, plain or gzip, that gets its name when it is
 * complete.
 *
 * A regular file is written under a temporary name in the same folder; anything else (a pipe, a
 * device, standard output) is written as it is.
 */
#ifndef LAC_WRITER_H
#define LAC_WRITER_H

#include "lac_tensor.h"

#include <zlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lac_writer {
  char *buffer;
  int64_t used;
  int32_t status;
  gzFile file;
  const char *path;
  char *temporary; /* the name until the end; NULL where the file is written as it is */
  int64_t temporary_size;
} lac_writer;

/* The most that may be written between two calls of lac_writer_room. */
enum { LAC_WRITER_ROOM = 2048 };

/* Whether `path` could be opened now, without touching it. */
int32_t lac_writer_check(const char *path);

int32_t lac_writer_open(lac_writer *writer, const char *path);

/* Where the next text goes, with room for LAC_WRITER_ROOM bytes; lac_writer_advance tells its end.
 * After a failure (writer->status) it may still be called. */
char *lac_writer_room(lac_writer *writer);
static inline void lac_writer_advance(lac_writer *writer, const char *end) {
  writer->used = end - writer->buffer;
}

/* Writes what is left and gives the file its name; if anything has failed, removes it. */
int32_t lac_writer_close(lac_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
