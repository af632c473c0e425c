/* kernel_words.h - a cin.kernel or sit.kernel in words, for pictures and explanations. */
#ifndef LACUNA_KERNEL_WORDS_H
#define LACUNA_KERNEL_WORDS_H

#include "cin_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "y from A, x": the result and the operands; and one of them ("A", "operand 1"). */
const char *kernel_title(arena *memory, MlirOperation kernel);
const char *kernel_tensor_words(arena *memory, MlirOperation kernel, MlirValue tensor);

/* What a cin.remap says, in its variables: "i floordiv 4". */
const char *kernel_remap_words(arena *memory, MlirOperation remap);

/* Whether a kernel converts an operand or a result: nobody wrote it. */
bool kernel_is_conversion(MlirOperation kernel);

#ifdef __cplusplus
}
#endif
#endif
