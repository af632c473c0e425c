/* Finds a function in a module and takes its type apart. */
#include "signature.h"

#include "ir.h"
#include "lac_tensor.h"
#include "nearest.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

static MlirAttribute get(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

static bool is_function(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length == 9 && !memcmp(name.data, "func.func", 9);
}

static bool is_public(MlirOperation op) {
  MlirAttribute visibility = get(op, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("public"));
}

static bool has_name(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirStringAttrGetValue(get(op, "sym_name")),
                            mlirStringRefCreateFromCString(name));
}

/* The function of that name; without one `main`, or the only public one; else a null operation. */
static MlirOperation find_function(MlirModule module, const char *entry) {
  MlirOperation only = {NULL};
  int public_functions = 0;
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (!is_function(op))
      continue;
    if (has_name(op, entry ? entry : "main"))
      return op;
    if (is_public(op)) {
      only = op;
      public_functions++;
    }
  }
  return !entry && public_functions == 1 ? only : (MlirOperation){NULL};
}

static int32_t element_of(arena *memory, MlirType type) {
  if (mlirTypeIsAComplex(type))
    return mlirTypeIsAF32(mlirComplexTypeGetElementType(type)) ? LAC_C64 : LAC_C128;
  return lac_type_from_name(type_text(memory, type));
}

static const int64_t *dimensions_of(arena *memory, MlirType type, int order) {
  int64_t *dimensions = ARENA_ARRAY(memory, int64_t, order + 1);
  for (int d = 0; d < order; d++)
    dimensions[d] = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
  return dimensions;
}

static void describe(arena *memory, MlirType type, signature_tensor *t) {
  t->type = type_text(memory, type);
  t->element = -1;
  MlirAttribute format = {NULL};
  if (mlirTypeIsARankedTensor(type))
    format = tinTypeGetFormat(type);
  if (mlirAttributeIsNull(format))
    return;
  t->order = (int)mlirShapedTypeGetRank(type);
  t->element = element_of(memory, mlirShapedTypeGetElementType(type));
  t->dimensions = dimensions_of(memory, type, t->order);
  if (t->order > 0)
    t->format = attribute_text(memory, format);
}

/* What `tin.name` says of an argument or a result, or its number. */
static const char *name_of(arena *memory, MlirOperation function, const char *attributes,
                           const char *fallback, int i) {
  MlirAttribute all = get(function, attributes);
  if (!mlirAttributeIsNull(all) && i < mlirArrayAttrGetNumElements(all)) {
    MlirAttribute name = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i), mlirStringRefCreateFromCString("tin.name"));
    if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name)) {
      MlirStringRef text = mlirStringAttrGetValue(name);
      return arena_text(memory, text.data, text.length);
    }
  }
  return arena_format(memory, "%s%d", fallback, i);
}

static signature *signature_create(arena *memory, MlirOperation function) {
  MlirType type = mlirTypeAttrGetValue(get(function, "function_type"));
  MlirStringRef name = mlirStringAttrGetValue(get(function, "sym_name"));
  signature *s = arena_alloc(memory, sizeof *s);
  s->function = arena_text(memory, name.data, name.length);
  s->argument_count = (int)mlirFunctionTypeGetNumInputs(type);
  s->result_count = (int)mlirFunctionTypeGetNumResults(type);
  s->arguments = ARENA_ARRAY(memory, signature_tensor, s->argument_count + 1);
  s->results = ARENA_ARRAY(memory, signature_tensor, s->result_count + 1);
  for (int i = 0; i < s->argument_count; i++) {
    s->arguments[i].name = name_of(memory, function, "arg_attrs", "arg", i);
    describe(memory, mlirFunctionTypeGetInput(type, i), &s->arguments[i]);
  }
  for (int i = 0; i < s->result_count; i++) {
    s->results[i].name = name_of(memory, function, "res_attrs", "result", i);
    describe(memory, mlirFunctionTypeGetResult(type, i), &s->results[i]);
  }
  return s;
}

static const char *no_function(arena *memory, MlirModule module, const char *entry) {
  nearest near = nearest_to(entry);
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (is_function(op)) {
      MlirStringRef name = mlirStringAttrGetValue(get(op, "sym_name"));
      nearest_offer(&near, arena_text(memory, name.data, name.length));
    }
  return arena_format(memory, "no function '%s' in the module%s", entry, nearest_hint(&near));
}

static const signature *fail(const char **error, const char *message) {
  *error = message;
  return NULL;
}

const signature *signature_of(arena *memory, MlirModule module, const char *entry,
                              const char **error) {
  MlirOperation function = find_function(module, entry);
  if (mlirOperationIsNull(function))
    return fail(error, entry ? no_function(memory, module, entry)
                             : "expected a function 'main' or one public function; say which by "
                               "--entry NAME");
  const signature *s = signature_create(memory, function);
  for (int i = 0; i < s->argument_count; i++)
    if (s->arguments[i].element < 0)
      return fail(error, arena_format(memory, "argument '%s' is no tensor with a #tin.format: %s",
                                      s->arguments[i].name, s->arguments[i].type));
  for (int i = 0; i < s->result_count; i++)
    if (s->results[i].element < 0)
      return fail(error, arena_format(memory, "result %d is no tensor with a #tin.format: %s", i,
                                      s->results[i].type));
  return s;
}

static bool is_defined(MlirOperation function) {
  return !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

const signature *const *signature_list(arena *memory, MlirModule module, int *count) {
  int room = 0;
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    room++;
  const signature **list = ARENA_ARRAY(memory, const signature *, room + 1);
  *count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (is_function(op) && is_public(op) && is_defined(op))
      list[(*count)++] = signature_create(memory, op);
  return list;
}
