/* pieces.c - a loop on threads that appends to the result: a range of coordinates for each thread
 * at a time, cut by work (cut.c), which is appended in order.
 *
 *     sit.coiterate .. on cpu_thread {       parallel for t in 0 .. pieces - 1
 *       append A                       -->     sit.coiterate .. from cut(t) to cut(t + 1) {
 *     }                                          append piece t of A
 *                                            join the pieces (join.c)
 *
 * What is merged is clipped to a range by search, and what repeats a coordinate is in one.  Where
 * an operand has the entries one for one, its positions tell where those of a range go (told.c):
 * into the result at once, and nothing is joined.  Entries that are scattered are counted, and then
 * placed, in the same ranges (scatter.c).
 */
#include "cut.h"

#include "cin.h"
#include "ir.h"
#include "kernel.h"
#include "scratch.h"
#include "sit.h"
#include "told.h"
#include "visits.h"

static MlirValue result_of(const coiteration *c) {
  return mlirBlockGetArgument(op_block(c->k->op, 0), mlirOperationGetNumOperands(c->k->op));
}

static storage *result_storage(const coiteration *c) {
  return lowering_storage(c->k, result_of(c));
}

bool coiterates_in_pieces(const coiteration *c) {
  const storage *s = c->parallel ? result_storage(c) : NULL;
  return s && (storage_is_joined(s) || storage_is_told(s) || storage_is_shared(s));
}

/* ---- Checks ------------------------------------------------------------------------------- */

static bool levels_are_ordered(const coiteration *c) {
  for (int i = 0; i < c->level_count; i++) {
    storage *s = lowering_storage(c->k, sit_coiterate_tensor(c->op, i));
    if (!(storage_format(s)->levels[sit_coiterate_level(c->op, i)].properties & LEVEL_ORDERED) ||
        sit_coiterate_uses_scratch(c->op, i))
      return false;
  }
  return true;
}

typedef struct first_level {
  const coiteration *c;
  bool follows; /* it has the loop's coordinates */
} first_level;

static bool is_coordinate(const coiteration *c, MlirValue value) {
  for (intptr_t i = 0; i < sit_coiterate_case_count(c->op); i++)
    if (mlirValueEqual(mlirBlockGetArgument(sit_coiterate_case_body(c->op, i), 0), value))
      return true;
  return false;
}

static bool visit_first_level(MlirOperation op, void *data) {
  first_level *f = data;
  if ((sit_is_insert(op) || sit_is_append(op)) && sit_op_level(op) == 0 &&
      mlirValueEqual(sit_op_tensor(op), result_of(f->c)))
    f->follows &= is_coordinate(f->c, sit_op_coordinate(op));
  return f->follows;
}

static bool first_level_follows(const coiteration *c) {
  first_level f = {c, true};
  visit_below(c->op, visit_first_level, &f);
  return f.follows;
}

/* ---- A range ------------------------------------------------------------------------------ */

static bool walk_range(coiteration *c, MlirValue low, MlirValue high) {
  if (!coiteration_begin_walks(c))
    return false;
  c->low = low;
  c->high = high;
  return c->case_count == 0 || coiteration_dispatch(c);
}

typedef struct range {
  MlirValue number, low, high;
} range;

/* The loop over a range of coordinates, what it appends going into `piece`; under `begun`. */
typedef void finish_range(storage *whole, storage *piece, const range *r, void *data);
static bool loop_into(coiteration *c, storage *piece, MlirValue begun, const range *r,
                      finish_range *finish, void *data) {
  lowering *k = c->k;
  struct closing *outer = rest_mark(k);
  struct scratch_array *others = k->scratches;
  lowered whole = *lowering_find(k, result_of(c)), here = whole;
  here.tensor = piece;
  lower_rest_under(k, begun, NULL);
  lowering_bind(k, result_of(c), here);
  scratch_make(k, c->op);
  bool good = coiteration_hoist_workspaces(c) && walk_range(c, r->low, r->high);
  if (good && finish)
    finish(whole.tensor, piece, r, data);
  lowering_bind(k, result_of(c), whole);
  close_rest(k, outer);
  k->scratches = others;
  return good;
}

static MlirValue piece_count(builder *b) {
  MlirValue most = call(b, "omp_get_max_threads", type_i(b, 32), 0, NULL);
  MlirValue count = call(b, "lac_kernel_pieces_count", type_i(b, 64), 1, &most);
  return index_cast(b, count, type_index(b));
}

/* Each range on some thread. */
typedef bool range_code(cutting *u, const range *r, void *data);
static bool for_ranges(cutting *u, MlirValue count, range_code *code, void *data) {
  lowering *k = u->c->k;
  builder *b = k->b;
  int outer = k->parallel_mark;
  MlirValue one = constant_index(b, 1);
  u->c->parallel = false;
  k->parallel_mark = var_mark(b) + 1;
  range r = {.number = parallel_begin(b, constant_index(b, 0), count, one)};
  int mark = var_mark(b);
  r.low = cut(u, r.number, count);
  r.high = cut(u, add(b, r.number, one), count);
  bool good = code(u, &r, data);
  var_release(b, mark);
  parallel_end(b);
  k->parallel_mark = outer;
  return good;
}

