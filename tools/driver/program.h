/* program.h - statements separated by semicolons, and which tensor of one is which of another.
 *
 *     w(i) = A(i,j) * x(j);  s = w(i) * w(i)
 *
 *     operands    A x           what no statement before has made
 *     results     w s           one a statement
 *     statements  w of A x;  s of result 0
 *
 * A name that a statement makes again stands for the new tensor from then on.  Index variables are
 * their statement's own.
 */
#ifndef LACUNA_PROGRAM_H
#define LACUNA_PROGRAM_H

#include "einsum_parser.h"

typedef struct program_statement {
  const char *text; /* of the statement alone */
  const einsum *e;
  int *operands;  /* of each of e->tensors its number among the operands; -1 where it is a result */
  int *makers;    /* and the statement whose result it is, or -1 */
  bool is_hidden; /* a later statement makes a tensor of the same name */
} program_statement;

typedef struct program_operand {
  const char *name;
  int order;
} program_operand;

typedef struct program {
  int statement_count, operand_count;
  program_statement *statements;
  program_operand *operands;
} program;

/* Takes a text apart.  The program lives in `memory`; NULL, with a message in one line there, where
 * a statement does not parse or has a tensor with another number of subscripts than before. */
const program *program_parse(arena *memory, const char *text, const char **error);

/* The number of the operand of that name, or of the last statement with such a result; or -1. */
int program_find_operand(const program *p, const char *name);
int program_find_result(const program *p, const char *name);

#endif
