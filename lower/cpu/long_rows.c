/* long_rows.c - rows that have a great part of all entries, shared by all threads.
 *
 *     parallel for i in 0 .. m - 1                 row = 0
 *       t = 0                                      for the rows r that are long, and then for m
 *       for q in pos[i] .. pos[i + 1] - 1    -->     parallel for i in row .. r - 1   as before
 *         t += A[q] * x[crd[q]]                      parallel for chunk of pos[r] .. pos[r + 1] - 1
 *       y[i] = t                                       t of the chunk = ..
 *                                                    y[r] = the t of all chunks, in their order
 *                                                    row = r + 1
 *
 * A row is long that has as many entries as the number says (`long_rows = 32768`), and at least a
 * part of all of them (PARTS), so that no thread is left with much more than its share.  There are
 * no more of them than parts, and each has an entry at a multiple of what makes it long:
 *
 *     entries     . . . . . . . . . . . . . . . .       at 0, 4, 8, 12: the rows 0, 2, 2, 3
 *     rows        0 0 1 2 2 2 2 2 2 2 3 3 3 3 3 4       of which 2 and 3 have four and more
 *
 * so that they are found by as many binary searches, in no time beside the loop.  They are cut in
 * few chunks, since memory is read fastest where it is read in a line.  Which they are, and how
 * they are cut, does not depend on the number of threads.  One thread alone looks for none, unless
 * its sums are to be as those of several.
 */
#include "coiterate.h"
#include "cut.h"
#include "reduction.h"
#include "search.h"
#include "shared_reduction.h"
#include "strategy.h"
#include "visits.h"

#include "cin.h"
#include "ir.h"
#include "sit.h"

enum { LONG = 1 << 15, PARTS = 64, CHUNKS = 32, CHUNK_LEAST = 1 << 12 };

/* ---- What is shared ----------------------------------------------------------------------- */

/* The one walk right in the body of a loop; null where there is another, or none. */
static MlirOperation walk_in(MlirOperation loop) {
  MlirOperation found = {NULL}, none = {NULL};
  if (sit_coiterate_case_count(loop) != 1)
    return none;
  for (OPERATIONS(op, sit_coiterate_case_body(loop, 0))) {
    if (!sit_is_coiterate(op))
      continue;
    if (!mlirOperationIsNull(found))
      return none;
    found = op;
  }
  return found;
}

/* Whether the places that the loop goes through are the positions above the walk: it walks the
 * level above, or the walk is below what is located at its coordinate, where each has a place. */
static bool is_below_places(const walked *w, MlirOperation walk) {
  MlirValue parent = sit_coiterate_parent(walk, 0);
  MlirBlock body = sit_coiterate_case_body(w->op, 0);
  if (sit_coiterate_level(walk, 0) != 1 || mlirValueIsNull(parent))
    return false;
  if (w->level_count)
    return w->level_count == 1 && !w->whole && !w->bounded && w->levels[0].number == 0 &&
           mlirValueEqual(sit_coiterate_tensor(w->op, 0), sit_coiterate_tensor(walk, 0)) &&
           mlirValueEqual(parent, mlirBlockGetArgument(body, 1));
  MlirOperation located = value_owner(parent);
  enum { WANTED = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT };
  const tensor_format *format = walked_format_of(w->k, sit_coiterate_tensor(walk, 0));
  return format && !mlirOperationIsNull(located) && sit_is_locate(located) &&
         sit_op_level(located) == 0 &&
         mlirValueEqual(sit_op_coordinate(located), mlirBlockGetArgument(body, 0)) &&
         (format->levels[0].properties & WANTED) == WANTED;
}

