/* division.h - a module in the LLVM dialect as several that can be compiled side by side. */
#ifndef LACUNA_DIVISION_H
#define LACUNA_DIVISION_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modules that together define what `module` defines, each symbol in one of them: at most `most`,
 * of about the same size, in `*count`; none of them is empty.  Functions that LLVM is told are cold
 * (passthrough = ["cold"]) are in none with others that are called from elsewhere, so that they can
 * be compiled in another way; there may be two modules for that where `most` is one.  The caller
 * destroys them and frees the array; NULL, and no count, when memory runs out. `module` stays as it
 * is. */
MlirModule *division_create(MlirModule module, int most, int *count);
void division_free(MlirModule *modules, int count);

#ifdef __cplusplus
}
#endif
#endif
