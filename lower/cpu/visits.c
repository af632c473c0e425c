/* visits.c - how much a parallel loop has to do, so that little of it stays on one thread.
 *
 *     sit.coiterate over %m on cpu_thread        m
 *       sit.coiterate %A level 1 under %p        m * (values of A / rows of A)
 *         sit.coiterate over %n                  m * (values of A / rows of A) * n
 *
 * That many times, about, the innermost body runs: a loop over all coordinates multiplies by their
 * number, and one over what is stored by the average of its siblings; where that is not known,
 * below levels that are not full, all that is stored is visited once.  A loop on lanes runs eight
 * at once.  A loop over a part of some coordinates multiplies by the size of the part; one whose
 * bounds follow from others is taken to go through all that an operand stores.
 *
 * Each counts as what it takes, one being an entry of one level that is walked:
 *
 *     all coordinates, one by one          a half: whatever is read is read in a line
 *     all coordinates, each written to     an eighth: that is done on lanes, and waits for memory
 *     all coordinates, on lanes            one for those that run at once
 *     into pieces of a result              a half: they have memory of their own, and are copied
 */
#include "visits.h"
#include "cin.h"
#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

/* More than that is enough anyway, and the square of it is an index; iterations that lanes run at
 * once, about. */
enum { MANY = 1 << 30, TOGETHER = 8, READ_IN_LINE = 2, WRITTEN_IN_LINE = 8 };

typedef struct counting {
  const lowering *k;
  MlirOperation loop;
  MlirValue visits; /* the most of all bodies so far */
} counting;

static void count_block(counting *c, MlirBlock block, MlirValue around, MlirValue taken);

static MlirValue at_most_many(builder *b, MlirValue x) {
  return min_i(b, x, constant_index(b, MANY));
}

/* What a value of sit is before the loop; null where that is not known.  In code that is lowered
 * several times, what is made in the loop has been bound before. */
static MlirValue known_before(const counting *c, MlirValue value) {
  MlirOperation made = value_owner(value);
  if (!mlirOperationIsNull(made) && op_is(made, "arith.constant"))
    return constant_index(c->k->b, mlirIntegerAttrGetValueInt(op_attribute(made, "value")));
  const lowered *found = value_is_made_in(c->loop, value) ? NULL : lowering_find(c->k, value);
  return found ? found->value : (MlirValue){NULL};
}

/* c of a loop from `lower` to min(lower + c, ...), a part of what is split; null of others. */
static MlirValue places_of_part(const counting *c, MlirOperation op) {
  if (!sit_coiterate_upper(op).ptr)
    return (MlirValue){NULL};
  MlirOperation limited = value_owner(sit_coiterate_upper(op)), none = {NULL};
  bool has_limit = !mlirOperationIsNull(limited) && op_is(limited, "arith.minsi");
  MlirOperation sum = has_limit ? value_owner(mlirOperationGetOperand(limited, 0)) : none;
  bool is_part = !mlirOperationIsNull(sum) && op_is(sum, "arith.addi") &&
                 mlirValueEqual(mlirOperationGetOperand(sum, 0), sit_coiterate_lower(op));
  return is_part ? known_before(c, mlirOperationGetOperand(sum, 1)) : (MlirValue){NULL};
}

/* How many coordinates a loop over all goes through; null where that is not known before. */
static MlirValue places_of(const counting *c, MlirOperation op) {
  if (sit_coiterate_lower(op).ptr)
    return places_of_part(c, op);
  MlirValue extent = sit_coiterate_extent(op);
  return extent.ptr ? known_before(c, extent) : (MlirValue){NULL};
}

/* As many as the operand has that has most: a loop whose bounds follow from others, as along a
 * diagonal, goes through these in all. */
static MlirValue values_of_operands(const counting *c) {
  MlirValue most = constant_index(c->k->b, 0);
  MlirBlock block = op_block(c->k->op, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirValue tensor = mlirBlockGetArgument(block, i);
    if (!lowering_is_operand(c->k, tensor))
      continue;
    MlirValue values = storage_value_count(lowering_storage(c->k, tensor));
    most = max_i(c->k->b, most, at_most_many(c->k->b, values));
  }
  return most;
}

static MlirValue visits_of_all(const counting *c, MlirOperation op, MlirValue around) {
  builder *b = c->k->b;
  if (sit_coiterate_lower(op).ptr && !sit_coiterate_upper(op).ptr)
    return around;
  MlirValue places = places_of(c, op);
  return places.ptr ? at_most_many(b, mul(b, around, at_most_many(b, places)))
                    : max_i(b, around, values_of_operands(c));
}

/* The positions above a level whose levels are all full; null where others are among them. */
static MlirValue positions_above(builder *b, storage *s, int64_t level) {
  MlirValue positions = constant_index(b, 1);
  for (int l = 0; l < level; l++) {
    if (!(storage_format(s)->levels[l].properties & LEVEL_FULL))
      return (MlirValue){NULL};
    positions = at_most_many(b, mul(b, positions, at_most_many(b, storage_level_size(s, l))));
  }
  return max_i(b, positions, constant_index(b, 1));
}

