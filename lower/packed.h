/* packed.h - entry points that take their arguments as an array. */
#ifndef LACUNA_PACKED_H
#define LACUNA_PACKED_H

#include <llvm-c/Core.h>
#include <stdint.h>

#define PACKED_SUFFIX ".packed"

typedef int32_t packed_function(void *const *arguments);

/* Adds to `module` for each exported function of pointers that returns i32 the function of the same
 * name with PACKED_SUFFIX, a packed_function.  Above one thread it runs the function on so many,
 * where its caller has not set another number (lac_threads_set). */
void packed_entries_add(LLVMModuleRef module, int64_t threads);

#endif
