/* padding.c - accesses that may be out of range: A[pad](i+k-2), A[pad:3](2*i-1), in dimensions that
 * are shorter or longer than the subscripts reach.
 */
#include "maker.h"

static bool all_pad;

void draw_padding(bool all) {
  all_pad = all;
}

bool all_are_padded(void) {
  return all_pad;
}

bool is_padding(uint64_t seed) {
  return all_pad || seed / 128 % 6 == 0;
}

/* Somewhere around the coordinates that there are. */
void pad_access(maker *m, node *n, int order) {
  for (int d = 0; d < order; d++) {
    subscript *s = &n->subscripts[d];
    if (subscript_bare(s) >= 0)
      continue;
    s->constant -= pick(m, 5) - 1;
    if (subscript_bare(s) >= 0)
      s->constant--;
    n->padded = true;
  }
  n->pads = n->padded && chance(m, 30);
  n->value = n->pads ? pick(m, 3) : 0;
}

int64_t padded_dimension(maker *m, const subscript *s) {
  int64_t greatest = subscript_greatest(m->c, s), most = greatest < 0 ? 0 : greatest;
  return chance(m, 10) ? pick(m, 3) : most + pick(m, 5) - (most > 2 ? 2 : 0);
}

static int64_t floor_of(int64_t number, int64_t by) {
  return number / by - (number % by < 0);
}

int64_t size_told(const test_case *c, const node *access, int d, int variable) {
  subscript rest = access->subscripts[d];
  int64_t factor = rest.factors[variable], padding = 0;
  rest.factors[variable] = 0;
  if (access->padded && subscript_least(c, &rest) < 0)
    padding = -subscript_least(c, &rest);
  int64_t left = c->tensors[access->tensor].dimensions[d] - 1 + padding;
  return floor_of(left - subscript_greatest(c, &rest), factor) + 1;
}
