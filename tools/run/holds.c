/* holds.c - see holds.h. */
#include "holds.h"

#include "expect.h"

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
  if (!o->device || !options_value(o, "-g", t->name))
    return (double)t->fullest[d];
  double likely = 2 * entries / (double)t->dimensions[d] + 8;
  return likely < entries ? likely : entries;
}

const int64_t *inputs_hold(arena *memory, const run_tensor *t, const options *o) {
  double entries = t->format ? entries_of(t, o) : 0;
  int64_t *holds = ARENA_ARRAY(memory, int64_t, 2 * t->order + 1);
  if (entries < 1)
    return NULL;
  holds[0] = expect_about(entries);
  for (int d = 0; d < t->order; d++) {
    if (t->dimensions[d] <= 0)
      return NULL;
    holds[d + 1] = t->dimensions[d];
    holds[t->order + 1 + d] = expect_about(fullest_of(t, d, entries, o));
  }
  return holds;
}
