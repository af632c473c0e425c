/* structure.h - which workspaces have values that nobody asks for, while the entries of a result
 * are counted.
 *
 *     w(j) += B(i,k) * C(k,j)         inserted: it is counted how many j there are
 *     A(i,j) = w(j)                   appended to A, which has no values yet
 */
#ifndef LACUNA_STRUCTURE_H
#define LACUNA_STRUCTURE_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether nothing but values of the kernel's result, and of other such workspaces, comes of the
 * values of a sit.workspace. */
bool structure_is_all(const lowering *k, MlirOperation workspace);

/* Whether its coordinates, of one level, are walked by themselves: entries that are counted need be
 * in no order. */
bool structure_is_walked_alone(MlirOperation workspace);

#ifdef __cplusplus
}
#endif
#endif
