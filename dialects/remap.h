/* remap.h - levels that hold an expression of dimensions, taken apart one operation at a time.
 *
 *     i floordiv 4     QUOTIENT      coordinates 0 .. ceil(M / 4) - 1
 *     i mod 4          REMAINDER     coordinates 0 .. 3
 *     2*i - j + 1      LINEAR        coordinates 2*i - j + 1 + (N - 1): a negative term, and a
 *                                    negative constant, are counted from their least
 *     #i               COUNTER       0, 1, ... for the first, second, ... stored entry of that i
 *
 * What a quotient, a remainder or a term is of may be an expression again: (i floordiv 4) mod 4.
 * Which dimensions follow from which levels, passes/relations says (coordinate recovery).  A
 * counter (Chou et al. 2020, section 3) says nothing about where an entry stands: it is known where
 * it is stored alone.
 */
#ifndef LACUNA_REMAP_H
#define LACUNA_REMAP_H

#include "arena.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum remap_kind {
  REMAP_NONE, /* a dimension alone, or what no level holds */
  REMAP_QUOTIENT,
  REMAP_REMAINDER,
  REMAP_LINEAR,
  REMAP_CONSTANT,
  REMAP_COUNTER
} remap_kind;

/* What an expression does last: with `of` by `size` (quotient, remainder), with its `count` terms
 * and its constant (linear, or a constant alone), with the entries of the
 * dimension number `dimension` (counter). */
typedef struct remap {
  remap_kind kind;
  MlirAffineExpr expression;
  MlirAffineExpr of;
  int64_t size;
  int count;
  int64_t constant;
  int dimension;
} remap;

typedef struct remap_term {
  MlirAffineExpr of;
  int64_t factor;
} remap_term;

/* The one form of all expressions that are equal by these laws, so that they are told by
 * mlirAffineExprEqual; the expression itself where no level can hold it.
 *
 *     j + i                   i + j
 *     (i floordiv a) floordiv b          i floordiv ab
 *     (i mod ab) floordiv a              (i floordiv a) mod b
 *     i ceildiv a                        (i + a - 1) floordiv a
 */
MlirAffineExpr remap_canonical(MlirAffineExpr expression);

/* Takes a canonical expression apart; false where it is a dimension alone, or none of these. */
bool remap_of(MlirAffineExpr expression, remap *r);
remap_term remap_term_at(const remap *r, int n);
/* The parts that it is of, in order: `of`, or the terms; how many, and one. */
int remap_part_count(const remap *r);
MlirAffineExpr remap_part(const remap *r, int n);

/* The same of other parts; of none that is a counter. */
MlirAffineExpr remap_of_parts(const remap *r, const MlirAffineExpr *parts);

/* The dimension that `expression` counts the entries of; -1 where it is no counter. */
int remap_counted(MlirAffineExpr expression);

/* Whether it is of this dimension and no other. */
bool remap_is_of_alone(const remap *r, int dimension);

/* Whether it is a linear form of two dimensions or more with the dimension in it, once and by a
 * factor of 1 or -1, and of dimensions alone: `dimension` follows from it and the others. */
bool remap_solves(MlirAffineExpr expression, int dimension);

/* Whether it is a linear form of dimensions alone; and one with nothing negative in it, so that
 * what it is counted from is zero. */
bool remap_is_form(MlirAffineExpr expression);
bool remap_is_counted_from_zero(MlirAffineExpr expression);

/* Whether `upper` is a digit of the same number as `lower`, and of a higher place: i floordiv 16,
 * (i floordiv 4) mod 4, i mod 4.  They ascend together in loops in this order. */
bool remap_is_digit_above(MlirAffineExpr upper, MlirAffineExpr lower);

/* The expression with other ones in place of its dimensions, and of a counter's; canonical. */
MlirAffineExpr remap_replace(MlirAffineExpr expression, intptr_t count,
                             const MlirAffineExpr *dimensions);

/* What to call the variable that a canonical expression of dimensions with these names is:
 * "i_block", "i_in", "j_i" for j - i, "i_x2_plus_j", "i_slot"; the constant of a form is not in it.
 * A constant alone is "at_2", or "at_minus_2". */
const char *remap_name(arena *memory, MlirAffineExpr expression, const char *const *dimensions);
const char *remap_constant_name(arena *memory, int64_t constant);

/* The last coordinate, where dimension d goes up to last[d]; INT64_MAX where it is not known. */
int64_t remap_last(MlirAffineExpr expression, const int64_t *last);

#ifdef __cplusplus
}
#endif
#endif
