/* tin.h - the tensor index notation dialect, from C, in the manner of mlir-c.
 *
 * Operations are made and read with the generic functions of mlir-c/IR.h; the attributes' names
 * are those of dialects/Tin.td.  Here are the dialect's handle and its attributes.
 */
#ifndef LACUNA_TIN_H
#define LACUNA_TIN_H

#include <mlir-c/AffineMap.h>
#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tin, tin);

/* Properties of a level that its format may be given (bits of tinLevelAttrGetProperties). */
enum { TIN_NONUNIQUE = 1, TIN_UNORDERED = 2 };

/* #tin.level: a level format's name, a set of the bits above, and integer arguments. */
bool tinAttributeIsALevel(MlirAttribute attribute);
MlirAttribute tinLevelAttrGet(MlirContext context, MlirStringRef name, unsigned properties,
                              intptr_t argument_count, const int64_t *arguments);
MlirStringRef tinLevelAttrGetName(MlirAttribute level);
unsigned tinLevelAttrGetProperties(MlirAttribute level);
intptr_t tinLevelAttrGetNumArguments(MlirAttribute level);
int64_t tinLevelAttrGetArgument(MlirAttribute level, intptr_t i);

/* #tin.format: `map` takes dimensions (and counters, as symbols) to levels; `levels` are
 * `level_count` #tin.level attributes, outermost first; widths in bits (8, 16, 32, 64).
 * Returns a null attribute, with a diagnostic at an unknown location, where that is no format. */
bool tinAttributeIsAFormat(MlirAttribute attribute);
MlirAttribute tinFormatAttrGet(MlirContext context, MlirAffineMap map, intptr_t level_count,
                               const MlirAttribute *levels, unsigned position_width,
                               unsigned coordinate_width);
MlirAffineMap tinFormatAttrGetMap(MlirAttribute format);
intptr_t tinFormatAttrGetNumLevels(MlirAttribute format);
MlirAttribute tinFormatAttrGetLevel(MlirAttribute format, intptr_t level);
unsigned tinFormatAttrGetPositionWidth(MlirAttribute format);
unsigned tinFormatAttrGetCoordinateWidth(MlirAttribute format);

/* The format of a ranked tensor type: its encoding if that is a #tin.format; where there is no
 * encoding, the row-major format of dense levels; a null attribute for any other encoding or type.
 */
MlirAttribute tinTypeGetFormat(MlirType type);

#ifdef __cplusplus
}
#endif
#endif
