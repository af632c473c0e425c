/* walked.c - what is known of a walk before there is code. */
#include "walked.h"

#include "cin.h"
#include "ir.h"
#include "merge_strategy.h"
#include "sit.h"

static const MlirValue none = {NULL};

/* ---- Formats ------------------------------------------------------------------------------ */

typedef struct walked_format {
  struct walked_format *next;
  MlirType type;
  const tensor_format *format;
} walked_format;

const tensor_format *walked_format_of(walked_kernel *k, MlirValue tensor) {
  MlirType type = mlirValueGetType(tensor);
  for (walked_format *at = k->formats; at; at = at->next)
    if (mlirTypeEqual(at->type, type))
      return at->format;
  walked_format *added = ARENA_ARRAY(k->memory, walked_format, 1);
  *added = (walked_format){k->formats, type,
                           tensor_format_get(k->memory, type, mlirOperationGetLocation(k->op))};
  k->formats = added;
  return added->format;
}

bool walked_is_operand(const walked_kernel *k, MlirValue tensor) {
  return mlirValueIsABlockArgument(tensor) &&
         mlirBlockArgumentGetArgNumber(tensor) < mlirOperationGetNumOperands(k->op);
}

/* ---- Positions ---------------------------------------------------------------------------- */

/* The level that an argument of a case is the position of; -1 for what is none. */
static int64_t level_of_argument(MlirValue position) {
  MlirBlock block = mlirBlockArgumentGetOwner(position);
  MlirOperation op = mlirBlockGetParentOperation(block);
  intptr_t number = mlirBlockArgumentGetArgNumber(position), at = 0;
  if (!sit_is_coiterate(op) || !number)
    return -1;
  while (!mlirBlockEqual(sit_coiterate_case_body(op, at), block))
    at++;
  return sit_coiterate_case_member(op, at, number - 1);
}

static MlirOperation coiterate_of(MlirValue argument) {
  return mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
}

static bool read_level(walked_level *l, walked_kernel *k, MlirOperation op, int64_t i);

/* Whether a position is a segment of several: that of a level whose duplicates are together, or
 * what is located below each of a segment. */
static bool is_segment(walked_kernel *k, MlirValue position) {
  if (mlirValueIsNull(position))
    return false;
  if (!mlirValueIsABlockArgument(position)) {
    MlirOperation op = value_owner(position);
    return sit_is_locate(op) && sit_locate_uses_scratch(op) && is_segment(k, sit_op_parent(op));
  }
  walked_level level;
  int64_t number = level_of_argument(position);
  return number >= 0 && read_level(&level, k, coiterate_of(position), number) && level.chained;
}

/* Whether there may be no position at all. */
static bool may_be_none(MlirValue position) {
  if (mlirValueIsNull(position))
    return false;
  if (mlirValueIsABlockArgument(position))
    return level_of_argument(position) >= 0 && sit_coiterate_takes_any(coiterate_of(position));
  MlirOperation op = value_owner(position);
  return sit_is_locate(op) && (sit_op_is_padded(op) || may_be_none(sit_op_parent(op)));
}

/* Whether several branches come together below the position (scratch.h). */
static bool joins_branches(walked_kernel *k, MlirValue parent, unsigned properties) {
  if (!is_segment(k, parent))
    return false;
  if (!(properties & LEVEL_BRANCHLESS))
    return true;
  MlirValue above = none;
  unsigned own = 0;
  if (mlirValueIsABlockArgument(parent)) {
    walked_level level;
    int64_t number = level_of_argument(parent);
    above = sit_coiterate_parent(coiterate_of(parent), number);
    own = read_level(&level, k, coiterate_of(parent), number) ? level.properties : 0;
  } else {
    above = sit_op_parent(value_owner(parent));
  }
  return joins_branches(k, above, own);
}

/* ---- Levels ------------------------------------------------------------------------------- */

