/* storage_lanes.c - values of operands for several lanes at once. */
#include "storage_state.h"

MlirValue storage_values(const storage *s) {
  return s->values.fixed;
}

MlirValue storage_gather(storage *s, MlirValue position, MlirValue spread, MlirValue mask) {
  return gather_lanes(s->b, s->values.fixed, position, spread, mask);
}
