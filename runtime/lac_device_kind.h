/* lac_device_kind.h - inside the runtime: what a kind of device can do.
 *
 * There are two: the GPU of a driver (lac_driver.c) and the emulated device (lac_emulated.c).  All
 * their functions are called by one thread at a time, which has the lock of lac_device.c.  Those
 * that can fail give a lac_status and leave a message.
 */
#ifndef LAC_DEVICE_KIND_H
#define LAC_DEVICE_KIND_H

#include "lac_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PTX or a cubin, as its caller gave it, with a 0 behind it; `module` is the device's. */
typedef struct lac_device_image {
  struct lac_device_image *next;
  void *module;
  int64_t kernels; /* how many of those that are kept are from it */
  int64_t bytes;
  char text[];
} lac_device_image;

struct lac_device_code {
  lac_device_code *next;
  void (*entry)(void **arguments);
  lac_device_image *image; /* NULL for the emulated device */
  void *function;          /* the device's */
  int64_t bytes;           /* of this struct, with the name */
  char name[];
};

/* - enter, leave: around all others but seconds; enter looks for the device, and may be called
 *   within
 * - reads_host: whether kernels read and write the host's memory where it is, as fast as the host
 * - allocate: memory, undefined; release takes what it gave, with as many bytes
 * - copy_to, copy_from: in the order of the launches; the latter is done when `wait` is
 * - clear: to zero, in that order too
 * - load, unload: an image;  find: a kernel of one that is loaded
 * - launch: begins, in the order of the launches;  wait: until all that was begun is done
 * - seconds: that launches took since it was asked last */
typedef struct lac_device {
  int32_t number;
  int32_t (*enter)(void);
  void (*leave)(void);
  bool (*reads_host)(void);
  void *(*allocate)(int64_t bytes, int32_t *came_to);
  void (*release)(void *at, int64_t bytes);
  int32_t (*copy_to)(void *at, const void *host, int64_t bytes);
  int32_t (*copy_from)(void *host, const void *at, int64_t bytes);
  int32_t (*clear)(void *at, int64_t bytes);
  int32_t (*load)(lac_device_image *image);
  void (*unload)(lac_device_image *image);
  int32_t (*find)(lac_device_code *code);
  int32_t (*launch)(const lac_device_code *code, int64_t blocks, int64_t threads, int64_t shared,
                    void **arguments);
  int32_t (*wait)(void);
  double (*seconds)(void);
} lac_device;

enum { LAC_DRIVER, LAC_EMULATED, LAC_DEVICES };

/* Threads of a block. */
enum { LAC_MOST_THREADS = 1024 };

extern const lac_device lac_driver, lac_emulated;

#ifdef __cplusplus
}
#endif
#endif
