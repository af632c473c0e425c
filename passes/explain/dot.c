/* dot.c - pictures of a module: what they share (dot.h). */
#include "dot.h"

#include <string.h>

const char *dot_text(arena *memory, MlirStringRef text) {
  char *quoted = arena_alloc(memory, 2 * text.length + 3), *at = quoted;
  *at++ = '"';
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] == '"' || text.data[i] == '\\')
      *at++ = '\\';
    *at++ = text.data[i];
  }
  *at++ = '"';
  *at = '\0';
  return quoted;
}

void dot_begin(arena *memory, FILE *out, const char *kind, const char *title) {
  const char *whole = arena_format(memory, "%s: %s", kind, title);
  const char *quoted = dot_text(memory, mlirStringRefCreateFromCString(whole));
  fprintf(out, "digraph %s {\n  label = %s;\n  labelloc = t;\n", quoted, quoted);
}

void dot_end(FILE *out) {
  fputs("}\n", out);
}

void dot_write(arena *memory, MlirOperation module, FILE *out) {
  dot_iteration_graphs(memory, module, out);
  dot_provenance_graphs(memory, module, out);
  dot_merge_lattices(memory, module, out);
}
