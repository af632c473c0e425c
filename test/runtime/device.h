/* device.h - what the tests of devices share: a launch of a kernel that is written by hand. */
#ifndef DEVICE_H
#define DEVICE_H

#include "check.h"
#include "lac_device.h"
#include "lac_emulated.h"
#include "lac_kernel.h"

enum { READS = LAC_DEVICE_READS, WRITES = LAC_DEVICE_WRITES };

/* An array of the host that a kernel takes. */
typedef struct host_array {
  void *host;
  int64_t bytes;
  int32_t use;
} host_array;

enum { MOST_ARRAYS = 4 };

/* Where argument n of a kernel, an array, is. */
#define ARRAY(type, n) (*(type **)arguments[n])

/* Asks for the arrays, and launches. */
static inline void ask_and_launch(lac_device_code *kernel, int64_t blocks, int64_t threads,
                                  int64_t shared, const host_array *arrays, int32_t *status) {
  void *at[MOST_ARRAYS], *arguments[MOST_ARRAYS];
  for (int i = 0; i < MOST_ARRAYS; i++) {
    at[i] = lac_device_array(arrays[i].host, arrays[i].bytes, arrays[i].use, status);
    arguments[i] = &at[i];
  }
  lac_device_launch(kernel, blocks, threads, shared, arguments, status);
}

static inline int32_t launch(const char *name, void (*entry)(void **), int64_t blocks,
                             int64_t threads, int64_t shared, const host_array *arrays) {
  int32_t status = 0;
  lac_device_code *kernel = lac_device_kernel(name, NULL, 0, entry, &status);
  ask_and_launch(kernel, blocks, threads, shared, arrays, &status);
  lac_device_finish(&status);
  return lac_kernel_status(&status);
}

#endif
