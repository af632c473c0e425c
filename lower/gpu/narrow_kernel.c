/* narrow_kernel.c - see narrow_kernel.h.
 *
 *     scf.for %p = %begin to %end step %c32        scf.for %p = %begin' to %end' step %c32 : i32
 *       %q = arith.muli %p, %n : index               %q = arith.muli %p, %n' : i32
 *       %r = arith.addi %q, %k : index      -->      %r = arith.addi %q, %k' : i32
 *       memref.load %B[%r]                           memref.load %B[zero-extended %r]
 *
 * Places: an array has fewer than 2^30 elements, so the low 32 bits of a place say all of it; and
 * low bits of sums and products are made of low bits, whatever else there was.
 *
 * Loops: what is counted is below 2^30 where the end is, or where each round accesses an array at
 * what it counts.  A loop of no rounds has any begin and end, and keeps none: its end is its begin.
 *
 * All else, as coordinates that are compared, stays as it is.
 */
#include "narrow_kernel.h"

#include "ir.h"
#include "op_list.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

enum { WORD = 32 };

/* Operands of scf.for. */
enum { LOOP_BEGIN, LOOP_END, LOOP_STEP };

/* ---- What is accessed ----------------------------------------------------------------------- */

static const struct {
  const char *name;
  int array; /* which operand; where in it is the next */
} accesses[] = {{"memref.load", 0},
                {"memref.store", 1},
                {"memref.atomic_rmw", 1},
                {"memref.generic_atomic_rmw", 0}};

/* Which operand is the place in an array of the launch, or of constant length; 0 for none. */
static int place_operand(MlirOperation op) {
  for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
    if (op_is(op, accesses[i].name)) {
      MlirValue array = mlirOperationGetOperand(op, accesses[i].array);
      bool known =
          mlirValueIsABlockArgument(array) || mlirShapedTypeHasStaticShape(mlirValueGetType(array));
      return known ? accesses[i].array + 1 : 0;
    }
  return 0;
}

/* ---- What is known -------------------------------------------------------------------------- */

static bool is_loop(MlirOperation op) {
  return op_is(op, "scf.for");
}

static MlirValue operand(MlirOperation op, intptr_t i) {
  return mlirOperationGetOperand(op, i);
}

static bool is_passed(MlirValue v) {
  return mlirValueIsABlockArgument(v) &&
         op_is(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v)), "gpu.func");
}

/* Below the limit, or negative. */
static bool is_small(MlirValue v) {
  MlirOperation made = value_owner(v);
  int64_t x;
  if (value_is_constant_index(v, &x))
    return x < NARROW_LIMIT;
  if (mlirOperationIsNull(made))
    return is_passed(v);
  return op_is(made, "arith.minsi") && (is_small(operand(made, 0)) || is_small(operand(made, 1)));
}

static bool is_positive(MlirValue v);

/* What loops count from a positive number. */
static bool argument_is_positive(MlirValue v) {
  MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v));
  return is_passed(v) || (is_loop(around) && mlirBlockArgumentGetArgNumber(v) == 0 &&
                          is_positive(operand(around, LOOP_BEGIN)));
}

/* Numbers of threads are, and so is what is made of positive numbers. */
static bool is_positive(MlirValue v) {
  static const char *const kept[] = {"arith.addi",  "arith.muli",  "arith.divsi", "arith.remsi",
                                     "arith.shrsi", "arith.minsi", "arith.andi"};
  MlirOperation made = value_owner(v);
  int64_t x;
  if (value_is_constant_index(v, &x))
    return x >= 0;
  if (mlirOperationIsNull(made))
    return argument_is_positive(v);
  if (op_is(made, "arith.index_castui") || op_name_begins(made, "gpu."))
    return true;
  if (op_is(made, "arith.maxsi"))
    return is_positive(operand(made, 0)) || is_positive(operand(made, 1));
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (op_is(made, kept[i]))
      return is_positive(operand(made, 0)) && is_positive(operand(made, 1));
  return false;
}

