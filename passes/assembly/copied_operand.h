/* copied_operand.h - the operand whose entries a result has, one for one.
 *
 *     C(i,j) = A(i,j) * B(i,k) * D(k,j)      C, A by rows: all levels of A are those of C
 *     C(i,j) = A(i,j,k) * x(k)               A : i, j, k compressed, C : i, j compressed: two of A
 *     C(i,j,r) = A(i,j,k) * U(k,r)           C : i, j compressed, r dense: the same two
 *     C(i,j) = A(i,j) * M(i,j)               none, where M is sparse
 *
 * The levels of such a result are copied, and each value goes where the operand has its own: the
 * loops may go in any order in which that is found, and on any unit.
 */
#ifndef LACUNA_COPIED_OPERAND_H
#define LACUNA_COPIED_OPERAND_H

#include "kernel_statement.h"

/* A read of it; NULL where there is none. */
const tensor_read *copied_operand(arena *memory, provenance *graph, const kernel_statement *s);

#endif
