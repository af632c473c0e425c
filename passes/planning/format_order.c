/* Types whose levels stand in another order (format_order.h). */
#include "format_order.h"

#include "access_order.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

static bool is_never_ordered(const format_level *level) {
  return !(level->format->properties & LEVEL_ORDERED);
}

/* Whether a level stores one coordinate under each of the level above: other coordinates, or others
 * above, need not be so. */
static bool stores_one(const tensor_format *format, int l) {
  const format_level *level = &format->levels[l];
  return l > 0 && (level->format->capabilities & LEVEL_APPEND) &&
         format_level_is_one(level, &format->levels[l - 1]);
}

/* Whether ordered levels are of other formats: there is one that is never ordered, and lists that
 * it becomes can be below no level that is collected. */
static bool becomes_list(const tensor_format *format, int at) {
  const format_level *level = &format->levels[at];
  bool any = false;
  if (stores_one(format, at))
    return true;
  for (int l = 0; l < format->level_count; l++)
    any |= is_never_ordered(&format->levels[l]);
  bool only_collects = !(level->format->capabilities & (LEVEL_INSERT | LEVEL_APPEND));
  return any && (is_never_ordered(level) || only_collects);
}

static MlirAttribute level_of(MlirContext context, const level_format *format) {
  return tinLevelAttrGet(context, mlirStringRefCreateFromCString(format->name), 0, 0, NULL);
}

/* The level where `list` stands for those that can be ordered in no other way. */
static MlirAttribute level_ordered(arena *memory, MlirContext context, const tensor_format *format,
                                   int l, const level_format *list) {
  MlirAttribute level = format->levels[l].attribute;
  if (becomes_list(format, l) && list)
    return level_of(context, list);
  intptr_t count = tinLevelAttrGetNumArguments(level);
  int64_t *arguments = ARENA_ARRAY(memory, int64_t, count + 1);
  for (intptr_t i = 0; i < count; i++)
    arguments[i] = tinLevelAttrGetArgument(level, i);
  unsigned dropped = TIN_UNORDERED | (tensor_format_level_repeats(format, l) ? TIN_NONUNIQUE : 0);
  return tinLevelAttrGet(context, tinLevelAttrGetName(level),
                         tinLevelAttrGetProperties(level) & ~dropped, count, arguments);
}

static MlirAffineMap level_map(arena *memory, MlirContext context, int order, int level_count,
                               const int *dimensions) {
  MlirAffineExpr *coordinates = ARENA_ARRAY(memory, MlirAffineExpr, level_count + 1);
  for (int l = 0; l < level_count; l++)
    coordinates[l] = mlirAffineDimExprGet(context, dimensions[l]);
  return mlirAffineMapGet(context, order, 0, level_count, coordinates);
}

/* Narrow positions hold the number of entries where each was an entry before: blocks of levels that
 * store all coordinates become entries of their own. */
static unsigned safe_position_width(const tensor_format *format) {
  for (int l = 1; l < format->level_count; l++)
    if (format->levels[l].format->capabilities & LEVEL_INSERT)
      return 64;
  return format->position_width;
}

/* Whether what levels hold may be held by others: dimensions may, and expressions by levels that
 * know nothing of them. */
static bool levels_may_move(const tensor_format *format) {
  for (int l = 0; !tensor_format_is_plain(format) && l < format->level_count; l++) {
    const format_level *level = &format->levels[l];
    if (tinLevelAttrGetNumArguments(level->attribute) || level->format->borrows ||
        level->format->lends || (level->properties & LEVEL_IMPLIED) ||
        remap_counted(level->expression) >= 0)
      return false;
  }
  return true;
}

MlirType type_with_levels(arena *memory, MlirType type, const tensor_format *format,
                          const int *from) {
  MlirContext context = mlirTypeGetContext(type);
  int count = format->level_count;
  MlirAffineExpr *held = ARENA_ARRAY(memory, MlirAffineExpr, count + 1);
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  if (!levels_may_move(format))
    return (MlirType){0};
  for (int l = 0; l < count; l++) {
    held[l] = format->levels[from[l]].expression;
    levels[l] = level_ordered(memory, context, format, l, level_format_coordinate_list(true));
  }
  MlirAffineMap map = mlirAffineMapGet(context, format->order, 0, count, held);
  return tensor_with_encoding(type, tinFormatAttrGet(context, map, count, levels,
                                                     safe_position_width(format),
                                                     format->coordinate_width));
}

