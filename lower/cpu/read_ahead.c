/* read_ahead.c - rows of operands, fetched some entries before they are needed.
 *
 *     for k on lanes                        for k on lanes
 *       for p in begin..end-1                 for p in begin..end-1
 *         j = crd[p]                            prefetch B[crd[min(p + 16, last)], k .. k + 31]
 *         t = t + A[p] * B[j, k]      -->       j = crd[p]
 *                                               t = t + A[p] * B[j, k]
 *
 *     for p in begin..end-1                 for p in begin..end-1
 *       j = crd[p]                            jj = crd[min(p + 4, last)]
 *       for k in 0..n-1                       for each line k .. k + 7 of the row
 *         t = t + C[i, k] * D[j, k]   -->       prefetch D[jj, k]
 *                                             j = crd[p]
 *                                             for k in 0..n-1
 *                                               t = t + C[i, k] * D[j, k]
 *
 *     for p in begin..end-1                 for p in begin..end-1
 *       b = crd[p]                            prefetch x[4 * crd[min(p + 16, last)]]
 *       for k in 0..3                         b = crd[p]
 *         t = t + A[p, k] * x[4 * b + k]  --> for k in 0..3
 *                                               t = t + A[p, k] * x[4 * b + k]
 *
 *     for p in begin..end-1                 for p in begin..end-1
 *       k = crd[p]                            r = C.pos[crd[min(p + 8, last)]]
 *       for q in C.pos[k]..                   prefetch C.crd[r], C.values[r]
 *         ... C.crd[q], C.values[q]  -->      k = crd[p]
 *                                             for q in C.pos[k]..
 *                                               ... C.crd[q], C.values[q]
 *
 * Which row comes next no processor can foresee, but the coordinates are there to be read.  Entries
 * behind the end of a row are those of the next one, where positions are walked in the order in
 * which they are stored.
 */
#include "cin.h"
#include "ir.h"
#include "kernel.h"
#include "lanes.h"
#include "reduction.h"
#include "sit.h"
#include "strategy.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { PARTS_AHEAD = 16, ROWS_AHEAD = 4, SEGMENTS_AHEAD = 8, STREAM_AHEAD = 512 };
enum { CACHED_LINES = 16384 };

/* The place some entries ahead, in the array. */
static MlirValue place_ahead(lowering *k, MlirValue coordinates, MlirValue place,
                             int64_t distance) {
  builder *b = k->b;
  MlirValue ahead = add(b, place, constant_index(b, distance));
  MlirValue last = sub(b, memref_length(b, coordinates), constant_index(b, 1));
  return min_i(b, ahead, last);
}

/* Elements of a line of memory. */
static int64_t line_of(MlirValue array) {
  return lanes_in(mlirShapedTypeGetElementType(mlirValueGetType(array)), 8 * LINE_BYTES);
}

/* Whether caches do not hold all of the array anyway. */
static MlirValue is_beyond_caches(builder *b, MlirValue array) {
  return less(b, constant_index(b, CACHED_LINES * line_of(array)), memref_length(b, array));
}

static void prefetch_lanes(lowering *k, storage *s, MlirValue position) {
  MlirValue values = storage_values(s);
  int64_t line = line_of(values);
  for (int64_t lane = 0; lane < k->lanes; lane += line)
    prefetch(k->b, values, add(k->b, position, constant_index(k->b, lane)));
}

/* Whether a value is there before the walk's body begins. */
static bool is_outside(MlirValue value, MlirBlock body) {
  for (MlirBlock block = value_block(value); !mlirBlockIsNull(block);) {
    if (mlirBlockEqual(block, body))
      return false;
    MlirOperation around = mlirBlockGetParentOperation(block);
    block = mlirOperationIsNull(around) ? (MlirBlock){NULL} : mlirOperationGetBlock(around);
  }
  return true;
}

static bool is_coordinate(MlirValue value, MlirOperation op) {
  return mlirValueIsABlockArgument(value) && mlirBlockArgumentGetArgNumber(value) == 0 &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), mlirOperationGetBlock(op));
}

/* Whether the operation locates, and can for another coordinate of the walk: with that or the one
 * of the loop that it stands in or one from outside, below positions located so or from outside. */
static bool can_locate(MlirOperation op, MlirBlock body) {
  if (!sit_is_locate(op) || sit_locate_uses_scratch(op))
    return false;
  MlirValue coordinate = sit_op_coordinate(op);
  if (!mlirValueEqual(coordinate, mlirBlockGetArgument(body, 0)) &&
      !is_coordinate(coordinate, op) && !is_outside(coordinate, body))
    return false;
  MlirValue parent = sit_op_parent(op);
  return !parent.ptr || is_outside(parent, body) || can_locate(value_owner(parent), body);
}

