/* parallel_safety.h - whether the iterations of a forall may run at once.
 *
 *     forall i { y[i] = ... }              the iterations write to different places: no_races
 *     forall j { y[i] add ... }            they reduce into the same place: atomics, or one of
 *                                          each thread's own: temporary, parallel_reduction
 *     forall i { A[i] = ... }              A : (i : compressed) is appended to in order: in pieces,
 *                                          each for a range of i, which are joined
 *     forall i0 { forall i1 { A[i] = ...   the same, ranges being of parts of i
 *     forall j { A[i, j] = ... }           A is counted and placed: each range of j with its counts
 *
 * (Senanayake et al. 2020, section 4.2, the preconditions of parallelize.)
 */
#ifndef LACUNA_PARALLEL_SAFETY_H
#define LACUNA_PARALLEL_SAFETY_H

#include "cin_kernel.h"
#include "merge_lattice.h"

/* All of these are asked while no variable of `graph` is bound: they bind those of the foralls
 * around, and unbind them. */

/* Why the iterations of `forall` may not run on threads of a CPU, or blocks, warps or threads of a
 * GPU, under the race strategy, as "expected ..., found ..." in memory of the arena; NULL where
 * they may. */
const char *parallel_hazard(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall, cin_unit unit, cin_race race);

/* How many groups of lanes of a warp take the iterations of a forall around another one on threads
 * of a GPU; 0 where it is not so. */
int64_t parallel_groups(arena *memory, MlirOperation forall);

/* Whether a result is appended to below the forall, in order. */
bool parallel_appends(arena *memory, MlirOperation kernel, MlirOperation forall);

/* Whether the forall, where there is no such reason, is dealt out in ranges of its variable, as
 * what it appends to the result, or counts and places, is made in pieces; or as it merges levels,
 * or walks one that may repeat coordinates, in order.  Else places are dealt out. */
bool parallel_is_in_ranges(arena *memory, provenance *graph, MlirOperation kernel,
                           MlirOperation forall, cin_race race);

/* What the forall visits, where nothing around it is absent; NULL where that cannot be told. */
const merge_lattice *parallel_lattice(arena *memory, provenance *graph, MlirOperation kernel,
                                      MlirOperation forall);

/* Whether the iterations collect the result's entries at once, each where they go. */
bool parallel_collects_apart(arena *memory, provenance *graph, MlirOperation kernel,
                             MlirOperation forall);

/* False where the result is collected in a first level that is in order, as the diagonals of `dia`:
 * to mark each coordinate takes less time than to record the entries for threads first, where they
 * cannot be collected at once. */
bool parallel_is_worthwhile(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall);

/* Whether the iterations of an outermost forall can be dealt out to threads: it counts, walks
 * levels that are all full, or walks one level that is merged with nothing. */
bool parallel_is_balanced(arena *memory, provenance *graph, MlirOperation kernel,
                          MlirOperation forall);

/* Whether all that the forall assigns to a dense result, it reduces into it alike, so that threads
 * may have copies of it. */
bool parallel_reduces_densely(arena *memory, MlirOperation kernel, MlirOperation forall);

/* Whether the forall, wherever it stands, counts, or walks levels that are all full. */
bool parallel_walks_full(arena *memory, provenance *graph, MlirOperation kernel,
                         MlirOperation forall);

/* Whether the forall walks a level that may hold a coordinate several times. */
bool parallel_walk_repeats(arena *memory, provenance *graph, MlirOperation kernel,
                           MlirOperation forall);
/* Whether one such has levels below that branch, so that its coordinates are met again and again.
 */
bool parallel_walk_branches(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall);

#endif
