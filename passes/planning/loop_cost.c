/* loop_cost.c - what an order of loops is estimated to cost.
 *
 *     cost = sum over the loops of  iterations(loop) * (1 + accesses that change with it)
 *
 * where an access counts at the innermost loop whose variable subscripts it, since outside of that
 * it is loaded once. The innermost loop is cheaper where nothing hinders SIMD.
 */
#include "loop_cost.h"

#include "density.h"
#include "extent.h"
#include "held_policy.h"
#include "iteration_graph.h"
#include "level_entries.h"

#include <math.h>

static const double contiguous_access = 1, random_access = 3, strided_access = 4, walk = 2;
static const double store_factor = 2, gather = 8; /* into a workspace, and out of it again */
static const double scatter = 24;                 /* counted, and then placed at random */
static const double scatter_near = 10;            /* under one parent after the other */
static const double simd = 0.3, simd_strided = 0.6, serial = 1.5;
static const double search = 20;                 /* for where a walk begins */
static const double again = 2;                   /* of entries that have left the caches by then */
static const double window = 8;                  /* for where one over coordinates does and ends */
static const double comparing = 4, looking = 2;  /* a search's steps, and what is looked through */
static const double meeting = 200;               /* to enter a loop over several levels together; */
static const double merging = 4, skipping = 25;  /* an entry of one; a step of a search in one */
static const double tabled = 4;                  /* an entry of a list put where it is looked up */
static const double recorded = 20, sorting = 15; /* noted, in the caches; each doubling beyond */
static const double in_array = 4;                /* of entries of several rows, in the caches */
static const double in_list = 20;                /* and where they are noted and sorted there */
static const double leap = 1.6;                  /* from one part of what is stored to another */
static const double out_of_registers =
    0.02;                                 /* for each loop that a sum over a window goes around */
const double cost_of_empty_windows = 1e3; /* stored where none of the window's entries are */

/*--- Accesses ----------------------------------------------------------------------------------*/

int innermost_place(const access *a, const int *path, int length) {
  int place = length - 1;
  while (place >= 0 && !set_has(a->variables, path[place]))
    place--;
  return place;
}

static double access_cost(const statement *s, const access *a, int variable) {
  if (variable_is_walked(s, variable)) {
    for (int l = 0; l < a->level_count; l++)
      if (a->levels[l].bare == variable && level_is_walked(&a->levels[l]))
        return walk;
    return random_access;
  }
  bool is_last = a->level_count && set_has(a->levels[a->level_count - 1].variables, variable);
  return is_last ? contiguous_access : strided_access;
}

static bool result_gathers(const statement *s, const int *path, int place) {
  assembly_list list = statement_assemblies(s);
  variable_set reductions = statement_root_reductions(s);
  bool reduced = false;
  for (int p = 0; p < place; p++)
    reduced |= set_has(reductions, path[p]);
  return reduced && assembly_gathers(&list, statement_result(s)->level_count - 1);
}

/* The places in a block, if the variable goes through all of those; else 0. */
static int64_t block_size(const statement *s, int variable) {
  const remapped_loop *loop = s->loops ? &s->loops[variable] : NULL;
  remap r;
  bool counts = loop && loop->variable < 0 && remap_of(loop->by, &r) && r.kind == REMAP_REMAINDER &&
                !variable_is_walked(s, variable);
  return counts ? r.size : 0;
}

/* Whether the loops come to the parents of what is scattered one after the other, or to those of a
 * block again and again: inside of other loops there are only those through a block of parents. */
static bool parents_come_together(const statement *s, const int *path, int length) {
  enum { NEAR = 1024 };
  const access *result = statement_result(s);
  int scatter_level = tensor_format_scatter_level(result->format);
  variable_set parents = set_empty();
  bool others = false;
  if (scatter_level < 0)
    return false;
  for (int l = 0; l < scatter_level; l++)
    set_add(s->memory, &parents, result->levels[l].variables);
  for (int p = 0; p < length; p++) {
    int64_t size = block_size(s, path[p]);
    if (!set_has(parents, path[p]))
      others = true;
    else if (others && (size == 0 || size > NEAR))
      return false;
  }
  return true;
}

/* Whether the first `length` loops of the path come to a level above the last inside of one that
 * reduces, so that no row can be gathered after the other. */
