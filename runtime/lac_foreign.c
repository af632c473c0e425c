/* lac_foreign.c - a table of signatures; see lac_foreign.h.  Gzip is not among them: what is in it
 * is what is looked at. */
#include "lac_foreign.h"

#include "lac_ascii.h"

#include <stdbool.h>
#include <string.h>

typedef struct signature {
  int64_t at;
  const char *bytes;
  int64_t length;
  const char *kind;
} signature;

#define PACKED "; unpack it first"
#define AS_ASCII "; save it as UTF-8 or ASCII"
#define CONVERT "; write the matrix as Matrix Market (scipy.io.mmwrite)"

static const signature signatures[] = {
    {0, "PK\003\004", 4, "a zip archive, as .npz files are" CONVERT},
    {0, "\x93NUMPY", 6, "an array of NumPy" CONVERT},
    {0, "MATLAB 5.0 MAT-file", 19, "a .mat file" CONVERT},
    {0, "\x89HDF\r\n\x1a\n", 8, "an HDF5 file, as newer .mat files are" CONVERT},
    {0, "\xff\xfe", 2, "text in UTF-16" AS_ASCII},
    {0, "\xfe\xff", 2, "text in UTF-16" AS_ASCII},
    {0, "BZh", 3, "a bzip2 file" PACKED},
    {0,
     "\xfd"
     "7zXZ",
     5, "an xz file" PACKED},
    {0, "\x28\xb5\x2f\xfd", 4, "a zstd file" PACKED},
    {0, "7z\xbc\xaf\x27\x1c", 6, "a 7z archive" PACKED},
    {257, "ustar", 5, "a tar archive" PACKED},
    {0, "%PDF-", 5, "a PDF file"},
    {0,
     "\x7f"
     "ELF",
     4, "a program"},
};

static bool has_signature(const char *bytes, int64_t count, const signature *s) {
  return count >= s->at + s->length && !memcmp(bytes + s->at, s->bytes, (size_t)s->length);
}

/* The first line that is neither empty nor a comment, in what is at hand; `*end` its end. */
static const char *first_content(const char *text, const char *limit, const char **end) {
  for (; text < limit; text = *end + 1) {
    *end = memchr(text, '\n', (size_t)(limit - text));
    *end = *end ? *end : limit;
    while (text < *end && (*text == ' ' || *text == '\t' || *text == '\r'))
      text++;
    if (text < *end && *text != '#' && *text != '%')
      return text;
  }
  return NULL;
}

static bool begins(const char *text, const char *end, const char *word) {
  return (size_t)(end - text) >= strlen(word) && lac_begins_with(text, word);
}

static const char *kind_of_text(const char *bytes, int64_t count) {
  const char *end, *line = first_content(bytes, bytes + count, &end);
  if (!line)
    return NULL;
  if (begins(line, end, "<!DOCTYPE") || begins(line, end, "<html") || begins(line, end, "<?xml"))
    return "a page of HTML or XML";
  if (*line == '{' || *line == '[')
    return "JSON";
  if (memchr(line, ',', (size_t)(end - line)))
    return "values separated by commas; FROSTT .tns has spaces, and no line of names";
  return NULL;
}

const char *lac_foreign_kind(const char *bytes, int64_t count) {
  for (size_t s = 0; s < sizeof signatures / sizeof *signatures; s++)
    if (has_signature(bytes, count, &signatures[s]))
      return signatures[s].kind;
  return kind_of_text(bytes, count);
}
