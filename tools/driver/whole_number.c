/* Reads numbers of things. */
#include "whole_number.h"

#include "lac_ascii.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_decimal(const char *text, const char *end) {
  return lac_is_digit(*text) && strspn(text, "0123456789.eE+-") >= (size_t)(end - text);
}

bool whole_number(const char *text, const char **end, int64_t *number) {
  char *stop;
  double real = strtod(text, &stop);
  *end = stop;
  if (!is_decimal(text, stop) || !(real < 0x1p63) || real != floor(real))
    return false;
  errno = 0;
  *number = strtoll(text, &stop, 10);
  if (stop != *end)
    *number = (int64_t)real;
  return errno == 0;
}
