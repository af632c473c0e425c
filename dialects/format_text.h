/* format_text.h - the text of a #tin.format, and of subscripts.
 *
 *     <(i, j) -> (i floordiv 4 : dense, j : compressed(nonunique)), pos = 32, crd = 32>
 *       dimensions  levels, outermost first: a coordinate expression and a level format
 *
 * MLIR's own lexer takes `#i`, the counter of i, for an alias; so this reads the text itself.
 */
#ifndef LACUNA_FORMAT_TEXT_H
#define LACUNA_FORMAT_TEXT_H

#include "arena.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parts of a format as read; the arrays are the arena's. */
typedef struct format_text {
  MlirAffineMap map; /* dimensions, and counters as symbols where there are any, to levels */
  intptr_t level_count;
  MlirAttribute *levels; /* #tin.level */
  unsigned position_width, coordinate_width;
  intptr_t triangle_count; /* 0, or 3: a tin_triangle and its two dimensions */
  int64_t triangle[3];
  const char *at;    /* where reading stopped */
  const char *error; /* what was expected and found there; NULL where the text reads */
} format_text;

/* Reads `<...>` of a #tin.format, or of a #tin.level (its one level is levels[0]).  Text goes up to
 * a NUL at the latest.  False where it does not read: `at` and `error` then say why. */
bool format_text_read(arena *memory, MlirContext context, const char *text, format_text *result);
bool level_text_read(arena *memory, MlirContext context, const char *text, format_text *result);

/* Writes what these read, dimensions named i j k l m n o p q r d10 d11 ... */
void format_text_write(MlirAttribute format, MlirStringCallback write, void *data);
void level_text_write(MlirAttribute level, MlirStringCallback write, void *data);

/* Writes `j - i floordiv 4`; `names` are those of the dimensions, NULL for i j k ... */
void subscript_write(MlirAffineExpr subscript, const MlirStringRef *names, MlirStringCallback write,
                     void *data);

#ifdef __cplusplus
}
#endif
#endif