static bool read_level(walked_level *l, walked_kernel *k, MlirOperation op, int64_t i) {
  MlirValue parent = sit_coiterate_parent(op, i);
  const tensor_format *tensor = walked_format_of(k, sit_coiterate_tensor(op, i));
  if (!tensor)
    return false;
  const format_level *level = &tensor->levels[sit_coiterate_level(op, i)];
  *l = (walked_level){.tensor = tensor,
                      .format = level->format,
                      .number = (int)sit_coiterate_level(op, i),
                      .properties = level->properties,
                      .by_position = level->format->capabilities & LEVEL_POSITION_ITERATION,
                      .scratch = sit_coiterate_uses_scratch(op, i),
                      .offset = sit_coiterate_offset(op, i).ptr,
                      .below_segment = is_segment(k, parent),
                      .below_none = may_be_none(parent)};
  bool unique = level->properties & LEVEL_UNIQUE;
  l->by_position |= l->scratch;
  l->single = l->by_position && (level->properties & LEVEL_BRANCHLESS) && !l->below_segment &&
              !l->below_none && !l->scratch;
  l->chained = l->scratch ? !unique || joins_branches(k, parent, level->properties)
                          : l->by_position && !unique && !sit_coiterate_is_fused(op);
  if (l->scratch || l->single)
    l->properties |= LEVEL_ORDERED;
  return true;
}

/* ---- Coiterations ------------------------------------------------------------------------- */

static void read_cases(walked *w) {
  w->case_count = w->any ? w->level_count : (int)sit_coiterate_case_count(w->op);
  w->cases = ARENA_ARRAY(w->k->memory, lattice_point, w->case_count + 1);
  for (int n = 0; n < w->case_count; n++) {
    if (w->any)
      w->cases[n] = set_of(w->k->memory, n);
    for (intptr_t m = 0; !w->any && m < sit_coiterate_case_size(w->op, n); m++)
      set_insert(w->k->memory, &w->cases[n], (int)sit_coiterate_case_member(w->op, n, m));
  }
}

static lattice_point located_of(const walked *w) {
  merged_level *levels = ARENA_ARRAY(w->k->memory, merged_level, w->level_count + 1);
  for (int i = 0; i < w->level_count; i++) {
    const walked_level *l = &w->levels[i];
    levels[i] = (merged_level){l->format->capabilities, l->properties};
    if (l->below_segment || l->scratch)
      levels[i].capabilities &= ~(unsigned)LEVEL_LOCATE;
  }
  return merge_located(w->k->memory, w->level_count, levels, w->case_count, w->cases, w->whole);
}

static bool is_on_lanes(MlirOperation op) {
  return sit_is_coiterate(op) && cin_op_unit(op) == CIN_CPU_VECTOR && !sit_coiterate_count(op);
}

static bool is_in_lanes(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op) && !sit_is_kernel(op);
       op = mlirOperationGetParentOperation(op))
    if (is_on_lanes(op))
      return true;
  return false;
}

/* The places of one level, or all coordinates, can be dealt out to threads.  Where levels are
 * merged, ranges of coordinates are; or where one repeats coordinates that no two threads may have,
 * or that are visited together. */
static void read_threads(walked *w) {
  int first = 0, counted = w->level_count - set_size(w->located) + w->whole;
  while (set_has(w->located, first))
    first++;
  cin_race race = cin_op_race(w->op);
  cin_unit unit = cin_op_unit(w->op);
  bool on_gpu = cin_unit_is_gpu(unit);
  bool disjoint = race == CIN_NO_RACES, separate = disjoint || cin_race_is_private(race);
  bool repeats = first < w->level_count && !(w->levels[first].properties & LEVEL_UNIQUE) &&
                 (disjoint || w->levels[first].chained);
  bool ranges = unit == CIN_CPU_THREAD ? separate : unit == CIN_GPU_THREAD && disjoint;
  w->cut = ranges && w->level_count && (counted > 1 || repeats);
  w->parallel = (unit == CIN_CPU_THREAD || on_gpu) && !w->cut;
}

