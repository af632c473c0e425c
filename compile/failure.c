/* failure.c - see failure.h. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

bool failure_tell(char **error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(error, format, arguments) < 0)
    *error = NULL;
  va_end(arguments);
  return false;
}
