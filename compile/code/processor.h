/* processor.h - the processor that code is made for: which, what it can do, and what the pipeline
 * needs to know of it. */
#ifndef LACUNA_PROCESSOR_H
#define LACUNA_PROCESSOR_H

#include "bridge.h"
#include "machine.h"

#include <stdbool.h>
#include <stdio.h>

/* As LLVM names them; of the host's own, `features` has all that it can do. */
typedef struct processor {
  char *triple, *cpu, *features;
} processor;

/* The processor that `options` mean: their triple and cpu; without a triple the host's, and then
 * without a cpu what LACUNA_CPU in the environment names, or the host's own, which "native" names
 * too. False with a message where there is none such.  processor_free frees it, and takes what is
 * all zero. */
bool processor_find(processor *p, const machine_options *options, char **error);
void processor_free(processor *p);

/* Whether what is made for it runs on this machine; with a message where not. */
bool processor_runs_here(const processor *p, char **error);

/* The bits of a vector that it works on at once: 128, 256 or 512.  All that it has: sparse kernels
 * gather and stream, so that what wider vectors cost in clock is less than what they save. */
int64_t processor_vector_bits(const processor *p);

/* Whether it has gathers, and they are faster than loads one by one. */
bool processor_gathers(const processor *p);

/* Whether it selects one of two floats by a condition, without a branch. */
bool processor_selects_floats(const processor *p);

/* Fills in what of the pipeline depends on the processor. */
void processor_fit(const processor *p, struct lacuna_pipeline_options *pipeline);

/* Writes it as text, one line: code for two that print alike may be taken for each other. */
void processor_write(const processor *p, FILE *out);

#endif
