/* lac_writer.c - text to a file; see lac_writer.h. */
#include "lac_writer.h"

#include "lac_ascii.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 18 };

static int32_t cannot_be(const char *path, const char *what, int reason) {
  const char *name = strcmp(path, "-") == 0 ? "standard output" : path;
  return lac_error_set(LAC_ERROR_FILE, "%s: cannot be %s: %s", name, what,
                       reason ? strerror(reason) : "unknown reason");
}

static int32_t fail(lac_writer *writer, const char *what, int reason) {
  writer->status = cannot_be(writer->path, what, reason);
  return writer->status;
}

/* ---- Open --------------------------------------------------------------------------------- */

static bool is_written_in_place(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* Whether the folder that `path` is in takes a new file. */
static bool folder_takes_files(const char *path) {
  char folder[4096];
  const char *slash = strrchr(path, '/');
  int length = slash ? (int)(slash - path) + 1 : 1;
  snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".");
  return access(folder, W_OK | X_OK) == 0;
}

int32_t lac_writer_check(const char *path) {
  struct stat info;
  if (strcmp(path, "-") == 0)
    return LAC_OK;
  errno = 0;
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    return cannot_be(path, "opened for writing", EISDIR);
  bool possible = is_written_in_place(path) ? access(path, W_OK) == 0 : folder_takes_files(path);
  return possible ? LAC_OK : cannot_be(path, "opened for writing", errno);
}

/* `path` with a number that no other writer of this machine uses now. */
static bool name_temporary(lac_writer *writer) {
  static _Atomic unsigned number;
  writer->temporary_size = (int64_t)strlen(writer->path) + 48;
  writer->temporary = lac_memory_allocate(writer->temporary_size);
  if (!writer->temporary)
    return false;
  snprintf(writer->temporary, (size_t)writer->temporary_size, "%s.part-%ld-%u", writer->path,
           (long)getpid(), atomic_fetch_add(&number, 1));
  lac_temporary_add(writer->temporary);
  return true;
}

static int open_descriptor(lac_writer *writer) {
  if (strcmp(writer->path, "-") == 0)
    return dup(STDOUT_FILENO);
  if (is_written_in_place(writer->path))
    return open(writer->path, O_WRONLY | O_CLOEXEC);
  if (!name_temporary(writer)) {
    errno = ENOMEM;
    return -1;
  }
  return open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static bool is_compressed(const char *path) {
  return lac_ends_with(path, ".gz");
}

/* Level 3 of gzip costs a third of the usual time, and a tenth in size on numbers. */
static bool open_stream(lac_writer *writer, int descriptor) {
  writer->file = gzdopen(descriptor, is_compressed(writer->path) ? "wb3" : "wbT");
  if (!writer->file)
    close(descriptor);
  return writer->file != NULL;
}

static void release(lac_writer *writer) {
  lac_temporary_take_back(writer->temporary);
  lac_memory_release(writer->buffer, BUFFER_SIZE);
  lac_memory_release(writer->temporary, writer->temporary_size);
  writer->buffer = writer->temporary = NULL;
}

int32_t lac_writer_open(lac_writer *writer, const char *path) {
  *writer = (lac_writer){.path = path, .buffer = lac_memory_allocate(BUFFER_SIZE)};
  if (!writer->buffer)
    return LAC_ERROR_MEMORY;
  errno = 0;
  int descriptor = open_descriptor(writer);
  int reason = errno;
  if (descriptor >= 0 && open_stream(writer, descriptor))
    return LAC_OK;
  int32_t status = reason == ENOMEM ? LAC_ERROR_MEMORY : fail(writer, "opened for writing", reason);
  if (descriptor >= 0 && writer->temporary)
    unlink(writer->temporary);
  release(writer);
  return status;
}

/* ---- Write and close ---------------------------------------------------------------------- */

static void flush(lac_writer *writer) {
  errno = 0;
  if (writer->status == LAC_OK && writer->used > 0 &&
      gzwrite(writer->file, writer->buffer, (unsigned)writer->used) != writer->used)
    fail(writer, "written", errno);
  writer->used = 0;
}

char *lac_writer_room(lac_writer *writer) {
  if (writer->used + LAC_WRITER_ROOM > BUFFER_SIZE)
    flush(writer);
  return writer->buffer + writer->used;
}

int32_t lac_writer_close(lac_writer *writer) {
  flush(writer);
  errno = 0;
  if (gzclose(writer->file) != Z_OK && writer->status == LAC_OK)
    fail(writer, "written", errno);
  if (writer->temporary && writer->status == LAC_OK && rename(writer->temporary, writer->path) != 0)
    fail(writer, "given its name", errno);
  if (writer->temporary && writer->status != LAC_OK)
    unlink(writer->temporary);
  release(writer);
  return writer->status;
}
