/* shared_reduction.h - what threads reduce into at once, under the race strategies `temporary` and
 * `parallel_reduction` of a loop that is cut in chunks.
 *
 *     a variable    sit.var %zero by add     each chunk has one of its own, which begins as the
 *                                            identity; what they came to is put together in the
 *                                            order of the chunks
 *     the result    sit.accumulate add       each thread has a copy of its values, all of them the
 *                                            identity; the result's own are the first thread's.
 *                                            They are added to the result place by place
 *     a workspace   sit.insert               of a policy, made outside: each chunk, or each thread,
 *                                            has one of its own.  What they hold is merged when it
 *                                            is ordered (assembly/runs.c)
 *
 * Where the loop stands in others that nobody reads the result in, the copies are made before the
 * outermost of these and put together behind it:
 *
 *     for k                                copies of y
 *       for j on threads, temporary        for k
 *         y[i] += ...                -->     for j on threads
 *                                              copy of the thread[i] += ...
 *                                          y += the copies
 *
 * Chunks are as many whatever the number of threads, so that variables come to the same bits for
 * any.  So do results where that is asked for: then there is a copy for each of a few chunks, not
 * for each thread.  (Senanayake et al. 2020, section 4.2: race strategies of parallelize.)
 */
#ifndef LACUNA_SHARED_REDUCTION_H
#define LACUNA_SHARED_REDUCTION_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHARED_VARIABLES = 8, SHARED_WORKSPACES = 4 };

typedef struct shared_variable {
  MlirValue variable; /* of sit */
  tin_reduction kind;
  MlirType element;
  lowered outside;            /* what it is outside of the loop */
  storage_partials *partials; /* what it came to in each chunk */
} shared_variable;

typedef struct shared_workspace {
  MlirValue workspace; /* of sit */
  lowered outside;     /* what it is outside of the loop */
} shared_workspace;

typedef struct shared_reduction {
  lowering *k;
  MlirOperation loop; /* the sit.coiterate */
  shared_variable variables[SHARED_VARIABLES];
  int variable_count;
  shared_workspace workspaces[SHARED_WORKSPACES];
  int workspace_count;
  MlirValue result;       /* of sit; null where nothing is reduced into it */
  tin_reduction kind;     /* of that */
  lowered whole;          /* what it is outside of the loop */
  storage_copies *copies; /* of its values */
  int64_t place;          /* what one of a copy costs, in visits */
  bool lends;             /* these are of a loop around */
  struct closing *outer;  /* what a chunk closes at its end */
} shared_reduction;

/* Around a sit.coiterate: makes copies for the loops in it that reduce into the result, if it is
 * the outermost that they can be made for; whether it does.  Between, no loop runs on more threads
 * than there are copies. */
bool shared_copies_begin(lowering *k, MlirOperation coiterate);
void shared_copies_end(lowering *k);

/* Whether a sit.workspace is kept by a policy, and loops on threads that have chunks of their own
 * fill it, which do not make it. */
bool shared_workspace_is_gathered(MlirOperation workspace, const tensor_format *format);

/* Reads what a sit.coiterate on threads reduces into.  False after a diagnostic at it where that
 * cannot be put together. */
bool shared_reduction_read(shared_reduction *r, lowering *k, MlirOperation coiterate);
bool shared_reduction_is_needed(const shared_reduction *r);
/* The most chunks that the loop may be cut in, of `most` (index).  How many threads gather in
 * workspaces of their own (index), where they do nothing else and bits may depend on their number,
 * else null: each takes chunks as long as there are some, by `next`. */
MlirValue shared_reduction_chunks(const shared_reduction *r, int64_t most);
MlirValue shared_reduction_threads(const shared_reduction *r);
MlirValue shared_reduction_next(const shared_reduction *r);

/* Parts of the above, of variables alone.  Around all: memory for what each of `count` parts came
 * to, and what they come to together; then in the loop: the loop's own, which begin as the
 * identity. */
void shared_partials_begin(shared_reduction *r, MlirValue count);
void shared_partials_end(shared_reduction *r);
void shared_variables_enter(shared_reduction *r);
MlirValue shared_variable_identity(builder *b, const shared_variable *v);

/* Around the parallel loop over `count` chunks, of which it is said how much it does (visits.h);
 * and around what one of them does. */
void shared_reduction_begin(shared_reduction *r, MlirValue count);
void shared_reduction_end(shared_reduction *r);
void shared_reduction_enter(shared_reduction *r, MlirValue chunk);
void shared_reduction_leave(shared_reduction *r, MlirValue chunk);

#ifdef __cplusplus
}
#endif
#endif
