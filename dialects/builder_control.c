/* builder_control.c - variables, and the structured control that carries them.
 *
 * A region is filled before its operation is made.  Its block has an argument for every variable
 * alive; at its end those that the region left alone are dropped again, and only then the operation
 * stands there, with exactly what it needs:
 *
 *     begin   ^body(%i, %x, %y)                      every variable gets an argument
 *     end     yield %x1, %y                          y left alone: its argument becomes its init
 *             %x2 = scf.for ... iter_args(%x = %x0)
 */
#include "builder.h"

#include "builder_state.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

typedef enum frame_kind { FOR, WHILE, IF, PARALLEL, LAUNCH } frame_kind;

/* An open structured region.  Variables of slots [first, last) are carried: all alive at its begin,
 * but those made outside a parallel loop around it. */
typedef struct frame {
  struct frame *outer;
  frame_kind kind;
  place outside;
  int first, last;
  MlirValue *before;     /* the carried variables' values at the begin */
  MlirValue *yielded;    /* at the end of block 0 */
  MlirValue controls[3]; /* begin, end, step; or the condition */
  MlirBlock blocks[2];   /* the loop; condition and body; then and else */
  bool plain;            /* a `for` that LLVM leaves so */
  int64_t unroll;        /* iterations that LLVM makes into one; 0: as it sees fit */
} frame;

MlirBlock builder_attached_block(const builder *b) {
  MlirBlock block = b->at.block;
  for (frame *f = b->inner; f; f = f->outer)
    block = f->outside.block;
  return block;
}

/* ---- Variables ---------------------------------------------------------------------------- */

static void double_variables(builder *b) {
  int capacity = b->variable_capacity ? 2 * b->variable_capacity : 32;
  MlirValue *current = ARENA_ARRAY(b->memory, MlirValue, capacity);
  if (b->variable_count)
    memcpy(current, b->current, sizeof *current * (size_t)b->variable_count);
  b->current = current;
  b->variable_capacity = capacity;
}

variable var_make(builder *b, MlirValue init) {
  if (b->variable_count == b->variable_capacity)
    double_variables(b);
  b->current[b->variable_count] = init;
  return (variable){b->variable_count++};
}

MlirValue var_get(const builder *b, variable v) {
  return b->current[v.slot];
}

bool var_can_set(const builder *b, variable v) {
  return !b->inner || v.slot >= b->inner->first;
}

void var_set(builder *b, variable v, MlirValue value) {
  if (!var_can_set(b, v))
    builder_error(b, "expected a variable of the parallel loop's body, found one made outside it "
                     "being set");
  else
    b->current[v.slot] = value;
}

int var_mark(const builder *b) {
  return b->variable_count;
}

void var_release(builder *b, int mark) {
  int alive = b->inner ? b->inner->last : 0;
  b->variable_count = mark > alive ? mark : alive;
}

/* ---- Frames ------------------------------------------------------------------------------- */

static int carried(const frame *f) {
  return f->last - f->first;
}

static MlirValue *copy_variables(builder *b, int first, int count) {
  MlirValue *copy = ARENA_ARRAY(b->memory, MlirValue, count);
  if (count)
    memcpy(copy, b->current + first, sizeof *copy * (size_t)count);
  return copy;
}

static frame *open_frame(builder *b, frame_kind kind) {
  frame *f = arena_alloc(b->memory, sizeof *f);
  f->outer = b->inner;
  f->kind = kind;
  f->outside = b->at;
  f->last = b->variable_count;
  f->first = kind == PARALLEL || kind == LAUNCH ? f->last : b->inner ? b->inner->first : 0;
  f->before = copy_variables(b, f->first, carried(f));
  b->inner = f;
  return f;
}

static frame *close_frame(builder *b) {
  frame *f = b->inner;
  b->inner = f->outer;
  b->at = f->outside;
  b->variable_count = f->last;
  return f;
}

static void enter_block(builder *b, frame *f, int i) {
  f->blocks[i] = mlirBlockCreate(0, NULL, NULL);
  b->at = (place){.block = f->blocks[i]};
}

