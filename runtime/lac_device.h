/* lac_device.h - a device beside the CPU: its memory, and kernels that run on it.
 *
 * A device is an NVIDIA GPU, by its driver, which is looked for when the program first asks for it;
 * or the *emulated* one: the same kernels compiled for the CPU, run block by block with a fibre for
 * each thread, in an order that a seed shuffles, and watched (lac_emulated.h).
 *
 * A compiled function runs kernels so, for each launch:
 *
 *     kernel   = lac_device_kernel(name, image, bytes, entry, &status)
 *     address  = lac_device_array(host, bytes, use, &status)            for each array it uses
 *     lac_device_launch(kernel, blocks, threads, shared, arguments, &status)
 *     lac_device_finish(&status)                                        arrays it wrote, on the host
 *
 * `status` is the function's (lac_kernel.h): once something has failed all of these do nothing.
 */
#ifndef LAC_DEVICE_H
#define LAC_DEVICE_H

#include "lac_tensor.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What programs call --------------------------------------------------------------------- */

/* Whether there is a GPU that its driver can use.  If not: `*why`, where not NULL, is a text that
 * says what is missing, valid until the thread asks again. */
bool lac_device_is_there(const char **why);

/* The name of the GPU, "NVIDIA H100 80GB HBM3", and what code for it is made for, 90 for sm_90; NULL
 * and 0 where there is none. */
const char *lac_device_name(void);
int32_t lac_device_architecture(void);

/* Copies a tensor's arrays to the device and keeps them there until the tensor leaves it or is
 * freed: kernels use these copies, so that until then the tensor's arrays stay as they are.  Again
 * for the same tensor: copies anew.  A result that is computed into the tensor is its copy's new
 * contents too.  LAC_ERROR_DEVICE without a device, LAC_ERROR_MEMORY. */
lac_status lac_tensor_to_device(const lac_tensor *tensor);
void lac_tensor_leave_device(const lac_tensor *tensor);

/* Seconds that kernels ran on the device since the last call, as the device's own clock says; of
 * the emulated device the CPU's. */
double lac_device_seconds(void);

/* ---- What generated code calls -------------------------------------------------------------- */

/* A kernel that is loaded; NULL once something has failed. */
typedef struct lac_device_code lac_device_code;

/* The kernel `name` of the PTX or cubin in `image` (`bytes` long, kept by the caller), loaded when
 * it is asked for first; or, where `image` is NULL, `entry` for the emulated device, which each
 * thread calls with the launch's arguments. */
lac_device_code *lac_device_kernel(const char *name, const void *image, int64_t bytes,
                                   void (*entry)(void **arguments), int32_t *status);

/* What a launch does with an array. */
enum { LAC_DEVICE_READS = 1, LAC_DEVICE_WRITES = 2 };

/* Where the array of `bytes` at `host` is on the device in the launch that comes: its contents are
 * copied there, unless it is there to stay.  An array that is asked for twice before the launch is
 * one.  NULL for no bytes. */
void *lac_device_array(void *host, int64_t bytes, int32_t use, int32_t *status);

/* Runs `blocks` blocks of `threads` threads (1 to 1024), which share `shared` bytes a block, on what
 * `arguments` point to, as the kernel declares them.  Nothing for no blocks. */
void lac_device_launch(lac_device_code *kernel, int64_t blocks, int64_t threads, int64_t shared,
                       void **arguments, int32_t *status);

/* Waits for the launch; what it wrote is on the host from here on, and what was not there to stay
 * is gone from the device. */
void lac_device_finish(int32_t *status);

#ifdef __cplusplus
}
#endif

#endif
