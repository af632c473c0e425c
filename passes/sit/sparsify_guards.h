/* sparsify_guards.h - tests that what blocks make known is in bounds: where they are needed, and
 * where one for a whole block will do (sparsify_guards.c). */
#ifndef LACUNA_SPARSIFY_GUARDS_H
#define LACUNA_SPARSIFY_GUARDS_H

#include "sparsify_state.h"

/* Whether what becomes known where `known` is walked, at a point of the lattice, is the coordinate
 * of something stored. */
bool guard_is_promised(const sparsifier *p, MlirValue known, const merge_lattice *lattice,
                       bit_set point);

/* The condition under which the body of a forall, whose variable `known` has just been bound, may
 * be entered; null where it always may. */
MlirValue emit_block_guard(sparsifier *p, const index_statement *forall, MlirValue known);

/* Notes whether a workspace that is made here, in registers, stands for one block. */
void note_stands_apart(const sparsifier *p, tensor *workspace);

/* In the body of a forall over blocks: the condition under which all blocks that are known end in
 * bounds, so far as foralls inside ask.  The code that is emitted up to the end has no tests for
 * them.  `count` is 0 where there is nothing to be told apart. */
enum { WHOLE_BLOCKS = 8 };
typedef struct whole_blocks {
  int count;
  MlirValue condition;
  MlirValue variables[WHOLE_BLOCKS];
} whole_blocks;
whole_blocks emit_whole_blocks(sparsifier *p, const index_statement *forall);
void whole_blocks_end(sparsifier *p, const whole_blocks *all);

#endif
