/* tin-lower-conversions.c - tin.convert becomes statements that copy, one if it can be and at most
 * three.
 *
 *     one copy     where one order of the loops agrees with both, or B is collected, or ordered
 *                  under each parent afterwards
 *     two copies   where a format between them is assembled so, and B is in its order: a tree of
 *                  blocks, or rows that A stores whole; else a coordinate list, which takes entries
 *                  in any order and is sorted then
 *     three        where A is walked in such a way that only a list in its own order takes its
 *                  entries as they come
 *
 * Duplicates meet in a list, or in the last copy, which is also the one that drops zeros.
 */
#include "bridge.h"
#include "diagnostic.h"
#include "format_order.h"
#include "ir.h"
#include "iteration_graph.h"
#include "statement_direct.h"
#include "statement_remap.h"
#include "tin.h"
#include "tin_ops.h"
#include "unordered_access.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct conversion {
  arena *memory;
  MlirOperation op; /* the tin.convert */
  builder *b;
  MlirValue source;
  MlirType target;
  const tensor_format *source_format, *target_format;
  bool drops; /* entries that equal the fill */
  bool adds;  /* each entry to what is at its coordinate */
} conversion;

static const char *dimension_name(arena *memory, int dimension) {
  return arena_format(memory, "d%d", dimension);
}

/* target(i, j) = source(i, j) */
static MlirValue make_copy(const conversion *c, MlirValue source, MlirType target) {
  MlirContext context = builder_context(c->b);
  int order = tensor_order(target);
  const char **variables = ARENA_ARRAY(c->memory, const char *, order + 1);
  for (int d = 0; d < order; d++)
    variables[d] = dimension_name(c->memory, d);
  MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(context, order);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirValue value = mlirBlockAddArgument(body, element_type(target), builder_location(c->b));
  builder_at_end(c->b, body);
  yield_make(c->b,
             c->adds ? reduce_make(c->b, TIN_ADD, value, 0, NULL, (MlirAttribute){0}) : value);
  builder_before(c->b, c->op);
  MlirAttribute fill =
      mlirOperationGetAttributeByName(c->op, mlirStringRefCreateFromCString("fill"));
  MlirAttribute named = op_attribute(c->op, "tensor_name");
  MlirStringRef text =
      mlirAttributeIsNull(named) ? (MlirStringRef){NULL, 0} : mlirStringAttrGetValue(named);
  const char *name = text.data ? arena_text(c->memory, text.data, text.length) : NULL;
  compute_parts parts = {.operand_count = 1,
                         .variable_count = order,
                         .operands = &source,
                         .maps = (MlirAffineMap[]){identity, identity},
                         .variables = variables,
                         .fills = mlirAttributeIsNull(fill) ? NULL : (MlirAttribute[]){fill, fill},
                         .names = name ? (const char *const[]){name, name} : NULL,
                         .conversion = true,
                         .result = target,
                         .body = body};
  return compute_make(c->b, &parts);
}

/* The same, without the entries that are to be dropped. */
static MlirValue make_last_copy(const conversion *c, MlirValue source, MlirType target) {
  MlirValue copy = make_copy(c, source, target);
  if (c->drops)
    op_set(mlirOpResultGetOwner(copy), "drop_zeros",
           mlirUnitAttrGet(mlirTypeGetContext(c->target)));
  return copy;
}

/* A copy where the loops have an order; else null, and nothing is made. */
static MlirValue copy_in_order(const conversion *c, MlirValue source, MlirType target) {
  MlirValue copy = make_last_copy(c, source, target);
  MlirOperation op = mlirOpResultGetOwner(copy);
  const statement *s = statement_create(c->memory, op);
  s = s ? statement_remapped(s) : NULL;
  if (s && statement_is_direct(s))
    return copy;
  mlirOperationDestroy(op);
  return (MlirValue){0};
}

static bool has_duplicates(const tensor_format *format) {
  return format->level_count &&
         (tensor_format_repeats_branches(format) ||
          !(format->levels[format->level_count - 1].properties & LEVEL_UNIQUE));
}

