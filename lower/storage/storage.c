/* storage.c - a storage made, its tensor's signature, operands opened.  See storage.h. */
#include "storage_state.h"

#include "ir.h"
#include "lac_tensor.h"
#include "relation.h"
#include "sit_ops.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------- */

unsigned storage_array_width(const tensor_format *format, int k, int slot) {
  switch (format->levels[k].format->arrays[slot]) {
  case LEVEL_POSITIONS:
    return format->position_width;
  case LEVEL_COORDINATES:
  case LEVEL_EACH_COORDINATE:
    return format->coordinate_width;
  case LEVEL_BYTES:
    return 8;
  case LEVEL_ARGUMENT_WIDE:
    return (unsigned)tinLevelAttrGetArgument(format->levels[k].attribute, 0);
  default:
    return 0;
  }
}

static void make_level(storage *s, int k) {
  level *l = &s->levels[k];
  l->owner = s;
  l->number = k;
  l->format = &s->format->levels[k];
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++) {
    unsigned width = storage_array_width(s->format, k, slot);
    l->arrays[slot] = (stored_array){.level = k, .slot = slot};
    if (width)
      l->arrays[slot].element = type_i(s->b, width);
  }
}

storage *storage_make(arena *memory, builder *b, const tensor_format *format, const char *name,
                      MlirValue handle, MlirValue status) {
  storage *s = arena_alloc(memory, sizeof *s);
  s->b = b;
  s->memory = memory;
  s->format = format;
  s->name = name;
  s->handle = handle;
  s->status = status;
  s->dimensions = ARENA_ARRAY(memory, MlirValue, format->order);
  s->levels = ARENA_ARRAY(memory, level, format->level_count);
  s->values = (stored_array){.level = VALUES, .element = format->element};
  for (int k = 0; k < format->level_count; k++)
    make_level(s, k);
  return s;
}

const tensor_format *storage_format(const storage *s) {
  return s->format;
}
const level_format *storage_level_format(const storage *s, int k) {
  return s->format->levels[k].format;
}
level *storage_level(storage *s, int k) {
  return &s->levels[k];
}
MlirValue storage_level_size(storage *s, int k) {
  return s->levels[k].size;
}

MlirValue storage_dimension(storage *s, int d) {
  if (mlirValueIsNull(s->dimensions[d])) {
    MlirValue all = load_field(s->b, s->handle, offsetof(lac_tensor, dimensions), type_ptr(s->b));
    return load_field(s->b, all, d * (int64_t)sizeof(int64_t), type_index(s->b));
  }
  return s->dimensions[d];
}

MlirValue storage_value_count(storage *s) {
  int64_t length = (int64_t)offsetof(lac_tensor, values) + (int64_t)offsetof(lac_array, length);
  return load_field(s->b, s->handle, length, type_index(s->b));
}

/* ---- Signatures --------------------------------------------------------------------------- */

static const char *element_name(arena *memory, MlirType element) {
  if (type_is_complex(element))
    return mlirTypeIsAF32(mlirComplexTypeGetElementType(element)) ? "c64" : "c128";
  if (mlirTypeIsABF16(element))
    return "bf16";
  if (type_is_float(element))
    return arena_format(memory, "f%u", mlirFloatTypeGetWidth(element));
  return arena_format(memory, "i%u", mlirIntegerTypeGetWidth(element));
}

/* The argument that a letter of a layout stands for; -1 where it is none. */
static int64_t argument_of(const tensor_format *format, int k, char letter) {
  MlirAttribute own = format->levels[k].attribute;
  if ((letter != 'k' && letter != 'm') || tinLevelAttrGetNumArguments(own) == 0)
    return -1;
  int64_t first = tinLevelAttrGetArgument(own, 0);
  return letter == 'k' || first > k
             ? first
             : tinLevelAttrGetArgument(format->levels[k - first].attribute, 0);
}

static bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

/* The layout of level k with numbers for its arguments. */
static const char *layout_of(arena *memory, const tensor_format *format, int k) {
  enum { DIGITS = 20 };
  const char *layout = format->levels[k].format->layout;
  char *text = arena_alloc(memory, strlen(layout) * DIGITS + 1), *end = text;
  for (const char *at = layout; *at; at++) {
    bool alone = (at == layout || !is_letter(at[-1])) && !is_letter(at[1]);
    int64_t number = alone ? argument_of(format, k, *at) : -1;
    if (number < 0)
      *end++ = *at;
    else
      end += snprintf(end, DIGITS, "%lld", (long long)number);
  }
  return text;
}

