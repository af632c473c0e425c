/* Fuzzes the text of formats: names, lists of levels and #tin.format.
 *
 *     name --> text --parse--> #tin.format --print--> text --parse--> the same attribute
 */
#include "session.h"

#include "format_names.h"
#include "tensor_levels.h"
#include "tokens.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    "dense",      "compressed", "singleton", "(nonunique)", "(nonunique, unordered)",
    "csr",        "coo",        "csf",       ":1,0",        "#tin.format<",
    "->",         "pos = 32",   "crd = 8",   "floordiv 4",  "mod 4",
    "#i",         "(i, j)",     "i",         "j - i",       ">",
    "accumulator"};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  const char *list[sizeof words / sizeof *words + 1] = {0};
  memcpy(list, words, sizeof words);
  return seed % 3 == 0 ? LLVMFuzzerMutate(data, size, room)
                       : tokens_mutate(data, size, room, seed, list);
}

typedef struct text {
  char bytes[65536];
  size_t length;
} text;

static void append(MlirStringRef piece, void *data) {
  text *t = data;
  for (size_t i = 0; i < piece.length && t->length + 1 < sizeof t->bytes; i++)
    t->bytes[t->length++] = piece.data[i];
  t->bytes[t->length] = '\0';
}

/* MLIR's parser looks at more than the attribute; what has a line's end or a quote in it is left to
 * the programs. */
static bool is_one_attribute(const char *spec) {
  return !strncmp(spec, "#tin.", 5) && strlen(spec) < 2000;
}

static void expect_round_trip(compiler *c, MlirAttribute attribute) {
  static text printed;
  printed.length = 0;
  mlirAttributePrint(attribute, append, &printed);
  MlirAttribute again = compiler_attribute(c, printed.bytes);
  if (!mlirAttributeEqual(attribute, again))
    session_finding("a format prints as what is another one: %s", printed.bytes);
}

static void parse(const char *spec, int order) {
  compiler *c = session_compiler();
  arena *memory = arena_create();
  MlirAttribute attribute = compiler_attribute(c, spec);
  if (!mlirAttributeIsNull(attribute))
    expect_round_trip(c, attribute);
  else if (!*compiler_error(c))
    session_finding("a format does not parse, without a message: %s", spec);
  tensor_level_order(c, memory, spec, order);
  arena_free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *spec = session_text(data, size), *error = NULL;
  int order = 1 + (int)(size % 5);
  for (int o = 0; o < 2; o++, order = 2) {
    char *format = format_from_name(spec, order, &error);
    if (!format && !error)
      session_finding("a format is refused without a message");
    if (format && is_one_attribute(format))
      parse(format, order);
    free(format);
    free(error);
    error = NULL;
  }
  free(spec);
  return 0;
}
