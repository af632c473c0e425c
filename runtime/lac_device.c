/* lac_device.c - launches, from the first kernel that is asked for until they are finished, one
 * thread's at a time; see lac_device.h.
 *
 *     kernel --> array ... launch --> kernel ... launch --> finish
 *     |  the lock is held, the device entered, arrays stay in their places  |
 *
 * What fails in between ends them at once, so that nothing is left to be done by finish. */
#include "lac_device.h"

#include "lac_device_arrays.h"
#include "lac_device_codes.h"
#include "lac_device_kind.h"
#include "lac_device_stays.h"
#include "lac_driver.h"
#include "lac_error.h"
#include "lac_kernel.h"
#include "lac_storage.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const lac_device *device;    /* of the launches that are not finished */
static _Thread_local bool has_lock; /* they are this thread's */

/* ---- The lock ----------------------------------------------------------------------------- */

/* Whether the thread had it before. */
static bool take_lock(void) {
  bool had = has_lock;
  if (!had)
    pthread_mutex_lock(&lock);
  has_lock = true;
  return had;
}

static void give_lock(bool had) {
  has_lock = had;
  if (!had)
    pthread_mutex_unlock(&lock);
}

/* ---- Launches ----------------------------------------------------------------------------- */

static int32_t begin(const lac_device *of) {
  bool had = take_lock();
  if (had)
    return device == of ? LAC_OK
                        : lac_error_set(LAC_ERROR_DEVICE, "expected launches on one device until "
                                                          "they are finished, found another one");
  int32_t came_to = of->enter();
  if (came_to == LAC_OK)
    device = of;
  else
    give_lock(false);
  return came_to;
}

static void end(bool fine) {
  if (!fine)
    device->wait();
  lac_device_arrays_end(device, fine);
  device->leave();
  device = NULL;
  give_lock(false);
}

/* Notes what a function came to; a failure ends the launches. */
static bool take(int32_t *status, int32_t came_to) {
  bool fine = lac_status_take(status, came_to);
  if (!fine && has_lock)
    end(false);
  return fine;
}

/* Whether nothing has failed, and a kernel was asked for. */
static bool has_begun(int32_t *status) {
  if (!lac_status_is_fine(status))
    return false;
  return has_lock ||
         lac_status_take(status, lac_error_set(LAC_ERROR_DEVICE,
                                               "expected a kernel to be asked for before what it "
                                               "is launched with"));
}

lac_device_code *lac_device_kernel(const char *name, const void *image, int64_t bytes,
                                   void (*entry)(void **arguments), int32_t *status) {
  if (!lac_status_is_fine(status))
    return NULL;
  if (image && bytes == 0)
    bytes = (int64_t)strlen(image) + 1;
  if (!name || (!image && !entry) || (image && bytes <= 0)) {
    lac_status_take(status, lac_error_missing("a kernel's name, and its image or entry"));
    return NULL;
  }
  if (!take(status, begin(image ? &lac_driver : &lac_emulated)))
    return NULL;
  int32_t came_to;
  lac_device_code *code =
      lac_device_codes_find(device, name, image, bytes, image ? NULL : entry, &came_to);
  return take(status, came_to) ? code : NULL;
}

void *lac_device_scratch(int64_t bytes, int32_t *status) {
  return bytes > 0 && lac_status_is_fine(status) ? lac_kernel_scratch(bytes, status) : NULL;
}

void lac_device_release(void *scratch, int64_t bytes) {
  bool had = take_lock();
  lac_device_arrays_leave(scratch);
  give_lock(had);
  lac_kernel_release(scratch, bytes);
}

void *lac_device_array(void *host, int64_t bytes, int32_t use, int32_t *status) {
  if (bytes == 0 || !has_begun(status))
    return NULL;
  int32_t came_to = LAC_OK;
  void *at = NULL;
  if (host && bytes > 0)
    at = lac_device_arrays_ask(device, host, bytes, use, &came_to);
  else
    came_to = lac_error_set(LAC_ERROR_DEVICE, "expected an array for a kernel, found %lld bytes%s",
                            (long long)bytes, host ? "" : " at NULL");
  return take(status, came_to) ? at : NULL;
}

static int32_t check_launch(const lac_device_code *kernel, int64_t blocks, int64_t threads,
                            int64_t shared) {
  if (!kernel)
    return lac_error_missing("a kernel to launch");
  if (blocks < 0 || blocks > INT32_MAX || threads < 1 || threads > LAC_MOST_THREADS || shared < 0 ||
      shared > INT32_MAX)
    return lac_error_set(LAC_ERROR_DEVICE,
                         "kernel '%s': expected at most %d blocks, 1 to %d threads and at most %d "
                         "bytes to share, found %lld, %lld and %lld",
                         kernel->name, INT32_MAX, LAC_MOST_THREADS, INT32_MAX, (long long)blocks,
                         (long long)threads, (long long)shared);
  return LAC_OK;
}

