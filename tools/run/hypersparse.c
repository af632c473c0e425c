/* hypersparse.c - variables with far more coordinates than entries (hypersparse.h).
 *
 * An array with a place for each coordinate of one is beyond the caches (LEAST), and hardly a line
 * of it is used more than once: there are PER_ENTRY coordinates for each entry, or more.
 */
#include "hypersparse.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST = 1 << 20, PER_ENTRY = 2 };

static bool has_variable(const run_statement *s, int operand, int variable) {
  const run_tensor *t = s->operands[operand];
  for (int d = 0; t && d < t->order; d++)
    if (s->variables[operand][d] == variable)
      return true;
  return false;
}

double run_tensor_entries(const run_tensor *t, const options *o) {
  const char *density = options_value(o, "-g", t->name);
  double entries = density ? strtod(density, NULL) : 0;
  if (t->read.values.length)
    return (double)stored_values(&t->read);
  for (int d = 0; d < t->order; d++)
    entries *= (double)(t->dimensions[d] > 0 ? t->dimensions[d] : 0);
  return entries;
}

/* The entries of all operands that have the variable, of which each coordinate of a result comes; 0
 * where they are not known. */
static double entries_along(const run_statement *s, int variable, const options *o) {
  double entries = 0;
  for (int n = 0; n < s->e->tensor_count; n++) {
    double more = 0;
    if (!has_variable(s, n, variable))
      continue;
    if (s->makers[n] < 0)
      more = run_tensor_entries(s->operands[n], o);
    if (more <= 0)
      return 0;
    entries += more;
  }
  return entries;
}

static bool is_hypersparse(const run_statement *s, int variable, const options *o) {
  double entries = entries_along(s, variable, o);
  return s->extents[variable] >= LEAST && entries > 0 &&
         (double)s->extents[variable] > PER_ENTRY * entries;
}

const char *inputs_hypersparse(const inputs *in, const options *o, arena *memory) {
  const char *names = "";
  for (int n = 0; n < in->statement_count; n++) {
    const run_statement *s = &in->statements[n];
    for (int v = 0; v < s->e->variable_count; v++)
      if (is_hypersparse(s, v, o))
        names = arena_format(memory, "%s%s%s", names, *names ? "," : "", s->e->variables[v]);
  }
  return names;
}

/* To three bits, so that one program does for operands that have about as many. */
static int64_t about(double number) {
  double unit = 1;
  while (number / unit >= 8)
    unit *= 2;
  return (int64_t)(round(number / unit) * unit);
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
  double entries = t->format ? run_tensor_entries(t, o) : 0;
  int64_t *holds = ARENA_ARRAY(memory, int64_t, 2 * t->order + 1);
  if (entries < 1)
    return NULL;
  holds[0] = about(entries);
  for (int d = 0; d < t->order; d++) {
    if (t->dimensions[d] <= 0)
      return NULL;
    holds[d + 1] = t->dimensions[d];
    holds[t->order + 1 + d] = about(fullest_of(t, d, entries, o));
  }
  return holds;
}
