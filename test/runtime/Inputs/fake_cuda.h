/* fake_cuda.h - a CUDA driver for tests: it counts what it is asked for, fails on request, and runs
 * its two kernels on the CPU.
 *
 * An image is the text "image", or "bad" for one that it refuses with a log of two lines.  Kernels
 * are "add_one" (in, out, count: double) and "nothing".  Memory on the device is the host's.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdint.h>

typedef struct fake_cuda {
  int64_t calls;      /* of functions that can fail on request */
  int64_t fail_at;    /* the number of the call that fails; 0: none does */
  int fail_with;      /* the CUresult */
  const char *failed; /* the function that did */
  int64_t limit;      /* bytes that there are in all */
  int devices, reads_host;
  int64_t allocations, bytes, blocks; /* made so far; there now */
  int64_t copies_to, copies_from, launches, shared, most_shared;
  int contexts, depth, streams, events, modules; /* there now */
} fake_cuda;

extern fake_cuda fake;

#endif
