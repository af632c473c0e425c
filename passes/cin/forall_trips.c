/* forall_trips.c - see forall_trips.h.
 *
 *     entries of a level     no more than there are in all, and than there are coordinates of the
 *                            levels up to it
 *     iterations             entries of a level over those of the level above, of the operand that
 *                            has the fewest
 */
#include "forall_trips.h"

#include "held_access.h"
#include "tin.h"

#include <mlir-c/BuiltinTypes.h>

#include <math.h>

static double trips_of(const held_access *a, MlirValue variable) {
  for (int l = 0; l < a->format->level_count; ++l) {
    MlirValue at = cin_access_level(a->kernel, a->access, &a->format->levels[l]);
    double parents = held_coordinates(a, l);
    if (!mlirValueIsNull(at) && mlirValueEqual(at, variable))
      return parents > 0 ? held_coordinates(a, l + 1) / parents : 0;
  }
  return 0;
}

double forall_trips(arena *memory, MlirOperation kernel, MlirOperation forall) {
  op_list reads = ops_below(memory, forall, cin_is_read);
  double fewest = 0;
  for (int i = 0; i < reads.count; ++i) {
    held_access a;
    double trips = held_access_of(memory, kernel, reads.ops[i], &a)
                       ? trips_of(&a, cin_forall_variable(forall))
                       : 0;
    if (trips > 0 && (fewest == 0 || trips < fewest))
      fewest = trips;
  }
  return fewest;
}

static bool lists_in_order(const held_access *a, MlirValue variable) {
  for (int l = 0; l < a->format->level_count; ++l) {
    const format_level *level = &a->format->levels[l];
    MlirValue at = cin_access_level(a->kernel, a->access, level);
    if (!mlirValueIsNull(at) && mlirValueEqual(at, variable))
      return level->properties & LEVEL_ORDERED && !(level->format->capabilities & LEVEL_LOCATE);
  }
  return false;
}

double forall_longest(arena *memory, MlirOperation kernel, MlirOperation forall) {
  op_list reads = ops_below(memory, forall, cin_is_read);
  MlirValue variable = cin_forall_variable(forall);
  double longest = 0;
  for (int i = 0; i < reads.count; ++i) {
    held_access a;
    if (held_access_of(memory, kernel, reads.ops[i], &a) && lists_in_order(&a, variable))
      longest = fmax(longest, trips_of(&a, variable));
  }
  return longest;
}

static double fullest_of(const held_access *a, MlirValue variable) {
  for (int l = 0; l < a->format->level_count; ++l) {
    const format_level *level = &a->format->levels[l];
    MlirValue at = cin_access_level(a->kernel, a->access, level);
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
    double entries = held_access_of(memory, kernel, reads.ops[i], &a)
                         ? fullest_of(&a, cin_forall_variable(forall))
                         : 0;
    fullest = entries > fullest ? entries : fullest;
  }
  return fullest;
}
