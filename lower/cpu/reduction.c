/* reduction.c - walks that only reduce, on the lanes of a vector.
 *
 *     for p in begin..end-1                sums = a vector of 8 zeros
 *       t = t + A[p] * x[crd[p]]    -->    for base = begin; base < end; base += 8
 *                                            for the lanes p = base .. min(end, base + 8) - 1
 *                                              sums = sums + A[p] * x[crd[p]]
 *                                          t = t + sums[0] + ... + sums[7]
 *
 *     for p in begin..end-1                base = begin
 *       i = crd0[p]                        while base < end
 *       y[i] = y[i] + A[p] * x[crd1[p]]      i = crd0[base]
 *                                            for the lanes p = base .. min(end, base + 8) - 1
 *                                            that have crd0[p] = i
 *                                     -->      products = A[p] * x[crd1[p]]
 *                                            y[i] = y[i] + the sum of the products
 *                                            base += the number of those lanes
 *
 * Positions are consecutive from lane to lane, coordinates are loaded as a vector, and what is
 * located with them is gathered.  Lanes that are not there leave the sums alone, so that a short
 * row is one iteration without a branch, and so is a short run of entries with one coordinate,
 * whose place in memory waits for one store instead of one an entry.  Processors with vectors of
 * less than 256 bits have no loads under a mask, and none of this pays there.
 *
 * A loop over all coordinates goes so where that is asked for; else it is left to LLVM.
 *
 * Where masks and gathers are slow (`fours = 262144`, a strategy of its own), entries are taken by
 * fours, all of which are there, and what is left of a row one by one:
 *
 *     sums = a vector of 4 zeros
 *     for next = begin; next + 4 <= end; next += 4
 *       sums = sums + A[next .. next + 3] * x[crd[next .. next + 3]]
 *     t = t + sums[0] + ... + sums[3]
 *     for p = next; p < end; p++
 *       t = t + A[p] * x[crd[p]]
 *
 * Of few entries in all, what is gathered fits the caches, from which four loads are faster than a
 * gather; of more, a gather asks for more of a memory that is waited for, where vectors are of 512
 * bits: of smaller ones LLVM makes loads of it.  Elements of 32 bits are then taken under a mask.
 *
 * Positions that are walked in the order in which they are stored are prefetched: a row is shorter
 * than what the processor needs to see that memory is read in a line.
 */
#include "reduction.h"
#include "strategy.h"

#include "ir.h"
#include "lanes.h"

#include <mlir-c/BuiltinTypes.h>

/* Gathers cost as much a lane, however many; rows are short; few entries and what is gathered with
 * them fit the caches; narrow elements have fewer bytes. */
enum { LEAST_RUN = 2, MASKED_BITS = 256, LANES_MOST = 64, GATHERED_MOST = 8, FOUR = 4 };
enum { FEW = 1 << 18, GATHERS_BITS = 512, NARROW = 8 };

static int64_t lanes_that_pay(const reduction *r, int64_t vector_bits) {
  int64_t fit = lanes_in(r->element, vector_bits);
  return r->gathers && fit > GATHERED_MOST ? GATHERED_MOST : fit;
}

/* As many as are said, or pay. */
static int64_t lanes_of(const reduction *r) {
  int64_t said = strategy_number(r->c->op, &lanes_strategy);
  return said ? said : lanes_that_pay(r, r->k->vector_bits);
}

static void begin_lanes(const reduction *r) {
  r->k->lanes = lanes_of(r);
  r->k->reduces = true;
  r->k->streams = strategy_number(r->c->op, &read_ahead_strategy);
}

static void end_lanes(const reduction *r) {
  r->k->lanes = 0;
  r->k->reduces = false;
  r->k->streams = 0;
  r->k->mask = (MlirValue){NULL};
}

void stream_ahead(lowering *k, MlirValue memref, MlirValue position) {
  if (k->streams)
    prefetch(k->b, memref, add(k->b, position, constant_index(k->b, k->streams)));
}

/* The lanes from `base` that are below the walk's end. */
static MlirValue lanes_there(reduction *r, MlirValue base) {
  builder *b = r->k->b;
  MlirValue left = sub(b, r->end, base), all = constant_index(b, r->k->lanes);
  return lanes_mask(b, min_i(b, left, all), r->k->lanes);
}

static MlirValue stored_lanes(lowering *k, MlirValue coordinates, MlirValue base) {
  stream_ahead(k, coordinates, base);
  return load_lanes(k->b, coordinates, base, k->lanes, k->mask);
}

/* The body of `c` for the lanes from `base`; the coordinate is one for all, or each lane's. */
static bool body_on_lanes(coiteration *c, MlirValue base, lowered coordinate) {
  entry n = {.position = base, .coordinate = coordinate.value};
  MlirBlock body = op_block(c->op, 0);
  lowered position = walk_position(&c->levels[0], &n, (MlirValue){NULL});
  position.lanes = LANES_CONSECUTIVE;
  lowering_bind(c->k, mlirBlockGetArgument(body, 0), coordinate);
  lowering_bind(c->k, mlirBlockGetArgument(body, 1), position);
  return lower_block(c->k, body);
}

