/* format_text_read.c - reading the text of a #tin.format, by recursive descent.
 *
 *     format   = "<" list(dimension) "->" list(level) ("," (width | triangle))* ">"
 *     width    = ("pos" | "crd") "=" integer
 *     triangle = ("symmetric" | "lower" | "strictly_lower") "(" dimension "," dimension ")"
 *     level    = sum ":" word list(integer | "nonunique" | "unordered")?
 *     sum      = term (("+" | "-") term)*
 *     term     = factor (("*" | "floordiv" | "mod") factor)*
 *     factor   = "-" factor | "(" sum ")" | "#" dimension | dimension | integer
 *     list(x)  = "(" (x ("," x)*)? ")"
 */
#include "format_text.h"
#include "ir.h"
#include "lac_ascii.h"
#include "tensor_format.h"
#include "tin.h"

#include <mlir-c/AffineExpr.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of dimensions, levels, arguments of a level, nested terms. */
enum { MOST = TIN_GREATEST_ORDER };

typedef struct reader {
  arena *memory;
  MlirContext context;
  const char *at;
  char *error;
  int depth;
  bool has_counters;
  intptr_t dimension_count, level_count;
  MlirStringRef dimensions[MOST];
  MlirAffineExpr expressions[MOST];
  MlirAttribute levels[MOST];
  int64_t position_width, coordinate_width;
  tin_triangle triangle;
  intptr_t triangle_dimensions[2];
} reader;

typedef struct level_parts {
  unsigned properties;
  intptr_t argument_count;
  int64_t arguments[MOST];
} level_parts;

typedef bool reading(reader *r, void *data);

static const MlirAffineExpr no_expression = {NULL};

static MlirAffineExpr read_sum(reader *r);
static MlirAffineExpr read_factor(reader *r);

