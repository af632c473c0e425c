/* inputs.h - the tensors of an expression: what the command line, the files and each other say of
 * them. */
#ifndef LACUNA_RUN_INPUTS_H
#define LACUNA_RUN_INPUTS_H

#include "einsum_parser.h"
#include "lac_tensor.h"
#include "options.h"

typedef struct run_tensor {
  const char *name;
  int order;
  int *variables; /* for each dimension the variable that subscripts it bare, or -1 */
  int32_t type;   /* lac_type */
  char *format;   /* the text of the #tin.format that the kernel takes; NULL for order 0 */
  char *source;   /* that of what was read, NULL where it is the same */
  lac_tensor read, stored;
} run_tensor;

typedef struct inputs {
  const einsum *statement;
  run_tensor *operands; /* statement->tensor_count of them */
  run_tensor result;
  int64_t *wanted;  /* of each variable what -d says, or -1 */
  int64_t *extents; /* of each variable; -1 where only the kernel will know */
} inputs;

/* Takes names, formats, types and sizes from the options, reads or makes the operands, and settles
 * the extents of the variables.  With `only_types`, operands that have no file are left empty.
 * False with a message on stderr.  inputs_free frees everything but the statement. */
bool inputs_gather(inputs *in, const einsum *statement, const options *o, arena *memory,
                   bool only_types);
void inputs_free(inputs *in);

/* The bytes of all arrays of a stored tensor, and the number of its stored values. */
int64_t stored_bytes(const lac_tensor *t);
int64_t stored_values(const lac_tensor *t);

#endif
