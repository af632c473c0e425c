/* window_cost.c - what an order of loops through windows is estimated to take, in units of a tenth
 * of a nanosecond (loop_cost.h).
 *
 *     Y(n,y,x,o) = X(n,y+r,x+s,c) * W(r,s,c,o)       loops n, y, r, s, x, o on lanes, c
 *
 *     for n, y, r, s
 *       for x                      begins a window: X has entries from s to s + 253 in a row
 *         for o on lanes           keeps 64 sums in 4 registers
 *           for c                  begins a row of entries, and mostly does not foresee its end
 *             sums += X * W        4 times what a register takes
 *
 * What such loops take is mostly how they begin and end, and where what they add up is kept, and
 * not how often they come around.  So each loop is charged for being entered, for each of its
 * iterations, and for the accesses whose place changes with it, and for no more than that.  The
 * loops are those that are made of the order: where lanes can go across the innermost that does not
 * reduce, it stands around the reductions (cin-vectorize.c); and the innermost that have few
 * coordinates in a window are written out (cin-unroll.c).
 */
#include "loop_cost.h"

#include "density.h"
#include "extent.h"
#include "iteration_graph.h"
#include "lane_kind.h"
#include "tin_ops.h"
#include "window_nest.h"

#include <mlir-c/BuiltinTypes.h>

#include <math.h>
#include <stdlib.h>

/* Measured, on one thread of an EPYC with vectors of 512 bits, with filters of 3 in each dimension:
 * 1-D on 5 million places, 2-D on 999 x 999, 3-D on 99^3 (all f64), and NHWC on 254 x 254 x 64
 * (f32) with 64 channels of the result; at 50 to 99.9 % zeros. */
static const struct {
  double call;                  /* whatever the loops are: small ones need not be told apart */
  double counted, count;        /* to enter a loop over coordinates, and each of them */
  double window;                /* to enter one with bounds that depend on others */
  double written;               /* the same of one around others that are written out */
  double row;                   /* to enter one through the entries below a parent */
  double next_window;           /* the same through a window, near where the last one began */
  double step;                  /* for each step of a search for where it begins */
  double unforeseen;            /* the branch at the end of as many entries as there happen to be */
  double pass;                  /* an entry with the same coordinate as the last */
  double entry;                 /* each of them */
  double load, far;             /* a number: from the next cache, as many times that */
  double strided;               /* one that is not beside the last */
  double recovered, computed;   /* a coordinate of the result, or an operand, that follows */
  double update;                /* to add to a number in memory, */
  double strided_update;        /* and to one that is not beside the last */
  double add;                   /* the same to a register */
  double vector, vector_update; /* and of each register of lanes: to load and multiply; to add */
  double shared;                /* as many times where it is loaded once for several iterations */
  double masked;                /* as many times to load where lanes are out of range one by one */
  double expanded, copied;      /* an entry that is put into an array, or one of an array; */
  double cleared, cleared_near; /* a byte of that, in the next cache and in the first */
  double overlapped;            /* to add to where the last entry has been added */
  double refill, refill_alone;  /* of a line of the result that is in no cache: among others, which
                                   overlap; and where a loop inside keeps them apart */
} takes = {
    .call = 1e4,       /* about a microsecond */
    .counted = 3,      /* 3-D scatter: 14.5 ns for 27 updates in 13 loops */
    .count = 0.5,      /* the same */
    .window = 4,       /* the same */
    .written = 8,      /* 2-D scatter, nine taps written out: 5.8 ns an entry */
    .row = 10,         /* NHWC at 99 %: 4.4 ns for each pixel and tap, half of which have none */
    .next_window = 20, /* 1-D gather at 99.9 %: 2.9 ns for a window, all but empty */
    .step = 80,        /* NHWC, gather: 45 to 97 ns for a window in a row of 120 to 254 */
    .unforeseen = 40,  /* 1-D gather at 50 %: 7.6 ns for a window of 1.5 entries */
    .pass = 2.5,  /* coo with y outside of n: 480 ms to come to the end of 2 million 762 times */
    .entry = 1.5, /* 2-D one tap: 0.45 to 0.67 ns for an update in all */
    .load = 1,    /* the same */
    .far = 2.2,   /* NHWC with all of the filter inside of a pixel: 1.4 to 2 times as long */
    .strided = 8, /* a line of its own */
    .recovered = 0.1,     /* none of it is seen */
    .computed = 3,        /* 2-D scatter over places of the result: 9.5 ns, of the filter: 5.9 */
    .update = 2.5,        /* 2-D one tap */
    .strided_update = 6,  /* NCHW with o innermost: 0.77 ns for an update in all */
    .add = 1,             /* 1-D gather at 50 %: 0.3 ns for an entry */
    .vector = 2.8,        /* NHWC at 50 %: 1.26 ns for an entry and 4 registers */
    .vector_update = 5,   /* NHWC with o innermost: 3.6 ns for an entry and 4 registers */
    .shared = 0.7,        /* NCHW of 64 x 64 and filters that share a picture: 0.5 to 0.8 */
    .masked = 5,          /* NCHW with r, s innermost: padded 1.7 to 6 times as long as not */
    .expanded = 7,        /* 1-D in blocks of 1024 at 10 to 50 %: 0.8 ns an entry; 2-D: 0.6 */
    .copied = 2,          /* NCHW: 0.2 ns for a number of f32 from the second cache */
    .cleared = 0.12,      /* the same: 0.11 ms for 9 MB */
    .cleared_near = 0.02, /* 1-D in blocks of 1024 at 98 %: 1.8 ms in all */
    .overlapped = 4,     /* 1-D in tiles at 50 to 90 %: 2.2 to 1.8 ns for an entry, beyond 1.0 ms */
    .refill = 40,        /* 1-D one tap at 95 %: 0.9 ms for 210,000 lines */
    .refill_alone = 200, /* 1-D scatter at 95 %: 4.8 ms for those */
};

