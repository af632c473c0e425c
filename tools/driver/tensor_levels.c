/* Reads the order of dimensions off the format's map, and whether a text is a format at all. */
#include "tensor_levels.h"

#include "complain.h"
#include "format_names.h"
#include "ir.h"
#include "lac_error.h"
#include "lac_file.h"
#include "semiring.h"
#include "tensor_check.h"
#include "tensor_format.h"
#include "tin.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mentions {
  int64_t *dimensions;
  int count, order;
} mentions;

static void mention(mentions *m, int64_t dimension) {
  for (int i = 0; i < m->count; i++)
    if (m->dimensions[i] == dimension)
      return;
  if (m->count < m->order)
    m->dimensions[m->count++] = dimension;
}

static void mention_all(mentions *m, MlirAffineExpr e) {
  if (mlirAffineExprIsADim(e))
    mention(m, mlirAffineDimExprGetPosition(e));
  if (!mlirAffineExprIsABinary(e))
    return;
  mention_all(m, mlirAffineBinaryOpExprGetLHS(e));
  mention_all(m, mlirAffineBinaryOpExprGetRHS(e));
}

/* The format of tensors of this order, or NULL. */
static const tensor_format *format_of(compiler *c, arena *memory, int order, const char *format) {
  MlirLocation nowhere = mlirLocationUnknownGet(compiler_context(c));
  int64_t *sizes = ARENA_ARRAY(memory, int64_t, order + 1);
  MlirAttribute attribute = compiler_attribute(c, format);
  MlirType type = {NULL};
  for (int d = 0; d < order; d++)
    sizes[d] = mlirShapedTypeGetDynamicSize();
  if (!mlirAttributeIsNull(attribute) && tinAttributeIsAFormat(attribute))
    type = mlirRankedTensorTypeGetChecked(nowhere, order, sizes,
                                          mlirF64TypeGet(compiler_context(c)), attribute);
  return mlirTypeIsNull(type) ? NULL : tensor_format_get(memory, type, nowhere);
}

static bool is_sound(compiler *c, arena *memory, const char *tensor, int order,
                     const char *format) {
  return format_of(c, memory, order, format) ||
         complain("format of '%s': %s", tensor,
                  *compiler_error(c) ? compiler_error(c) : "expected a #tin.format");
}

bool tensor_pads(compiler *c, arena *memory, const char *format, int order) {
  const tensor_format *found = format_of(c, memory, order, format);
  return found && tensor_format_pads(found);
}

bool tensor_is_dense(compiler *c, arena *memory, const char *format, int order) {
  const tensor_format *found = format_of(c, memory, order, format);
  return found && tensor_format_is_dense(found);
}

bool tensor_has_table(compiler *c, arena *memory, const char *format, int order) {
  const tensor_format *found = format_of(c, memory, order, format);
  return found && tensor_format_has_table(found);
}

double tensor_full_size(compiler *c, arena *memory, const char *format, int order,
                        const int64_t *dimensions) {
  const tensor_format *found = format_of(c, memory, order, format);
  double size = 1;
  for (int l = 0; found && l < found->level_count; l++) {
    const format_level *level = &found->levels[l];
    bool full = (level->properties & LEVEL_FULL) && level->dimension >= 0;
    if (full && dimensions[level->dimension] > 1)
      size *= (double)dimensions[level->dimension];
  }
  return size;
}

bool tensor_is_symmetric(compiler *c, const char *format) {
  MlirAttribute attribute = compiler_attribute(c, format);
  intptr_t above, below;
  return !mlirAttributeIsNull(attribute) && tinAttributeIsAFormat(attribute) &&
         tinFormatAttrGetTriangle(attribute, &above, &below) != TIN_WHOLE;
}

static bool names_a_sound_format(compiler *c, arena *memory, const binding *b, int order) {
  char *error = NULL, *format = format_from_name(b->value, order, &error);
  bool sound = format ? is_sound(c, memory, b->name, order, format)
                      : complain("format of '%s': %s", b->name, error ? error : "no memory");
  free(format);
  free(error);
  return sound;
}

const char *tensor_fill(compiler *c, arena *memory, const char *text, const char *name) {
  semiring ring;
  MlirContext context = compiler_context(c);
  MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
  if (mlirTypeIsNull(type) || !mlirTypeIsAShaped(type) || !semiring_from_name(name, &ring))
    return NULL;
  builder *b = builder_create(context, mlirLocationUnknownGet(context));
  MlirAttribute fill = semiring_zero(b, &ring, mlirShapedTypeGetElementType(type));
  builder_free(b);
  return mlirAttributeIsNull(fill) ? NULL : attribute_text(memory, fill);
}

bool tensor_is_sound(compiler *c, const lac_tensor *tensor, const char *text, const char *name) {
  MlirType type = mlirTypeParseGet(compiler_context(c), mlirStringRefCreateFromCString(text));
  if (mlirTypeIsNull(type))
    return complain("--check: no type of a stored tensor: '%s'", text);
  return !tensor_check(tensor, type, name) || complain("--check: %s", lac_error_message());
}

static int order_of(const program *p, const char *name) {
  int operand = program_find_operand(p, name), result = program_find_result(p, name);
  return operand >= 0  ? p->operands[operand].order
         : result >= 0 ? p->statements[result].e->result_access.order
                       : 0;
}

bool tensor_formats_are_sound(compiler *c, arena *memory, const binding *list, const program *p) {
  for (const binding *b = list; b; b = b->next) {
    int order = strcmp(b->flag, "-f") ? 0 : order_of(p, b->name);
    if (order > 0 && !names_a_sound_format(c, memory, b, order))
      return false;
  }
  return true;
}

int64_t *tensor_level_order(compiler *c, arena *memory, const char *format, int order) {
  mentions m = {ARENA_ARRAY(memory, int64_t, order + 1), 0, order};
  if (order == 0)
    return m.dimensions;
  MlirAttribute attribute = compiler_attribute(c, format);
  if (mlirAttributeIsNull(attribute) || !tinAttributeIsAFormat(attribute))
    return NULL;
  MlirAffineMap map = tinFormatAttrGetMap(attribute);
  if (mlirAffineMapGetNumDims(map) != order)
    return NULL;
  for (intptr_t l = 0; l < mlirAffineMapGetNumResults(map); l++)
    mention_all(&m, mlirAffineMapGetResult(map, l));
  for (int d = 0; d < order; d++)
    mention(&m, d);
  return m.dimensions;
}

bool tensor_is_listed(compiler *c, const char *format) {
  MlirAttribute attribute = compiler_attribute(c, format);
  if (mlirAttributeIsNull(attribute) || !tinAttributeIsAFormat(attribute))
    return false;
  intptr_t above, below;
  if (tinFormatAttrGetTriangle(attribute, &above, &below) != TIN_WHOLE)
    return false;
  MlirAffineMap map = tinFormatAttrGetMap(attribute);
  for (intptr_t l = 0; l < mlirAffineMapGetNumResults(map); l++) {
    char kind[64];
    MlirStringRef name = tinLevelAttrGetName(tinFormatAttrGetLevel(attribute, l));
    snprintf(kind, sizeof kind, "%.*s", (int)name.length, name.data);
    if (!mlirAffineExprIsADim(mlirAffineMapGetResult(map, l)) || !lac_file_writes(kind))
      return false;
  }
  return true;
}