/* Says what was expected at the place reached, and what stands there. */
__attribute__((format(printf, 2, 3))) static bool refuse(reader *r, const char *format, ...) {
  char expected[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(expected, sizeof expected, format, arguments);
  va_end(arguments);
  r->error = arena_format(r->memory, "expected %s", expected);
  return false;
}

static bool refuse_next(reader *r, const char *expected) {
  if (*r->at)
    return refuse(r, "%s, found '%c'", expected, *r->at);
  return refuse(r, "%s, found the end", expected);
}

static bool is_word_character(char c) {
  return lac_is_letter_or_digit(c) || c == '_';
}

static void skip_space(reader *r) {
  for (;;)
    if (lac_is_space(*r->at))
      r->at++;
    else if (r->at[0] == '/' && r->at[1] == '/')
      r->at += strcspn(r->at, "\n");
    else
      return;
}

static bool take(reader *r, const char *token) {
  size_t length = strlen(token);
  skip_space(r);
  if (strncmp(r->at, token, length) != 0)
    return false;
  if (is_word_character(token[length - 1]) && is_word_character(r->at[length]))
    return false;
  r->at += length;
  return true;
}

static bool expect(reader *r, const char *token) {
  char quoted[16];
  snprintf(quoted, sizeof quoted, "'%s'", token);
  return take(r, token) || refuse_next(r, quoted);
}

static bool read_word(reader *r, const char *what, MlirStringRef *word) {
  skip_space(r);
  const char *end = r->at;
  while (is_word_character(*end))
    end++;
  if (end == r->at || lac_is_digit(*r->at))
    return refuse_next(r, what);
  *word = mlirStringRefCreate(r->at, (size_t)(end - r->at));
  r->at = end;
  return true;
}

static bool read_integer(reader *r, int64_t *value) {
  char *end;
  skip_space(r);
  if (!lac_is_digit(*r->at))
    return refuse_next(r, "an integer");
  errno = 0;
  *value = strtoll(r->at, &end, 10);
  if (errno == ERANGE)
    return refuse(r, "an integer of 64 bits");
  r->at = end;
  return true;
}

static bool read_list(reader *r, reading *element, void *data) {
  if (!expect(r, "("))
    return false;
  if (take(r, ")"))
    return true;
  do
    if (!element(r, data))
      return false;
  while (take(r, ","));
  return expect(r, ")");
}

/* Dimensions */

static intptr_t dimension_number(const reader *r, MlirStringRef name) {
  intptr_t d = 0;
  while (d < r->dimension_count && !mlirStringRefEqual(r->dimensions[d], name))
    d++;
  return d;
}

static bool read_new_dimension(reader *r, void *data) {
  (void)data;
  MlirStringRef name = {0};
  if (!read_word(r, "a dimension's name", &name))
    return false;
  if (dimension_number(r, name) < r->dimension_count)
    return refuse(r, "distinct dimensions, found '%.*s' twice", TEXT(name));
  if (r->dimension_count == MOST)
    return refuse(r, "at most %d dimensions", MOST);
  r->dimensions[r->dimension_count++] = name;
  return true;
}

static bool read_dimension(reader *r, intptr_t *dimension) {
  MlirStringRef name = {0};
  if (!read_word(r, "a dimension", &name))
    return false;
  *dimension = dimension_number(r, name);
  if (*dimension < r->dimension_count)
    return true;
  r->at = name.data;
  return refuse(r, "a dimension of this format, found '%.*s'", TEXT(name));
}

/* Expressions; a null expression where one does not read */

static MlirAffineExpr constant(const reader *r, int64_t value) {
  return mlirAffineConstantExprGet(r->context, value);
}

static MlirAffineExpr negative(const reader *r, MlirAffineExpr e) {
  return mlirAffineMulExprGet(e, constant(r, -1));
}

static bool enter(reader *r) {
  if (r->depth == MOST)
    return refuse(r, "at most %d nested terms", MOST);
  r->depth++;
  return true;
}

static MlirAffineExpr read_negative(reader *r) {
  if (!enter(r))
    return no_expression;
  MlirAffineExpr result = read_factor(r);
  r->depth--;
  return mlirAffineExprIsNull(result) ? result : negative(r, result);
}

static MlirAffineExpr read_parenthesized(reader *r) {
  if (!enter(r))
    return no_expression;
  MlirAffineExpr result = read_sum(r);
  r->depth--;
  return mlirAffineExprIsNull(result) || expect(r, ")") ? result : no_expression;
}

static MlirAffineExpr read_counter(reader *r) {
  intptr_t dimension = 0;
  r->has_counters = true;
  return read_dimension(r, &dimension) ? mlirAffineSymbolExprGet(r->context, dimension)
                                       : no_expression;
}

static MlirAffineExpr read_factor(reader *r) {
  intptr_t dimension = 0;
  int64_t value = 0;
  if (take(r, "-"))
    return read_negative(r);
  if (take(r, "("))
    return read_parenthesized(r);
  if (take(r, "#"))
    return read_counter(r);
  if (lac_is_digit(*r->at))
    return read_integer(r, &value) ? constant(r, value) : no_expression;
  return read_dimension(r, &dimension) ? mlirAffineDimExprGet(r->context, dimension)
                                       : no_expression;
}

/* A product is with a constant; a quotient and a remainder by a positive one. */
static bool is_affine(reader *r, MlirAffineExpr left, const char *op, MlirAffineExpr right) {
  bool is_constant = mlirAffineExprIsAConstant(right);
  if (*op == '*')
    return is_constant || mlirAffineExprIsAConstant(left) || refuse(r, "a product with a constant");
  return (is_constant && mlirAffineConstantExprGetValue(right) > 0) ||
         refuse(r, "a positive constant on the right of '%s'", op);
}

static const struct product {
  const char *op;
  MlirAffineExpr (*make)(MlirAffineExpr, MlirAffineExpr);
} products[] = {{"*", mlirAffineMulExprGet},
                {"floordiv", mlirAffineFloorDivExprGet},
                {"mod", mlirAffineModExprGet}};

static const struct product *take_product(reader *r) {
  for (size_t i = 0; i < sizeof products / sizeof *products; i++)
    if (take(r, products[i].op))
      return &products[i];
  return NULL;
}

static MlirAffineExpr read_term(reader *r) {
  const struct product *product;
  MlirAffineExpr result = read_factor(r);
  while (!mlirAffineExprIsNull(result) && (product = take_product(r))) {
    MlirAffineExpr right = read_factor(r);
    if (mlirAffineExprIsNull(right) || !is_affine(r, result, product->op, right))
      return no_expression;
    result = product->make(result, right);
  }
  return result;
}

static MlirAffineExpr read_sum(reader *r) {
  MlirAffineExpr result = read_term(r);
  while (!mlirAffineExprIsNull(result)) {
    bool minus = take(r, "-");
    if (!minus && !take(r, "+"))
      break;
    MlirAffineExpr right = read_term(r);
    if (mlirAffineExprIsNull(right))
      return right;
    result = mlirAffineAddExprGet(result, minus ? negative(r, right) : right);
  }
  return result;
}

/* Levels */

static bool read_property(reader *r, void *data) {
  level_parts *level = data;
  MlirStringRef name = {0};
  skip_space(r);
  if (lac_is_digit(*r->at)) {
    if (level->argument_count == MOST)
      return refuse(r, "at most %d arguments", MOST);
    return read_integer(r, &level->arguments[level->argument_count++]);
  }
  if (!read_word(r, "nonunique, unordered or an integer", &name))
    return false;
  level->properties |= text_is(name, "nonunique")   ? TIN_NONUNIQUE
                       : text_is(name, "unordered") ? TIN_UNORDERED
                                                    : 0;
  return text_is(name, "nonunique") || text_is(name, "unordered") ||
         refuse(r, "nonunique, unordered or an integer, found '%.*s'", TEXT(name));
}

/* Where any level formats are registered. */
static bool check_level_name(reader *r, MlirStringRef name) {
  if (!level_format_count() || level_format_find(name))
    return true;
  r->at = name.data;
  r->error = level_format_unknown(r->memory, name);
  return false;
}

static bool read_level(reader *r) {
  level_parts level = {0};
  MlirStringRef name = {0};
  if (!read_word(r, "a level format", &name) || !check_level_name(r, name))
    return false;
  skip_space(r);
  if (*r->at == '(' && !read_list(r, read_property, &level))
    return false;
  r->levels[r->level_count++] =
      tinLevelAttrGet(r->context, name, level.properties, level.argument_count, level.arguments);
  return true;
}

static bool read_mapped_level(reader *r, void *data) {
  (void)data;
  if (r->level_count == MOST)
    return refuse(r, "at most %d levels", MOST);
  MlirAffineExpr expression = r->expressions[r->level_count] = read_sum(r);
  return !mlirAffineExprIsNull(expression) && expect(r, ":") && read_level(r);
}

static bool read_width(reader *r) {
  bool position = take(r, "pos");
  int64_t *width = position ? &r->position_width : &r->coordinate_width;
  if (!position && !take(r, "crd"))
    return refuse_next(r, "pos, crd, symmetric, lower or strictly_lower");
  if (*width)
    return refuse(r, "each width once");
  if (!expect(r, "=") || !read_integer(r, width))
    return false;
  if (*width == 8 || *width == 16 || *width == 32 || *width == 64)
    return true;
  return refuse(r, "widths of 8, 16, 32 or 64 bits, found %lld", (long long)*width);
}

/* Triangles */

static const struct triangle {
  const char *word;
  tin_triangle triangle;
} triangles[] = {
    {"symmetric", TIN_SYMMETRIC}, {"lower", TIN_LOWER}, {"strictly_lower", TIN_STRICTLY_LOWER}};

static const struct triangle *take_triangle(reader *r) {
  for (size_t i = 0; i < sizeof triangles / sizeof *triangles; i++)
    if (take(r, triangles[i].word))
      return &triangles[i];
  return NULL;
}

static bool read_triangle(reader *r, tin_triangle triangle) {
  if (r->triangle)
    return refuse(r, "one triangle");
  r->triangle = triangle;
  if (!expect(r, "(") || !read_dimension(r, &r->triangle_dimensions[0]) || !expect(r, ",") ||
      !read_dimension(r, &r->triangle_dimensions[1]) || !expect(r, ")"))
    return false;
  return r->triangle_dimensions[0] != r->triangle_dimensions[1] ||
         refuse(r, "two dimensions, found one twice");
}

static bool read_option(reader *r) {
  const struct triangle *triangle = take_triangle(r);
  return triangle ? read_triangle(r, triangle->triangle) : read_width(r);
}

static bool read_format(reader *r) {
  if (!expect(r, "<") || !read_list(r, read_new_dimension, NULL) || !expect(r, "->") ||
      !read_list(r, read_mapped_level, NULL))
    return false;
  while (take(r, ","))
    if (!read_option(r))
      return false;
  return expect(r, ">");
}

static bool finish(reader *r, bool good, format_text *result) {
  result->at = r->at;
  result->error = good ? NULL : r->error;
  result->level_count = r->level_count;
  result->levels = r->levels;
  return good;
}

static reader *reader_create(arena *memory, MlirContext context, const char *text) {
  reader *r = arena_alloc(memory, sizeof *r);
  r->memory = memory;
  r->context = context;
  r->at = text;
  return r;
}

bool format_text_read(arena *memory, MlirContext context, const char *text, format_text *result) {
  reader *r = reader_create(memory, context, text);
  if (!finish(r, read_format(r), result))
    return false;
  result->map =
      mlirAffineMapGet(context, r->dimension_count, r->has_counters ? r->dimension_count : 0,
                       r->level_count, r->expressions);
  result->position_width = r->position_width ? (unsigned)r->position_width : 64;
  result->coordinate_width = r->coordinate_width ? (unsigned)r->coordinate_width : 64;
  result->triangle_count = r->triangle ? 3 : 0;
  result->triangle[0] = r->triangle;
  result->triangle[1] = r->triangle_dimensions[0];
  result->triangle[2] = r->triangle_dimensions[1];
  return true;
}

bool level_text_read(arena *memory, MlirContext context, const char *text, format_text *result) {
  reader *r = reader_create(memory, context, text);
  return finish(r, expect(r, "<") && read_level(r) && expect(r, ">"), result);
}
