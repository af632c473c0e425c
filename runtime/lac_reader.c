/* lac_reader.c - the lines of a text file; see lac_reader.h. */
#include "lac_reader.h"

#include "lac_error.h"
#include "lac_foreign.h"
#include "lac_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t first_capacity = INT64_C(1) << 20;
static const int64_t longest_line = INT64_C(1) << 28;

/* ---- Errors ------------------------------------------------------------------------------- */

bool lac_reader_error(lac_reader *reader, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  reader->status =
      lac_error_set(LAC_ERROR_INPUT, "%s:%lld: %s", reader->path, (long long)reader->line, what);
  return false;
}

static bool ends_word(char c) {
  return c == '\n' || c == ' ' || c == '\t' || c == '\r';
}

/* The word at `text`, in quotes, cut to a readable length, what cannot be printed as \xNN. */
static void quote_word(const char *text, char *quoted, size_t size) {
  size_t length = 0;
  if (*text == '\n' || (*text == '\r' && text[1] == '\n')) {
    snprintf(quoted, size, "the line's end");
    return;
  }
  quoted[length++] = '\'';
  for (; !ends_word(*text) && length + 9 < size; text++) {
    bool printable = *text >= ' ' && *text <= '~';
    length +=
        (size_t)snprintf(quoted + length, 5, printable ? "%c" : "\\x%02x", (unsigned char)*text);
  }
  snprintf(quoted + length, size - length, ends_word(*text) ? "'" : "...'");
}

bool lac_reader_expected(lac_reader *reader, const char *what, const char *text) {
  char word[48];
  quote_word(text, word, sizeof word);
  return lac_reader_error(reader, "expected %s, found %s", what, word);
}

/* zlib says `<fd:3>: why`. */
static bool read_error(lac_reader *reader, const char *why) {
  const char *place = strstr(why, ">: ");
  why = *why == '<' && place ? place + 3 : why;
  reader->status = lac_error_set(LAC_ERROR_FILE, "%s: cannot be read: %s", reader->path, why);
  return false;
}

/* ---- Open and close ----------------------------------------------------------------------- */

static int open_file(lac_reader *reader) {
  struct stat info;
  int descriptor =
      strcmp(reader->path, "-") == 0 ? dup(STDIN_FILENO) : open(reader->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &info) != 0)
    return descriptor;
  reader->file_size = S_ISREG(info.st_mode) ? (int64_t)info.st_size : 0;
  if (!S_ISDIR(info.st_mode))
    return descriptor;
  close(descriptor);
  errno = EISDIR;
  return -1;
}