MlirType type_in_order(arena *memory, MlirType type, const tensor_format *format) {
  int *from = ARENA_ARRAY(memory, int, format->level_count + 1);
  for (int l = 0; l < format->level_count; l++)
    from[l] = l;
  return type_with_levels(memory, type, format, from);
}

/* The last place in the order of a variable in the coordinate of level l; a constant keeps to the
 * level above. */
static int level_place(const access *a, int l, const int *order, int variable_count) {
  int place = variable_count - 1;
  while (l > 0 && set_is_empty(a->levels[l].variables))
    l--;
  while (place >= 0 && !set_has(a->levels[l].variables, order[place]))
    place--;
  return place;
}

MlirType type_following_loops(const statement *s, int access_number, const int *order) {
  const access *a = &s->accesses[access_number];
  if (!tensor_format_is_plain(a->format))
    return (MlirType){0};
  int *dimensions = ARENA_ARRAY(s->memory, int, a->level_count + 1);
  int *places = ARENA_ARRAY(s->memory, int, a->level_count + 1);
  for (int l = 0; l < a->level_count; l++) {
    int place = level_place(a, l, order, s->variable_count), at = l;
    for (; at > 0 && places[at - 1] > place; at--) {
      places[at] = places[at - 1];
      dimensions[at] = dimensions[at - 1];
    }
    places[at] = place;
    dimensions[at] = a->levels[l].level->dimension;
  }
  int *from = ARENA_ARRAY(s->memory, int, a->level_count + 1);
  for (int l = 0; l < a->level_count; l++)
    from[l] = a->format->level_of[dimensions[l]];
  return type_with_levels(s->memory, a->type, a->format, from);
}

static MlirAttribute whole_level(arena *memory, MlirType type) {
  MlirLocation nowhere = mlirLocationUnknownGet(mlirTypeGetContext(type));
  MlirType whole = tensor_with_encoding(type, (MlirAttribute){0});
  return tensor_format_get(memory, whole, nowhere)->levels[0].attribute;
}

/* Whether no more coordinates have places in a dimension than there are entries. */
static bool is_crowded(MlirAttribute holds, int dimension) {
  return !mlirAttributeIsNull(holds) &&
         mlirDenseI64ArrayGetElement(holds, 1 + dimension) <= mlirDenseI64ArrayGetElement(holds, 0);
}

MlirType type_with_whole_root(arena *memory, MlirType type, MlirAttribute holds) {
  MlirContext context = mlirTypeGetContext(type);
  const tensor_format *format = tensor_format_get(memory, type, mlirLocationUnknownGet(context));
  const unsigned kept = LEVEL_ORDERED | LEVEL_UNIQUE;
  if (!format || !tensor_format_is_plain(format) || format->level_count < 2 ||
      (format->levels[0].properties & (kept | LEVEL_FULL)) != kept ||
      !format_level_is_walked(&format->levels[1]) || format->levels[1].format->borrows ||
      tinLevelAttrGetNumArguments(format->levels[0].attribute) ||
      !is_crowded(holds, format->levels[0].dimension))
    return (MlirType){0};
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, format->level_count);
  int *dimensions = ARENA_ARRAY(memory, int, format->level_count);
  for (int l = 0; l < format->level_count; l++) {
    levels[l] = l ? format->levels[l].attribute : whole_level(memory, type);
    dimensions[l] = format->levels[l].dimension;
  }
  MlirAffineMap map = level_map(memory, context, format->order, format->level_count, dimensions);
  return tensor_with_encoding(type,
                              tinFormatAttrGet(context, map, format->level_count, levels,
                                               format->position_width, format->coordinate_width));
}

/*--- Levels that are searched ------------------------------------------------------------------*/

