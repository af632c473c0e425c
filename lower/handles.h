/* handles.h - the state of giving one function its C interface, for the files of lower-handles. */
#ifndef LACUNA_HANDLES_H
#define LACUNA_HANDLES_H

#include "arena.h"
#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One call of the function: its temporaries stand in a frame (lac_kernel.h), which is entered at
 * its top where anything needs it.  A function of one kernel whose results are the function's needs
 * none: it returns the kernel's status. */
typedef struct activation {
  arena *memory;
  builder *b;
  MlirOperation function;
  MlirBlock entry;
  bool alone;       /* no frame: one call, whose status is returned */
  MlirValue status; /* of that call */
  MlirValue frame;  /* null until something needs it */
  intptr_t result_count;
  MlirValue *given; /* for each result the value that is computed in place, or null */
} activation;

/* An operation to lower, and the types of its first operand and result before they became pointers.
 */
typedef struct handle_op {
  MlirOperation op;
  MlirType operand, result;
} handle_op;

/* The frame (an !llvm.ptr that dominates everything), and whether nothing has failed before `op`.
 */
MlirValue activation_frame(activation *a);
MlirValue activation_ok(activation *a, MlirOperation op);

/* Where the value of tensor type that is result `i` of `op` is to be computed. */
MlirValue activation_destination(activation *a, MlirOperation op, intptr_t i);

/* A call before `op` of a function that returns a status: made only while nothing has failed. */
void activation_call(activation *a, MlirOperation op, const char *name, intptr_t count,
                     const MlirValue *arguments);

/* tin.sort, tin.read, tin.write, tin.print, tensor.dim, tensor.extract.  False after a diagnostic.
 */
typedef bool handle_function(activation *a, const handle_op *h);
handle_function handle_sort, handle_read, handle_write, handle_print, handle_dim, handle_extract;

#ifdef __cplusplus
}
#endif
#endif
