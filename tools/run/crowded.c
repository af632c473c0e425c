/* crowded.c - which results have their entries met again and again (crowded.h).
 *
 * What is computed for a result comes to about as many entries as there are points, times the
 * densities of the operands:
 *
 *     A(i,j) = B(i,k) * C(k,j)      I K J * nnz(B) / (I K) * nnz(C) / (K J)
 *
 * Recording takes memory for each of them.  Where each place of a small result is met several
 * times, an array of all places takes less, and a quarter of the time; where there is no memory to
 * record them, what grows with the entries that there are is left, if their coordinates fit a word:
 * buckets, which take the least of it, and half the time of a table.
 */
#include "crowded.h"

#include "hypersparse.h"
#include "lac_integer.h"
#include "lac_machine.h"

enum { PLACES = 1 << 22, MEETINGS = 4, RECORDED_BYTES = 32, KEY_BITS = 62 };

typedef struct crowd {
  double entries, places; /* computed, and of the result */
  int bits;               /* of a place's coordinates */
} crowd;

static double dense_size(const run_tensor *t) {
  double size = 1;
  for (int d = 0; d < t->order; d++)
    size *= (double)(t->dimensions[d] > 0 ? t->dimensions[d] : 1);
  return size;
}

/* Of a statement whose operands and extents are all known; else no places. */
static crowd crowd_of(const run_statement *s, const options *o) {
  crowd c = {1, 1, 0};
  for (int v = 0; v < s->e->variable_count; v++) {
    if (s->extents[v] <= 0)
      return (crowd){0, 0, 0};
    c.entries *= (double)s->extents[v];
  }
  for (int n = 0; n < s->e->tensor_count; n++) {
    double entries = s->makers[n] < 0 ? run_tensor_entries(s->operands[n], o) : 0;
    if (entries <= 0)
      return (crowd){0, 0, 0};
    c.entries *= entries / dense_size(s->operands[n]);
  }
  for (int d = 0; d < s->result->order; d++) {
    int variable = s->variables[s->e->tensor_count][d];
    c.places *= variable < 0 ? 0 : (double)s->extents[variable];
    c.bits += variable < 0 ? 0 : lac_bits(s->extents[variable] - 1);
  }
  return c;
}

static const char *policy_of(crowd c, double memory) {
  if (c.places <= 0)
    return "";
  if (c.places <= PLACES && c.entries >= MEETINGS * c.places)
    return "dense";
  if (RECORDED_BYTES * c.entries <= memory || c.bits > KEY_BITS)
    return "";
  return "bucket";
}

const char *inputs_crowded(const inputs *in, const options *o, arena *memory) {
  double available = (double)lac_machine_free_memory();
  const char *policies = "";
  for (int n = 0; n < in->statement_count; n++) {
    const run_statement *s = &in->statements[n];
    const char *policy = policy_of(crowd_of(s, o), available);
    if (*policy)
      policies = arena_format(memory, "%s%s%s:%s", policies, *policies ? "," : "", s->result->name,
                              policy);
  }
  return policies;
}
