/* lac_device.h - a device beside the CPU: its memory, and kernels that run on it.
 *
 * A device is an NVIDIA GPU, by its driver, which is looked for when the program first asks for
 * it; or the *emulated* one: the same kernels compiled for the CPU, run block by block with a fibre
 * for each thread, in an order that a seed shuffles, and watched (lac_emulated.h).
 *
 * A compiled function runs kernels so:
 *
 *     kernel   = lac_device_kernel(name, image, bytes, entry, &status)
 *     address  = lac_device_array(host, bytes, use, &status)    for each array that it uses
 *     lac_device_launch(kernel, blocks, threads, shared, arguments, &status)
 *     lac_device_finish(&status)                         arrays that it wrote, on the host
 *
 * Several kernels may be launched before finish, one after the other, on the same device: they
 * find arrays as those before have left them.  `status` is the function's (lac_kernel.h): once
 * something has failed all of these do nothing, but that finish is called all the same.
 *
 * From lac_device_kernel to lac_device_finish the devices are the calling thread's: others that
 * ask for a kernel, or free arrays while some stay on a device, wait.  No parallel loop is in
 * between.
 */
#ifndef LAC_DEVICE_H
#define LAC_DEVICE_H

#include "lac_tensor.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What programs call ------------------------------------------------------------------- */

/* Whether there is a GPU that its driver can use: libcuda.so.1, or the library that LACUNA_CUDA in
 * the environment names.  If not: `*why`, where not NULL, is a text that says what is missing,
 * valid until the thread asks again. */
bool lac_device_is_there(const char **why);

/* The name of the GPU, "NVIDIA H100 80GB HBM3", and what code for it is made for, 90 for sm_90;
 * NULL and 0 where there is none. */
const char *lac_device_name(void);
int32_t lac_device_architecture(void);

/* From here on a tensor's arrays stay on the device: the first launch that uses one copies it
 * there, later ones find it.  So it is until the tensor leaves the device or is freed; arrays of
 * its own are also gone from there where their memory is freed or moves.  Until then nobody but
 * kernels on devices writes them: what these write is on the host as well.  Again for the same
 * tensor: its arrays are copied anew.  A result that is computed into the tensor has other arrays,
 * which do not stay.  Arrays that are lent leave the device before the caller frees them.  Whether
 * there is a device the first launch says.  LAC_OK; LAC_ERROR_MEMORY, and none of them stays;
 * LAC_ERROR_FORMAT where there is no tensor. */
lac_status lac_tensor_to_device(const lac_tensor *tensor);
void lac_tensor_leave_device(const lac_tensor *tensor);

/* Seconds that kernels ran on devices since the last call, as the device's own clock says, copies
 * not included; of the emulated device the calling thread's on the CPU. */
double lac_device_seconds(void);

/* ---- What generated code calls ------------------------------------------------------------ */

/* A kernel that is loaded, to be launched before finish; NULL once something has failed. */
typedef struct lac_device_code lac_device_code;

/* The kernel `name` of the PTX or cubin in `image`, `bytes` long, or where that is 0 a text to its
 * NUL, which the caller need not keep: what it is, not where, says whether it is loaded already.
 * Or, where `image` is NULL, `entry` for the emulated device, which each thread calls with the
 * launch's arguments.  LAC_ERROR_DEVICE without a device, or where it does not take the image. */
lac_device_code *lac_device_kernel(const char *name, const void *image, int64_t bytes,
                                   void (*entry)(void **arguments), int32_t *status);

/* What launches do with an array.  One that is only written is written whole: what it held before
 * is not copied there. */
enum { LAC_DEVICE_READS = 1, LAC_DEVICE_WRITES = 2, LAC_DEVICE_SCRATCH = 4 };

/* Memory for launches alone, all zero before the first, to be asked for as an array with
 * LAC_DEVICE_SCRATCH beside what is done with it: never copied, so that the host, which keeps its
 * address, has no memory for it before it looks.  It is on the device until it is given back,
 * behind the last launch, whether or not that is finished.  NULL and LAC_ERROR_MEMORY where there
 * is none; NULL for no bytes. */
void *lac_device_scratch(int64_t bytes, int32_t *status);
void lac_device_release(void *scratch, int64_t bytes);

/* Where the array of `bytes` at `host` is on the device until finish: its contents are copied
 * there, unless it is there already.  An array that is asked for twice, as long as before or
 * shorter, is one.  LAC_ERROR_DEVICE where other arrays share memory with one
 * that is written; LAC_ERROR_MEMORY.  NULL for no bytes. */
void *lac_device_array(void *host, int64_t bytes, int32_t use, int32_t *status);

/* Runs `blocks` blocks of `threads` threads (1 to 1024), which share `shared` bytes a block, on
 * what `arguments` point to, as the kernel declares them.  Nothing for no blocks.  Launches are in
 * the order of the calls; that one has failed may be known only when they are finished. */
void lac_device_launch(lac_device_code *kernel, int64_t blocks, int64_t threads, int64_t shared,
                       void **arguments, int32_t *status);

/* The number at `host` in an array or scratch memory as launches leave it, which is waited for.  0
 * once something has failed. */
int64_t lac_device_number(int64_t *host, int32_t *status);

/* Waits for the launches; what they wrote is on the host from here on, and what was not there to
 * stay is gone from the device.  Called whatever has failed since lac_device_kernel: then what
 * they were to write is undefined. */
void lac_device_finish(int32_t *status);

#ifdef __cplusplus
}
#endif

#endif
