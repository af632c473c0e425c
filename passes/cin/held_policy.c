/* held_policy.c - see held_policy.h.
 *
 * What is computed for a result comes to about as many entries as there are points, times the
 * densities of the operands:
 *
 *     A(i,j) = B(i,k) * C(k,j)      I K J * nnz(B) / (I K) * nnz(C) / (K J)
 *
 * where K is no more than the coordinates over which the entries are spread, if that is said.
 *
 * Recording takes memory for each of them, and time to sort them.  Where they come to half of the
 * places that the result has, or more, an array of all places takes less of both; where there is
 * no memory to record them, what grows with the entries that there are is left, if their
 * coordinates fit a word: buckets, which take the least of it, and half the time of a table.
 *
 * Where the outermost loops go through the first levels of the result, what comes together is what
 * each of their iterations has: where that is in the caches, to sort it there takes half the time
 * of what is recorded of all.
 *
 * What is recorded is counted first: the operands are gone through twice.  Where most of the steps
 * through them come to no entry, or many entries to each of the places that operands are spread
 * over, buckets take as little as half the time.
 *
 * Along one variable, an array with a place for each coordinate is beyond the caches, and hardly a
 * line of it is used more than once, where there are far more coordinates than entries.  Where all
 * of the kernel takes few steps beside the places of the array, as a vector of ten entries times a
 * matrix of a million columns does, the first touch of its pages takes longer than everything else.
 */
#include "held_policy.h"

#include "forall_trips.h"
#include "held_access.h"
#include "lac_integer.h"

#include <math.h>

enum { LEAST_HYPERSPARSE = 1 << 20, COORDINATES_PER_ENTRY = 2 };
enum { PLACES_PER_ENTRY = 2, PLACE_BYTES = 16, RECORDED_BYTES = 32, KEY_BITS = 62 };
enum { CACHED_ENTRIES = 1 << 15, ENTRIES_PER_PLACE = 4, STEPS_PER_ENTRY = 2 };
enum { LEAST_TOUCHED = 1 << 15, PLACES_PER_STEP = 16 };

typedef struct accesses {
  arena *memory;
  MlirOperation kernel;
  int count;
  held_access *all; /* of operands, and of the result */
  bool are_held;    /* of each operand it is known how many entries it has */
} accesses;

static bool is_result(const accesses *a, int n) {
  return mlirValueEqual(cin_access_tensor(a->all[n].access), cin_kernel_result(a->kernel));
}

static bool is_access(MlirOperation op) {
  return cin_is_read(op) || cin_is_assign(op);
}

/* Of a workspace nothing is said: it has what operands have. */
static accesses accesses_of(arena *memory, MlirOperation kernel) {
  op_list ops = ops_below(memory, kernel, is_access);
  accesses a = {.memory = memory, .kernel = kernel, .are_held = true};
  a.all = ARENA_ARRAY(memory, held_access, ops.count + 1);
  for (int n = 0; n < ops.count; ++n) {
    held_access *next = &a.all[a.count];
    if (!mlirValueIsABlockArgument(cin_access_tensor(ops.ops[n])) ||
        !held_access_of(memory, kernel, ops.ops[n], next))
      continue;
    a.are_held &= is_result(&a, a.count) || held_entries(next) > 0;
    ++a.count;
  }
  return a;
}

/* What a row that was gathered is gone through by has the coordinates of another variable. */
static MlirValue original_of(MlirValue variable) {
  MlirOperation op = value_owner(variable);
  while (!mlirOperationIsNull(op) && cin_is_index(op) && !mlirValueIsNull(cin_index_like(op))) {
    variable = cin_index_like(op);
    op = value_owner(variable);
  }
  return variable;
}

static bool is_same(MlirValue variable, MlirValue other) {
  return !mlirValueIsNull(other) && mlirValueEqual(original_of(variable), original_of(other));
}

