/* kernel_statement.h - the statement of a cin.kernel, read once: its tensors, accesses, iterators,
 * scalar expressions, and the tree of foralls and wheres over its assignments.
 *
 *     cin.forall %i {                          FORALL i
 *       cin.where {                              WHERE t
 *         cin.assign %y[%i] = (read %t)            consumer:  y(i) = t
 *       } producing %t {                           producer:  FORALL j
 *         cin.forall %j {                                       t add= A(i,j) * x(j)
 *           cin.assign %t[] add %p } } }
 */
#ifndef LACUNA_KERNEL_STATEMENT_H
#define LACUNA_KERNEL_STATEMENT_H

#include "algebra.h"
#include "expression.h"
#include "iterator.h"
#include "tin.h"

typedef struct assignment assignment;
typedef enum tensor_role { TENSOR_OPERAND, TENSOR_RESULT, TENSOR_WORKSPACE } tensor_role;

typedef struct tensor {
  int number;
  tensor_role role;
  const char *name;
  MlirValue source; /* in the cin.kernel */
  MlirValue value;  /* in the sit.kernel: the tensor, or a scalar workspace's variable */
  MlirValue any;    /* and whether anything has come to that, a variable; null: it is not asked */
  MlirType type;
  const tensor_format *format;
  scalar fill; /* where nothing is stored; for a workspace or reduced result before anything is */
  MlirAttribute fill_attribute; /* null for zero */
  MlirOperation op;             /* cin.workspace */
  int assignment_count;         /* of a workspace or the result */
  const assignment **assignments;
  bool stands_apart; /* made where the blocks are known that its subscripts are places in */
  bool is_taken;     /* a workspace each place of which is cleared as it is read */
} tensor;

/* Whether a workspace is dense and small: it lies in registers, and has no level to be walked. */
bool tensor_in_registers(const tensor *t);

/* A read of a tensor, at one subscript for each dimension and one iterator for each level. */
typedef struct tensor_read {
  int number;
  MlirOperation op;
  const tensor *tensor;
  intptr_t rank;
  const subscript *subscripts;
  const iterator **iterators;
  bool pads; /* out of range it is `pad`, where nothing is stored the fill, which is another */
  scalar pad;
} tensor_read;

struct assignment {
  MlirOperation op;
  tensor *target;
  intptr_t rank;
  const subscript *subscripts;
  const expression *value;
  tin_reduction kind; /* none for a plain assignment */
  scalar identity;    /* of a reduction */
  MlirAttribute identity_attribute;
};

typedef enum index_statement_kind {
  STATEMENT_FORALL,
  STATEMENT_WHERE,
  STATEMENT_ASSIGNMENT
} index_statement_kind;
typedef struct index_statement index_statement;

/* Straight-line code: its statements run one after the other. */
typedef struct block {
  int count;
  const index_statement **statements;
} block;

struct index_statement {
  index_statement_kind kind;
  MlirOperation op;
  MlirValue variable; /* FORALL */
  block body;         /* FORALL; WHERE: the consumer */
  block producer;     /* WHERE */
  tensor *workspace;  /* WHERE */
  assignment *assignment;
};

typedef struct kernel_statement {
  arena *memory;
  MlirOperation kernel;
  int tensor_count;
  tensor **tensors;
  tensor *result;
  int access_count;
  tensor_read **accesses;
  iterator_list iterators;
  expression_table *expressions;
  block body;
} kernel_statement;

/* Reads `kernel`, a cin.kernel.  NULL after a diagnostic where it holds what the code generator
 * has no rules for.  All in `memory`. */
kernel_statement *kernel_statement_read(arena *memory, MlirOperation kernel);

/* The variable whose coordinates `level` holds at these subscripts, one for each of the dimensions:
 * that of the subscript, or the cin.remap of it; null where there is none. */
MlirValue level_variable(const kernel_statement *s, const format_level *level, intptr_t rank,
                         const subscript *subscripts);

/* The assignments that take effect in a block: those in foralls and in consumers of wheres, not
 * those in producers, which only serve.  In program order, in `memory`. */
typedef struct effects {
  int count;
  const assignment **assignments;
} effects;
effects block_effects(arena *memory, const block *b);

/* Whether some assignment in the block (producers too) is to `target`. */
bool block_assigns(const block *b, const tensor *target);

#endif