void lac_device_launch(lac_device_code *kernel, int64_t blocks, int64_t threads, int64_t shared,
                       void **arguments, int32_t *status) {
  if (!has_begun(status) || !take(status, check_launch(kernel, blocks, threads, shared)))
    return;
  if (blocks == 0)
    return;
  lac_device_arrays_launched(device);
  take(status, device->launch(kernel, blocks, threads, shared, arguments));
}

int64_t lac_device_number(int64_t *host, int32_t *status) {
  if (!lac_status_is_fine(status))
    return 0;
  bool had = take_lock();
  int32_t came_to = lac_device_arrays_look(host, sizeof *host);
  give_lock(had);
  return take(status, came_to) ? *host : 0;
}

void lac_device_finish(int32_t *status) {
  if (!has_lock)
    return;
  bool fine = lac_status_is_fine(status) && take(status, device->wait()) &&
              take(status, lac_device_arrays_fetch(device)) && take(status, device->wait());
  if (has_lock)
    end(fine);
}

double lac_device_seconds(void) {
  bool had = take_lock();
  double seconds = lac_driver.seconds() + lac_emulated.seconds();
  give_lock(had);
  return seconds;
}

/* ---- The GPU ------------------------------------------------------------------------------ */

static int32_t look_for_gpu(void) {
  int32_t came_to = lac_driver.enter();
  if (came_to == LAC_OK)
    lac_driver.leave();
  return came_to;
}

bool lac_device_is_there(const char **why) {
  enum { TEXT_SIZE = 512 };
  static _Thread_local char text[TEXT_SIZE];
  bool had = take_lock(), is_there = look_for_gpu() == LAC_OK;
  give_lock(had);
  if (!is_there) {
    snprintf(text, TEXT_SIZE, "%s", lac_error_message());
    if (why)
      *why = text;
  }
  return is_there;
}

const char *lac_device_name(void) {
  return lac_device_is_there(NULL) ? lac_driver_name() : NULL;
}

int32_t lac_device_architecture(void) {
  return lac_device_is_there(NULL) ? lac_driver_architecture() : 0;
}

/* ---- Tensors that stay -------------------------------------------------------------------- */

static int64_t bytes_of(const lac_array *array) {
  return array->data ? array->length * array->width : 0;
}

/* The arrays of a tensor by numbers: those of its levels, slot by slot, then the values. */
static int64_t count_arrays(const lac_tensor *tensor) {
  return (tensor->levels ? tensor->level_count * LAC_ARRAYS : 0) + 1;
}

static const lac_array *array_of(const lac_tensor *tensor, int64_t i) {
  return i + 1 == count_arrays(tensor) ? &tensor->values
                                       : &tensor->levels[i / LAC_ARRAYS].array[i % LAC_ARRAYS];
}

static void leave_arrays(const lac_tensor *tensor) {
  for (int64_t i = 0; i < count_arrays(tensor); i++)
    if (bytes_of(array_of(tensor, i)) > 0)
      lac_device_arrays_forget(array_of(tensor, i)->data, bytes_of(array_of(tensor, i)));
}

static int32_t stay_arrays(const lac_tensor *tensor) {
  int32_t came_to = LAC_OK;
  for (int64_t i = 0; i < count_arrays(tensor) && came_to == LAC_OK; i++)
    if (bytes_of(array_of(tensor, i)) > 0)
      came_to = lac_device_arrays_stay(array_of(tensor, i)->data, bytes_of(array_of(tensor, i)));
  return came_to;
}

lac_status lac_tensor_to_device(const lac_tensor *tensor) {
  if (!tensor)
    return lac_error_missing("a tensor to copy to a device");
  if (!lac_tensor_has_fields(tensor, "tensor"))
    return LAC_ERROR_FORMAT;
  bool had = take_lock();
  int32_t came_to = stay_arrays(tensor);
  if (came_to != LAC_OK)
    leave_arrays(tensor);
  give_lock(had);
  return came_to;
}

void lac_tensor_leave_device(const lac_tensor *tensor) {
  if (!tensor)
    return;
  bool had = take_lock();
  leave_arrays(tensor);
  give_lock(had);
}

void lac_device_leave(const void *host, int64_t bytes) {
  if (!host || bytes <= 0)
    return;
  bool had = take_lock();
  lac_device_arrays_forget(host, bytes);
  give_lock(had);
}
