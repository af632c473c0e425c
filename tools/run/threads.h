/* threads.h - as many threads as --threads asks for. */
#ifndef LACUNA_RUN_THREADS_H
#define LACUNA_RUN_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Tells OpenMP, and who reads files, to run on `count` threads, having seen that so many can run at
 * once: OpenMP itself ends the process where they cannot.  False with a message. */
bool threads_prepare(int64_t count);

#endif