/* B(i,j) += A(i,j): where entries of one coordinate come apart, each is added as it comes, if the
 * target gives a coordinate its position before; else null. */
static MlirValue copy_adding(const conversion *c) {
  bool has_fill = op_has(c->op, "fill");
  if (!tensor_format_builds_by(c->target_format, CIN_COLLECT) ||
      !has_duplicates(c->source_format) || c->drops || has_fill)
    return (MlirValue){0};
  conversion adding = *c;
  adding.adds = true;
  return copy_in_order(&adding, c->source, c->target);
}

/* Whether the target has room for entries that repeat, until they are combined. */
static bool has_room_for_duplicates(const conversion *c) {
  return !has_duplicates(c->source_format) || c->target_format->position_width >= 32;
}

/* A copy whose entries come in any order, where the target can order them afterwards; else null. */
static MlirValue copy_in_any_order(const conversion *c) {
  if (!tensor_format_builds_by(c->target_format, CIN_RECORD) || !has_room_for_duplicates(c) ||
      (c->drops && has_duplicates(c->source_format)))
    return (MlirValue){0};
  MlirValue copy = make_last_copy(c, c->source, c->target);
  MlirOperation op = mlirOpResultGetOwner(copy);
  if (statement_reorders(c->memory, op))
    return copy;
  mlirOperationDestroy(op);
  return (MlirValue){0};
}

/* One copy alone, or null. */
static MlirValue copy_directly(const conversion *c) {
  MlirValue made = copy_in_order(c, c->source, c->target);
  if (mlirValueIsNull(made))
    made = copy_adding(c);
  return mlirValueIsNull(made) ? copy_in_any_order(c) : made;
}

/* Whether it has an array as long as a dimension, or a block of it, anyway. */
static bool stores_whole_dimensions(const tensor_format *format) {
  for (int l = 0; l < format->level_count; l++)
    if (format->levels[l].properties & LEVEL_FULL)
      return true;
  return false;
}

/* A copy into another type, which a second one brings into the target in order; else null. */
static MlirValue copy_through(const conversion *c, MlirType type) {
  conversion first = *c, last = *c;
  if (mlirTypeIsNull(type))
    return (MlirValue){0};
  last.drops = false;
  first.target = type;
  first.target_format = tensor_format_get(c->memory, type, mlirOperationGetLocation(c->op));
  MlirValue made = first.target_format ? copy_directly(&first) : (MlirValue){0};
  MlirValue copy = mlirValueIsNull(made) ? made : copy_in_order(&last, made, c->target);
  if (mlirValueIsNull(copy) && !mlirValueIsNull(made))
    mlirOperationDestroy(mlirOpResultGetOwner(made));
  return copy;
}

/* A coordinate list of blocks by way of a tree of them, which entries find their block in:
 *
 *     T(i,j) = A(i,j)    collected: (i floordiv 4 : compressed, j floordiv 4 : compressed, blocks)
 *     B(i,j) = T(i,j)    appended block by block
 *
 * To collect takes memory for each coordinate of a level: null where the source has none such. */
static MlirValue copy_through_tree(const conversion *c) {
  MlirType tree = block_tree_type(c->memory, c->target, c->target_format);
  return stores_whole_dimensions(c->source_format) ? copy_through(c, tree) : (MlirValue){0};
}

/* The dimensions in the order of the levels. */
static const int *dimensions_of(arena *memory, const tensor_format *format) {
  int *dimensions = ARENA_ARRAY(memory, int, format->level_count);
  for (int l = 0; l < format->level_count; l++)
    dimensions[l] = format->levels[l].dimension;
  return dimensions;
}

static int plain_dimension(MlirAffineExpr e) {
  return mlirAffineExprIsADim(e) ? (int)mlirAffineDimExprGetPosition(e) : -1;
}

/* Whether a level stores all coordinates of the dimension, or of its blocks; `alone`: below no
 * other levels than such. */
