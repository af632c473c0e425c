/* objects.c - LLVM spends nine tenths of a compilation, and knows no thread: what is independent is
 * given to several, each with its own context.
 *
 *     module --division--> modules --translate, one after the other--> LLVM IR --|thread|--> object
 */
#include "objects.h"

#include "division.h"
#include "llvm_code.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 16 };

/* What one thread makes. */
typedef struct part {
  llvm_code program;
  machine_options options;
  machine_times times;
  char *object, *error;
  size_t size;
  bool translated, started;
  pthread_t thread;
} part;

static int processors(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
  return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : count;
}

static void *make_object(void *data) {
  part *p = data;
  if (llvm_code_optimize(&p->program, &p->options, &p->error))
    p->object = llvm_code_emit(&p->program, MACHINE_OBJECT, &p->options, &p->size, &p->error);
  return NULL;
}

/* Signals are the host's: its threads take them, ours do not. */
static void start(part *p) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  p->started = !pthread_create(&p->thread, NULL, make_object, p);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Translates the modules, each into a context of its own; all but the last are compiled on threads
 * meanwhile.  MLIR's context is used here alone. */
static void make_parts(part *parts, const MlirModule *modules, int count,
                       const machine_options *options) {
  double begin = llvm_code_clock();
  for (int i = 0; i < count; i++) {
    part *p = &parts[i];
    p->options = *options;
    p->options.times = &p->times;
    p->translated = llvm_code_translate(&p->program, modules[i], &p->options, &p->error);
    p->times.translate = llvm_code_clock() - begin;
    if (p->translated && i + 1 < count)
      start(p);
    if (p->translated && !p->started)
      make_object(p);
  }
  for (int i = 0; i < count; i++) {
    if (parts[i].started)
      pthread_join(parts[i].thread, NULL);
    llvm_code_release(&parts[i].program);
  }
}

//--- Together ------------------------------------------------------------------------------------

static double seconds_of(const part *p) {
  return p->times.translate + p->times.optimize + p->times.generate;
}

static void tell_times(const part *parts, int count, machine_times *times) {
  const part *longest = parts;
  for (int i = 1; i < count; i++)
    if (seconds_of(&parts[i]) > seconds_of(longest))
      longest = &parts[i];
  if (times)
    *times = longest->times;
}

static bool all_made(part *parts, int count, char **error) {
  bool all = true;
  for (int i = 0; i < count; i++) {
    all &= parts[i].object != NULL;
    if (parts[i].error && !*error) {
      *error = parts[i].error;
      parts[i].error = NULL;
    }
  }
  return all;
}

static char *join_objects(const part *parts, int count, size_t *size) {
  *size = 0;
  for (int i = 0; i < count; i++)
    *size += sizeof(uint64_t) + parts[i].size;
  char *all = malloc(*size), *at = all;
  for (int i = 0; all && i < count; i++) {
    uint64_t length = parts[i].size;
    memcpy(at, &length, sizeof length);
    memcpy(at + sizeof length, parts[i].object, parts[i].size);
    at += sizeof length + parts[i].size;
  }
  return all;
}

static char *compile_modules(const MlirModule *modules, int count, const machine_options *options,
                             size_t *size, char **error) {
  part *parts = calloc((size_t)count, sizeof *parts);
  char *made = NULL;
  if (!parts)
    return NULL;
  make_parts(parts, modules, count, options);
  if (all_made(parts, count, error))
    made = join_objects(parts, count, size);
  tell_times(parts, count, options->times);
  for (int i = 0; i < count; i++) {
    free(parts[i].object);
    free(parts[i].error);
  }
  free(parts);
  return made;
}

char *objects_make(MlirModule module, const machine_options *options, size_t *size, char **error) {
  int count = 0;
  *error = NULL;
  MlirModule *modules = division_create(module, processors(), &count);
  char *made = modules ? compile_modules(modules, count, options, size, error) : NULL;
  division_free(modules, count);
  return made;
}

const char *objects_next(const char **from, const char *end, size_t *size) {
  uint64_t length;
  if ((size_t)(end - *from) < sizeof length)
    return NULL;
  memcpy(&length, *from, sizeof length);
  const char *object = *from + sizeof length;
  if (length > (size_t)(end - object))
    return NULL;
  *from = object + length;
  *size = length;
  return object;
}