/* Bytes in the cache behind the first one, and in all of them. */
enum { NEXT_CACHE = 512 << 10 };
static const double next_cache = NEXT_CACHE, all_caches = 16 << 20;
const double window_cache = NEXT_CACHE, window_block = 12 << 10;
/* Threads share nothing; or little, or windows. */
static const double in_turn = 1.1, few_parts = 1.05;

static bool reduces(const statement *s, int variable) {
  return !set_has(statement_result(s)->variables, variable);
}

/*--- Lanes -------------------------------------------------------------------------------------*/

/* By how much the coordinate of a level rises to the next of a variable; 0 where that differs. */
static int64_t level_step(const statement *s, const access *a, const access_level *level,
                          int variable) {
  int of_maps = s->loops ? s->loops[variable].variable : variable, d = level->level->dimension;
  if (level->bare >= 0 || d < 0 || of_maps < 0)
    return level->bare == variable;
  return subscript_factor(remap_canonical(mlirAffineMapGetResult(a->map, d)), of_maps);
}

/* By how much the places of an access rise on lanes along a variable: 1 where they are side by
 * side, and where they are the same; 0 where lanes do not pay. */
static int64_t step_on_lanes(const statement *s, const access *a, int variable) {
  const unsigned array = LEVEL_FULL | LEVEL_CONSECUTIVE;
  int64_t step = 1;
  for (int l = 0; l < a->level_count && step; l++) {
    const access_level *level = &a->levels[l];
    bool is_last = l == a->level_count - 1 && (level->level->properties & array) == array;
    if (set_has(level->variables, variable))
      step = is_last ? level_step(s, a, level, variable) : 0;
  }
  return llabs(step) <= LANES_STEP_MOST ? step : 0;
}

