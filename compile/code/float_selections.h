/* float_selections.h - floats that are selected without branches. */
#ifndef LACUNA_FLOAT_SELECTIONS_H
#define LACUNA_FLOAT_SELECTIONS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Has floats selected as integers of the same bits, where that is not by comparing floats: for
 * processors that move integers by a condition, and floats by a branch.  To be called on code that
 * is optimized: LLVM's passes would undo it. */
void float_selections_move_bits(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