/* Whether it does so with the coordinate of the walk, or below a position located so. */
static bool follows(MlirOperation op, MlirBlock body) {
  if (!can_locate(op, body))
    return false;
  MlirValue parent = sit_op_parent(op);
  return mlirValueEqual(sit_op_coordinate(op), mlirBlockGetArgument(body, 0)) ||
         (parent.ptr && follows(value_owner(parent), body));
}

/* Reads a value at a position found so; in a loop, by the loop's own coordinate at last, so that a
 * row is read and not a column. */
static bool reads_behind(MlirOperation op, MlirBlock body) {
  if (!sit_is_value(op) || !sit_op_position(op).ptr)
    return false;
  MlirOperation found = value_owner(sit_op_position(op));
  return follows(found, body) && (mlirBlockEqual(mlirOperationGetBlock(op), body) ||
                                  is_coordinate(sit_op_coordinate(found), found));
}

/* The tensor of the first value that a block, the body or one in it, reads at a position found with
 * the coordinate of the walk. */
static MlirValue read_behind(MlirBlock block, MlirBlock body) {
  for (OPERATIONS(op, block))
    if (reads_behind(op, body))
      return sit_op_tensor(op);
  return (MlirValue){NULL};
}

/* A loop that counts through a dimension. */
static bool is_counted(MlirOperation op, MlirBlock body) {
  return sit_is_coiterate(op) && sit_coiterate_count(op) == 0 &&
         sit_coiterate_case_count(op) == 1 && !sit_coiterate_lower(op).ptr &&
         is_outside(sit_coiterate_extent(op), body);
}

/* Locates as the block does, but for the coordinate ahead, and prefetches what it reads. */
static void locate_ahead(lowering *k, MlirBlock block, MlirBlock body) {
  for (OPERATIONS(op, block)) {
    if (can_locate(op, body))
      lower_locate(k, op);
    if (!reads_behind(op, body))
      continue;
    const lowered *found = lowering_find(k, sit_op_position(op));
    storage *s = lowering_storage(k, sit_op_tensor(op));
    if (found->lanes == LANES_CONSECUTIVE)
      prefetch_lanes(k, s, found->value);
    else if (!k->lanes)
      prefetch(k->b, storage_values(s), found->value);
  }
}

/* for l = 0; l < n; l += 8: the line of elements l .. l + 7 of the row ahead, where the array is
 * beyond the caches. */
static void row_ahead(lowering *k, MlirOperation loop, storage *s, MlirBlock body) {
  builder *b = k->b;
  MlirBlock block = op_block(loop, 0);
  MlirValue values = storage_values(s);
  if_begin(b, is_beyond_caches(b, values));
  MlirValue l = for_begin(b, constant_index(b, 0), lowering_scalar(k, sit_coiterate_extent(loop)),
                          constant_index(b, line_of(values)));
  lowering_bind(k, mlirBlockGetArgument(block, 0), (lowered){.value = l});
  locate_ahead(k, block, body);
  for_end(b);
  if_end(b);
}

static void rows_ahead(lowering *k, MlirBlock body) {
  for (OPERATIONS(op, body)) {
    MlirValue tensor = {NULL};
    if (is_counted(op, body))
      tensor = read_behind(op_block(op, 0), body);
    if (tensor.ptr)
      row_ahead(k, op, lowering_storage(k, tensor), body);
  }
}

static bool reads_rows(MlirBlock body, bool in_lanes) {
  if (in_lanes)
    return read_behind(body, body).ptr;
  for (OPERATIONS(op, body))
    if (is_counted(op, body) && read_behind(op_block(op, 0), body).ptr)
      return true;
  return false;
}

/* ---- Pieces of vectors ---------------------------------------------------------------------- */

/* What a block reads: the value, the locate of its position, and how long the piece is. */
typedef struct piece {
  MlirOperation value, locate;
  int64_t length;
} piece;

/* length * b + r, b being the coordinate of the walk and r that of the loop that it stands in. */
static bool is_in_piece(MlirValue coordinate, MlirBlock body, int64_t *length) {
  MlirOperation sum = value_owner(coordinate);
  if (mlirOperationIsNull(sum) || !op_is(sum, "arith.addi") ||
      !is_coordinate(mlirOperationGetOperand(sum, 1), sum))
    return false;
  MlirOperation product = value_owner(mlirOperationGetOperand(sum, 0));
  return !mlirOperationIsNull(product) && op_is(product, "arith.muli") &&
         mlirValueEqual(mlirOperationGetOperand(product, 0), mlirBlockGetArgument(body, 0)) &&
         value_is_constant_index(mlirOperationGetOperand(product, 1), length);
}