static double register_of(const access *a) {
  enum { BITS = 512 };
  MlirType type = a->format->element;
  bool is_number = type_is_float(type) || type_is_integer(type);
  unsigned width = !is_number            ? 128
                   : type_is_float(type) ? mlirFloatTypeGetWidth(type)
                                         : mlirIntegerTypeGetWidth(type);
  return (double)BITS / (width < 8 ? 8 : width);
}

/* Up to four registers at once. */
static void take_lanes(window_nest *n, int place) {
  enum { AT_ONCE = 4 };
  double size = register_of(statement_result(n->s));
  double all = ceil(estimated_extent(n->s, n->path[place]) / size);
  n->lanes = place;
  n->registers = all < AT_ONCE ? all : AT_ONCE;
  n->strips = ceil(all / AT_ONCE);
}

/* The place of the innermost loop that does not reduce; -1 for none. */
static int innermost_kept(const window_nest *n) {
  int place = n->length - 1;
  while (place >= 0 && reduces(n->s, n->path[place]))
    place--;
  return place;
}

/* The outermost of the reductions directly around a place, or that itself. */
static int first_reduction(const window_nest *n, int place) {
  while (place > 0 && reduces(n->s, n->path[place - 1]))
    place--;
  return place;
}

static void move_out(window_nest *n, int from, int to) {
  int variable = n->path[from];
  for (int p = from; p > to; p--)
    n->path[p] = n->path[p - 1];
  n->path[to] = variable;
}

/* Moves the innermost loop that does not reduce out of the reductions around it, where lanes can go
 * across it; below coordinates that are met twice it stays in them. */
static void find_lanes(window_nest *n) {
  const statement *s = n->s;
  int inner = innermost_kept(n), place = inner < 0 ? -1 : first_reduction(n, inner);
  n->lanes = -1;
  if (inner < 0 || place == n->length - 1 || variable_is_walked(s, n->path[inner]))
    return;
  bool fits = step_on_lanes(s, statement_result(s), n->path[inner]) == 1, once = true;
  for (int a = 0; a < s->operand_count; a++) {
    fits &= step_on_lanes(s, &s->accesses[a], n->path[inner]) != 0;
    once &= !tensor_format_repeats_entries(s->accesses[a].format);
  }
  if (!fits || (!once && inner < n->length - 1))
    return;
  if (once)
    move_out(n, inner, place);
  take_lanes(n, once ? place : inner);
}

/*--- Loops that are written out ----------------------------------------------------------------*/

static bool counts_window(const window_nest *n, int place) {
  const statement *s = n->s;
  double trips;
  return (!s->loops || s->loops[n->path[place]].variable >= 0) &&
         !variable_is_walked(s, n->path[place]) &&
         trip_count_inside(s, n->path, place, &trips) == ENTERED_IN_WINDOW;
}

static void find_written(window_nest *n) {
  double all = 1;
  n->written = n->length;
  while (n->lanes < 0 && n->written > 0 && counts_window(n, n->written - 1) &&
         (all *= estimated_extent(n->s, n->path[n->written - 1])) <= WRITTEN_OUT_MOST)
    n->written--;
}

/*--- Accesses ----------------------------------------------------------------------------------*/

bool access_changes_with(const access *a, int variable) {
  for (int l = 0; l < a->level_count; l++)
    if (set_has(a->levels[l].variables, variable))
      return true;
  return false;
}

/* The innermost loop that a place in it changes with, or -1. */
static int changes_at(const window_nest *n, const access *a) {
  int place = n->length - 1;
  while (place >= 0 && !access_changes_with(a, n->path[place]))
    place--;
  return place;
}

/* Whether what is read of an access on lanes, in a loop inside, is the same for all iterations of
 * one around. */
static bool is_same_for(const window_nest *n, const access *a, int place) {
  return access_changes_with(a, n->path[n->lanes]) && changes_at(n, a) > n->lanes &&
         !access_changes_with(a, n->path[place]);
}

