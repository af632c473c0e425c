/* flat.c - rows gone through as one, where nobody asks which row it is.
 *
 *     for i { for q = pos[i] .. pos[i + 1] { count[crd[q]] += 1 } }
 * ->  for q = pos[0] .. pos[n] { count[crd[q]] += 1 }
 *
 * The end of each row is a branch that is foretold wrongly where rows differ in length, and lanes
 * that are not full.  A loop over all coordinates of a level that is full has below each of them a
 * segment of the next level, and these lie one behind the other:
 *
 *     sit.coiterate over %n named "i" strategies {flat} {
 *     case () as (%i) {
 *       %pA0 = sit.locate %A level 0 at %i              all positions there are, as a segment
 *       sit.coiterate %A level 1 under %pA0 named "j" { ... }
 *     }}
 *
 * Several full levels one below the other are too.  Whoever counts entries of a level in which they
 * have a place each (sit.count, scattered into) says where they go, and is not asked.
 */
#include "coiterate.h"
#include "strategy.h"

#include "cin.h"
#include "cut.h"
#include "ir.h"
#include "kernel.h"
#include "sit.h"

/* ---- Loops of that shape ------------------------------------------------------------------ */

static MlirOperation user_of(MlirOpOperand use) {
  return mlirOpOperandGetOwner(use);
}

static bool is_used_alone_by(MlirValue value, MlirOperation user) {
  MlirOpOperand use = value_only_use(value);
  return !mlirOpOperandIsNull(use) && mlirOperationEqual(user_of(use), user);
}

static MlirOperation result_of(MlirOperation kernel, MlirValue tensor) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (sit_is_result(op) && mlirValueEqual(sit_op_tensor(op), tensor))
      return op;
  return (MlirOperation){NULL};
}

/* Whether an entry is counted by its parent alone. */
static bool counts_by_parent(MlirOperation op, MlirOperation kernel) {
  cin_assembly way = CIN_APPEND;
  if (!sit_is_count(op))
    return false;
  MlirOperation result = result_of(kernel, sit_op_tensor(op));
  return !mlirOperationIsNull(result) && cin_op_assembly(result, &way) && way == CIN_SCATTER;
}

/* Whether nothing asks for a coordinate but where to find its position. */
static bool is_asked_by_nobody(MlirValue coordinate, MlirOperation locate, MlirOperation kernel) {
  MlirOpOperand use = mlirValueGetFirstUse(coordinate);
  bool unasked = true;
  for (; unasked && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    unasked = mlirOperationEqual(user_of(use), locate) || counts_by_parent(user_of(use), kernel);
  return unasked;
}

static bool is_whole(MlirOperation op) {
  return cin_op_unit(op) == CIN_SERIAL && !sit_coiterate_lower(op).ptr &&
         !sit_coiterate_upper(op).ptr;
}

static bool has_one_case(MlirOperation op, intptr_t levels) {
  return sit_coiterate_case_count(op) == 1 && sit_coiterate_count(op) == levels &&
         !sit_coiterate_takes_any(op);
}

/* Whether it goes through one level, and no more than that. */
static bool is_walk(MlirOperation op) {
  return is_whole(op) && has_one_case(op, 1) && sit_coiterate_case_size(op, 0) == 1 &&
         !sit_coiterate_extent(op).ptr && !sit_coiterate_offset_count(op) &&
         !sit_coiterate_uses_scratch(op, 0) && !sit_op_is_padded(op);
}

/* What is in a loop over rows: one is located, and gone through below. */
typedef struct row {
  MlirValue coordinate, position;
  MlirOperation locate, below;
} row;

static bool row_read(row *r, MlirOperation op) {
  if (!has_one_case(op, 0) || !sit_coiterate_extent(op).ptr || sit_coiterate_is_unrolled(op))
    return false;
  MlirBlock body = sit_coiterate_case_body(op, 0);
  r->coordinate = mlirBlockGetArgument(body, 0);
  r->locate = mlirBlockGetFirstOperation(body);
  if (mlirOperationIsNull(r->locate) || !sit_is_locate(r->locate) || sit_op_is_padded(r->locate) ||
      sit_locate_uses_scratch(r->locate) ||
      !mlirValueEqual(sit_op_coordinate(r->locate), r->coordinate))
    return false;
  r->position = mlirOperationGetResult(r->locate, 0);
  r->below = mlirOperationGetNextInBlock(r->locate);
  return !mlirOperationIsNull(r->below) && sit_is_coiterate(r->below) &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(r->below));
}

