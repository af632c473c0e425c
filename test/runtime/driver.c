// A GPU by its driver, which here is one that records what it is asked for, and fails on request.
// RUN: %cc -g -O1 -shared -fPIC %S/Inputs/fake_cuda.c -o %t.so
// RUN: %cc -g -O1 %s %runtime -I%S/Inputs -ldl -o %t
// RUN: env LACUNA_CUDA=%t.so %t %t.so | FileCheck %s
// RUN: env LACUNA_CUDA=%t.so %t %t.so shared | FileCheck %s --check-prefix=SHARED
// RUN: env LACUNA_CUDA=%t.missing.so %t | FileCheck %s --check-prefix=MISSING
// RUN: env LACUNA_CUDA=%runtime_lib %t | FileCheck %s --check-prefix=STRANGE
// CHECK: all passed
// SHARED: all passed
// MISSING: no GPU: expected a CUDA driver ([[DRIVER:.*missing.so]]), found none: {{.*}}missing.so: cannot open
// MISSING: kernel: 7: expected a CUDA driver ([[DRIVER]]), found none:
// STRANGE: no GPU: expected a CUDA driver ({{.*}}), found one without cuInit
#define _POSIX_C_SOURCE 200809L
#include "device.h"
#include "fake_cuda.h"
#include "lac_lend.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 1000 };
static fake_cuda *gpu;
static const char image[] = "image";

static int32_t run_on(const char *text, const char *name, host_array in, host_array out,
                      int64_t shared) {
  int32_t status = 0;
  lac_device_code *kernel = lac_device_kernel(name, text, (int64_t)strlen(text), NULL, &status);
  ask_and_launch(kernel, COUNT / 10, 10, shared, (host_array[MOST_ARRAYS]){in, out}, &status);
  lac_device_finish(&status);
  return lac_kernel_status(&status);
}

static int32_t run(const char *text, const char *name, double *in, double *out, int64_t shared) {
  return run_on(text, name, (host_array){in, COUNT * 8, READS},
                (host_array){out, COUNT * 8, WRITES}, shared);
}

/* Adds one to zeros of the device's own. */
static int32_t run_on_scratch(double *out, int64_t shared) {
  int32_t status = 0;
  void *in = lac_device_scratch(COUNT * 8, &status);
  CHECK(status == LAC_OK);
  status = run_on(image, "add_one", (host_array){in, COUNT * 8, READS | LAC_DEVICE_SCRATCH},
                  (host_array){out, COUNT * 8, READS | WRITES}, shared);
  lac_device_release(in, COUNT * 8);
  return status;
}

/* Nothing is held of one call. */
static void check_balance(void) {
  CHECK(gpu->depth == 0 && gpu->contexts <= 1 && gpu->streams == gpu->contexts);
}

/* ---- Every failure ------------------------------------------------------------------------ */

static bool has_failed(int64_t at, int with) {
  double out[COUNT] = {0};
  gpu->calls = 0;
  gpu->fail_at = at;
  gpu->fail_with = with;
  gpu->failed = NULL;
  int32_t status = run_on_scratch(out, 60 << 10);
  gpu->fail_at = 0;
  check_balance();
  /* Giving memory back fails nothing. */
  bool gave_back = gpu->failed && strncmp(gpu->failed, "cuCtxP", 6) == 0 && status == LAC_OK;
  if (!gpu->failed || gave_back)
    CHECK(status == LAC_OK && out[0] == 1);
  else
    CHECK(status == (with == 2 ? LAC_ERROR_MEMORY : LAC_ERROR_DEVICE));
  if (gpu->failed && with != 2)
    CHECK_MESSAGE(gpu->failed);
  return gpu->failed != NULL;
}

/* In a process of its own, which has found no GPU yet: 1 where nothing failed, as there are no more
 * calls than `at`. */
