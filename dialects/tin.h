/* tin.h - the tensor index notation dialect, from C, in the manner of mlir-c.
 *
 * Here are the dialect's handle, its attributes, and functions that make its operations; these are
 * read with the generic functions of mlir-c/IR.h, by the attributes' names of dialects/Tin.td.
 * y(i) = A(i,j) * x(j) on a CSR matrix is, in a block of a function on A and x,
 *
 *     MlirAttribute levels[] = {tinLevelAttrGet(context, text("dense"), 0, 0, NULL),
 *                               tinLevelAttrGet(context, text("compressed"), 0, 0, NULL)};
 *     MlirAttribute csr = tinFormatAttrGet(context, mlirAffineMapMultiDimIdentityGet(context, 2),
 *                                          2, levels, 32, 32);
 *     MlirOperation y = tinEinsumCreate(location, text("y(i) = A(i,j) * x(j)"), 2, operands,
 *                                       vector_type, text(""));
 *     mlirBlockAppendOwnedOperation(block, y);
 *
 * As in mlir-c, what is made is its maker's until a block, region or module takes it; nothing is
 * checked before mlirOperationVerify or the passes do, with a diagnostic at the location given.
 */
#ifndef LACUNA_TIN_H
#define LACUNA_TIN_H

#include <mlir-c/AffineMap.h>
#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tin, tin);

/* Tensors and formats have no more dimensions (as many as bits in a set of them). */
enum { TIN_GREATEST_ORDER = 64 };

/* No dimension is larger, so that loops can count with sums of a few of them. */
#define TIN_LARGEST_SIZE (INT64_C(1) << 60)

/* Whether tensors can have elements of the type: the C API's name for the rule of #tin.format. */
bool tinTypeIsStored(MlirType element);

/* Reads the text of a tin.einsum: NULL where it is a statement, else what was expected and what was
 * found, in the arena, and at which column, from 1.  The passes have one (bridge.h); until
 * it is set, texts are first read by them. */
struct arena;
typedef const char *tin_text_reader(struct arena *memory, MlirStringRef text, int *column);
void tinTextReaderSet(tin_text_reader *reader);
/* By the reader that is set, NULL without one. */
const char *tinTextProblem(struct arena *memory, MlirStringRef text, int *column);

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

/* Which entries are stored, or seen, of two dimensions a and b: all; those with a >= b, of a tensor
 * that is the same with a and b exchanged; a >= b alone; a > b alone. */
typedef enum tin_triangle { TIN_WHOLE, TIN_SYMMETRIC, TIN_LOWER, TIN_STRICTLY_LOWER } tin_triangle;
tin_triangle tinFormatAttrGetTriangle(MlirAttribute format, intptr_t *a, intptr_t *b);
/* The same format with another triangle (a and b count only where it is not TIN_WHOLE). */
MlirAttribute tinFormatAttrWithTriangle(MlirAttribute format, tin_triangle triangle, intptr_t a,
                                        intptr_t b);

/* The format of a ranked tensor type: its encoding if that is a #tin.format; where there is no
 * encoding, the row-major format of dense levels; a null attribute for any other encoding or type.
 */
MlirAttribute tinTypeGetFormat(MlirType type);

/* The operator of a reduction, and its words: "add", "mul", "min", "max", "and", "or", "xor". */
typedef enum tin_reduction {
  TIN_NO_REDUCTION,
  TIN_ADD,
  TIN_MUL,
  TIN_MIN,
  TIN_MAX,
  TIN_AND,
  TIN_OR,
  TIN_XOR
} tin_reduction;
const char *tinReductionName(tin_reduction kind);       /* "" for none */
tin_reduction tinReductionFromName(MlirStringRef name); /* none where it is no such word */

/* #tin.reduction; that of a null attribute is none. */
MlirAttribute tinReductionAttrGet(MlirContext context, tin_reduction kind);
tin_reduction tinReductionAttrGetKind(MlirAttribute attribute);

//--- Operations ----------------------------------------------------------------------------------

/* tin.einsum: a statement as text.  The operands stand in the order in which their names first
 * appear on the right-hand side, with += the result's previous value before them.  `semiring` is a
 * name such as "min_plus", or empty for plus_times. */
MlirOperation tinEinsumCreate(MlirLocation location, MlirStringRef expression,
                              intptr_t operand_count, const MlirValue *operands, MlirType result,
                              MlirStringRef semiring);

/* tin.compute: a statement with its algebra spelled out.  `maps` has an affine map from the
 * `variable_count` index variables to the subscripts for each operand and, last, for the result.
 * `body`, which the operation takes, has an argument of the element type for each operand, and ends
 * with tin.yield.  The optional attributes "fills" and "tensor_names" are set afterwards by
 * mlirOperationSetAttributeByName. */
MlirOperation tinComputeCreate(MlirLocation location, intptr_t operand_count,
                               const MlirValue *operands, const MlirAffineMap *maps,
                               intptr_t variable_count, const MlirStringRef *variables,
                               MlirType result, MlirBlock body);

