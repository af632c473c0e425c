/* Errors for people, one line each. */
#include "complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2000 };

/* The bytes of the character that starts at `text`, as UTF-8 has it; 0 where that is none. */
static int character_length(const unsigned char *text) {
  int length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
  if (*text > 0xf4)
    return 0;
  for (int i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  return length;
}

static void print_line(const char *message) {
  const unsigned char *at = (const unsigned char *)message, *end = at + strnlen(message, LONGEST);
  while (at < end) {
    int length = character_length(at);
    if (length == 0 || *at < ' ' || *at == 0x7f) {
      fprintf(stderr, "\\x%02x", *at++);
      continue;
    }
    fwrite(at, 1, (size_t)length, stderr);
    at += length;
  }
  fputs(*at ? "...\n" : "\n", stderr);
}

bool complain(const char *format, ...) {
  va_list arguments;
  char *message = NULL;
  va_start(arguments, format);
  int length = vasprintf(&message, format, arguments);
  va_end(arguments);
  fputs("error: ", stderr);
  print_line(length < 0 ? "no memory" : message);
  if (length >= 0)
    free(message);
  return false;
}

bool output_is_written(void) {
  int before = errno; /* of a write that has failed */
  errno = 0;
  if (!fflush(stdout) && !ferror(stdout))
    return true;
  errno = errno ? errno : before;
  return complain_file("standard output", "cannot be written");
}

bool complain_file(const char *path, const char *why) {
  const char *problem = strerror(errno);
  return why ? complain("%s: %s: %s", path, why, problem) : complain("%s: %s", path, problem);
}
