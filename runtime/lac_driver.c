/* lac_driver.c - a GPU by the CUDA driver API: the first one that the driver counts, its primary
 * context, which others in the process share, and one stream, in which everything has its order.
 *
 * Memory that is released is kept for what is allocated next (allocating it takes longer than a
 * small kernel).  That is in order: what still runs is before it in the stream. */
#include "lac_driver.h"

#include "lac_block_list.h"
#include "lac_driver_library.h"
#include "lac_error.h"

#include <string.h>

/* Launches that are timed before they are waited for. */
enum { TIMED = 16, NAME_SIZE = 256 };

static struct {
  bool is_open;
  int32_t entered; /* how often, and not left yet */
  int device;
  void *context, *stream;
  char name[NAME_SIZE];
  int32_t architecture;
  bool reads_host;
  struct {
    void *begin, *end;
  } timed[TIMED];  /* events, made when they are needed */
  int32_t running; /* how many of these are recorded */
  double seconds;
  lac_block_list kept;
} gpu;

/* ---- Open --------------------------------------------------------------------------------- */

static int32_t attribute(int which, int *value) {
  return LAC_CUDA(cuDeviceGetAttribute, value, which, gpu.device);
}

static int32_t find_device(void) {
  int count = 0;
  int32_t status = LAC_CUDA(cuInit, 0);
  if (status == LAC_OK)
    status = LAC_CUDA(cuDeviceGetCount, &count);
  if (status == LAC_OK && count == 0)
    status = lac_error_set(LAC_ERROR_DEVICE, "expected a GPU, found a CUDA driver without one");
  return status == LAC_OK ? LAC_CUDA(cuDeviceGet, &gpu.device, 0) : status;
}

/* A driver that moves pages to the GPU when it touches them could run kernels on the host's arrays
 * too; where the GPU goes through the host's page tables, that costs nothing. */
static int32_t know_device(void) {
  int major = 0, minor = 0, pageable = 0, tables = 0;
  int32_t status = LAC_CUDA(cuDeviceGetName, gpu.name, NAME_SIZE, gpu.device);
  if (status == LAC_OK)
    status = attribute(LAC_CUDA_COMPUTE_CAPABILITY_MAJOR, &major);
  if (status == LAC_OK)
    status = attribute(LAC_CUDA_COMPUTE_CAPABILITY_MINOR, &minor);
  if (status == LAC_OK)
    status = attribute(LAC_CUDA_PAGEABLE_MEMORY_ACCESS, &pageable);
  if (status == LAC_OK)
    status = attribute(LAC_CUDA_USES_HOST_PAGE_TABLES, &tables);
  gpu.architecture = major * 10 + minor;
  gpu.reads_host = pageable && tables;
  return status;
}

static int32_t make_stream(void) {
  int32_t status = LAC_CUDA(cuCtxPushCurrent_v2, gpu.context);
  if (status != LAC_OK)
    return status;
  status = LAC_CUDA(cuStreamCreate, &gpu.stream, LAC_CUDA_NON_BLOCKING);
  if (status == LAC_OK)
    return LAC_OK;
  lac_cuda.cuCtxPopCurrent_v2(&(void *){NULL});
  return status;
}

/* Leaves the context current. */
static int32_t open_gpu(void) {
  int32_t status = lac_driver_library_open();
  if (status == LAC_OK)
    status = find_device();
  if (status == LAC_OK)
    status = know_device();
  if (status == LAC_OK)
    status = LAC_CUDA(cuDevicePrimaryCtxRetain, &gpu.context, gpu.device);
  if (status != LAC_OK)
    return status;
  status = make_stream();
  gpu.is_open = status == LAC_OK;
  if (!gpu.is_open)
    lac_cuda.cuDevicePrimaryCtxRelease_v2(gpu.device);
  return status;
}

static int32_t enter(void) {
  int32_t status = gpu.entered > 0 ? LAC_OK
                   : gpu.is_open   ? LAC_CUDA(cuCtxPushCurrent_v2, gpu.context)
                                   : open_gpu();
  gpu.entered += status == LAC_OK;
  return status;
}

