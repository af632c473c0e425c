/* holds.c - see holds.h. */
#include "holds.h"

#include "expect.h"
#include "statement_spec.h"

#include <stdlib.h>

/* 0 where that is not known. */
static double entries_of(const run_tensor *t, const options *o) {
  const char *density = options_value(o, "-g", t->name);
  double entries = density ? strtod(density, NULL) : 0;
  if (t->read.values.length)
    return (double)stored_values(&t->read);
  for (int d = 0; d < t->order; d++)
    entries *= (double)(t->dimensions[d] > 0 ? t->dimensions[d] : 0);
  return entries;
}

/* It matters where units of a device share the work; of what is made at random about twice as many
 * as there are on average. */
static double fullest_of(const run_tensor *t, int d, double entries, const options *o) {
  if (!o->device)
    return 0;
  if (!options_value(o, "-g", t->name))
    return (double)t->fullest[d];
  double likely = 2 * entries / (double)t->dimensions[d] + 8;
  return likely < entries ? likely : entries;
}

const int64_t *inputs_hold(arena *memory, const run_tensor *t, const options *o) {
  double entries = t->format ? entries_of(t, o) : 0;
  int64_t *holds = ARENA_ARRAY(memory, int64_t, STATEMENT_HOLDS(t->order));
  int64_t *sizes = holds + 1, *fullest = sizes + t->order, *spread = fullest + t->order;
  if (entries < 1)
    return NULL;
  holds[0] = expect_about(entries);
  for (int d = 0; d < t->order; d++) {
    if (t->dimensions[d] <= 0)
      return NULL;
    sizes[d] = t->dimensions[d];
    fullest[d] = expect_about(fullest_of(t, d, entries, o));
    spread[d] = expect_spread(t->spread[d], t->dimensions[d]);
  }
  return holds;
}
