/* run_options.h - the command line of sparse-run. */
#ifndef LACUNA_RUN_OPTIONS_H
#define LACUNA_RUN_OPTIONS_H

#include "flags.h"

typedef struct options {
  const char *program; /* an expression, or a file that ends in .mlir */
  binding *bindings;
  const char *schedule;         /* "" for none */
  const char *emit;             /* a rung, or what is told on the way down (emit.h), or NULL */
  bool explain, print_schedule; /* two of those */
  const char *json;             /* a file, or NULL */
  const char *entry;            /* a function's name, or NULL */
  const char *workspace;        /* policies of workspaces, or NULL */
  const char *semiring;         /* a name, or NULL */
  const char *cpu;              /* as machine_options */
  const char *target;           /* what kernels run on (device_target.h), or NULL */
  const char *device;           /* of the pipeline, from that */
  int64_t threads;
  int64_t optimize; /* level */
  int64_t time;     /* runs to time; 0: run once, untimed */
  int64_t seed;
  bool counts; /* count what kernels do on the emulated device */
  bool strict, deterministic;
  bool cache;      /* take compiled code from disk, and keep it there */
  bool force;      /* results that blow up are made */
  bool compact;    /* narrow widths where sizes allow them */
  bool drop_zeros; /* store no zeros */
  bool check;      /* hold operands and results against their formats */
  bool verify;
  bool help;
  bool version;
} options;

/* Takes the command line apart.  False with a message on stderr where it cannot be understood.
 * options_free frees what was taken apart. */
bool options_parse(int argc, char **argv, options *parsed);
void options_free(options *parsed);

/* The value of `flag NAME:VALUE` for this name (the last one given), or NULL. */
const char *options_value(const options *parsed, const char *flag, const char *name);

/* Whether a result of that order could be written wherever -o says; false with a message, before
 * hours of work are lost. */
bool options_result_can_be_written(const options *parsed, const char *result, int order);

void options_print_help(void);

#endif
