/* counts.h - what --counts says: what kernels did on the emulated device
 * (lac_emulated_counts.h). */
#ifndef LACUNA_RUN_COUNTS_H
#define LACUNA_RUN_COUNTS_H

#include <stdio.h>

/* For people, three lines a launch. */
void counts_print(FILE *out);

/* For machines, a list with an object for each launch. */
void counts_print_json(FILE *out);

#endif
