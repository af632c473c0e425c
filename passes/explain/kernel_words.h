/* kernel_words.h - a cin.kernel or sit.kernel in words, for pictures and explanations. */
#ifndef LACUNA_KERNEL_WORDS_H
#define LACUNA_KERNEL_WORDS_H

#include "cin_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "y from A, x": the result and the operands, by their names; of a kernel. */
const char *title_words(arena *memory, const char *result, int count, const char *const *operands);
const char *kernel_title(arena *memory, MlirOperation kernel);

/* The name of an index variable. */
const char *variable_words(arena *memory, MlirValue variable);

/* "A(i,j)": what a cin.read or cin.assign accesses, "..." for subscripts that are no variable. */
const char *access_words(arena *memory, MlirOperation kernel, MlirOperation access);

/* What a cin.remap says, in its variables: "i floordiv 4". */
const char *kernel_remap_words(arena *memory, MlirOperation remap);

#ifdef __cplusplus
}
#endif
#endif
