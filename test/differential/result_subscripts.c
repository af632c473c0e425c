/* result_subscripts.c - results at compound subscripts: R(i+k,2*j) = A(i,j) * B(k), R(2,i-j+4),
 * R(i,i).
 *
 * Their dimensions are as large as the subscripts reach; as static ones, or those of a previous
 * value, larger now and then.
 */
#include "maker.h"
#include "statement_parts.h"

static bool all_are_compound;

void draw_result_subscripts(bool all) {
  all_are_compound = all;
}

bool all_results_are_compound(void) {
  return all_are_compound;
}

bool has_compound_result(uint64_t seed) {
  return all_are_compound || seed / 1024 % 8 == 0;
}

static bool is_empty(const test_case *c, const subscript *s) {
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v] && !c->extents[v])
      return true;
  return false;
}

static int64_t reached(const test_case *c, const subscript *s) {
  return is_empty(c, s) ? 0 : subscript_greatest(c, s) + 1;
}

void bare_result_subscripts(test_case *c) {
  for (int d = 0; d < c->result.order; d++)
    c->result_subscripts[d].factors[c->result_variables[d]] = 1;
}

/* Whether an earlier dimension has the same variable alone. */
static bool is_repeated(const test_case *c, int d) {
  bool found = false;
  for (int above = 0; above < d; above++)
    found |= c->result_variables[above] == c->result_variables[d];
  return found && c->result_variables[d] >= 0;
}

void compound_result_subscripts(maker *m) {
  test_case *c = m->c;
  tensor *r = &c->result;
  for (int d = 0; d < r->order; d++) {
    subscript *s = &c->result_subscripts[d];
    if (chance(m, 8))
      *s = (subscript){.constant = pick(m, 3)};
    else if (d > 0 && chance(m, 12))
      *s = c->result_subscripts[pick(m, d)];
    else if (chance(m, 60))
      make_compound(m, s);
    c->result_variables[d] = subscript_bare(s);
    if (c->result_variables[d] >= 0 && !is_repeated(c, d))
      continue;
    c->result_variables[d] = -1;
    r->is_static[d] = chance(m, 15);
    r->dimensions[d] =
        reached(c, s) + (r->is_static[d] || c->accumulate ? pick(m, 2) * pick(m, 3) : 0);
    c->scatters = true;
  }
}

unsigned compound_result_variables(const test_case *c) {
  unsigned variables = 0;
  for (int d = 0; c->scatters && d < c->result.order; d++)
    for (int v = 0; c->result_variables[d] < 0 && v < MAX_VARIABLES; v++)
      variables |= c->result_subscripts[d].factors[v] ? 1u << v : 0;
  return variables;
}
