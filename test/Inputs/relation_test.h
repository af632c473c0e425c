/* relation_test.h - what tests of relations share: variables by name, calls that show values, a
 * context.
 */
#ifndef RELATION_TEST_H
#define RELATION_TEST_H

#include "ir.h"
#include "provenance.h"
#include "register.h"

#include <mlir-c/RegisterEverything.h>

#include <stdio.h>
#include <string.h>

static void print_text(MlirStringRef text, void *data) {
  fwrite(text.data, 1, text.length, data);
}

static void use(builder *b, const char *what, MlirValue v) {
  call(b, what, (MlirType){NULL}, 1, &v);
}

static MlirValue find(MlirOperation kernel, const char *name) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (text_is(provenance_name(mlirOperationGetResult(op, i)), name))
        return mlirOperationGetResult(op, i);
  return (MlirValue){NULL};
}

static char *replace(arena *memory, const char *text, const char *word, const char *by) {
  const char *at = strstr(text, word);
  return arena_format(memory, "%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
}

/* A module whose first function has the index arguments that values come from, and the code made;
 * its second one the kernel. */
typedef struct relation_test {
  arena *memory;
  MlirModule module;
  MlirOperation function, kernel;
  provenance *graph;
  builder *b;
} relation_test;

static MlirValue argument(const relation_test *t, intptr_t n) {
  return mlirBlockGetArgument(op_block(t->function, 0), n);
}

static relation_test relation_test_begin(MlirContext context, const char *title, arena *memory,
                                         const char *text) {
  relation_test t = {.memory = memory};
  t.module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  t.function = mlirBlockGetFirstOperation(mlirModuleGetBody(t.module));
  MlirOperation second = mlirOperationGetNextInBlock(t.function);
  t.kernel = mlirBlockGetFirstOperation(op_block(second, 0));
  printf("// %s\n", title);
  t.graph = provenance_create(memory, t.kernel);
  t.b = builder_create(context, mlirLocationUnknownGet(context));
  builder_at_end(t.b, op_block(t.function, 0));
  return t;
}

static void relation_test_extents(relation_test *t) {
  provenance_emit_extents(t->graph, t->b, false);
  provenance_emit_extents(t->graph, t->b, true);
}

static void relation_test_end(relation_test *t) {
  builder_free(t->b);
  mlirOperationPrint(t->function, print_text, stdout);
  printf("%s\n", mlirOperationVerify(mlirModuleGetOperation(t->module)) ? "valid" : "INVALID");
  mlirModuleDestroy(t->module);
  arena_free(t->memory);
}

/* ---- Contexts ----------------------------------------------------------------------------- */

typedef struct test_context {
  MlirDialectRegistry registry;
  MlirContext context;
} test_context;

static test_context test_context_begin(void) {
  test_context c = {.registry = mlirDialectRegistryCreate()};
  lacuna_register_dialects(c.registry);
  mlirRegisterAllDialects(c.registry);
  c.context = mlirContextCreateWithRegistry(c.registry, false);
  mlirContextLoadAllAvailableDialects(c.context);
  mlirContextSetAllowUnregisteredDialects(c.context, true);
  return c;
}

static void test_context_end(test_context c) {
  mlirContextDestroy(c.context);
  mlirDialectRegistryDestroy(c.registry);
}

#endif
