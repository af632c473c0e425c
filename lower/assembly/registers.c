/* registers.c - a small dense workspace of constant sizes: a variable for each value.
 *
 *     w : [4] dense        w[i] = x     w0 = i == 0 ? x : w0;  w1 = i == 1 ? x : w1;  ..
 *
 * Where it is known which (in an unrolled loop), one is set.
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

enum { MOST_REGISTERS = 64 };

typedef struct registers {
  variable *values;
  int64_t count;
} registers;

static const registers *registers_of(const storage *s) {
  return s->levels[0].state;
}

static MlirValue load_register(storage *s, MlirValue i) {
  const registers *r = registers_of(s);
  int64_t n;
  if (value_is_constant_index(i, &n))
    return var_get(s->b, r->values[n]);
  MlirValue value = var_get(s->b, r->values[0]);
  for (n = 1; n < r->count; n++)
    value = select_value(s->b, equal(s->b, i, constant_index(s->b, n)), var_get(s->b, r->values[n]),
                         value);
  return value;
}

static void store_register(storage *s, MlirValue i, MlirValue value) {
  const registers *r = registers_of(s);
  int64_t n;
  if (value_is_constant_index(i, &n)) {
    var_set(s->b, r->values[n], value);
    return;
  }
  for (n = 0; n < r->count; n++)
    var_set(s->b, r->values[n],
            select_value(s->b, equal(s->b, i, constant_index(s->b, n)), value,
                         var_get(s->b, r->values[n])));
}

const building building_registers = {.name = "held in registers",
                                     .placed_by = sit_is_insert,
                                     .place = building_insert_coordinate,
                                     .load = load_register,
                                     .store = store_register};

/* How many values, of levels of constant sizes; -1 where they are too many or not known. */
static int64_t register_count(const storage *s, const MlirValue *dimensions) {
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

bool registers_begin(storage *s, const MlirValue *dimensions, const building_plan *p) {
  int64_t count = register_count(s, dimensions);
  if (count < 0)
    return false;
  storage_build(s, dimensions, p);
  registers *r = building_state(&s->levels[0], sizeof *r);
  *r = (registers){ARENA_ARRAY(s->memory, variable, count), count};
  for (int64_t i = 0; i < count; i++)
    r->values[i] = var_make(s->b, storage_initial_value(s));
  for (int k = 0; k < s->format->level_count; k++) {
    s->levels[k].way = &building_registers;
    s->levels[k].state = r;
  }
  return true;
}
