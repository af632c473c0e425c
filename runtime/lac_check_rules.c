/* lac_check_rules.c - what layouts say of the content of arrays (lac_layout.h), a function for each
 * rule.  The arrays are long enough, as the rules on lengths have it.
 */
#include "lac_layout.h"

/* A rule of the level at hand, below so many parents. */
typedef struct looked_at {
  const lac_place *at;
  const lac_layout_counts *counts;
  lac_layout_rule *rule;
} looked_at;

static const lac_level *level_of(const looked_at *x) {
  return lac_level_at(x->at);
}

/* The array that the rule names next; NULL where it names none that is there. */
static const lac_array *next_array(const looked_at *x) {
  int64_t slot;
  bool named = lac_layout_number(x->rule, &slot) && slot < LAC_ARRAYS;
  return named && level_of(x)->array[slot].data ? &level_of(x)->array[slot] : NULL;
}

/* Whether the arrays are there to read so many elements of. */
static bool has(const lac_array *array, int64_t count) {
  return count <= 0 || (array && array->length >= count);
}

static bool is_all_ones(const lac_array *array, int64_t value) {
  return array->width == 8 ? value == -1 : value == (INT64_C(1) << 8 * array->width) - 1;
}

static bool in_range(const lac_place *at, int64_t coordinate, int64_t position) {
  int64_t size = lac_level_at(at)->size;
  return (coordinate >= 0 && coordinate < size) ||
         lac_level_wrong(at, "expected coordinates from 0 to %lld, found %lld at position %lld",
                         (long long)size - 1, (long long)coordinate, (long long)position);
}

/* Whether there is an array with a coordinate for each position up to one. */
static const lac_array *coordinates_of(const lac_place *at, int64_t positions) {
  const lac_layout *layout = &at->layouts[at->l];
  if (!layout->is_at || layout->up > at->l)
    return NULL;
  const lac_array *array = &at->tensor->levels[at->l - layout->up].array[layout->slot];
  bool there = array->data && positions <= INT64_MAX / (layout->stride + 1) &&
               array->length > (positions - 1) * layout->stride + layout->offset;
  return positions <= 0 || there ? array : NULL;
}

/* ---- Coordinates -------------------------------------------------------------------------- */

static bool check_range(const lac_place *at, int64_t begin, int64_t end, const lac_array *none) {
  for (int64_t q = begin; q < end; q++) {
    int64_t coordinate = lac_layout_coordinate(at, q);
    if (!(none && is_all_ones(none, coordinate)) && !in_range(at, coordinate, q))
      return false;
  }
  return true;
}

static bool check_bounded(const looked_at *x) {
  const lac_array *array = coordinates_of(x->at, x->counts->q);
  bool or_none = x->rule->rest < x->rule->end;
  if (!array)
    return lac_layout_malformed(x->at);
  return check_range(x->at, 0, x->counts->q, or_none ? array : NULL);
}

static bool check_spans(const looked_at *x) {
  if (!coordinates_of(x->at, x->counts->q))
    return lac_layout_malformed(x->at);
  for (int64_t p = 0; p < x->counts->p; p++) {
    int64_t begin, end;
    lac_layout_under(x->at, p, &begin, &end);
    if (begin < 0 || begin > end)
      return lac_level_wrong(x->at,
                             "expected a begin from 0 to the end, found %lld and %lld at %lld",
                             (long long)begin, (long long)end, (long long)p);
    if (!check_range(x->at, begin, end, NULL))
      return false;
  }
  return true;
}

static bool is_repeated(const lac_place *at, int64_t first, int64_t position) {
  int64_t coordinate = lac_layout_coordinate(at, position);
  for (int64_t before = first; before < position; before++)
    if (lac_layout_coordinate(at, before) == coordinate)
      return true;
  return false;
}

