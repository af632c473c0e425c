/* fake_cuda.c - see fake_cuda.h.  Launches are recorded, and run when the stream is waited for. */
#include "fake_cuda.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fake_cuda fake = {.limit = INT64_MAX, .devices = 1};

enum { INVALID = 1, NO_MEMORY = 2, NOT_FOUND = 500, BAD_IMAGE = 218, QUEUE = 256 };

/* What was begun: copies and launches in their order. */
typedef struct work {
  enum { COPY, LAUNCH } kind;
  void *to;
  const void *from;
  int64_t bytes;
} work;
static work queue[QUEUE];
static int queued;

static int may_fail(const char *function) {
  if (++fake.calls != fake.fail_at)
    return 0;
  fake.failed = function;
  return fake.fail_with;
}
#define MAY_FAIL()                                                                                 \
  do {                                                                                             \
    int result = may_fail(__func__);                                                               \
    if (result)                                                                                    \
      return result;                                                                               \
  } while (0)

static int needs_context(void) {
  return fake.depth > 0 ? 0 : 201;
}

/* ---- The device --------------------------------------------------------------------------- */

int cuInit(unsigned flags) {
  MAY_FAIL();
  return flags ? INVALID : 0;
}

int cuGetErrorName(int result, const char **name) {
  static char text[32];
  snprintf(text, sizeof text, "FAKE_%d", result);
  *name = text;
  return 0;
}

int cuGetErrorString(int result, const char **text) {
  *text = "as asked for";
  return result == 999;
}

int cuDeviceGetCount(int *count) {
  MAY_FAIL();
  *count = fake.devices;
  return 0;
}

int cuDeviceGet(int *device, int number) {
  MAY_FAIL();
  *device = number + 40;
  return number ? INVALID : 0;
}

int cuDeviceGetName(char *name, int size, int device) {
  MAY_FAIL();
  snprintf(name, (size_t)size, "Fake GPU %d", device);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  MAY_FAIL();
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : fake.reads_host;
  return device == 40 ? 0 : INVALID;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  MAY_FAIL();
  fake.contexts++;
  *context = &fake.contexts;
  return device == 40 ? 0 : INVALID;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  fake.contexts--;
  return device == 40 ? 0 : INVALID;
}

int cuCtxPushCurrent_v2(void *context) {
  MAY_FAIL();
  fake.depth++;
  return context == &fake.contexts ? 0 : INVALID;
}

int cuCtxPopCurrent_v2(void **context) {
  fake.depth--;
  *context = &fake.contexts;
  return 0;
}

/* ---- Streams and events ------------------------------------------------------------------- */

static void add_one(void *const *arguments, const double *in, double *out, int64_t count) {
  (void)arguments;
  for (int64_t i = 0; i < count; i++)
    out[i] = in[i] + 1;
}

static void run_queue(void) {
  for (int i = 0; i < queued; i++)
    if (queue[i].kind == COPY)
      memcpy(queue[i].to, queue[i].from, (size_t)queue[i].bytes);
    else
      add_one(NULL, queue[i].from, queue[i].to, queue[i].bytes);
  queued = 0;
}

static int put(work w) {
  if (queued == QUEUE)
    return INVALID;
  queue[queued++] = w;
  return needs_context();
}

int cuStreamCreate(void **stream, unsigned flags) {
  MAY_FAIL();
  fake.streams++;
  *stream = &fake.streams;
  return flags == 1 ? needs_context() : INVALID;
}

int cuStreamDestroy_v2(void *stream) {
  fake.streams--;
  return stream == &fake.streams ? 0 : INVALID;
}

/* What was begun is given up where it fails. */
int cuStreamSynchronize(void *stream) {
  int result = may_fail(__func__);
  if (result)
    queued = 0;
  run_queue();
  return result ? result : stream == &fake.streams ? needs_context() : INVALID;
}

int cuEventCreate(void **event, unsigned flags) {
  MAY_FAIL();
  fake.events++;
  *event = calloc(1, sizeof(int));
  return flags ? INVALID : needs_context();
}

int cuEventDestroy_v2(void *event) {
  fake.events--;
  free(event);
  return 0;
}

int cuEventRecord(void *event, void *stream) {
  MAY_FAIL();
  *(int *)event = 1;
  return stream == &fake.streams ? needs_context() : INVALID;
}

int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  MAY_FAIL();
  *milliseconds = 2;
  return *(int *)begin && *(int *)end && queued == 0 ? 0 : INVALID;
}

/* ---- Memory ------------------------------------------------------------------------------- */

int cuMemAlloc_v2(uint64_t *at, size_t bytes) {
  MAY_FAIL();
  if (fake.bytes + (int64_t)bytes > fake.limit)
    return NO_MEMORY;
  int64_t *block = malloc(bytes + 16);
  *block = (int64_t)bytes;
  fake.allocations++;
  fake.blocks++;
  fake.bytes += (int64_t)bytes;
  *at = (uint64_t)(uintptr_t)(block + 2);
  return needs_context();
}

int cuMemFree_v2(uint64_t at) {
  int64_t *block = (int64_t *)(uintptr_t)at - 2;
  fake.blocks--;
  fake.bytes -= *block;
  free(block);
  return needs_context();
}

int cuMemcpyHtoDAsync_v2(uint64_t at, const void *host, size_t bytes, void *stream) {
  MAY_FAIL();
  (void)stream;
  fake.copies_to++;
  return put((work){COPY, (void *)(uintptr_t)at, host, (int64_t)bytes});
}

int cuMemcpyDtoHAsync_v2(void *host, uint64_t at, size_t bytes, void *stream) {
  MAY_FAIL();
  (void)stream;
  fake.copies_from++;
  return put((work){COPY, host, (const void *)(uintptr_t)at, (int64_t)bytes});
}

int cuMemsetD8Async(uint64_t at, unsigned char byte, size_t bytes, void *stream) {
  MAY_FAIL();
  (void)stream;
  memset((void *)(uintptr_t)at, byte, bytes);
  return 0;
}

/* ---- Kernels ------------------------------------------------------------------------------ */

static const char *const kernels[] = {"nothing", "add_one"};

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
  MAY_FAIL();
  if (strncmp(image, "image", 5) != 0) {
    for (unsigned i = 0; i < count; i++)
      if (options[i] == 5)
        strcpy(values[i], "ptxas: line 1\nptxas: no good\n");
    return BAD_IMAGE;
  }
  fake.modules++;
  *module = &fake.modules;
  return needs_context();
}

int cuModuleUnload(void *module) {
  fake.modules--;
  return module == &fake.modules ? 0 : INVALID;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  MAY_FAIL();
  for (int i = 0; i < 2; i++)
    if (strcmp(name, kernels[i]) == 0) {
      *function = (void *)&kernels[i];
      return module == &fake.modules ? 0 : INVALID;
    }
  return NOT_FOUND;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  MAY_FAIL();
  (void)function;
  fake.most_shared = value;
  return attribute == 8 ? 0 : INVALID;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **arguments, void **extra) {
  MAY_FAIL();
  fake.launches++;
  fake.shared = shared;
  if (!grid_x || grid_y * grid_z * block_y * block_z != 1 || block_x > 1024 || extra ||
      stream != &fake.streams)
    return INVALID;
  if (function == (void *)&kernels[0])
    return needs_context();
  return put(
      (work){LAUNCH, *(void **)arguments[1], *(void **)arguments[0], (int64_t)grid_x * block_x});
}
