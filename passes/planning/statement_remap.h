/* statement_remap.h - statements on tensors whose levels hold expressions of dimensions.
 *
 *     y(i) = A(i,j) * x(j)       A : (i floordiv 4 : dense, j floordiv 4 : compressed,
 *                                     i mod 4 : dense, j mod 4 : dense)
 *
 *     loops ib, jb, ir, jr       A at (ib, jb, ir, jr), y at 4 ib + ir, x at 4 jb + jr
 *
 * The loops go through what the levels of one operand hold, and what others hold of further
 * variables; what all are subscripted by is recovered from them.
 *
 *     C(i,l) = A(i,j) * B(j,l)   A and B in blocks of 4 by 4
 *
 *     loops ib, jb, ir, jr, lb, lr      B at (jb, lb, jr, lr), C at 4 ib + ir, 4 lb + lr
 *
 * A counter has a loop of its own, which reduces: each entry of the operand
 * is met once, but the coordinates below come again with each of its values, in no order.
 *
 *     y(i) = A(i,j) * x(j)       A : (#i : sliced, i : dense, j : padded)
 *
 *     loops i, n, j              A at (n, i, j), y at i, x at j
 *
 * A compound subscript of a level that can only be walked is a variable of its own too (Liu et al.
 * 2024): the loops go through it where entries are, and one of the variables in it follows.
 *
 *     y(i) = x(i+k) * f(k)       x : (i : compressed)
 *
 *     loops s, i                 x at s, y at i, f at s - i
 *
 * So it is where levels hold expressions of it, A(i, j + k) in blocks: the loops go through blocks
 * of s = j + k.  Where no loops go through the levels of all operands, some are searched for what
 * follows from the loops, if that takes less than to convert them:
 *
 *     C(i,j) = A(i,j) * B(i,j)   A by rows, B in blocks     loops i, j: B searched at j floordiv 4
 */
#ifndef LACUNA_STATEMENT_REMAP_H
#define LACUNA_STATEMENT_REMAP_H

#include "remapped_loops.h"

/* The same statement in variables that its loops can go through: `s` itself where nothing is
 * remapped.  NULL where levels hold expressions that no loop is known for. */
const statement *statement_remapped(const statement *s);

/* The same with the loops over the result's first `levels` levels, each a dimension, before those
 * that operands ask for besides: as statement_remapped where there are none. */
const statement *statement_remapped_below(const statement *s, int levels);

/* The statement in loops through subscripts, if there are such and they go only where entries are,
 * over the result's first `levels` levels before others; NULL else.  There are several ways, and
 * this is the cheapest. */
const statement *statement_in_forms(const statement *s, int levels);

/* What an operand of a statement that is not walked (statement_direct.h) has its remapped levels
 * converted to: those of a coordinate list, or levels that can be located in where subscripts are
 * more than a variable; null where none is registered. */
MlirType access_plain_type(arena *memory, const access *a);

/* Whether the tin.compute is direct (statement_direct.h) if its result is ordered afterwards: then
 * it is marked to be (result_format.h). */
bool statement_reorders(arena *memory, MlirOperation op);

#endif
