/* held_policy.h - by which policy workspaces keep their entries, of what operands are said to hold
 * (tin.holds; docs/workspaces.md). */
#ifndef LACUNA_HELD_POLICY_H
#define LACUNA_HELD_POLICY_H

#include "cin_kernel.h"
#include "level_format.h"

/* Whether a variable has far more coordinates than the operands that have it have entries, of which
 * each coordinate of a result comes. */
bool held_is_hypersparse(arena *memory, MlirOperation kernel, MlirValue variable);

/* The policy that gathers entries along a variable where an array of all its coordinates would take
 * longer to be there than the kernel takes; NULL where not, also where nothing tells. */
const level_format *held_policy_along(arena *memory, MlirOperation kernel, MlirValue variable);

/* Whether so many entries fill much of so many places. */
bool held_fills(double places, double entries);

/* Whether entries are sorted where they are in the caches, so many of them together in an iteration
 * of the outermost loops. */
bool held_are_sorted_in_caches(double entries, double together);

/* Whether an operand that has the variable is so full that what a step adds along it fills much of
 * its coordinates, one next to the other. */
bool held_adds_full_rows(arena *memory, MlirOperation kernel, MlirValue variable);

/* The policy that gathers the entries of the result which several levels are known of inside of a
 * sum alone; NULL where they had better be recorded, also where nothing tells.  `bytes` of memory
 * are there for that; 0: enough. */
const level_format *held_policy_of_result(arena *memory, MlirOperation kernel, int64_t bytes);

#endif