static bool comes_in_any_order(const statement *s, const int *path, int length) {
  const access *result = statement_result(s);
  variable_set reductions = statement_root_reductions(s);
  assembly_list list = statement_assemblies(s);
  bool reduced = false;
  if (!assembly_gathers(&list, result->level_count - 1))
    return false;
  for (int p = 0; p < length; p++) {
    for (int l = 0; l < result->level_count - 1; l++)
      if (reduced && set_has(result->levels[l].variables, path[p]))
        return true;
    reduced |= set_has(reductions, path[p]);
  }
  return false;
}

/* The bytes of an array with a place for all that the result may have. */
static double result_bytes(const statement *s) {
  double bytes = access_bytes(statement_result(s));
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(statement_result_variables(s), v))
      bytes *= estimated_extent(s, v);
  return bytes;
}

double recording_cost(const access *made, double entries) {
  enum { CACHED = 1 << 14 };
  int levels = 0;
  for (int l = 0; l < made->level_count; l++)
    levels += level_is_walked(&made->levels[l]);
  return levels * (recorded + sorting * fmax(0, log2(entries / CACHED)));
}

/* Whether the loop at a place goes through what the result is stored by there. */
static bool follows_result(const statement *s, const int *path, int place) {
  const access *result = statement_result(s);
  return place < result->level_count && result->levels[place].bare == path[place];
}

/* Each of what comes, in any order, is noted, and all are sorted, or those of each iteration of the
 * outermost loops that are as the result is stored; or put into an array with a place for each, if
 * that is in the caches and will be filled. */
static double gathering_cost(const statement *s, const int *path, int length) {
  double entries = 1, together = 1;
  double bytes = result_bytes(s), places = bytes / access_bytes(statement_result(s));
  bool outermost = true;
  for (int p = 0; p < length; p++) {
    outermost &= follows_result(s, path, p);
    entries *= trip_count(s, path[p]);
    together *= outermost ? 1 : trip_count(s, path[p]);
  }
  if (bytes <= window_cache && held_fills(places, entries))
    return in_array;
  if (held_are_sorted_in_caches(entries, together))
    return in_list;
  return recording_cost(statement_result(s), together);
}

double result_cost(const statement *s, const int *path, int place, bool scatters) {
  const access *result = statement_result(s);
  if (scatters)
    return parents_come_together(s, path, place + 1) ? scatter_near : scatter;
  if (comes_in_any_order(s, path, place + 1))
    return gathering_cost(s, path, place + 1);
  if (result_gathers(s, path, place))
    return gather;
  bool is_appended = level_is_walked(&result->levels[result->level_count - 1]);
  if (variable_is_walked(s, path[place]) && is_appended)
    return contiguous_access;
  return store_factor * access_cost(s, result, path[place]);
}

/* Whether what is reduced into by the loops from `place` on is a few registers: those inside that
 * do not reduce go through small blocks. */
static bool reduces_in_registers(const statement *s, const int *path, int place, int last) {
  enum { REGISTERS = 16 };
  variable_set reductions = statement_root_reductions(s);
  int64_t registers = 1;
  if (!set_has(reductions, path[place]))
    return false;
  for (int p = place + 1; p <= last && registers <= REGISTERS; p++) {
    int64_t size = set_has(reductions, path[p]) ? 1 : block_size(s, path[p]);
    registers *= size ? size : REGISTERS + 1;
  }
  return registers <= REGISTERS;
}

/* The innermost loop that the result's element changes with, those that reduce in registers left
 * out; -1 for none. */
static int result_place(const statement *s, const int *path, int length) {
  const access *result = statement_result(s);
  int last = innermost_place(result, path, length);
  for (int p = 0; p < last; p++)
    if (reduces_in_registers(s, path, p, last))
      return innermost_place(result, path, p);
  return last;
}

/*--- Loops -------------------------------------------------------------------------------------*/

static int add_own_loops(const statement *s, const nest *n, const int *order, int *path,
                         int length) {
  for (int i = 0; i < s->variable_count; i++)
    if (set_has(n->own, order[i]))
      path[length++] = order[i];
  return length;
}

int nest_path(const statement *s, const nest *n, const int *order, int *path) {
  int length = 0;
  if (n->parent) {
    length = nest_path(s, n->parent, order, path);
    while (length > 0 && !set_has(n->outer, path[length - 1]))
      length--;
  }
  return add_own_loops(s, n, order, path, length);
}

