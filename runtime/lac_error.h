/* lac_error.h - the message of the last failure.
 *
 * A function that fails returns a lac_status and leaves a message of one line, each thread its own,
 * without allocating.  A kernel's call has one status for all threads of its loops: the first
 * failure stays, and its message becomes that of the thread that called, whichever thread failed.
 */
#ifndef LAC_ERROR_H
#define LAC_ERROR_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The last message of this thread; "" when nothing has failed.  Lives until its next failure. */
const char *lac_error_message(void);

/* Forgets this thread's message. */
void lac_error_clear(void);

/* Leaves the message and returns `status`, so that a function can end by `return
 * lac_error_set(...)`. */
int32_t lac_error_set(int32_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "expected WHAT, found NULL": what a public function says of an argument that is not there;
 * LAC_ERROR_FORMAT. */
int32_t lac_error_missing(const char *what);

/* The status of a call that several threads may write at once.
 *
 * - is_fine: whether nothing has failed so far
 * - take: where nothing has, notes what this thread came to, with its message; LAC_OK is nothing to
 *   note.  Whether it was LAC_OK.
 * - lac_kernel_status: what the call came to, at its end; the message becomes this thread's */
bool lac_status_is_fine(const int32_t *status);
bool lac_status_take(int32_t *status, int32_t came_to);
int32_t lac_kernel_status(int32_t *status);

#ifdef __cplusplus
}
#endif
#endif
