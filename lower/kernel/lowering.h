/* lowering.h - lowering one sit.kernel to a function: the state that the folders which make its
 * code share, and the map from values of sit to what they became.
 */
#ifndef LACUNA_LOWERING_H
#define LACUNA_LOWERING_H

#include "arena.h"
#include "builder.h"
#include "lane_kind.h"
#include "storage.h"
#include "walked.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a value of sit became.  `value` is a scalar, an index, or a position; the position of
 * several duplicates is the segment [value, last), of positions or, where there is `scratch`, of
 * places in a scratch array (scratch.h).  `coordinates` are those of levels 0 to the position's. */
typedef struct lowered {
  MlirValue value;
  MlirValue last;    /* null where the position is one */
  MlirValue scratch; /* !llvm.ptr */
  bool branches;     /* the segment is of several branches, which may have the same below them */
  bool flat;         /* the segment is of rows that are gone through as one (flat.c) */
  const MlirValue *coordinates;
  MlirValue present; /* i1: whether it is a position at all; null where it is */
  storage *tensor;
  bool ready;   /* a tensor that can be used: opened, or made */
  bool hoisted; /* a workspace that was made before the loop around it */
  variable variable;
  lane_kind lanes;  /* what it is in a loop on lanes; where CONSECUTIVE, `value` is lane 0's */
  int64_t step;     /* where STRIDED: by how much it grows from lane to lane; `value` is lane 0's */
  MlirValue spread; /* where SPREAD: the position of a lane is `value` plus the lane of this */
  bool stored;      /* where CONSECUTIVE: all lanes of `within` (null: all) may read there */
  MlirValue within;
} lowered;

typedef struct lowering lowering;
struct lowering {
  arena *memory;
  builder *b;
  bool strict;                     /* floating-point sums keep the program's order */
  bool deterministic;              /* threads reduce to the same bits, however many they are */
  int64_t vector_bits;             /* of a vector of the machine */
  bool gathers;                    /* the machine, faster than by a load for each lane */
  bool threads;                    /* what is recorded may be sorted on threads */
  MlirOperation op;                /* the sit.kernel */
  MlirValue status;                /* !llvm.ptr to the kernel's int32_t */
  MlirOperation appends, counts;   /* the loops on threads that append to the result, or count its
                                      entries; null for none */
  bool counting;                   /* entries of the result are counted, and it has no values */
  struct told_level *told;         /* of a result that is told: by which levels (told.h) */
  storage_copies *copies;          /* of the result, made before a loop around; or NULL
                                      (shared_reduction.h) */
  struct scratch_array *scratches; /* those that there are, the newest first */
  struct kept_cursor *cursors;     /* where windows began last, the newest first (cursor.h) */
  struct found_parents *found;     /* where rows were found last, the newest first (parents.h) */
  int parallel_mark; /* one more than the variables that are read-only; 0 outside parallel loops */
  bool on_host;      /* loops inside on units of a GPU are not launched (gpu_loop.h) */
  const struct gpu_scope *gpu; /* the loops around on units of a GPU; NULL for none (gpu_scope.h) */
  int64_t lanes;               /* of the loop around that runs on lanes; 0 outside of one */
  MlirValue mask;              /* the lanes that are there; null for all */
  bool guarded;    /* others than those may run in the loop around: they keep what they set */
  bool reduces;    /* the lanes reduce into one value: those that are not there leave it */
  int64_t streams; /* so many positions ahead is prefetched, as they are visited in order; or 0 */
  MlirOperation shared_walk; /* what a long row reduces, by all threads (long_rows.c); or null */
  const struct range_rows *rows; /* whose rows may be cut (row_cut.h); NULL for none */
  walked_kernel *walked;         /* what is known of its walks before there is code */
  struct kernel_state *own;      /* what only this folder sees (kernel_state.h) */
};

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

/* Lowers the ops of a block at the builder's place, and closes what it opened; one op of it. */
bool lower_block(lowering *k, MlirBlock block);
bool lower_operation(lowering *k, MlirOperation op);
/* What a value in a loop is, ahead of it: lowers what that is computed of there. */
MlirValue lowering_ahead(lowering *k, MlirOperation loop, MlirValue value);

/* Whatever comes in the rest of the block stands under the condition that nothing has failed;
 * `scratch` is given back at its end, by a function of the runtime. */
void lower_rest_with_scratch(lowering *k, MlirValue scratch, const char *free_by);

/* What the end of the block at the builder's place closes so far; closes what was opened since. */
struct closing *rest_mark(const lowering *k);
void close_rest(lowering *k, struct closing *outer);

/* Flags the copy of a product that only a sum takes, so that they may be fused; not if strict. */
void allow_fusion(lowering *k, MlirOperation op, MlirOperation copy);

#ifdef __cplusplus
}
#endif
#endif
