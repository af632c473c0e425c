/* assembler.c - see assembler.h.  What the assembler reads and writes are files in memory, which
 * it knows as those that it has inherited: there is nothing to clean up. */
#include "assembler.h"

#include "failure.h"
#include "file.h"
#include "other_program.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The caller frees it; NULL for none. */
static char *find_assembler(void) {
  static const char *const folders[] = {"/usr/local/cuda/bin/ptxas", "/usr/local/cuda-*/bin/ptxas"};
  if (other_program_is_on_path("ptxas"))
    return strdup("ptxas");
  glob_t found = {0};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    glob(folders[i], i ? GLOB_APPEND : 0, NULL, &found);
  char *path = found.gl_pathc ? strdup(found.gl_pathv[0]) : NULL;
  globfree(&found);
  return path;
}

/* What one run of the assembler has open. */
typedef struct assembly_files {
  int ptx, cubin, messages;
} assembly_files;

static bool open_files(assembly_files *f, const char *ptx, size_t size) {
  f->ptx = memfd_create("kernels.ptx", 0);
  f->cubin = memfd_create("kernels.cubin", 0);
  f->messages = memfd_create("messages", MFD_CLOEXEC);
  return f->ptx >= 0 && f->cubin >= 0 && f->messages >= 0 && file_write_all(f->ptx, ptx, size);
}

static void close_files(const assembly_files *f) {
  close(f->ptx);
  close(f->cubin);
  close(f->messages);
}

/* The whole of a file in memory, and a NUL; NULL where it cannot be read. */
static char *content_of(int file, size_t *size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return file_read(path, size);
}

static bool refuse(const char *assembler, int messages, char **error) {
  char *said = content_of(messages, NULL);
  failure_tell(error, "%s: %.*s", assembler, said ? (int)strcspn(said, "\n") : 0, said ? said : "");
  free(said);
  return false;
}

static bool run(const char *assembler, const char *chip, const assembly_files *f, char **error) {
  char from[64], to[64];
  snprintf(from, sizeof from, "/proc/self/fd/%d", f->ptx);
  snprintf(to, sizeof to, "/proc/self/fd/%d", f->cubin);
  char *const words[] = {(char *)assembler, "-arch", (char *)chip, from, "-o", to, NULL};
  int status = other_program_run(words, f->messages);
  if (status < 0)
    return failure_tell(error, "cannot run the assembler '%s': %s", assembler, strerror(errno));
  return status == 0 || refuse(assembler, f->messages, error);
}

static bool copy(int cubin, FILE *out, char **error) {
  size_t size;
  char *bytes = content_of(cubin, &size);
  if (bytes)
    fwrite(bytes, 1, size, out);
  free(bytes);
  return bytes || failure_tell(error, "the cubin cannot be read: %s", strerror(errno));
}

bool assemble_cubin(const char *ptx, size_t size, const char *chip, FILE *out, char **error) {
  char *assembler = find_assembler();
  if (!assembler)
    return failure_tell(
        error, "a cubin is made by ptxas of the CUDA toolkit, found none on the PATH or in "
               "/usr/local/cuda (--emit ptx needs none)");
  assembly_files files;
  bool opened = open_files(&files, ptx, size);
  bool done = opened ? run(assembler, chip, &files, error) && copy(files.cubin, out, error)
                     : failure_tell(error, "%s", strerror(errno));
  close_files(&files);
  free(assembler);
  return done;
}
