/* assembly_loops.h - whether the foralls of a kernel build its result as a way asks, and which way
 * they go.
 *
 *     forall i { forall j { A[i, j] = B[i, j] } }      A : (i : dense, j : compressed)      append
 *     forall j { forall i { A[i, j] = B[i, j] } }                                           scatter
 *
 * Going down a path of foralls, the levels become known whose coordinates follow from what is
 * bound.  A forall tells the coordinates of a level, or none, which then is a reduction; that it
 * may stand where it does is what assembly.h says of the levels known so far.
 */
#ifndef LACUNA_ASSEMBLY_LOOPS_H
#define LACUNA_ASSEMBLY_LOOPS_H

#include "assembly.h"
#include "kernel_statement.h"

/* The result of a kernel, as it is built.  `graph` tells what is bound at the place that is asked
 * about. */
typedef struct assembly_loops {
  const kernel_statement *statement;
  provenance *graph;
  assembly how;
} assembly_loops;

/* The variable whose coordinate level `l` of the result holds, and the level that holds a
 * variable's; -1. */
MlirValue assembly_variable(const assembly_loops *r, int l);
int assembly_level_of(const assembly_loops *r, MlirValue variable);
/* The level that holds the variable, or a compound subscript of it alone, as 2 * i + 1: it has
 * another coordinate for each of the variable's.  -1 for none. */
int assembly_level_along(const assembly_loops *r, MlirValue variable);

/* Whether the coordinate of level `l` is known here.  A level that holds a counter that no forall
 * goes through numbers entries as they come: it is known when all others are. */
bool assembly_is_known(const assembly_loops *r, int l);
bool assembly_is_numbered(const assembly_loops *r, int l);

/* Whether coordinates of variables[0 .. count - 1] may come one right after the other, in a walk
 * whose innermost variable is `last` (assembly_comes_again). */
bool assembly_come_again(const assembly_loops *r, int count, const MlirValue *variables,
                         MlirValue last);

/* Whether the levels have variables, so that a way can be told at all. */
bool assembly_can_tell(const assembly_loops *r);

/* Whether the foralls build the result in some way that its format allows, through a workspace too;
 * `recorded`: its entries are to be recorded.  True also where it cannot be told. */
bool assembly_is_possible(const kernel_statement *s, provenance *graph, bool recorded);

/* Whether the foralls build the result in this way (`how`), while none of their variables is bound:
 * if not, a diagnostic at the first forall that may not stand where it does, and false. */
bool assembly_verify(const assembly_loops *r);

/* The way that suits the foralls best, while none of their variables is bound: the first that the
 * format allows and the foralls go by.  Nothing is appended in order where what is walked comes in
 * none, and nothing is built before its value is known where entries may be left out (`drops`), if
 * there is another way.  Where no way fits, the first. */
assembly assembly_choose(assembly_loops *r, const assembly_list *ways, bool drops);

#endif
