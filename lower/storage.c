/* storage.c - a storage's life: a tensor's signature, operands opened, results begun and finished,
 * workspaces.  See storage.h. */
#include "storage_state.h"

#include "lac_tensor.h"
#include "remap.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stddef.h>

/* ---- Making ------------------------------------------------------------------------------- */

unsigned storage_array_width(const tensor_format *format, int k, int slot) {
  switch (format->levels[k].format->arrays[slot]) {
  case LEVEL_POSITIONS:
    return format->position_width;
  case LEVEL_COORDINATES:
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
  s->scatter = -1;
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

/* " compressed:64:32": widths up to the last array that there is. */
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
  return text;
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

/* What a level holds of the dimensions, as lac_kernel_sizes reads it. */
static const char *held_by_level(arena *memory, const format_level *level) {
  remap r;
  if (level->dimension >= 0)
    return arena_format(memory, "%d", level->dimension);
  if (!remap_of(level->expression, &r) || r.kind == REMAP_COUNTER)
    return "*";
  if (remap_is_diagonal(&r))
    return arena_format(memory, "%d+%d", r.dimension, r.other);
  return arena_format(memory, "%d%c%lld", r.dimension, r.kind == REMAP_QUOTIENT ? '/' : '%',
                      (long long)r.size);
}

const char *storage_sizes(arena *memory, const tensor_format *format) {
  const char *text = "";
  for (int k = 0; k < format->level_count; k++)
    text = arena_format(memory, "%s%s%s", text, k ? " " : "",
                        held_by_level(memory, &format->levels[k]));
  return text;
}

/* ---- Operands ----------------------------------------------------------------------------- */

MlirValue storage_expect(storage *s) {
  MlirValue name = constant_text(s->b, s->name);
  MlirValue arguments[] = {s->handle, signature_text(s), name, s->status};
  MlirValue stored = call(s->b, "lac_kernel_expect", type_i(s->b, 1), 4, arguments);
  if (!s->format->level_count)
    return stored;
  MlirValue sizes[] = {s->handle, constant_text(s->b, storage_sizes(s->memory, s->format)), name,
                       s->status};
  return and_i(s->b, stored, call(s->b, "lac_kernel_sizes", type_i(s->b, 1), 4, sizes));
}

static void open_array(storage *s, stored_array *array) {
  MlirType type = type_memref(s->b, array->element);
  MlirNamedAttribute attributes[] = {
      named(s->b, "level", mlirIntegerAttrGet(type_i(s->b, 64), array->level)),
      named(s->b, "slot", mlirIntegerAttrGet(type_i(s->b, 64), array->slot)),
  };
  bool values = array->level == VALUES;
  array->fixed = op_result(make_op(s->b, values ? "sit.values" : "sit.array", 1, &s->handle, 1,
                                   &type, values ? 0 : 2, attributes),
                           0);
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

/* ---- Sizes of a result's levels ----------------------------------------------------------- */

static MlirValue refuse_expression(storage *s) {
  builder_error(
      s->b,
      "expected levels of '%s' that hold a dimension, its quotient, its remainder or its counter, "
      "or a difference or sum of two, found another expression",
      s->name);
  return constant_index(s->b, 0);
}

/* The number of coordinates of an expression over the dimensions. */
static MlirValue extent_of(storage *s, MlirAffineExpr expression) {
  MlirValue size = remap_size(s->b, expression, s->dimensions);
  return mlirValueIsNull(size) ? refuse_expression(s) : size;
}

static void take_sizes(storage *s, const MlirValue *dimensions) {
  for (int d = 0; d < s->format->order; d++)
    s->dimensions[d] = dimensions[d];
  for (int k = 0; k < s->format->level_count; k++)
    s->levels[k].size = extent_of(s, s->format->levels[k].expression);
}

/* ---- Results ------------------------------------------------------------------------------ */

/* An int64_t array on the stack with these elements. */
static MlirValue sizes_in_memory(storage *s, int count, MlirValue *const *sizes) {
  MlirValue array = stack_array(s->b, type_i(s->b, 64), count > 0 ? count : 1);
  for (int i = 0; i < count; i++)
    store_field(s->b, *sizes[i], array, i * (int64_t)sizeof(int64_t));
  return array;
}

static void set_up(storage *s) {
  int order = s->format->order, level_count = s->format->level_count;
  MlirValue **dimensions = ARENA_ARRAY(s->memory, MlirValue *, order);
  MlirValue **sizes = ARENA_ARRAY(s->memory, MlirValue *, level_count);
  for (int d = 0; d < order; d++)
    dimensions[d] = &s->dimensions[d];
  for (int k = 0; k < level_count; k++)
    sizes[k] = &s->levels[k].size;
  MlirValue arguments[] = {s->handle, signature_text(s), sizes_in_memory(s, order, dimensions),
                           sizes_in_memory(s, level_count, sizes), s->status};
  call(s->b, "lac_kernel_setup", type_i(s->b, 1), 5, arguments);
}

static void make_variables(storage *s) {
  MlirValue zero = constant_index(s->b, 0);
  for (int k = 0; k < s->format->level_count; k++) {
    level *l = &s->levels[k];
    for (int n = 0; n < LEVEL_COUNTERS; n++)
      l->counters[n] = var_make(s->b, zero);
    l->end = var_make(s->b, zero);
    l->capacity = var_make(s->b, zero);
  }
}

static bool has_arrays(const level_format *format) {
  for (int a = 0; a < LEVEL_ARRAY_COUNT; a++)
    if (format->arrays[a] != LEVEL_NO_ARRAY)
      return true;
  return false;
}

/* Makes level `l` ready, under `parents` positions (null: they grow); gives the number of its own
 * (null: they grow). */
static MlirValue init_level(level *l, MlirValue parents) {
  const level_format *format = l->format->format;
  MlirValue size = {NULL};
  if (l->number == l->owner->scatter) {
    l->parents = parents;
    if (l->owner->records.used)
      storage_begin_recording(l->owner);
    else
      format->scatter_init(l, parents);
  } else if (storage_is_scattered(l->owner, l->number)) {
    return size;
  } else if (level_is_appended(l)) {
    format->append_init(l, parents);
  } else if (!mlirValueIsNull(parents) && !format->insert_size) {
    builder_error(l->owner->b,
                  "level %d (%s) of '%s' is not supported without counts of its entries", l->number,
                  format->name, l->owner->name);
  } else if (!mlirValueIsNull(parents)) {
    size = format->insert_size(l, parents);
    format->insert_init(l, parents, size);
  } else if (has_arrays(format) && !format->insert_reserve && l->owner->scatter < 0) {
    builder_error(l->owner->b,
                  "level %d (%s) of '%s' is not supported below a level that is appended to: its "
                  "arrays would have to grow",
                  l->number, format->name, l->owner->name);
  }
  return size;
}

static bool all_inserted_below(const storage *s, int k) {
  for (k++; k < s->format->level_count; k++)
    if (level_is_appended(&s->levels[k]))
      return false;
  return true;
}

/* Room to begin with, in positions: little where each has a block of dense levels below it. */
static void reserve_first(storage *s, level *l) {
  bool blocks = l->number + 1 < s->format->level_count && all_inserted_below(s, l->number);
  MlirValue first = constant_index(s->b, blocks ? 1 : 256);
  storage_reserve_positions(s, l, first);
  var_set(s->b, l->capacity, first);
}

void storage_check_worth(storage *s, MlirValue values, MlirValue entries) {
  builder *b = s->b;
  MlirType i64 = type_i(b, 64);
  MlirValue arguments[] = {s->handle, index_cast(b, values, i64), index_cast(b, entries, i64),
                           constant_text(b, s->name), s->status};
  call(b, "lac_kernel_worthwhile", type_i(b, 1), 5, arguments);
}

MlirValue storage_is_worthwhile_full(storage *s, MlirValue entries) {
  MlirValue values = constant_index(s->b, 1);
  for (int d = 0; d < s->format->order; d++)
    values = storage_product(s, values, s->dimensions[d]);
  storage_check_worth(s, values, entries);
  return storage_is_fine(s);
}

void storage_values_are_stored(storage *s) {
  s->values.raw = true;
}

/* Entries of a list are placed as they come. */
void storage_is_ordered_last(storage *s) {
  const tensor_format *f = s->format;
  s->records.used = tensor_format_scatter_end(f) == tensor_format_scatter_level(f) + 1;
}

/* The runtime sees that coordinates fit the arrays of their own level; here those of a level that
 * borrows another's. */
static void check_borrowed_width(storage *s, level *l) {
  builder *b = s->b;
  if (!l->format->format->borrows || s->format->coordinate_width >= 64)
    return;
  MlirValue greatest = sub(b, l->size, constant_index(b, 1));
  level_must_fit(l, max_i(b, greatest, constant_index(b, 0)), s->format->coordinate_width,
                 "a coordinate");
}

MlirValue storage_begin(storage *s, const MlirValue *dimensions, MlirAttribute initial, int scatter,
                        bool collect) {
  s->initial = initial;
  s->scatter = scatter;
  s->collects = collect;
  take_sizes(s, dimensions);
  set_up(s);
  make_variables(s);
  for (int k = 0; k < s->format->level_count; k++)
    check_borrowed_width(s, &s->levels[k]);
  MlirValue positions = constant_index(s->b, 1);
  if (collect)
    return storage_begin_collecting(s);
  for (int k = 0; k < s->format->level_count; k++)
    positions = init_level(&s->levels[k], positions);
  for (int k = 0; k < s->format->level_count; k++)
    if (level_is_appended(&s->levels[k]) && !storage_is_scattered(s, k))
      reserve_first(s, &s->levels[k]);
  s->positions = positions;
  if (!mlirValueIsNull(positions))
    stored_array_allocate(s, &s->values, positions);
  MlirValue fine = storage_is_fine(s);
  if (!mlirValueIsNull(positions))
    storage_fill(s, constant_index(s->b, 0),
                 select_value(s->b, fine, positions, constant_index(s->b, 0)));
  return fine;
}

void storage_check_positions(storage *s, level *l, MlirValue size) {
  bool stored = false;
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    stored |= l->format->format->arrays[slot] == LEVEL_POSITIONS;
  if (!stored || s->format->position_width >= 64)
    return;
  level_must_fit(l, size, s->format->position_width, "the number of entries");
}

static MlirValue finish_level(storage *s, level *l, MlirValue parents) {
  const level_format *format = l->format->format;
  if (storage_is_collected(s, l->number)) {
    storage_collect_finish(s, l->number, parents);
    return l->positions;
  }
  if (storage_is_scattered(s, l->number)) {
    MlirValue size = var_get(s->b, s->levels[s->scatter].end);
    format->scatter_finalize(l, parents, size);
    return size;
  }
  if (level_is_appended(l)) {
    MlirValue size = var_get(s->b, l->end);
    storage_check_positions(s, l, size);
    format->append_finalize(l, parents, size);
    return size;
  }
  MlirValue size = format->insert_size(l, parents);
  format->insert_finalize(l, parents, size);
  return size;
}

void storage_finish(storage *s) {
  bool grew = false;
  MlirValue positions = constant_index(s->b, 1);
  for (int k = 0; k < s->format->level_count; k++) {
    positions = finish_level(s, &s->levels[k], positions);
    grew |= level_is_appended(&s->levels[k]) && !s->collects;
  }
  if (grew)
    stored_array_trim(s, &s->values, positions);
}

/* ---- Workspaces --------------------------------------------------------------------------- */

MlirValue storage_workspace_begin(storage *s, const MlirValue *dimensions, MlirAttribute identity) {
  level *l = &s->levels[0];
  s->initial = identity;
  take_sizes(s, dimensions);
  make_variables(s);
  MlirValue one = constant_index(s->b, 1);
  MlirValue size = l->format->format->insert_size(l, one);
  l->format->format->insert_init(l, one, size);
  s->scratch_values = scratch_take(s, s->values.element, size);
  s->values.fixed = s->scratch_values.elements;
  MlirValue fine = storage_is_fine(s);
  if_begin(s->b, fine);
  storage_fill(s, constant_index(s->b, 0), size);
  if_else(s->b);
  storage_workspace_release(s);
  if_end(s->b);
  return fine;
}

/* How many values, of levels of constant sizes; -1 where they are too many or not known. */
static int64_t register_count(const storage *s, const MlirValue *dimensions) {
  enum { MOST_REGISTERS = 64 };
  int64_t count = 1, size;
  if (!s->format->level_count || !tensor_format_is_dense(s->format))
    return -1;
  for (int d = 0; d < s->format->order; d++) {
    if (!value_is_constant_index(dimensions[d], &size) || size < 1 || size > MOST_REGISTERS)
      return -1;
    count *= size;
    if (count > MOST_REGISTERS)
      return -1;
  }
  return count;
}

bool storage_registers_begin(storage *s, const MlirValue *dimensions, MlirAttribute identity) {
  int64_t count = register_count(s, dimensions);
  if (count < 0)
    return false;
  s->initial = identity;
  take_sizes(s, dimensions);
  s->registers = ARENA_ARRAY(s->memory, variable, count);
  s->register_count = count;
  for (int64_t i = 0; i < count; i++)
    s->registers[i] = var_make(s->b, storage_initial_value(s));
  return true;
}

bool storage_in_registers(const storage *s) {
  return s->registers;
}

void storage_workspace_sort(storage *s) {
  s->levels[0].format->format->sort(&s->levels[0]);
}
void storage_workspace_clear(storage *s) {
  s->levels[0].format->format->clear(&s->levels[0]);
}

void storage_workspace_release(storage *s) {
  s->levels[0].format->format->release(&s->levels[0]);
  if (storage_starts_zero(s))
    scratch_release_clean(s, &s->scratch_values);
  else
    scratch_release(s, &s->scratch_values);
}