/* Whether level l is neither located in nor searched for a coordinate that is known. */
static bool is_unsearched(const access *a, int l) {
  const access_level *level = &a->levels[l];
  bool is_found =
      (level->level->format->capabilities & LEVEL_LOCATE) || access_level_is_searched(a, l);
  return !is_found && (level->bare < 0 || access_level_is_known(a, l));
}

bool access_is_unsearched(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (a->levels[l].level->dimension >= 0 && is_unsearched(a, l))
      return true;
  return false;
}

/*--- Temporaries -------------------------------------------------------------------------------*/

static int64_t variable_size(const statement *s, int variable) {
  for (int i = 0; i <= s->operand_count; i++) {
    int dimension = access_dimension_of(&s->accesses[i], variable);
    int64_t size = dimension < 0 ? -1 : dimension_size(s->accesses[i].type, dimension);
    if (size >= 0)
      return size;
  }
  return mlirShapedTypeGetDynamicSize();
}

static int numbers_below(variable_set set, int variable) {
  int count = 0;
  for (int v = set_first(set); v >= 0 && v < variable; v = set_next(set, v + 1))
    count++;
  return count;
}

/* The result's variables of `set` in the order of its levels, as numbers into the set. */
static void levels_of_temporary(const access *result, variable_set set, int *dimensions) {
  int count = 0;
  for (int l = 0; l < result->level_count; l++) {
    int v = result->levels[l].bare;
    if (v >= 0 && set_has(set, v))
      dimensions[count++] = numbers_below(set, v);
  }
}

static MlirAttribute temporary_level(arena *memory, MlirContext context,
                                     const tensor_format *format, int l) {
  return becomes_list(format, l)
             ? level_ordered(memory, context, format, l, level_format_coordinate_list(true))
             : format->levels[l].attribute;
}

/* Whether the first so many levels would be without one that borrows from them. */
static bool cuts_list(const tensor_format *format, int count) {
  return count < format->level_count && format->levels[count].format->borrows;
}

/* As a result in blocks or diagonals can be read without a search: in rows. */
static MlirAttribute rows_encoding(const statement *s, int order) {
  int64_t *shape = ARENA_ARRAY(s->memory, int64_t, order);
  int *dimensions = ARENA_ARRAY(s->memory, int, order);
  for (int d = 0; d < order; d++) {
    dimensions[d] = d;
    shape[d] = mlirShapedTypeGetDynamicSize();
  }
  MlirType element = element_type(statement_result(s)->type);
  MlirType type = mlirRankedTensorTypeGet(order, shape, element, (MlirAttribute){0});
  MlirType rows = rows_type(s->memory, type, dimensions);
  return mlirTypeIsNull(rows) ? (MlirAttribute){0} : tinTypeGetFormat(rows);
}

/* Whether a compound subscript of the result is among them: it goes further than what an operand
 * has. */
static bool has_subscript(const statement *s, variable_set set) {
  for (int v = set_first(set); v >= 0; v = set_next(set, v + 1))
    if (!mlirAffineExprIsNull(s->subscripts[v]))
      return true;
  return false;
}

static MlirAttribute temporary_encoding(const statement *s, variable_set set, int order) {
  const access *result = statement_result(s);
  MlirContext context = mlirTypeGetContext(result->type);
  bool short_enough = order == 0 || (order == 1 && !has_subscript(s, set));
  if (short_enough || tensor_format_is_dense(result->format) || !set_within(set, result->variables))
    return (MlirAttribute){0};
  int *dimensions = ARENA_ARRAY(s->memory, int, order);
  MlirAttribute *levels = ARENA_ARRAY(s->memory, MlirAttribute, order);
  if (!tensor_format_is_plain(result->format) || cuts_list(result->format, order))
    return rows_encoding(s, order);
  levels_of_temporary(result, set, dimensions);
  for (int l = 0; l < order; l++)
    levels[l] = temporary_level(s->memory, context, result->format, l);
  return tinFormatAttrGet(context, level_map(s->memory, context, order, order, dimensions), order,
                          levels, 64, result->format->coordinate_width);
}

