/* file.h - whole files.  errno says what went wrong. */
#ifndef LACUNA_FILE_H
#define LACUNA_FILE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The content of a file and a NUL behind it, which the caller frees; its length in `*size` unless
 * that is NULL.  NULL where it cannot be read. */
char *file_read(const char *path, size_t *size);

/* Writes all of it to a file that is open; false, with errno, where that fails. */
bool file_write_all(int file, const char *bytes, size_t size);

/* Makes a file with this content, or replaces it: written under another name beside it, then
 * renamed, so that nobody sees a part of it and a failure leaves what was there. */
bool file_write(const char *path, const void *bytes, size_t size);

/* The two halves of file_write: a file that is written whole but does not have its name yet.
 * Exactly one of commit and abandon ends what prepare began with success; a device or a pipe is
 * written to at once, and nothing is left to do. */
typedef struct file_pending {
  const char *path; /* the caller's, until the end */
  char *temporary;
} file_pending;
bool file_prepare(file_pending *file, const char *path, const void *bytes, size_t size);
bool file_commit(file_pending *file);
void file_abandon(file_pending *file);

#ifdef __cplusplus
}
#endif
#endif