static bool accesses_what_it_counts(MlirOperation loop) {
  MlirValue counted = mlirBlockGetArgument(op_block(loop, 0), 0);
  for (OPERATIONS(op, op_block(loop, 0))) {
    int place = place_operand(op);
    if (place && mlirValueEqual(operand(op, place), counted))
      return true;
  }
  return false;
}

static bool counts_little(MlirOperation loop) {
  int64_t step;
  if (!value_is_constant_index(operand(loop, LOOP_STEP), &step) || step > NARROW_STEP)
    return false;
  return accesses_what_it_counts(loop) ||
         (is_small(operand(loop, LOOP_END)) && is_positive(operand(loop, LOOP_BEGIN)));
}

/* ---- Low bits ------------------------------------------------------------------------------- */

/* Before what comes behind a value's definition. */
static void stand_behind(builder *b, MlirValue v) {
  MlirOperation made = value_owner(v);
  builder_before(b, mlirOperationIsNull(made)
                        ? mlirBlockGetFirstOperation(mlirBlockArgumentGetOwner(v))
                        : mlirOperationGetNextInBlock(made));
}

/* The low bits of any number. */
static MlirValue cut(builder *b, MlirValue v) {
  return convert_value(b, "arith.index_castui", v, type_i(b, WORD));
}

/* Of casts that ask for the low bits of a place: others store an index as it is. */
static const char place_mark[] = "place";

/* The cast that asks for them; null for none. */
static MlirOperation find_low(MlirValue place) {
  for (MlirOpOperand use = mlirValueGetFirstUse(place); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (op_has(mlirOpOperandGetOwner(use), place_mark))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

/* What an index is made of that has so few bits; null where it is not. */
static MlirValue word_of(builder *b, MlirValue v) {
  MlirOperation made = value_owner(v);
  bool is_wider = op_is(made, "arith.index_castui") &&
                  mlirTypeEqual(mlirValueGetType(operand(made, 0)), type_i(b, WORD));
  return is_wider ? operand(made, 0) : (MlirValue){NULL};
}

/* The low bits of a place, or of what is added up to one: asked for by a cast, which make_low
 * replaces when it comes to what makes the number.  They are made whether or not the place is
 * accessed, and say nothing where it is not. */
static MlirValue low(builder *b, MlirValue v) {
  MlirType word = type_i(b, WORD);
  MlirOperation cast = find_low(v);
  MlirValue whole = word_of(b, v);
  int64_t x;
  if (value_is_constant_index(v, &x))
    return constant_integer(b, word, x);
  if (!mlirValueIsNull(whole))
    return whole;
  if (!mlirOperationIsNull(cast))
    return mlirOperationGetResult(cast, 0);
  stand_behind(b, v);
  MlirValue asked = index_cast(b, v, word);
  op_set(value_owner(asked), place_mark, mlirUnitAttrGet(builder_context(b)));
  return asked;
}

static MlirValue of_words(builder *b, const char *name, MlirValue x, MlirValue y) {
  MlirType word = type_i(b, WORD);
  MlirValue parts[] = {x, y};
  MlirAttribute flags = mlirAttributeParseGet(
      builder_context(b), mlirStringRefCreateFromCString("#arith.overflow<nsw, nuw>"));
  MlirNamedAttribute attribute = named(b, "overflowFlags", flags);
  return op_result(make_op(b, name, 2, parts, 1, &word, 1, &attribute), 0);
}

/* Terms of a place are below the limit as it is. */
static MlirValue low_of_sum(builder *b, MlirOperation op) {
  builder_before(b, op);
  MlirValue x = low(b, operand(op, 0));
  builder_before(b, op);
  MlirValue y = low(b, operand(op, 1));
  builder_before(b, op);
  return of_words(b, "arith.addi", x, y);
}

/* A factor may be anything where the other one is 0. */
static MlirValue low_of_factor(builder *b, MlirValue v) {
  MlirValue whole = word_of(b, v);
  return mlirValueIsNull(whole) ? cut(b, v) : whole;
}

static MlirValue low_of_product(builder *b, MlirOperation op) {
  builder_before(b, op);
  MlirValue x = low_of_factor(b, operand(op, 0)), y = low_of_factor(b, operand(op, 1));
  return of_words(b, "arith.muli", x, y);
}

/* Makes the low bits of the operation's result of those of its operands, where they are asked for;
 * the rest of it goes if nothing else does. */
static void make_low(builder *b, MlirOperation op) {
  bool is_sum = op_is(op, "arith.addi");
  if ((!is_sum && !op_is(op, "arith.muli")) || !is_positive(operand(op, 0)) ||
      !is_positive(operand(op, 1)))
    return;
  MlirValue whole = mlirOperationGetResult(op, 0);
  MlirOperation cast = find_low(whole);
  if (mlirOperationIsNull(cast))
    return;
  replace_operation(cast, is_sum ? low_of_sum(b, op) : low_of_product(b, op));
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(whole)))
    mlirOperationDestroy(op);
}

