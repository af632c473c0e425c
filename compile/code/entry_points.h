/* entry_points.h - entry points that take their arguments as an array. */
#ifndef LACUNA_ENTRY_POINTS_H
#define LACUNA_ENTRY_POINTS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#define ENTRY_POINT_SUFFIX ".packed"

typedef int32_t entry_point(void *const *arguments);

/* Adds to `module` for each exported function of pointers that returns i32 the function of the same
 * name with ENTRY_POINT_SUFFIX, a entry_point.  It runs the function on so many threads (0: as
 * many as there are), where its caller has not set another number (lac_threads_set). */
void entry_points_add(LLVMModuleRef module, int64_t threads);

#endif
