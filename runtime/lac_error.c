/* lac_error.c - the message of the last failure: one buffer a thread, and one for all threads. */
#include "lac_error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LAC_MESSAGE_SIZE = 1024 };

static _Thread_local char own_message[LAC_MESSAGE_SIZE];
static _Thread_local char borrowed_message[LAC_MESSAGE_SIZE];
static char shared_message[LAC_MESSAGE_SIZE];
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

static void copy_shared(char *to, const char *from) {
  pthread_mutex_lock(&shared_lock);
  memcpy(to, from, LAC_MESSAGE_SIZE);
  pthread_mutex_unlock(&shared_lock);
}

const char *lac_error_message(void) {
  if (own_message[0])
    return own_message;
  copy_shared(borrowed_message, shared_message);
  return borrowed_message;
}

void lac_error_begin(void) {
  own_message[0] = '\0';
}

void lac_error_clear(void) {
  memset(own_message, 0, sizeof own_message);
  copy_shared(shared_message, own_message);
}

int32_t lac_error_set(int32_t status, const char *format, ...) {
  char message[LAC_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  memcpy(own_message, message, sizeof message);
  copy_shared(shared_message, own_message);
  return status;
}

int32_t lac_error_missing(const char *what) {
  return lac_error_set(LAC_ERROR_FORMAT, "expected %s, found NULL", what);
}