static bool check_distinct(const looked_at *x) {
  const lac_array *array = coordinates_of(x->at, x->counts->q);
  int64_t count;
  if (!array || !lac_layout_number(x->rule, &count) || count < 1)
    return lac_layout_malformed(x->at);
  for (int64_t q = 0; q < x->counts->q; q++) {
    int64_t coordinate = lac_layout_coordinate(x->at, q);
    if (!is_all_ones(array, coordinate) && is_repeated(x->at, q - q % count, q))
      return lac_level_wrong(x->at,
                             "expected distinct coordinates, found %lld again at position %lld",
                             (long long)coordinate, (long long)q);
  }
  return true;
}

/* ---- Positions ---------------------------------------------------------------------------- */

static bool check_rising(const looked_at *x) {
  const lac_array *array = next_array(x);
  int64_t count, previous = 0;
  if (!lac_layout_value(x->at, x->rule, x->counts, &count))
    return false;
  if (!has(array, count + 1))
    return lac_layout_malformed(x->at);
  for (int64_t i = 0; i <= count; i++) {
    int64_t here = lac_array_get(array, i);
    if (i == 0 ? here != 0 : here < previous)
      return lac_level_wrong(x->at, "expected positions that %s, found %lld at %lld",
                             i == 0 ? "begin with 0" : "do not decrease", (long long)here,
                             (long long)i);
    previous = here;
  }
  return true;
}

static bool check_few(const looked_at *x) {
  const lac_array *array = next_array(x);
  if (!has(array, x->counts->p + 1))
    return lac_layout_malformed(x->at);
  for (int64_t p = 0; p < x->counts->p; p++) {
    int64_t count = lac_array_get(array, p + 1) - lac_array_get(array, p);
    if (count > level_of(x)->size)
      return lac_level_wrong(x->at,
                             "expected at most %lld coordinates, found %lld under position %lld",
                             (long long)level_of(x)->size, (long long)count, (long long)p);
  }
  return true;
}

/* ---- Runs --------------------------------------------------------------------------------- */

typedef struct run_arrays {
  const lac_array *coordinates, *firsts;
} run_arrays;

static int64_t length_of(const run_arrays *a, int64_t run) {
  return lac_array_get(a->firsts, run + 1) - lac_array_get(a->firsts, run);
}

/* Whether a run's last coordinate is in range where its first is. */
static bool ends_in_range(const looked_at *x, const run_arrays *a, int64_t run) {
  int64_t most = level_of(x)->size - lac_array_get(a->coordinates, run), length = length_of(a, run);
  return (length > 0 && length <= most) ||
         lac_level_wrong(x->at, "expected a run of 1 to %lld coordinates, found %lld at run %lld",
                         (long long)most, (long long)length, (long long)run);
}

static bool runs_ascend(const looked_at *x, const run_arrays *a, int64_t begin, int64_t end) {
  for (int64_t run = begin + 1; run < end; run++) {
    int64_t least = lac_array_get(a->coordinates, run - 1) + length_of(a, run - 1);
    int64_t found = lac_array_get(a->coordinates, run);
    if (found < least)
      return lac_level_wrong(x->at,
                             "expected ascending coordinates, from %lld on, found %lld at run %lld",
                             (long long)least, (long long)found, (long long)run);
  }
  return true;
}

static bool check_runs(const looked_at *x) {
  run_arrays a = {.coordinates = next_array(x)};
  a.firsts = next_array(x);
  const lac_array *positions = next_array(x);
  if (!has(positions, x->counts->p + 1) || !has(a.coordinates, x->counts->r) ||
      !has(a.firsts, x->counts->r + 1))
    return lac_layout_malformed(x->at);
  for (int64_t run = 0; run < x->counts->r; run++)
    if (!in_range(x->at, lac_array_get(a.coordinates, run), run) || !ends_in_range(x, &a, run))
      return false;
  for (int64_t p = 0; p < x->counts->p; p++)
    if (!runs_ascend(x, &a, lac_array_get(positions, p), lac_array_get(positions, p + 1)))
      return false;
  return true;
}

