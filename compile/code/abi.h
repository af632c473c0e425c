/* abi.h - code that was compiled asks for the runtime that it was compiled for.
 *
 * What generated code and the runtime agree on (the layout of lac_tensor, the functions of
 * lac_kernel.h) has a number, LAC_ABI_VERSION, and the runtime defines a symbol with that number in
 * its name, lac_runtime_abi_3.  Code refers to it: linked or loaded with a runtime of another
 * number it is refused by the linker or the loader, before any of it runs.
 */
#ifndef LACUNA_ABI_H
#define LACUNA_ABI_H

#include <llvm-c/Types.h>

/* Makes the module ask for the runtime, if it calls any of its functions. */
void abi_require(LLVMModuleRef module);

#endif
