/* expression.h - the scalar expressions of a kernel's assignments, over accesses and constants.
 *
 * Expressions are shared: what is made of the same parts is one expression (hash-consing), numbered
 * so that operands come before what uses them.  A question about an expression looks at each part
 * once, by number, however often it is used, and no walk recurs.
 *
 * What is absent simplifies it: with nothing of B stored at a coordinate,
 *
 *     B(i,j) * C(i,j) + D(i,j)  ->  D(i,j)        exp(B(i,j))  ->  1
 *
 * and a temporary whose producer has nothing to add is the identity of its reduction.
 */
#ifndef LACUNA_EXPRESSION_H
#define LACUNA_EXPRESSION_H

#include "algebra.h"
#include "arena.h"

#include <stdbool.h>

struct tensor_read;
struct kernel_statement;
struct tensor;

typedef enum expression_kind {
  EXPRESSION_CONSTANT,
  EXPRESSION_SCALAR,    /* a scalar operand of the kernel */
  EXPRESSION_ACCESS,    /* a read */
  EXPRESSION_PADDING,   /* one where nothing is stored: in range its fill, else another value */
  EXPRESSION_TEMPORARY, /* a read of a workspace still to be produced: operands are its producers'
                         */
  EXPRESSION_OPERATION
} expression_kind;

typedef struct expression expression;
struct expression {
  expression_kind kind;
  int number; /* its place in the table */
  MlirType type;
  scalar constant;
  bool absent;                      /* CONSTANT: because nothing is stored there */
  const struct tensor *tensor;      /* SCALAR */
  const struct tensor_read *access; /* ACCESS, PADDING, TEMPORARY */
  MlirOperation op;                 /* OPERATION, to be cloned; null for a new `name` */
  const char *name;
  const algebra_operator *rule;
  int count;
  const expression **operands;
  const expression *alike; /* the same, of constants that are not told to be absent */
};

/* The expressions of a kernel, operands before what uses them. */
typedef struct expression_table {
  arena *memory;
  int count;
  const expression **all; /* by number */
  int slot_count;
  int *slots; /* of a hash table: numbers, from 1 */
} expression_table;

/* The table's expression that is made of the same parts as `made`, which is copied where there is
 * none yet; its operands are of the table. */
const expression *expression_share(expression_table *table, const expression *made);

/* What is known to be absent: iterators without an entry, by number; and the workspaces that have
 * been produced, by tensor number, which are read as they are. */
typedef struct absence {
  arena *memory;
  const struct kernel_statement *statement;
  const bool *iterators;
  const bool *produced;
  const expression **done; /* what was simplified before, by number; NULL: not remembered */
} absence;

/* The expression with what is absent replaced by its fill and folded away.  Gives `e` itself where
 * nothing changes. */
const expression *expression_simplify(const absence *known, const expression *e);

/* Room for `done`. */
const expression **expression_memory(const absence *known);

/* Whether they are made of the same parts. */
bool expression_equal(const expression *e, const expression *f);
bool expression_is_constant(const expression *e, const scalar *value);
/* Whether `is` says so of some part of the expression; each is asked at most once. */
bool expression_any(const expression_table *table, const expression *e,
                    bool (*is)(const expression *part, void *data), void *data);
/* Whether the expression reads the tensor. */
bool expression_reads(const expression_table *table, const expression *e,
                      const struct tensor *tensor);
/* Whether the expression is linear in its one read of the tensor. */
bool expression_is_linear(const expression_table *table, const expression *e,
                          const struct tensor *tensor);

/* Emits the expression; `read` emits a read of an access, `padding` what one is where nothing is
 * stored, `scalar` gives a scalar operand, `stored`
 * whether there is an entry (cin.stored); `operation`, where not NULL, gives what takes the place
 * of an operation's value on operands.  A null value after a diagnostic. */
typedef struct expression_reader {
  void *data;
  MlirValue (*read)(void *data, const struct tensor_read *access);
  MlirValue (*padding)(void *data, const struct tensor_read *access);
  MlirValue (*scalar)(void *data, const struct tensor *tensor);
  MlirValue (*stored)(void *data, const struct tensor_read *access);
  MlirValue (*operation)(void *data, const expression *e, const MlirValue *operands,
                         MlirValue value);
} expression_reader;
MlirValue expression_emit(const expression_table *table, builder *b, const expression *e,
                          const expression_reader *reader);

#endif
