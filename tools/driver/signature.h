/* signature.h - the types of a function in a module, as texts. */
#ifndef LACUNA_SIGNATURE_H
#define LACUNA_SIGNATURE_H

#include "arena.h"
#include "compiler.h"

#include <stdint.h>

/* One argument or result: a tensor type. */
typedef struct signature_tensor {
  const char *name;   /* of an argument its attribute tin.name, else arg0, arg1, ...; of results
                         result0, ... */
  const char *type;   /* as text */
  const char *format; /* the text of its #tin.format; NULL for order 0 */
  int order;
  int32_t element; /* lac_type */
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

#endif