/* Whether there are as many positions below each above as the level has coordinates. */
static bool has_all_places(const format_level *level) {
  return (level->properties & (LEVEL_FULL | LEVEL_BRANCHLESS)) == LEVEL_FULL;
}

/* The entries of a level: of its values those below full levels, as the places in a block, are of
 * one. */
static MlirValue entries_of_level(builder *b, storage *s, int64_t level) {
  MlirValue below = constant_index(b, 1);
  for (int l = (int)level + 1; l < storage_format(s)->level_count; l++)
    if (has_all_places(&storage_format(s)->levels[l]))
      below = at_most_many(b, mul(b, below, at_most_many(b, storage_level_size(s, l))));
  MlirValue values = at_most_many(b, storage_value_count(s));
  return floor_div(b, values, max_i(b, below, constant_index(b, 1)));
}

static MlirValue visits_of_level(builder *b, storage *s, int64_t level, MlirValue around) {
  MlirValue entries = entries_of_level(b, s, level);
  MlirValue above = positions_above(b, s, level);
  return above.ptr ? at_most_many(b, floor_div(b, mul(b, around, entries), above))
                   : max_i(b, around, entries);
}

static MlirValue visits_of_walk(const counting *c, MlirValue tensor, int64_t level,
                                MlirValue around) {
  const lowered *found = lowering_find(c->k, tensor);
  if (lowering_is_operand(c->k, tensor))
    return visits_of_level(c->k->b, found->tensor, level, around);
  if (!found || !storage_is_gathered_by_threads(found->tensor))
    return around;
  return max_i(c->k->b, around, at_most_many(c->k->b, storage_gathered_count(found->tensor)));
}

/* As many as of the level that has most. */
static MlirValue visits_of_stored(const counting *c, MlirOperation op, MlirValue around) {
  MlirValue most = constant_index(c->k->b, 0);
  for (intptr_t i = 0; i < sit_coiterate_count(op); i++) {
    MlirValue visits =
        visits_of_walk(c, sit_coiterate_tensor(op, i), sit_coiterate_level(op, i), around);
    most = max_i(c->k->b, most, visits);
  }
  return most;
}

/* Those that run together, on lanes, are one. */
static MlirValue visits_together(const counting *c, MlirOperation op, MlirValue visits) {
  return cin_op_unit(op) == CIN_CPU_VECTOR
             ? ceil_div(c->k->b, visits, constant_index(c->k->b, TOGETHER))
             : visits;
}

static bool writes(MlirBlock body) {
  for (OPERATIONS(op, body))
    if (sit_is_store(op) || sit_is_accumulate(op))
      return true;
  return false;
}

static MlirValue taken_by(const counting *c, MlirOperation op, MlirBlock body, MlirValue visits) {
  builder *b = c->k->b;
  if (sit_coiterate_count(op) || cin_op_unit(op) == CIN_CPU_VECTOR)
    return visits;
  return ceil_div(b, visits, constant_index(b, writes(body) ? WRITTEN_IN_LINE : READ_IN_LINE));
}

/* A case without members runs wherever nothing is stored. */
static void count_coiteration(counting *c, MlirOperation op, MlirValue around) {
  MlirValue stored = visits_of_stored(c, op, around);
  for (intptr_t i = 0; i < sit_coiterate_case_count(op); i++) {
    bool all = !sit_coiterate_case_size(op, i) && !sit_coiterate_takes_any(op);
    MlirValue visits = all ? visits_of_all(c, op, around) : stored;
    MlirValue together = visits_together(c, op, visits);
    MlirBlock body = sit_coiterate_case_body(op, i);
    count_block(c, body, together, taken_by(c, op, body, together));
  }
}

/* Branches are for parts of the same coordinates: the one that does most counts. */
static void count_block(counting *c, MlirBlock block, MlirValue around, MlirValue taken) {
  c->visits = max_i(c->k->b, c->visits, taken);
  for (OPERATIONS(op, block)) {
    if (sit_is_coiterate(op))
      count_coiteration(c, op, around);
    else
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
        for (MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
             !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
          count_block(c, inner, around, taken);
  }
}

static void expect(lowering *k, MlirOperation coiterate, int64_t share) {
  builder *b = k->b;
  counting c = {.k = k, .loop = coiterate, .visits = constant_index(b, 0)};
  count_coiteration(&c, coiterate, constant_index(b, 1));
  MlirValue taken = share > 1 ? ceil_div(b, c.visits, constant_index(b, share)) : c.visits;
  MlirValue visits = index_cast(b, taken, type_i(b, 64));
  call(b, "lac_kernel_visits", (MlirType){NULL}, 1, &visits);
}

void expect_visits(lowering *k, MlirOperation coiterate) {
  expect(k, coiterate, 1);
}

void expect_visits_in_pieces(lowering *k, MlirOperation coiterate) {
  expect(k, coiterate, 2);
}