/* What an innermost loop over dense levels gains; a short one nothing. */
static double vector_factor(const statement *s, int variable, double trips, double accesses,
                            int count) {
  enum { SHORT = 8 };
  if (variable_is_walked(s, variable) || trips < SHORT)
    return 1;
  return accesses <= count * store_factor * contiguous_access ? simd : simd_strided;
}

typedef struct place_costs {
  double *costs; /* of the accesses that change with each loop of a path */
  int *counts;   /* how many they are */
} place_costs;

static void add_accesses(const statement *s, const nest *n, const int *path, int length,
                         bool scatters, place_costs *places) {
  for (int i = 0; i < n->access_count; i++) {
    const access *a = &s->accesses[n->accesses[i]];
    int place = innermost_place(a, path, length);
    if (place < 0)
      continue;
    places->costs[place] += access_cost(s, a, path[place]);
    places->counts[place]++;
  }
  int place = n->parent ? -1 : result_place(s, path, length);
  if (place < 0)
    return;
  double meets = 1;
  for (int p = 0; p <= place; p++)
    meets *= share_that_meets(s, path[p]);
  places->costs[place] += result_cost(s, path, place, scatters) * meets;
  places->counts[place]++;
}

/* What it takes to look through a level for one coordinate. */
static double search_cost(const statement *s, const access *a, int l) {
  double entries = level_entries(s, a, l);
  return format_level_is_searched(a->levels[l].level) ? comparing * log2(1 + entries)
                                                      : looking * entries;
}

void add_searches(const statement *s, const nest *n, const int *path, int length,
                  double *searches) {
  for (int i = 0; i < n->access_count; i++) {
    const access *a = &s->accesses[n->accesses[i]];
    variable_set known = set_empty();
    for (int l = 0; l < a->level_count; l++) {
      set_add(s->memory, &known, a->levels[l].variables);
      int place = length - 1;
      while (place >= 0 && !set_has(known, path[place]))
        place--;
      bool finds = a->levels[l].level->format->capabilities & LEVEL_LOCATE;
      bool walks = place >= 0 && !s->unmapped && level_walks_at(a, l, path, place);
      if (place >= 0 && !finds && !walks && access_level_is_searched(a, l))
        searches[place] += search_cost(s, a, l);
    }
  }
}

/* To find the entries that a level has at each of `trips` places, so often: by searches; in a list
 * that is met again, in a table of it if that is less (looked_up.h). */
static double skipping_cost(int level, double entries, double trips, double iterations) {
  double searching = iterations * trips * skipping * log2(entries / fmax(trips, 1));
  double looking_up = tabled * entries + random_access * iterations * trips;
  return level == 0 && iterations > 1 ? fmin(searching, looking_up) : searching;
}

/* What it takes to enter a loop, so often, that goes only where several levels that it walks all
 * have entries, and to go on in them: entry by entry, or by a search in one with far more.  None
 * where it is a guess how many they have. */
static double merging_cost(const statement *s, const nest *n, int variable, double trips,
                           double iterations) {
  enum { FAR_MORE = 8 };
  double cost = iterations * meeting, all = 0, most = 0;
  for (int i = 0; i < n->access_count; i++) {
    const access *a = &s->accesses[n->accesses[i]];
    for (int l = 0; l < a->level_count; l++) {
      bool walks = a->levels[l].bare == variable && level_is_walked(&a->levels[l]);
      double entries = walks ? level_entries(s, a, l) : 0;
      if (walks && mlirAttributeIsNull(a->holds))
        return 0;
      all += entries;
      most = fmax(most, entries);
      if (walks)
        cost += entries > FAR_MORE * trips ? skipping_cost(l, entries, trips, iterations)
                                           : iterations * merging * entries;
    }
  }
  bool meets = all > most && trips < (all + most) / 2; /* and no union, which has all of them */
  return meets ? cost : 0;
}

static double nest_cost(const statement *s, const nest *n, const int *order, bool scatters) {
  enum { CACHED = 10000 };
  int *path = ARENA_ARRAY(s->memory, int, s->variable_count + 1);
  place_costs places = {ARENA_ARRAY(s->memory, double, s->variable_count + 1),
                        ARENA_ARRAY(s->memory, int, s->variable_count + 1)};
  int length = nest_path(s, n, order, path);
  double *searches = ARENA_ARRAY(s->memory, double, s->variable_count + 1);
  add_accesses(s, n, path, length, scatters, &places);
  add_searches(s, n, path, length, searches);
  double total = 0, iterations = 1;
  for (int p = 0; p < length; p++) {
    double trips;
    loop_entry entered = trip_count_inside(s, path, p, &trips);
    bool walks = entered == ENTERED_BY_SEARCH;
    total += iterations * (walks ? search : entered == ENTERED_IN_WINDOW ? window : 0);
    total += merging_cost(s, n, path[p], trips, iterations);
    iterations *= trips;
    double factor = walks && trips > CACHED ? again : 1;
    if (p == length - 1 && !walks)
      factor = vector_factor(s, path[p], trips, places.costs[p], places.counts[p]);
    total += iterations * ((1 + places.costs[p]) * factor + searches[p]);
  }
  return total;
}

