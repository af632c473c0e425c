/* insert_workspaces.h - what the parts of cin-insert-workspaces share: a kernel, and how an
 * assignment becomes one to a workspace and one from it. */
#ifndef INSERT_WORKSPACES_H
#define INSERT_WORKSPACES_H

#include "assembly.h"
#include "cin.h"
#include "cin_kernel.h"

typedef struct inserter {
  arena *memory;
  builder *b; /* for the identities of reductions */
  MlirOperation kernel;
  provenance *graph;
  const tensor_format *result;
  assembly_list ways;   /* to build it */
  bool strict;          /* keep the program's order in floating-point sums */
  const char *policies; /* as cin_insert_workspaces_options (bridge.h) */
  int64_t bytes;
} inserter;

bool inserter_is_result(const inserter *w, MlirOperation assign);

/* How many assignments to the tensor there are in `root`. */
int inserter_assigns_below(const inserter *w, MlirOperation root, MlirValue tensor);

/* Whether an entry of the result has to come once. */
bool inserter_appends(const inserter *w);

/* Along a counter come other entries, which a plain assignment puts each in its place; a list takes
 * them along any loop. */
bool inserter_reduces_over(const inserter *w, MlirOperation assign, MlirOperation forall);

/* Whether coordinates come again along the forall, or along it and others, as y[j] does where j
 * follows from diagonals and rows. */
bool inserter_revisits(const inserter *w, MlirOperation assign, MlirOperation forall);

/* Whether what the statement reduces into the result may be assigned to it from a workspace: what
 * is recorded is added up later; or nothing else reduces into the place, and the places that are
 * not visited hold the identity, which is what they would hold otherwise. */
bool inserter_may_assign(const inserter *w, MlirOperation assign, MlirOperation statement);

/* The statement in a where's producer instead, with the where, which is returned, in its place. */
MlirOperation inserter_wrap_in_where(MlirOperation statement, MlirValue workspace);

/* All statements of the forall `outer` (null: of the kernel) in a where's producer, at the place of
 * `assign`. */
MlirOperation inserter_wrap_all_in_where(const inserter *w, MlirOperation outer,
                                         MlirOperation assign, MlirValue workspace);

/* The assignment, into the workspace instead, before it. */
void inserter_produce(MlirOperation assign, MlirValue workspace, intptr_t count,
                      const MlirValue *variables);

/* The assignment, of what the workspace holds, at the end of `block`; plain or a reduction. */
void inserter_consume(MlirOperation assign, MlirBlock block, MlirValue workspace, intptr_t count,
                      const MlirValue *variables, bool plain);

/* A forall over the variable at the end of `block`, said of the assignment; its block. */
MlirBlock inserter_add_forall(MlirOperation assign, MlirValue variable, MlirBlock block);

/* Another variable of the same coordinates. */
MlirValue inserter_variable_like(const inserter *w, MlirValue variable);

/* Whether a forall goes through positions of an operand in the place of the variable, or through it
 * and others as one: what was gathered has neither. */
bool inserter_goes_in_place_of(const inserter *w, MlirValue loop, MlirValue variable);

/* choose_policies.c: the policy that each workspace of the kernel has; false after a diagnostic. */
bool inserter_choose_policies(const inserter *w);
/* Says which of the workspaces that policies name is none of `root`. */
void inserter_say_missing(arena *memory, MlirOperation root, const char *policies);

/* insert_rows.c: the workspaces of order one that the result needs; false after a diagnostic. */
bool inserter_insert_rows(const inserter *w);

/* insert_entries.c: a workspace of the levels of the result that are not known, in their order,
 * outside of the forall at `place` of the path to these assignments, which share those before it;
 * false after a diagnostic. */
bool inserter_gather_entries(const inserter *w, int count, const MlirOperation *assigns, int place);

/* insert_tiles.c: the workspace in which tiles of a result of so many bytes or more are added up,
 * if the assignment is to such. */
void inserter_insert_tile(const inserter *w, MlirOperation assign, int64_t beyond);

#endif