static void set_carried(builder *b, const frame *f, const MlirValue *values) {
  if (carried(f))
    memcpy(b->current + f->first, values, sizeof *values * (size_t)carried(f));
}

/* Gives every carried variable an argument of the block being filled. */
static void carry_by_arguments(builder *b, const frame *f) {
  for (int slot = f->first; slot < f->last; slot++)
    b->current[slot] =
        mlirBlockAddArgument(b->at.block, mlirValueGetType(b->current[slot]), b->location);
}

static MlirValue argument(MlirBlock block, intptr_t i) {
  return mlirBlockGetArgument(block, i);
}

/* The elements of `values` whose flag is set; their number in `*count`. */
static MlirValue *pick(builder *b, const frame *f, const bool *kept, const MlirValue *values,
                       intptr_t *count) {
  MlirValue *picked = ARENA_ARRAY(b->memory, MlirValue, carried(f));
  *count = 0;
  for (int i = 0; i < carried(f); i++)
    if (kept[i])
      picked[(*count)++] = values[i];
  return picked;
}

/* Replaces the arguments of variables not kept by the variables' values before; `leading` arguments
 * come first. */
static void drop_arguments(const frame *f, MlirBlock block, int leading, const bool *kept) {
  for (int i = carried(f) - 1; i >= 0; i--) {
    if (kept[i])
      continue;
    mlirValueReplaceAllUsesOfWith(argument(block, leading + i), f->before[i]);
    mlirBlockEraseArgument(block, (unsigned)(leading + i));
  }
}

static MlirRegion region_of(MlirBlock block) {
  MlirRegion region = mlirRegionCreate();
  if (!mlirBlockIsNull(block))
    mlirRegionAppendOwnedBlock(region, block);
  return region;
}

static MlirType *types_of(builder *b, intptr_t count, const MlirValue *values) {
  MlirType *types = ARENA_ARRAY(b->memory, MlirType, count);
  for (intptr_t i = 0; i < count; i++)
    types[i] = mlirValueGetType(values[i]);
  return types;
}

/* After the operation: kept variables are its results, the others what they were. */
static void take_results(builder *b, const frame *f, const bool *kept, MlirOperation op) {
  intptr_t next = 0;
  for (int i = 0; i < carried(f); i++)
    b->current[f->first + i] = kept[i] ? op_result(op, next++) : f->before[i];
}

/* The operation of a loop, its operands the leading ones and then the kept variables' values before
 * it. */
static MlirOperation make_loop(builder *b, const frame *f, const char *name, intptr_t leading,
                               const bool *kept, int region_count) {
  intptr_t count;
  MlirValue *inits = pick(b, f, kept, f->before, &count);
  MlirValue *operands = ARENA_ARRAY(b->memory, MlirValue, leading + count);
  memcpy(operands, f->controls, sizeof *operands * (size_t)leading);
  if (count)
    memcpy(operands + leading, inits, sizeof *inits * (size_t)count);
  MlirRegion regions[2];
  for (int i = 0; i < region_count; i++)
    regions[i] = region_of(f->blocks[i]);
  MlirOperation op = make_region_op(b, name, leading + count, operands, count,
                                    types_of(b, count, inits), 0, NULL, region_count, regions);
  take_results(b, f, kept, op);
  return op;
}

/* ---- for ---------------------------------------------------------------------------------- */

MlirValue for_begin(builder *b, MlirValue begin, MlirValue end, MlirValue step) {
  frame *f = open_frame(b, FOR);
  f->controls[0] = begin;
  f->controls[1] = end;
  f->controls[2] = step;
  enter_block(b, f, 0);
  MlirValue i = mlirBlockAddArgument(f->blocks[0], mlirValueGetType(begin), b->location);
  carry_by_arguments(b, f);
  return i;
}

MlirValue for_begin_plain(builder *b, MlirValue begin, MlirValue end, MlirValue step) {
  MlirValue i = for_begin(b, begin, end, step);
  b->inner->plain = true;
  return i;
}

