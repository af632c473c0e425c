/* The values of entries and of the numbers in expressions: small integers, and in some cases what
 * is at the ends of the type.
 *
 *     plus_times, of integers     the greatest, the least, one beside them: sums and products wrap
 *     plus_times, of floats       infinity, -infinity, NaN
 *     min_plus, max_plus          what nothing stored has, which must not wrap; of floats the other
 *                                 infinity as well
 *     min_max, or_and, ...        the greatest and the least: nothing wraps
 *     max_times                   0, of floats infinity
 *
 * Where a semiring's sums wrap its operators do not distribute: its other values stay small.
 */
#include "maker.h"

#include "lac_tensor.h"

#include <math.h>

static bool adds(const ring *r) {
  return r && (r->times == PLUS || r->times == TIMES);
}

static element extreme_integer(maker *m, int32_t type) {
  if (adds(m->c->ring))
    return ring_fill(m->c->ring, type);
  bool greatest = chance(m, 50);
  long double beside = pick(m, 2);
  return element_extreme(type, greatest) + (greatest ? -beside : beside);
}

static element extreme_float(maker *m, int32_t type) {
  const ring *r = m->c->ring;
  if (r && r->positive)
    return chance(m, 50) ? 0 : element_extreme(type, true);
  if (!r && chance(m, 33))
    return NAN;
  return element_extreme(type, chance(m, 50));
}

static element extreme_value(maker *m, int32_t type) {
  return holds_integers(type) ? extreme_integer(m, type) : extreme_float(m, type);
}

long double constant_value(maker *m) {
  static const double values[] = {2, 3, 1, -1, 0.5, -2};
  bool integer = holds_integers(m->c->type);
  if (integer && chance(m, 25))
    return creall(extreme_value(m, m->c->type));
  if (!m->c->ring && chance(m, 8))
    return 0;
  return values[pick(m, m->c->ring ? 3 : integer ? 4 : 6)];
}

static double small_value(maker *m) {
  static const double values[] = {1, 2, 3, 5, -1, -2};
  return values[pick(m, m->c->ring && m->c->ring->positive ? 4 : 6)];
}

element entry_value(maker *m, const tensor *t) {
  if (m->extremes && !t->must_be_full && !holds_complex(t->type) && chance(m, 25))
    return extreme_value(m, t->type);
  double real = chance(m, 4) && !t->must_be_full && !m->c->ring ? 0 : small_value(m);
  return holds_complex(t->type) ? real + small_value(m) * I : real;
}
