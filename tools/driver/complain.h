/* complain.h - errors for people, one line each. */
#ifndef LACUNA_COMPLAIN_H
#define LACUNA_COMPLAIN_H

#include <stdbool.h>

/* Prints `error: ` and the message (as printf) as one line on standard error, whatever a user's own
 * text in it has: control characters and bytes that are no UTF-8 as \xNN, several thousand
 * characters cut.  Returns false, so that a function can end by it. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same about a file: `path: why: ` and what errno says; `path: ` and that where `why` is NULL.
 */
bool complain_file(const char *path, const char *why);

/* What a tool ends by: whether all that it printed could be written; else false with a message. */
bool output_is_written(void);

#endif
