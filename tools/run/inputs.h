/* inputs.h - the tensors of a program: what the command line, the files and each other say of them.
 */
#ifndef LACUNA_RUN_INPUTS_H
#define LACUNA_RUN_INPUTS_H

#include "lac_file.h"
#include "lac_tensor.h"
#include "program.h"
#include "run_options.h"

typedef struct run_tensor {
  const char *name;
  int order;
  int32_t type;        /* lac_type */
  char *format;        /* the text of the #tin.format that the kernel takes; NULL for order 0 */
  char *source;        /* that of what was read, or is to be written; NULL where it is the same */
  bool pads;           /* a result whose format stores values where there are none */
  int64_t *dimensions; /* -1 where only the kernel will know */
  bool *exact;         /* of each dimension; else it may be larger */
  int64_t read_dimensions[LAC_FILE_ORDER]; /* of each level of what was read */
  struct held_count *counts;               /* of each dimension (holds.c); NULL: not counted */
  lac_tensor read, stored; /* an operand as it was read; what the kernel takes or makes */
  lac_tensor listed; /* a result as it is written and compared, where that is not as it is stored */
} run_tensor;

typedef struct run_statement {
  const char *text;
  const einsum *e;
  run_tensor **operands; /* of each of e->tensors */
  const int *makers;     /* and the statement whose result it is, or -1 */
  run_tensor *result;
  int **variables;  /* of each operand and last of the result, for each dimension the variable that
                       subscripts it bare, or -1 */
  int64_t *wanted;  /* of each variable what -d says, or -1 */
  int64_t *extents; /* of each variable; -1 where only the kernel will know */
  bool *exact;      /* of each variable; else its extent may be larger */
} run_statement;

typedef struct inputs {
  int statement_count, operand_count;
  run_statement *statements;
  run_tensor *operands, *results; /* of the program, and one of each statement */
} inputs;

/* Takes names, formats, types and sizes from the options, reads or makes the operands, and settles
 * the extents of the variables.  With `only_types`, operands that have no file are left empty.
 * False with a message on stderr.  inputs_free frees everything but the program. */
bool inputs_gather(inputs *in, const program *p, const options *o, arena *memory, bool only_types);
void inputs_free(inputs *in);

/* A result as it can be written and compared, and its format. */
const lac_tensor *run_tensor_listed(const run_tensor *t);
const char *run_tensor_listed_format(const run_tensor *t);

/* The number of values that a stored tensor has. */
int64_t stored_values(const lac_tensor *t);

#endif
