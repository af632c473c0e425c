/* assembler.h - PTX to machine code of a GPU, by the assembler of NVIDIA's toolkit. */
#ifndef LACUNA_ASSEMBLER_H
#define LACUNA_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes to `out` the cubin for `chip`, "sm_90", of the text in `ptx`, `size` long.  The assembler
 * is ptxas on the PATH, or in /usr/local/cuda or /usr/local/cuda-*.  False with one line in *error,
 * which the caller frees, where there is none or it does not take the text. */
bool assemble_cubin(const char *ptx, size_t size, const char *chip, FILE *out, char **error);

#endif