static void leave(void) {
  if (--gpu.entered == 0)
    lac_cuda.cuCtxPopCurrent_v2(&(void *){NULL});
}

static bool reads_host(void) {
  return gpu.reads_host;
}

const char *lac_driver_name(void) {
  return gpu.name;
}

int32_t lac_driver_architecture(void) {
  return gpu.architecture;
}

/* ---- Memory ------------------------------------------------------------------------------- */

/* What is allocated for so many bytes: one of eight sizes between powers of two, so that what is
 * kept fits again. */
static int64_t rounded(int64_t bytes) {
  enum { LEAST = 512, SIZES = 8 };
  int64_t unit = LEAST;
  while (unit * 2 * SIZES <= bytes)
    unit *= 2;
  return (bytes + unit - 1) / unit * unit;
}

static void free_kept(int i) {
  lac_block block = lac_block_list_remove(&gpu.kept, i);
  lac_cuda.cuMemFree_v2((lac_cuda_memory)(uintptr_t)block.base);
}

/* Without memory, once more without what is kept. */
static void *allocate_new(int64_t bytes, int32_t *came_to) {
  lac_cuda_memory at = 0;
  int result = lac_cuda.cuMemAlloc_v2(&at, (size_t)bytes);
  if (result == LAC_CUDA_OUT_OF_MEMORY && gpu.kept.count > 0) {
    while (gpu.kept.count > 0)
      free_kept(gpu.kept.count - 1);
    result = lac_cuda.cuMemAlloc_v2(&at, (size_t)bytes);
  }
  *came_to = lac_driver_check("cuMemAlloc_v2", result);
  if (*came_to == LAC_ERROR_MEMORY)
    lac_error_set(LAC_ERROR_MEMORY, "out of memory: %lld bytes cannot be allocated on %s",
                  (long long)bytes, gpu.name);
  return *came_to == LAC_OK ? (void *)(uintptr_t)at : NULL;
}

static void *allocate(int64_t bytes, int32_t *came_to) {
  int64_t size = rounded(bytes);
  for (int i = gpu.kept.count - 1; i >= 0; i--)
    if (gpu.kept.blocks[i].bytes == size)
      return lac_block_list_remove(&gpu.kept, i).base;
  return allocate_new(size, came_to);
}

static void release(void *at, int64_t bytes) {
  if (gpu.kept.count == LAC_BLOCK_LIMIT)
    free_kept(0);
  lac_block_list_add(&gpu.kept, at, rounded(bytes));
}

static int32_t copy_to(void *at, const void *host, int64_t bytes) {
  return LAC_CUDA(cuMemcpyHtoDAsync_v2, (lac_cuda_memory)(uintptr_t)at, host, (size_t)bytes,
                  gpu.stream);
}

static int32_t copy_from(void *host, const void *at, int64_t bytes) {
  return LAC_CUDA(cuMemcpyDtoHAsync_v2, host, (lac_cuda_memory)(uintptr_t)at, (size_t)bytes,
                  gpu.stream);
}

static int32_t clear(void *at, int64_t bytes) {
  return LAC_CUDA(cuMemsetD8Async, (lac_cuda_memory)(uintptr_t)at, 0, (size_t)bytes, gpu.stream);
}

/* ---- Kernels ------------------------------------------------------------------------------ */

static void make_one_line(char *text) {
  for (size_t end = strlen(text); end > 0 && text[end - 1] == '\n'; end--)
    text[end - 1] = '\0';
  for (; *text; text++)
    if (*text == '\n')
      *text = ' ';
}

/* What the driver's compiler says of PTX stands in the message. */
static int32_t load(lac_device_image *image) {
  enum { LOG_SIZE = 512 };
  char log[LOG_SIZE] = "", cause[LOG_SIZE];
  int options[] = {LAC_CUDA_ERROR_LOG, LAC_CUDA_ERROR_LOG_SIZE};
  void *values[] = {log, (void *)(uintptr_t)(LOG_SIZE - 1)};
  int32_t status = LAC_CUDA(cuModuleLoadDataEx, &image->module, image->text, 2, options, values);
  make_one_line(log);
  if (status == LAC_OK || !log[0])
    return status;
  strncpy(cause, lac_error_message(), LOG_SIZE - 1);
  cause[LOG_SIZE - 1] = '\0';
  return lac_error_set(status, "%s; %s", cause, log);
}

