/* dot_provenance.c - provenance graphs (provenance.h) as pictures: variables, the relations that
 * derive them as boxes, and the loops over them, numbered from the outside.
 *
 *     i --> [split by 32] --> i0   loop 1
 *                         --> i1   loop 2
 */
#include "dot.h"

#include "cin_kernel.h"
#include "kernel_words.h"

#include <string.h>

static bool is_variable(MlirValue value) {
  return cinTypeIsAIndexVariable(mlirValueGetType(value));
}

static const char *quoted_name(arena *memory, MlirValue variable) {
  return dot_text(memory, provenance_name(variable));
}

/* "loop 2, cpu_vector": of a variable that foralls range over, the first of them. */
static const char *loop_words(arena *memory, const op_list *foralls, MlirValue variable) {
  for (int f = 0; f < foralls->count; f++) {
    MlirOperation forall = foralls->ops[f];
    if (!mlirValueEqual(cin_forall_variable(forall), variable))
      continue;
    const char *words = arena_format(memory, "loop %d", cin_path(memory, forall).count + 1);
    cin_unit unit = cin_op_unit(forall);
    return unit == CIN_SERIAL ? words : arena_format(memory, "%s, %s", words, cin_unit_name(unit));
  }
  return NULL;
}

static void write_variable(arena *memory, const op_list *foralls, MlirValue variable, FILE *out) {
  const char *loop = loop_words(memory, foralls, variable);
  fprintf(out, "  %s", quoted_name(memory, variable));
  if (loop)
    fprintf(out, " [xlabel = \"%s\"]", loop);
  fputs(";\n", out);
}

/* cin.split %i by 32 is "split by 32", cin.remap(%i) by i floordiv 4 "i floordiv 4". */
static const char *relation_words(arena *memory, MlirOperation op) {
  MlirStringRef name = op_name(op);
  const char *word = arena_text(memory, name.data + strlen("cin."), name.length - strlen("cin."));
  if (cin_is_remap(op))
    return kernel_remap_words(memory, op);
  if (cin_is_pos(op))
    return arena_format(
        memory, "positions of level %ld of %s", (long)cin_pos_level(op),
        cin_tensor_bare_name(memory, mlirOperationGetParentOperation(op), cin_pos_tensor(op)));
  return op_has(op, "size")
             ? arena_format(memory, "%s by %ld", word, (long)op_integer(op, "size", 0))
             : word;
}

static bool is_relation(MlirOperation op) {
  bool derives = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    derives |= is_variable(mlirOperationGetOperand(op, i));
  return derives && mlirOperationGetNumResults(op) > 0 &&
         is_variable(mlirOperationGetResult(op, 0));
}

static void write_relation(arena *memory, MlirOperation op, int number, FILE *out) {
  fprintf(out, "  relation%d [shape = box, label = %s];\n", number,
          dot_text(memory, mlirStringRefCreateFromCString(relation_words(memory, op))));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_variable(mlirOperationGetOperand(op, i)))
      fprintf(out, "  %s -> relation%d;\n", quoted_name(memory, mlirOperationGetOperand(op, i)),
              number);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    fprintf(out, "  relation%d -> %s;\n", number,
            quoted_name(memory, mlirOperationGetResult(op, i)));
}

static void write_kernel(arena *memory, MlirOperation kernel, FILE *out) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  int relations = 0;
  dot_begin(memory, out, "provenance graph", kernel_title(memory, kernel));
  for (OPERATIONS(op, op_block(kernel, 0))) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      if (is_variable(mlirOperationGetResult(op, i)))
        write_variable(memory, &foralls, mlirOperationGetResult(op, i), out);
    if (is_relation(op))
      write_relation(memory, op, relations++, out);
  }
  dot_end(out);
}

void dot_provenance_graphs(arena *memory, MlirOperation module, FILE *out) {
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  for (int k = 0; k < kernels.count; k++)
    if (!statement_op_is_conversion(kernels.ops[k]))
      write_kernel(memory, kernels.ops[k], out);
}
