/* A compiler that a fuzzer keeps over many inputs. */
#include "session.h"

#include "pipeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS_OF_A_COMPILER = 500 };

/* What LLVM's shared libraries, which are not instrumented, take from its allocators looks poisoned
 * to code of its headers that is. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allow_user_poisoning=0:allocator_may_return_null=1";
}

compiler *session_compiler(void) {
  static compiler *c;
  static int inputs;
  if (inputs++ % INPUTS_OF_A_COMPILER == 0) {
    compiler_free(c);
    c = compiler_create();
  }
  if (!c)
    session_finding("no compiler");
  return c;
}

char *session_text(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    session_finding("no memory");
  if (size)
    memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

void session_finding(const char *format, ...) {
  va_list arguments;
  fputs("finding: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  abort();
}

static void expect_message(compiler *c, const char *what) {
  if (!*compiler_error(c))
    session_finding("%s failed without a message", what);
}

void session_lower(const char *text, const char *schedule, int64_t threads) {
  compiler *c = session_compiler();
  MlirModule module = compiler_parse(c, text, "input");
  if (mlirModuleIsNull(module)) {
    expect_message(c, "the parser");
    return;
  }
  char *pipeline = sparse_cpu_pipeline(
      &(struct lacuna_pipeline_options){.schedule = schedule, .threads = threads});
  if (pipeline && !compiler_run(c, module, pipeline, CHECK_EACH))
    expect_message(c, "the pipeline");
  free(pipeline);
  mlirModuleDestroy(module);
}
