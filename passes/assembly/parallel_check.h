/* parallel_check.h - one forall being checked, for the files that say why its iterations may not
 * run at once: what they assign (parallel_safety.c), what they walk (parallel_walk.c), and what
 * units of a GPU cannot do (parallel_gpu.c).  Reasons are "expected ..., found ..." in the arena;
 * NULL where there is none. */
#ifndef LACUNA_PARALLEL_CHECK_H
#define LACUNA_PARALLEL_CHECK_H

#include "assembly.h"
#include "cin_kernel.h"
#include "merge_lattice.h"

typedef struct safety_check {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, forall;
  cin_unit unit; /* of threads: those of a CPU, or a unit of a GPU */
  cin_race race;
  bool is_read;
  const kernel_statement *statement; /* of the kernel, once that is read; NULL where it cannot be */
} safety_check;

/* By threads of a CPU.  Its kernel's statement, read when it is asked for first; the name of what
 * it goes over. */
safety_check safety_check_of(arena *memory, provenance *graph, MlirOperation kernel,
                             MlirOperation forall, cin_race race);
const kernel_statement *safety_statement(safety_check *c);
MlirStringRef safety_variable(const safety_check *c);

/* How the result is built that is assigned to below the forall; false where none is.  Whether that
 * appends, in order; whether what is below appends to the result, or counts and places. */
bool safety_assembly(safety_check *c, assembly *how);
bool safety_is_appended(const assembly *how);
bool safety_is_in_pieces(safety_check *c);

/* Whether a level is walked to a constant, or to what follows from one: that is around all foralls.
 */
bool safety_walks_to_constants(safety_check *c);

typedef struct forall_walk {
  bool walks;          /* the forall walks what levels store, not what another one derives */
  int stored;          /* levels walked that are not full */
  int partial;         /* those of them that cannot be located in */
  const char *repeats; /* the tensor of one that is not unique */
  bool branches;       /* one that is not, with levels below that branch */
  const char *strays;  /* the tensor of one that is not ordered */
  bool cuts;           /* that one's places can be dealt out instead */
} forall_walk;

forall_walk safety_walk(const safety_check *c);

/* What the forall visits where nothing around it is absent; NULL where it cannot be told.  Whether
 * that is one level alone, and nothing remains to be computed where it has no entry. */
const merge_lattice *safety_lattice(safety_check *c);
bool safety_walks_alone(safety_check *c);

/* Whether an outermost forall merges levels, or walks one that may repeat coordinates, in order. */
bool safety_is_cut(safety_check *c, const forall_walk *found);
const char *safety_hazard_of_walk(safety_check *c);

/* Whether the outer one is over groups of lanes, the inner one over the lanes of a group; `unit` is
 * the other one's. */
bool safety_are_groups_and_lanes(const safety_check *c, MlirOperation outer, MlirOperation inner,
                                 cin_unit unit);
const char *safety_hazard_on_gpu(safety_check *c);

#endif
