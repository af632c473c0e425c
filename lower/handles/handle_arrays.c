/* handle_arrays.c - tin.assemble and tin.disassemble: a stored tensor from its arrays, and back.
 *
 *     %A = tin.assemble [%m, %n] (%pos, %crd, %vals)
 *
 *     arrays = { {%pos, length, width}, {%crd, ..}, {%vals, ..} }       on the stack
 *     lac_program_assemble(%A, "f64 2 dense compressed:64:64", {%m, %n}, .., arrays)
 */
#include "handles.h"

#include "ir.h"
#include "lac_tensor.h"
#include "relation.h"
#include "storage.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stddef.h>

enum { LAC_ARRAY_WORDS = sizeof(lac_array) / 8 };

typedef struct arrays {
  intptr_t count;
  MlirType *elements; /* of those of the levels, and last of the values */
} arrays;

static arrays arrays_of(activation *a, const tensor_format *format) {
  arrays all = {.elements =
                    ARENA_ARRAY(a->memory, MlirType, LEVEL_ARRAY_COUNT * format->level_count + 1)};
  for (int k = 0; k < format->level_count; k++)
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++) {
      unsigned width = storage_array_width(format, k, slot);
      if (width)
        all.elements[all.count++] = type_i(a->b, width);
    }
  all.elements[all.count++] = format->element;
  return all;
}

/* The memrefs that stand for the arrays must be as these are stored: contiguous, of any length. */
static bool check_types(activation *a, MlirOperation op, const arrays *all, intptr_t count,
                        const MlirValue *memrefs) {
  if (count != all->count)
    return error_at(op, "expected %d arrays, as the format of the tensor has them, found %d",
                    (int)all->count, (int)count);
  for (intptr_t i = 0; i < count; i++) {
    MlirType expected = type_memref(a->b, all->elements[i]);
    if (!mlirTypeEqual(mlirValueGetType(memrefs[i]), expected))
      return error_at(op, "expected array %d of type '%s', found '%s'", (int)i,
                      type_words(expected).text, type_words(mlirValueGetType(memrefs[i])).text);
  }
  return true;
}

static int64_t field_of(intptr_t array, size_t offset) {
  return array * (int64_t)sizeof(lac_array) + (int64_t)offset;
}

/*--- tin.assemble ------------------------------------------------------------------------------*/

/* As lac_array_lend does. */
static void lend(builder *b, MlirValue all, intptr_t i, MlirValue memref, MlirType element) {
  MlirType i32 = type_i(b, 32);
  MlirValue length = index_cast(b, memref_length(b, memref), type_i(b, 64));
  store_field(b, memref_pointer(b, memref), all, field_of(i, offsetof(lac_array, data)));
  store_field(b, length, all, field_of(i, offsetof(lac_array, length)));
  store_field(b, length, all, field_of(i, offsetof(lac_array, capacity)));
  store_field(b, constant_integer(b, i32, type_bytes(element)), all,
              field_of(i, offsetof(lac_array, width)));
  store_field(b, constant_integer(b, i32, 0), all, field_of(i, offsetof(lac_array, owned)));
}

static MlirValue level_flags(activation *a, const tensor_format *format) {
  int64_t *flags = ARENA_ARRAY(a->memory, int64_t, format->level_count + 1);
  for (int k = 0; k < format->level_count; k++) {
    unsigned properties = format->levels[k].properties;
    flags[k] = (properties & LEVEL_UNIQUE ? 0 : LAC_NONUNIQUE) |
               (properties & LEVEL_ORDERED ? 0 : LAC_UNORDERED);
  }
  return activation_constants(a, format->level_count, flags);
}

static MlirValue store_sizes(activation *a, const handle_op *h, int count, const MlirValue *sizes) {
  builder *b = a->b;
  MlirValue stored = activation_memory(a, type_i(b, 64), count);
  builder_before(b, h->op);
  for (int i = 0; i < count; i++)
    store_field(b, index_cast(b, sizes[i], type_i(b, 64)), stored, i * (int64_t)sizeof(int64_t));
  return stored;
}

