// Arrays on a device: there for the launches of a call, or to stay; gone with their memory.
// RUN: %cc -g -O1 %s %runtime -lpthread -o %t && %t | FileCheck %s
// CHECK: all passed
#include "device.h"
#include "lac_lend.h"
#include "lac_memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { COUNT = 1000 };
typedef host_array host_arrays[MOST_ARRAYS];

/* ---- Kernels ------------------------------------------------------------------------------ */

static int64_t number(void) {
  return lac_emulated_block() * lac_emulated_threads() + lac_emulated_thread();
}

/* out(i) = in(i) + 1 */
static void add_one(void **arguments) {
  double *in = ARRAY(double, 0) + number(), *out = ARRAY(double, 1) + number();
  if (lac_emulated_reads(in, 8, 0) && lac_emulated_writes(out, 8, 0))
    *out = *in + 1;
}

static void fail(void **arguments) {
  add_one(arguments);
  lac_emulated_reads(ARRAY(double, 0) - 1, 8, 0);
}

static int32_t add_one_to(double *in, double *out, int64_t count) {
  return launch(
      "add", add_one, count / 10, 10, 0,
      (host_arrays){{in, count * 8, READS}, {out, count * 8, in == out ? READS | WRITES : WRITES}});
}

static lac_device_code *kernel(int32_t *status) {
  return lac_device_kernel("add", NULL, 0, add_one, status);
}

/* ---- Arrays of a call --------------------------------------------------------------------- */

static void arrays_come_and_go(void) {
  double in[COUNT] = {1, 2, 3}, out[COUNT];
  CHECK(add_one_to(in, out, COUNT) == LAC_OK);
  CHECK(out[0] == 2 && out[2] == 4 && out[COUNT - 1] == 1 && in[0] == 1);
  in[0] = 7;
  CHECK(add_one_to(in, out, COUNT) == LAC_OK && out[0] == 8);
  CHECK(add_one_to(out, out, COUNT) == LAC_OK && out[0] == 9 && out[COUNT - 1] == 2);
}

static void launches_find_what_those_before_have_left(void) {
  double a[COUNT] = {0}, b[COUNT] = {0};
  int32_t status = 0;
  lac_device_code *k = kernel(&status);
  host_arrays there = {{a, sizeof a, READS}, {b, sizeof b, WRITES}};
  host_arrays back = {{b, sizeof b, READS}, {a, sizeof a, WRITES}};
  for (int i = 0; i < 5; i++) {
    ask_and_launch(k, COUNT, 1, 0, there, &status);
    ask_and_launch(k, COUNT, 1, 0, back, &status);
  }
  CHECK(a[0] == 0 && b[0] == 0);
  lac_device_finish(&status);
  CHECK(status == LAC_OK && a[0] == 10 && b[COUNT - 1] == 9);
}

static void no_blocks_write_nothing(void) {
  double in[10] = {0}, out[10] = {5, 5};
  CHECK(add_one_to(in, out, 0) == LAC_OK);
  CHECK(launch("add", add_one, 0, 10, 0, (host_arrays){{in, 80, READS}, {out, 80, WRITES}}) == 0);
  CHECK(out[0] == 5 && out[1] == 5);
}

static void an_array_that_is_asked_for_twice_is_one(void) {
  double a[10] = {0}, b[10];
  int32_t status = 0;
  kernel(&status);
  void *at = lac_device_array(a, 80, READS, &status);
  CHECK(at && lac_device_array(a, 80, READS, &status) == at);
  CHECK(lac_device_array(a, 40, READS, &status) == at);
  CHECK(lac_device_array(a + 1, 40, READS, &status) != at);
  CHECK(lac_device_array(b, 80, READS, &status) != at);
  CHECK(lac_device_array(b, 0, READS, &status) == NULL);
  lac_device_finish(&status);
  CHECK(status == LAC_OK);
}