/* ---- Levels without gaps ------------------------------------------------------------------ */

static bool is_array(const tensor_format *format, int level) {
  return level_is_counted(format, level) &&
         (format->levels[level].format->capabilities & LEVEL_LOCATE);
}

/* Each position has a coordinate, whichever row it is in. */
static bool is_list(const tensor_format *format, int level) {
  return level_is_packed(format, level) && (format->levels[level].properties & LEVEL_UNIQUE) &&
         level_format_coordinates(format->levels[level].format) >= 0;
}

/* Whether the rows of a loop can be one. */
static bool is_flat(MlirOperation op, walked_kernel *k) {
  row r, next;
  if (!row_read(&r, op) || !is_asked_by_nobody(r.coordinate, r.locate, k->op))
    return false;
  const tensor_format *format = walked_format_of(k, sit_op_tensor(r.locate));
  int level = (int)sit_op_level(r.locate);
  if (!format || level + 1 >= format->level_count || !is_array(format, level))
    return false;
  if (row_read(&next, r.below))
    return is_whole(r.below) && is_used_alone_by(r.position, next.locate) && is_flat(r.below, k);
  return is_walk(r.below) && is_used_alone_by(r.position, r.below) && is_list(format, level + 1);
}

static bool choose_flat(const walked *w, int64_t *number) {
  (void)number;
  return !w->in_lanes && !w->on_lanes && is_flat(w->op, w->k);
}

const strategy flat_strategy = {
    .name = "flat", .words = "takes all rows as one", .choose = choose_flat};

/* ---- Code --------------------------------------------------------------------------------- */

bool is_flat_loop(const coiteration *c) {
  lowering *k = c->k;
  row r;
  if (!strategy_is_taken(c->op, &flat_strategy) || k->lanes || k->rows ||
      !is_flat(c->op, k->walked) || !row_read(&r, c->op))
    return false;
  lowered parent = lowering_position(k, sit_op_parent(r.locate));
  return !parent.last.ptr && !parent.present.ptr && !parent.scratch.ptr;
}

/* The position of one coordinate. */
static MlirValue position_at(lowering *k, MlirOperation locate, MlirValue parent,
                             MlirValue coordinate) {
  storage *s = lowering_storage(k, sit_op_tensor(locate));
  int l = (int)sit_op_level(locate);
  lowered above = {.value = parent};
  MlirValue position, found;
  storage_level_format(s, l)->locate(storage_level(s, l), parent,
                                     lowering_coordinates(k, &above, l, coordinate), &position,
                                     &found);
  return position;
}

/* From the first coordinate below the first parent to the last one below the last parent. */
static lowered rows_between(lowering *k, const row *r, MlirValue begin, MlirValue end) {
  builder *b = k->b;
  lowered parent = lowering_position(k, sit_op_parent(r->locate));
  MlirValue one = constant_index(b, 1);
  MlirValue last = parent.last.ptr ? sub(b, parent.last, one) : parent.value;
  return (lowered){.value = position_at(k, r->locate, parent.value, begin),
                   .last = add(b, position_at(k, r->locate, last, sub(b, end, one)), one),
                   .flat = true};
}

/* The rows begin..end-1 of a loop, and all of the loops over rows that it has in it, as one. */
static bool lower_rows(lowering *k, MlirOperation op, MlirValue begin, MlirValue end) {
  builder *b = k->b;
  row r, next;
  row_read(&r, op);
  if_begin(b, less(b, begin, end));
  lowering_bind(k, r.position, rows_between(k, &r, begin, end));
  bool good = row_read(&next, r.below)
                  ? lower_rows(k, r.below, constant_index(b, 0),
                               lowering_scalar(k, sit_coiterate_extent(r.below)))
                  : lower_coiterate(k, r.below);
  if_end(b);
  return good;
}

bool flat_loop(coiteration *c, MlirValue begin, MlirValue end) {
  return lower_rows(c->k, c->op, begin, end);
}
