/* parents.h - how many positions of the level above have theirs begin before one, sought near where
 * the last ones were found. */
#ifndef LACUNA_PARENTS_H
#define LACUNA_PARENTS_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many positions the level above level k has; one above the first. */
MlirValue positions_above(storage *s, int k);

/* Whether the loop asks for such itself, not one inside of it. */
bool parents_are_sought(MlirOperation coiterate);

/* Before a loop that does, in the code of one thread: what is found in one iteration the next one
 * seeks from.  And behind it, given what `parents_begin` gave. */
struct found_parents *parents_begin(lowering *k, MlirOperation coiterate);
void parents_end(lowering *k, struct found_parents *before);

#ifdef __cplusplus
}
#endif
#endif
