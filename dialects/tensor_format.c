/* tensor_format.c - a #tin.format and the registry of level formats, joined. */
#include "tensor_format.h"

#include "nearest.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>

static const tensor_format *refuse(MlirLocation location, const char *message) {
  mlirEmitError(location, message);
  return NULL;
}

static const tensor_format *scalar_format(arena *memory, MlirType type) {
  tensor_format *format = arena_alloc(memory, sizeof *format);
  format->element = type;
  format->position_width = format->coordinate_width = 64;
  return format;
}

static const char *property_word(unsigned property) {
  return property == LEVEL_UNIQUE ? "nonunique" : "unordered";
}

/* The first of the properties that `attribute` takes away and `format` does not let go, or 0. */
static unsigned refused_property(const level_format *format, unsigned taken) {
  unsigned refused = taken & format->properties & ~format->configurable;
  return refused & LEVEL_UNIQUE ? LEVEL_UNIQUE : refused & LEVEL_ORDERED;
}

static unsigned taken_properties(MlirAttribute attribute) {
  unsigned bits = tinLevelAttrGetProperties(attribute);
  return (bits & TIN_NONUNIQUE ? LEVEL_UNIQUE : 0u) | (bits & TIN_UNORDERED ? LEVEL_ORDERED : 0u);
}

static bool has_argument_width(const level_format *format) {
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (format->arrays[slot] == LEVEL_ARGUMENT_WIDE)
      return true;
  return false;
}