/* Finds the innermost loop around that on lanes in which something is, of which several iterations
 * go at once then (jam.c). */
static void find_jammed(window_nest *n) {
  const statement *s = n->s;
  bool are_arrays = access_is_array(statement_result(s));
  n->jammed = -1;
  for (int a = 0; a < s->operand_count; a++)
    are_arrays &= access_is_array(&s->accesses[a]);
  for (int p = n->lanes - 1; are_arrays && n->jammed < 0 && p >= 0; p--)
    for (int a = 0; a < s->operand_count; a++)
      if (is_same_for(n, &s->accesses[a], p) && !reduces(s, n->path[p]) &&
          estimated_extent(s, n->path[p]) >= JAMMED)
        n->jammed = p;
}

bool is_read_at_once(const window_nest *n, const access *a) {
  return n->jammed >= 0 && is_same_for(n, a, n->jammed);
}

double access_bytes(const access *a) {
  return LINE / register_of(a);
}

/* How many numbers the loops from a place on come to along a level; y + r goes as far as both, what
 * follows from them otherwise is each time another one. */
static double span(const statement *s, const access *a, int l, const int *path, int first,
                   int length) {
  double numbers = 1;
  for (int p = first; p < length; p++)
    if (set_has(a->levels[l].variables, path[p])) {
      double extent = estimated_extent(s, path[p]);
      int64_t step = llabs(level_step(s, a, &a->levels[l], path[p]));
      numbers = step ? numbers + (double)step * (extent - 1) : numbers * extent;
    }
  return numbers;
}

double bytes_reached(const statement *s, const access *a, const int *path, int first, int length) {
  double numbers = access_bytes(a);
  for (int l = 0; l < a->level_count; l++)
    numbers *= span(s, a, l, path, first, length);
  return numbers;
}

/* The innermost loop that the access does not change with, around the one at a place; -1 for none.
 */
static int comes_again(const window_nest *n, const access *a, int place) {
  int p = place;
  while (p >= 0 && access_changes_with(a, n->path[p]))
    p--;
  return p;
}

/* How many bytes come again with that loop, if there is one. */
static double reached_again(const window_nest *n, const access *a, int again) {
  return again < 0 ? 0 : bytes_reached(n->s, a, n->path, again, n->length);
}

/* As many times it takes to load what has left the first cache since it was there: once each, where
 * windows that overlap come to it several times. */
static double distance(const window_nest *n, const access *a, int again) {
  double bytes = reached_again(n, a, again), loads = access_bytes(a);
  if (bytes <= NEAR_CACHE)
    return 1;
  for (int p = again; p < n->length; p++)
    if (access_changes_with(a, n->path[p]))
      loads *= estimated_extent(n->s, n->path[p]);
  return 1 + (takes.far - 1) * fmin(1, bytes / loads);
}

bool access_is_array(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (!(a->levels[l].level->properties & LEVEL_FULL))
      return false;
  return true;
}

int only_operand(const statement *s, bool (*is)(const access *a)) {
  int number = -1;
  for (int a = 0; a < s->operand_count; a++) {
    if (!is(&s->accesses[a]))
      continue;
    if (number >= 0)
      return -1;
    number = a;
  }
  return number;
}

static bool is_no_array(const access *a) {
  return !access_is_array(a);
}

int only_sparse_operand(const statement *s) {
  return only_operand(s, is_no_array);
}

/* Whether lanes are out of range one by one, as a loop inside goes on. */
static bool is_masked(const window_nest *n, const access *a) {
  for (int l = 0; l < a->level_count && !mlirAttributeIsNull(a->pad); l++)
    for (int p = n->lanes + 1; p < n->length; p++)
      if (set_has(a->levels[l].variables, n->path[n->lanes]) &&
          set_has(a->levels[l].variables, n->path[p]))
        return true;
  return false;
}

