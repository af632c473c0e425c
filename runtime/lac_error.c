/* lac_error.c - the message of the last failure: one buffer a thread, and those that failed calls
 * have left until they end, each under the address of its status. */
#include "lac_error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LAC_MESSAGE_SIZE = 1024, CALLS = 64 };

static _Thread_local char own_message[LAC_MESSAGE_SIZE];

const char *lac_error_message(void) {
  return own_message;
}

void lac_error_clear(void) {
  own_message[0] = '\0';
}

int32_t lac_error_set(int32_t status, const char *format, ...) {
  char message[LAC_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  memcpy(own_message, message, sizeof message);
  return status;
}

int32_t lac_error_missing(const char *what) {
  return lac_error_set(LAC_ERROR_FORMAT, "expected %s, found NULL", what);
}

//--- Calls ---------------------------------------------------------------------------------------

static struct {
  const int32_t *status;
  char message[LAC_MESSAGE_SIZE];
} calls[CALLS];
static unsigned oldest;
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where the call is, or CALLS; a null status is that of what is free. */
static unsigned find_call(const int32_t *status) {
  unsigned i = 0;
  while (i < CALLS && calls[i].status != status)
    i++;
  return i;
}

/* Of more calls that fail at once than there are places, the oldest loses its message. */
static void leave_message(const int32_t *status) {
  pthread_mutex_lock(&calls_lock);
  unsigned at = find_call(status);
  if (at == CALLS)
    at = find_call(NULL);
  if (at == CALLS)
    at = oldest++ % CALLS;
  calls[at].status = status;
  memcpy(calls[at].message, own_message, LAC_MESSAGE_SIZE);
  pthread_mutex_unlock(&calls_lock);
}

static void fetch_message(const int32_t *status) {
  pthread_mutex_lock(&calls_lock);
  unsigned at = find_call(status);
  if (at < CALLS) {
    memcpy(own_message, calls[at].message, LAC_MESSAGE_SIZE);
    calls[at].status = NULL;
  }
  pthread_mutex_unlock(&calls_lock);
}

bool lac_status_is_fine(const int32_t *status) {
  return __atomic_load_n(status, __ATOMIC_ACQUIRE) == LAC_OK;
}

bool lac_status_take(int32_t *status, int32_t came_to) {
  int32_t fine = LAC_OK;
  if (came_to != LAC_OK && __atomic_compare_exchange_n(status, &fine, came_to, false,
                                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    leave_message(status);
  return came_to == LAC_OK;
}

int32_t lac_kernel_status(int32_t *status) {
  int32_t came_to = __atomic_load_n(status, __ATOMIC_ACQUIRE);
  if (came_to != LAC_OK)
    fetch_message(status);
  return came_to;
}
