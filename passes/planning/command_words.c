/* command_words.c - see command_words.h. */
#include "command_words.h"

/* "2*i+k-1" */
static const char *subscript_words(const statement *s, MlirAffineExpr subscript) {
  remap form;
  const char *words = "";
  if (mlirAffineExprIsADim(subscript))
    return s->variables[mlirAffineDimExprGetPosition(subscript)];
  remap_of(subscript, &form);
  for (int n = 0; n < form.count; n++) {
    remap_term term = remap_term_at(&form, n);
    const char *name = s->variables[mlirAffineDimExprGetPosition(term.of)];
    words = term.factor == 1 ? arena_format(s->memory, "%s%s%s", words, n ? "+" : "", name)
                             : arena_format(s->memory, "%s%s%ld*%s", words, n ? "+" : "",
                                            (long)term.factor, name);
  }
  return form.constant ? arena_format(s->memory, "%s%+ld", words, (long)form.constant) : words;
}

const char *access_in_command(const statement *s, const access *a) {
  const char *words =
      arena_format(s->memory, "%s%s(", a->name, mlirAttributeIsNull(a->pad) ? "" : "[pad]");
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(a->map); d++)
    words = arena_format(s->memory, "%s%s%s", words, d ? "," : "",
                         subscript_words(s, remap_canonical(mlirAffineMapGetResult(a->map, d))));
  return arena_format(s->memory, "%s)", words);
}

const char *variables_in_command(const statement *s, const int *variables, int count) {
  const char *words = "";
  for (int n = 0; n < count; n++)
    words = arena_format(s->memory, "%s%s%s", words, n ? "," : "", s->variables[variables[n]]);
  return words;
}
