/* kernel.h - the state of lowering one sit.kernel to a function, and what its parts offer each
 * other.
 *
 *     sit.kernel (%A, %x) {         @f_kernel(%y, %A, %x: !llvm.ptr) -> i32
 *       extents, checks       -->     if the handles are stored as their formats say
 *                                       if the shapes agree
 *       sit.result %y                     if there is memory
 *       walks                               loops
 *       sit.finish %y                       complete the result
 *     }                               return the status
 *
 * Lowering is one walk over the ops in program order with a map from values of sit to lowered ones.
 */
#ifndef LACUNA_KERNEL_H
#define LACUNA_KERNEL_H

#include "arena.h"
#include "builder.h"
#include "storage.h"
#include "walked.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In a loop that runs on lanes (`on cpu_vector`): what a value is in them. */
typedef enum lane_kind {
  LANES_SAME,        /* one value for all lanes */
  LANES_CONSECUTIVE, /* an index or position that grows by one from lane to lane; `value` is lane
                        0's */
  LANES_SPREAD,      /* a position for each lane: `value` plus the lane of the vector `spread` */
  LANES_EACH         /* a vector with a value for each lane */
} lane_kind;

/* What a value of sit became.  `value` is a scalar, an index, or a position; the position of
 * several duplicates is the segment [value, last), of positions or, where there are `pairs`, of
 * places in a scratch array (scratch.h).  `coordinates` are those of levels 0 to the position's. */
typedef struct lowered {
  MlirValue value;
  MlirValue last;  /* null where the position is one */
  MlirValue pairs; /* !llvm.ptr */
  bool branches;   /* the segment is of several branches, which may have the same below them */
  const MlirValue *coordinates;
  MlirValue present; /* i1: whether it is a position at all; null where it is */
  storage *tensor;
  bool ready;   /* a tensor that can be used: opened, or made */
  bool hoisted; /* a workspace that was made before the loop around it */
  variable variable;
  lane_kind lanes;
  MlirValue spread;
} lowered;

typedef struct lowering lowering;
struct lowering {
  arena *memory;
  builder *b;
  bool strict;         /* floating-point sums keep the program's order */
  int64_t vector_bits; /* of a vector of the machine */
  bool threads;        /* what is recorded may be sorted on threads */
  MlirOperation op;    /* the sit.kernel */
  MlirValue status;    /* !llvm.ptr to the kernel's int32_t */
  MlirValue agree;     /* i1: whether all checks so far held; null before the first */
  struct binding *bindings;
  size_t binding_count, binding_room;
  struct scratch_array *scratches; /* those that there are, the newest first */
  struct closing *closings;        /* what the end of the block must close, innermost first */
  int parallel_mark; /* one more than the variables that are read-only; 0 outside parallel loops */
  int64_t lanes;     /* of the loop around that runs on lanes; 0 outside of one */
  MlirValue mask;    /* the lanes that are there; null for all */
  bool guarded;      /* others than those may run in the loop around: they keep what they set */
  bool reduces;      /* the lanes reduce into one value: those that are not there leave it */
  int64_t streams;   /* so many positions ahead is prefetched, as they are visited in order; or 0 */
  walked_kernel *walked; /* what is known of its walks before there is code */
};

/* Whether the op can stand in a loop that runs on lanes, and its operands be what they are there; a
 * diagnostic if not. */
