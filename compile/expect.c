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
static double root_squares(const lac_tensor *t, const tensor_format *format) {
  bool has_two = format && format->level_count == 2 && t->level_count == 2 && t->levels;
  const lac_array *ends = has_two ? &t->levels[1].array[LAC_POSITIONS] : NULL;
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

static MlirAttribute holds_of(MlirType type, arena *memory, const lac_tensor *t) {
  MlirContext context = mlirTypeGetContext(type);
  const tensor_format *format = tensor_format_get(memory, type, mlirLocationUnknownGet(context));
  int64_t order = t->order, *numbers = ARENA_ARRAY(memory, int64_t, 3 * order + 1);
  int root = format && format->level_count ? format->levels[0].dimension : -1;
  numbers[0] = expect_about((double)t->values.length);
  for (int64_t d = 0; d < order; d++)
    numbers[d + 1] = t->dimensions[d];
  int64_t spread = root < 0 ? 0
                            : expect_spread((double)t->values.length, root_squares(t, format),
                                            t->dimensions[root]);
  if (spread)
    numbers[2 * order + 1 + root] = spread;
  return mlirDenseI64ArrayGet(context, (spread ? 3 : 1) * order + 1, numbers);
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
