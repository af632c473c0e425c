/* row_cut.c - see row_cut.h. */
#include "row_cut.h"

#include "cin.h"
#include "ir.h"
#include "search.h"
#include "sit.h"

/* ---- What may be cut ---------------------------------------------------------------------- */

/* How many arrays there are of where the children of a parent end, or begin: of one alone, that
 * tells where they end. */
static int count_edges(const level_format *format) {
  int count = 0;
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    count += format->arrays[slot] == LEVEL_POSITIONS;
  return count;
}

static const level_format *format_of(const lowering *k, MlirOperation op) {
  return storage_level_format(lowering_storage(k, sit_op_tensor(op)), (int)sit_op_level(op));
}

/* Whether an iteration that is cut may do it in each of its parts. */
static bool may_come_again(const lowering *k, MlirOperation op) {
  if (sit_is_insert(op))
    return !level_format_has_arrays(format_of(k, op));
  if (sit_is_close(op))
    return count_edges(format_of(k, op)) <= 1;
  return (sit_is_locate(op) && !sit_locate_uses_scratch(op)) || sit_is_value(op) ||
         sit_is_end(op) || (op_name_begins(op, "arith.") && !mlirOperationGetNumRegions(op));
}

/* The one loop right in the block, beside what may come again; null where there is none. */
static MlirOperation loop_in(const lowering *k, MlirBlock block) {
  MlirOperation found = {NULL}, none = {NULL};
  for (OPERATIONS(op, block)) {
    bool is_loop = sit_is_coiterate(op) && mlirOperationIsNull(found);
    if (!is_loop && !may_come_again(k, op))
      return none;
    found = is_loop ? op : found;
  }
  return found;
}

static bool has_offsets(MlirOperation loop) {
  for (intptr_t i = 0; i < sit_coiterate_count(loop); i++)
    if (sit_coiterate_offset(loop, i).ptr)
      return true;
  return false;
}

static bool can_be_bounded(const lowering *k, MlirOperation loop) {
  return !mlirOperationIsNull(loop) && cin_op_unit(loop) == CIN_SERIAL &&
         !sit_coiterate_lower(loop).ptr && !sit_coiterate_upper(loop).ptr && !has_offsets(loop) &&
         walks_are_ordered(k, loop);
}

/* Whether a loop inside goes through level 1 of the operand. */
static bool is_walked_inside(const cutting *u, MlirValue tensor) {
  for (intptr_t n = 0; n < sit_coiterate_case_count(u->c->op); n++) {
    MlirOperation loop = loop_in(u->c->k, sit_coiterate_case_body(u->c->op, n));
    for (intptr_t i = 0; i < sit_coiterate_count(loop); i++)
      if (sit_coiterate_level(loop, i) == 1 &&
          mlirValueEqual(sit_coiterate_tensor(loop, i), tensor))
        return true;
  }
  return false;
}

static const tensor_format *operand_format(const cutting *u, int i) {
  return storage_format(lowering_storage(u->c->k, u->tensors[i]));
}

/* Whether the operand's entries in a row tell where that is cut. */
static bool is_cut(const cutting *u, int tensor) {
  return entries_are_known(operand_format(u, tensor), 1) && is_walked_inside(u, u->tensors[tensor]);
}

bool rows_can_be_cut(const cutting *u) {
  bool tells = false;
  for (intptr_t n = 0; n < sit_coiterate_case_count(u->c->op); n++)
    if (!can_be_bounded(u->c->k, loop_in(u->c->k, sit_coiterate_case_body(u->c->op, n))))
      return false;
  for (int i = 0; i < u->tensor_count; i++)
    tells |= is_cut(u, i);
  return tells;
}

/* ---- Where lists are cut ------------------------------------------------------------------ */

/* A walk of a level of an operand, below no parent: its places are positions of the level. */
static walk walk_all(cutting *u, int tensor, int level) {
  coiteration *c = u->c;
  walk w;
  lowered any = {.value = constant_index(c->k->b, 0)};
  walk_begin(&w, c->k, c->op, lowering_storage(c->k, u->tensors[tensor]), level, any, true,
             (MlirValue){NULL});
  return w;
}

/* Whether the work is the entries of one list, each of which has its coordinates at its place. */
static bool is_list(const cutting *u) {
  if (!cut_is_of_one_walk(u))
    return false;
  const tensor_format *format = operand_format(u, 0);
  int level = 1;
  while (level < format->level_count && entries_are_known(format, level) &&
         (format->levels[level].properties & LEVEL_BRANCHLESS))
    level++;
  return level > 1 && !entries_are_known(format, level);
}