static bool has_variable(const held_access *a, MlirValue variable, double *size) {
  for (intptr_t d = 0; d < cin_access_rank(a->access); ++d)
    if (is_same(variable, cin_access_bare(a->access, d))) {
      *size = held_size(a, (int)d);
      return true;
    }
  return false;
}

/* 0 where it is not known. */
static double extent_of(const accesses *a, MlirValue variable) {
  double size = 0;
  for (int n = 0; n < a->count && size <= 0; ++n)
    has_variable(&a->all[n], variable, &size);
  return size;
}

/* At how many of its coordinates all operands may have entries: those over which the entries of one
 * are spread are others' too. */
static double spread_of(const accesses *a, MlirValue variable) {
  double spread = extent_of(a, variable);
  for (int n = 0; n < a->count; ++n)
    for (intptr_t d = 0; d < cin_access_rank(a->all[n].access); ++d)
      if (!is_result(a, n) && is_same(variable, cin_access_bare(a->all[n].access, d)))
        spread = fmin(spread, held_spread(&a->all[n], (int)d));
  return spread;
}

bool held_is_hypersparse(arena *memory, MlirOperation kernel, MlirValue variable) {
  accesses a = accesses_of(memory, kernel);
  double extent = extent_of(&a, variable), entries = 0, size;
  for (int n = 0; n < a.count; ++n) {
    if (is_result(&a, n) || !has_variable(&a.all[n], variable, &size))
      continue;
    if (held_entries(&a.all[n]) <= 0)
      return false;
    entries += held_entries(&a.all[n]);
  }
  return extent >= LEAST_HYPERSPARSE && entries > 0 && extent > COORDINATES_PER_ENTRY * entries;
}

/* The places of the result, of all its coordinates (extent_of) or those operands are spread over
 * (spread_of); none where a size is not known. */
static double places_of(const accesses *a, const held_access *result,
                        double (*size_of)(const accesses *a, MlirValue variable)) {
  double places = 1;
  for (intptr_t d = 0; d < cin_access_rank(result->access); ++d) {
    MlirValue variable = cin_access_bare(result->access, d);
    places *= mlirValueIsNull(variable) ? 0 : size_of(a, variable);
  }
  return places;
}

/* None where something is not known. */
static double entries_of(const accesses *a) {
  double entries = a->are_held ? 1 : 0;
  for (OPERATIONS(op, op_block(a->kernel, 0)))
    if (cin_is_index(op) && mlirValueIsNull(cin_index_like(op)))
      entries *= spread_of(a, mlirOperationGetResult(op, 0));
  for (int n = 0; n < a->count && entries > 0; ++n) {
    const held_access *one = &a->all[n];
    double places = 1;
    for (intptr_t d = 0; d < cin_access_rank(one->access); ++d)
      places *= held_spread(one, (int)d);
    entries *= is_result(a, n) ? 1 : places > 0 ? fmin(1, held_entries(one) / places) : 0;
  }
  return entries;
}

/* The variable of level l of the result. */
static MlirValue variable_of(const accesses *a, const held_access *result, int l) {
  return cin_access_level(a->kernel, result->access, &result->format->levels[l]);
}

/* How the loops around a read go: in how many steps, and how what they come to is gathered, inside
 * of `levels` first levels of the result, as often as the loops over those go round. */
typedef struct gathering {
  int levels;
  double rounds, steps;
} gathering;

/* Outermost are the loops over the result's first levels, in order. */
static gathering gathering_of(const accesses *a, const held_access *result, MlirOperation read) {
  op_list path = cin_path(a->memory, read);
  gathering g = {0, 1, 1};
  for (int n = 0; n < path.count; ++n) {
    double trips = forall_trips(a->memory, a->kernel, path.ops[n]);
    bool is_next = g.levels == n && n + 1 < result->format->level_count;
    MlirValue held = is_next ? variable_of(a, result, n) : (MlirValue){NULL};
    g.steps *= trips > 0 ? trips : 1;
    if (mlirValueIsNull(held) || !is_same(cin_forall_variable(path.ops[n]), held))
      continue;
    g.levels = n + 1;
    g.rounds *= fmax(1, trips);
  }
  return g;
}