/* What the rows of a loop on threads reduce: false where they do anything else. */
static bool read_rows(const walked *w, reduction *r) {
  walked inside;
  MlirOperation walk = walk_in(w->op);
  if (!w->parallel || cin_op_race(w->op) != CIN_NO_RACES || mlirOperationIsNull(walk) ||
      cin_op_unit(walk) != CIN_SERIAL || sit_coiterate_count(walk) != 1 ||
      sit_coiterate_lower(walk).ptr || !is_below_places(w, walk))
    return false;
  const tensor_format *format = walked_format_of(w->k, sit_coiterate_tensor(walk, 0));
  return walked_read(&inside, w->k, walk) && reduction_read(r, &inside) && !r->place && !r->notes &&
         !r->counts && entries_are_known(format, 1);
}

static bool choose(const walked *w, int64_t *number) {
  reduction r;
  *number = LONG;
  return read_rows(w, &r);
}

const strategy long_rows_strategy = {
    .name = "long_rows",
    .words = "shares rows of so many entries, and a part of all, among threads",
    .choose = choose,
    .has_number = true,
};

/* ---- Finding them ------------------------------------------------------------------------- */

typedef struct long_rows {
  coiteration *c;
  MlirOperation walk;
  MlirValue end, least;     /* of the places; entries that make a row long */
  MlirValue samples;        /* how many multiples of that there are; 0 where none is looked for */
  MlirValue sought, before; /* the entry that is; those before the first row */
} long_rows;

/* Entries below so many places. */
static MlirValue entries_of(const long_rows *r, MlirValue places) {
  return entries_below(r->c, sit_coiterate_tensor(r->walk, 0), 0, 1, places);
}

static MlirValue next_of(const long_rows *r, MlirValue place) {
  return add(r->c->k->b, place, constant_index(r->c->k->b, 1));
}

static MlirValue ends_before(void *data, MlirValue place) {
  const long_rows *r = data;
  return less_equal(r->c->k->b, entries_of(r, next_of(r, place)), r->sought);
}

static MlirValue is_long(const long_rows *r, MlirValue place) {
  builder *b = r->c->k->b;
  MlirValue length = sub(b, entries_of(r, next_of(r, place)), entries_of(r, place));
  return less_equal(b, r->least, length);
}

static MlirValue runs_on_several(const lowering *k) {
  builder *b = k->b;
  MlirValue most = parallel_threads(b);
  MlirValue count = call(b, "lac_kernel_copies_count", type_i(b, 64), 1, &most);
  return k->deterministic ? constant_bool(b, true)
                          : less(b, constant_integer(b, type_i(b, 64), 1), count);
}

static long_rows begin_rows(coiteration *c, MlirValue begin, MlirValue end) {
  builder *b = c->k->b;
  long_rows r = {.c = c, .walk = walk_in(c->op), .end = end};
  expect_visits(c->k, c->op);
  r.before = entries_of(&r, begin);
  MlirValue all = sub(b, entries_of(&r, max_i(b, begin, end)), r.before);
  MlirValue said = constant_index(b, strategy_number(c->op, &long_rows_strategy));
  r.least = max_i(b, said, ceil_div(b, all, constant_index(b, PARTS)));
  MlirValue some = and_i(b, less_equal(b, said, all), runs_on_several(c->k));
  r.samples = select_value(b, some, ceil_div(b, all, r.least), constant_index(b, 0));
  return r;
}

/* The first row from `from` on that is long; `end` where none is.  `sample` is the next that is
 * looked at. */
static MlirValue find_row(long_rows *r, MlirValue from, variable sample) {
  builder *b = r->c->k->b;
  int mark = var_mark(b);
  variable row = var_make(b, r->end);
  while_begin(b);
  MlirValue more = less(b, var_get(b, sample), r->samples);
  while_do(b, and_i(b, more, equal(b, var_get(b, row), r->end)));
  r->sought = add(b, r->before, mul(b, var_get(b, sample), r->least));
  MlirValue place = search_first(b, from, r->end, ends_before, r);
  var_set(b, row, select_value(b, is_long(r, place), place, r->end));
  var_set(b, sample, next_of(r, var_get(b, sample)));
  while_end(b);
  MlirValue found = var_get(b, row);
  var_release(b, mark);
  return found;
}

/* ---- The loop ----------------------------------------------------------------------------- */