static bool is_width(int64_t bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* The same of a policy's, each an option of it; 0 where nothing is said. */
static const char *refused_options(arena *memory, const level_format *format,
                                   MlirAttribute attribute) {
  int count = level_format_option_count(format);
  intptr_t found = tinLevelAttrGetNumArguments(attribute);
  if (found > count)
    return arena_format(memory,
                        "level format '%s': expected %d integer arguments at most, found %d",
                        format->name, count, (int)found);
  for (intptr_t n = 0; n < found; n++)
    if (tinLevelAttrGetArgument(attribute, n) < 0 ||
        tinLevelAttrGetArgument(attribute, n) > format->options[n].most)
      return arena_format(memory, "level format '%s': expected its %s from 1 to %lld, found %lld",
                          format->name, format->options[n].name, (long long)format->options[n].most,
                          (long long)tinLevelAttrGetArgument(attribute, n));
  return NULL;
}

/* What is wrong with the integer arguments, or NULL. */
static const char *refused_arguments(arena *memory, const level_format *format,
                                     MlirAttribute attribute) {
  intptr_t found = tinLevelAttrGetNumArguments(attribute);
  if (format->options)
    return refused_options(memory, format, attribute);
  if (found != format->arguments)
    return arena_format(memory, "level format '%s': expected %d integer argument%s, found %d",
                        format->name, format->arguments, format->arguments == 1 ? "" : "s",
                        (int)found);
  if (format->places && tinLevelAttrGetArgument(attribute, 0) < 1)
    return arena_format(memory, "level format '%s': expected 1 place or more, found %lld",
                        format->name, (long long)tinLevelAttrGetArgument(attribute, 0));
  if (has_argument_width(format) && !is_width(tinLevelAttrGetArgument(attribute, 0)))
    return arena_format(memory, "level format '%s': expected 8, 16, 32 or 64 bits, found %lld",
                        format->name, (long long)tinLevelAttrGetArgument(attribute, 0));
  return NULL;
}

char *level_format_unknown(arena *memory, MlirStringRef name) {
  nearest near = nearest_to(arena_text(memory, name.data, name.length));
  for (int i = 0; i < level_format_count(); i++)
    nearest_offer(&near, level_format_at(i)->name);
  return arena_format(memory, "expected a level format that is registered, found '%.*s'%s",
                      (int)name.length, name.data, nearest_hint(&near));
}

static bool take_level(arena *memory, format_level *level, MlirAttribute attribute,
                       MlirLocation location) {
  MlirStringRef name = tinLevelAttrGetName(attribute);
  level->attribute = attribute;
  level->format = level_format_find(name);
  if (!level->format) {
    refuse(location, level_format_unknown(memory, name));
    return false;
  }
  unsigned taken = taken_properties(attribute);
  unsigned refused = refused_property(level->format, taken);
  if (refused)
    refuse(location, arena_format(memory, "level format '%s' cannot be %s", level->format->name,
                                  property_word(refused)));
  const char *arguments = refused_arguments(memory, level->format, attribute);
  if (arguments)
    refuse(location, arguments);
  level->properties = level->format->properties & ~taken;
  return !refused && !arguments;
}

static int plain_dimension(MlirAffineExpr expression) {
  if (!mlirAffineExprIsADim(expression))
    return -1;
  return (int)mlirAffineDimExprGetPosition(expression);
}

int tensor_format_implied_by(const tensor_format *format, int k) {
  int dimension = format->levels[k].dimension;
  for (int l = 0; l < k && dimension >= 0; l++)
    if (remap_solves(format->levels[l].expression, dimension))
      return l;
  return -1;
}

static bool holds_above(const tensor_format *format, int k, int dimension) {
  for (int l = 0; l < k; l++)
    if (format->levels[l].dimension == dimension)
      return true;
  return false;
}

static bool holds_others_above(const tensor_format *format, int k, MlirAffineExpr diagonal) {
  for (int d = 0; d < format->order; d++)
    if (d != format->levels[k].dimension && mlirAffineExprIsFunctionOfDim(diagonal, d) &&
        !holds_above(format, k, d))
      return false;
  return true;
}

/* Whether the levels above hold what an implied coordinate follows from. */
static bool is_implied(arena *memory, const tensor_format *format, int k, MlirLocation location) {
  const format_level *level = &format->levels[k];
  int above = tensor_format_implied_by(format, k);
  if (!level_is_implied(level->properties) ||
      (above >= 0 && holds_others_above(format, k, format->levels[above].expression)))
    return true;
  refuse(location,
         arena_format(memory,
                      "expected a difference or a sum with another dimension, and that dimension, "
                      "in the levels above level %d (%s), found none",
                      k, level->format->name));
  return false;
}

/*--- Counters -----------------------------------------------------------------------------------*/

/* Whether the level holds the dimension, as it is or in an expression, and no other. */
static bool holds_alone(const format_level *level, int dimension) {
  remap r;
  if (level->dimension >= 0)
    return level->dimension == dimension;
  return remap_of(level->expression, &r) && remap_is_of_alone(&r, dimension);
}

/* A counter ends where the entries do, and each of its values has one entry, the coordinates of
 * which the levels below store. */
static bool counts_entries(arena *memory, const tensor_format *format, int k,
                           MlirLocation location) {
  int dimension = remap_counted(format->levels[k].expression);
  for (int l = k; l < format->level_count && dimension >= 0; l++) {
    const format_level *level = &format->levels[l];
    if (!(level->properties & LEVEL_FULL) || (l > k && holds_alone(level, dimension)))
      continue;
    refuse(location,
           arena_format(memory,
                        "expected level formats that store which coordinates there are from level "
                        "%d, a counter, on, found level %d (%s)",
                        k, l, level->format->name));
    return false;
  }
  return true;
}

/* A constant is the one coordinate that the level has. */
static bool is_coordinate(arena *memory, const tensor_format *format, int k,
                          MlirLocation location) {
  MlirAffineExpr e = format->levels[k].expression;
  if (!mlirAffineExprIsAConstant(e) || mlirAffineConstantExprGetValue(e) >= 0)
    return true;
  refuse(location, arena_format(memory, "expected a constant of 0 or more in level %d, found %lld",
                                k, (long long)mlirAffineConstantExprGetValue(e)));
  return false;
}

static bool take_levels(arena *memory, tensor_format *format, MlirAttribute attribute,
                        MlirLocation location) {
  MlirAffineMap map = tinFormatAttrGetMap(attribute);
  for (int k = 0; k < format->level_count; k++) {
    format_level *level = &format->levels[k];
    if (!take_level(memory, level, tinFormatAttrGetLevel(attribute, k), location))
      return false;
    level->expression = remap_canonical(mlirAffineMapGetResult(map, k));
    level->dimension = plain_dimension(level->expression);
    if (level->dimension >= 0)
      format->level_of[level->dimension] = k;
    if (!is_coordinate(memory, format, k, location) || !is_implied(memory, format, k, location))
      return false;
  }
  for (int k = 0; k < format->level_count; k++)
    if (!counts_entries(memory, format, k, location))
      return false;
  return true;
}

/* ---- Levels that share arrays -------------------------------------------------------------- */

static int64_t first_argument(const format_level *level) {
  return tinLevelAttrGetArgument(level->attribute, 0);
}

/* Whether level k uses the arrays of the level above that lends it them. */
static bool borrows_rightly(arena *memory, const tensor_format *format, int k,
                            MlirLocation location) {
  const format_level *level = &format->levels[k];
  int64_t distance = first_argument(level);
  bool is_below = distance >= 1 && distance <= k;
  const format_level *lender = is_below ? &format->levels[k - distance] : level;
  if (is_below && lender->format->lends && distance < first_argument(lender))
    return true;
  refuse(location,
         arena_format(memory,
                      "level %d (%s): expected, %lld above it, a level that holds the coordinates "
                      "of %lld levels or more, found %s",
                      k, level->format->name, (long long)distance, (long long)distance + 1,
                      !is_below ? "none" : lender->format->name));
  return false;
}

/* Whether the levels below level k that it lends its arrays to are there. */
static bool lends_rightly(arena *memory, const tensor_format *format, int k,
                          MlirLocation location) {
  const format_level *level = &format->levels[k];
  int64_t count = first_argument(level), found = 1;
  while (found < count && k + found < format->level_count &&
         format->levels[k + found].format->borrows &&
         first_argument(&format->levels[k + found]) == found)
    found++;
  if (count >= 1 && found == count)
    return true;
  refuse(location,
         arena_format(memory,
                      "level %d (%s): expected to hold the coordinates of %lld levels, itself and "
                      "those right below that borrow them, found %lld",
                      k, level->format->name, (long long)count, (long long)found));
  return false;
}

static bool shares_rightly(arena *memory, const tensor_format *format, MlirLocation location) {
  for (int k = 0; k < format->level_count; k++) {
    const level_format *level = format->levels[k].format;
    if ((level->lends && !lends_rightly(memory, format, k, location)) ||
        (level->borrows && !borrows_rightly(memory, format, k, location)))
      return false;
  }
  return true;
}

bool tensor_format_level_repeats(const tensor_format *format, int l) {
  return l + 1 < format->level_count && !(format->levels[l].properties & LEVEL_UNIQUE) &&
         !(format->levels[l + 1].properties & LEVEL_BRANCHLESS);
}

bool format_level_is_one(const format_level *level, const format_level *above) {
  return (level->properties & LEVEL_BRANCHLESS) && (!above || above->properties & LEVEL_UNIQUE);
}

bool format_level_can_walk(const format_level *level) {
  return level->format->capabilities & (LEVEL_COORDINATE_ITERATION | LEVEL_POSITION_ITERATION);
}

bool format_level_is_searched(const format_level *level) {
  return (level->properties & LEVEL_ORDERED) && format_level_can_walk(level);
}

bool tensor_format_begins_alike(const tensor_format *format, const tensor_format *other,
                                int count) {
  bool alike = format->level_count >= count && other->level_count >= count &&
               format->triangle == TIN_WHOLE && other->triangle == TIN_WHOLE &&
               format->position_width == other->position_width &&
               format->coordinate_width == other->coordinate_width;
  for (int l = 0; alike && l < count; l++)
    alike = mlirAttributeEqual(format->levels[l].attribute, other->levels[l].attribute);
  return alike;
}

bool tensor_format_repeats_entries(const tensor_format *format) {
  for (int l = 0; l < format->level_count; l++) {
    unsigned properties = format->levels[l].properties;
    bool is_list = l + 1 < format->level_count && (properties & LEVEL_ORDERED) &&
                   !tensor_format_level_repeats(format, l);
    if (!(properties & LEVEL_UNIQUE) && !is_list)
      return true;
  }
  return false;
}

bool tensor_format_repeats_branches(const tensor_format *format) {
  bool any = false;
  for (int l = 0; l < format->level_count; l++)
    any |= tensor_format_level_repeats(format, l);
  return any;
}

int tensor_format_triangle_level(const tensor_format *format) {
  int above = format->level_of[format->above], below = format->level_of[format->below];
  return above > below ? above : below;
}

/* What the levels cannot do without each entry being at a coordinate of its own. */
static bool take_triangle(tensor_format *format, MlirAttribute attribute, MlirLocation location) {
  format->triangle = tinFormatAttrGetTriangle(attribute, &format->above, &format->below);
  if (format->triangle == TIN_WHOLE)
    return true;
  if (format->level_of[format->above] < 0 || format->level_of[format->below] < 0)
    return refuse(location, "expected both dimensions of a triangle in levels of their own");
  if (tensor_format_repeats_branches(format))
    return refuse(location, "expected levels of a triangle that repeat coordinates only in lists");
  if (format->levels[tensor_format_triangle_level(format)].properties & LEVEL_FULL)
    return refuse(location, "expected the second dimension of a triangle in a level that does not "
                            "store all coordinates");
  return true;
}

const tensor_format *tensor_format_get(arena *memory, MlirType type, MlirLocation location) {
  if (!mlirTypeIsAShaped(type))
    return scalar_format(memory, type);
  MlirAttribute attribute = tinTypeGetFormat(type);
  if (!mlirTypeIsARankedTensor(type) || mlirAttributeIsNull(attribute))
    return refuse(location, "expected a ranked tensor without encoding or with a #tin.format");
  tensor_format *format = arena_alloc(memory, sizeof *format);
  format->order = (int)mlirShapedTypeGetRank(type);
  format->element = mlirShapedTypeGetElementType(type);
  format->level_count = (int)tinFormatAttrGetNumLevels(attribute);
  format->levels = ARENA_ARRAY(memory, format_level, format->level_count);
  format->level_of = ARENA_ARRAY(memory, int, format->order);
  for (int d = 0; d < format->order; d++)
    format->level_of[d] = -1;
  format->position_width = tinFormatAttrGetPositionWidth(attribute);
  format->coordinate_width = tinFormatAttrGetCoordinateWidth(attribute);
  bool good = take_levels(memory, format, attribute, location) &&
              shares_rightly(memory, format, location) &&
              take_triangle(format, attribute, location);
  return good ? format : NULL;
}

bool tensor_format_is_plain(const tensor_format *format) {
  if (format->level_count != format->order)
    return false;
  for (int d = 0; d < format->order; d++)
    if (format->level_of[d] < 0)
      return false;
  return true;
}

bool tensor_format_pads(const tensor_format *format) {
  int l = format->level_count - 1;
  while (l >= 0 && (format->levels[l].properties & LEVEL_FULL))
    l--;
  return l >= 0 &&
         (l < format->level_count - 1 || (format->levels[l].properties & LEVEL_PADDED) != 0);
}

bool format_level_is_table(const format_level *level) {
  return !(level->properties & LEVEL_ORDERED) && (level->format->capabilities & LEVEL_LOCATE);
}

bool format_level_is_cut_by_places(const format_level *level) {
  return !(level->properties & (LEVEL_ORDERED | LEVEL_BRANCHLESS)) && !level->format->cursors &&
         level->format->capabilities & LEVEL_POSITION_ITERATION;
}

bool tensor_format_has_table(const tensor_format *format) {
  int k = 0;
  while (k < format->level_count && !format_level_is_table(&format->levels[k]))
    k++;
  return k < format->level_count;
}

bool tensor_format_is_dense(const tensor_format *format) {
  const unsigned needed = LEVEL_LOCATE | LEVEL_INSERT;
  for (int k = 0; k < format->level_count; k++)
    if ((format->levels[k].format->capabilities & needed) != needed)
      return false;
  return true;
}

bool tensor_format_gathers(const tensor_format *format) {
  const level_format *policy = format->level_count ? format->levels[0].format : NULL;
  if (!policy || !(policy->capabilities & LEVEL_WORKSPACE))
    return false;
  for (int k = 1; k < format->level_count; k++)
    if (!policy->entry || !format->levels[k].format->shares_key)
      return false;
  return true;
}

bool level_format_has_arrays(const level_format *format) {
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (format->arrays[slot] != LEVEL_NO_ARRAY)
      return true;
  return false;
}

bool tensor_format_is_workspace(const tensor_format *format) {
  if (tensor_format_gathers(format))
    return true;
  for (int k = 0; k < format->level_count; k++)
    if (level_format_has_arrays(format->levels[k].format))
      return false;
  return tensor_format_is_dense(format);
}

int tensor_format_no_array_level(const tensor_format *format) {
  for (int l = 0; l < format->level_count; l++)
    if (!(format->levels[l].properties & LEVEL_FULL) ||
        !(format->levels[l].format->capabilities & LEVEL_INSERT))
      return l;
  return -1;
}
