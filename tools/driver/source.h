/* source.h - a program on the command line: an expression, or a file that ends in .mlir. */
#ifndef LACUNA_SOURCE_H
#define LACUNA_SOURCE_H

#include <stdbool.h>

bool source_is_file(const char *program);

/* The content of a file, which the caller frees; NULL with a message on stderr. */
char *source_read(const char *path);

#endif