bool walked_read(walked *w, walked_kernel *k, MlirOperation op) {
  *w = (walked){.k = k,
                .op = op,
                .level_count = (int)sit_coiterate_count(op),
                .fused = sit_coiterate_is_fused(op),
                .any = sit_coiterate_takes_any(op),
                .whole = sit_coiterate_extent(op).ptr,
                .bounded = sit_coiterate_lower(op).ptr,
                .point = sit_coiterate_lower(op).ptr && !sit_coiterate_upper(op).ptr,
                .in_lanes = is_in_lanes(op)};
  w->on_lanes = is_on_lanes(op) && !w->in_lanes;
  w->levels = ARENA_ARRAY(k->memory, walked_level, w->level_count + 1);
  for (int i = 0; i < w->level_count; i++)
    if (!read_level(&w->levels[i], k, op, i))
      return false;
  read_cases(w);
  w->located = w->level_count ? located_of(w) : set_empty();
  read_threads(w);
  return true;
}

/* ---- Order -------------------------------------------------------------------------------- */

/* Whether the argument, a coordinate or a position, is what a loop counts: a loop over all
 * coordinates, or over the places of one level, the others located. */
static bool is_counted(walked_kernel *k, MlirValue argument) {
  walked around;
  MlirOperation op = coiterate_of(argument);
  if (!sit_is_coiterate(op) || !walked_read(&around, k, op))
    return false;
  bool position = mlirBlockArgumentGetArgNumber(argument) > 0;
  int count = around.level_count - set_size(around.located), walked = 0;
  while (set_has(around.located, walked))
    walked++;
  return !count || (count == 1 && (position || !around.levels[walked].by_position));
}

/* The first level's positions are coordinates where it has one for each. */
static bool is_coordinate(walked_kernel *k, MlirOperation locate) {
  const tensor_format *format = walked_format_of(k, sit_op_tensor(locate));
  MlirValue coordinate = sit_op_coordinate(locate);
  return !sit_op_level(locate) && format &&
         format->levels[0].format->properties & LEVEL_CONSECUTIVE &&
         mlirValueIsABlockArgument(coordinate) && is_counted(k, coordinate);
}

bool walked_is_in_order(walked_kernel *k, MlirValue parent) {
  if (mlirValueIsNull(parent))
    return true;
  if (mlirValueIsABlockArgument(parent))
    return is_counted(k, parent);
  return sit_is_locate(value_owner(parent)) && is_coordinate(k, value_owner(parent));
}

/* ---- Loops around ------------------------------------------------------------------------- */

MlirOperation walked_loop_around(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !sit_is_kernel(op) &&
         !(sit_is_coiterate(op) && (sit_coiterate_upper(op).ptr || !sit_coiterate_lower(op).ptr)));
  return mlirOperationIsNull(op) || sit_is_kernel(op) ? (MlirOperation){NULL} : op;
}

bool walked_is_fixed_in(MlirValue position, MlirOperation loop) {
  if (mlirValueIsNull(position))
    return true;
  MlirOperation op = mlirBlockGetParentOperation(value_block(position));
  while (!mlirOperationIsNull(op) && !sit_is_kernel(op) && !mlirOperationEqual(op, loop))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationEqual(op, loop);
}

/* ---- Merges ------------------------------------------------------------------------------- */

/* At one coordinate of levels that can all locate it (point.c). */
static bool is_point(const walked *w) {
  bool all_locate = w->level_count && !w->parallel && !w->in_lanes && w->point;
  for (int i = 0; i < w->level_count; i++) {
    const walked_level *l = &w->levels[i];
    all_locate &= (l->format->capabilities & LEVEL_LOCATE) && (l->properties & LEVEL_UNIQUE) &&
                  !l->below_segment && !l->scratch;
  }
  return all_locate;
}

bool walked_on_threads(MlirOperation op) {
  return sit_is_coiterate(op) && cin_op_unit(op) == CIN_CPU_THREAD;
}

bool walked_goes_through_one(const walked *w) {
  bool alone = w->level_count == 1 && w->case_count == 1 && set_size(w->cases[0]) == 1;
  return alone && !is_point(w) && (!w->whole || w->levels[0].properties & LEVEL_ORDERED);
}

bool walked_merges(const walked *w) {
  bool counts = !w->level_count && w->case_count == 1;
  return !counts && !is_point(w) && !walked_goes_through_one(w);
}
