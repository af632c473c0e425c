/* failure.h - what failed, as a message for whoever asked. */
#ifndef LACUNA_FAILURE_H
#define LACUNA_FAILURE_H

#include <stdbool.h>

/* *error becomes the message, which its owner frees; NULL without memory.  False. */
__attribute__((format(printf, 2, 3))) bool failure_tell(char **error, const char *format, ...);

#endif