static int try_failure(int64_t at, int with) {
  bool failed = has_failed(at, with);
  CHECK(!has_failed(0, 0));
  CHECK(gpu->contexts == 1 && gpu->modules == 1 && gpu->events == 2 && gpu->blocks == 2);
  fflush(stdout);
  return failures ? 2 : !failed;
}

static void each_call_fails_and_nothing_is_lost(int with) {
  int result = 0;
  int64_t at = 0;
  while (result == 0) {
    pid_t child = fork();
    at++;
    if (child == 0)
      _exit(try_failure(at, with));
    CHECK(waitpid(child, &result, 0) == child);
  }
  CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 1);
  CHECK(at > 20);
}

static void messages_tell_the_function_and_the_error(void) {
  double in[COUNT] = {1}, out[COUNT];
  gpu->calls = 0;
  gpu->fail_at = 3;
  gpu->fail_with = 719;
  CHECK(run(image, "add_one", in, out, 0) == LAC_ERROR_DEVICE);
  gpu->fail_at = 0;
  CHECK_MESSAGE(" of the CUDA driver gave FAKE_719 (719): as asked for");
  CHECK(run("bad", "add_one", in, out, 0) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("cuModuleLoadDataEx of the CUDA driver gave FAKE_218 (218): as asked for; ptxas: "
                "line 1 ptxas: no good");
  CHECK(run(image, "other", in, out, 0) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("kernel 'other': cuModuleGetFunction");
  check_balance();
}

/* ---- What is asked for -------------------------------------------------------------------- */

static void the_gpu_has_a_name(void) {
  const char *why = "";
  CHECK(lac_device_is_there(&why) && lac_device_is_there(NULL));
  CHECK(strcmp(lac_device_name(), "Fake GPU 40") == 0 && lac_device_architecture() == 90);
  check_balance();
}

static void an_image_is_loaded_once(void) {
  double in[COUNT] = {1}, out[COUNT];
  char text[] = "image two";
  int modules = gpu->modules;
  CHECK(run(text, "add_one", in, out, 0) == LAC_OK && run(text, "nothing", in, out, 0) == LAC_OK);
  CHECK(gpu->modules == modules + 1);
  memcpy(text, "image six", sizeof text);
  CHECK(run(text, "add_one", in, out, 0) == LAC_OK && gpu->modules == modules + 2);
  CHECK(run("image two", "add_one", in, out, 0) == LAC_OK && gpu->modules == modules + 2);
}

static void images_that_are_not_asked_for_leave(void) {
  double in[COUNT] = {1}, out[COUNT];
  for (int i = 0; i < 600; i++) {
    char text[20];
    snprintf(text, sizeof text, "image %d", i);
    CHECK(run(text, "add_one", in, out, 0) == LAC_OK && out[0] == 2);
  }
  CHECK(gpu->modules == 256);
}

static void memory_is_used_again(void) {
  double in[COUNT] = {1}, out[COUNT];
  CHECK(run(image, "add_one", in, out, 0) == LAC_OK);
  int64_t before = gpu->allocations, copies = gpu->copies_to;
  for (int i = 0; i < 10; i++)
    CHECK(run(image, "add_one", in, out, 0) == LAC_OK);
  CHECK(gpu->allocations == before && gpu->copies_to == copies + 10);
}

static void scratch_is_cleared_and_not_copied(void) {
  double in[COUNT] = {7}, out[COUNT] = {7};
  CHECK(run(image, "add_one", in, out, 0) == LAC_OK && out[0] == 8);
  int64_t to = gpu->copies_to, from = gpu->copies_from;
  CHECK(run_on_scratch(out, 0) == LAC_OK && out[0] == 1);
  CHECK(gpu->copies_to == to + 1 && gpu->copies_from == from + 1);
  int32_t status = LAC_OK;
  CHECK(lac_device_scratch(0, &status) == NULL && status == LAC_OK);
}

/* What is looked at are the bits of a number. */
static void scratch_is_there_until_it_is_given_back(void) {
  double one = 1, out[COUNT] = {0};
  int64_t bits, to, from;
  int32_t status = LAC_OK;
  memcpy(&bits, &one, sizeof bits);
  void *scratch = lac_device_scratch(COUNT * 8, &status);
  host_array written = {scratch, COUNT * 8, WRITES | LAC_DEVICE_SCRATCH};
  CHECK(run_on(image, "add_one", (host_array){out, COUNT * 8, READS}, written, 0) == LAC_OK);
  CHECK(gpu->blocks > 0 && *(int64_t *)scratch == 0);
  to = gpu->copies_to;
  from = gpu->copies_from;
  CHECK(lac_device_number((int64_t *)scratch + 3, &status) == bits && gpu->copies_from == from + 1);
  written.use = READS | LAC_DEVICE_SCRATCH;
  CHECK(run_on(image, "add_one", written, (host_array){out, COUNT * 8, WRITES}, 0) == LAC_OK);
  CHECK(out[0] == 2 && gpu->copies_to == to);
  lac_device_release(scratch, COUNT * 8);
  status = LAC_ERROR_MEMORY;
  CHECK(lac_device_number(&bits, &status) == 0);
  check_balance();
}

/* An array that launches which are not finished have written. */
static void a_number_is_looked_at_before_the_end(void) {
  double in[COUNT] = {6}, out[COUNT] = {0}, seven = 7;
  int64_t bits;
  int32_t status = LAC_OK;
  memcpy(&bits, &seven, sizeof bits);
  lac_device_code *kernel = lac_device_kernel("add_one", image, 5, NULL, &status);
  host_array arrays[MOST_ARRAYS] = {{in, COUNT * 8, READS}, {out, COUNT * 8, WRITES}};
  ask_and_launch(kernel, COUNT / 10, 10, 0, arrays, &status);
  int64_t from = gpu->copies_from;
  CHECK(lac_device_number((int64_t *)out, &status) == bits && out[1] == 0);
  CHECK(gpu->copies_from == from + 1);
  lac_device_finish(&status);
  CHECK(status == LAC_OK && out[1] == 1 && gpu->copies_from == from + 2);
  check_balance();
}

static void what_is_kept_goes_where_memory_runs_out(void) {
  enum { LARGE = 100000 };
  double *in = calloc(LARGE, 8);
  int32_t status = 0;
  gpu->limit = 860000;
  lac_device_kernel("nothing", image, 5, NULL, &status);
  CHECK(lac_device_array(in, LARGE * 8, READS, &status) && gpu->blocks == 1);
  CHECK(!lac_device_array(in + 1, LARGE * 4, READS, &status));
  lac_device_finish(&status);
  CHECK(lac_kernel_status(&status) == LAC_ERROR_MEMORY);
  CHECK_MESSAGE("out of memory: 425984 bytes cannot be allocated on Fake GPU 40");
  gpu->limit = INT64_MAX;
  check_balance();
  free(in);
}

static void shared_memory_beyond_48_kilobytes_is_asked_for(void) {
  double in[COUNT] = {1}, out[COUNT];
  gpu->most_shared = 0;
  CHECK(run(image, "add_one", in, out, 48 << 10) == LAC_OK && gpu->most_shared == 0);
  CHECK(run(image, "add_one", in, out, 50 << 10) == LAC_OK && gpu->most_shared == 50 << 10);
  CHECK(gpu->shared == 50 << 10);
}

static void launches_are_timed(void) {
  double a[COUNT] = {0}, b[COUNT];
  int32_t status = 0;
  lac_device_seconds();
  lac_device_code *kernel = lac_device_kernel("add_one", image, 5, NULL, &status);
  for (int i = 0; i < 20; i++)
    ask_and_launch(kernel, COUNT / 10, 10, 0,
                   (host_array[MOST_ARRAYS]){{i % 2 ? b : a, COUNT * 8, READS},
                                             {i % 2 ? a : b, COUNT * 8, WRITES}},
                   &status);
  lac_device_finish(&status);
  CHECK(status == LAC_OK && a[0] == 20);
  double seconds = lac_device_seconds();
  CHECK(seconds > 0.0399 && seconds < 0.0401 && lac_device_seconds() == 0);
}

static void tensors_that_stay_are_copied_once(void) {
  double in[COUNT] = {1}, out[COUNT];
  lac_tensor v = {0};
  CHECK(lac_lend_dense(&v, LAC_F64, 1, (int64_t[]){COUNT}, in) == LAC_OK);
  CHECK(lac_tensor_to_device(&v) == LAC_OK);
  int64_t copies = gpu->copies_to;
  for (int i = 0; i < 5; i++)
    CHECK(run(image, "add_one", in, out, 0) == LAC_OK && out[0] == 2);
  CHECK(gpu->copies_to == copies + 1);
  lac_tensor_free(&v);
  CHECK(run(image, "add_one", in, out, 0) == LAC_OK && gpu->copies_to == copies + 2);
  check_balance();
}

static void one_call_has_one_device(void) {
  int32_t status = 0;
  lac_device_kernel("nothing", image, 5, NULL, &status);
  lac_device_kernel("emulated", NULL, 0, (void (*)(void **))check_balance, &status);
  lac_device_finish(&status);
  CHECK(lac_kernel_status(&status) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("expected launches on one device");
  check_balance();
}

/* ---- Other drivers ------------------------------------------------------------------------ */

/* A GPU that goes through the host's page tables needs no copies but of what stays. */
static void the_host_is_read_where_it_is(void) {
  double in[COUNT] = {1}, out[COUNT];
  lac_tensor v = {0};
  gpu->devices = 0;
  CHECK(run(image, "add_one", in, out, 0) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("expected a GPU, found a CUDA driver without one");
  gpu->devices = gpu->reads_host = 1;
  CHECK(run(image, "add_one", in, out, 0) == LAC_OK && out[0] == 2);
  CHECK(gpu->copies_to == 0 && gpu->copies_from == 0 && gpu->allocations == 0);
  CHECK(lac_lend_dense(&v, LAC_F64, 1, (int64_t[]){COUNT}, in) == LAC_OK);
  CHECK(lac_tensor_to_device(&v) == LAC_OK);
  CHECK(run(image, "add_one", in, out, 0) == LAC_OK && gpu->copies_to == 1);
  lac_tensor_free(&v);
}

static int say_what_is_missing(void) {
  const char *why = "";
  double in[COUNT] = {1}, out[COUNT];
  if (lac_device_is_there(&why) || lac_device_name() || lac_device_architecture())
    return 1;
  printf("no GPU: %s\n", why);
  int32_t status = run(image, "add_one", in, out, 0);
  printf("kernel: %d: %s\n", status, lac_error_message());
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 1)
    return say_what_is_missing();
  gpu = dlsym(dlopen(argv[1], RTLD_NOW), "fake");
  if (argc > 2) {
    the_host_is_read_where_it_is();
    return report();
  }
  each_call_fails_and_nothing_is_lost(700);
  each_call_fails_and_nothing_is_lost(2);
  each_call_fails_and_nothing_is_lost(999);
  messages_tell_the_function_and_the_error();
  the_gpu_has_a_name();
  an_image_is_loaded_once();
  images_that_are_not_asked_for_leave();
  memory_is_used_again();
  scratch_is_cleared_and_not_copied();
  scratch_is_there_until_it_is_given_back();
  a_number_is_looked_at_before_the_end();
  what_is_kept_goes_where_memory_runs_out();
  shared_memory_beyond_48_kilobytes_is_asked_for();
  launches_are_timed();
  tensors_that_stay_are_copied_once();
  one_call_has_one_device();
  return report();
}
