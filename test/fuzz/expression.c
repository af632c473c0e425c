/* Fuzzes the parser of expressions, and the compiler on those that parse, all tensors dense or all
 * sparse.  A message names a column inside the text. */
#include "session.h"

#include "arena.h"
#include "einsum_parser.h"
#include "format_names.h"
#include "statement_spec.h"
#include "tokens.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_ORDER = 4, MOST_TENSORS = 6, LONGEST_COMPILED = 120 };

static const char *const words[] = {
    "+",   "-",   "*",  "/",    "(", ")",      ",",    "=",    "+=",      "i",
    "j",   "k",   "A",  "x",    "y", "A(i,j)", "x(j)", "max(", "sqrt(",   "2*i",
    "i+j", "1e3", ".5", "abs(", "^", "<",      ">=",   "==",   "select(", "real("};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  const char *list[sizeof words / sizeof *words + 1] = {0};
  memcpy(list, words, sizeof words);
  return seed % 4 == 0 ? LLVMFuzzerMutate(data, size, room)
                       : tokens_mutate(data, size, room, seed, list);
}

static void fill(statement_tensor *t, const char *name, int order, bool sparse) {
  char *error = NULL;
  *t = (statement_tensor){.name = name, .order = order, .type = LAC_F64};
  if (order)
    t->format = format_from_name(sparse ? "csf" : "dense", order, &error);
  free(error);
}

static bool is_small(const einsum *e) {
  for (int i = 0; i < e->tensor_count; i++)
    if (e->tensors[i].order > LARGEST_ORDER)
      return false;
  return e->tensor_count <= MOST_TENSORS && e->result_access.order <= LARGEST_ORDER;
}

static void compile(const einsum *e, const char *expression, bool sparse) {
  statement_tensor operands[MOST_TENSORS];
  statement_spec s = {
      .expression = expression, .operand_count = e->tensor_count, .operands = operands};
  fill(&s.result, e->result, e->result_access.order, sparse);
  for (int i = 0; i < e->tensor_count; i++)
    fill(&operands[i], e->tensors[i].name, e->tensors[i].order, sparse);
  char *text = statement_text(&s, false);
  session_lower(text, "", 1 + sparse);
  free(text);
  free((char *)s.result.format);
  for (int i = 0; i < e->tensor_count; i++)
    free((char *)operands[i].format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *memory = arena_create();
  einsum_error error;
  const einsum *e = einsum_parse(memory, (const char *)data, size, &error);
  if (!e && (error.column < 1 || error.column > (int)size + 1))
    session_finding("column %d of %zu: %s", error.column, size, error.message);
  if (!e)
    einsum_error_text(memory, (const char *)data, size, &error);
  if (e && size <= LONGEST_COMPILED && is_small(e)) {
    char *expression = session_text(data, size);
    compile(e, expression, size % 2);
    free(expression);
  }
  arena_free(memory);
  return 0;
}
