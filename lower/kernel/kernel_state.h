/* kernel_state.h - what lowering a kernel keeps for itself; for this folder only. */
#ifndef LACUNA_KERNEL_STATE_H
#define LACUNA_KERNEL_STATE_H

#include "lowering.h"

struct kernel_state {
  MlirValue agree; /* i1: whether all checks so far held; null before the first */
  struct binding *bindings;
  size_t binding_count, binding_room;
  struct closing *closings; /* what the end of the block must close, innermost first */
};

#endif
