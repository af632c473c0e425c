/* Formats by name.  Each name is a pattern over levels: what the first level is, what the others
 * are, and in which order the dimensions come.
 *
 *     csr   dense, compressed            csc   the same, dimensions reversed
 *     coo   compressed(nonunique), singleton(nonunique) ..., singleton
 */
#include "format_names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ORDER = 32, TEXT_SIZE = 8192 };

typedef struct named_format {
  const char *name;
  int order; /* 0: any */
  const char *first, *middle, *last;
  bool reversed;
} named_format;

static const named_format named_formats[] = {
    {"dense", 0, "dense", "dense", "dense", false},
    {"compressed", 1, "compressed", NULL, NULL, false},
    {"csr", 2, "dense", NULL, "compressed", false},
    {"csc", 2, "dense", NULL, "compressed", true},
    {"dcsr", 2, "compressed", NULL, "compressed", false},
    {"dcsc", 2, "compressed", NULL, "compressed", true},
    {"csf", 0, "compressed", "compressed", "compressed", false},
    {"coo", 0, "compressed(nonunique)", "singleton(nonunique)", "singleton", false},
};
enum { NAMED_FORMATS = sizeof named_formats / sizeof named_formats[0] };

const char *format_names(void) {
  return "dense compressed csr csc dcsr dcsc csf coo";
}

static char *fail(char **error, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  *error = strdup(text);
  return NULL;
}

static const named_format *find_name(const char *name, size_t length) {
  for (int i = 0; i < NAMED_FORMATS; i++)
    if (strlen(named_formats[i].name) == length && !strncmp(named_formats[i].name, name, length))
      return &named_formats[i];
  return NULL;
}

static const char *level_of_name(const named_format *format, int level, int order) {
  if (level == 0)
    return order == 1 && !strcmp(format->name, "coo") ? "compressed" : format->first;
  return level == order - 1 ? format->last : format->middle;
}

/* The mode order after a colon: a permutation of 0 to order-1; identity (or reversed) without one.
 */
static bool parse_mode_order(const char *text, int order, bool reversed, int *modes, char **error) {
  bool seen[MAX_ORDER] = {false};
  for (int level = 0; level < order; level++)
    modes[level] = reversed ? order - 1 - level : level;
  if (!text)
    return true;
  const char *at = text;
  for (int level = 0; level < order; level++) {
    char *end;
    long mode = strtol(at, &end, 10);
    bool last = level == order - 1;
    if (!isdigit((unsigned char)*at) || mode < 0 || mode >= order || seen[mode] ||
        *end != (last ? '\0' : ','))
      return fail(error, "expected a mode order of the %d dimensions such as ':1,0', found ':%s'",
                  order, text);
    seen[mode] = true;
    modes[level] = (int)mode;
    at = end + 1;
  }
  return true;
}

static void append(char *text, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
  va_end(arguments);
}

static void append_dimensions(char *text, int order) {
  append(text, "#tin.format<(");
  for (int d = 0; d < order; d++)
    append(text, "%sd%d", d ? ", " : "", d);
  append(text, ") -> (");
}

/* Splits `compressed(nonunique), dense` at the commas outside parentheses: one level each. */
static int split_levels(const char *list, size_t length, const char **starts, size_t *lengths) {
  int count = 0, depth = 0;
  size_t start = 0;
  for (size_t at = 0; at <= length; at++) {
    char c = at < length ? list[at] : ',';
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || (depth > 0 && at < length))
      continue;
    if (count == MAX_ORDER)
      return -1;
    starts[count] = list + start;
    lengths[count++] = at - start;
    start = at + 1;
  }
  return count;
}

/* The colon before a mode order: after the last parenthesis. */
static const char *find_mode_order(const char *spec) {
  const char *colon = strrchr(spec, ':');
  const char *parenthesis = strrchr(spec, ')');
  return colon && (!parenthesis || colon > parenthesis) ? colon : NULL;
}

static char *format_from_levels(const char *spec, size_t length, const char *mode_text, int order,
                                char **error) {
  const char *starts[MAX_ORDER];
  size_t lengths[MAX_ORDER];
  int modes[MAX_ORDER];
  int count = split_levels(spec, length, starts, lengths);
  if (count != order)
    return fail(error, "format '%s' has %d levels, the tensor has %d dimensions", spec, count,
                order);
  if (!parse_mode_order(mode_text, order, false, modes, error))
    return NULL;
  char text[TEXT_SIZE] = "";
  append_dimensions(text, order);
  for (int level = 0; level < order; level++)
    append(text, "%sd%d : %.*s", level ? ", " : "", modes[level], (int)lengths[level],
           starts[level]);
  append(text, ")>");
  return strdup(text);
}

static char *format_from_known_name(const named_format *format, const char *mode_text, int order,
                                    char **error) {
  int modes[MAX_ORDER];
  if (format->order && format->order != order)
    return fail(error, "format '%s' is for tensors of order %d, found order %d", format->name,
                format->order, order);
  if (!parse_mode_order(mode_text, order, format->reversed, modes, error))
    return NULL;
  char text[TEXT_SIZE] = "";
  append_dimensions(text, order);
  for (int level = 0; level < order; level++)
    append(text, "%sd%d : %s", level ? ", " : "", modes[level],
           level_of_name(format, level, order));
  append(text, ")>");
  return strdup(text);
}

char *format_from_name(const char *spec, int order, char **error) {
  char text[TEXT_SIZE] = "";
  if (order > MAX_ORDER)
    return fail(error, "a tensor has at most %d dimensions, found %d", MAX_ORDER, order);
  if (strlen(spec) > TEXT_SIZE / 4)
    return fail(error, "a format text has at most %d characters", TEXT_SIZE / 4);
  if (!strncmp(spec, "#tin.format<", 12))
    return strdup(spec);
  if (spec[0] == '(') {
    append(text, "#tin.format<%s>", spec);
    return strdup(text);
  }
  const char *colon = find_mode_order(spec);
  size_t length = colon ? (size_t)(colon - spec) : strlen(spec);
  const char *modes = colon ? colon + 1 : NULL;
  const named_format *format = find_name(spec, length);
  if (format)
    return format_from_known_name(format, modes, order, error);
  if (memchr(spec, ',', length) || order == 1)
    return format_from_levels(spec, length, modes, order, error);
  return fail(error,
              "unknown format '%s'; expected one of %s, a list of levels such as "
              "dense,compressed:1,0, or the text of a #tin.format",
              spec, format_names());
}

char *format_of_coordinates(int order, const int *level_to_dimension) {
  char text[TEXT_SIZE] = "";
  append_dimensions(text, order);
  for (int level = 0; level < order; level++)
    append(text, "%sd%d : %s(nonunique)", level ? ", " : "", level_to_dimension[level],
           level == 0 ? "compressed" : "singleton");
  append(text, ")>");
  return strdup(text);
}