static bool body_at_each(coiteration *c, MlirValue base) {
  lowering *k = c->k;
  MlirValue coordinates = reduction_coordinates(&c->levels[0]);
  MlirValue each = lanes_as_index(k->b, stored_lanes(k, coordinates, base));
  return body_on_lanes(c, base, (lowered){.value = each, .lanes = LANES_EACH});
}

static bool body_at_places(const reduction *r, MlirValue base) {
  MlirBlock body = op_block(r->c->op, 0);
  if (!r->counts)
    return body_at_each(r->c, base);
  lowering_bind(r->k, mlirBlockGetArgument(body, 0),
                (lowered){.value = base, .lanes = LANES_CONSECUTIVE});
  return lower_block(r->k, body);
}

bool reduction_below(coiteration *c) {
  return body_at_each(c, c->levels[0].parent.value);
}

/* ---- Into variables ------------------------------------------------------------------------- */

/* Lanes hold partial results from here on, all the identity at first. */
static void open_variables(reduction *r) {
  builder *b = r->k->b;
  for (int i = 0; i < r->count; i++) {
    r->variables[i].outside = *lowering_find(r->k, r->variables[i].variable);
    MlirAttribute identity = combine_identity(b, r->variables[i].kind, r->element);
    MlirValue start = broadcast(b, constant_attr(b, identity), r->k->lanes);
    lowering_bind(r->k, r->variables[i].variable,
                  (lowered){.variable = var_make(b, start), .lanes = LANES_EACH});
  }
}

static void close_variables(reduction *r) {
  builder *b = r->k->b;
  for (int i = 0; i < r->count; i++) {
    const reduced *v = &r->variables[i];
    MlirValue lanes = var_get(b, lowering_find(r->k, v->variable)->variable);
    MlirValue before = var_get(b, v->outside.variable);
    var_set(b, v->outside.variable, reduce_lanes(b, v->kind, before, lanes, r->k->strict));
    lowering_bind(r->k, v->variable, v->outside);
  }
}

static bool variables_loop(reduction *r) {
  builder *b = r->k->b;
  int mark = var_mark(b);
  open_variables(r);
  MlirValue base = for_begin(b, r->begin, r->end, constant_index(b, r->k->lanes));
  r->k->mask = lanes_there(r, base);
  bool good = body_at_places(r, base);
  for_end(b);
  close_variables(r);
  var_release(b, mark);
  return good;
}

/* ---- Into a place --------------------------------------------------------------------------- */

/* The lanes from `base` whose coordinate is that of the first. */
static MlirValue run_mask(reduction *r, MlirValue base, MlirValue coordinates) {
  builder *b = r->k->b;
  r->k->mask = lanes_there(r, base);
  MlirValue first = broadcast(b, load(b, coordinates, base), r->k->lanes);
  return and_i(b, r->k->mask, equal(b, stored_lanes(r->k, coordinates, base), first));
}

static bool runs_loop(reduction *r) {
  builder *b = r->k->b;
  walk *w = &r->c->levels[0];
  int mark = var_mark(b);
  variable next = var_make(b, w->begin);
  while_begin(b);
  while_do(b, less(b, var_get(b, next), w->end));
  MlirValue base = var_get(b, next);
  entry n = walk_access(w, base);
  r->k->mask = run_mask(r, base, reduction_coordinates(w));
  var_set(b, next, add(b, base, count_lanes(b, r->k->mask)));
  bool good = body_on_lanes(r->c, base, (lowered){.value = n.coordinate});
  while_end(b);
  var_release(b, mark);
  return good;
}

static bool on_lanes(reduction *r) {
  begin_lanes(r);
  bool good = r->place ? runs_loop(r) : variables_loop(r);
  end_lanes(r);
  return good;
}

/* Runs are worth it where entries are several times as many as coordinates. */
static bool runs_or_entries(reduction *r) {
  builder *b = r->k->b;
  walk *w = &r->c->levels[0];
  MlirValue few = mul(b, level_size(w->l), constant_index(b, LEAST_RUN));
  if_begin(b, less(b, few, sub(b, w->end, w->begin)));
  bool good = on_lanes(r);
  if_else(b);
  good = good && coiteration_serial_loop(r->c, w->begin, w->end);
  if_end(b);
  return good;
}

/* ---- By fours ------------------------------------------------------------------------------- */

/* As many as there are; where the next begin. */
static bool fours_loop(reduction *r, variable next) {
  builder *b = r->k->b;
  MlirValue four = constant_index(b, r->k->lanes);
  int mark = var_mark(b);
  open_variables(r);
  while_begin(b);
  while_do(b, less_equal(b, add(b, var_get(b, next), four), r->end));
  MlirValue base = var_get(b, next);
  bool good = body_at_each(r->c, base);
  var_set(b, next, add(b, base, four));
  while_end(b);
  close_variables(r);
  var_release(b, mark);
  return good;
}

