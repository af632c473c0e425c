/* What MLIR's parser must not be given (module_text.h). */
#include "module_text.h"

#include <string.h>

enum { DEEPEST = 500 };

typedef struct scan {
  const char *at, *end;
} scan;

static bool starts_with(const scan *s, const char *word) {
  size_t length = strlen(word);
  return (size_t)(s->end - s->at) >= length && !memcmp(s->at, word, length);
}

static void skip_string(scan *s) {
  for (s->at++; s->at < s->end && *s->at != '"' && *s->at != '\n'; s->at++)
    if (*s->at == '\\' && s->at + 1 < s->end)
      s->at++;
}

static void skip_comment(scan *s) {
  while (s->at + 1 < s->end && s->at[1] != '\n')
    s->at++;
}

static bool is_array_of_index(const scan *s) {
  scan rest = *s;
  if (!starts_with(s, "array"))
    return false;
  for (rest.at += 5; rest.at < rest.end && strchr(" \t\r\n<", *rest.at) && *rest.at;)
    rest.at++;
  return rest.at > s->at + 5 && starts_with(&rest, "index");
}

static bool fail(const char *text, const char *place, const char *message,
                 module_text_problem *problem) {
  *problem = (module_text_problem){1, 1, message};
  for (const char *c = text; c < place; c++) {
    problem->column = *c == '\n' ? 1 : problem->column + 1;
    problem->line += *c == '\n';
  }
  return false;
}

bool module_text_is_sound(const char *text, size_t length, module_text_problem *problem) {
  int depth = 0;
  for (scan s = {text, text + length}; s.at < s.end; s.at++) {
    if (*s.at == '"')
      skip_string(&s);
    else if (starts_with(&s, "//"))
      skip_comment(&s);
    else if (*s.at && strchr("([{<", *s.at))
      depth++;
    else if (starts_with(&s, "->"))
      s.at++;
    else if (*s.at && strchr(")]}>", *s.at) && depth > 0)
      depth--;
    else if (is_array_of_index(&s))
      return fail(text, s.at, "expected an array of integers or floats, found array<index",
                  problem);
    if (depth > DEEPEST)
      return fail(text, s.at, "expected brackets nested at most 500 deep, found more", problem);
  }
  return true;
}