/* Before the entry that has as many before it as all ranges before have, where that is one of the
 * rows that are visited. */
static row_cut cut_list(cutting *u, MlirValue t, MlirValue count) {
  builder *b = u->c->k->b;
  MlirValue place = cut_work(u, t, count), end = add(b, u->before, u->all);
  MlirValue has_some = less(b, u->before, place), has_all = less_equal(b, end, place);
  int mark = var_mark(b);
  variable row = var_make(b, select_value(b, has_all, u->high, u->low));
  variable column = var_make(b, constant_index(b, 0));
  if_begin(b, and_i(b, has_some, less(b, place, end)));
  walk rows = walk_all(u, 0, 0), columns = walk_all(u, 0, 1);
  MlirValue at = walk_access(&rows, place).coordinate;
  var_set(b, row, max_i(b, u->low, min_i(b, at, u->high)));
  if_begin(b, and_i(b, less_equal(b, u->low, at), less(b, at, u->high)));
  var_set(b, column, walk_access(&columns, place).coordinate);
  if_end(b);
  if_end(b);
  row_cut found = {var_get(b, row), var_get(b, column)};
  var_release(b, mark);
  return found;
}

/* ---- Where rows are cut ------------------------------------------------------------------- */

/* A row: the positions of level 1 that each operand has at it, null where no loop inside goes
 * through them; the work before it, and up to its end. */
typedef struct long_row {
  cutting *u;
  MlirValue row, low, high;
  MlirValue *begins, *ends;
  MlirValue wanted; /* the work that is to come before the cut */
} long_row;

static void add_operand(long_row *r, int tensor, MlirValue next) {
  cutting *u = r->u;
  builder *b = u->c->k->b;
  MlirValue low, high;
  if (is_cut(u, tensor)) {
    r->begins[tensor] = entries_before(u->c, u->tensors[tensor], 1, r->row);
    r->ends[tensor] = entries_before(u->c, u->tensors[tensor], 1, next);
    low = work_below(u, tensor, r->begins[tensor]);
    high = work_below(u, tensor, r->ends[tensor]);
  } else {
    low = work_of(u, tensor, r->row);
    high = work_of(u, tensor, next);
  }
  r->low = add(b, r->low, low);
  r->high = add(b, r->high, high);
}

static long_row row_at(cutting *u, MlirValue row, MlirValue wanted) {
  builder *b = u->c->k->b;
  MlirValue zero = constant_index(b, 0), next = add(b, row, constant_index(b, 1));
  bool counts = work_has_coordinates(u);
  long_row r = {.u = u,
                .row = row,
                .low = counts ? row : zero,
                .high = counts ? next : zero,
                .begins = ARENA_ARRAY(u->c->k->memory, MlirValue, u->tensor_count + 1),
                .ends = ARENA_ARRAY(u->c->k->memory, MlirValue, u->tensor_count + 1),
                .wanted = wanted};
  for (int i = 0; i < u->tensor_count; i++)
    add_operand(&r, i, next);
  return r;
}

/* Whether the row is cut: it has much more than a range is to have, and what is wanted before the
 * cut is more than what comes before the row. */
static MlirValue is_cut_inside(const long_row *r) {
  builder *b = r->u->c->k->b;
  MlirValue is_long = less(b, mul(b, r->u->each, constant_index(b, 2)), sub(b, r->high, r->low));
  MlirValue is_inside = and_i(b, less(b, r->low, r->wanted), less(b, r->wanted, r->high));
  return and_i(b, is_long, is_inside);
}

/* The first position of the row whose coordinate is not below the column. */
static MlirValue position_of_column(const long_row *r, int tensor, MlirValue column) {
  builder *b = r->u->c->k->b;
  walk w = walk_all(r->u, tensor, 1);
  MlirValue begin = r->begins[tensor], end = r->ends[tensor];
  if (!w.by_position)
    return add(b, begin, min_i(b, column, sub(b, end, begin)));
  w.end = end;
  return walk_seek(&w, begin, column);
}