static void arrays_that_share_memory_are_not_written(void) {
  double a[10] = {0};
  for (int32_t use = READS; use <= WRITES; use++) {
    int32_t status = 0;
    kernel(&status);
    lac_device_array(a, 80, use, &status);
    CHECK(!lac_device_array(a + 5, 40, READS + WRITES - use, &status));
    lac_device_finish(&status);
    CHECK(lac_kernel_status(&status) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("found 40 bytes of array 2 among the 80 of array 1");
  }
}

static void what_makes_no_sense_is_refused(void) {
  double a[10] = {0};
  CHECK(launch("none", NULL, 1, 1, 0, (host_arrays){{a, 80, READS}}) == LAC_ERROR_FORMAT);
  CHECK(launch("add", add_one, 1, 1025, 0, (host_arrays){{a, 80, READS}}) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("kernel 'add': expected at most 2147483647 blocks, 1 to 1024 threads");
  CHECK(launch("add", add_one, -1, 1, 0, (host_arrays){{a, 80, READS}}) == LAC_ERROR_DEVICE);
  CHECK(launch("add", add_one, 1, 1, 0, (host_arrays){{NULL, 80, READS}}) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("expected an array for a kernel, found 80 bytes at NULL");
  int32_t status = 0;
  lac_device_launch(NULL, 1, 1, 0, NULL, &status);
  CHECK(lac_kernel_status(&status) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("expected a kernel to be asked for");
}

static void a_call_that_failed_does_nothing(void) {
  double in[10] = {0}, out[10] = {5};
  int32_t status = LAC_ERROR_SHAPE;
  CHECK(!kernel(&status));
  ask_and_launch(NULL, 1, 10, 0, (host_arrays){{in, 80, READS}, {out, 80, WRITES}}, &status);
  lac_device_finish(&status);
  CHECK(status == LAC_ERROR_SHAPE && out[0] == 5);
  status = LAC_OK;
  lac_device_code *k = kernel(&status);
  status = LAC_ERROR_SHAPE;
  ask_and_launch(k, 1, 10, 0, (host_arrays){{in, 80, READS}, {out, 80, WRITES}}, &status);
  lac_device_finish(&status);
  CHECK(status == LAC_ERROR_SHAPE && out[0] == 5);
  CHECK(add_one_to(in, out, 10) == LAC_OK && out[0] == 1);
}

static void kernels_of_one_name_are_told_apart(void) {
  double in[10] = {0}, out[10];
  for (int i = 0; i < 3; i++) {
    CHECK(add_one_to(in, out, 10) == LAC_OK);
    CHECK(launch("add", fail, 1, 10, 0, (host_arrays){{in, 80, READS}, {out, 80, WRITES}}) ==
          LAC_ERROR_DEVICE);
  }
}

static void many_kernels_are_loaded(void) {
  for (int i = 0; i < 600; i++) {
    char name[20];
    double in[10] = {0}, out[10];
    snprintf(name, sizeof name, "kernel %d", i);
    CHECK(launch(name, add_one, 1, 10, 0, (host_arrays){{in, 80, READS}, {out, 80, WRITES}}) == 0);
    CHECK(out[9] == 1);
  }
}

static void seconds_are_counted_once(void) {
  double in[COUNT] = {0}, out[COUNT];
  lac_device_seconds();
  CHECK(add_one_to(in, out, COUNT) == LAC_OK);
  double seconds = lac_device_seconds();
  CHECK(seconds > 0 && seconds < 10 && lac_device_seconds() == 0);
}

/* ---- Arrays that stay --------------------------------------------------------------------- */

/* A vector of its own, all of one value. */
static lac_tensor make_vector(double value) {
  double values[COUNT];
  lac_tensor lent = {0}, made = {0};
  for (int i = 0; i < COUNT; i++)
    values[i] = value;
  CHECK(lac_lend_dense(&lent, LAC_F64, 1, (int64_t[]){COUNT}, values) == LAC_OK);
  CHECK(lac_tensor_copy(&lent, &made) == LAC_OK);
  lac_tensor_free(&lent);
  return made;
}

/* What a kernel finds in the first element. */
static double found(const lac_tensor *vector) {
  static double out[COUNT];
  CHECK(add_one_to(vector->values.data, out, COUNT) == LAC_OK);
  return out[0] - 1;
}

static void set(lac_tensor *vector, double value) {
  ((double *)vector->values.data)[0] = value;
}

/* That the contract is broken shows what is copied when. */
static void what_stays_is_copied_once(void) {
  lac_tensor v = make_vector(1);
  CHECK(lac_tensor_to_device(&v) == LAC_OK);
  set(&v, 2);
  CHECK(found(&v) == 2);
  set(&v, 3);
  CHECK(found(&v) == 2);
  CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == 3);
  set(&v, 4);
  CHECK(found(&v) == 3);
  lac_tensor_leave_device(&v);
  CHECK(found(&v) == 4);
  lac_tensor_free(&v);
}

static void what_stays_is_written_on_both_sides(void) {
  lac_tensor v = make_vector(1);
  double one[COUNT] = {4};
  CHECK(lac_tensor_to_device(&v) == LAC_OK);
  CHECK(add_one_to(one, v.values.data, COUNT) == LAC_OK);
  CHECK(*(double *)v.values.data == 5 && found(&v) == 5);
  CHECK(add_one_to(v.values.data, v.values.data, COUNT) == LAC_OK);
  CHECK(*(double *)v.values.data == 6 && found(&v) == 6);
  lac_tensor_free(&v);
}

/* A launch that fails has written some of the copy. */
static void what_a_failed_launch_wrote_is_copied_anew(void) {
  lac_tensor v = make_vector(1);
  double *values = v.values.data;
  CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == 1);
  CHECK(launch("fail", fail, COUNT, 1, 0,
               (host_arrays){{values, COUNT * 8, READS}, {values, COUNT * 8, WRITES}}) ==
        LAC_ERROR_DEVICE);
  CHECK(values[0] == 1 && found(&v) == 1);
  lac_tensor_free(&v);
}

/* Written as a part of it, under another address. */
static void what_stays_is_not_stale_where_a_part_is_written(void) {
  lac_tensor v = make_vector(1);
  double in[10] = {7}, *values = v.values.data;
  CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == 1);
  CHECK(add_one_to(in, values + 10, 10) == LAC_OK && values[10] == 8);
  double out[COUNT];
  CHECK(add_one_to(values, out, COUNT) == LAC_OK && out[10] == 9 && out[9] == 2);
  lac_tensor_free(&v);
}

static void memory_that_is_freed_leaves(void) {
  for (int i = 0; i < 50; i++) {
    lac_tensor v = make_vector(i);
    CHECK(found(&v) == i);
    CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == i);
    lac_tensor_free(&v);
  }
}