/* How many bits the coordinates of the result have from a level on. */
static int key_bits(const accesses *a, const held_access *result, int level) {
  int bits = 0;
  for (int l = level; l < result->format->level_count; ++l) {
    MlirValue variable = variable_of(a, result, l);
    double extent = mlirValueIsNull(variable) ? 0 : extent_of(a, variable);
    bits += extent > 1 ? lac_bits((int64_t)extent - 1) : 0;
  }
  return bits;
}

/* What the result of a kernel has: its places, those that operands are spread over, in how many
 * steps and of about how many entries it is computed, how many of those come together, and how many
 * bits the coordinates of these have.  None where something is not known. */
typedef struct held_result {
  double places, spread, steps, entries, together;
  int bits;
} held_result;

static held_result result_of(const accesses *a) {
  const held_access *result = NULL;
  for (int n = 0; n < a->count; ++n)
    result = is_result(a, n) ? &a->all[n] : result;
  held_result r = {0};
  r.places = result ? places_of(a, result, extent_of) : 0;
  r.spread = result ? places_of(a, result, spread_of) : 0;
  r.entries = r.places > 0 ? entries_of(a) : 0;
  gathering most = {0, 1, 0};
  for (int n = 0; n < a->count && r.entries > 0; ++n) {
    if (is_result(a, n))
      continue;
    gathering g = gathering_of(a, result, a->all[n].access);
    r.steps = fmax(r.steps, g.steps);
    most = g.rounds > most.rounds ? g : most;
  }
  r.together = r.entries / most.rounds;
  r.bits = r.entries > 0 ? key_bits(a, result, most.levels) : 0;
  return r;
}

const level_format *held_policy_along(arena *memory, MlirOperation kernel, MlirValue variable) {
  accesses a = accesses_of(memory, kernel);
  held_result r = result_of(&a);
  double places = extent_of(&a, variable);
  if (r.steps <= 0 || places < LEAST_TOUCHED || places < PLACES_PER_STEP * r.steps)
    return NULL;
  bool is_cached = r.steps <= CACHED_ENTRIES && places <= ldexp(1, KEY_BITS);
  return is_cached ? level_format_workspace("vector") : level_format_usual_workspace(true);
}

bool held_fills(double places, double entries) {
  return entries > 0 && places <= PLACES_PER_ENTRY * entries;
}

bool held_are_sorted_in_caches(double entries, double together) {
  return together < entries && together <= CACHED_ENTRIES;
}

bool held_adds_full_rows(arena *memory, MlirOperation kernel, MlirValue variable) {
  accesses a = accesses_of(memory, kernel);
  bool full = false;
  for (int n = 0; n < a.count && !full; ++n) {
    double places = 1, size;
    for (intptr_t d = 0; d < cin_access_rank(a.all[n].access); ++d)
      places *= held_size(&a.all[n], (int)d);
    full = !is_result(&a, n) && has_variable(&a.all[n], variable, &size) &&
           held_fills(places, held_entries(&a.all[n]));
  }
  return full;
}

const level_format *held_policy_of_result(arena *memory, MlirOperation kernel, int64_t bytes) {
  accesses a = accesses_of(memory, kernel);
  held_result r = result_of(&a);
  double most = bytes ? (double)bytes : INFINITY;
  if (r.entries <= 0)
    return NULL;
  if (held_fills(r.places, r.entries) && PLACE_BYTES * r.places <= most)
    return level_format_usual_workspace(false);
  if (r.bits > KEY_BITS)
    return NULL;
  if (held_are_sorted_in_caches(r.entries, r.together))
    return level_format_workspace("vector");
  bool are_few = r.steps >= STEPS_PER_ENTRY * r.entries;
  bool meet = r.entries >= ENTRIES_PER_PLACE * r.spread;
  bool fits = RECORDED_BYTES * r.entries <= most;
  return fits && !are_few && !meet ? NULL : level_format_workspace("bucket");
}
