/* Whether a tensor of which one triangle is stored has no entry outside it, found by a program that
 * is compiled for its format, as only compiled code can walk any levels:
 *
 *     W = A, all that is stored       as a list
 *     L = A where i >= j              as a list
 *     require that W and L store the same
 */
#include "triangle_check.h"

#include "compiled.h"
#include "format_order.h"
#include "ir.h"
#include "lac_error.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

static char *seen_as(arena *memory, MlirType type, tin_triangle triangle) {
  intptr_t a = 0, b = 0;
  MlirAttribute format = tinTypeGetFormat(type);
  tinFormatAttrGetTriangle(format, &a, &b);
  return type_text(memory,
                   tensor_with_encoding(type, tinFormatAttrWithTriangle(format, triangle, a, b)));
}

static MlirType list_type(arena *memory, const tensor_format *format, MlirType type) {
  int *dimensions = ARENA_ARRAY(memory, int, format->order);
  for (int d = 0; d < format->order; d++)
    dimensions[d] = d;
  return coordinate_list_type(memory, type, dimensions, NULL, NULL, false);
}

static char *reason_text(arena *memory, const tensor_format *format, MlirType type,
                         const char *name) {
  char *reason = arena_format(memory,
                              "%s: expected entries in one triangle, where coordinate %d is not "
                              "less than coordinate %d; found others",
                              name, (int)format->above + 1, (int)format->below + 1);
  MlirContext context = mlirTypeGetContext(type);
  return attribute_text(memory, text_attribute(context, mlirStringRefCreateFromCString(reason)));
}

static const char *program_text(arena *memory, const tensor_format *format, MlirType type,
                                const char *name) {
  MlirType list = list_type(memory, format, type);
  if (mlirTypeIsNull(list))
    return NULL;
  const char *stored = type_text(memory, type), *listed = type_text(memory, list);
  const char *whole = seen_as(memory, type, TIN_WHOLE);
  const char *part = seen_as(memory, type, TIN_LOWER);
  return arena_format(memory,
                      "func.func @check(%%a: %s) {\n"
                      "  %%seen = tin.view %%a : %s to %s\n"
                      "  %%whole = tin.convert %%seen : %s to %s\n"
                      "  %%inside = tin.view %%a : %s to %s\n"
                      "  %%part = tin.convert %%inside : %s to %s\n"
                      "  tin.require_equal %%whole, %%part else %s : %s, %s\n"
                      "  return\n"
                      "}\n",
                      stored, stored, whole, whole, listed, stored, part, part, listed,
                      reason_text(memory, format, type, name), listed, listed);
}

/* Code that runs once: made quickly. */
static compiled *compile(compiler *c, const char *text, char **error) {
  struct lacuna_pipeline_options pipeline = {.schedule = ""};
  machine_options machine = machine_options_default();
  machine.level = 0;
  return compiled_create(c, text, NULL, &pipeline, &machine, NULL, error);
}

static int32_t run(const char *text, const lac_tensor *tensor) {
  char *error = NULL;
  compiler *c = compiler_create();
  compiled *k = c ? compile(c, text, &error) : NULL;
  void *arguments[] = {(void *)(uintptr_t)tensor};
  int32_t status = k ? compiled_call(k, "check", arguments)
                     : lac_error_set(LAC_ERROR_FORMAT, "%s", error ? error : "no memory");
  compiled_free(k);
  compiler_free(c);
  free(error);
  return status;
}

int32_t triangle_check(arena *memory, const lac_tensor *tensor, const tensor_format *format,
                       MlirType type, const char *name) {
  const char *text = program_text(memory, format, type, name);
  return text ? run(text, tensor)
              : lac_error_set(LAC_ERROR_FORMAT,
                              "expected level formats for a coordinate list to be registered");
}