bool lanes_allow(lowering *k, MlirOperation op);
/* Whether an operand differs from lane to lane. */
bool lanes_differ(const lowering *k, MlirOperation op);
/* How many elements `bits` hold; and a register of the machine, of the kernel's result. */
int64_t lanes_in(MlirType element, int64_t bits);
int64_t lanes_of_register(const lowering *k);
enum { LANES_REGISTERS = 4 }; /* that a loop on lanes works on at once */
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
/* Whether a sit.coiterate does nothing but walk the one node below each lane's position. */
bool lanes_walk_below(lowering *k, MlirOperation op);
/* Whether it walks one level below a position, all of it. */
bool walks_one_below(MlirOperation op);
/* A lowered scalar as a vector of the loop's lanes. */
MlirValue lanes_operand(lowering *k, MlirValue operand);
/* Before a parallel loop: tells the runtime about how much it has to do (visits.c). */
void expect_visits(lowering *k, MlirOperation coiterate);
/* In a loop that reads ahead: prefetches what comes so far behind `position`. */
void stream_ahead(lowering *k, MlirValue memref, MlirValue position);
/* Flags the copy of a product that only a sum takes, so that they may be fused; not if strict. */
void allow_fusion(lowering *k, MlirOperation op, MlirOperation copy);
/* A scalar operation with a value for each lane. */
bool lower_lanes_scalar(lowering *k, MlirOperation op);

/* The map. `lowering_find` gives NULL for a value that has not been lowered. */
void lowering_bind(lowering *k, MlirValue value, lowered what);
const lowered *lowering_find(const lowering *k, MlirValue value);
/* What a scalar was lowered to. */
MlirValue lowering_scalar(const lowering *k, MlirValue value);
/* The storage of a tensor value. */
storage *lowering_storage(const lowering *k, MlirValue tensor);
/* Whether a tensor value is an operand of the kernel, not its result or a workspace. */
bool lowering_is_operand(const lowering *k, MlirValue tensor);
/* What a position was lowered to; the root where it is null. */
lowered lowering_position(const lowering *k, MlirValue position);
/* The coordinates of levels 0 to `level`, that of `level` being `coordinate`, below `parent`. */
const MlirValue *lowering_coordinates(lowering *k, const lowered *parent, int level,
                                      MlirValue coordinate);

/* Lowers the body of k->op into `function`'s entry block (a block with a !llvm.ptr for the result
 * and then the operands).  False after a diagnostic. */
bool lower_kernel(lowering *k, MlirBlock entry);

/* Lowers the ops of a block at the builder's place, and closes what it opened; one op of it. */
bool lower_block(lowering *k, MlirBlock block);
bool lower_operation(lowering *k, MlirOperation op);

/* Whatever comes in the rest of the block stands under `condition`; what is made here is released
 * at its end (`release` may be NULL). */
void lower_rest_under(lowering *k, MlirValue condition, storage *release);

/* The same under the condition that nothing has failed; scratch array `pairs` is freed at the end.
 */
void lower_rest_with_pairs(lowering *k, MlirValue pairs);

/* The same for a result; the level that it wants to be counted next is released after all. */
void lower_rest_counting(lowering *k, MlirValue condition, storage *result);

/* Whether a result was begun (`begun`) and, where it will have an entry at every coordinate, is
 * worth its memory (full_result.c). */
MlirValue result_is_worthwhile(lowering *k, MlirValue result, MlirValue begun);

/* Closes what was opened since k->closings was `outer`. */
void close_rest(lowering *k, struct closing *outer);

/* sit.coiterate (coiterate.c), scalar code and scf.if (scalars.c), reading operands
 * (operands.c), building results and workspaces (results.c).
 * Each lowers `op`, or gives a diagnostic at it and false. */
typedef bool lower_function(lowering *k, MlirOperation op);
lower_function lower_coiterate, lower_scalar, lower_if;
lower_function lower_extent, lower_match, lower_within;
lower_function lower_locate, lower_find, lower_present, lower_value;
lower_function lower_positions, lower_coordinate, lower_parents;
lower_function lower_result, lower_finish, lower_workspace, lower_insert, lower_end, lower_append,
    lower_close, lower_count, lower_edges, lower_place, lower_number, lower_order, lower_store,
    lower_accumulate, lower_sort, lower_clear;
lower_function lower_var, lower_get, lower_set;

#ifdef __cplusplus
}
#endif
#endif
