/* subscript.h - one subscript of an access: an affine expression of index variables. */
#ifndef LACUNA_SUBSCRIPT_H
#define LACUNA_SUBSCRIPT_H

#include "provenance.h"

#include <mlir-c/AffineExpr.h>

/* `expression` is over the dimensions d0, d1, ..., which stand for `variables`. */
typedef struct subscript {
  MlirAffineExpr expression;
  intptr_t count;
  const MlirValue *variables;
  bool padded; /* it may be out of its dimension */
} subscript;

/* The subscripts of `op` (cin.read, cin.assign), in `memory`; `*count` tells how many. */
const subscript *subscripts_of(arena *memory, MlirOperation op, intptr_t *count);

/* The variable that the subscript is; null where it is compound. */
MlirValue subscript_variable(const subscript *s);
bool subscript_is_compound(const subscript *s);

bool subscript_equal(const subscript *s, const subscript *t);
bool subscript_mentions(const subscript *s, MlirValue variable);

/* "i", "2 * i + k", in `memory`. */
const char *subscript_text(arena *memory, const subscript *s);

/* Whether the subscript's coordinate follows from the variables bound, and the coordinate,
 * emitted. */
bool subscript_is_known(const subscript *s, const provenance *graph);
MlirValue subscript_coordinate(const subscript *s, provenance *graph, builder *b);

/* The least and greatest values that `expression` takes where variable number n goes from 0 to
 * extents[n] - 1, emitted; beyond any dimension where they do not fit 64 bits. */
typedef struct subscript_range {
  MlirValue low, high;
} subscript_range;
subscript_range subscript_emit_range(builder *b, MlirAffineExpr expression,
                                     const MlirValue *extents);

#endif