int32_t lac_reader_open(lac_reader *reader, const char *path, const lac_read_options *options) {
  *reader = (lac_reader){.path = path, .progress = options->progress, .user = options->user};
  int descriptor = open_file(reader);
  if (descriptor < 0)
    return lac_error_set(LAC_ERROR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
  reader->file = gzdopen(descriptor, "rb");
  reader->capacity = first_capacity;
  reader->buffer = lac_memory_allocate(reader->capacity);
  if (reader->file && reader->buffer) {
    gzbuffer(reader->file, 1 << 18);
    reader->cursor = reader->limit = reader->buffer;
    return LAC_OK;
  }
  if (!reader->file)
    close(descriptor);
  lac_reader_close(reader);
  return lac_error_set(LAC_ERROR_MEMORY, "%s: out of memory", path);
}

void lac_reader_close(lac_reader *reader) {
  if (reader->file)
    gzclose(reader->file);
  lac_memory_release(reader->buffer, reader->capacity);
  reader->file = NULL;
  reader->buffer = NULL;
}

/* ---- Lines -------------------------------------------------------------------------------- */

static void report_progress(lac_reader *reader) {
  if (!reader->progress || reader->file_size <= 0)
    return;
  double fraction = (double)gzoffset(reader->file) / (double)reader->file_size;
  reader->progress(reader->user, fraction < 1 ? fraction : 1);
}

bool lac_reader_may_have(const lac_reader *reader, int64_t lines) {
  enum { DEFLATE_LIMIT = 1032 }; /* bytes that one byte of a gzip file can stand for */
  int64_t bytes = reader->file_size, factor = gzdirect(reader->file) ? 1 : DEFLATE_LIMIT;
  return bytes <= 0 || bytes > INT64_MAX / factor - 1 || lines <= (bytes * factor + 1) / 2;
}

static bool grow_buffer(lac_reader *reader) {
  if (reader->capacity >= longest_line) {
    reader->line++;
    return lac_reader_error(reader, "expected lines of less than %lld bytes",
                            (long long)longest_line);
  }
  char *buffer = lac_memory_resize(reader->buffer, reader->capacity, 2 * reader->capacity);
  if (!buffer) {
    reader->status = LAC_ERROR_MEMORY;
    return false;
  }
  reader->buffer = buffer;
  reader->capacity *= 2;
  return true;
}

static bool is_foreign(lac_reader *reader) {
  const char *kind = lac_foreign_kind(reader->buffer, reader->filled);
  if (kind)
    reader->status =
        lac_error_set(LAC_ERROR_INPUT, "%s: expected a Matrix Market or FROSTT file, found %s",
                      reader->path, kind);
  return kind;
}

/* What editors of Windows put before a text in UTF-8. */
static void skip_byte_order_mark(lac_reader *reader) {
  static const char mark[] = "\xef\xbb\xbf";
  int64_t length = (int64_t)strlen(mark);
  if (reader->filled < length || memcmp(reader->buffer, mark, (size_t)length) != 0)
    return;
  reader->filled -= length;
  memmove(reader->buffer, reader->buffer + length, (size_t)reader->filled);
}

/* Fills the free part of the buffer but for one byte, which the last line may need. */
static bool fill(lac_reader *reader) {
  int64_t room = reader->capacity - 1 - reader->filled;
  int got = gzread(reader->file, reader->buffer + reader->filled,
                   (unsigned)(room < first_capacity ? room : first_capacity));
  if (got > 0) {
    bool is_first = gztell(reader->file) == got;
    reader->filled += got;
    report_progress(reader);
    if (is_first)
      skip_byte_order_mark(reader);
    return !is_first || !is_foreign(reader);
  }
  int code;
  const char *why = gzerror(reader->file, &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
    return read_error(reader, code == Z_ERRNO       ? strerror(errno)
                              : code == Z_BUF_ERROR ? "it is cut off"
                                                    : why);
  reader->at_end = true;
  if (reader->filled > 0 && reader->buffer[reader->filled - 1] != '\n')
    reader->buffer[reader->filled++] = '\n';
  return true;
}

static void keep_unconsumed(lac_reader *reader) {
  int64_t rest = reader->buffer + reader->filled - reader->cursor;
  memmove(reader->buffer, reader->cursor, (size_t)rest);
  reader->filled = rest;
}

bool lac_reader_refill(lac_reader *reader) {
  if (reader->status != LAC_OK || reader->at_end)
    return false;
  keep_unconsumed(reader);
  const char *last = NULL;
  while (!last && !reader->at_end) {
    if (reader->filled >= reader->capacity - 1 && !grow_buffer(reader))
      return false;
    int64_t looked_at = reader->filled;
    if (!fill(reader))
      return false;
    last = memrchr(reader->buffer + looked_at, '\n', (size_t)(reader->filled - looked_at));
  }
  reader->cursor = reader->buffer;
  reader->limit = last ? last + 1 : reader->buffer;
  return last != NULL;
}

static void find_limit(lac_reader *reader) {
  const char *last = memrchr(reader->buffer, '\n', (size_t)reader->filled);
  reader->cursor = reader->buffer;
  reader->limit = last ? last + 1 : reader->buffer;
}

bool lac_reader_block(lac_reader *reader, int64_t bytes) {
  keep_unconsumed(reader);
  while (reader->status == LAC_OK && !reader->at_end && reader->filled < bytes)
    if ((reader->filled >= reader->capacity - 1 && !grow_buffer(reader)) || !fill(reader))
      break;
  find_limit(reader);
  return reader->status == LAC_OK && (reader->cursor < reader->limit || lac_reader_refill(reader));
}

void lac_reader_skip_line(lac_reader *reader) {
  reader->cursor =
      (const char *)memchr(reader->cursor, '\n', (size_t)(reader->limit - reader->cursor)) + 1;
}

bool lac_reader_content(lac_reader *reader, char comment) {
  while (lac_reader_line(reader)) {
    bool is_comment = *reader->cursor == comment;
    reader->cursor = lac_skip_spaces(reader->cursor);
    if (*reader->cursor != '\n' && !is_comment)
      return true;
    lac_reader_skip_line(reader);
  }
  return false;
}

bool lac_reader_end_line(lac_reader *reader) {
  const char *text = lac_skip_spaces(reader->cursor);
  if (*text != '\n')
    return lac_reader_expected(reader, "the line's end", text);
  reader->cursor = text + 1;
  return true;
}

bool lac_reader_integer(lac_reader *reader, const char *what, int64_t *value) {
  const char *text = lac_skip_spaces(reader->cursor);
  const char *end = lac_read_integer(text, value);
  if (!end || !ends_word(*end))
    return lac_reader_expected(reader, what, text);
  reader->cursor = end;
  return true;
}