static bool stores_whole(const tensor_format *format, int dimension, bool alone) {
  remap r;
  for (int l = 0; l < format->level_count; l++) {
    const format_level *level = &format->levels[l];
    bool is_full = (level->properties & (LEVEL_FULL | LEVEL_BRANCHLESS)) == LEVEL_FULL;
    bool holds = level->dimension == dimension ||
                 (level->dimension < 0 && remap_of(level->expression, &r) &&
                  r.kind == REMAP_QUOTIENT && plain_dimension(r.of) == dimension);
    if (is_full && holds)
      return true;
    if (alone && !is_full)
      return false;
  }
  return false;
}

/* Entries that come in another order than the target's, where it is by rows that the source stores
 * whole too, so that they can be as many:
 *
 *     R(i,j) = A(i,j)    scattered: (i : dense, j : compressed), rows ordered if need be
 *     B(i,j) = R(i,j)    appended row by row
 */
static MlirValue copy_through_rows(const conversion *c) {
  int order = c->target_format->order;
  if (!tensor_format_is_plain(c->target_format) || order < 2)
    return (MlirValue){0};
  const int *dimensions = dimensions_of(c->memory, c->target_format);
  for (int l = 0; l < order - 1; l++)
    if (!stores_whole(c->source_format, dimensions[l], order > 2))
      return (MlirValue){0};
  return copy_through(c, rows_type(c->memory, c->target, dimensions));
}

/* What the target's levels hold, as a list, sorted; entries of it repeat where those of the source
 * may. */
static MlirType sorted_list(const conversion *c, bool repeats) {
  if (!tensor_format_is_plain(c->source_format) || !tensor_format_is_plain(c->target_format))
    return coordinate_list_like(c->memory, c->target, c->target_format, true, repeats);
  bool is_list = is_coordinate_list(c->source_format);
  return coordinate_list_type(c->memory, c->target, dimensions_of(c->memory, c->target_format),
                              is_list ? c->source_format : NULL, NULL, repeats);
}

/* A copy whose entries are recorded in any order; else null, and nothing is made. */
static MlirValue copy_recorded(const conversion *c, MlirValue source, MlirType target) {
  MlirValue copy = make_copy(c, source, target);
  if (statement_reorders(c->memory, mlirOpResultGetOwner(copy)))
    return copy;
  mlirOperationDestroy(mlirOpResultGetOwner(copy));
  return (MlirValue){0};
}

/* Entries in no order by way of a list, which they are recorded in and then sorted, straight away
 * or from one that they are appended to as they come:
 *
 *     L(i,j) = A(i,j)        U(i,j) = A(i,j)
 *     B(i,j) = L(i,j)        L(i,j) = U(i,j)
 *                            B(i,j) = L(i,j)
 */
static MlirValue copy_through_list(const conversion *c) {
  bool repeats = has_duplicates(c->source_format);
  MlirType list = sorted_list(c, repeats);
  MlirType unordered = coordinate_list_like(c->memory, c->target, c->target_format, false, repeats);
  if (mlirTypeIsNull(list) || mlirTypeIsNull(unordered))
    return (MlirValue){0};
  MlirValue made = copy_recorded(c, c->source, list);
  if (mlirValueIsNull(made))
    made = copy_recorded(c, make_copy(c, c->source, unordered), list);
  bool is_last =
      !c->drops && is_coordinate_list(c->target_format) && mlirTypeEqual(list, c->target);
  return is_last || mlirValueIsNull(made) ? made : make_last_copy(c, made, c->target);
}

static bool has_counter(const tensor_format *format) {
  for (int l = 0; l < format->level_count; l++)
    if (remap_counted(format->levels[l].expression) >= 0)
      return true;
  return false;
}

/* Whether each level holds a dimension, a quotient, a remainder, a linear form, a constant or a
 * counter. */