static bool check_band(const looked_at *x) {
  const lac_array *coordinates = next_array(x), *positions = next_array(x);
  if (!has(coordinates, x->counts->p) || !has(positions, x->counts->p + 1))
    return lac_layout_malformed(x->at);
  for (int64_t p = 0; p < x->counts->p; p++) {
    int64_t length = lac_array_get(positions, p + 1) - lac_array_get(positions, p);
    int64_t low = lac_array_get(coordinates, p), most = level_of(x)->size - low;
    if (length && (low < 0 || length > most))
      return lac_level_wrong(
          x->at, "expected runs within coordinates 0 to %lld, found %lld from %lld on under %lld",
          (long long)level_of(x)->size - 1, (long long)length, (long long)low, (long long)p);
  }
  return true;
}

/* ---- Hash tables -------------------------------------------------------------------------- */

typedef struct table {
  const lac_array *coordinates;
  int64_t begin, slots;
} table;

static int64_t hash(int64_t coordinate) {
  uint64_t product = (uint64_t)coordinate * 0x9E3779B97F4A7C15u;
  return (int64_t)product >> 32;
}

/* Whether the search for a slot's coordinate comes to the slot: no empty one is before it, nor
 * another with the same. */
static bool is_reached(const looked_at *x, const table *t, int64_t slot) {
  int64_t coordinate = lac_array_get(t->coordinates, slot), mask = t->slots - 1;
  int64_t i = hash(coordinate) & mask;
  for (int64_t here; (here = t->begin + i) != slot; i = (i + 1) & mask) {
    int64_t found = lac_array_get(t->coordinates, here);
    if (is_all_ones(t->coordinates, found) || found == coordinate)
      return lac_level_wrong(x->at, "expected that a search for %lld ends at slot %lld, found %lld",
                             (long long)coordinate, (long long)slot, (long long)here);
  }
  return true;
}

static bool is_table(const looked_at *x, const table *t) {
  if (t->slots & (t->slots - 1))
    return lac_level_wrong(x->at, "expected a power of two of slots, found %lld at %lld",
                           (long long)t->slots, (long long)t->begin);
  for (int64_t slot = t->begin; slot < t->begin + t->slots; slot++) {
    int64_t coordinate = lac_array_get(t->coordinates, slot);
    if (!is_all_ones(t->coordinates, coordinate) &&
        (!in_range(x->at, coordinate, slot) || !is_reached(x, t, slot)))
      return false;
  }
  return true;
}

static bool check_probed(const looked_at *x) {
  table t = {.coordinates = next_array(x)};
  const lac_array *positions = next_array(x);
  if (!has(t.coordinates, x->counts->q) || !has(positions, x->counts->p + 1))
    return lac_layout_malformed(x->at);
  for (int64_t p = 0; p < x->counts->p; p++) {
    t.begin = lac_array_get(positions, p);
    t.slots = lac_array_get(positions, p + 1) - t.begin;
    if (!is_table(x, &t))
      return false;
  }
  return true;
}

/* ---- All ---------------------------------------------------------------------------------- */

typedef bool rule_check(const looked_at *x);

/* NULL for a rule that asks nothing of the content. */
static rule_check *check_of(const lac_layout_rule *rule) {
  static const struct {
    const char *word;
    rule_check *check;
  } checks[] = {{"bounded", check_bounded}, {"rising", check_rising},     {"spans", check_spans},
                {"few", check_few},         {"distinct", check_distinct}, {"runs", check_runs},
                {"band", check_band},       {"probed", check_probed}};
  for (size_t c = 0; c < sizeof checks / sizeof *checks; c++)
    if (lac_layout_is(rule, checks[c].word))
      return checks[c].check;
  return NULL;
}

bool lac_layout_holds(const lac_place *at, const lac_layout_counts *counts) {
  lac_layout_text text = lac_layout_contents(at->layouts[at->l].text);
  lac_layout_rule rule;
  while (lac_layout_next(&text, &rule)) {
    rule_check *check = check_of(&rule);
    if (check && !check(&(looked_at){at, counts, &rule}))
      return false;
  }
  return true;
}
