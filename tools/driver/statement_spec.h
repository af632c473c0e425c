/* statement_spec.h - statements with the formats of their tensors, as a module of three kinds of
 * functions:
 *
 *     @kernel      the statements themselves, one after the other
 *     @pack_N      argument N from the form in which a file was read (a coordinate list, a dense
 *                  array); one that is packed as an argument before it calls that one's
 *     @unpack_S    the result of statement S as a coordinate list, to be written or compared
 *
 * All of them are compiled from the same tables: packing is a tin.convert.  The arguments of
 * @kernel are the operands that no statement makes, each once, in the order in which they appear;
 * it returns the statements' results.
 */
#ifndef LACUNA_STATEMENT_SPEC_H
#define LACUNA_STATEMENT_SPEC_H

#include "lac_tensor.h"

#include <stdbool.h>

/* How many numbers tell what a tensor holds, at most. */
#define STATEMENT_HOLDS(order) (3 * (order) + 1)

typedef struct statement_tensor {
  const char *name;
  int order;
  const char *format; /* the text of a #tin.format; NULL for dense, row-major */
  const char *source; /* the format that it is packed from; NULL where it needs no packing */
  int32_t type;       /* lac_type */
  int64_t
      *dimensions; /* a static size for each dimension, -1 where it is dynamic; NULL: all dynamic */
  const int64_t *
      holds; /* of an operand about how many entries, then each size, then the most entries with
                one coordinate of each dimension, and over how many coordinates of each they are
                spread, 0 for not known (tin.holds): STATEMENT_HOLDS numbers; NULL: nothing is known
              */
} statement_tensor;

typedef struct statement_spec {
  const char *expression; /* NULL: the first operand itself, converted */
  const char *semiring;   /* NULL: plus_times */
  int operand_count;
  statement_tensor *operands; /* in the order of tin.einsum */
  const int *makers; /* of each operand the statement before this one whose result it is, or -1;
                        NULL: none is one */
  statement_tensor result; /* `source` is the format that @unpack makes; NULL for no @unpack */
  bool is_hidden;          /* the function does not return this result */
  bool unpack_drops;       /* @unpack leaves out what equals the value where nothing is stored */
  const char *name;        /* of the function, whose arguments and result then carry their names as
                              tin.name; NULL: @kernel.  Of the first statement, as is drop_zeros */
  const char **fills; /* of each operand and last of the result the value where nothing is stored,
                         as an attribute's text; NULL: zero */
  bool drop_zeros;    /* pack and compute without storing that value */
  int variable_count; /* of the expression, with the sizes that are stated, or -1 */
  const char **variables;
  const int64_t *extents;
} statement_spec;

/* The text of the module of `count` statements; @kernel alone without `conversions`. The caller
 * frees it; NULL when memory runs out. */
char *statements_text(const statement_spec *list, int count, bool conversions);

/* That of one. */
char *statement_text(const statement_spec *p, bool conversions);

/* A module with one function @name that converts a tensor of one type, as text, to another;
 * messages call it `tensor`.  The caller frees it. */
char *statement_conversion_text(const char *name, const char *from, const char *to, bool drop_zeros,
                                const char *tensor);

/* The type of a tensor in IR, stored as `format`; the caller frees it. */
char *statement_type_text(const statement_tensor *tensor, const char *format);

#endif
