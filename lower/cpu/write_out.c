/* write_out.c - loops over a few coordinates, written out, those inside of them too: what they
 * index in registers is then known, and nothing is left of them but straight-line code.
 *
 *     for i in 0..2                    t0 = t0 + a * B[j, 0]
 *       t[i] = t[i] + a * B[j, i]  --> t1 = t1 + a * B[j, 1]
 *                                      t2 = t2 + a * B[j, 2]
 *
 *     for i in n..n+1                  y[n] = y[n] + a
 *       y[i] = y[i] + a            --> y[n + 1] = y[n + 1] + a
 */
#include "coiterate.h"
#include "strategy.h"

#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinTypes.h>

enum { WRITTEN_OUT = 64, WRITTEN_OUT_ROUND_REGISTERS = 16 };

typedef struct weight {
  walked_kernel *k;
  int64_t copies; /* of what is innermost, the loops inside written out */
  bool in_registers;
} weight;

/* From `low` on so many, a constant. */
static bool is_constant_width(MlirValue low, MlirValue high, int64_t *width) {
  MlirOperation sum = high.ptr ? value_owner(high) : (MlirOperation){NULL};
  return sum.ptr && op_is(sum, "arith.addi") &&
         mlirValueEqual(mlirOperationGetOperand(sum, 0), low) &&
         value_is_constant_index(mlirOperationGetOperand(sum, 1), width);
}

/* How many coordinates a walk counts, where that is a constant; else -1. */
static int64_t constant_extent(MlirOperation coiterate) {
  MlirValue low = sit_coiterate_lower(coiterate);
  int64_t size;
  bool is_constant = low.ptr ? is_constant_width(low, sit_coiterate_upper(coiterate), &size)
                             : value_is_constant_index(sit_coiterate_extent(coiterate), &size);
  return !sit_coiterate_count(coiterate) && is_constant ? size : -1;
}

/* A dense workspace of constant sizes, which is small. */
static bool is_in_registers(walked_kernel *k, MlirValue value) {
  if (!sit_is_workspace(value_owner(value)) ||
      !mlirShapedTypeHasStaticShape(mlirValueGetType(value)))
    return false;
  const tensor_format *format = walked_format_of(k, value);
  return format && format->level_count && tensor_format_is_dense(format);
}

static bool weigh(MlirOperation op, void *data) {
  weight *u = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    u->in_registers |= is_in_registers(u->k, mlirOperationGetOperand(op, i));
  if (!sit_is_coiterate(op))
    return true;
  int64_t extent = constant_extent(op);
  u->copies =
      extent < 0 || extent > WRITTEN_OUT ? WRITTEN_OUT + 1 : u->copies * (extent ? extent : 1);
  u->copies = u->copies > WRITTEN_OUT ? WRITTEN_OUT + 1 : u->copies;
  return true;
}

static bool choose(const walked *w, int64_t *number) {
  int64_t count = constant_extent(w->op);
  (void)number;
  if (w->case_count != 1 || w->parallel || w->on_lanes || count < 0 || count > WRITTEN_OUT ||
      sit_coiterate_is_unrolled(w->op) || strategy_is_taken(w->op, &jam_strategy))
    return false;
  weight u = {w->k, count ? count : 1, false};
  visit_below(w->op, weigh, &u);
  return u.copies <= WRITTEN_OUT || (u.in_registers && count <= WRITTEN_OUT_ROUND_REGISTERS);
}

/* Whether it begins where it is said to, and is not a range of that for a thread, nor what lanes go
 * through together. */
static bool is_all(const coiteration *c) {
  MlirValue low = sit_coiterate_lower(c->op);
  if (c->all_low.ptr)
    return false;
  return low.ptr ? mlirValueEqual(c->low, lowering_scalar(c->k, low)) : !c->low.ptr;
}

bool is_written_out(const coiteration *c, int64_t *count) {
  *count = constant_extent(c->op);
  return strategy_is_taken(c->op, &write_out_strategy) && !c->parallel && !c->on_lanes &&
         *count >= 0 && *count <= WRITTEN_OUT && is_all(c);
}

const strategy write_out_strategy = {
    .name = "write_out",
    .words = "has its few steps written out one by one",
    .choose = choose,
};
