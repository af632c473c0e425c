/* holds.c - see holds.h. */
#include "holds.h"

#include "expect.h"
#include "lac_coo.h"
#include "statement_spec.h"

#include <stdlib.h>

/* Of one dimension, where each coordinate has a number of entries: the most of them, and their
 * squares added up; 0 where they were not counted. */
typedef struct held_count {
  int64_t most;
  double squares;
} held_count;

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

/* A row that has far more entries than others asks for another way to share them, and few rows that
 * have all entries make products of more than many would (tin.holds).  Along a dimension with far
 * more coordinates than entries a sample tells. */
static held_count count_along(int64_t size, const lac_array *coordinates, int64_t entries) {
  enum { SHORT = 1 << 16, FAR_MORE = 16 };
  int64_t *along =
      size <= SHORT || size / FAR_MORE <= entries ? calloc((size_t)size + 1, sizeof *along) : NULL;
  held_count counted = {0};
  for (int64_t n = 0; along && n < entries; n++) {
    int64_t count = ++along[lac_array_get(coordinates, n)];
    counted.most = count > counted.most ? count : counted.most;
    counted.squares += (double)(2 * count - 1); /* count^2 was (count - 1)^2 */
  }
  if (!along)
    counted.squares = expect_squares(coordinates, entries);
  free(along);
  return counted;
}

/* Of a list that was read, once. */
static const held_count *counts_of(arena *memory, run_tensor *t) {
  if (t->counts)
    return t->counts;
  t->counts = ARENA_ARRAY(memory, held_count, t->order + 1);
  for (int l = 0; t->read.values.length && !lac_coo_expect(&t->read) && l < t->order; l++) {
    int64_t d = t->read_dimensions[l];
    t->counts[d] = count_along(t->read.dimensions[d], &t->read.levels[l].array[LAC_COORDINATES],
                               stored_values(&t->read));
  }
  return t->counts;
}

/* It matters where units of a device share the work; of what is made at random about twice as many
 * as there are on average. */
static double fullest_of(const run_tensor *t, int d, double entries, const options *o) {
  if (!o->device)
    return 0;
  if (t->read.values.length)
    return (double)t->counts[d].most;
  double likely = 2 * entries / (double)t->dimensions[d] + 8;
  return likely < entries ? likely : entries;
}

const int64_t *inputs_hold(arena *memory, run_tensor *t, const options *o) {
  double entries = t->format ? entries_of(t, o) : 0;
  int64_t *holds = ARENA_ARRAY(memory, int64_t, STATEMENT_HOLDS(t->order));
  int64_t *sizes = holds + 1, *fullest = sizes + t->order, *spread = fullest + t->order;
  if (entries < 1)
    return NULL;
  const held_count *counts = counts_of(memory, t);
  holds[0] = expect_about(entries);
  for (int d = 0; d < t->order; d++) {
    if (t->dimensions[d] <= 0)
      return NULL;
    sizes[d] = t->dimensions[d];
    fullest[d] = expect_about(fullest_of(t, d, entries, o));
    spread[d] = expect_spread(entries, counts[d].squares, t->dimensions[d]);
  }
  return holds;
}