/* " compressed:64:32{...}": widths up to the last array that there is, and the layout. */
static const char *level_signature(arena *memory, const tensor_format *format, int k) {
  const level_format *level = format->levels[k].format;
  int used = LEVEL_ARRAY_COUNT;
  while (used > 0 && level->arrays[used - 1] == LEVEL_NO_ARRAY)
    used--;
  const char *text = arena_format(memory, " %s", level->name);
  if (level->places)
    text = arena_format(memory, "%s(%lld)", text,
                        (long long)tinLevelAttrGetArgument(format->levels[k].attribute, 0));
  for (int slot = 0; slot < used; slot++)
    text = arena_format(memory, "%s:%u", text, storage_array_width(format, k, slot));
  return level->layout ? arena_format(memory, "%s{%s}", text, layout_of(memory, format, k)) : text;
}

const char *storage_signature(arena *memory, const tensor_format *format) {
  const char *element = element_name(memory, format->element);
  const char *text = arena_format(memory, "%s %d", element, format->order);
  for (int k = 0; k < format->level_count; k++)
    text = arena_format(memory, "%s%s", text, level_signature(memory, format, k));
  return text;
}

static MlirValue signature_text(storage *s) {
  return constant_text(s->b, storage_signature(s->memory, s->format));
}

const char *storage_sizes(arena *memory, const tensor_format *format) {
  const char *text = "";
  for (int k = 0; k < format->level_count; k++)
    text = arena_format(memory, "%s%s%s", text, k ? " " : "",
                        relation_level_size_text(memory, format->levels[k].expression));
  return text;
}

const char *storage_shape(arena *memory, MlirType type) {
  const char *text = "";
  bool tells = false;
  for (int d = 0; d < tensor_order(type); d++) {
    int64_t size = dimension_size(type, d);
    const char *between = d ? "x" : "";
    tells |= size >= 0;
    text = size < 0 ? arena_format(memory, "%s%s?", text, between)
                    : arena_format(memory, "%s%s%lld", text, between, (long long)size);
  }
  return tells ? text : NULL;
}

/* ---- Operands ----------------------------------------------------------------------------- */

/* `held` and that a check of the handle against a text holds too; all of them are made, so that the
 * first that fails tells. */
static MlirValue expect_text(storage *s, MlirValue held, const char *check, const char *text) {
  MlirValue arguments[] = {s->handle, constant_text(s->b, text), constant_text(s->b, s->name),
                           s->status};
  return and_i(s->b, held, call(s->b, check, type_i(s->b, 1), 4, arguments));
}

MlirValue storage_expect(storage *s, MlirType type) {
  MlirValue name = constant_text(s->b, s->name);
  MlirValue arguments[] = {s->handle, signature_text(s), name, s->status};
  MlirValue stored = call(s->b, "lac_kernel_expect", type_i(s->b, 1), 4, arguments);
  const char *shape = storage_shape(s->memory, type);
  if (shape)
    stored = expect_text(s, stored, "lac_kernel_shape", shape);
  return s->format->level_count
             ? expect_text(s, stored, "lac_kernel_sizes", storage_sizes(s->memory, s->format))
             : stored;
}

static void open_array(storage *s, stored_array *array) {
  array->fixed = array->level == VALUES
                     ? sit_values(s->b, s->handle, array->element)
                     : sit_array(s->b, s->handle, array->level, array->slot, array->element);
}

static void open_level(storage *s, level *l, MlirValue levels) {
  int64_t size = l->number * (int64_t)sizeof(lac_level) + (int64_t)offsetof(lac_level, size);
  l->size = load_field(s->b, levels, size, type_index(s->b));
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (!mlirTypeIsNull(l->arrays[slot].element))
      open_array(s, &l->arrays[slot]);
}

void storage_open(storage *s) {
  if (s->format->level_count) {
    MlirValue levels = load_field(s->b, s->handle, offsetof(lac_tensor, levels), type_ptr(s->b));
    for (int k = 0; k < s->format->level_count; k++)
      open_level(s, &s->levels[k], levels);
  }
  open_array(s, &s->values);
}
