/* options.h - the command line of sparse-run. */
#ifndef LACUNA_RUN_OPTIONS_H
#define LACUNA_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What `NAME:VALUE` after a flag says; `next` in the order of the command line. */
typedef struct binding {
  const char *flag;
  char *name;
  const char *value;
  struct binding *next;
} binding;

typedef struct options {
  const char *program; /* an expression, or a file that ends in .mlir */
  binding *bindings;
  const char *schedule; /* "" for none */
  const char *emit;     /* a rung, or NULL */
  const char *json;     /* a file, or NULL */
  const char *entry;    /* a function's name, or NULL */
  const char *semiring; /* a name, or NULL */
  int64_t threads;
  int64_t time; /* runs to time; 0: run once, untimed */
  uint64_t seed;
  bool strict;
  bool help;
} options;

/* Takes the command line apart.  False with a message on stderr where it cannot be understood.
 * options_free frees what was taken apart. */
bool options_parse(int argc, char **argv, options *parsed);
void options_free(options *parsed);

/* The value of `flag NAME:VALUE` for this name (the last one given), or NULL. */
const char *options_value(const options *parsed, const char *flag, const char *name);

void options_print_help(void);

#endif