/* The body at the place of a long row, whose walk is shared. */
static bool share_row(const long_rows *r, MlirValue place) {
  lowering *k = r->c->k;
  k->shared_walk = r->walk;
  bool good = coiteration_place(r->c, place);
  k->shared_walk = (MlirOperation){NULL};
  return good;
}

static bool rows_up_to(const long_rows *r, MlirValue from, MlirValue row, places_loop *others) {
  builder *b = r->c->k->b;
  if_begin(b, less(b, from, row));
  bool good = others(r->c, from, row);
  if_end(b);
  if_begin(b, less(b, row, r->end));
  good = good && share_row(r, row);
  if_end(b);
  return good;
}

bool has_long_rows(const coiteration *c) {
  walked w;
  reduction r;
  return strategy_is_taken(c->op, &long_rows_strategy) && !c->visit && !c->k->lanes &&
         walked_read(&w, c->k->walked, c->op) && read_rows(&w, &r);
}

bool long_rows_loop(coiteration *c, MlirValue begin, MlirValue end, places_loop *others) {
  builder *b = c->k->b;
  int mark = var_mark(b);
  long_rows r = begin_rows(c, begin, end);
  variable from = var_make(b, begin), sample = var_make(b, constant_index(b, 0));
  while_begin(b);
  while_do(b, less(b, var_get(b, from), end));
  MlirValue row = find_row(&r, var_get(b, from), sample);
  bool good = rows_up_to(&r, var_get(b, from), row, others);
  var_set(b, from, next_of(&r, row));
  while_end(b);
  var_release(b, mark);
  return good;
}

/* ---- A walk that is shared ---------------------------------------------------------------- */

bool is_shared_walk(const coiteration *c) {
  return mlirOperationEqual(c->op, c->k->shared_walk);
}

static shared_reduction shared_of(coiteration *c, const reduction *r) {
  shared_reduction shared = {.k = c->k, .loop = c->op};
  for (int n = 0; n < r->count; n++) {
    MlirValue variable = r->variables[n].variable;
    shared.variables[shared.variable_count++] =
        (shared_variable){.variable = variable,
                          .kind = r->variables[n].kind,
                          .element = mlirValueGetType(sit_var_initial(value_owner(variable)))};
  }
  return shared;
}

static bool chunk_of_walk(coiteration *c, MlirValue from, MlirValue to) {
  bool done;
  c->levels[0].begin = from;
  c->levels[0].end = to;
  bool good = reduction_loop(c, &done);
  return good && (done || coiteration_serial_loop(c, from, to));
}

bool shared_walk_loop(coiteration *c) {
  lowering *k = c->k;
  builder *b = k->b;
  walked w;
  reduction r;
  if (!walked_read(&w, k->walked, c->op) || !reduction_read(&r, &w))
    return false;
  shared_reduction shared = shared_of(c, &r);
  MlirValue begin = c->levels[0].begin, end = c->levels[0].end, entries = sub(b, end, begin);
  MlirValue size =
      max_i(b, ceil_div(b, entries, constant_index(b, CHUNKS)), constant_index(b, CHUNK_LEAST));
  MlirValue count = ceil_div(b, entries, size);
  MlirValue visits = index_cast(b, entries, type_i(b, 64));
  int outer = k->parallel_mark;
  k->shared_walk = (MlirOperation){NULL};
  shared_reduction_begin(&shared, count);
  call(b, "lac_kernel_visits", (MlirType){NULL}, 1, &visits);
  k->parallel_mark = var_mark(b) + 1;
  MlirValue chunk = parallel_begin(b, constant_index(b, 0), count, constant_index(b, 1));
  MlirValue from = add(b, begin, mul(b, chunk, size));
  shared_reduction_enter(&shared, chunk);
  bool good = chunk_of_walk(c, from, min_i(b, end, add(b, from, size)));
  shared_reduction_leave(&shared, chunk);
  parallel_end(b);
  k->parallel_mark = outer;
  shared_reduction_end(&shared);
  return good;
}
