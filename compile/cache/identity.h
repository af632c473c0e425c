/* identity.h - which build of what stands in this process, as text. */
#ifndef LACUNA_IDENTITY_H
#define LACUNA_IDENTITY_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a line for each loaded file that code in this process comes from: the compiler, the
 * runtime, MLIR, LLVM, and every registered level format; its build id, or where it has none its
 * path, size and time.  Any other build of them gives another text. */
void identity_write(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
