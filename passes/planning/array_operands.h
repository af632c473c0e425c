/* array_operands.h - operands that are copied before, as a whole, into arrays that loops read on
 * lanes.
 *
 *     Y(i,k) = A(i,j) * B(k,j)                      k on lanes: B is stored along j
 *
 *     precompute(B(k,j), {j,k}, {j_before,k_before}, B_array)
 *
 * Each number is copied once, to be read again and again: an array is only worth that where it is.
 * So are operands that are stored sparse though they have few zeros, where windows go along others:
 * filters.
 *
 *     Y(n,y,x,o) = X(n,y+r,x+s,c) * W(r,s,c,o)      W(r : compressed, ..., o : compressed)
 *
 *     precompute(W(r,s,c,o), {r,s,c,o}, {r_before,s_before,c_before,o_before}, W_array)
 *     reorder(r_before,s_before,c_before,o_before)
 *     reorder(y,n,r,s,x,o,c) parallelize(o,cpu_vector,no_races)
 *
 * An operand that windows go along is expanded a block at a time (window_expansion.h); X is, if it
 * is padded, after W.
 */
#ifndef LACUNA_ARRAY_OPERANDS_H
#define LACUNA_ARRAY_OPERANDS_H

#include "statement.h"

/* The commands that copy operands of a statement, whose loops in `order` are estimated to take
 * `cost` (loop_cost), where that is clearly worth it; else NULL: also where nobody says what the
 * operands hold. */
const char *array_operands(const statement *s, const int *order, double cost);

#endif
