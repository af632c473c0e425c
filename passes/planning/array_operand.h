/* array_operand.h - an operand that no windows go along, stored sparse though it has few zeros,
 * expanded into an array before windows go along others: filters.
 *
 *     Y(n,y,x,o) = X(n,y+r,x+s,c) * W(r,s,c,o)      W(r : compressed, ..., o : compressed)
 *
 *     precompute(W(r,s,c,o), {r,s,c,o}, {r_entry,s_entry,c_entry,o_entry}, W_array)
 *     reorder(r_entry,s_entry,c_entry,o_entry)
 *     reorder(y,n,r,s,x,o,c) parallelize(o,cpu_vector,no_races)
 *
 * The array is read on lanes, as X is; to that comes each entry once, and the array.  An operand
 * that windows go along is expanded a block at a time (window_expansion.h); X is, if it is padded,
 * after W.
 */
#ifndef LACUNA_ARRAY_OPERAND_H
#define LACUNA_ARRAY_OPERAND_H

#include "statement.h"

/* The commands that expand an operand of a statement whose loops are estimated to take `cost`
 * (loop_cost), where they are estimated to take clearly less with them; else NULL: also where
 * nobody says what the operand holds. */
const char *array_operand(const statement *s, double cost);

#endif