/* As many times it takes to load on lanes: those at both ends are masked. */
static double mask_cost(const window_nest *n, const access *a) {
  enum { ENDS = 2 };
  return is_masked(n, a) ? 1 + (takes.masked - 1) * fmin(1, ENDS / n->strips) : 1;
}

static double operand_cost(const window_nest *n, const access *a, int place) {
  const access_level *last = &a->levels[a->level_count - 1];
  if (!access_is_array(a))
    return takes.load;
  int again = comes_again(n, a, place);
  double far = distance(n, a, again);
  if (n->lanes >= 0 && access_changes_with(a, n->path[n->lanes]))
    return takes.vector * n->registers *
           (is_read_at_once(n, a) ? takes.shared + (far - 1) / JAMMED : far) * mask_cost(n, a) *
           (double)llabs(step_on_lanes(n->s, a, n->path[n->lanes]));
  bool beside =
      set_has(last->variables, n->path[place]) || reached_again(n, a, again) <= NEAR_CACHE;
  return (beside ? takes.load : takes.strided) * far + (last->bare < 0 ? takes.computed : 0);
}

/* To add to the result at each iteration of the innermost loop that it changes with. */
static double update_cost(const window_nest *n, int place) {
  if (!access_is_array(statement_result(n->s)))
    return result_cost(n->s, n->path, place, n->scatters);
  const access *result = statement_result(n->s);
  const access_level *last = &result->levels[result->level_count - 1];
  double recovered = 0;
  for (int l = 0; l < result->level_count; l++)
    recovered += result->levels[l].recovered && place == n->length - 1 ? takes.recovered : 0;
  if (n->lanes >= 0)
    return takes.vector_update * n->registers;
  return recovered +
         (set_has(last->variables, n->path[place]) ? takes.update : takes.strided_update);
}

/*--- Loops -------------------------------------------------------------------------------------*/

typedef struct window_loop {
  loop_entry entered;
  bool walks;
  double trips, begin; /* what it takes to enter it, */
  double pass; /* and to come to the next coordinate, behind those that are the same or are none */
} window_loop;

static bool has_loop(const window_nest *n, int variable_of_maps, int until) {
  for (int p = 0; p < until; p++)
    if (n->s->loops[n->path[p]].variable == variable_of_maps)
      return true;
  return false;
}

/* Whether a loop goes through entries of which each tells a coordinate that may be none: 2 x + s of
 * which s is known tells x at every other one. */
static bool tests_entries(const window_nest *n, int place) {
  const remapped_loop *loop = n->s->loops ? &n->s->loops[n->path[place]] : NULL;
  bool divides = false;
  remap form;
  if (!loop || loop->variable >= 0 || !remap_is_form(loop->by) || !remap_of(loop->by, &form))
    return false;
  for (int t = 0; t < form.count; t++) {
    int variable = (int)mlirAffineDimExprGetPosition(remap_part(&form, t));
    if (has_loop(n, variable, place))
      continue;
    if (divides || llabs(remap_term_at(&form, t).factor) == 1 || has_loop(n, variable, n->length))
      return false;
    divides = true;
  }
  return divides;
}

static double begin_cost(const window_nest *n, const window_loop *loop, int place) {
  double entries;
  if (!loop->walks)
    return loop->entered == ENTERED_WHOLE                 ? takes.counted
           : place >= n->written && place < n->length - 1 ? takes.written
                                                          : takes.window;
  bool next = window_is_next(n->s, n->path, place, &entries);
  double begins = loop->entered == ENTERED_WHOLE ? takes.row
                  : next                         ? takes.next_window
                                                 : takes.step * log2(1 + entries);
  return begins + takes.unforeseen * -expm1(-loop->trips);
}