MlirType temporary_type(const statement *s, variable_set set, MlirType element) {
  int64_t *shape = ARENA_ARRAY(s->memory, int64_t, s->variable_count + 1);
  int order = 0;
  for (int v = 0; v < s->variable_count; v++)
    if (set_has(set, v))
      shape[order++] = variable_size(s, v);
  return mlirRankedTensorTypeGet(order, shape, element, temporary_encoding(s, set, order));
}

/*--- Coordinate lists --------------------------------------------------------------------------*/

static MlirAttribute list_level(MlirContext context, int l, bool repeats, bool ordered) {
  const level_format *format = level_format_coordinate_list(l == 0);
  unsigned properties = (repeats ? TIN_NONUNIQUE : 0) | (ordered ? 0 : TIN_UNORDERED);
  return tinLevelAttrGet(context, mlirStringRefCreateFromCString(format->name), properties, 0,
                         NULL);
}

static bool is_ordered(const tensor_format *format, int level) {
  return !format || (format->levels[level].properties & LEVEL_ORDERED);
}

static MlirAttribute list_encoding(MlirContext context, MlirAffineMap map,
                                   const MlirAttribute *levels, const tensor_format *widths) {
  return tinFormatAttrGet(context, map, mlirAffineMapGetNumResults(map), levels,
                          widths ? widths->position_width : 64,
                          widths ? widths->coordinate_width : 64);
}

static bool lists_are_registered(int level_count) {
  return level_format_coordinate_list(true) &&
         (level_count < 2 || level_format_coordinate_list(false));
}

/* The type of a list that holds what the map says, unique only in the last level if at all. */
static MlirType list_type(arena *memory, MlirType type, MlirAffineMap map,
                          const tensor_format *widths, const bool *ordered, bool has_duplicates) {
  MlirContext context = mlirTypeGetContext(type);
  int count = (int)mlirAffineMapGetNumResults(map);
  if (!lists_are_registered(count))
    return (MlirType){0};
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, count + 1);
  for (int l = 0; l < count; l++)
    levels[l] = list_level(context, l, l < count - 1 || has_duplicates, ordered[l]);
  return tensor_with_encoding(type, list_encoding(context, map, levels, widths));
}

static bool *all_ordered(arena *memory, int count, bool ordered) {
  bool *all = ARENA_ARRAY(memory, bool, count + 1);
  for (int l = 0; l < count; l++)
    all[l] = ordered;
  return all;
}

MlirType coordinate_list_type(arena *memory, MlirType type, const int *dimensions,
                              const tensor_format *widths, const tensor_format *orders,
                              bool has_duplicates) {
  int order = tensor_order(type);
  bool *ordered = ARENA_ARRAY(memory, bool, order + 1);
  for (int l = 0; l < order; l++)
    ordered[l] = is_ordered(orders, l);
  MlirAffineMap map = level_map(memory, mlirTypeGetContext(type), order, order, dimensions);
  return list_type(memory, type, map, widths, ordered, has_duplicates);
}

MlirType coordinate_list_like(arena *memory, MlirType type, const tensor_format *format,
                              bool sorted, bool has_duplicates) {
  MlirContext context = mlirTypeGetContext(type);
  int count = 0;
  MlirAffineExpr *expressions = ARENA_ARRAY(memory, MlirAffineExpr, format->level_count + 1);
  for (int l = 0; l < format->level_count; l++)
    if (remap_counted(format->levels[l].expression) < 0 &&
        !mlirAffineExprIsAConstant(format->levels[l].expression) &&
        !level_is_implied(format->levels[l].properties))
      expressions[count++] = format->levels[l].expression;
  MlirAffineMap map = mlirAffineMapGet(context, format->order, 0, count, expressions);
  return list_type(memory, type, map, NULL, all_ordered(memory, count, sorted),
                   has_duplicates || !sorted);
}

MlirType unordered_list_type(arena *memory, MlirType type, const int *dimensions) {
  int order = tensor_order(type);
  MlirAffineMap map = level_map(memory, mlirTypeGetContext(type), order, order, dimensions);
  return list_type(memory, type, map, NULL, all_ordered(memory, order, false), true);
}

