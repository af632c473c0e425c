/* value_shapes.h - which values are made alike: by the same operations of the same leaves, where
 * a chain of one commutative and associative operator, and of its inverse, may stand in any order
 * and with any parentheses.
 *
 *     a * (b * c)      (c * a) * b         one shape, * of {a, b, c}
 *     a - b + c        c + a - b           one shape, + of {a, c, inverse b}
 *
 * Shapes are numbers of a table.  One table may hold those of several values: shapes are added
 * from one, and recognized in others.
 */
#ifndef LACUNA_VALUE_SHAPES_H
#define LACUNA_VALUE_SHAPES_H

#include "value_map.h"

/* Of a value whose shape the table has not; of one inside of a chain, which has none. */
enum { SHAPE_UNKNOWN = -1, SHAPE_INSIDE = -2 };

/* Which leaf a value is, from 0; SHAPE_UNKNOWN for one that nobody knows, and SHAPE_INSIDE for a
 * value that is none; shape_as for one that stands for a value of this shape. */
typedef int shape_leaf(MlirValue value, void *data);
static inline int shape_as(int shape) {
  return shape < 0 ? SHAPE_UNKNOWN : SHAPE_INSIDE - 1 - shape;
}

/* An operator and its inverse; NULL for none. */
typedef struct chain_operator {
  const char *name, *inverse;
} chain_operator;

/* `value`, or what undoes it, in a chain. */
typedef struct chain_part {
  MlirValue value;
  int shape;
  bool inverse;
} chain_part;
typedef struct chain {
  const chain_operator *op; /* NULL: the value is no chain, and there are no parts */
  int count;
  chain_part *parts; /* from left to right; the first is no inverse */
} chain;

typedef struct shape_table shape_table;
shape_table *shape_table_create(arena *memory);

/* A value with all that it is made of, operands before what uses them. */
typedef struct shaped_values {
  arena *memory;
  value_map places;
  int count;
  MlirValue *values;
  int *shapes;
} shaped_values;

/* Reads `root`; shapes that the table has not are added, if it `grows`. */
shaped_values *shape_values(shape_table *table, MlirValue root, shape_leaf *leaf, void *data,
                            bool grows);

/* The chain that a value of them is the end of. */
chain shaped_chain(const shaped_values *all, MlirValue value);

/* Whether the operation is of the tree: makes a value of it. */
bool shaped_has(const shaped_values *all, MlirValue value);

#endif
