/* holds.h - what a program's operands are said to hold (tin.holds), by which loops and workspaces
 * are chosen. */
#ifndef LACUNA_RUN_HOLDS_H
#define LACUNA_RUN_HOLDS_H

#include "inputs.h"

/* About how many entries an operand has, one that is yet to be made as many as it will have, how
 * large each dimension is, then about how many entries have one coordinate of each at most, and
 * over how many coordinates they are spread: a list that was read is gone through for those, once.
 * NULL where that is not known. */
const int64_t *inputs_hold(arena *memory, run_tensor *t, const options *o);

#endif
