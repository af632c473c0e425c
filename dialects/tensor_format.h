/* tensor_format.h - a tensor type's format, taken apart for passes: which level holds which
 * dimension, and what each level's format is and can. */
#ifndef LACUNA_TENSOR_FORMAT_H
#define LACUNA_TENSOR_FORMAT_H

#include "arena.h"
#include "cin.h"
#include "level_format.h"
#include "remap.h"
#include "tin.h"

#include <mlir-c/AffineExpr.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct format_level {
  const level_format *format;
  MlirAttribute attribute; /* the #tin.level */
  unsigned properties;     /* LEVEL_*, after (nonunique, unordered) */
  int dimension; /* the dimension whose coordinate this level holds as it is; -1 where it holds an
                    expression */
  MlirAffineExpr expression;
} format_level;

typedef struct tensor_format {
  int order;
  int level_count;
  format_level *levels; /* outermost first */
  int *level_of;        /* for each dimension the level that holds it as it is, or -1 */
  MlirType element;
  unsigned position_width, coordinate_width;
  tin_triangle triangle; /* of these two dimensions, where it is not TIN_WHOLE */
  intptr_t above, below; /* entries where above's coordinate >= below's, or > */
} tensor_format;

/* Takes apart the format of `type`, a ranked tensor (no encoding: dense, row-major), or a scalar
 * (order 0, no levels). NULL with a diagnostic at `location` where it has another encoding or an
 * unknown level format, or a property that the level format cannot take. */
const tensor_format *tensor_format_get(arena *memory, MlirType type, MlirLocation location);

/* Whether the first `count` levels of both are stored alike, each entry of them: by the same level
 * formats, in arrays of the same widths. */
bool tensor_format_begins_alike(const tensor_format *format, const tensor_format *other, int count);

/* Whether level l (any level) may repeat coordinates whose children are not one each, so that what
 * belongs to one coordinate is not one range of places below:
 *
 *     i : compressed(nonunique), j : compressed       1 -> 2, 5     1 -> 2, 3
 */
bool tensor_format_level_repeats(const tensor_format *format, int l);
bool tensor_format_repeats_branches(const tensor_format *format);

/* Whether an entry may be stored several times, or the coordinates of a level come again behind
 * others.  A sorted list has each entry once, though its levels but the last repeat coordinates:
 * what belongs to one is a range of places below. */
bool tensor_format_repeats_entries(const tensor_format *format);

/* Whether a level has one coordinate at each of the level above (NULL: it is the first), which
 * holds none twice. */
bool format_level_is_one(const format_level *level, const format_level *above);

/* Whether a level has its coordinates in no order, and finds each of them; whether some level of
 * the format does. */
bool format_level_is_table(const format_level *level);
bool tensor_format_has_table(const tensor_format *format);

/* Whether a first level in no order can be walked in ranges of its places. */
bool format_level_is_cut_by_places(const format_level *level);

/* Whether the level can be walked; and whether one coordinate is found by a search among those
 * below a parent, since they ascend. */
bool format_level_can_walk(const format_level *level);
bool format_level_is_searched(const format_level *level);

/* The later of the two levels that hold the dimensions of the triangle. */
int tensor_format_triangle_level(const tensor_format *format);

/* The level above level k that holds a linear form of k's dimension and others, from which it
 * follows (remap_solves); -1 for none. */
int tensor_format_implied_by(const tensor_format *format, int k);

/* Whether all levels hold plain dimensions and each dimension has one level. */
bool tensor_format_is_plain(const tensor_format *format);
/* Whether every level can locate and insert (a dense tensor of any mode order). */
bool tensor_format_is_dense(const tensor_format *format);
/* Whether it is that of a workspace which lists its entries: a policy of workspaces, and below it
 * levels that share its key. */
bool tensor_format_gathers(const tensor_format *format);
/* Whether a level of that format stores anything itself. */
bool level_format_has_arrays(const level_format *format);
/* Whether it is that of a workspace: that, or dense levels, which keep nothing but values. */
bool tensor_format_is_workspace(const tensor_format *format);
/* The first level that is not full, or cannot be inserted into, so that values are no array; -1 for
 * none. */
int tensor_format_no_array_level(const tensor_format *format);
/* Whether it stores values where there are none among others that there are, as blocks and
 * diagonals do: the last levels encode every coordinate below one that does not, or the last is
 * padded. */
bool tensor_format_pads(const tensor_format *format);
/* What to say of a level format that is not registered, with the nearest name, in the arena. */
char *level_format_unknown(arena *memory, MlirStringRef name);

#ifdef __cplusplus
}
#endif
#endif
