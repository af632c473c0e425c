/* lanes.h - loops on the lanes of vectors (`on cpu_vector`): what the code of one operation asks of
 * them (lanes.c, lane_guards.c, reduction.c).
 */
#ifndef LACUNA_LANES_H
#define LACUNA_LANES_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the op can stand in a loop that runs on lanes, and its operands be what they are there; a
 * diagnostic if not. */
bool lanes_allow(lowering *k, MlirOperation op);
/* Whether an operand differs from lane to lane. */
bool lanes_differ(const lowering *k, MlirOperation op);
/* What a scalar operation comes to on lanes, given what its operands are: OTHER where it cannot run
 * on them.  And whether it computes with indices, which those that are consecutive may go into. */
typedef lane_kind lanes_kind_of(const void *where, MlirValue value);
lane_kind lanes_result(MlirOperation op, lanes_kind_of *kind_of, const void *where);
bool lanes_compute_indices(MlirOperation op);
/* How many elements `bits` hold; and a register of the machine, of the kernel's result. */
int64_t lanes_in(MlirType element, int64_t bits);
int64_t lanes_of_register(const lowering *k);
/* Code that only the lanes with `condition` (a mask) run, lane_guards.c: what stores and sets
 * variables between begin and end leaves the others alone. */
typedef struct lane_guard {
  MlirValue mask;
  bool guarded;
} lane_guard;
lane_guard lane_guard_begin(lowering *k, MlirValue condition);
void lane_guard_end(lowering *k, lane_guard before);
/* scf.if with a condition for each lane; it has no results. */
bool lower_lanes_if(lowering *k, MlirOperation op);
/* Whether a sit.coiterate does nothing but walk the one entry below each lane's position. */
bool lanes_walk_below(lowering *k, MlirOperation op);
/* Whether it walks one level, as far as each lane goes. */
bool lanes_bound_walk(const lowering *k, MlirOperation op);
/* Whether it walks one level below a position, all of it. */
bool walks_one_below(MlirOperation op);
/* 0, 1, 2, ... as indices, one for each lane. */
MlirValue lane_numbers(lowering *k);
/* By how much a value grows from lane to lane, where that is the same; 0 where it is not, and where
 * it does not.  And how far a position of each lane is from that of lane 0, as indices. */
int64_t lanes_step(const lowered *x);
MlirValue lanes_from_first(lowering *k, const lowered *x);
/* How far a located or placed position of each lane is from that of lane 0: told to it. */
void lanes_tell(lowering *k, MlirOperation op, lowered *position);
/* A lowered scalar as a vector of the loop's lanes. */
MlirValue lanes_operand(lowering *k, MlirValue operand);
/* In a loop that reads ahead: prefetches what comes so far behind `position`. */
void stream_ahead(lowering *k, MlirValue memref, MlirValue position);
/* A scalar operation with a value for each lane. */
bool lower_lanes_scalar(lowering *k, MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