void loop_unroll(builder *b, int64_t factor) {
  b->inner->unroll = factor;
}

/* What LLVM is told of the loop, if anything. */
static void annotate(builder *b, const frame *f, MlirOperation loop) {
  const char *told = "disableNonforced = true";
  if (f->unroll == 1)
    told = "unroll = <disable = true>";
  else if (f->unroll)
    told = arena_format(b->memory, "unroll = <count = %" PRId64 " : i32>", f->unroll);
  else if (!f->plain)
    return;
  MlirAttribute annotation = mlirAttributeParseGet(
      mlirOperationGetContext(loop),
      mlirStringRefCreateFromCString(arena_format(b->memory, "#llvm.loop_annotation<%s>", told)));
  mlirOperationSetDiscardableAttributeByName(
      loop, mlirStringRefCreateFromCString("loop_annotation"), annotation);
}

void for_end(builder *b) {
  frame *f = close_frame(b);
  const MlirValue *after = b->current + f->first;
  bool *kept = ARENA_ARRAY(b->memory, bool, carried(f));
  for (int i = 0; i < carried(f); i++)
    kept[i] = !mlirValueEqual(after[i], argument(f->blocks[0], 1 + i)) &&
              !mlirValueEqual(after[i], f->before[i]);
  intptr_t count;
  MlirValue *yielded = pick(b, f, kept, after, &count);
  make_op_at_end(b, f->blocks[0], "scf.yield", count, yielded);
  drop_arguments(f, f->blocks[0], 1, kept);
  annotate(b, f, make_loop(b, f, "scf.for", 3, kept, 1));
}

/* ---- while -------------------------------------------------------------------------------- */

void while_begin(builder *b) {
  frame *f = open_frame(b, WHILE);
  enter_block(b, f, 0);
  carry_by_arguments(b, f);
}

void while_do(builder *b, MlirValue condition) {
  frame *f = b->inner;
  b->variable_count = f->last;
  f->controls[0] = condition;
  f->yielded = copy_variables(b, f->first, carried(f));
  enter_block(b, f, 1);
  carry_by_arguments(b, f);
}

/* The terminator of the condition's block: the condition, then what goes on. */
static void make_condition(builder *b, const frame *f, const bool *kept) {
  intptr_t count;
  MlirValue *forwarded = pick(b, f, kept, f->yielded, &count);
  MlirValue *operands = ARENA_ARRAY(b->memory, MlirValue, 1 + count);
  operands[0] = f->controls[0];
  if (count)
    memcpy(operands + 1, forwarded, sizeof *operands * (size_t)count);
  make_op_at_end(b, f->blocks[0], "scf.condition", 1 + count, operands);
}

void while_end(builder *b) {
  frame *f = close_frame(b);
  const MlirValue *after = b->current + f->first;
  bool *kept = ARENA_ARRAY(b->memory, bool, carried(f));
  for (int i = 0; i < carried(f); i++)
    kept[i] = !mlirValueEqual(f->yielded[i], argument(f->blocks[0], i)) ||
              !mlirValueEqual(after[i], argument(f->blocks[1], i));
  intptr_t count;
  MlirValue *yielded = pick(b, f, kept, after, &count);
  make_op_at_end(b, f->blocks[1], "scf.yield", count, yielded);
  make_condition(b, f, kept);
  drop_arguments(f, f->blocks[0], 0, kept);
  drop_arguments(f, f->blocks[1], 0, kept);
  annotate(b, f, make_loop(b, f, "scf.while", 0, kept, 2));
}

/* ---- if ----------------------------------------------------------------------------------- */

void if_begin(builder *b, MlirValue condition) {
  frame *f = open_frame(b, IF);
  f->controls[0] = condition;
  enter_block(b, f, 0);
}

void if_else(builder *b) {
  frame *f = b->inner;
  b->variable_count = f->last;
  f->yielded = copy_variables(b, f->first, carried(f));
  set_carried(b, f, f->before);
  enter_block(b, f, 1);
}