/* So few that nothing else is to be made of the loop. */
static bool left_loop(reduction *r, MlirValue begin) {
  builder *b = r->k->b;
  MlirValue place = for_begin_plain(b, begin, r->end, constant_index(b, 1));
  bool good = coiteration_place(r->c, place);
  for_end(b);
  return good;
}

static bool fours_and_rest(reduction *r, bool near) {
  builder *b = r->k->b;
  int mark = var_mark(b);
  variable next = var_make(b, r->begin);
  bool gathers = r->k->gathers;
  begin_lanes(r);
  r->k->lanes = FOUR;
  r->k->gathers = !near && r->k->vector_bits >= GATHERS_BITS;
  r->k->streams = near ? 0 : r->k->streams;
  if_begin(b, less_equal(b, add(b, r->begin, constant_index(b, FOUR)), r->end));
  bool good = fours_loop(r, next);
  if_end(b);
  end_lanes(r);
  r->k->gathers = gathers;
  good = good && left_loop(r, var_get(b, next));
  var_release(b, mark);
  return good;
}

/* Narrow elements are asked for eight at a time: where memory is waited for, the mask costs
 * nothing. */
static bool far_loop(reduction *r) {
  return lanes_of(r) > FOUR && type_bytes(r->element) < NARROW ? on_lanes(r)
                                                               : fours_and_rest(r, false);
}

static bool by_fours(reduction *r, int64_t few) {
  builder *b = r->k->b;
  MlirValue all = memref_length(b, reduction_coordinates(&r->c->levels[0]));
  if_begin(b, less(b, constant_index(b, few), all));
  bool good = far_loop(r);
  if_else(b);
  good = good && fours_and_rest(r, true);
  if_end(b);
  return good;
}

/* ---- The loop ------------------------------------------------------------------------------- */

bool reduction_loop(coiteration *c, bool *done) {
  reduction r = {0};
  walked w;
  int64_t lanes = strategy_number(c->op, &lanes_strategy);
  *done = (lanes || reduction_is_asked(c->op)) && !c->k->lanes &&
          walked_read(&w, c->k->walked, c->op) && reduction_read(&r, &w);
  if (!*done)
    return true;
  if (lanes > LANES_MOST || lanes & (lanes - 1))
    return error_at(c->op, "expected lanes as a power of two up to %d, found %lld", LANES_MOST,
                    (long long)lanes);
  r.c = c;
  r.k = c->k;
  r.begin = !r.counts ? c->levels[0].begin : c->low.ptr ? c->low : constant_index(c->k->b, 0);
  r.end = r.counts ? coiteration_high(c) : c->levels[0].end;
  int64_t few = strategy_number(c->op, &fours_strategy);
  if (few && !r.place && !r.counts)
    return by_fours(&r, few);
  return r.place ? runs_or_entries(&r) : on_lanes(&r);
}

/* Why a walk that is asked to cannot be taken together. */
static const char *misfit_of(const coiteration *c, const walked *w) {
  arena *memory = c->k->memory;
  const walked_level *l = &w->levels[0];
  if (w->level_count > 1 || (w->level_count && !walked_goes_through_one(w)))
    return arena_format(memory, "one level at most to walk, found %d that are merged%s",
                        w->level_count, w->whole ? " with all coordinates" : "");
  if (w->level_count &&
      (!(l->properties & LEVEL_ORDERED) || level_format_coordinates(l->format) < 0 || l->single))
    return arena_format(memory,
                        "a level whose coordinates are in an array, in order, found level %d (%s)",
                        l->number, l->format->name);
  return arena_format(memory,
                      "a loop that only reduces numbers into scalars%s, found "
                      "otherwise",
                      c->k->strict ? ", in any order (strict sums keep theirs)" : "");
}

bool reduction_allowed(const coiteration *c) {
  reduction r;
  walked w;
  bool read = walked_read(&w, c->k->walked, c->op);
  if (!read || (!c->k->lanes && reduction_read(&r, &w)))
    return read;
  return error_at(c->op, "the loop over '%.*s' cannot run on lanes along it: expected %s",
                  TEXT(op_text(c->op, "variable")), misfit_of(c, &w));
}

/* ---- The choice --------------------------------------------------------------------------- */

static bool choose(const walked *w, int64_t *number) {
  reduction r = {0};
  bool pays = w->k->vector_bits >= MASKED_BITS || reduction_is_asked(w->op);
  if (!pays || !reduction_read(&r, w))
    return false;
  *number = lanes_that_pay(&r, w->k->vector_bits);
  return true;
}

const strategy lanes_strategy = {
    .name = "lanes",
    .words = "adds up several entries at once on vector lanes",
    .choose = choose,
    .has_number = true,
};

static bool choose_fours(const walked *w, int64_t *number) {
  reduction r = {0};
  *number = FEW;
  return strategy_is_taken(w->op, &lanes_strategy) && w->k->slow_gathers &&
         !reduction_is_asked(w->op) && reduction_read(&r, w) && r.gathers && !r.place && !r.counts;
}

const strategy fours_strategy = {
    .name = "fours",
    .words = "takes entries by fours, and by one what is left",
    .choose = choose_fours,
    .has_number = true,
};
