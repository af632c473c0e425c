/* crowded.h - by which policy the entries of results are gathered where several levels of them are,
 * as the operands are (docs/workspaces.md). */
#ifndef LACUNA_RUN_CROWDED_H
#define LACUNA_RUN_CROWDED_H

#include "inputs.h"

/* The policies, "A:dense", of results whose entries had better not be recorded, in commas. */
const char *inputs_crowded(const inputs *in, const options *o, arena *memory);

#endif