/* Variables that both branches leave with one value need no result. */
static void take_agreed(builder *b, const frame *f, const MlirValue *otherwise, const bool *kept) {
  for (int i = 0; i < carried(f); i++)
    if (!kept[i])
      b->current[f->first + i] = otherwise[i];
}

void if_end(builder *b) {
  frame *f = b->inner;
  bool has_else = !mlirBlockIsNull(f->blocks[1]);
  if (!has_else)
    if_else(b);
  close_frame(b);
  MlirValue *otherwise = copy_variables(b, f->first, carried(f));
  bool *kept = ARENA_ARRAY(b->memory, bool, carried(f));
  for (int i = 0; i < carried(f); i++)
    kept[i] = !mlirValueEqual(f->yielded[i], otherwise[i]);
  intptr_t count;
  MlirValue *yielded[] = {pick(b, f, kept, f->yielded, &count),
                          pick(b, f, kept, otherwise, &count)};
  for (int i = 0; i < 2; i++)
    make_op_at_end(b, f->blocks[i], "scf.yield", count, yielded[i]);
  MlirBlock empty = {NULL};
  if (!has_else && !count) {
    mlirBlockDestroy(f->blocks[1]);
    f->blocks[1] = empty;
  }
  MlirRegion regions[] = {region_of(f->blocks[0]), region_of(f->blocks[1])};
  MlirOperation op = make_region_op(b, "scf.if", 1, f->controls, count,
                                    types_of(b, count, yielded[0]), 0, NULL, 2, regions);
  take_results(b, f, kept, op);
  take_agreed(b, f, otherwise, kept);
}

/* ---- parallel ----------------------------------------------------------------------------- */

MlirValue parallel_begin(builder *b, MlirValue begin, MlirValue end, MlirValue step) {
  frame *f = open_frame(b, PARALLEL);
  f->controls[0] = begin;
  f->controls[1] = end;
  f->controls[2] = step;
  enter_block(b, f, 0);
  return mlirBlockAddArgument(f->blocks[0], mlirValueGetType(begin), b->location);
}