/* Whether the entries before a column are less than what is wanted. */
static MlirValue is_less_work(void *data, MlirValue column) {
  const long_row *r = data;
  builder *b = r->u->c->k->b;
  MlirValue work = r->low;
  for (int i = 0; i < r->u->tensor_count; i++) {
    if (!r->begins[i].ptr)
      continue;
    MlirValue before = work_below(r->u, i, r->begins[i]);
    MlirValue here = work_below(r->u, i, position_of_column(r, i, column));
    work = add(b, work, sub(b, here, before));
  }
  return less(b, work, r->wanted);
}

/* The one operand whose entries of the row are all the work in it, in places; -1 for none. */
static int only_operand(const long_row *r) {
  int only = -1;
  for (int i = 0; i < r->u->tensor_count; i++) {
    if (!r->begins[i].ptr)
      continue;
    if (only >= 0 || entries_are_known(operand_format(r->u, i), 2))
      return -1;
    only = i;
  }
  return only;
}

/* The column of the place that has as much before it as is wanted. */
static MlirValue column_of_place(const long_row *r, walk *w, int tensor) {
  builder *b = r->u->c->k->b;
  MlirValue place = add(b, r->begins[tensor], sub(b, r->wanted, r->low));
  MlirValue last = sub(b, r->ends[tensor], constant_index(b, 1));
  return walk_access(w, min_i(b, place, last)).coordinate;
}

static MlirValue column_extent(const long_row *r) {
  builder *b = r->u->c->k->b;
  MlirValue extent = constant_index(b, 0);
  for (int i = 0; i < r->u->tensor_count; i++)
    if (r->begins[i].ptr)
      extent =
          max_i(b, extent, storage_level_size(lowering_storage(r->u->c->k, r->u->tensors[i]), 1));
  return extent;
}

/* The first column with as much work before it as is wanted. */
static MlirValue find_column(long_row *r) {
  builder *b = r->u->c->k->b;
  int only = only_operand(r);
  if (only >= 0) {
    walk w = walk_all(r->u, only, 1);
    if (w.by_position)
      return column_of_place(r, &w, only);
  }
  return search_first(b, constant_index(b, 0), column_extent(r), is_less_work, r);
}

/* At the first row below which the work is as much as that of all ranges before, or in the row
 * before that. */
row_cut row_cut_find(cutting *u, MlirValue t, MlirValue count) {
  builder *b = u->c->k->b;
  if (is_list(u))
    return cut_list(u, t, count);
  MlirValue behind = cut(u, t, count);
  int mark = var_mark(b);
  variable row = var_make(b, behind), column = var_make(b, constant_index(b, 0));
  if_begin(b, less(b, u->low, behind));
  long_row r = row_at(u, sub(b, behind, constant_index(b, 1)), cut_work(u, t, count));
  if_begin(b, is_cut_inside(&r));
  var_set(b, row, r.row);
  var_set(b, column, find_column(&r));
  if_end(b);
  if_end(b);
  row_cut found = {var_get(b, row), var_get(b, column)};
  var_release(b, mark);
  return found;
}

void row_cut_range(builder *b, range *r, row_cut begin, row_cut end) {
  r->low = begin.row;
  r->high = r->last = end.row;
  r->from = begin.column;
  r->to = end.column;
  if (!r->to.ptr)
    return;
  MlirValue is_inside = less(b, constant_index(b, 0), r->to);
  r->high = select_value(b, is_inside, add(b, r->last, constant_index(b, 1)), r->last);
}

/* ---- A range ------------------------------------------------------------------------------ */

/* The row that the operation is right in, of the loop that is lowered for a range; or null. */
static MlirValue row_of(const lowering *k, MlirOperation op) {
  const range_rows *rows = k->rows;
  bool is_right_in = rows && mlirOperationEqual(mlirOperationGetParentOperation(op), rows->loop);
  return is_right_in ? lowering_scalar(k, mlirBlockGetArgument(mlirOperationGetBlock(op), 0))
                     : (MlirValue){NULL};
}

void row_cut_bound(coiteration *c) {
  builder *b = c->k->b;
  MlirValue row = row_of(c->k, c->op);
  if (!row.ptr)
    return;
  const range *r = c->k->rows->range;
  MlirValue none = constant_index(b, 0), all = constant_index(b, INT64_MAX);
  c->low = select_value(b, equal(b, row, r->low), r->from, none);
  c->high = select_value(b, equal(b, row, r->last), r->to, all);
  c->begins_near = true;
}

MlirValue row_cut_closes(const lowering *k, MlirOperation close) {
  builder *b = k->b;
  MlirValue row = row_of(k, close);
  return row.ptr ? not_equal(b, row, k->rows->range->last) : row;
}