static bool reads_piece(MlirOperation op, MlirBlock body, piece *found) {
  if (!sit_is_value(op) || !sit_op_position(op).ptr)
    return false;
  *found = (piece){.value = op, .locate = value_owner(sit_op_position(op))};
  return !mlirOperationIsNull(found->locate) && sit_is_locate(found->locate) &&
         !sit_op_parent(found->locate).ptr &&
         is_in_piece(sit_op_coordinate(found->locate), body, &found->length);
}

/* The first piece that loops inside of the walk read, also where all of a block is in bounds. */
static bool find_piece(MlirBlock block, MlirBlock body, piece *found) {
  for (OPERATIONS(op, block)) {
    bool inside = op_is(op, "scf.if") || (sit_is_coiterate(op) && cin_op_unit(op) == CIN_SERIAL);
    if (reads_piece(op, body, found) ||
        (inside && mlirOperationGetNumRegions(op) && find_piece(op_block(op, 0), body, found)))
      return true;
  }
  return false;
}

/* Both ends of the piece at the block ahead, where the array is beyond the caches. */
static void piece_ahead(lowering *k, const piece *p, MlirValue ahead) {
  builder *b = k->b;
  storage *s = lowering_storage(k, sit_op_tensor(p->value));
  MlirValue values = storage_values(s), coordinate = sit_op_coordinate(p->locate);
  if_begin(b, is_beyond_caches(b, values));
  lowering_bind(k, coordinate, (lowered){.value = mul(b, ahead, constant_index(b, p->length))});
  if (lower_locate(k, p->locate)) {
    MlirValue first = lowering_find(k, mlirOperationGetResult(p->locate, 0))->value;
    prefetch(b, values, first);
    prefetch(b, values, add(b, first, constant_index(b, p->length - 1)));
  }
  if_end(b);
}

/* ---- Segments of sparse levels -------------------------------------------------------------- */

static bool has_segments(const tensor_format *tensor, int64_t level) {
  const level_format *format = tensor->levels[level].format;
  return format->capabilities & LEVEL_POSITION_ITERATION && !format->cursors &&
         level_format_coordinates(format) >= 0;
}

/* A position found with the coordinate of the walk in a level that has all of them. */
static bool is_row_of(const tensor_format *tensor, MlirValue position, MlirBlock body) {
  if (!position.ptr || mlirValueIsABlockArgument(position))
    return false;
  MlirOperation found = value_owner(position);
  return follows(found, body) && !sit_op_parent(found).ptr &&
         tensor->levels[sit_op_level(found)].properties & LEVEL_FULL;
}

/* The tensor of a coiteration that goes through one level, by itself: what is merged with others
 * may be searched, or not be needed. */
static MlirValue tensor_walked(MlirOperation op) {
  bool alone =
      sit_is_coiterate(op) && sit_coiterate_count(op) == 1 && !sit_coiterate_uses_scratch(op, 0);
  return alone ? sit_coiterate_tensor(op, 0) : (MlirValue){NULL};
}

/* Whether that level is below a row that the walk of the body finds. */
static bool is_segment_behind(MlirOperation op, const tensor_format *tensor, MlirBlock body) {
  return tensor && has_segments(tensor, sit_coiterate_level(op, 0)) &&
         is_row_of(tensor, sit_coiterate_parent(op, 0), body);
}

static bool has_segments_behind(walked_kernel *k, MlirBlock body) {
  for (OPERATIONS(op, body)) {
    MlirValue tensor = tensor_walked(op);
    if (tensor.ptr && walked_is_operand(k, tensor) &&
        is_segment_behind(op, walked_format_of(k, tensor), body))
      return true;
  }
  return false;
}

/* Behind the last entry may stand anything. */
static MlirValue within(builder *b, MlirValue coordinate, MlirValue size) {
  MlirValue zero = constant_index(b, 0);
  return max_i(b, zero, min_i(b, coordinate, sub(b, size, constant_index(b, 1))));
}

