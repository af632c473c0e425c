/* The public face of the compiler (lacuna.h). */
#include "lacuna.h"

#include "bridge.h"
#include "compiled.h"
#include "compiler.h"
#include "device_target.h"
#include "expect.h"
#include "failure.h"
#include "format_names.h"
#include "level_format.h"
#include "pipeline.h"
#include "tensor_check.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/Complex.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/Math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far more than any function has. */
enum { MOST_PARAMETERS = 65535 };

static void register_passes(void) {
  lacuna_register_passes();
  lacuna_register_pipeline("sparse-gpu",
                           "Lower sparse tensor algebra to kernels of a GPU, and to "
                           "the LLVM dialect for what launches them",
                           sparse_gpu_pipeline);
  lacuna_register_pipeline("sparse-cpu", "Lower sparse tensor algebra to the LLVM dialect",
                           sparse_cpu_pipeline);
  lacuna_register_pipeline("sit-to-llvm", "Lower sparse iteration to the LLVM dialect",
                           sparse_cpu_pipeline_from_sit);
}

void lacuna_register_all_passes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_passes);
}

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
  return c ? compiler_context(c->inner) : (MlirContext){NULL};
}

/* Of a function that knows the compiler, or a diagnostic in the context since. */
const char *lacuna_error(const lacuna_compiler *c) {
  if (!c)
    return "expected a compiler, found NULL";
  const char *diagnostic = compiler_error(c->inner);
  return *diagnostic || !c->error ? diagnostic : c->error;
}

void lacuna_listen(lacuna_compiler *c, lacuna_listener *listener, void *data) {
  if (c)
    compiler_listen(c->inner, listener, data);
}

/* The error of the last function; `message` becomes the compiler's, NULL is none. */
static void take_error(lacuna_compiler *c, char *message) {
  free(c->error);
  c->error = message;
  compiler_forget(c->inner);
}

/* Whether there is a compiler, and what the function wants of its caller; else with an error. */
static bool is_given(lacuna_compiler *c, const void *wanted, const char *what) {
  char *message = NULL;
  if (!c)
    return false;
  if (!wanted && asprintf(&message, "expected %s, found NULL", what) < 0)
    message = NULL;
  take_error(c, message);
  return wanted;
}

static bool refuse(MlirContext context, const char *message) {
  mlirEmitError(mlirLocationUnknownGet(context), message);
  return false;
}

//--- Modules -------------------------------------------------------------------------------------

bool lacuna_load_level_format(lacuna_compiler *c, const char *library) {
  const char *problem = NULL;
  if (!is_given(c, library, "a library of level formats"))
    return false;
  bool loaded = level_format_load(library, &problem);
  take_error(c, problem ? strdup(problem) : NULL);
  return loaded;
}

MlirAttribute lacuna_format(lacuna_compiler *c, const char *name, int order) {
  if (!is_given(c, name, "the name of a format"))
    return (MlirAttribute){NULL};
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
  int64_t sizes[TIN_GREATEST_ORDER];
  char message[96];
  if (mlirTypeIsNull(element))
    return element;
  MlirContext context = mlirTypeGetContext(element);
  if (order < 0 || order > TIN_GREATEST_ORDER) {
    snprintf(message, sizeof message, "expected a tensor of order 0 to %d, found %d",
             TIN_GREATEST_ORDER, order);
    refuse(context, message);
    return (MlirType){NULL};
  }
  for (int d = 0; d < order; d++)
    sizes[d] = dimensions && dimensions[d] >= 0 ? dimensions[d] : mlirShapedTypeGetDynamicSize();
  return mlirRankedTensorTypeGetChecked(mlirLocationUnknownGet(context), order, sizes, element,
                                        format);
}

static MlirNamedAttribute attribute(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

/* A list of types, or of values, of a function: there, and of no more than anyone writes. */
static bool is_list(MlirContext context, intptr_t count, const void *list, const char *what) {
  char message[128];
  if (count >= 0 && count <= MOST_PARAMETERS && (list || count == 0))
    return true;
  if (count < 0 || count > MOST_PARAMETERS)
    snprintf(message, sizeof message, "expected 0 to %d %s, found %lld", MOST_PARAMETERS, what,
             (long long)count);
  else
    snprintf(message, sizeof message, "expected %lld %s, found NULL", (long long)count, what);
  return refuse(context, message);
}

static bool are_types(MlirContext context, intptr_t count, const MlirType *types,
                      const char *what) {
  if (!is_list(context, count, types, what))
    return false;
  for (intptr_t i = 0; i < count; i++)
    if (mlirTypeIsNull(types[i]))
      return refuse(context, "expected the type of each operand and result, found a null type");
  return true;
}

/* An argument at a time, since each would want a location of its own. */
static MlirBlock entry_block(intptr_t count, const MlirType *types, MlirLocation location) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < count; i++)
    mlirBlockAddArgument(block, types[i], location);
  return block;
}

