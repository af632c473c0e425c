/* workspace_memory.h - memory of a workspace that the runtime has a part in: it knows how much room
 * there is, and says how much it wants, in words of its own, which are scratch memory as well
 * (bucket_, coord_accumulator.c).
 *
 *     own     ...  room 0  room 1  ...  wanted 0  wanted 1  ...
 */
#ifndef LACUNA_WORKSPACE_MEMORY_H
#define LACUNA_WORKSPACE_MEMORY_H

#include "level_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct workspace_memory {
  int own;              /* the scratch memory of the runtime's words */
  int64_t room, wanted; /* which of them are those of memory 0; the others' are behind */
  int count;            /* of memories */
  int64_t share;        /* one that grows gets this part of its room more, 1 / share, at least */
  void (*grow)(level *l, int memory, MlirValue room, MlirValue count);
  void (*clear)(level *l);
} workspace_memory;

/* A word of the runtime's; and a number as functions of the runtime take it. */
MlirValue workspace_word(level *l, const workspace_memory *m, int64_t word);
MlirValue workspace_number(level *l, MlirValue x);

/* Says that there is room for so many in a memory. */
void workspace_set_room(level *l, const workspace_memory *m, int memory, MlirValue count);

/* Room for what is wanted.  Without memory everything is cleared, so that there is room; the
 * kernel's status says what happened. */
void workspace_grow_as_wanted(level *l, const workspace_memory *m);

/* The values at positions 0 .. count - 1 as they were made. */
void workspace_reset_values(level *l, MlirValue count);

#ifdef __cplusplus
}
#endif
#endif
