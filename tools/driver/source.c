/* Reads programs. */
#include "source.h"

#include "complain.h"
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool source_is_file(const char *program) {
  size_t length = strlen(program);
  return length > 5 && !strcmp(program + length - 5, ".mlir");
}

char *source_read(const char *path) {
  size_t size;
  char *text = file_read(path, &size);
  if (!text) {
    complain("%s: %s", path, strerror(errno));
    return NULL;
  }
  if (strlen(text) == size)
    return text;
  complain("%s: expected text, found a NUL byte at offset %zu", path, strlen(text));
  free(text);
  return NULL;
}
