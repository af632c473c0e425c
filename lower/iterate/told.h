/* told.h - entries of a result that an operand has one for one, so that its positions tell where
 * they go.
 *
 *     sit.coiterate over %m as i                B : (i : dense, j : compressed), and A so:
 *       sit.locate %B level 0 at %i             an entry of A level 1 for each of B level 1:
 *       sit.coiterate %B level 1 as j           those of row i begin in A where they do in B
 *         sit.append %A level 1 at %j
 *
 * What is appended only where something was below it has an entry for each of the operand's that
 * has any: those are counted, of the levels above alone.
 *
 *     sit.coiterate %B level 0 as %i            i   0   1   2        B : compressed, compressed
 *       sit.coiterate %B level 1 as %j          j  0 2  -   1        A has an entry for i = 0, 2
 *         sit.append %A level 1 at %j
 *       if there were any: sit.append %A level 0 at %i
 *
 * What threads have gathered in a workspace, once it is merged, tells as an operand does.
 *
 * So are those which a workspace has that is filled at all of its coordinates wherever there is
 * one.
 */
#ifndef LACUNA_TOLD_H
#define LACUNA_TOLD_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The level of an operand that has as many entries, in the same order: those which have any of
 * level `leaf` below, where that is another one; or so many (`times`, of sit; null: one) for each
 * of these, or, with `once`, one where that is not 0. */
typedef struct told_level {
  MlirValue tensor;
  int level, leaf;
  MlirValue times;
  bool once;
} told_level;

/* Whether that is so of each level of the result that is appended to in the loop, and by which
 * levels (an array of the arena, with an element for each level of the result, of which those are
 * set). */
bool told_levels(lowering *k, MlirOperation loop, told_level **levels);

#ifdef __cplusplus
}
#endif
#endif
