/* einsum_text.c - lends the parser of statements to tin.einsum's own (tin.h), so that a text is
 * read where it stands. */
#include "bridge.h"
#include "einsum_parser.h"
#include "tin.h"

static const char *problem_of(arena *memory, MlirStringRef text, int *column) {
  einsum_error error;
  if (einsum_parse(memory, text.data, text.length, &error))
    return NULL;
  *column = error.column;
  return error.message;
}

void lacuna_read_texts(void) {
  tinTextReaderSet(problem_of);
}