static window_loop loop_at(const window_nest *n, int place) {
  window_loop loop = {.entered = ENTERED_WHOLE};
  loop.entered = trip_count_inside(n->s, n->path, place, &loop.trips);
  loop.walks = loop.entered == ENTERED_BY_SEARCH || variable_is_walked(n->s, n->path[place]);
  loop.begin = begin_cost(n, &loop, place);
  loop.pass = loop.walks ? takes.pass * entries_in_run(n->s, n->path, place) : 0;
  if (loop.walks && tests_entries(n, place))
    loop.pass += takes.unforeseen;
  if (place == n->lanes)
    loop.trips = n->strips;
  return loop;
}

/* Whether the result is gone through in tiles, in each of which all is added up
 * (cin-tile.c). */
static bool is_tiled(const window_nest *n, int place) {
  const statement *s = n->s;
  bool is_variable = !s->loops || s->loops[n->path[place]].variable >= 0;
  return place == n->length - 1 && place > 0 && is_variable && reduces(s, n->path[place - 1]);
}

static double size_of_result(const statement *s) {
  const statement *maps = s->unmapped ? s->unmapped : s;
  const access *result = statement_result(maps);
  double size = access_bytes(result);
  for (int l = 0; l < result->level_count; l++)
    size *= result->levels[l].bare < 0 ? 1 : estimated_extent(maps, result->levels[l].bare);
  return size;
}

/* Whether the loop is over entries, each of which is added to windows of the result beside the last
 * one's; that is gone through in tiles too. */
static bool is_tiled_by_entries(const window_nest *n, int place) {
  const statement *s = n->s;
  bool is_form = s->loops && s->loops[n->path[place]].variable < 0;
  for (int p = 0; is_form && p < place; p++)
    is_form = !reduces(s, n->path[p]);
  return is_form && place == n->length - 2;
}

/* Whether the loop tells the place in the result, or where a window of it begins. */
static bool moves_result(const window_nest *n, int place) {
  const access *result = statement_result(n->s);
  double trips;
  for (int p = place + 1; p < n->length; p++)
    if (set_has(result->variables, n->path[p]) &&
        trip_count_inside(n->s, n->path, p, &trips) != ENTERED_WHOLE)
      return true;
  return set_has(result->variables, n->path[place]);
}

/* What it takes to have lines of the result in a cache again, where loops through entries come to
 * another line now and then: `updates` iterations of the one at a place. */
static double refill_cost(const window_nest *n, int place, double updates, double trips) {
  const access *result = statement_result(n->s);
  double gap = estimated_extent(n->s, n->path[place]) / fmax(trips, 1e-9);
  double all = size_of_result(n->s);
  for (int p = 0; p < place; p++)
    if (reduces(n->s, n->path[p]) &&
        (is_tiled(n, place) || bytes_reached(n->s, result, n->path, p, n->length) <= next_cache)) {
      double again;
      trip_count_inside(n->s, n->path, p, &again);
      updates /= fmax(again, 1);
    }
  if (all <= all_caches || bytes_reached(n->s, result, n->path, place, n->length) <= next_cache)
    return 0;
  return updates * fmin(1, gap * access_bytes(result) / LINE) *
         (place == n->length - 1 ? takes.refill : takes.refill_alone);
}

static double nest_takes(const window_nest *n) {
  const statement *s = n->s;
  double *costs = ARENA_ARRAY(s->memory, double, n->length + 1);
  const access *result = statement_result(s);
  int place = changes_at(n, result);
  add_searches(s, &s->nests[0], n->path, n->length, costs);
  for (int a = 0; a < s->operand_count; a++) {
    int at = changes_at(n, &s->accesses[a]);
    if (at >= 0)
      costs[at] += operand_cost(n, &s->accesses[a], at);
  }
  if (place >= 0)
    costs[place] += update_cost(n, place);
  if (place < n->length - 1)
    costs[n->length - 1] += takes.add;
  double total = takes.call, iterations = 1;
  for (int p = 0; p < n->length; p++) {
    window_loop loop = loop_at(n, p);
    total += iterations * loop.begin;
    iterations *= loop.trips;
    double around = loop.walks ? takes.entry : p < n->written ? takes.count : 0;
    total += iterations * (around + loop.pass + costs[p] + conflict_cost(n, p, loop.trips));
    if (loop.walks && access_is_array(result) && moves_result(n, p))
      total += is_tiled_by_entries(n, p) ? iterations * takes.overlapped
                                         : refill_cost(n, p, iterations, loop.trips);
  }
  return total;
}

