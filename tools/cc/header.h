/* header.h - the C header of compiled functions:
 *
 *     // y  result   f64 [?]      (i) -> (i : dense)
 *     // A  operand  f64 [? x ?]  (i, j) -> (i : dense, j : compressed)
 *     int32_t spmv(lac_tensor *y, const lac_tensor *A, const lac_tensor *x);
 */
#ifndef LACUNA_CC_HEADER_H
#define LACUNA_CC_HEADER_H

#include "signature.h"

typedef struct header {
  const char *file;   /* its own name, from which its guard is made */
  const char *source; /* what was compiled, for its reader: an expression or a file */
  bool threads;       /* it needs OpenMP's library */
  int function_count;
  const signature *const *functions;
  MlirContext context; /* that of the types of the functions, whose level formats are known */
} header;

/* Whether a function may have this name in C and in C++, beside those of the runtime. */
bool header_takes_name(const char *name);

/* The text of the header, which the caller frees; NULL when memory runs out. */
char *header_text(const header *h);

#endif
