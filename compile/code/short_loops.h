/* short_loops.h - loops over entries that carry vectors are short, and do much in an iteration. */
#ifndef LACUNA_SHORT_LOOPS_H
#define LACUNA_SHORT_LOOPS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks the loops of the module that carry a vector as not to be unrolled where the number of their
 * iterations is not known: the test for what is left over costs more than it saves. */
void short_loops_mark(LLVMModuleRef module);

/* For a module that is to be compiled fast: LLVM's unroller then takes the loops of one block that
 * write, as the one that closes rows does, and leaves all others as they are. */
void loops_unroll_little(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