/* ---- Kernels -------------------------------------------------------------------------------- */

static void narrow_place(builder *b, MlirOperation op, int place) {
  int64_t x;
  if (value_is_constant_index(operand(op, place), &x))
    return;
  MlirValue bits = low(b, operand(op, place));
  builder_before(b, op);
  mlirOperationSetOperand(op, place, index_cast(b, bits, type_index(b)));
}

/* Of a number that is positive as a word, all bits are known when the low ones are: for all uses
 * but the one that asks for these. */
static void widen_uses(builder *b, MlirValue word, MlirValue replaced, MlirOperation cast) {
  MlirValue whole = index_cast(b, word, type_index(b));
  MlirOperation kept[] = {value_owner(whole), cast};
  mlirValueReplaceAllUsesExcept(replaced, whole, mlirOperationIsNull(cast) ? 1 : 2, kept);
}

static void narrow_loop(builder *b, MlirOperation loop) {
  MlirType word = type_i(b, WORD);
  MlirValue begin = operand(loop, LOOP_BEGIN), end = operand(loop, LOOP_END);
  MlirValue counted = mlirBlockGetArgument(op_block(loop, 0), 0);
  int64_t step;
  value_is_constant_index(operand(loop, LOOP_STEP), &step);
  builder_before(b, loop);
  MlirValue bounds[] = {cut(b, begin), cut(b, max_i(b, begin, end)),
                        constant_integer(b, word, step)};
  for (int i = LOOP_BEGIN; i <= LOOP_STEP; i++)
    mlirOperationSetOperand(loop, i, bounds[i]);
  MlirOperation cast = find_low(counted);
  mlirBlockArgumentSetType(counted, word);
  builder_before(b, mlirBlockGetFirstOperation(op_block(loop, 0)));
  widen_uses(b, counted, counted, cast);
  if (!mlirOperationIsNull(cast))
    replace_operation(cast, counted);
}

/* LLVM is told that what is passed is below the limit. */
static void narrow_passed(builder *b, MlirBlock entry) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); i++) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (!mlirTypeIsAIndex(mlirValueGetType(argument)))
      continue;
    builder_before(b, mlirBlockGetFirstOperation(entry));
    MlirValue bits = cut(b, argument);
    widen_uses(b, bits, argument, value_owner(bits));
  }
}

static bool is_any(MlirOperation op) {
  return !mlirOperationIsNull(op);
}

/* From the last operation to the first, so that an index is reached after all who ask for its low
 * bits. */
void narrow_kernel(builder *b, MlirOperation kernel) {
  arena *memory = arena_create();
  op_list all = ops_below(memory, kernel, is_any);
  bool *little = ARENA_ARRAY(memory, bool, all.count + 1);
  for (int i = 0; i < all.count; i++)
    little[i] = is_loop(all.ops[i]) && counts_little(all.ops[i]);
  narrow_passed(b, op_block(kernel, 0));
  for (int i = all.count - 1; i >= 0; i--) {
    int place = place_operand(all.ops[i]);
    builder_set_location(b, mlirOperationGetLocation(all.ops[i]));
    if (place)
      narrow_place(b, all.ops[i], place);
    else if (little[i])
      narrow_loop(b, all.ops[i]);
    else
      make_low(b, all.ops[i]);
  }
  arena_free(memory);
}