/* Launches of it may run yet. */
static void unload(lac_device_image *image) {
  lac_cuda.cuStreamSynchronize(gpu.stream);
  lac_cuda.cuModuleUnload(image->module);
}

static int32_t of_kernel(const lac_device_code *code, int32_t status) {
  char cause[NAME_SIZE * 2];
  if (status == LAC_OK)
    return LAC_OK;
  strncpy(cause, lac_error_message(), sizeof cause - 1);
  cause[sizeof cause - 1] = '\0';
  return lac_error_set(status, "kernel '%s': %s", code->name, cause);
}

static int32_t find(lac_device_code *code) {
  return of_kernel(code,
                   LAC_CUDA(cuModuleGetFunction, &code->function, code->image->module, code->name));
}

/* ---- Launches ----------------------------------------------------------------------------- */

static int32_t wait(void) {
  int32_t status = LAC_CUDA(cuStreamSynchronize, gpu.stream);
  for (int i = 0; i < gpu.running && status == LAC_OK; i++) {
    float milliseconds = 0;
    status = LAC_CUDA(cuEventElapsedTime, &milliseconds, gpu.timed[i].begin, gpu.timed[i].end);
    gpu.seconds += milliseconds * 1e-3;
  }
  gpu.running = 0;
  return status;
}

static int32_t make_event(void **event) {
  return *event ? LAC_OK : LAC_CUDA(cuEventCreate, event, 0);
}

static int32_t make_timed(int i) {
  int32_t status = make_event(&gpu.timed[i].begin);
  return status == LAC_OK ? make_event(&gpu.timed[i].end) : status;
}

/* More than this has to be asked for. */
static int32_t ask_for_shared(const lac_device_code *code, int64_t shared) {
  enum { USUALLY = 48 << 10 };
  return shared <= USUALLY
             ? LAC_OK
             : LAC_CUDA(cuFuncSetAttribute, code->function, LAC_CUDA_MOST_SHARED, (int)shared);
}

static int32_t begin_launch(const lac_device_code *code, unsigned blocks, unsigned threads,
                            unsigned shared, void **arguments) {
  int i = gpu.running;
  int32_t status = LAC_CUDA(cuEventRecord, gpu.timed[i].begin, gpu.stream);
  if (status == LAC_OK)
    status = LAC_CUDA(cuLaunchKernel, code->function, blocks, 1, 1, threads, 1, 1, shared,
                      gpu.stream, arguments, NULL);
  if (status == LAC_OK)
    status = LAC_CUDA(cuEventRecord, gpu.timed[i].end, gpu.stream);
  gpu.running += status == LAC_OK;
  return status;
}

static int32_t launch(const lac_device_code *code, int64_t blocks, int64_t threads, int64_t shared,
                      void **arguments) {
  int32_t status = gpu.running < TIMED ? LAC_OK : wait();
  if (status == LAC_OK)
    status = make_timed(gpu.running);
  if (status == LAC_OK)
    status = ask_for_shared(code, shared);
  if (status == LAC_OK)
    status = begin_launch(code, (unsigned)blocks, (unsigned)threads, (unsigned)shared, arguments);
  return of_kernel(code, status);
}

static double seconds(void) {
  double taken = gpu.seconds;
  gpu.seconds = 0;
  return taken;
}

const lac_device lac_driver = {
    .number = LAC_DRIVER,
    .enter = enter,
    .leave = leave,
    .reads_host = reads_host,
    .allocate = allocate,
    .release = release,
    .copy_to = copy_to,
    .copy_from = copy_from,
    .clear = clear,
    .load = load,
    .unload = unload,
    .find = find,
    .launch = launch,
    .wait = wait,
    .seconds = seconds,
};