/* The first level format that takes coordinates in any order, and finds them. */
static const level_format *scattered_format(void) {
  const unsigned needed = LEVEL_LOCATE | LEVEL_COLLECT;
  for (int i = 0; i < level_format_count(); i++) {
    const level_format *format = level_format_at(i);
    bool any_order = !(format->properties & (LEVEL_ORDERED | LEVEL_FULL)) && !format->arguments;
    if (any_order && (format->capabilities & needed) == needed)
      return format;
  }
  return NULL;
}

MlirType scattered_type(arena *memory, MlirType type, const tensor_format *like) {
  const level_format *format = scattered_format();
  MlirContext context = mlirTypeGetContext(type);
  int order = tensor_order(type);
  bool is_like = like && tensor_format_is_plain(like), whole = is_like;
  if (!format || order == 0)
    return (MlirType){0};
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, order);
  int *dimensions = ARENA_ARRAY(memory, int, order);
  for (int l = 0; l < order; l++) {
    whole = whole && (like->levels[l].properties & LEVEL_FULL);
    levels[l] = whole ? like->levels[l].attribute : level_of(context, format);
    dimensions[l] = is_like ? like->levels[l].dimension : l;
  }
  MlirAffineMap map = level_map(memory, context, order, order, dimensions);
  return tensor_with_encoding(type, list_encoding(context, map, levels, NULL));
}

MlirType rows_type(arena *memory, MlirType type, const int *dimensions) {
  const level_format *last = level_format_coordinate_list(true);
  MlirContext context = mlirTypeGetContext(type);
  MlirType whole = tensor_with_encoding(type, (MlirAttribute){0});
  const tensor_format *format = tensor_format_get(memory, whole, mlirLocationUnknownGet(context));
  int order = tensor_order(type);
  if (!last || !format || order == 0)
    return (MlirType){0};
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, order);
  for (int l = 0; l < order - 1; l++)
    levels[l] = format->levels[l].attribute;
  levels[order - 1] = level_of(context, last);
  MlirAffineMap map = level_map(memory, context, order, order, dimensions);
  return tensor_with_encoding(type, list_encoding(context, map, levels, NULL));
}

MlirType block_tree_type(arena *memory, MlirType type, const tensor_format *format) {
  const level_format *tree = level_format_coordinate_list(true);
  int end = tensor_format_scatter_end(format), count = format->level_count;
  if (tensor_format_scatter_level(format) != 0 || end == count || !tree ||
      !(tree->capabilities & LEVEL_COLLECT))
    return (MlirType){0};
  MlirContext context = mlirTypeGetContext(type);
  MlirAffineExpr *expressions = ARENA_ARRAY(memory, MlirAffineExpr, count);
  MlirAttribute *levels = ARENA_ARRAY(memory, MlirAttribute, count);
  for (int l = 0; l < count; l++) {
    expressions[l] = format->levels[l].expression;
    levels[l] = l < end ? level_of(context, tree) : format->levels[l].attribute;
  }
  MlirAffineMap map = mlirAffineMapGet(context, format->order, 0, count, expressions);
  return tensor_with_encoding(type, list_encoding(context, map, levels, NULL));
}

bool is_coordinate_list(const tensor_format *format) {
  if (!tensor_format_is_plain(format) || format->level_count == 0 || format->triangle != TIN_WHOLE)
    return false;
  for (int l = 0; l < format->level_count; l++) {
    const format_level *level = &format->levels[l];
    bool must_repeat = l < format->level_count - 1;
    if (level->format != level_format_coordinate_list(l == 0) ||
        (l == 0 && must_repeat && (level->properties & LEVEL_UNIQUE)))
      return false;
  }
  return true;
}

/*--- Words -------------------------------------------------------------------------------------*/

char *format_text(arena *memory, MlirType type) {
  char *text = attribute_text(memory, tinTypeGetFormat(type));
  char *open = strchr(text, '<'), *close = strrchr(text, '>');
  return open && close > open ? arena_text(memory, open + 1, (size_t)(close - open - 1)) : text;
}