/* Whether the loop goes through a subscript with a variable of the result, of which threads have
 * pieces then (result_pieces.h). */
static bool goes_through_windows(const statement *s, int loop) {
  if (!s->loops || s->loops[loop].variable >= 0)
    return false;
  const access *result = statement_result(s->unmapped);
  for (int l = 0; l < result->level_count; l++)
    if (result->levels[l].bare >= 0 &&
        mlirAffineExprIsFunctionOfDim(s->loops[loop].by, result->levels[l].bare))
      return true;
  return false;
}

/* How much worse it is that threads cannot have parts of the result each, or few. */
static double goes_in_turn(const window_nest *n) {
  enum { FEW = 4 };
  const access *result = statement_result(n->s);
  if (!n->length || !result->level_count)
    return 1;
  int first = n->path[is_tiled(n, n->length - 1) && n->length == 2 ? 1 : 0];
  for (int l = 0; l < result->level_count; l++)
    if (result->levels[l].bare == first)
      return estimated_extent(n->s, first) < FEW ? few_parts : 1;
  return goes_through_windows(n->s, first) ? few_parts : in_turn;
}

double expansion_cost(double rows, double entries, bool copies) {
  return copies ? rows * takes.window + entries * takes.copied
                : rows * (takes.row + takes.unforeseen) + entries * takes.expanded;
}

double clearing_cost(double arrays, double bytes) {
  return arrays * bytes * (bytes <= window_block ? takes.cleared_near : takes.cleared);
}

/*--- Statements --------------------------------------------------------------------------------*/

static bool is_at_compound(const access_level *level) {
  bool follows = level->bare < 0 && !level->recovered && level->level->dimension >= 0;
  return (follows || !mlirAffineExprIsNull(level->form)) && !set_is_empty(level->variables);
}

static bool is_read_at_compound(const access *a) {
  bool compound = false;
  for (int l = 0; l < a->level_count; l++)
    compound |= is_at_compound(&a->levels[l]);
  return compound;
}

bool has_windows(const statement *s) {
  if (s->nest_count > 1 || statement_scatters(s))
    return false;
  for (int a = 0; a < s->operand_count; a++)
    if (is_read_at_compound(&s->accesses[a]))
      return true;
  return false;
}

/* Next to nothing, so that short loops go over variables that a schedule would name. */
static double goes_through_subscripts(const statement *s) {
  for (int v = 0; s->loops && v < s->variable_count; v++)
    if (s->loops[v].variable < 0)
      return takes.call / 100;
  return 0;
}

static window_nest loops_of(const statement *s, const int *order, int *path) {
  window_nest n = {.s = s, .path = path};
  n.length = nest_path(s, &s->nests[0], order, path);
  find_lanes(&n);
  return n;
}

int window_loops(const statement *s, const int *order, int *path, int *lanes) {
  window_nest n = loops_of(s, order, path);
  *lanes = n.lanes;
  return n.length;
}

double window_cost(const statement *s, const int *order, bool scatters) {
  window_nest n = loops_of(s, order, ARENA_ARRAY(s->memory, int, s->variable_count + 1));
  n.scatters = scatters;
  find_written(&n);
  find_jammed(&n);
  double total = nest_takes(&n);
  if (stores_empty_windows(s, order))
    total *= cost_of_empty_windows;
  return takes.call + (total - takes.call) * goes_in_turn(&n) + goes_through_subscripts(s);
}
