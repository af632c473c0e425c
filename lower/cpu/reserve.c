/* reserve.c - room for what a coiteration appends to the result, made before its loops.
 *
 *                                                              n = places of B + places of C
 *     sit.coiterate %B level 1 under %pB, %C level 1 ... {     room for n entries of A level 1
 *     case (0, 1) ... sit.append %A level 1 ...
 *     case (0) ... sit.append %A level 1 ...                   loops: appends without a check
 *
 * There are at most as many iterations as the levels walked have places, and at most as many as a
 * level has that is in every case.  These are stored entries, so that the room is no larger than
 * the operands; memory that is not used after all was never touched, and goes back in the end.
 * Where each entry brings a block of places below it, as a diagonal does, they are made one by one.
 */
#include "coiterate.h"
#include "strategy.h"

#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static bool is_append(MlirOperation op, MlirValue tensor, int level) {
  return sit_is_append(op) && mlirValueEqual(sit_op_tensor(op), tensor) &&
         (int)sit_op_level(op) == level;
}

/* How often a block appends to a level of the result itself, and whether loops within do. */
typedef struct appends {
  MlirValue tensor;
  int level;
  int here;
  bool within;
} appends;

static bool visit_within(MlirOperation op, void *data) {
  appends *a = data;
  a->within |= is_append(op, a->tensor, a->level);
  return true;
}

static void count_block(appends *a, MlirBlock block) {
  for (OPERATIONS(op, block)) {
    a->here += is_append(op, a->tensor, a->level);
    if (op_is(op, "scf.if"))
      for (int i = 0; i < 2; i++) {
        MlirBlock branch = op_block(op, i);
        if (!mlirBlockIsNull(branch))
          count_block(a, branch);
      }
    else
      visit_below(op, visit_within, a);
  }
}

/* The appends to a level in an iteration at most; 0 where it cannot be said. */
static int appends_of(MlirOperation op, MlirValue result, int level) {
  int most = 0;
  for (int i = 0; i < mlirOperationGetNumRegions(op); i++) {
    appends a = {.tensor = result, .level = level};
    count_block(&a, op_block(op, i));
    if (a.within)
      return 0;
    most = a.here > most ? a.here : most;
  }
  return most;
}

static lattice_point in_some_case(const coiteration *c) {
  lattice_point all = set_empty();
  for (int i = 0; i < c->case_count; i++)
    set_add(c->k->memory, &all, c->cases[i]);
  return all;
}

static lattice_point in_every_case(const coiteration *c) {
  lattice_point all = c->cases[0];
  for (int i = 1; i < c->case_count; i++)
    all = set_common(c->k->memory, all, c->cases[i]);
  return all;
}

static MlirValue place_count(coiteration *c, int i) {
  builder *b = c->k->b;
  const walk *w = &c->levels[i];
  return max_i(b, sub(b, w->end, w->begin), constant_index(b, 0));
}

static MlirValue iteration_bound(coiteration *c) {
  builder *b = c->k->b;
  lattice_point every = in_every_case(c);
  bool in_all = !set_is_empty(every);
  lattice_point bounding = in_all ? every : in_some_case(c);
  MlirValue bound = {NULL};
  for (int i = set_first(bounding); i >= 0; i = set_next(bounding, i + 1)) {
    MlirValue count = place_count(c, i);
    bound = !bound.ptr ? count : in_all ? min_i(b, bound, count) : add(b, bound, count);
  }
  return bound;
}

/* Loops over stored entries, on one thread. */
static bool is_bounded(const coiteration *c) {
  bool bounded = !c->parallel && !c->on_lanes && !c->extent.ptr && c->level_count && c->case_count;
  for (int i = 0; i < c->level_count; i++)
    bounded &= c->levels[i].by_position && !walk_is_single(&c->levels[i]);
  return bounded;
}

static void shorten_walks(coiteration *c, MlirValue there) {
  for (int i = 0; i < c->level_count; i++) {
    walk *w = &c->levels[i];
    w->end = select_value(c->k->b, there, w->end, w->begin);
  }
}

static void enter(coiteration *c, storage *s, int level, int most) {
  builder *b = c->k->b;
  MlirValue count = mul(b, iteration_bound(c), constant_index(b, most));
  shorten_walks(c, storage_enter_room(s, level, count));
  set_insert(c->k->memory, &c->roomy, level);
}

/* Whether an entry of the level takes no more than its own place: the level below does not insert a
 * block of places for each. */
static bool is_one_place(const tensor_format *format, int level) {
  return level + 1 == format->level_count ||
         !(format->levels[level + 1].format->capabilities & LEVEL_INSERT);
}

/* How many entries of the result's level an iteration appends at most; 0 where there is no room to
 * be made for them. */
static int entries_of(MlirOperation op, MlirValue result, const tensor_format *format, int level) {
  bool fits =
      is_one_place(format, level) && format->levels[level].format->capabilities & LEVEL_APPEND;
  return fits ? appends_of(op, result, level) : 0;
}

/* Where there is room for what an operand tells, and no more, a part of a walk is not counted as
 * all of it. */
static bool has_room_for_all(const coiteration *c, const storage *s, int level) {
  return !(c->low.ptr || c->high.ptr) || !storage_is_told(s, level);
}

void reserve_begin(coiteration *c) {
  MlirValue result = sit_kernel_result(c->k->op);
  storage *s = lowering_storage(c->k, result);
  if (!strategy_is_taken(c->op, &reserve_strategy) || !s || !is_bounded(c))
    return;
  for (int l = 0; l < storage_format(s)->level_count; l++) {
    int most = entries_of(c->op, result, storage_format(s), l);
    if (most && has_room_for_all(c, s, l))
      enter(c, s, l, most);
  }
}

void reserve_end(coiteration *c) {
  for (int l = set_first(c->roomy); l >= 0; l = set_next(c->roomy, l + 1))
    storage_leave_room(lowering_storage(c->k, sit_kernel_result(c->k->op)), l);
}

/* ---- The choice --------------------------------------------------------------------------- */

static bool goes_through_entries(const walked *w) {
  bool entries = !w->parallel && !w->on_lanes && !w->whole && w->level_count && w->case_count;
  for (int i = 0; i < w->level_count; i++)
    entries &= w->levels[i].by_position && !w->levels[i].single;
  return entries;
}

static bool choose(const walked *w, int64_t *number) {
  MlirValue result = sit_kernel_result(w->k->op);
  (void)number;
  if (!goes_through_entries(w) || !mlirTypeIsARankedTensor(mlirValueGetType(result)))
    return false;
  const tensor_format *format = walked_format_of(w->k, result);
  for (int l = 0; format && l < format->level_count; l++)
    if (entries_of(w->op, result, format, l))
      return true;
  return false;
}

const strategy reserve_strategy = {
    .name = "reserve",
    .words = "makes room in the result before it begins",
    .choose = choose,
};