/* ---- Pieces that are joined --------------------------------------------------------------- */

static void finish_piece(storage *whole, storage *piece, const range *r, void *data) {
  (void)whole;
  storage_finish_piece(piece, *(const MlirValue *)data, r->number);
}

static bool assemble_piece(cutting *u, const range *r, void *data) {
  builder *b = u->c->k->b;
  MlirValue begun, pieces = *(const MlirValue *)data, before = work_before(u, r->low);
  MlirValue expected = sub(b, work_before(u, r->high), before);
  storage *piece = storage_begin_piece(result_storage(u->c), pieces, r->number, r->low, r->high,
                                       expected, &begun);
  return loop_into(u->c, piece, begun, r, finish_piece, data);
}

static bool assemble_joined(cutting *u, MlirValue count) {
  builder *b = u->c->k->b;
  storage *s = result_storage(u->c);
  MlirValue there, pieces = storage_pieces(s, count, &there);
  if_begin(b, there);
  bool good = for_ranges(u, count, assemble_piece, &pieces);
  storage_join(s, pieces, count);
  if_end(b);
  return good;
}

/* ---- Pieces that an operand tells --------------------------------------------------------- */

static int level_count_of(const storage *s) {
  return storage_format(s)->level_count;
}

static MlirValue told_before(cutting *u, const told_level *by, MlirValue bound) {
  return entries_before(u->c, by->tensor, by->level, bound);
}

static MlirValue told_from(cutting *u, const told_level *by, MlirValue bound) {
  MlirValue before = told_before(u, by, u->low);
  return sub(u->c->k->b, told_before(u, by, bound), before);
}

static bool assemble_told(cutting *u, const range *r, void *data) {
  const told_level *levels = *(told_level *const *)data;
  storage *s = result_storage(u->c), *view = storage_begin_view(s);
  for (int l = 0; l < level_count_of(s); l++)
    if (levels[l].tensor.ptr)
      storage_view_room(view, l, told_from(u, &levels[l], r->low),
                        told_from(u, &levels[l], r->high));
  return loop_into(u->c, view, constant_bool(u->c->k->b, true), r, NULL, NULL);
}

static bool assemble_in_place(cutting *u, MlirValue count) {
  builder *b = u->c->k->b;
  storage *s = result_storage(u->c);
  told_level *levels;
  told_levels(u->c->k, u->c->op, &levels);
  for (int l = 0; l < level_count_of(s); l++)
    if (levels[l].tensor.ptr)
      storage_reserve_told(s, l, told_from(u, &levels[l], u->high));
  if_begin(b, storage_goes_well(s));
  bool good = for_ranges(u, count, assemble_told, &levels);
  for (int l = 0; l < level_count_of(s); l++)
    if (levels[l].tensor.ptr)
      storage_append_told(s, l, told_from(u, &levels[l], u->high));
  if_end(b);
  return good;
}

/* ---- Ranges that are counted, then placed ------------------------------------------------- */

static void finish_counts(storage *whole, storage *counts, const range *r, void *data) {
  (void)data;
  storage_counted(whole, counts, r->number);
}

static bool count_share(cutting *u, const range *r, void *data) {
  MlirValue begun;
  storage *counts = storage_begin_counts(data, r->number, &begun);
  return loop_into(u->c, counts, begun, r, finish_counts, NULL);
}

static bool place_share(cutting *u, const range *r, void *data) {
  storage *places = storage_begin_places(data, r->number);
  return loop_into(u->c, places, constant_bool(u->c->k->b, true), r, NULL, NULL);
}

static bool assemble_shares(cutting *u) {
  storage *s = result_storage(u->c);
  bool counts = storage_waits_for(s) >= 0;
  return for_ranges(u, storage_share_count(s), counts ? count_share : place_share, s);
}

/* ---- The loop ----------------------------------------------------------------------------- */

bool coiterate_in_pieces(coiteration *c) {
  builder *b = c->k->b;
  coiteration_read_bounds(c);
  if (!levels_are_ordered(c) || c->at_point)
    return error_at(c->op, "'sit.coiterate' on threads expected ordered levels, into a result that "
                           "is appended to");
  storage *s = result_storage(c);
  if (!storage_is_shared(s) && !first_level_follows(c))
    return error_at(c->op, "'sit.coiterate' on threads expected the coordinates of the first level "
                           "of the result that it appends to");
  int mark = var_mark(b);
  expect_visits(c->k, c->op);
  cutting u = cutting_of(c);
  bool good = storage_is_shared(s) ? assemble_shares(&u)
              : storage_is_told(s) ? assemble_in_place(&u, piece_count(b))
                                   : assemble_joined(&u, piece_count(b));
  var_release(b, mark);
  return good;
}
