/* The library is linked under another name beside its own and renamed, so that a failure leaves
 * what was there. */
#include "link.h"

#include "complain.h"
#include "file.h"
#include "lac_error.h"
#include "lac_temporary.h"
#include "other_program.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS = 16 };

typedef struct linking {
  const char *path, *linker;
  bool is_driver; /* a compiler that drives the linker, not the linker itself */
  char *object, *made;
  char *words[ARGUMENTS];
  int word_count;
} linking;

__attribute__((format(printf, 2, 3))) static void add(linking *l, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *word = NULL;
  if (vasprintf(&word, format, arguments) >= 0 && l->word_count + 1 < ARGUMENTS)
    l->words[l->word_count++] = word;
  else
    free(word);
  va_end(arguments);
}

/* A library by its path, found there again when the program runs. */
static void add_library(linking *l, const char *library) {
  const char *end = strrchr(library, '/');
  add(l, "%s", library);
  if (end)
    add(l, l->is_driver ? "-Wl,-rpath,%.*s" : "-rpath=%.*s", (int)(end - library), library);
}

static void add_runtime(linking *l) {
  Dl_info found;
  const void *inside = (const void *)(uintptr_t)&lac_error_message;
  char *path = dladdr(inside, &found) ? realpath(found.dli_fname, NULL) : NULL;
  if (path && strstr(path, ".so"))
    add_library(l, path);
  free(path);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void collect_words(linking *l, bool threads) {
  l->is_driver = strncmp(base_name(l->linker), "ld", 2) != 0;
  add(l, "%s", l->linker);
  add(l, "-shared");
  add(l, "-o");
  add(l, "%s", l->made);
  add(l, "%s", l->object);
  add(l, l->is_driver ? "-Wl,-soname,%s" : "-soname=%s", base_name(l->path));
  add_runtime(l);
  if (threads)
    add_library(l, LACUNA_LIBOMP);
  if (l->is_driver)
    add(l, "-lm");
}

static bool run(linking *l) {
  int status = other_program_run(l->words, -1);
  if (status < 0)
    complain("cannot run the linker '%s': %s", l->linker, strerror(errno));
  else if (status > 0)
    complain("the linker '%s' failed to make %s", l->linker, l->path);
  return status == 0;
}

static const char *find_linker(void) {
  static const char *const linkers[] = {"cc", "clang", "gcc", "clang-22", "ld.lld", "ld"};
  for (size_t i = 0; i < sizeof linkers / sizeof linkers[0]; i++)
    if (other_program_is_on_path(linkers[i]))
      return linkers[i];
  complain("no linker found: expected cc, clang, gcc, clang-22, ld.lld or ld on the PATH, or "
           "--linker");
  return NULL;
}

static bool link_object(linking *l, const char *object, size_t size, bool threads) {
  lac_temporary_add(l->object);
  lac_temporary_add(l->made);
  if (!file_write(l->object, object, size))
    return complain_file(l->path, "cannot be written");
  collect_words(l, threads);
  bool linked =
      run(l) && (!rename(l->made, l->path) || complain_file(l->path, "cannot be written"));
  unlink(l->object);
  unlink(l->made);
  return linked;
}

bool link_library(const char *path, const char *object, size_t size, const char *linker,
                  bool threads) {
  linking l = {.path = path, .linker = linker ? linker : find_linker()};
  if (!l.linker)
    return false;
  bool linked = asprintf(&l.object, "%s.%ld.o", path, (long)getpid()) >= 0 &&
                asprintf(&l.made, "%s.%ld.so", path, (long)getpid()) >= 0 &&
                link_object(&l, object, size, threads);
  for (int i = 0; i < l.word_count; i++)
    free(l.words[i]);
  lac_temporary_take_back(l.object);
  lac_temporary_take_back(l.made);
  free(l.object);
  free(l.made);
  return linked;
}
