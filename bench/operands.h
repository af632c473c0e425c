/* operands.h - inside the harness: loading what `pack` left. */
#ifndef BENCH_OPERANDS_H
#define BENCH_OPERANDS_H

#include "harness.h"

/* Loads the tensor in a folder; false, with a message, where it cannot. */
bool bench_load(const char *folder, bench_tensor *t);

#endif
