/* ir.c - what verifiers and passes ask of operations and types. */
#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

bool text_is(MlirStringRef text, const char *word) {
  return mlirStringRefEqual(text, ref(word));
}

MlirStringRef op_name(MlirOperation op) {
  return mlirOperationIsNull(op) ? ref("") : mlirIdentifierStr(mlirOperationGetName(op));
}

bool op_is(MlirOperation op, const char *name) {
  return text_is(op_name(op), name);
}

bool op_name_begins(MlirOperation op, const char *with) {
  MlirStringRef name = op_name(op);
  size_t length = strlen(with);
  return name.length >= length && !memcmp(name.data, with, length);
}

MlirAttribute op_attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, ref(name));
}

bool op_has(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(op_attribute(op, name));
}

int64_t op_integer(MlirOperation op, const char *name, int64_t absent) {
  MlirAttribute a = op_attribute(op, name);
  return mlirAttributeIsNull(a) ? absent : mlirIntegerAttrGetValueInt(a);
}

MlirStringRef op_text(MlirOperation op, const char *name) {
  MlirAttribute a = op_attribute(op, name);
  return mlirAttributeIsNull(a) ? ref("") : mlirStringAttrGetValue(a);
}

MlirStringRef op_symbol(MlirOperation op, const char *name) {
  MlirAttribute reference = op_attribute(op, name);
  bool flat = !mlirAttributeIsNull(reference) && mlirAttributeIsAFlatSymbolRef(reference);
  return flat ? mlirFlatSymbolRefAttrGetValue(reference) : mlirStringRefCreate("", 0);
}

bool op_calls(MlirOperation op, const char *function) {
  return op_is(op, "func.call") && text_is(op_symbol(op, "callee"), function);
}

bool op_uses(MlirOperation op, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirValueEqual(mlirOperationGetOperand(op, i), value))
      return true;
  return false;
}

void op_set(MlirOperation op, const char *name, MlirAttribute attribute) {
  mlirOperationSetAttributeByName(op, ref(name), attribute);
}

MlirStringRef element_text(MlirAttribute array, intptr_t i) {
  return mlirStringAttrGetValue(mlirArrayAttrGetElement(array, i));
}

MlirAttribute text_attribute(MlirContext context, MlirStringRef text) {
  return mlirStringAttrGet(context, text);
}

MlirAttribute integer_attribute(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute dictionary_with(arena *memory, MlirContext context, MlirAttribute dictionary,
                              const char *name, MlirAttribute attribute) {
  MlirIdentifier key = mlirIdentifierGet(context, mlirStringRefCreateFromCString(name));
  intptr_t count =
      mlirAttributeIsNull(dictionary) ? 0 : mlirDictionaryAttrGetNumElements(dictionary);
  MlirNamedAttribute *all = ARENA_ARRAY(memory, MlirNamedAttribute, count + 1);
  intptr_t kept = 0;
  for (intptr_t n = 0; n < count; n++) {
    all[kept] = mlirDictionaryAttrGetElement(dictionary, n);
    kept += !mlirIdentifierEqual(all[kept].name, key);
  }
  all[kept++] = mlirNamedAttributeGet(key, attribute);
  return mlirDictionaryAttrGet(context, kept, all);
}

MlirBlock op_block(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

bool op_is_inside(MlirOperation op, MlirOperation around) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

MlirOperation value_owner(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool visit_block(MlirBlock block, op_visitor *visit, void *data) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!visit(op, data) || !visit_below(op, visit, data))
      return false;
  }
  return true;
}

bool visit_below(MlirOperation op, op_visitor *visit, void *data) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      if (!visit_block(block, visit, data))
        return false;
  return true;
}

MlirOpOperand value_only_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool once = !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return once ? use : (MlirOpOperand){NULL};
}

MlirBlock value_block(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

bool value_is_made_in(MlirOperation op, MlirValue value) {
  MlirOperation around = mlirBlockGetParentOperation(value_block(value));
  while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, op))
    around = mlirOperationGetParentOperation(around);
  return !mlirOperationIsNull(around);
}

MlirType element_type(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

int tensor_order(MlirType type) {
  return mlirTypeIsAShaped(type) ? (int)mlirShapedTypeGetRank(type) : 0;
}

int64_t dimension_size(MlirType type, int dimension) {
  return mlirShapedTypeIsDynamicDim(type, dimension) ? -1
                                                     : mlirShapedTypeGetDimSize(type, dimension);
}

static void append_words(MlirStringRef part, void *data) {
  words *w = data;
  size_t room = sizeof w->text - 1 - strlen(w->text);
  strncat(w->text, part.data, part.length < room ? part.length : room);
}

words type_words(MlirType type) {
  words result = {{0}};
  mlirTypePrint(type, append_words, &result);
  return result;
}

words attribute_words(MlirAttribute attribute) {
  words result = {{0}};
  mlirAttributePrint(attribute, append_words, &result);
  return result;
}

typedef struct text_part {
  arena *memory;
  char *text;
} text_part;

static void append_text(MlirStringRef part, void *data) {
  text_part *t = data;
  t->text = arena_format(t->memory, "%s%.*s", t->text, (int)part.length, part.data);
}

char *type_text(arena *memory, MlirType type) {
  text_part t = {memory, arena_text(memory, "", 0)};
  mlirTypePrint(type, append_text, &t);
  return t.text;
}

char *attribute_text(arena *memory, MlirAttribute attribute) {
  text_part t = {memory, arena_text(memory, "", 0)};
  mlirAttributePrint(attribute, append_text, &t);
  return t.text;
}

/* A column is a name on the text's location: loc("column 8 of the expression"(...)). */
static const char column_words[] = "column ";

static bool is_column(MlirLocation location) {
  if (!mlirLocationIsAName(location))
    return false;
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
  size_t length = sizeof column_words - 1;
  return name.length > length && memcmp(name.data, column_words, length) == 0;
}

MlirLocation column_location(MlirLocation text, int column) {
  char name[64];
  snprintf(name, sizeof name, "%s%d of the expression", column_words, column);
  return mlirLocationNameGet(mlirLocationGetContext(text), ref(name),
                             is_column(text) ? mlirLocationNameGetChildLoc(text) : text);
}

bool error_at(MlirOperation op, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  MlirLocation location = mlirOperationGetLocation(op);
  size_t length = 0;
  if (is_column(location)) {
    MlirStringRef column = mlirIdentifierStr(mlirLocationNameGetName(location));
    length = (size_t)snprintf(text, sizeof text / 2, "%.*s: ", TEXT(column));
    length = length < sizeof text / 2 ? length : 0;
  }
  vsnprintf(text + length, sizeof text - length, format, arguments);
  va_end(arguments);
  mlirEmitError(location, text);
  return false;
}
