/* window_expansion.h - an operand that is stored sparse though it has few zeros, or dense and
 * padded, expanded into an array in the cache, a block at a time, before windows go along it.
 *
 *     Y(i,j) = X(i+k,j+l) * W(k,l)
 *
 *     reorder(i,j,k,l) split(i,i0,i1,32) reorder(i0,i1,j,k,l)
 *     precompute(X(i+k,j+l), {i1_plus_k,j_plus_l}, {i1_plus_k,j_plus_l}, X_array)
 *
 * What reads the array is as fast as along a dense operand that is not padded, on lanes; to that
 * comes each entry, once for each block that it is in, and the array, which is emptied behind each
 * block.  The loops through entries take less where there are few of those.
 */
#ifndef LACUNA_WINDOW_EXPANSION_H
#define LACUNA_WINDOW_EXPANSION_H

#include "statement.h"

/* The commands that expand an operand of a statement whose loops are estimated to take `cost`
 * (loop_cost), where they are estimated to take clearly less with them; else NULL: also where
 * nobody says what the operand holds, or more than it is sparse. */
const char *window_expansion(const statement *s, double cost);

#endif