/* Where the segment of the row begins, where arrays are beyond the caches. */
static void segment_ahead(lowering *k, storage *s, int number, MlirOperation locate,
                          MlirValue ahead) {
  builder *b = k->b;
  level *l = storage_level(s, number);
  MlirValue coordinates = storage_coordinates(s, number), begin, end;
  MlirValue size = level_size(storage_level(s, (int)sit_op_level(locate)));
  if_begin(b, is_beyond_caches(b, coordinates));
  lowering_bind(k, sit_op_coordinate(locate), (lowered){.value = within(b, ahead, size)});
  if (lower_locate(k, locate)) {
    MlirValue row = lowering_find(k, mlirOperationGetResult(locate, 0))->value;
    storage_level_format(s, number)->pos_iter(l, row, &begin, &end);
    prefetch(b, coordinates, begin);
    if (number + 1 == storage_format(s)->level_count)
      prefetch(b, storage_values(s), begin);
  }
  if_end(b);
}

static void segments_ahead(lowering *k, MlirBlock body, MlirValue ahead) {
  for (OPERATIONS(op, body)) {
    MlirValue tensor = tensor_walked(op);
    if (!tensor.ptr || !lowering_is_operand(k, tensor))
      continue;
    storage *s = lowering_storage(k, tensor);
    if (is_segment_behind(op, storage_format(s), body))
      segment_ahead(k, s, (int)sit_coiterate_level(op, 0), value_owner(sit_coiterate_parent(op, 0)),
                    ahead);
  }
}

/* ---- All ------------------------------------------------------------------------------------ */

/* Whether an array that the body reads behind its coordinate is beyond the caches. */
static MlirValue any_beyond_caches(lowering *k, MlirBlock body) {
  MlirValue any = constant_bool(k->b, false);
  for (OPERATIONS(op, body))
    if (reads_behind(op, body))
      any = or_i(k->b, any,
                 is_beyond_caches(k->b, storage_values(lowering_storage(k, sit_op_tensor(op)))));
  return any;
}

static void rows_of_walk(coiteration *c, MlirValue ahead) {
  lowering *k = c->k;
  MlirBlock body = op_block(c->op, 0);
  if (k->lanes)
    if_begin(k->b, any_beyond_caches(k, body));
  lowering_bind(k, mlirBlockGetArgument(body, 0),
                (lowered){.value = walk_access(&c->levels[0], ahead).coordinate});
  locate_ahead(k, body, body);
  if (k->lanes)
    if_end(k->b);
  else
    rows_ahead(k, body);
}

void read_ahead(coiteration *c, MlirValue place) {
  lowering *k = c->k;
  MlirBlock body = op_block(c->op, 0);
  MlirValue coordinates = reduction_coordinates(&c->levels[0]);
  int64_t distance = strategy_number(c->op, &read_ahead_strategy);
  piece found;
  if (!distance || k->reduces || !coordinates.ptr)
    return;
  MlirValue there = place_ahead(k, coordinates, place, distance);
  if (reads_rows(body, k->lanes)) {
    rows_of_walk(c, there);
    return;
  }
  if (k->lanes)
    return;
  MlirValue ahead = walk_access(&c->levels[0], there).coordinate;
  if (find_piece(body, body, &found) && lowering_is_operand(k, sit_op_tensor(found.value)))
    piece_ahead(k, &found, ahead);
  else
    segments_ahead(k, body, ahead);
}

/* ---- The choice --------------------------------------------------------------------------- */

/* A loop over the entries of an operand that there is an array of coordinates of, in order. */
static bool is_foreseeable(const walked *w) {
  const walked_level *l = &w->levels[0];
  return walked_goes_through_one(w) && !w->parallel && !l->single && !l->chained && !l->scratch &&
         l->by_position && level_format_coordinates(l->format) >= 0 &&
         walked_is_operand(w->k, sit_coiterate_tensor(w->op, 0)) &&
         walked_is_in_order(w->k, sit_coiterate_parent(w->op, 0));
}

static bool choose(const walked *w, int64_t *number) {
  MlirBlock body = op_block(w->op, 0);
  bool streams = w->level_count && strategy_is_taken(w->op, &lanes_strategy);
  piece found;
  if (streams && walked_is_in_order(w->k, sit_coiterate_parent(w->op, 0)))
    *number = STREAM_AHEAD;
  else if (streams || !is_foreseeable(w))
    *number = 0;
  else if (reads_rows(body, w->in_lanes))
    *number = w->in_lanes ? PARTS_AHEAD : ROWS_AHEAD;
  else if (!w->in_lanes && find_piece(body, body, &found) &&
           walked_is_operand(w->k, sit_op_tensor(found.value)))
    *number = PARTS_AHEAD;
  else if (!w->in_lanes && has_segments_behind(w->k, body))
    *number = SEGMENTS_AHEAD;
  return *number;
}

const strategy read_ahead_strategy = {
    .name = "read_ahead",
    .words = "asks memory for what comes some entries ahead",
    .choose = choose,
    .has_number = true,
};