static bool levels_are_known(const tensor_format *format) {
  remap r;
  for (int l = 0; l < format->level_count; l++)
    if (format->levels[l].dimension < 0 && !remap_of(format->levels[l].expression, &r))
      return false;
  return true;
}

static bool is_lowered(const conversion *c) {
  if (has_counter(c->target_format) && !tensor_format_builds_by(c->target_format, CIN_COLLECT))
    return error_at(c->op,
                    "this conversion is not lowered yet: expected levels that take entries in any "
                    "order, as one holds a counter, found %s",
                    format_text(c->memory, c->target));
  if (levels_are_known(c->source_format) && levels_are_known(c->target_format))
    return true;
  return error_at(
      c->op,
      "this conversion is not lowered yet: expected levels that hold dimensions, linear "
      "forms, their quotients and remainders, or counters, found %s and %s",
      format_text(c->memory, mlirValueGetType(c->source)), format_text(c->memory, c->target));
}

static bool lower_between(const conversion *c) {
  builder_before(c->b, c->op);
  MlirValue made = copy_directly(c);
  if (mlirValueIsNull(made))
    made = copy_through_tree(c);
  if (mlirValueIsNull(made))
    made = copy_through_rows(c);
  if (mlirValueIsNull(made))
    made = copy_through_list(c);
  if (mlirValueIsNull(made))
    return error_at(c->op, "expected level formats for a coordinate list to be registered");
  replace_operation(c->op, made);
  return true;
}

static bool is_full(const tensor_format *format) {
  for (int l = 0; l < format->level_count; l++)
    if (!(format->levels[l].properties & LEVEL_FULL))
      return false;
  return true;
}

static bool lower(MlirOperation op, arena *memory) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirValue source = mlirOperationGetOperand(op, 0);
  conversion c = {.memory = memory,
                  .op = op,
                  .source = source,
                  .target = mlirValueGetType(mlirOperationGetResult(op, 0)),
                  .source_format = tensor_format_get(memory, mlirValueGetType(source), location)};
  c.target_format = tensor_format_get(memory, c.target, location);
  if (!c.source_format || !c.target_format || !is_lowered(&c))
    return false;
  c.drops = op_has(op, "drop_zeros") && !is_full(c.target_format);
  if (mlirTypeEqual(mlirValueGetType(source), c.target) && !c.drops) {
    replace_operation(op, source);
    return true;
  }
  c.b = builder_create(mlirOperationGetContext(op), location);
  bool lowered = lower_between(&c);
  builder_free(c.b);
  return lowered;
}

/*--- Reading ------------------------------------------------------------------------------------*/

/* The dimensions as they are. */
static const int *all_dimensions(arena *memory, const tensor_format *format) {
  int *dimensions = ARENA_ARRAY(memory, int, format->order);
  for (int d = 0; d < format->order; d++)
    dimensions[d] = d;
  return dimensions;
}

/* A file gives a list of entries, in its order and with whatever duplicates it has:
 *
 *     A = read "file"      becomes      L = read "file",  A = convert L
 */
static bool read_as_list(MlirOperation op, arena *memory) {
  MlirValue read = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(read);
  const tensor_format *format = tensor_format_get(memory, type, mlirOperationGetLocation(op));
  if (!format || !tensor_format_is_plain(format) || format->order == 0)
    return format != NULL;
  MlirType list = unordered_list_type(memory, type, all_dimensions(memory, format));
  if (mlirTypeIsNull(list) || mlirTypeEqual(list, type))
    return true;
  builder *b = builder_create(mlirOperationGetContext(op), mlirOperationGetLocation(op));
  builder_before(b, op);
  MlirValue entries = read_make(b, op_attribute(op, "file"), list);
  replace_operation(op, convert_make(b, entries, type, (MlirAttribute){NULL}));
  builder_free(b);
  return true;
}

int tin_lower_conversions_run(MlirOperation module,
                              const struct tin_lower_conversions_options *options) {
  (void)options;
  return !change_operations(module, tin_is_read, read_as_list) ||
         !change_operations(module, tin_is_convert, lower);
}
