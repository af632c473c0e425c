// Threads: names are one for all, messages each thread's own; the caller sees what a worker
// reports.
// RUN: %cc -g -O1 %s %runtime -lpthread -o %t && %t | FileCheck %s
// CHECK: all passed
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "lac_kernel.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, NAMES = 200 };
static const char *interned[THREADS][NAMES];

static void *intern_names(void *argument) {
  const char **mine = argument;
  char name[32];
  for (int n = 0; n < NAMES; n++) {
    snprintf(name, sizeof name, "level_%d", n);
    mine[n] = lac_intern(name);
  }
  return NULL;
}

static void *fail_alone(void *argument) {
  int32_t status = 0;
  char part[64];
  for (int64_t n = 0; n < 1000; n++) {
    lac_kernel_match(argument, n, -1, &status);
    snprintf(part, sizeof part, "%s: expected size %lld,", (const char *)argument, (long long)n);
    if (!strstr(lac_error_message(), part))
      return argument;
  }
  return NULL;
}

static void *fail_in_a_loop(void *argument) {
  lac_kernel_scratch(-1, argument);
  return NULL;
}

static void run(void *(*work)(void *), void *const arguments[THREADS], void *results[THREADS]) {
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++)
    CHECK(pthread_create(&threads[t], NULL, work, arguments[t]) == 0);
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], &results[t]);
}

static void names_are_one_for_all_threads(void) {
  void *results[THREADS];
  run(intern_names, (void *[]){interned[0], interned[1], interned[2], interned[3]}, results);
  for (int t = 1; t < THREADS; t++)
    for (int n = 0; n < NAMES; n++)
      CHECK(interned[t][n] && interned[t][n] == interned[0][n]);
}

static void each_thread_sees_its_own_message(void) {
  void *results[THREADS];
  run(fail_alone, (void *[]){"i", "j", "k", "l"}, results);
  for (int t = 0; t < THREADS; t++)
    CHECK(results[t] == NULL);
}

static void *look(void *message) {
  return strcmp(lac_error_message(), message) ? message : NULL;
}

static void the_caller_sees_what_a_worker_reports(void) {
  int32_t status = 0;
  void *results[THREADS];
  lac_error_clear();
  run(fail_in_a_loop, (void *[]){&status, &status, &status, &status}, results);
  CHECK_MESSAGE("");
  CHECK(lac_kernel_status(&status) == LAC_ERROR_MEMORY);
  CHECK_MESSAGE("out of memory: -1 bytes of scratch memory cannot be allocated");
}

static void *fail_as(void *name) {
  int32_t *status = malloc(sizeof *status);
  *status = 0;
  lac_kernel_match(name, 1, 2, status);
  return status;
}

static void calls_do_not_see_each_others_messages(void) {
  void *statuses[THREADS], *results[THREADS];
  lac_error_clear();
  run(fail_as, (void *[]){"i", "j", "k", "l"}, statuses);
  run(look, (void *[]){"", "", "", ""}, results);
  for (int t = THREADS - 1; t >= 0; t--) {
    char expected[80];
    snprintf(expected, sizeof expected, "index variable %c: expected size 1, found 2", 'i' + t);
    CHECK(results[t] == NULL);
    CHECK(lac_kernel_status(statuses[t]) == LAC_ERROR_SHAPE);
    CHECK_MESSAGE(expected);
    free(statuses[t]);
  }
}

static void the_first_failure_stays(void) {
  int32_t status = 0;
  CHECK(!lac_kernel_match("i", 1, 2, &status));
  CHECK(!lac_kernel_within("i + 1", 0, 9, 3, &status));
  CHECK(lac_kernel_status(&status) == LAC_ERROR_SHAPE);
  CHECK_MESSAGE("index variable i: expected size 1, found 2");
}

/* How many threads a loop with that many visits runs on. */
static int32_t threads_for(int64_t visits) {
  lac_kernel_visits(visits);
  return lac_kernel_threads(8);
}

static void little_runs_on_one_thread(void) {
  lac_threads_set_from(1000);
  CHECK(lac_threads_from() == 1000);
  CHECK(threads_for(999) == 1 && threads_for(1000) == 8);
  lac_threads_set(3);
  CHECK(threads_for(999) == 1 && threads_for(1000) == 3);
  lac_threads_set(0);
  threads_for(0);
  CHECK(lac_kernel_threads(8) == 8);
  lac_threads_set_from(0);
  CHECK(threads_for(0) == 8);
}

/* Nor more than there are copies for. */
static void as_many_as_have_copies(void) {
  lac_threads_set_from(0);
  CHECK(lac_kernel_copies_count(8) == 8);
  lac_kernel_threads_most(2);
  CHECK(threads_for(1) == 2 && lac_kernel_threads(8) == 2 && lac_kernel_threads(1) == 1);
  lac_kernel_threads_most(0);
  CHECK(threads_for(1) == 8);
}

/* Copies are made where there is more to do than they cost; not so little that nothing is. */
static void as_many_copies_as_are_worth_it(void) {
  lac_threads_set_from(1);
  lac_kernel_visits(999);
  CHECK(lac_kernel_copies_worth(8, 1000) == 1 && lac_kernel_copies_worth(8, 333) == 4);
  CHECK(lac_kernel_copies_worth(8, 10) == 8 && lac_kernel_copies_worth(8, 0) == 8);
  lac_kernel_threads(1);
  CHECK(lac_kernel_copies_worth(8, INT64_MAX / 2) == 3);
  lac_threads_set_from(0);
  lac_kernel_visits(1);
  CHECK(lac_kernel_copies_worth(8, 1000) == 8);
  lac_kernel_threads(1);
}

static int64_t parts_for(int64_t visits) {
  lac_kernel_visits(visits);
  int64_t parts = lac_kernel_parts_count();
  lac_kernel_threads(8);
  return parts;
}

static void little_is_dealt_out_in_few_parts(void) {
  CHECK(parts_for(0) == 1 && parts_for(5000) == 2 && parts_for(1 << 30) == 256);
  CHECK(lac_kernel_parts_count() == 256);
}

static void the_environment_says_how_little(void) {
  setenv("LACUNA_THREADS_FROM", "50", 1);
  lac_threads_set_from(-1);
  CHECK(lac_threads_from() == 50);
  setenv("LACUNA_THREADS_FROM", "few", 1);
  lac_threads_set_from(-1);
  CHECK(lac_threads_from() == 65536);
  unsetenv("LACUNA_THREADS_FROM");
}

int main(void) {
  names_are_one_for_all_threads();
  each_thread_sees_its_own_message();
  the_caller_sees_what_a_worker_reports();
  calls_do_not_see_each_others_messages();
  the_first_failure_stays();
  little_runs_on_one_thread();
  as_many_as_have_copies();
  as_many_copies_as_are_worth_it();
  little_is_dealt_out_in_few_parts();
  the_environment_says_how_little();
  return report();
}
