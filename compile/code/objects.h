/* objects.h - a module in the LLVM dialect as object files, made side by side.
 *
 * The files are one text of bytes, in the order in which they are to be loaded:
 *
 *     | size | object | size | object | ...          a size is a uint64_t
 */
#ifndef LACUNA_OBJECTS_H
#define LACUNA_OBJECTS_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compiles the module's functions, those that belong together in one file each (division.h), on at
 * most as many threads as there are processors for the caller.  As machine_emit otherwise;
 * `options->times` are those of the thread that took longest. */
char *objects_make(MlirModule module, const machine_options *options, size_t *size, char **error);

/* The object at `*from`, which goes on to the next; NULL at the end, or where what is left is none.
 */
const char *objects_next(const char **from, const char *end, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
