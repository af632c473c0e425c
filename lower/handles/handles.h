/* handles.h - the state of giving one function its C interface, for the files of lower-handles. */
#ifndef LACUNA_HANDLES_H
#define LACUNA_HANDLES_H

#include "arena.h"
#include "builder.h"
#include "tensor_format.h"

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
  MlirValue *out;   /* and where it goes: for a tensor one that is apart from the operands */
  intptr_t tensor_results;
  MlirValue tensors, into; /* arrays of the tensors given and of where results are made; or null */
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

/* Settles where the results of a function that others call go (`is_tensor` tells of each argument),
 * at the function's top, once it has its interface; and the status to return, the results being
 * made. */
void activation_begin_results(activation *a, const bool *is_tensor);
MlirValue activation_end_results(activation *a, MlirValue status);

/* Where the value of tensor type that is result `i` of `op` is to be computed. */
MlirValue activation_destination(activation *a, MlirOperation op, intptr_t i);

/* A call before `op` of a function that returns a status: made only while nothing has failed. */
void activation_call(activation *a, MlirOperation op, const char *name, intptr_t count,
                     const MlirValue *arguments);

/* Ends each iteration of the loops (scf.for, scf.while), once their bodies are lowered, with the
 * freeing of what it made and does not pass on. */
void activation_sweep_loops(activation *a, intptr_t count, const MlirOperation *loops);

/* An array of constants (!llvm.ptr to i64) at the function's top, and memory there for `count`
 * elements. */
MlirValue activation_constants(activation *a, intptr_t count, const int64_t *elements);
MlirValue activation_memory(activation *a, MlirType element, intptr_t count);

/* tin.read, tin.write, tin.print, tin.match, tin.assemble, tin.disassemble, tensor.dim,
 * tensor.extract.  False after a diagnostic. */
typedef bool handle_function(activation *a, const handle_op *h);
handle_function handle_require_equal, handle_read, handle_write, handle_print, handle_match,
    handle_dim, handle_extract, handle_assemble, handle_disassemble;

/* The format of a tensor, NULL after a diagnostic; of one whose levels hold plain dimensions, else
 * NULL after a diagnostic. */
const tensor_format *handle_format(activation *a, const handle_op *h, MlirType type);
const tensor_format *handle_plain_format(activation *a, const handle_op *h, MlirType type);
/* The dimension of each level, as an array of constants. */
MlirValue handle_level_dimensions(activation *a, const tensor_format *format);

#ifdef __cplusplus
}
#endif
#endif
