/* lac_driver_library.h - inside the runtime: the functions of the CUDA driver API that it calls,
 * under the names that the library gives them (cuda.h renames some by macros), with no need of
 * cuda.h. */
#ifndef LAC_DRIVER_LIBRARY_H
#define LAC_DRIVER_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t lac_cuda_memory; /* CUdeviceptr */

#define LAC_CUDA_FUNCTIONS(F)                                                                      \
  F(cuInit, (unsigned flags))                                                                      \
  F(cuGetErrorName, (int result, const char **name))                                               \
  F(cuGetErrorString, (int result, const char **text))                                             \
  F(cuDeviceGetCount, (int *count))                                                                \
  F(cuDeviceGet, (int *device, int number))                                                        \
  F(cuDeviceGetName, (char *name, int size, int device))                                           \
  F(cuDeviceGetAttribute, (int *value, int attribute, int device))                                 \
  F(cuDevicePrimaryCtxRetain, (void **context, int device))                                        \
  F(cuDevicePrimaryCtxRelease_v2, (int device))                                                    \
  F(cuCtxPushCurrent_v2, (void *context))                                                          \
  F(cuCtxPopCurrent_v2, (void **context))                                                          \
  F(cuStreamCreate, (void **stream, unsigned flags))                                               \
  F(cuStreamDestroy_v2, (void *stream))                                                            \
  F(cuStreamSynchronize, (void *stream))                                                           \
  F(cuEventCreate, (void **event, unsigned flags))                                                 \
  F(cuEventDestroy_v2, (void *event))                                                              \
  F(cuEventRecord, (void *event, void *stream))                                                    \
  F(cuEventElapsedTime, (float *milliseconds, void *begin, void *end))                             \
  F(cuMemAlloc_v2, (lac_cuda_memory * at, size_t bytes))                                           \
  F(cuMemFree_v2, (lac_cuda_memory at))                                                            \
  F(cuMemcpyHtoDAsync_v2, (lac_cuda_memory at, const void *host, size_t bytes, void *stream))      \
  F(cuMemcpyDtoHAsync_v2, (void *host, lac_cuda_memory at, size_t bytes, void *stream))            \
  F(cuMemsetD8Async, (lac_cuda_memory at, unsigned char byte, size_t bytes, void *stream))         \
  F(cuModuleLoadDataEx,                                                                            \
    (void **module, const void *image, unsigned count, int *options, void **values))               \
  F(cuModuleUnload, (void *module))                                                                \
  F(cuModuleGetFunction, (void **function, void *module, const char *name))                        \
  F(cuFuncSetAttribute, (void *function, int attribute, int value))                                \
  F(cuLaunchKernel, (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,            \
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,        \
                     void *stream, void **arguments, void **extra))

/* All give a CUresult, 0 for success. */
typedef struct lac_cuda_functions {
#define LAC_CUDA_FUNCTION(name, parameters) int(*name) parameters;
  LAC_CUDA_FUNCTIONS(LAC_CUDA_FUNCTION)
#undef LAC_CUDA_FUNCTION
} lac_cuda_functions;
extern lac_cuda_functions lac_cuda;

enum {
  LAC_CUDA_SUCCESS = 0,
  LAC_CUDA_OUT_OF_MEMORY = 2,
  LAC_CUDA_COMPUTE_CAPABILITY_MAJOR = 75, /* CUdevice_attribute */
  LAC_CUDA_COMPUTE_CAPABILITY_MINOR = 76,
  LAC_CUDA_PAGEABLE_MEMORY_ACCESS = 88,
  LAC_CUDA_USES_HOST_PAGE_TABLES = 100,
  LAC_CUDA_ERROR_LOG = 5, /* CUjit_option */
  LAC_CUDA_ERROR_LOG_SIZE = 6,
  LAC_CUDA_MOST_SHARED = 8, /* CUfunction_attribute: MAX_DYNAMIC_SHARED_SIZE_BYTES */
  LAC_CUDA_NON_BLOCKING = 1 /* CUstream_flags */
};

/* Opens the library that LACUNA_CUDA names, or libcuda.so.1, once; LAC_ERROR_DEVICE where it is not
 * there, or has not all of these. */
int32_t lac_driver_library_open(void);

/* LAC_OK where `result` is success; else LAC_ERROR_DEVICE, or LAC_ERROR_MEMORY, and a message with
 * the function, and the error's name and description. */
int32_t lac_driver_check(const char *function, int result);
#define LAC_CUDA(function, ...) lac_driver_check(#function, lac_cuda.function(__VA_ARGS__))

#ifdef __cplusplus
}
#endif
#endif
