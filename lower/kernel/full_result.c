/* full_result.c - results that store what is sparse at every coordinate.
 *
 *     sit.coiterate over %m {                Y : (i : dense, j : compressed)
 *     case () as (%i) {
 *       sit.coiterate %X level 1 .. over %n {
 *       case (0) as (%j, %p) { .. }
 *       case () as (%j) {                    visited wherever X stores nothing too
 *         sit.append %Y level 1 at %j        m * n entries, however few X has
 *
 * Rows that have a place each, whatever is in them, do not make it full.
 *
 * The runtime says before the first of them whether that is worthwhile (lac_kernel.h).
 */
#include "ir.h"
#include "kernel.h"
#include "sit.h"

/* The case of a coiteration that a block is. */
static intptr_t case_of(MlirOperation coiterate, MlirBlock block) {
  intptr_t number = 0;
  while (!mlirBlockEqual(sit_coiterate_case_body(coiterate, number), block))
    number++;
  return number;
}

/* Whether it stands where no operand stores anything, in loops over all coordinates. */
static bool is_everywhere(MlirOperation kernel, MlirOperation op) {
  bool loops = false;
  for (;;) {
    MlirBlock block = mlirOperationGetBlock(op);
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationEqual(op, kernel))
      return loops;
    if (!sit_is_coiterate(op))
      continue;
    if (sit_coiterate_lower(op).ptr || sit_coiterate_case_size(op, case_of(op, block)))
      return false;
    loops = true;
  }
}

typedef struct search {
  const lowering *k;
  MlirValue result;
  bool found;
} search;

/* The last level that does not store each coordinate: where it has entries, there are values. */
static int last_sparse_level(const tensor_format *format) {
  int level = format->level_count - 1;
  while (level >= 0 && format->levels[level].properties & LEVEL_FULL)
    level--;
  return level;
}

static bool makes_entries(const search *s, MlirOperation op) {
  if (!sit_is_append(op) && !sit_is_count(op) && !sit_is_place(op) && !sit_is_insert(op))
    return false;
  const tensor_format *format = storage_format(lowering_storage(s->k, s->result));
  return mlirValueEqual(sit_op_tensor(op), s->result) &&
         (int)sit_op_level(op) == last_sparse_level(format);
}

static bool visit(MlirOperation op, void *data) {
  search *s = data;
  s->found |= makes_entries(s, op) && is_everywhere(s->k->op, op);
  return !s->found;
}

static bool is_full(const lowering *k, MlirValue result) {
  search s = {k, result, false};
  visit_below(k->op, visit, &s);
  return s.found;
}

/* Of all operands. */
static MlirValue stored_values(const lowering *k) {
  MlirValue sum = constant_index(k->b, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(k->op); i++) {
    storage *s = lowering_storage(k, mlirBlockGetArgument(op_block(k->op, 0), i));
    if (s)
      sum = add(k->b, sum, storage_value_count(s));
  }
  return sum;
}

MlirValue result_is_worthwhile(lowering *k, MlirValue result, MlirValue begun) {
  return is_full(k, result)
             ? storage_is_worthwhile_full(lowering_storage(k, result), stored_values(k))
             : begun;
}
