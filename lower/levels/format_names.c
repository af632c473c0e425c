/* Formats by name.  Each name is a pattern over levels: what the first level is, what the others
 * are, and in which order the dimensions come.
 *
 *     csr   dense, compressed            csc   the same, dimensions reversed
 *     coo   compressed(nonunique), singleton(nonunique) ..., singleton
 *
 * Or, of matrices whose levels hold blocks or diagonals, the text of the levels; or a list of dense
 * blocks of any order, by their sizes.
 */
#include "format_names.h"

#include "lac_ascii.h"
#include "level_format.h"
#include "nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ORDER = TIN_GREATEST_ORDER, TEXT_SIZE = 8192 };

/* In the first level # stands for the order, in the others for the level's number. */
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
    {"coo-aos", 0, "tuples(#, nonunique)", "element(#, nonunique)", "element(#)", false},
    {"bitmap", 0, "dense", "dense", "bitmap", false},
    {"hash", 0, "dense", "dense", "hashed", false},
    {"band", 0, "dense", "dense", "banded", false},
};
enum { NAMED_FORMATS = sizeof named_formats / sizeof named_formats[0] };

const char *format_names(void) {
  return "dense compressed csr csc dcsr dcsc csf coo coo-aos bitmap hash band dia bcsr:RxC "
         "bcsc:RxC csb:RxC bcoo:RxC mode-generic:BxBx... ell sell:R nm:NxM "
         "sym:FORMAT";
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
    return order > 1                          ? format->first
           : !strcmp(format->name, "coo")     ? "compressed"
           : !strcmp(format->name, "coo-aos") ? "tuples(#)"
           : !strcmp(format->first, "dense")  ? format->last
                                              : format->first;
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
    if (!lac_is_digit(*at) || mode < 0 || mode >= order || seen[mode] ||
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

/* "element(#)", where # stands for a number. */
static void append_numbered(char *text, const char *pattern, int number) {
  const char *mark = strchr(pattern, '#');
  if (mark)
    append(text, "%.*s%d%s", (int)(mark - pattern), pattern, number, mark + 1);
  else
    append(text, "%s", pattern);
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
  for (int level = 0; level < order; level++) {
    append(text, "%sd%d : ", level ? ", " : "", modes[level]);
    append_numbered(text, level_of_name(format, level, order), level ? level : order);
  }
  append(text, ")>");
  return strdup(text);
}

/*--- Matrices in blocks and diagonals -----------------------------------------------------------*/

/* R and C stand for the sizes of a block, `sizes` says how many of them are given, and `least` is
 * the smallest one.  All
 * coordinates stored are places `within` a block: they take as few bits as it needs. */
typedef struct matrix_format {
  const char *name;
  int sizes, least;
  const char *levels;
  bool within;
} matrix_format;

static const matrix_format matrix_formats[] = {
    {"ell", 0, 0, "#d0 : sliced, d0 : dense, d1 : padded", false},
    {"sell", 1, 1, "d0 floordiv R : dense, #d0 : sliced, d0 mod R : dense, d1 : padded", false},
    {"nm", 2, 1, "d0 : dense, d1 floordiv C : dense, d1 mod C : nm(R)", false},
    {"dia", 0, 0, "d1 - d0 : compressed, d0 : range, d1 : offset", false},
    {"bcsr", 2, 1,
     "d0 floordiv R : dense, d1 floordiv C : compressed, d0 mod R : dense, d1 mod C : dense",
     false},
    {"bcsc", 2, 1,
     "d1 floordiv C : dense, d0 floordiv R : compressed, d1 mod C : dense, d0 mod R : dense",
     false},
    {"csb", 2, 2,
     "d1 floordiv C : dense, d0 floordiv R : dense, d0 mod R : compressed(nonunique), "
     "d1 mod C : singleton",
     true},
    {"bcoo", 2, 2,
     "d0 floordiv R : compressed(nonunique), d1 floordiv C : singleton, d0 mod R : dense, "
     "d1 mod C : dense",
     false},
};
enum { MATRIX_FORMATS = sizeof matrix_formats / sizeof matrix_formats[0] };

static const matrix_format *find_matrix(const char *name, size_t length) {
  for (int i = 0; i < MATRIX_FORMATS; i++)
    if (strlen(matrix_formats[i].name) == length && !strncmp(matrix_formats[i].name, name, length))
      return &matrix_formats[i];
  return NULL;
}

static bool is_size(const matrix_format *format, long size) {
  return size >= format->least && size <= 1 << 30;
}

/* "32" */
static bool parse_rows(const matrix_format *format, const char *text, long *rows, char **error) {
  char *end = NULL;
  *rows = text ? strtol(text, &end, 10) : 0;
  if (end && end > text && *end == '\0' && is_size(format, *rows))
    return true;
  return fail(error, "expected the rows of a slice, %d or more, such as '%s:32', found '%s%s%s'",
              format->least, format->name, format->name, text ? ":" : "", text ? text : "");
}

/* "4x4" */
static bool parse_block(const matrix_format *format, const char *text, long *rows, long *columns,
                        char **error) {
  char *end = NULL;
  *rows = text ? strtol(text, &end, 10) : 0;
  *columns = text && end > text && *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (is_size(format, *rows) && is_size(format, *columns) && end && *end == '\0')
    return true;
  return fail(error,
              "expected the rows and columns of a block, %d or more, such as '%s:4x4', found "
              "'%s%s%s'",
              format->least, format->name, format->name, text ? ":" : "", text ? text : "");
}

/* The sizes instead of R and C. */
static void append_sized(char *text, const char *part, size_t length, long rows, long columns) {
  for (size_t i = 0; i < length; i++)
    if (part[i] == 'R' || part[i] == 'C')
      append(text, "%ld", part[i] == 'R' ? rows : columns);
    else
      append(text, "%c", part[i]);
}

/* A level of a block of size 1 holds the whole dimension, or nothing. */
static void append_level(char *text, const char *level, size_t length, long rows, long columns) {
  size_t expression = (size_t)((const char *)memchr(level, ':', length) - level);
  const char *size = memchr(level, 'R', expression);
  size = size ? size : memchr(level, 'C', expression);
  long block = !size ? 0 : *size == 'R' ? rows : columns;
  if (block == 1 && strncmp(level + 3, "mod", 3) == 0)
    return;
  append(text, "%s", text[strlen(text) - 1] != '(' ? ", " : "");
  if (block == 1)
    append(text, "%.2s ", level);
  else
    append_sized(text, level, expression, rows, columns);
  append_sized(text, level + expression, length - expression, rows, columns);
}

static int bits_below(long size) {
  return size <= 1 << 8 ? 8 : size <= 1 << 16 ? 16 : 32;
}

static char *format_from_matrix(const matrix_format *format, const char *arguments, int order,
                                char **error) {
  long rows = 0, columns = 0;
  char text[TEXT_SIZE] = "";
  if (order != 2)
    return fail(error, "format '%s' is for tensors of order 2, found order %d", format->name,
                order);
  if (format->sizes == 1 && !parse_rows(format, arguments, &rows, error))
    return NULL;
  if (format->sizes == 2 && !parse_block(format, arguments, &rows, &columns, error))
    return NULL;
  if (!format->sizes && arguments)
    return fail(error, "expected nothing after '%s', found ':%s'", format->name, arguments);
  append_dimensions(text, order);
  const char *starts[MAX_ORDER];
  size_t lengths[MAX_ORDER];
  int count = split_levels(format->levels, strlen(format->levels), starts, lengths);
  for (int l = 0; l < count; l++) {
    size_t space = strspn(starts[l], " ");
    append_level(text, starts[l] + space, lengths[l] - space, rows, columns);
  }
  append(text, ")");
  if (format->within)
    append(text, ", crd = %d", bits_below(rows > columns ? rows : columns));
  append(text, ">");
  return strdup(text);
}

/*--- Coordinate lists of dense blocks
 * ------------------------------------------------------------*/

/* "4x1x0", the sizes of a block (Baskaran et al. 2012, mode-generic): of each dimension so many
 * coordinates, 1 for a dimension that has a coordinate in the list, 0 for one that is whole in each
 * block. */
static bool parse_sizes(const char *text, int order, long *sizes, char **error) {
  const char *at = text ? text : "";
  for (int d = 0; d < order; d++) {
    char *end;
    sizes[d] = strtol(at, &end, 10);
    if (!lac_is_digit(*at) || sizes[d] > 1 << 30 || *end != (d + 1 < order ? 'x' : '\0'))
      return fail(error,
                  "expected the size of a block in each of %d dimensions (1: not blocked, 0: all "
                  "of it), such as 'mode-generic:%s', found 'mode-generic%s%s'",
                  order,
                  order == 1   ? "4"
                  : order == 2 ? "4x4"
                               : "4x4x1",
                  text ? ":" : "", text ? text : "");
    at = end + 1;
  }
  return true;
}

/* The level of the list that holds the coordinates, or the blocks, of dimension d. */
static void append_listed(char *text, int d, long size, bool first, bool last) {
  append(text, "%sd%d", first ? "" : ", ", d);
  if (size > 1)
    append(text, " floordiv %ld", size);
  append(text, " : %s%s", first ? "compressed" : "singleton", last ? "" : "(nonunique)");
}

static char *format_from_mode_generic(const char *arguments, int order, char **error) {
  long sizes[MAX_ORDER] = {0};
  char text[TEXT_SIZE] = "";
  int listed = 0, taken = 0;
  if (!parse_sizes(arguments, order, sizes, error))
    return NULL;
  append_dimensions(text, order);
  for (int d = 0; d < order; d++)
    listed += sizes[d] > 0;
  for (int d = 0; d < order; d++)
    if (sizes[d] > 0) {
      append_listed(text, d, sizes[d], taken == 0, taken == listed - 1);
      taken++;
    }
  for (int d = 0; d < order; d++)
    if (sizes[d] > 1)
      append(text, ", d%d mod %ld : dense", d, sizes[d]);
    else if (sizes[d] == 0)
      append(text, "%sd%d : dense", taken++ ? ", " : "", d);
  append(text, ")>");
  return strdup(text);
}

/* sym:csr - the format after the colon, of which one triangle is stored. */
static char *format_from_symmetric(const char *spec, int order, char **error) {
  char text[TEXT_SIZE] = "";
  if (order < 2)
    return fail(error, "format 'sym:%s' is for tensors of order 2 or more, found order %d", spec,
                order);
  if (!strncmp(spec, "sym:", 4))
    return fail(error, "expected one 'sym:', found 'sym:%s'", spec);
  char *whole = format_from_name(spec, order, error);
  if (!whole)
    return NULL;
  if (strlen(whole) + 32 < TEXT_SIZE && whole[strlen(whole) - 1] == '>')
    append(text, "%.*s, symmetric(d0, d1)>", (int)strlen(whole) - 1, whole);
  free(whole);
  return *text ? strdup(text) : fail(error, "expected a format after 'sym:', found '%s'", spec);
}

static char *unknown_format(const char *spec, char **error) {
  char name[NEAREST_LENGTH + 1];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
  nearest near = nearest_to(name);
  nearest_offer_words(&near, format_names());
  for (int i = 0; i < level_format_count(); i++)
    nearest_offer(&near, level_format_at(i)->name);
  return fail(error,
              "unknown format '%s'; expected one of %s, a list of levels such as "
              "dense,compressed:1,0, or the text of a #tin.format%s",
              spec, format_names(), nearest_hint(&near));
}

/* Whether the text is one word, which is no level's name; "compressed(nonunique)" is more. */
static bool is_unknown_word(const char *spec, size_t length) {
  return strcspn(spec, " (") >= length && !level_format_find(mlirStringRefCreate(spec, length));
}

char *format_from_name(const char *spec, int order, char **error) {
  char text[TEXT_SIZE] = "";
  if (order < 0 || order > MAX_ORDER)
    return fail(error, "a tensor has 0 to %d dimensions, found %d", MAX_ORDER, order);
  if (!strncmp(spec, "sym:", 4))
    return format_from_symmetric(spec + 4, order, error);
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
  const matrix_format *matrix = find_matrix(spec, length);
  if (length == strlen("mode-generic") && !strncmp(spec, "mode-generic", length))
    return format_from_mode_generic(modes, order, error);
  if (matrix)
    return format_from_matrix(matrix, modes, order, error);
  if (format)
    return format_from_known_name(format, modes, order, error);
  if (memchr(spec, ',', length) || (order == 1 && !is_unknown_word(spec, length)))
    return format_from_levels(spec, length, modes, order, error);
  return unknown_format(spec, error);
}

char *format_of_coordinates(int order, const int *level_to_dimension) {
  char text[TEXT_SIZE] = "";
  append_dimensions(text, order);
  for (int level = 0; level < order; level++) {
    const level_format *format = level_format_coordinate_list(level == 0);
    append(text, "%sd%d : %s(nonunique)", level ? ", " : "", level_to_dimension[level],
           format ? format->name : "none");
  }
  append(text, ")>");
  return strdup(text);
}