MlirBlock lacuna_function(MlirModule module, const char *name, intptr_t operand_count,
                          const MlirType *operands, intptr_t result_count,
                          const MlirType *results) {
  const MlirBlock none = {NULL};
  if (mlirModuleIsNull(module))
    return none;
  MlirContext context = mlirModuleGetContext(module);
  if (!are_types(context, operand_count, operands, "types of operands") ||
      !are_types(context, result_count, results, "types of results"))
    return none;
  if (!name || !*name) {
    refuse(context, "expected the name of a function, found none");
    return none;
  }
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

bool lacuna_expect(lacuna_compiler *c, MlirModule module, const char *function,
                   const lac_tensor *const *operands) {
  char *error = NULL;
  if (!is_given(c, module.ptr, "a module") || !is_given(c, function, "the name of a function") ||
      !is_given(c, operands, "tensors"))
    return false;
  bool said = expect_tensors(module, function, operands, &error);
  take_error(c, error);
  return said;
}

static bool are_values(MlirContext context, intptr_t count, const MlirValue *values) {
  if (!is_list(context, count, values, "values to return"))
    return false;
  for (intptr_t i = 0; i < count; i++)
    if (mlirValueIsNull(values[i]))
      return refuse(context, "expected values to return, found a null value");
  return true;
}

void lacuna_return(MlirBlock block, intptr_t count, const MlirValue *values) {
  if (mlirBlockIsNull(block))
    return;
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (mlirOperationIsNull(parent) || !are_values(mlirOperationGetContext(parent), count, values))
    return;
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("func.return"),
                                                   mlirOperationGetLocation(parent));
  mlirOperationStateAddOperands(&state, count, values);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
}

//--- Kernels -------------------------------------------------------------------------------------

lacuna_options lacuna_options_default(void) {
  return (lacuna_options){.schedule = "",
                          .threads = 1,
                          .cache = LACUNA_CACHE_MEMORY | LACUNA_CACHE_DISK,
                          .optimize = MACHINE_LEVEL_USUAL};
}

/* The target is known to be sound. */
static const char *device_for(const lacuna_options *options) {
  const char *device;
  char *error;
  device_target(options->target, false, &device, &error);
  free(error);
  return device;
}

static struct lacuna_pipeline_options pipeline_for(const lacuna_options *options) {
  return (struct lacuna_pipeline_options){.schedule = options->schedule ? options->schedule : "",
                                          .threads = options->threads,
                                          .strict = options->strict,
                                          .deterministic = options->deterministic,
                                          .policies = options->workspaces,
                                          .bytes = expect_bytes(),
                                          .device = device_for(options),
                                          .device_if_able =
                                              device_target_is_optional(options->target)};
}

static machine_options machine_for(const lacuna_options *options) {
  machine_options machine = machine_options_default();
  machine.cache = options->cache & (CACHE_MEMORY | CACHE_DISK);
  machine.cpu = options->cpu;
  machine.level = options->optimize;
  return machine;
}

static bool is_within(const char *what, int64_t value, int64_t least, int64_t most, char **error) {
  return (value >= least && value <= most) ||
         failure_tell(error, "%s: expected %lld to %lld, found %lld", what, (long long)least,
                      (long long)most, (long long)value);
}

static bool options_are_sound(lacuna_compiler *c, const lacuna_options *options) {
  char *message = NULL;
  const char *device;
  bool sound =
      is_within("threads", options->threads, 0, PARALLEL_THREADS, &message) &&
      is_within("optimize", options->optimize, MACHINE_LEVEL_USUAL, MACHINE_LEVEL_MOST, &message) &&
      device_target(options->target, true, &device, &message);
  if (!sound)
    take_error(c, message);
  return sound;
}

/* What is public is what compiled.h makes, under its own name. */
static lacuna_kernel *give(lacuna_compiler *c, compiled *k, char *error) {
  take_error(c, error);
  return (lacuna_kernel *)k;
}

lacuna_kernel *lacuna_compile(lacuna_compiler *c, MlirModule module,
                              const lacuna_options *options) {
  const lacuna_options defaults = lacuna_options_default();
  options = options ? options : &defaults;
  if (!is_given(c, module.ptr, "a module") || !options_are_sound(c, options))
    return NULL;
  if (!mlirContextEqual(mlirModuleGetContext(module), lacuna_context(c)))
    return give(c, NULL, strdup("expected a module of the compiler's context, found another's"));
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
  const lacuna_options defaults = lacuna_options_default();
  options = options ? options : &defaults;
  if (!is_given(c, text, "the text of a program") || !options_are_sound(c, options))
    return NULL;
  struct lacuna_pipeline_options pipeline = pipeline_for(options);
  machine_options machine = machine_for(options);
  char *error = NULL;
  compiled *k = compiled_create(c->inner, text, name, &pipeline, &machine, NULL, &error);
  return give(c, k, error);
}

void lacuna_kernel_free(lacuna_kernel *k) {
  compiled_free((compiled *)k);
}

static bool can_be_found(const lacuna_kernel *k, const char *function) {
  if (k && function)
    return true;
  lac_error_missing(k ? "the name of a function" : "a kernel");
  return false;
}

int32_t lacuna_call(lacuna_kernel *k, const char *function, void *const *arguments) {
  return can_be_found(k, function) ? compiled_call((compiled *)k, function, arguments)
                                   : LAC_ERROR_FORMAT;
}

lacuna_entry *lacuna_find(lacuna_kernel *k, const char *function) {
  return can_be_found(k, function) ? compiled_find((compiled *)k, function) : NULL;
}

int32_t lacuna_check(const lac_tensor *tensor, MlirType type, const char *name) {
  lac_error_clear();
  if (!tensor || mlirTypeIsNull(type))
    return lac_error_missing(tensor ? "the type of a stored tensor" : "a tensor to check");
  return tensor_check(tensor, type, name ? name : "tensor");
}