/* The number of coordinates of each level, in memory; null, with a diagnostic, where a level holds
 * an expression that is not known. */
static MlirValue level_sizes(activation *a, const handle_op *h, const tensor_format *format,
                             const MlirValue *dimensions) {
  MlirValue *sizes = ARENA_ARRAY(a->memory, MlirValue, format->level_count + 1);
  builder_before(a->b, h->op);
  for (int l = 0; l < format->level_count; l++) {
    sizes[l] = relation_level_size(a->memory, a->b, format->levels[l].expression, dimensions);
    if (mlirValueIsNull(sizes[l])) {
      error_at(h->op,
               "'%.*s' expected levels that hold dimensions, linear forms, their quotients and "
               "remainders, or counters",
               TEXT(op_name(h->op)));
      return sizes[l];
    }
  }
  return store_sizes(a, h, format->level_count, sizes);
}

static void find_operands(MlirOperation op, MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    values[i] = mlirOperationGetOperand(op, i);
}

bool handle_assemble(activation *a, const handle_op *h) {
  builder *b = a->b;
  const tensor_format *format = handle_format(a, h, h->result);
  if (!format)
    return false;
  arrays all = arrays_of(a, format);
  intptr_t count = mlirOperationGetNumOperands(h->op) - format->order;
  MlirValue *operands = ARENA_ARRAY(a->memory, MlirValue, format->order + count + 1);
  const MlirValue *memrefs = operands + format->order;
  find_operands(h->op, operands);
  if (!check_types(a, h->op, &all, count, memrefs))
    return false;
  MlirValue levels = level_sizes(a, h, format, operands), flags = level_flags(a, format);
  if (mlirValueIsNull(levels))
    return false;
  MlirValue lent = activation_memory(a, type_i(b, 64), LAC_ARRAY_WORDS * count);
  MlirValue sizes = store_sizes(a, h, format->order, operands);
  for (intptr_t i = 0; i < count; i++)
    lend(b, lent, i, memrefs[i], all.elements[i]);
  MlirValue signature = constant_text(b, storage_signature(a->memory, format));
  MlirValue result = activation_destination(a, h->op, 0);
  MlirValue arguments[] = {result, signature, sizes, levels, flags, lent};
  activation_call(a, h->op, "lac_program_assemble", 6, arguments);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(h->op, 0), result);
  return true;
}

/*--- tin.disassemble ---------------------------------------------------------------------------*/

/* Empty arrays, where something failed before. */
static MlirValue empty_arrays(activation *a, intptr_t count) {
  int64_t *zeros = ARENA_ARRAY(a->memory, int64_t, LAC_ARRAY_WORDS *count);
  return activation_constants(a, LAC_ARRAY_WORDS * count, zeros);
}

static MlirValue array_at(builder *b, MlirValue all, intptr_t i, MlirType element) {
  MlirValue data = load_field(b, all, field_of(i, offsetof(lac_array, data)), type_ptr(b));
  MlirValue length = load_field(b, all, field_of(i, offsetof(lac_array, length)), type_index(b));
  return memref_from_pointer(b, data, length, element);
}

bool handle_disassemble(activation *a, const handle_op *h) {
  builder *b = a->b;
  const tensor_format *format = handle_format(a, h, h->operand);
  if (!format)
    return false;
  arrays all = arrays_of(a, format);
  intptr_t count = mlirOperationGetNumResults(h->op);
  MlirValue *memrefs = ARENA_ARRAY(a->memory, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; i++)
    memrefs[i] = mlirOperationGetResult(h->op, i);
  if (!check_types(a, h->op, &all, count, memrefs))
    return false;
  MlirValue found = empty_arrays(a, count);
  builder_before(b, h->op);
  MlirValue signature = constant_text(b, storage_signature(a->memory, format));
  MlirValue arguments[] = {mlirOperationGetOperand(h->op, 0), signature, found};
  activation_call(a, h->op, "lac_program_disassemble", 3, arguments);
  builder_before(b, h->op);
  for (intptr_t i = 0; i < count; i++)
    mlirValueReplaceAllUsesOfWith(memrefs[i], array_at(b, found, i, all.elements[i]));
  return true;
}
