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

/* Makes a file with this content, or replaces it: written under another name beside it, then
 * renamed, so that nobody sees a part of it and a failure leaves what was there. */
bool file_write(const char *path, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
