/* schedule_value.h - a value that a schedule writes, found in what a kernel assigns.
 *
 *     B(i,k) * C(k,j)     in     %p = mulf %a, %b;  %q = mulf %p, %c;  cin.assign %y[..] add %q
 *
 * What is compared is structure (value_shapes.h): %a times %b times %c has it, whatever stands
 * between B and C.  It is looked for as tin-expand-einsum would have written it, in each semiring
 * that the reduction allows.  What stands there as a sum by itself, read of a scalar that is
 * produced before, is found by what is summed.
 */
#ifndef LACUNA_SCHEDULE_VALUE_H
#define LACUNA_SCHEDULE_VALUE_H

#include "cin_kernel.h"
#include "einsum_parser.h"
#include "value_shapes.h"

/* A place where the value stands: all of `value`, or parts of its chain, one group of them each
 * time that it does: 0 for what is not of it. */
typedef struct value_match {
  MlirValue value;
  chain chain;
  int group_count, *groups; /* groups: NULL where all of it matches */
} value_match;

/* A read of a scalar workspace that a cin.where around it produces, and the shape of what is summed
 * there. */
typedef struct value_sum {
  MlirOperation read;
  int shape;
} value_sum;

typedef struct schedule_value {
  arena *memory;
  builder *b;
  MlirOperation kernel, assign;
  const einsum *text;
  MlirBlock
      block; /* holds the value by itself, of an argument for each access, then for each sum */
  MlirValue value;
  int read_count, sum_count, sum_room;
  value_sum *sums;
  MlirOperation *reads; /* of each of those, one of the assignment; null where the value of what is
                           accessed is not used: imag(A) of real numbers */
  shaped_values *assigned;
  int match_count;
  value_match *matches; /* operands before what uses them */
} schedule_value;

/* The tensor of the kernel, operand or workspace, that has the name; null for none. */
MlirValue schedule_tensor(MlirOperation kernel, const char *name);

/* Finds `text` in what `assign` assigns; false where it is not there.  What was found is to be
 * given back. */
bool schedule_value_find(arena *memory, MlirOperation assign, const einsum *text,
                         schedule_value *found);
void schedule_value_free(schedule_value *found);

/* Whether reducing what the value becomes is the same as reducing it and computing on: it stands
 * there once, under operations that distribute over the reduction. */
bool schedule_value_distributes(const schedule_value *found, tin_reduction kind);

/* Whether a read of the assignment stands outside of it too. */
bool schedule_value_is_read_beside(const schedule_value *found, MlirOperation read);

/* Emits it where `b` stands, with what stands for variables in their place. */
MlirValue schedule_value_emit(const schedule_value *found, builder *b, const value_map *renamed);

/* Puts reads of a workspace at these variables in its place, or what `read_of` makes of one where
 * it stands, and takes away what is not used any more. */
void schedule_value_replace(schedule_value *found, MlirValue workspace, int count,
                            const MlirValue *variables, MlirValue (*read_of)(void *, MlirValue),
                            void *data);

#endif