/* Threads share the outermost loop well only where each has its own part of the result, or notes
 * what it comes to. */
static bool reduces_outermost(const statement *s, const int *order) {
  return s->variable_count && !set_is_empty(statement_result_variables(s)) &&
         set_has(statement_root_reductions(s), order[0]) &&
         !comes_in_any_order(s, order, s->variable_count);
}

static int place_in(const statement *s, const int *order, int variable) {
  int place = 0;
  while (place < s->variable_count && order[place] != variable)
    place++;
  return place;
}

/* Whether the loops visit what a sparse operand stores in another order than it is stored in. */
static bool leaps(const statement *s, const access *a, const int *order) {
  int last = -1;
  bool leaps = false;
  for (int l = 0; l < a->level_count; l++) {
    if (a->levels[l].bare < 0)
      continue;
    int place = place_in(s, order, a->levels[l].bare);
    leaps |= place < last;
    last = place > last ? place : last;
  }
  return leaps && access_is_sparse(a);
}

/* Whether a level that has entries is at a compound subscript that the loops make known; where one
 * of the result is gone through, what the loops inside come to is in a window too. */
static bool is_in_window(const statement *s, const access_level *level) {
  bool follows = level->bare < 0 && !level->recovered;
  bool is_compound = (follows || statement_scatters(s)) && level->level->dimension >= 0;
  return !(level->level->properties & LEVEL_FULL) &&
         (is_compound || !mlirAffineExprIsNull(level->form)) && !set_is_empty(level->variables);
}

/* Whether loops inside of those that tell the entry of the result come to an operand's entries in a
 * window, without which there is nothing to be computed. */
static bool looks_for_entries_inside(const statement *s, const int *order, int number, int place) {
  const access *a = &s->accesses[number];
  variable_set inside = set_empty();
  for (int p = place + 1; p < s->variable_count; p++)
    set_insert(s->memory, &inside, order[p]);
  for (int l = 0; l < a->level_count; l++)
    if (is_in_window(s, &a->levels[l]) && set_meets(a->levels[l].variables, inside))
      return root_skips_absent(s, number);
  return false;
}

bool stores_empty_windows(const statement *s, const int *order) {
  const access *result = statement_result(s);
  const access_level *last = result->level_count ? &result->levels[result->level_count - 1] : NULL;
  if (s->nest_count > 1 || !last || (last->level->properties & LEVEL_FULL) ||
      (last->bare >= 0 && nest_skips_background(s, &s->nests[0], last->bare)))
    return false;
  int place = innermost_place(result, order, s->variable_count);
  for (int a = 0; a < s->operand_count; a++)
    if (looks_for_entries_inside(s, order, a, place))
      return true;
  return false;
}

/* How many loops over variables of the result, but for the innermost, are inside of those over
 * windows: a sum over windows that is all inside of them is kept in registers. */
static int loops_in_windows(const statement *s, const int *order) {
  int windows = 0, inside = 0;
  for (int p = 0; p + 1 < s->variable_count; p++) {
    bool reduces = set_has(statement_root_reductions(s), order[p]);
    inside += reduces ? 0 : windows;
    windows += reduces && variable_goes_over_window(s, order[p]);
  }
  return inside;
}

double loop_cost(const statement *s, const int *order) {
  double total = 0;
  bool scatters = order_scatters(s, order);
  if (has_windows(s))
    return window_cost(s, order, scatters);
  for (int n = 0; n < s->nest_count; n++)
    total += nest_cost(s, &s->nests[n], order, scatters);
  for (int a = 0; a < s->operand_count; a++)
    if (leaps(s, &s->accesses[a], order))
      total *= leap;
  if (stores_empty_windows(s, order))
    total *= cost_of_empty_windows;
  total *= 1 + out_of_registers * loops_in_windows(s, order);
  return reduces_outermost(s, order) ? serial * total : total;
}
