/* whole_number.h - numbers of things on a command line. */
#ifndef LACUNA_WHOLE_NUMBER_H
#define LACUNA_WHOLE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a whole number from 0 on at the beginning of a text, in decimal digits or as 1e6 or 2.5e3;
 * `*end` is the place after it.  False where there is none, or where it does not fit. */
bool whole_number(const char *text, const char **end, int64_t *number);

#endif
