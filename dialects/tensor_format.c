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

/* What is wrong with the integer arguments, or NULL. */
static const char *refused_arguments(arena *memory, const level_format *format,
                                     MlirAttribute attribute) {
  intptr_t found = tinLevelAttrGetNumArguments(attribute);
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
  if (!(level->properties & LEVEL_IMPLIED) ||
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
    if (!is_implied(memory, format, k, location))
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

bool format_level_is_searched(const format_level *level) {
  unsigned wanted = LEVEL_ORDERED | LEVEL_UNIQUE;
  return (level->properties & wanted) == wanted && !(level->properties & LEVEL_BRANCHLESS) &&
         (level->format->capabilities & LEVEL_POSITION_ITERATION);
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

bool tensor_format_is_dense(const tensor_format *format) {
  const unsigned needed = LEVEL_LOCATE | LEVEL_INSERT;
  for (int k = 0; k < format->level_count; k++)
    if ((format->levels[k].format->capabilities & needed) != needed)
      return false;
  return true;
}

/*--- Scattering ---------------------------------------------------------------------------------*/

static bool can(const tensor_format *format, int k, unsigned capability) {
  return k < format->level_count && (format->levels[k].format->capabilities & capability);
}

static bool is_branchless(const tensor_format *format, int k) {
  return k < format->level_count && (format->levels[k].properties & LEVEL_BRANCHLESS);
}

static int count_inserted(const tensor_format *format, int k) {
  int end = k;
  while (can(format, end, LEVEL_INSERT))
    end++;
  return end - k;
}

/* The end of the branchless levels that are scattered along with level `k`. */
static int end_of_scattered(const tensor_format *format, int k) {
  int end = k + 1;
  while (can(format, end, LEVEL_SCATTER) && is_branchless(format, end))
    end++;
  return end;
}

int tensor_format_scatter_level(const tensor_format *format) {
  int level = count_inserted(format, 0);
  if (!can(format, level, LEVEL_SCATTER) || is_branchless(format, level))
    return -1;
  int end = end_of_scattered(format, level);
  return end + count_inserted(format, end) == format->level_count ? level : -1;
}

int tensor_format_scatter_end(const tensor_format *format) {
  int level = tensor_format_scatter_level(format);
  return level < 0 ? -1 : end_of_scattered(format, level);
}

/*--- Collecting ---------------------------------------------------------------------------------*/

static bool inserts(const tensor_format *format, int k) {
  return can(format, k, LEVEL_INSERT);
}

/* Whether level k has one more coordinate of the entries that are appended to the level above. */
static bool continues_list(const tensor_format *format, int k) {
  return is_branchless(format, k) && can(format, k, LEVEL_APPEND) && !inserts(format, k);
}

static bool holds_counter(const tensor_format *format, int k) {
  return k < format->level_count && remap_counted(format->levels[k].expression) >= 0;
}

/* Whether the level counts and places its entries itself: not where they go on below in a list, nor
 * the numbers of a counter, of which it is not known how many there may be, if it can append. */
static bool counts_itself(const tensor_format *format, int k) {
  if (can(format, k, LEVEL_APPEND) &&
      (continues_list(format, k) || continues_list(format, k + 1) || holds_counter(format, k)))
    return false;
  return !inserts(format, k) && can(format, k, LEVEL_COLLECT);
}

bool tensor_format_notes_level(const tensor_format *format, int k) {
  return can(format, k, LEVEL_APPEND) && !inserts(format, k) && !counts_itself(format, k);
}

bool tensor_format_collects_level(const tensor_format *format, int k) {
  return counts_itself(format, k) || tensor_format_notes_level(format, k);
}

int tensor_format_noted_end(const tensor_format *format, int k) {
  do
    k++;
  while (continues_list(format, k));
  return k;
}

/* An entry that is in a list has a place of its own in the level above. */
static bool is_collectable(const tensor_format *format, int k) {
  if (continues_list(format, k))
    return k > 0 && tensor_format_notes_level(format, k - 1) &&
           !(format->levels[k - 1].properties & LEVEL_UNIQUE);
  return inserts(format, k) || tensor_format_collects_level(format, k);
}

static bool all_collectable(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (!is_collectable(format, k))
      return false;
  return true;
}

static bool has_arrays(const level_format *format) {
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (format->arrays[slot] != LEVEL_NO_ARRAY)
      return true;
  return false;
}

/* Whether the level can be built in no other way: it neither inserts nor appends, or has arrays
 * that would have to grow with a level above. */
static bool only_collects(const tensor_format *format, int k) {
  const level_format *level = format->levels[k].format;
  if (!inserts(format, k))
    return !can(format, k, LEVEL_APPEND);
  bool grows = false;
  for (int above = 0; above < k; above++)
    grows |= !inserts(format, above);
  return grows && has_arrays(level) && !level->insert_reserve;
}

bool tensor_format_must_collect(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (only_collects(format, k))
      return all_collectable(format);
  return false;
}

/* Whether levels hold expressions, and each that does not insert counts its entries itself, or
 * entries are numbered. */
static bool is_better_collected(const tensor_format *format) {
  bool notes = false, counts = false, remaps = false, numbers = false;
  for (int k = 0; k < format->level_count; k++) {
    notes |= tensor_format_notes_level(format, k);
    counts |= counts_itself(format, k);
    remaps |= format->levels[k].dimension < 0;
    numbers |= holds_counter(format, k);
  }
  return (counts && remaps && !notes) || ((counts || notes) && numbers);
}

bool tensor_format_can_collect(const tensor_format *format) {
  return tensor_format_must_collect(format) ||
         (is_better_collected(format) && all_collectable(format));
}

/*--- Reordering ---------------------------------------------------------------------------------*/

bool tensor_format_reorders(const tensor_format *format) {
  int level = tensor_format_scatter_level(format), end = tensor_format_scatter_end(format);
  if (level < 0 || end < format->level_count || !format->levels[level].format->scatter_order)
    return false;
  for (int l = level + 1; l < end; l++)
    if (level_format_coordinates(format->levels[l].format) < 0)
      return false;
  return level > 0 || end == 1;
}

const tensor_format *tensor_format_disordered(arena *memory, const tensor_format *format) {
  tensor_format *disordered = ARENA_ARRAY(memory, tensor_format, 1);
  int level = tensor_format_scatter_level(format);
  *disordered = *format;
  disordered->levels = ARENA_ARRAY(memory, format_level, format->level_count);
  for (int l = 0; l < format->level_count; l++)
    disordered->levels[l] = format->levels[l];
  for (int l = level; l < format->level_count; l++)
    disordered->levels[l].properties &= ~(unsigned)(LEVEL_ORDERED | LEVEL_UNIQUE);
  return disordered;
}

/*--- Ways to build a result ---------------------------------------------------------------------*/

bool tensor_format_builds_by(const tensor_format *format, cin_assembly way) {
  bool all_insert = count_inserted(format, 0) == format->level_count;
  bool must_collect = tensor_format_must_collect(format);
  switch (way) {
  case CIN_INSERT:
    return all_insert;
  case CIN_APPEND:
    return !all_insert && !must_collect;
  case CIN_SCATTER:
    return tensor_format_scatter_level(format) >= 0 && !must_collect;
  case CIN_COLLECT:
    return tensor_format_can_collect(format);
  case CIN_RECORD:
    return tensor_format_reorders(format);
  }
  return false;
}
