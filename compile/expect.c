/* expect.c - see expect.h. */
#include "expect.h"

#include "arena.h"
#include "ir.h"
#include "lac_machine.h"
#include "tensor_format.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t expect_about(double number) {
  double unit = 1;
  while (number / unit >= 8)
    unit *= 2;
  return (int64_t)(round(number / unit) * unit);
}

int64_t expect_spread(double entries, double squares, int64_t size) {
  enum { FEWER = 2 };
  double spread = squares > 0 ? entries * entries / squares : (double)size;
  return FEWER * spread < (double)size ? expect_about(ceil(spread)) : 0;
}

static int compare_coordinates(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* How many pairs of ascending coordinates are alike. */
static int64_t pairs_alike(const int64_t *coordinates, int64_t count) {
  int64_t pairs = 0, alike = 0; /* of those before the next one */
  for (int64_t n = 1; n < count; n++) {
    alike = coordinates[n] == coordinates[n - 1] ? alike + 1 : 0;
    pairs += alike;
  }
  return pairs;
}

/* Of all pairs of entries as many are alike as of those in a sample. */
double expect_squares(const lac_array *coordinates, int64_t entries) {
  enum { SAMPLE = 512, LEAST_ALIKE = 16 };
  static const double golden = 0.61803398874989485;
  int64_t sample[SAMPLE], count = 0, all = entries < SAMPLE ? entries : SAMPLE;
  for (int64_t n = 0; n < all; n++) {
    double apart = (double)n * golden;
    int64_t at = all == entries ? n : (int64_t)((apart - floor(apart)) * (double)entries);
    sample[count] = lac_array_get(coordinates, at);
    count += sample[count] >= 0; /* none where no entry is */
  }
  qsort(sample, (size_t)count, sizeof *sample, compare_coordinates);
  int64_t alike = pairs_alike(sample, count);
  double pairs = (double)count * (double)(count - 1) / 2, most = (double)entries;
  if (alike < (all == entries ? 1 : LEAST_ALIKE))
    return 0;
  return most + most * (most - 1) * (double)alike / pairs;
}

int64_t expect_bytes(void) {
  int64_t bytes = 1, free = lac_machine_free_memory();
  while (bytes <= free / 2)
    bytes *= 2;
  return bytes;
}

//--- A function's operands -----------------------------------------------------------------------

static MlirOperation function_of(MlirModule module, const char *name) {
  MlirStringRef wanted = mlirStringRefCreateFromCString(name);
  for (OPERATIONS(op, mlirModuleGetBody(module)))
    if (op_is(op, "func.func") && mlirStringRefEqual(op_text(op, "sym_name"), wanted))
      return op;
  return (MlirOperation){NULL};
}

/* How many entries each coordinate of the first level has, squared and added up, where each has a
 * list below it; 0 where the tensor is stored in another way. */
static double root_squares(const lac_tensor *t) {
  const lac_array *ends = t->level_count == 2 ? &t->levels[1].array[LAC_POSITIONS] : NULL;
  int64_t entries = t->values.length;
  double squares = 0;
  if (!ends || !ends->data || ends->length < 2 || lac_array_get(ends, ends->length - 1) != entries)
    return 0;
  for (int64_t n = 1; n < ends->length; n++) {
    double count = (double)(lac_array_get(ends, n) - lac_array_get(ends, n - 1));
    squares += count * count;
  }
  return squares;
}

/* The same of a level that stores a coordinate for each entry. */
static double squares_at(const lac_tensor *t, int l) {
  const lac_array *coordinates = &t->levels[l].array[LAC_COORDINATES];
  if (coordinates->data && coordinates->length == t->values.length)
    return expect_squares(coordinates, t->values.length);
  return l ? 0 : root_squares(t);
}

static MlirAttribute holds_of(MlirType type, arena *memory, const lac_tensor *t) {
  MlirContext context = mlirTypeGetContext(type);
  const tensor_format *format = tensor_format_get(memory, type, mlirLocationUnknownGet(context));
  int64_t order = t->order, *numbers = ARENA_ARRAY(memory, int64_t, 3 * order + 1);
  int64_t *sizes = numbers + 1, *spread = sizes + 2 * order;
  bool is_told = false, fits = format && t->levels && t->level_count == format->level_count;
  numbers[0] = expect_about((double)t->values.length);
  for (int64_t d = 0; d < order; d++)
    sizes[d] = t->dimensions[d];
  for (int l = 0; fits && l < format->level_count; l++) {
    int d = format->levels[l].dimension;
    if (d < 0)
      continue;
    spread[d] = expect_spread((double)t->values.length, squares_at(t, l), t->dimensions[d]);
    is_told |= spread[d] > 0;
  }
  return mlirDenseI64ArrayGet(context, (is_told ? 3 : 1) * order + 1, numbers);
}

/* False where the tensor cannot be one for the operand. */
static bool is_for(const lac_tensor *t, MlirType type) {
  return t && (!t->order || t->dimensions) && mlirTypeIsARankedTensor(type) &&
         mlirShapedTypeGetRank(type) == t->order;
}

static bool say(MlirOperation function, MlirType type, const lac_tensor *const *operands,
                char **error) {
  MlirContext context = mlirOperationGetContext(function);
  arena *memory = arena_create();
  intptr_t count = mlirFunctionTypeGetNumInputs(type), n = 0;
  MlirAttribute *all = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  MlirAttribute before = op_attribute(function, "arg_attrs");
  for (; n < count && is_for(operands[n], mlirFunctionTypeGetInput(type, n)); n++)
    all[n] = dictionary_with(
        memory, context, mlirAttributeIsNull(before) ? before : mlirArrayAttrGetElement(before, n),
        "tin.holds", holds_of(mlirFunctionTypeGetInput(type, n), memory, operands[n]));
  if (n == count)
    op_set(function, "arg_attrs", mlirArrayAttrGet(context, count, all));
  else if (asprintf(error, "expected a tensor of the order of operand %d, found %s", (int)n,
                    operands[n] ? "one of another" : "NULL") < 0)
    *error = NULL;
  arena_free(memory);
  return n == count;
}

bool expect_tensors(MlirModule module, const char *function, const lac_tensor *const *operands,
                    char **error) {
  MlirOperation found = function_of(module, function);
  *error = NULL;
  if (!mlirOperationIsNull(found))
    return say(found, mlirTypeAttrGetValue(op_attribute(found, "function_type")), operands, error);
  if (asprintf(error, "expected the name of a function of the module, found '%s'", function) < 0)
    *error = NULL;
  return false;
}
