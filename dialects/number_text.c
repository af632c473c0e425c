/* number_text.c - decimal numbers in the C locale, which is made once and kept. */
#include "number_text.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

static locale_t plain_locale;

static void make_plain_locale(void) {
  plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double number_from_text(const char *text, char **end) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_plain_locale);
  return plain_locale ? strtod_l(text, end, plain_locale) : strtod(text, end);
}
