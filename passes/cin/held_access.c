/* held_access.c - see held_access.h. */
#include "held_access.h"

#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirAttribute holds_of(MlirOperation kernel, MlirValue tensor) {
  if (!mlirValueIsABlockArgument(tensor) || mlirValueEqual(tensor, cin_kernel_result(kernel)))
    return (MlirAttribute){NULL};
  return tin_tensor_holds(mlirOperationGetOperand(kernel, mlirBlockArgumentGetArgNumber(tensor)));
}

bool held_access_of(arena *memory, MlirOperation kernel, MlirOperation access, held_access *a) {
  MlirValue tensor = cin_access_tensor(access);
  *a = (held_access){.kernel = kernel, .access = access, .type = mlirValueGetType(tensor)};
  if (!mlirTypeIsARankedTensor(a->type))
    return false;
  a->format = tensor_format_get(memory, a->type, mlirOperationGetLocation(access));
  a->holds = holds_of(kernel, tensor);
  return a->format;
}

static double known(int64_t size) {
  return size > 0 ? (double)size : 0;
}

double held_size(const held_access *a, int dimension) {
  return dimension < 0 ? 0 : known(tin_held_size(a->holds, a->type, dimension));
}

double held_spread(const held_access *a, int dimension) {
  return known(tin_held_spread(a->holds, a->type, dimension));
}

double held_coordinates(const held_access *a, int count) {
  double places = 1;
  for (int l = 0; l < count; ++l)
    places *= held_size(a, a->format->levels[l].dimension);
  double all =
      mlirAttributeIsNull(a->holds) ? places : (double)mlirDenseI64ArrayGetElement(a->holds, 0);
  return places < all ? places : all;
}

double held_entries(const held_access *a) {
  if (!mlirAttributeIsNull(a->holds))
    return (double)mlirDenseI64ArrayGetElement(a->holds, 0);
  for (int l = 0; l < a->format->level_count; ++l)
    if (!(a->format->levels[l].properties & LEVEL_FULL))
      return 0;
  return held_coordinates(a, a->format->level_count);
}
