/* lac_threads.c - how many threads a kernel runs on, which its caller says when it runs. */
#include "lac_kernel.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { FROM_UNREAD = -1, FROM_USUALLY = 1 << 16 };

static _Thread_local int32_t wanted;
static _Thread_local int64_t expected = INT64_MAX; /* visits of the loop that comes */
static _Atomic int64_t from = FROM_UNREAD;

void lac_threads_set(int32_t count) {
  wanted = count < 0 ? 0 : count;
}

int32_t lac_threads(void) {
  return wanted;
}

void lac_threads_set_from(int64_t visits) {
  atomic_store(&from, visits < 0 ? FROM_UNREAD : visits);
}

static int64_t read_environment(void) {
  const char *text = getenv("LACUNA_THREADS_FROM");
  char *end = NULL;
  long long visits = text ? strtoll(text, &end, 10) : 0;
  int64_t unread = FROM_UNREAD, said = text && end != text && visits >= 0 ? visits : FROM_USUALLY;
  atomic_compare_exchange_strong(&from, &unread, said);
  return atomic_load(&from);
}

int64_t lac_threads_from(void) {
  int64_t visits = atomic_load_explicit(&from, memory_order_relaxed);
  return visits == FROM_UNREAD ? read_environment() : visits;
}

void lac_kernel_visits(int64_t visits) {
  expected = visits;
}

int32_t lac_kernel_threads(int32_t most) {
  bool few = expected < lac_threads_from();
  expected = INT64_MAX;
  return few ? 1 : wanted ? wanted : most;
}

int32_t lac_kernel_threads_begin(int32_t count) {
  int32_t before = wanted;
  if (!before)
    wanted = count;
  return before;
}
