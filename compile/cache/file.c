/* Whole files, read at once and written by way of a temporary. */
#include "file.h"

#include "lac_temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool copy(FILE *from, FILE *to) {
  char buffer[65536];
  size_t got;
  do {
    got = fread(buffer, 1, sizeof buffer, from);
    if (fwrite(buffer, 1, got, to) != got)
      return false;
  } while (got == sizeof buffer);
  return !ferror(from);
}

char *file_read(const char *path, size_t *size) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *from = fopen(path, "rb");
  if (!from)
    return NULL;
  FILE *to = open_memstream(&bytes, &length);
  bool good = to && copy(from, to);
  int problem = errno;
  if (to && fclose(to))
    good = false;
  fclose(from);
  if (good && size)
    *size = length;
  if (good)
    return bytes;
  free(bytes);
  errno = problem;
  return NULL;
}

bool file_write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno != EINTR)
      return false;
    bytes += written > 0 ? written : 0;
    size -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

static bool write_and_close(int file, const void *bytes, size_t size) {
  bool good = file_write_all(file, bytes, size);
  int problem = errno;
  if (close(file) && good)
    return false;
  errno = problem;
  return good;
}

/* Devices and pipes are written to, not replaced. */
static bool is_special(const char *path) {
  struct stat found;
  return !stat(path, &found) && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

static bool write_in_place(const char *path, const void *bytes, size_t size) {
  int file = open(path, O_WRONLY);
  return file >= 0 && write_and_close(file, bytes, size);
}

/* A new file beside `path`, its name in `*name`, which the caller frees. */
static int open_beside(const char *path, char **name) {
  static atomic_uint serial;
  int file = -1;
  do {
    lac_temporary_take_back(*name);
    free(*name);
    *name = NULL;
    if (asprintf(name, "%s.%ld-%u.tmp", path, (long)getpid(), atomic_fetch_add(&serial, 1)) < 0)
      return -1;
    lac_temporary_add(*name);
    file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  return file;
}

void file_abandon(file_pending *file) {
  int problem = errno;
  if (file->temporary)
    unlink(file->temporary);
  lac_temporary_take_back(file->temporary);
  free(file->temporary);
  file->temporary = NULL;
  errno = problem;
}

/* A folder cannot be replaced by a file: said before anything is written. */
static bool is_folder(const char *path) {
  struct stat found;
  bool folder = !stat(path, &found) && S_ISDIR(found.st_mode);
  errno = folder ? EISDIR : errno;
  return folder;
}

bool file_prepare(file_pending *file, const char *path, const void *bytes, size_t size) {
  *file = (file_pending){path, NULL};
  if (is_special(path))
    return write_in_place(path, bytes, size);
  int descriptor = is_folder(path) ? -1 : open_beside(path, &file->temporary);
  if (descriptor >= 0 && write_and_close(descriptor, bytes, size))
    return true;
  file_abandon(file);
  return false;
}

bool file_commit(file_pending *file) {
  bool good = !file->temporary || !rename(file->temporary, file->path);
  if (good) {
    lac_temporary_take_back(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
  }
  file_abandon(file);
  return good;
}

bool file_write(const char *path, const void *bytes, size_t size) {
  file_pending file;
  return file_prepare(&file, path, bytes, size) && file_commit(&file);
}
