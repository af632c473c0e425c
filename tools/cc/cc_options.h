/* cc_options.h - the command line of sparse-cc. */
#ifndef LACUNA_CC_OPTIONS_H
#define LACUNA_CC_OPTIONS_H

#include "flags.h"

typedef struct cc_options {
  const char *program;          /* an expression, or a file that ends in .mlir */
  binding *bindings;            /* -f -t -d --expect */
  const char *output;           /* a file, "-" for standard output, or NULL */
  const char *emit;             /* what to make, or NULL where the output's name tells */
  bool explain, print_schedule; /* two such, told instead (emit.h) */
  const char *header;           /* a file, or NULL */
  const char *name;             /* of an expression's function */
  const char *schedule;
  const char *semiring; /* or NULL */
  const char *cpu;      /* as machine_options */
  const char *target;   /* a triple, or what kernels run on (device_target.h) */
  const char *triple, *device;
  const char *linker; /* a program, or NULL */
  int64_t threads;
  int64_t optimize;      /* level */
  bool object;           /* -c */
  const char *workspace; /* policies of workspaces, or NULL */
  bool strict, deterministic;
  bool help;
  bool version;
} cc_options;

/* Takes the command line apart.  False with a message on stderr where it cannot be understood.
 * cc_options_free frees what was taken apart. */
bool cc_options_parse(int argc, char **argv, cc_options *parsed);
void cc_options_free(cc_options *parsed);

void cc_options_print_help(void);

#endif
