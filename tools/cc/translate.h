/* translate.h - from what the command line says to the module's text, and to the code made of it.
 */
#ifndef LACUNA_CC_TRANSLATE_H
#define LACUNA_CC_TRANSLATE_H

#include "cc_options.h"
#include "compiler.h"
#include "signature.h"

typedef struct translation {
  const cc_options *o;
  compiler *c;
  arena *memory;
  char *text; /* of the module */
  const signature *const *functions;
  int function_count;
} translation;

/* Reads or writes the module, and lists its functions.  False with a message on stderr.
 * translation_end frees what was made. */
bool translation_begin(translation *t, const cc_options *o, compiler *c);
void translation_end(translation *t);

/* The module as `rung` (emit.h), `*size` bytes that the caller frees; NULL with a message on
 * stderr. */
char *translation_emit(translation *t, const char *rung, size_t *size);

#endif
