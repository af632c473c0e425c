/* A context with the dialects that the sparse-cpu pipeline meets, and its diagnostics as text. */
#include "compiler.h"

#include "lacuna.h"
#include "module_text.h"
#include "tin.h"

#include <mlir-c/Diagnostics.h>
#include <mlir-c/Pass.h>
#include <mlir-c/RegisterEverything.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compiler {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  char *error;
  char source_name[512]; /* of the text parsed last; MLIR calls it "-" */
  compiler_listener *listener;
  void *listener_data;
  FILE *record;
};

/* Text that grows, as MLIR's printers hand it out piece by piece. */
typedef struct text {
  char *bytes;
  size_t length;
} text;

static void text_append(MlirStringRef piece, void *data) {
  text *t = data;
  char *grown = realloc(t->bytes, t->length + piece.length + 1);
  if (!grown)
    return;
  memcpy(grown + t->length, piece.data, piece.length);
  t->bytes = grown;
  t->length += piece.length;
  t->bytes[t->length] = '\0';
}

static void text_append_c(text *t, const char *piece) {
  text_append(mlirStringRefCreateFromCString(piece), t);
}

static void append_location(text *t, const compiler *c, MlirLocation location) {
  if (mlirLocationIsAName(location))
    location = mlirLocationNameGetChildLoc(location);
  if (!c->source_name[0] || !mlirLocationIsAFileLineColRange(location) ||
      mlirLocationFileLineColRangeGetStartLine(location) == 0)
    return;
  char place[64];
  MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  if (file.length == 1 && file.data[0] == '-')
    text_append_c(t, c->source_name);
  else
    text_append(file, t);
  snprintf(place, sizeof place, ":%d:%d: ", mlirLocationFileLineColRangeGetStartLine(location),
           mlirLocationFileLineColRangeGetStartColumn(location));
  text_append_c(t, place);
}

static const char *severity_name(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return "error";
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  default:
    return "remark";
  }
}

void compiler_tell(const compiler *c, const char *severity, const char *message) {
  if (c->listener)
    c->listener(c->listener_data, severity, message);
  if (c->record)
    fprintf(c->record, "%s%c%s%c", severity, '\0', message, '\0');
}

static MlirLogicalResult take_diagnostic(MlirDiagnostic diagnostic, void *data) {
  compiler *c = data;
  text message = {NULL, 0};
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  if (severity == MlirDiagnosticError)
    append_location(&message, c, mlirDiagnosticGetLocation(diagnostic));
  mlirDiagnosticPrint(diagnostic, text_append, &message);
  if (severity != MlirDiagnosticError && message.bytes)
    compiler_tell(c, severity_name(severity), message.bytes);
  if (severity == MlirDiagnosticError && !c->error)
    c->error = message.bytes;
  else
    free(message.bytes);
  return mlirLogicalResultSuccess();
}

static void register_passes(void) {
  mlirRegisterAllPasses();
  lacuna_register_all_passes();
}

compiler *compiler_create(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_passes);
  compiler *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  lacuna_register_dialects(registry);
  c->context = mlirContextCreateWithRegistry(registry, false);
  /* a program of plain tensors has them stored by a format too */
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tin__(), c->context);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(c->context);
  c->handler = mlirContextAttachDiagnosticHandler(c->context, take_diagnostic, c, NULL);
  return c;
}

void compiler_free(compiler *c) {
  if (!c)
    return;
  mlirContextDetachDiagnosticHandler(c->context, c->handler);
  mlirContextDestroy(c->context);
  free(c->error);
  free(c);
}

MlirContext compiler_context(const compiler *c) {
  return c->context;
}

void compiler_forget(compiler *c) {
  free(c->error);
  c->error = NULL;
}

const char *compiler_error(const compiler *c) {
  return c->error ? c->error : "";
}

void compiler_listen(compiler *c, compiler_listener *listener, void *data) {
  c->listener = listener;
  c->listener_data = data;
}

/* MLIR calls a text without a file's name "-". */
static bool may_parse(compiler *c, const char *source) {
  module_text_problem problem;
  if (module_text_is_sound(source, strlen(source), &problem))
    return true;
  MlirStringRef file = mlirStringRefCreateFromCString("-");
  mlirEmitError(mlirLocationFileLineColGet(c->context, file, (unsigned)problem.line,
                                           (unsigned)problem.column),
                problem.message);
  return false;
}

void compiler_record(compiler *c, FILE *record) {
  c->record = record;
}

void compiler_fail(compiler *c, const char *message) {
  if (!c->error)
    c->error = strdup(message);
}

MlirModule compiler_parse(compiler *c, const char *source, const char *name) {
  compiler_forget(c);
  snprintf(c->source_name, sizeof c->source_name, "%s", name ? name : "");
  if (!may_parse(c, source))
    return (MlirModule){NULL};
  return mlirModuleCreateParse(c->context, mlirStringRefCreateFromCString(source));
}

MlirAttribute compiler_attribute(compiler *c, const char *source) {
  compiler_forget(c);
  if (!may_parse(c, source))
    return (MlirAttribute){NULL};
  return mlirAttributeParseGet(c->context, mlirStringRefCreateFromCString(source));
}

bool compiler_verify(compiler *c, MlirModule module) {
  compiler_forget(c);
  return mlirOperationVerify(mlirModuleGetOperation(module));
}

/* What our own passes leave is verified after each of them in builds with assertions, else once. */
static bool verifies_each(compiler_check check) {
#ifdef NDEBUG
  return check == CHECK_EACH;
#else
  (void)check;
  return true;
#endif
}

bool compiler_run(compiler *c, MlirModule module, const char *pipeline, compiler_check check) {
  compiler_forget(c);
  text problem = {NULL, 0};
  MlirPassManager manager = mlirPassManagerCreate(c->context);
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  bool each = verifies_each(check);
  mlirPassManagerEnableVerifier(manager, each);
  bool done = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
      passes, mlirStringRefCreateFromCString(pipeline), text_append, &problem));
  if (done)
    done =
        mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  done =
      done && (each || check == CHECK_LATER || mlirOperationVerify(mlirModuleGetOperation(module)));
  if (!done && !c->error && problem.bytes) {
    c->error = problem.bytes;
    problem.bytes = NULL;
  }
  free(problem.bytes);
  return done;
}
