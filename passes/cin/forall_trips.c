/* forall_trips.c - see forall_trips.h.
 *
 *     entries of a level     no more than there are in all, and than there are coordinates of the
 *                            levels up to it
 *     iterations             entries of a level over those of the level above, of the operand that
 *                            has the fewest
 */
#include "forall_trips.h"

#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* What is read, and what is said of it. */
typedef struct held_access {
  MlirOperation kernel, read;
  MlirType type;
  const tensor_format *format;
  MlirAttribute holds; /* null: nothing */
} held_access;

static MlirAttribute holds_of(MlirOperation kernel, MlirValue tensor) {
  if (!mlirValueIsABlockArgument(tensor) || mlirValueEqual(tensor, cin_kernel_result(kernel)))
    return (MlirAttribute){NULL};
  return tin_tensor_holds(mlirOperationGetOperand(kernel, mlirBlockArgumentGetArgNumber(tensor)));
}

/* False where it is a scalar. */
static bool access_of(arena *memory, MlirOperation kernel, MlirOperation read, held_access *a) {
  MlirValue tensor = cin_access_tensor(read);
  *a = (held_access){.kernel = kernel, .read = read, .type = mlirValueGetType(tensor)};
  if (!mlirTypeIsARankedTensor(a->type))
    return false;
  a->format = tensor_format_get(memory, a->type, mlirOperationGetLocation(read));
  a->holds = holds_of(kernel, tensor);
  return a->format;
}

/* 0 where it is not known. */
static double size_of(const held_access *a, const format_level *level) {
  int64_t size = level->dimension < 0 ? 0 : dimension_size(a->type, level->dimension);
  if (size >= 0)
    return (double)size;
  return mlirAttributeIsNull(a->holds)
             ? 0
             : (double)mlirDenseI64ArrayGetElement(a->holds, level->dimension + 1);
}

/* Of the first `count` levels together; 0 where it is not known. */
static double entries_of(const held_access *a, int count) {
  double places = 1;
  for (int l = 0; l < count; ++l)
    places *= size_of(a, &a->format->levels[l]);
  double all =
      mlirAttributeIsNull(a->holds) ? places : (double)mlirDenseI64ArrayGetElement(a->holds, 0);
  return places < all ? places : all;
}

static double trips_of(const held_access *a, MlirValue variable) {
  for (int l = 0; l < a->format->level_count; ++l) {
    MlirValue at = cin_access_level(a->kernel, a->read, &a->format->levels[l]);
    double parents = entries_of(a, l);
    if (!mlirValueIsNull(at) && mlirValueEqual(at, variable))
      return parents > 0 ? entries_of(a, l + 1) / parents : 0;
  }
  return 0;
}

double forall_trips(arena *memory, MlirOperation kernel, MlirOperation forall) {
  op_list reads = ops_below(memory, forall, cin_is_read);
  double fewest = 0;
  for (int i = 0; i < reads.count; ++i) {
    held_access a;
    double trips =
        access_of(memory, kernel, reads.ops[i], &a) ? trips_of(&a, cin_forall_variable(forall)) : 0;
    if (trips > 0 && (fewest == 0 || trips < fewest))
      fewest = trips;
  }
  return fewest;
}

static double fullest_of(const held_access *a, MlirValue variable) {
  for (int l = 0; l < a->format->level_count; ++l) {
    const format_level *level = &a->format->levels[l];
    MlirValue at = cin_access_level(a->kernel, a->read, level);
    if (!mlirValueIsNull(at) && mlirValueEqual(at, variable) && level->dimension >= 0)
      return (double)tin_held_at_most(a->holds, tensor_order(a->type), level->dimension);
  }
  return 0;
}

double forall_fullest(arena *memory, MlirOperation kernel, MlirOperation forall) {
  op_list reads = ops_below(memory, forall, cin_is_read);
  double fullest = 0;
  for (int i = 0; i < reads.count; ++i) {
    held_access a;
    double entries = access_of(memory, kernel, reads.ops[i], &a)
                         ? fullest_of(&a, cin_forall_variable(forall))
                         : 0;
    fullest = entries > fullest ? entries : fullest;
  }
  return fullest;
}
