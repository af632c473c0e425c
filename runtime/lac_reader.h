/* lac_reader.h - inside the runtime: the lines of a text file, plain or gzip.
 *
 * A buffer holds complete lines and the beginning of the next; what parses a line may read on until
 * its '\n', which the last line gets where the file has none:
 *
 *     | consumed | 1 1 0.5 \n 2 3 0.25 \n 3 | free |
 *                  ^ cursor              ^ limit
 */
#ifndef LAC_READER_H
#define LAC_READER_H

#include "lac_file.h"
#include "lac_number.h"

#include <zlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lac_reader {
  const char *cursor; /* the rest of the current line, or the next one */
  const char *limit;  /* the end of the complete lines */
  int64_t line;       /* the number of the current line, from 1 */
  int32_t status;
  const char *path;
  char *buffer;
  int64_t capacity, filled;
  bool at_end;
  gzFile file;
  int64_t file_size; /* 0 where not known */
  lac_progress *progress;
  void *user;
} lac_reader;

int32_t lac_reader_open(lac_reader *reader, const char *path, const lac_read_options *options);
void lac_reader_close(lac_reader *reader);

/* Whether the file is long enough for so many lines more, of one character at least; true where
 * that is not known.  A header may lie, and then nothing should be allocated for what it says. */
bool lac_reader_may_have(const lac_reader *reader, int64_t lines);

/* Reads on where no complete line is left; false at the end, and on an error (reader->status). */
bool lac_reader_refill(lac_reader *reader);

/* Between two lines: reads on until there are complete lines of about so many bytes from `cursor`
 * to `limit`, or the end; false where none are left, and on an error. */
bool lac_reader_block(lac_reader *reader, int64_t bytes);

/* Begins the next line: `cursor` is at its first character.  The line before has been consumed to
 * its end. */
static inline bool lac_reader_line(lac_reader *reader) {
  if (reader->cursor == reader->limit && !lac_reader_refill(reader))
    return false;
  reader->line++;
  return true;
}

/* Begins the next line that has something on it and does not begin with `comment`; `cursor` is at
 * the first character that is no space. */
bool lac_reader_content(lac_reader *reader, char comment);

/* Consumes the rest of the line. */
void lac_reader_skip_line(lac_reader *reader);

static inline const char *lac_skip_spaces(const char *text) {
  while (*text == ' ' || *text == '\t' || *text == '\r')
    text++;
  return text;
}

/* Consumes a line's end after spaces; false, with an error, where something is left on the line. */
bool lac_reader_end_line(lac_reader *reader);

/* An integer after spaces; false, with an error that says that `what` was expected. */
bool lac_reader_integer(lac_reader *reader, const char *what, int64_t *value);

/* LAC_ERROR_INPUT with "path:line: ..."; sets reader->status.  Always false. */
bool lac_reader_error(lac_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same: "expected `what`, found" the word at `text`. */
bool lac_reader_expected(lac_reader *reader, const char *what, const char *text);

#ifdef __cplusplus
}
#endif
#endif
