/* lac_emulated.c - the emulated device, and what its kernels may touch; see lac_emulated.h. */
#include "lac_emulated.h"

#include "lac_emulated_counts.h"
#include "lac_emulated_memory.h"
#include "lac_emulated_threads.h"
#include "lac_error.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds_taken;

/* ---- Accesses ----------------------------------------------------------------------------- */

static const char *const verbs[] = {
    [LAC_ACCESS_READS] = "reads", [LAC_ACCESS_WRITES] = "writes", [LAC_ACCESS_UPDATES] = "updates"};

enum { TEXT_SIZE = 256 };

/* "kernel 'spmv': thread 3 of block 0 writes" what. */
static _Noreturn void fail_to(lac_access access, const char *what) {
  lac_emulated_fail(lac_error_set(LAC_ERROR_DEVICE, "kernel '%s': thread %lld of block %lld %s %s",
                                  lac_emulated_kernel(), (long long)lac_emulated_thread(),
                                  (long long)lac_emulated_block(), verbs[access], what));
}

/* "array 2 of the launch, which has 800 bytes" */
static const char *describe(const lac_emulated_array *array, char *text) {
  long long bytes = array->shadow.bytes, number = array->number;
  if (array->is_shared)
    snprintf(text, TEXT_SIZE, "the %lld bytes that its block shares", bytes);
  else if (number == 0)
    snprintf(text, TEXT_SIZE, "an array of %lld bytes, for which the launch did not ask", bytes);
  else
    snprintf(text, TEXT_SIZE, "array %lld of the launch, which has %lld bytes", number, bytes);
  return text;
}

static _Noreturn void fail_access(lac_access access, int64_t bytes, int64_t at,
                                  const lac_emulated_array *array, const char *but) {
  char text[TEXT_SIZE], what[2 * TEXT_SIZE];
  snprintf(what, sizeof what, "%lld bytes at byte %lld of %s%s", (long long)bytes, (long long)at,
           describe(array, text), but);
  fail_to(access, what);
}

static _Noreturn void fail_elsewhere(lac_access access, const void *at, int64_t bytes) {
  char what[TEXT_SIZE];
  snprintf(what, sizeof what, "%lld bytes at %p, which is not on the device", (long long)bytes, at);
  fail_to(access, what);
}

static _Noreturn void fail_race(lac_access access, const lac_race *race,
                                const lac_emulated_array *array) {
  char text[TEXT_SIZE], what[2 * TEXT_SIZE];
  if (race->with.thread == 0)
    lac_emulated_fail(LAC_ERROR_MEMORY);
  snprintf(what, sizeof what,
           "byte %lld of %s, which thread %lld of block %lld %s with no barrier in between",
           (long long)race->at, describe(array, text), (long long)race->with.thread - 1,
           (long long)race->with.block, verbs[race->did]);
  fail_to(access, what);
}

/* What is only to be written may be read too, where the kernel has written it before. */
static bool was_asked(const lac_emulated_array *array, lac_access access) {
  return array->is_shared ||
         (array->number > 0 && (access == LAC_ACCESS_READS || (array->use & LAC_DEVICE_WRITES)));
}

static void touch_array(lac_emulated_array *array, const char *at, int64_t bytes, lac_access access,
                        int32_t site) {
  int64_t offset = at - array->data;
  lac_race race;
  if (offset < 0 || bytes > array->shadow.bytes - offset)
    fail_access(access, bytes, offset, array, "");
  if (!was_asked(array, access))
    fail_access(access, bytes, offset, array,
                array->number ? ", and for which it asked to be read" : "");
  if (!lac_shadow_touch(&array->shadow, offset, bytes, access, lac_emulated_now(), array->is_shared,
                        &race))
    fail_race(access, &race, array);
  if (!lac_emulated_counts_touch(array, offset, bytes, access, site))
    lac_emulated_fail(LAC_ERROR_MEMORY);
}

static bool touch(const void *at, int64_t bytes, lac_access access, int32_t site) {
  if (lac_emulated_thread() < 0)
    return false;
  if (bytes <= 0 || lac_fibre_holds(lac_emulated_fibre(), at, bytes))
    return true;
  lac_emulated_array *array = lac_emulated_memory_find(at);
  if (array)
    touch_array(array, at, bytes, access, site);
  else if (access != LAC_ACCESS_READS || !lac_emulated_memory_is_constant(at, bytes))
    fail_elsewhere(access, at, bytes);
  return true;
}

bool lac_emulated_reads(const void *at, int64_t bytes, int32_t site) {
  return touch(at, bytes, LAC_ACCESS_READS, site);
}
bool lac_emulated_writes(const void *at, int64_t bytes, int32_t site) {
  return touch(at, bytes, LAC_ACCESS_WRITES, site);
}
bool lac_emulated_updates(const void *at, int64_t bytes, int32_t site) {
  return touch(at, bytes, LAC_ACCESS_UPDATES, site);
}

/* ---- Launches ----------------------------------------------------------------------------- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int32_t launch(const lac_device_code *code, int64_t blocks, int64_t threads, int64_t shared,
                      void **arguments) {
  void *memory = shared > 0 ? lac_emulated_memory_allocate(shared, true) : NULL;
  if (shared > 0 && !memory)
    return LAC_ERROR_MEMORY;
  lac_emulated_launch of = {code, blocks, threads, memory, shared, arguments};
  double begin = now();
  lac_emulated_memory_begin();
  int32_t came_to = lac_emulated_counts_launch(code->name, blocks, threads);
  if (came_to == LAC_OK) {
    came_to = lac_emulated_run(&of);
    lac_emulated_counts_launched();
  }
  lac_emulated_memory_release(memory);
  seconds_taken += now() - begin;
  return came_to;
}

/* ---- The device --------------------------------------------------------------------------- */

static int32_t do_nothing(void) {
  return LAC_OK;
}
static void leave(void) {}

static bool reads_host(void) {
  return false;
}

static void *allocate(int64_t bytes, int32_t *came_to) {
  void *at = lac_emulated_memory_allocate(bytes, false);
  *came_to = at ? LAC_OK : LAC_ERROR_MEMORY;
  return at;
}

static void release(void *at, int64_t bytes) {
  (void)bytes;
  lac_emulated_memory_release(at);
}

static int32_t copy(void *to, const void *from, int64_t bytes) {
  memcpy(to, from, (size_t)bytes);
  return LAC_OK;
}

static int32_t clear(void *at, int64_t bytes) {
  memset(at, 0, (size_t)bytes);
  return LAC_OK;
}

static int32_t find(lac_device_code *code) {
  (void)code;
  return LAC_OK;
}

static double seconds(void) {
  double taken = seconds_taken;
  seconds_taken = 0;
  return taken;
}

const lac_device lac_emulated = {
    .number = LAC_EMULATED,
    .enter = do_nothing,
    .leave = leave,
    .reads_host = reads_host,
    .allocate = allocate,
    .release = release,
    .copy_to = copy,
    .copy_from = copy,
    .clear = clear,
    .find = find,
    .launch = launch,
    .wait = do_nothing,
    .seconds = seconds,
};