MlirOperation parallel_end(builder *b) {
  frame *f = close_frame(b);
  make_op_at_end(b, f->blocks[0], "scf.reduce", 0, NULL);
  const int32_t segments[] = {1, 1, 1, 0};
  MlirNamedAttribute attributes[] = {
      named(b, "operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 4, segments))};
  MlirRegion regions[] = {region_of(f->blocks[0])};
  return make_region_op(b, "scf.parallel", 3, f->controls, 0, NULL, 1, attributes, 1, regions);
}

MlirValue parallel_threads(builder *b) {
  MlirType i32 = type_i(b, 32);
  int mark = var_mark(b);
  variable most = var_make(b, constant_integer(b, i32, 1));
  if_begin(b, call(b, "lac_kernel_several", type_i(b, 1), 0, NULL));
  var_set(b, most, call(b, "omp_get_max_threads", i32, 0, NULL));
  if_end(b);
  MlirValue told = var_get(b, most);
  var_release(b, mark);
  return told;
}

/* ---- launch ------------------------------------------------------------------------------- */

enum { DIMENSIONS = 3, LAUNCH_ARGUMENTS = 12 };

/* One number of a thread's place. Not the launch's own arguments: MLIR's range analysis takes their
 * bounds from the sizes before it knows those, and folds a block's number to 0. */
static MlirValue place_in_launch(builder *b, const char *name) {
  MlirType index = type_index(b);
  MlirAttribute x =
      mlirAttributeParseGet(b->context, mlirStringRefCreateFromCString("#gpu<dim x>"));
  MlirNamedAttribute dimension = named(b, "dimension", x);
  return mlirOperationGetResult(make_op(b, name, 0, NULL, 1, &index, 1, &dimension), 0);
}

launch launch_begin(builder *b, MlirValue blocks, MlirValue threads, MlirValue status) {
  frame *f = open_frame(b, LAUNCH);
  f->controls[0] = blocks;
  f->controls[1] = threads;
  enter_block(b, f, 0);
  for (int i = 0; i < LAUNCH_ARGUMENTS; i++)
    mlirBlockAddArgument(f->blocks[0], type_index(b), b->location);
  call(b, "lac_device_status", (MlirType){NULL}, 1, &status);
  return (launch){.block = place_in_launch(b, "gpu.block_id"),
                  .thread = place_in_launch(b, "gpu.thread_id"),
                  .blocks = blocks,
                  .threads = threads};
}

/* NULL where none is around. */
static frame *innermost_launch(const builder *b) {
  frame *f = b->inner;
  while (f && f->kind != LAUNCH)
    f = f->outer;
  return f;
}

bool launch_is_around(const builder *b) {
  return innermost_launch(b) != NULL;
}

static MlirAttribute memory_space(const builder *b, const char *text) {
  return mlirAttributeParseGet(b->context, mlirStringRefCreateFromCString(text));
}

static MlirAttribute shared_space(const builder *b) {
  return memory_space(b, "#gpu.address_space<workgroup>");
}

/* What is shared stands before what is private. */
static intptr_t count_shared(const builder *b, MlirBlock launched) {
  intptr_t last = LAUNCH_ARGUMENTS, all = mlirBlockGetNumArguments(launched);
  MlirAttribute shared = shared_space(b);
  while (last < all &&
         mlirAttributeEqual(
             mlirMemRefTypeGetMemorySpace(mlirValueGetType(argument(launched, (int)last))), shared))
    last++;
  return last - LAUNCH_ARGUMENTS;
}

MlirValue launch_shared(builder *b, MlirType element, int64_t count) {
  MlirBlock launched = innermost_launch(b)->blocks[0];
  MlirType type = mlirMemRefTypeContiguousGet(element, 1, &count, shared_space(b));
  return mlirBlockInsertArgument(launched, LAUNCH_ARGUMENTS + count_shared(b, launched), type,
                                 b->location);
}

MlirValue launch_private(builder *b, MlirType element, int64_t count) {
  MlirAttribute space = memory_space(b, "#gpu.address_space<private>");
  MlirType type = mlirMemRefTypeContiguousGet(element, 1, &count, space);
  return mlirBlockAddArgument(innermost_launch(b)->blocks[0], type, b->location);
}

void launch_end(builder *b) {
  frame *f = close_frame(b);
  make_op_at_end(b, f->blocks[0], "gpu.terminator", 0, NULL);
  const int32_t segments[] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  int64_t shared = count_shared(b, f->blocks[0]);
  MlirNamedAttribute attributes[] = {
      named(b, "operandSegmentSizes",
            mlirDenseI32ArrayGet(b->context, sizeof segments / sizeof *segments, segments)),
      named(b, "workgroup_attributions", mlirIntegerAttrGet(type_i(b, 64), shared))};
  MlirValue one = constant_index(b, 1);
  MlirValue sizes[] = {f->controls[0], one, one, f->controls[1], one, one};
  MlirRegion regions[] = {region_of(f->blocks[0])};
  make_region_op(b, "gpu.launch", 2 * DIMENSIONS, sizes, 0, NULL, 2, attributes, 1, regions);
}

void launch_each(builder *b, MlirValue count, MlirValue status, launched_code *code, void *data) {
  enum { THREADS = 128, BLOCKS_MOST = 1 << 16 };
  MlirValue threads = constant_index(b, THREADS);
  MlirValue blocks = min_i(b, ceil_div(b, count, threads), constant_index(b, BLOCKS_MOST));
  launch in = launch_begin(b, blocks, threads, status);
  int mark = var_mark(b);
  MlirValue first = add(b, mul(b, in.block, in.threads), in.thread);
  MlirValue number = for_begin(b, first, count, mul(b, in.blocks, in.threads));
  code(data, number);
  for_end(b);
  var_release(b, mark);
  launch_end(b);
}
