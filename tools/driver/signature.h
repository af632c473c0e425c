/* signature.h - the types of a function in a module, as texts. */
#ifndef LACUNA_SIGNATURE_H
#define LACUNA_SIGNATURE_H

#include "arena.h"
#include "compiler.h"

#include <stdint.h>

/* One argument or result. */
typedef struct signature_tensor {
  const char *name;   /* its attribute tin.name, else arg0, arg1, ... or result0, ... */
  const char *type;   /* as text */
  const char *format; /* the text of its #tin.format; NULL for order 0 and for what is no tensor */
  int order;
  int32_t element;           /* lac_type; -1 for what is no tensor with a #tin.format */
  const int64_t *dimensions; /* static sizes, -1 where it is dynamic */
} signature_tensor;

typedef struct signature {
  const char *function;
  int argument_count, result_count;
  signature_tensor *arguments, *results;
} signature;

/* The signature of the function `entry` (NULL: `main`, or the only public function) of a module, in
 * the arena. NULL with a message in `*error` (in the arena) where there is none, or where it takes
 * or gives something else than tensors. */
const signature *signature_of(arena *memory, MlirModule module, const char *entry,
                              const char **error);

/* The signatures of all public functions of a module that have a body, in the arena. */
const signature *const *signature_list(arena *memory, MlirModule module, int *count);

#endif