static void memory_that_moves_leaves(void) {
  lac_tensor v = make_vector(1);
  CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == 1);
  CHECK(lac_array_reserve(&v.values, 100 * COUNT) == LAC_OK);
  set(&v, 2);
  CHECK(found(&v) == 2);
  CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == 2);
  lac_array_trim(&v.values, COUNT);
  set(&v, 3);
  CHECK(found(&v) == 3);
  lac_tensor_free(&v);
}

static void what_is_lent_leaves_with_its_tensor(void) {
  static double values[COUNT];
  for (int i = 0; i < 3; i++) {
    lac_tensor v = {0};
    CHECK(lac_lend_dense(&v, LAC_F64, 1, (int64_t[]){COUNT}, values) == LAC_OK);
    values[0] = i;
    CHECK(lac_tensor_to_device(&v) == LAC_OK && found(&v) == i);
    lac_tensor_free(&v);
  }
}

static void arrays_of_all_levels_stay(void) {
  int32_t positions[] = {0, 2, 3}, coordinates[] = {0, 1, 1}, out[3];
  double values[] = {1, 2, 3};
  lac_tensor A = {0};
  CHECK(lac_lend_csr(&A, LAC_F64, 2, 2, 32, positions, coordinates, values) == LAC_OK);
  CHECK(lac_tensor_to_device(&A) == LAC_OK);
  CHECK(launch("none", add_one, 0, 1, 0,
               (host_arrays){{positions, 12, READS}, {coordinates, 12, READS}, {out, 12, READS}}) ==
        LAC_OK);
  lac_tensor_free(&A);
  lac_tensor empty = {0};
  CHECK(lac_tensor_to_device(&empty) == LAC_OK);
  CHECK(lac_tensor_to_device(NULL) == LAC_ERROR_FORMAT);
  lac_tensor_leave_device(&empty);
  lac_tensor_leave_device(NULL);
}

/* ---- Threads and memory ------------------------------------------------------------------- */

static void *launch_often(void *failed) {
  lac_tensor v = make_vector(3);
  double out[COUNT];
  for (int i = 0; i < 50; i++) {
    *(bool *)failed |= lac_tensor_to_device(&v) != LAC_OK;
    *(bool *)failed |= add_one_to(v.values.data, out, COUNT) != LAC_OK || out[7] != 4;
    *(bool *)failed |=
        launch("fail", fail, 1, 10, 0,
               (host_arrays){{v.values.data, 80, READS}, {out, 80, WRITES}}) != LAC_ERROR_DEVICE;
    *(bool *)failed |= !strstr(lac_error_message(), "kernel 'fail'");
  }
  lac_tensor_free(&v);
  return NULL;
}

static void threads_take_turns(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  bool failed[THREADS] = {false};
  for (int t = 0; t < THREADS; t++)
    CHECK(pthread_create(&threads[t], NULL, launch_often, &failed[t]) == 0);
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    CHECK(!failed[t]);
  }
}

static void meet(void **arguments) {
  (void)arguments;
  lac_emulated_barrier();
}

static void without_memory_calls_fail(void) {
  double in[COUNT] = {0}, out[COUNT] = {0};
  int failed = 0;
  for (int after = 0; after < 12; after++) {
    char name[20];
    snprintf(name, sizeof name, "memory %d", after);
    lac_test_fail_allocation_after(after);
    int32_t status = launch(name, after % 2 ? meet : add_one, 2, 500, 80,
                            (host_arrays){{in, sizeof in, READS}, {out, sizeof out, WRITES}});
    lac_test_fail_allocation_after(-1);
    CHECK(status == LAC_OK || status == LAC_ERROR_MEMORY);
    failed += status == LAC_ERROR_MEMORY;
    CHECK(add_one_to(in, out, COUNT) == LAC_OK);
  }
  CHECK(failed >= 5);
}

int main(void) {
  without_memory_calls_fail();
  arrays_come_and_go();
  launches_find_what_those_before_have_left();
  no_blocks_write_nothing();
  an_array_that_is_asked_for_twice_is_one();
  arrays_that_share_memory_are_not_written();
  what_makes_no_sense_is_refused();
  a_call_that_failed_does_nothing();
  kernels_of_one_name_are_told_apart();
  many_kernels_are_loaded();
  seconds_are_counted_once();
  what_stays_is_copied_once();
  what_stays_is_written_on_both_sides();
  what_a_failed_launch_wrote_is_copied_anew();
  what_stays_is_not_stale_where_a_part_is_written();
  memory_that_is_freed_leaves();
  memory_that_moves_leaves();
  what_is_lent_leaves_with_its_tensor();
  arrays_of_all_levels_stay();
  threads_take_turns();
  return report();
}
