/* ir.h - what verifiers and passes ask of operations and types, and the one way to report an error
 * at an operation. */
#ifndef LACUNA_IR_H
#define LACUNA_IR_H

#include "arena.h"

#include <mlir-c/IR.h>

#include <stdint.h>

/* Whether `text` is the NUL-terminated `word`; printf arguments for "%.*s". */
bool text_is(MlirStringRef text, const char *word);
#define TEXT(text) (int)(text).length, (text).data

/* The name of an operation ("arith.mulf"), and whether it is `name`.  A null op is nothing. */
MlirStringRef op_name(MlirOperation op);
bool op_is(MlirOperation op, const char *name);
bool op_name_begins(MlirOperation op, const char *with);
/* Whether it is a func.call of that function. */
bool op_calls(MlirOperation op, const char *function);
/* Whether a value is among its operands. */
bool op_uses(MlirOperation op, MlirValue value);

/* Which operations are meant: cin_is_forall (cin.h), sit_is_locate (sit.h), ... */
typedef bool op_kind(MlirOperation op);

/* Attributes: null, `absent`, or an empty text where there is none of that name. */
MlirAttribute op_attribute(MlirOperation op, const char *name);
bool op_has(MlirOperation op, const char *name);
int64_t op_integer(MlirOperation op, const char *name, int64_t absent);
MlirStringRef op_text(MlirOperation op, const char *name);
MlirStringRef op_symbol(MlirOperation op, const char *name); /* that a reference names */
void op_set(MlirOperation op, const char *name, MlirAttribute attribute);
MlirAttribute text_attribute(MlirContext context, MlirStringRef text);
MlirStringRef element_text(MlirAttribute array, intptr_t i);         /* of an array of texts */
MlirAttribute integer_attribute(MlirContext context, int64_t value); /* i64 */
/* A dictionary (null: an empty one) with `attribute` under a name, in place of another there. */
MlirAttribute dictionary_with(arena *memory, MlirContext context, MlirAttribute dictionary,
                              const char *name, MlirAttribute attribute);

/* The first block of the region, and the operation that `value` is a result of (null for an
 * argument). */
MlirBlock op_block(MlirOperation op, intptr_t region);
MlirOperation value_owner(MlirValue value);
/* Whether `op` is `around`, or stands in it at any depth. */
bool op_is_inside(MlirOperation op, MlirOperation around);

/* for (OPERATIONS(op, block)): the operations of a block; `op` may be moved or erased in the body
 * only after the next one has been read. */
#define OPERATIONS(op, block)                                                                      \
  MlirOperation op = mlirBlockGetFirstOperation(block);                                            \
  !mlirOperationIsNull(op);                                                                        \
  op = mlirOperationGetNextInBlock(op)

/* Calls `visit` for every operation below `op` (not itself), in program order, while it returns
 * true.  Returns whether all did. */
typedef bool op_visitor(MlirOperation op, void *data);
bool visit_below(MlirOperation op, op_visitor *visit, void *data);

/* The one use of a value; null where there is none, or several. */
MlirOpOperand value_only_use(MlirValue value);

/* The block that a value is an argument of, or made in; whether that is below `op`. */
MlirBlock value_block(MlirValue value);
bool value_is_made_in(MlirOperation op, MlirValue value);

/* The element type of a tensor, or the scalar type itself; the order of a tensor, 0 for a scalar;
 * the size of a dimension, -1 where it is dynamic. */
MlirType element_type(MlirType type);
int tensor_order(MlirType type);
int64_t dimension_size(MlirType type, int dimension);

/* A type or attribute as it prints, cut where it is very long; for messages:
 * error_at(op, "found '%s'", type_words(type).text). */
typedef struct words {
  char text[400];
} words;
words type_words(MlirType type);
words attribute_words(MlirAttribute attribute);

/* A type or attribute as it prints, whole. */
char *type_text(arena *memory, MlirType type);
char *attribute_text(arena *memory, MlirAttribute attribute);

/* The location of a column, from 1, of a statement's text that stands at `text`, or of which `text`
 * is a column. */
MlirLocation column_location(MlirLocation text, int column);

/* An error at the operation, as printf, and at the column of the text where its location is one.
 * Returns false. */
bool error_at(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
