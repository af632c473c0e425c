/* lac_error.h - the message of the last failure.
 *
 * A function that fails returns a lac_status and leaves a message of one line, kept for each
 * thread, without allocating.  A thread that has no message of its own sees the last one of any
 * thread: a kernel's parallel loop may have failed in a worker.
 */
#ifndef LAC_ERROR_H
#define LAC_ERROR_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The last message; "" when nothing has failed.  Lives until this thread's next failure. */
const char *lac_error_message(void);

/* Begins something new on this thread: its own old message no longer hides what a worker reports.
 */
void lac_error_begin(void);

/* Forgets this thread's message and the one kept for all threads. */
void lac_error_clear(void);

/* Leaves the message and returns `status`, so that a function can end by `return
 * lac_error_set(...)`. */
int32_t lac_error_set(int32_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "expected WHAT, found NULL": what a public function says of an argument that is not there;
 * LAC_ERROR_FORMAT. */
int32_t lac_error_missing(const char *what);

#ifdef __cplusplus
}
#endif
#endif
