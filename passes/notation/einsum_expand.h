/* einsum_expand.h - a parsed statement as the body of a tin.compute.
 *
 * Which sums an expression stands for: every term of a sum is reduced over those of its variables
 * that the result does not have, and counts once where it has none of them; a product, a quotient,
 * a negation and the value of a function belong to one term.
 *
 *     y(i) = b(i) - A(i,j) * x(j)             b_i - sum_j A_ij x_j
 *     y(i) = (A(i,j) + B(i,j)) * x(j)         sum_j (A_ij + B_ij) x_j
 *     y(i) = c(i) * (b(i) + A(i,j) * x(j))    c_i (b_i + sum_j A_ij x_j)
 *     y(i) = exp(A(i,j))                      sum_j exp(A_ij)
 *     y(i) = A(i,j) + b(i) + B(i,j)           sum_j (A_ij + B_ij) + b_i
 *
 * Terms over the same variables share one reduction, where that means the same.  What several
 * values of the variables in compound subscripts of the result come to is added up around them all:
 * with s = i + k, which is a variable of its own,
 *
 *     y(i+k) = a(i) * b(k)                    y_s = sum_i,k a_i b_k, at the i and k that come to s
 *     D(i,i) = x(i)                           D_i,s = x_i, at s = i + once, once < 1
 */
#ifndef LACUNA_EINSUM_EXPAND_H
#define LACUNA_EINSUM_EXPAND_H

#include "einsum_parser.h"
#include "semiring.h"

#include <mlir-c/AffineMap.h>

/* A body under construction. */
typedef struct einsum_body {
  arena *memory;
  const einsum *statement;
  const semiring *ring;
  builder *b;               /* stands at the end of `block` */
  MlirBlock block;          /* gets an argument for each distinct access, when that is first used */
  MlirType element;         /* what is computed in: that of the result */
  const MlirType *elements; /* of each tensor of the statement */

  /* Made along the way: the accesses of the block's arguments, in their order, and all index
   * variables: those of the statement and then copies, where one variable stands for several sums.
   */
  int access_count, access_room;
  const einsum_access **accesses;
  MlirValue *arguments;
  MlirValue *values; /* as they were cast last */
  int variable_count, variable_room;
  const char **variables;
  int *copied;                 /* for each variable the one that it is or is a copy of */
  einsum_access result_access; /* of variables alone: a compound subscript is one of its own */
  int *subscripts;             /* of the result's dimensions: that variable, or -1 */
  einsum_subscript *forms;     /* of the same: what compound subscripts are */
  int once; /* the variable, of extent 1, by which a repeated subscript is compound; -1: none is */
} einsum_body;

/* Emits the expression of the statement with its reductions.  The value, or null after a
 * diagnostic at the builder's location. */
MlirValue einsum_body_emit(einsum_body *body);

#endif
