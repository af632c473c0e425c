/* The public face of the compiler (lacuna.h). */
#include "lacuna.h"

#include "compiled.h"
#include "compiler.h"
#include "format_names.h"
#include "level_format.h"
#include "tensor_check.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/Complex.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/Math.h>
#include <stdlib.h>
#include <string.h>

struct lacuna_compiler {
  compiler *inner;
  char *error;
};

static void load_dialects(MlirContext context) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__tin__(), mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__arith__(), mlirGetDialectHandle__math__(),
      mlirGetDialectHandle__complex__()};
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++)
    mlirDialectHandleLoadDialect(handles[i], context);
}

lacuna_compiler *lacuna_open(void) {
  lacuna_compiler *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->inner = compiler_create();
  if (!c->inner) {
    free(c);
    return NULL;
  }
  load_dialects(compiler_context(c->inner));
  return c;
}

void lacuna_close(lacuna_compiler *c) {
  if (!c)
    return;
  compiler_free(c->inner);
  free(c->error);
  free(c);
}

MlirContext lacuna_context(const lacuna_compiler *c) {
  return compiler_context(c->inner);
}

const char *lacuna_error(const lacuna_compiler *c) {
  return c->error ? c->error : "";
}

void lacuna_listen(lacuna_compiler *c, lacuna_listener *listener, void *data) {
  compiler_listen(c->inner, listener, data);
}

static void take_error(lacuna_compiler *c, char *message) {
  free(c->error);
  c->error = message;
}

//--- Modules -------------------------------------------------------------------------------------

bool lacuna_load_level_format(lacuna_compiler *c, const char *library) {
  const char *problem = NULL;
  bool loaded = level_format_load(library, &problem);
  take_error(c, problem ? strdup(problem) : NULL);
  return loaded;
}

MlirAttribute lacuna_format(lacuna_compiler *c, const char *name, int order) {
  char *error = NULL, *text = format_from_name(name, order, &error);
  take_error(c, error);
  if (!text)
    return (MlirAttribute){NULL};
  MlirAttribute format = compiler_attribute(c->inner, text);
  if (mlirAttributeIsNull(format))
    take_error(c, strdup(compiler_error(c->inner)));
  free(text);
  return format;
}

MlirType lacuna_tensor_type(int order, const int64_t *dimensions, MlirType element,
                            MlirAttribute format) {
  int64_t sizes[order + 1];
  for (int d = 0; d < order; d++)
    sizes[d] = dimensions && dimensions[d] >= 0 ? dimensions[d] : mlirShapedTypeGetDynamicSize();
  return mlirRankedTensorTypeGetChecked(mlirLocationUnknownGet(mlirTypeGetContext(element)), order,
                                        sizes, element, format);
}

static MlirNamedAttribute attribute(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

static MlirBlock entry_block(intptr_t count, const MlirType *types, MlirLocation location) {
  MlirLocation locations[count + 1];
  for (intptr_t i = 0; i < count; i++)
    locations[i] = location;
  return mlirBlockCreate(count, types, locations);
}

MlirBlock lacuna_function(MlirModule module, const char *name, intptr_t operand_count,
                          const MlirType *operands, intptr_t result_count,
                          const MlirType *results) {
  MlirContext context = mlirModuleGetContext(module);
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirType type = mlirFunctionTypeGet(context, operand_count, operands, result_count, results);
  const MlirNamedAttribute attributes[] = {
      attribute(context, "sym_name",
                mlirStringAttrGet(context, mlirStringRefCreateFromCString(name))),
      attribute(context, "function_type", mlirTypeAttrGet(type))};
  MlirRegion body = mlirRegionCreate();
  MlirBlock block = entry_block(operand_count, operands, location);
  mlirRegionAppendOwnedBlock(body, block);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("func.func"), location);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), mlirOperationCreate(&state));
  return block;
}

void lacuna_return(MlirBlock block, intptr_t count, const MlirValue *values) {
  MlirOperation parent = mlirBlockGetParentOperation(block);
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("func.return"),
                                                   mlirOperationGetLocation(parent));
  mlirOperationStateAddOperands(&state, count, values);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
}

//--- Kernels -------------------------------------------------------------------------------------

lacuna_options lacuna_options_default(void) {
  return (lacuna_options){
      .schedule = "", .threads = 1, .cache = LACUNA_CACHE_MEMORY | LACUNA_CACHE_DISK};
}

static struct lacuna_pipeline_options pipeline_for(const lacuna_options *options) {
  return (struct lacuna_pipeline_options){options->schedule ? options->schedule : "",
                                          options->threads, options->strict, 0, NULL};
}

static machine_options machine_for(const lacuna_options *options) {
  machine_options machine = machine_options_default();
  machine.cache = options->cache & (CACHE_MEMORY | CACHE_DISK);
  return machine;
}

/* What is public is what compiled.h makes, under its own name. */
static lacuna_kernel *give(lacuna_compiler *c, compiled *k, char *error) {
  take_error(c, error);
  return (lacuna_kernel *)k;
}

lacuna_kernel *lacuna_compile(lacuna_compiler *c, MlirModule module,
                              const lacuna_options *options) {
  struct lacuna_pipeline_options pipeline = pipeline_for(options);
  machine_options machine = machine_for(options);
  char *error = NULL;
  if (!compiler_verify(c->inner, module))
    return give(c, NULL, strdup(compiler_error(c->inner)));
  compiled *k = compiled_of_module(c->inner, module, &pipeline, &machine, &error);
  return give(c, k, error);
}

lacuna_kernel *lacuna_compile_text(lacuna_compiler *c, const char *text, const char *name,
                                   const lacuna_options *options) {
  struct lacuna_pipeline_options pipeline = pipeline_for(options);
  machine_options machine = machine_for(options);
  char *error = NULL;
  compiled *k = compiled_create(c->inner, text, name, &pipeline, &machine, NULL, &error);
  return give(c, k, error);
}

void lacuna_kernel_free(lacuna_kernel *k) {
  compiled_free((compiled *)k);
}

int32_t lacuna_call(lacuna_kernel *k, const char *function, void *const *arguments) {
  return compiled_call((compiled *)k, function, arguments);
}

lacuna_entry *lacuna_find(lacuna_kernel *k, const char *function) {
  return compiled_find((compiled *)k, function);
}

int32_t lacuna_check(const lac_tensor *tensor, MlirType type, const char *name) {
  lac_error_clear();
  return tensor_check(tensor, type, name);
}