/* In the body: tin.reduce of `value` over some of the variables, whose identity is `identity`, or
 * the operator's own where that is a null attribute; and tin.yield. */
MlirOperation tinReduceCreate(MlirLocation location, tin_reduction kind, MlirValue value,
                              intptr_t variable_count, const MlirStringRef *variables,
                              MlirAttribute identity);
MlirOperation tinYieldCreate(MlirLocation location, MlirValue value);

/* tin.convert: the same tensor, stored as `result` says, where every coordinate that is not stored
 * holds `fill` (null: zero). */
MlirOperation tinConvertCreate(MlirLocation location, MlirValue source, MlirType result,
                               MlirAttribute fill);

/* tin.read, tin.write and tin.print: files, and standard output. */
MlirOperation tinReadCreate(MlirLocation location, MlirStringRef file, MlirType result);
MlirOperation tinWriteCreate(MlirLocation location, MlirValue source, MlirStringRef file);
MlirOperation tinPrintCreate(MlirLocation location, MlirValue source);

/* Which operation `op` is; a null one is none. */
bool tin_is_einsum(MlirOperation op);
bool tin_is_compute(MlirOperation op);
bool tin_is_reduce(MlirOperation op);
bool tin_is_yield(MlirOperation op);
bool tin_is_convert(MlirOperation op);
bool tin_is_view(MlirOperation op);
bool tin_is_require_equal(MlirOperation op);
bool tin_is_read(MlirOperation op);
bool tin_is_write(MlirOperation op);
bool tin_is_print(MlirOperation op);
bool tin_is_match(MlirOperation op);
bool tin_is_assemble(MlirOperation op);
bool tin_is_disassemble(MlirOperation op);

/* What a statement has on each rung, being a tin.compute, cin.kernel or sit.kernel.  Of operand i,
 * the result the last: the value where nothing is stored (null where it is zero), and the name for
 * people (empty where there is none).  Whether entries that equal the result's fill are left out,
 * and whether it only copies from one format to another. */
MlirAttribute statement_op_fill(MlirOperation op, intptr_t i);
MlirStringRef statement_op_tensor_name(MlirOperation op, intptr_t i);
bool statement_op_drops_zeros(MlirOperation op);
bool statement_op_is_conversion(MlirOperation op);

/* tin.compute: the map of operand i, the result the last; its variables; of the variable, that
 * whose extent is the same (empty: none) and the extent (-1: none said). */
MlirAffineMap tin_compute_map(MlirOperation op, intptr_t i);
/* What an operand's value is out of range: a unit for its fill, or a value; null: an error. */
MlirAttribute tin_compute_pad(MlirOperation op, intptr_t i);
bool tin_pad_is_value(MlirAttribute pad);
intptr_t tin_compute_variable_count(MlirOperation op);
/* About what a tensor has, where the function says so of the argument that it is, or is converted
 * from (tin.holds): a number of entries, then the size of each dimension, and then, if at all, the
 * most entries with one coordinate of each, and over how many coordinates of each they are spread;
 * null: nothing. */
MlirAttribute tin_tensor_holds(MlirValue tensor);
/* The most entries with one coordinate of a dimension that such an attribute, of a tensor of that
 * order, tells; 0 where it does not. */
int64_t tin_held_at_most(MlirAttribute holds, int order, int dimension);
/* The size of a dimension of a tensor of that type, or what such an attribute (null: nothing is
 * said) says of it; -1 where it is not known. */
int64_t tin_held_size(MlirAttribute holds, MlirType type, int dimension);
/* Over how many coordinates of a dimension the entries are spread: of as many with as many entries
 * each, two of them would be at one coordinate as often.  Where n are at each of c coordinates, c;
 * (sum n)^2 / sum n^2 in general.  All of them, its size, where nothing is said. */
int64_t tin_held_spread(MlirAttribute holds, MlirType type, int dimension);
MlirStringRef tin_compute_variable(MlirOperation op, intptr_t v);
MlirStringRef tin_compute_alike(MlirOperation op, MlirStringRef variable);
int64_t tin_compute_extent(MlirOperation op, MlirStringRef variable);
/* What a variable is the subscript of the result of: a map from all variables; null where it is
 * none. */
MlirAffineMap tin_compute_subscript(MlirOperation op, MlirStringRef variable);

/* What a tin.reduce reduces, how, over which variables; the identity is null where it is the
 * operator's own. */
MlirValue tin_reduce_value(MlirOperation op);
tin_reduction tin_reduce_kind(MlirOperation op);
intptr_t tin_reduce_variable_count(MlirOperation op);
MlirStringRef tin_reduce_variable(MlirOperation op, intptr_t v);
MlirAttribute tin_reduce_identity(MlirOperation op);
/* Which subscripts of the result it reduces at. */
intptr_t tin_reduce_at_count(MlirOperation op);
MlirStringRef tin_reduce_at(MlirOperation op, intptr_t i);

#ifdef __cplusplus
}
#endif
#endif
