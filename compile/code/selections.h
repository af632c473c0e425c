/* selections.h - where code selects, no branch would be predicted (select.c): none is made. */
#ifndef LACUNA_SELECTIONS_H
#define LACUNA_SELECTIONS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks all selections of the module as unpredictable, so that LLVM leaves them so. */
void selections_keep(LLVMModuleRef module);

/* Has floats selected as integers of the same bits, where that is not by comparing floats: for
 * processors that move integers by a condition, and floats by a branch.  To be called on code that
 * is optimized: LLVM's passes would undo it. */
void selections_move_bits(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
