/* format_text_write.c - writing formats, levels and subscripts as they read.
 *
 * A subscript keeps its structure when it is read again: sums associate to the left, a sum on the
 * right and whatever stands inside a product are put in parentheses.
 */
#include "format_text.h"
#include "tin.h"

#include <mlir-c/AffineExpr.h>

#include <stdarg.h>
#include <stdio.h>

typedef struct writer {
  const MlirStringRef *names;
  MlirStringCallback write;
  void *data;
} writer;

__attribute__((format(printf, 2, 3))) static void put(const writer *w, const char *format, ...) {
  char text[64];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  w->write(mlirStringRefCreateFromCString(text), w->data);
}

static void put_dimension(const writer *w, intptr_t dimension) {
  static const char letters[] = "ijklmnopqr";
  if (w->names)
    w->write(w->names[dimension], w->data);
  else if (dimension < 10)
    put(w, "%c", letters[dimension]);
  else
    put(w, "d%d", (int)dimension);
}

static void put_expression(const writer *w, MlirAffineExpr e, bool as_factor);

/* c of an expression x * -c, or of a constant -c; otherwise 0. */
static int64_t negated(MlirAffineExpr e) {
  if (mlirAffineExprIsAMul(e))
    e = mlirAffineBinaryOpExprGetRHS(e);
  int64_t value = mlirAffineExprIsAConstant(e) ? mlirAffineConstantExprGetValue(e) : 0;
  return value < 0 && value != INT64_MIN ? -value : 0;
}

static void put_sum(const writer *w, MlirAffineExpr left, MlirAffineExpr right) {
  int64_t minus = negated(right);
  put_expression(w, left, false);
  if (!minus) {
    put(w, " + ");
    put_expression(w, right, mlirAffineExprIsAAdd(right));
  } else if (mlirAffineExprIsAConstant(right)) {
    put(w, " - %lld", (long long)minus);
  } else {
    put(w, " - ");
    put_expression(w, mlirAffineBinaryOpExprGetLHS(right),
                   mlirAffineExprIsAAdd(mlirAffineBinaryOpExprGetLHS(right)));
    if (minus != 1)
      put(w, " * %lld", (long long)minus);
  }
}

static const char *product_word(MlirAffineExpr e) {
  return mlirAffineExprIsAMul(e)       ? "*"
         : mlirAffineExprIsAMod(e)     ? "mod"
         : mlirAffineExprIsACeilDiv(e) ? "ceildiv"
                                       : "floordiv";
}

static void put_binary(const writer *w, MlirAffineExpr e) {
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  if (mlirAffineExprIsAAdd(e)) {
    put_sum(w, left, right);
    return;
  }
  put_expression(w, left, mlirAffineExprIsABinary(left));
  put(w, " %s ", product_word(e));
  put_expression(w, right, mlirAffineExprIsABinary(right));
}

static void put_expression(const writer *w, MlirAffineExpr e, bool as_factor) {
  if (mlirAffineExprIsADim(e)) {
    put_dimension(w, mlirAffineDimExprGetPosition(e));
  } else if (mlirAffineExprIsASymbol(e)) {
    put(w, "#");
    put_dimension(w, mlirAffineSymbolExprGetPosition(e));
  } else if (mlirAffineExprIsAConstant(e)) {
    put(w, "%lld", (long long)mlirAffineConstantExprGetValue(e));
  } else {
    put(w, as_factor ? "(" : "");
    put_binary(w, e);
    put(w, as_factor ? ")" : "");
  }
}

void subscript_write(MlirAffineExpr subscript, const MlirStringRef *names, MlirStringCallback write,
                     void *data) {
  const writer w = {names, write, data};
  put_expression(&w, subscript, false);
}

static void put_level(const writer *w, MlirAttribute level) {
  const char *separator = "(";
  static const char *const words[] = {"nonunique", "unordered"};
  w->write(tinLevelAttrGetName(level), w->data);
  for (int bit = 0; bit < 2; bit++)
    if (tinLevelAttrGetProperties(level) & (1u << bit)) {
      put(w, "%s%s", separator, words[bit]);
      separator = ", ";
    }
  for (intptr_t i = 0; i < tinLevelAttrGetNumArguments(level); i++) {
    put(w, "%s%lld", separator, (long long)tinLevelAttrGetArgument(level, i));
    separator = ", ";
  }
  put(w, *separator == ',' ? ")" : "");
}

void level_text_write(MlirAttribute level, MlirStringCallback write, void *data) {
  const writer w = {NULL, write, data};
  put(&w, "<");
  put_level(&w, level);
  put(&w, ">");
}

static void put_width(const writer *w, const char *word, unsigned width) {
  if (width != 64)
    put(w, ", %s = %u", word, width);
}

static void put_triangle(const writer *w, MlirAttribute format) {
  static const char *const words[] = {[TIN_SYMMETRIC] = "symmetric",
                                      [TIN_LOWER] = "lower",
                                      [TIN_STRICTLY_LOWER] = "strictly_lower"};
  intptr_t a, b;
  tin_triangle triangle = tinFormatAttrGetTriangle(format, &a, &b);
  if (triangle == TIN_WHOLE)
    return;
  put(w, ", %s(", words[triangle]);
  put_dimension(w, a);
  put(w, ", ");
  put_dimension(w, b);
  put(w, ")");
}

void format_text_write(MlirAttribute format, MlirStringCallback write, void *data) {
  const writer w = {NULL, write, data};
  MlirAffineMap map = tinFormatAttrGetMap(format);
  put(&w, "<(");
  for (intptr_t d = 0; d < mlirAffineMapGetNumDims(map); d++) {
    put(&w, d ? ", " : "");
    put_dimension(&w, d);
  }
  put(&w, ") -> (");
  for (intptr_t l = 0; l < tinFormatAttrGetNumLevels(format); l++) {
    put(&w, l ? ", " : "");
    put_expression(&w, mlirAffineMapGetResult(map, l), false);
    put(&w, " : ");
    put_level(&w, tinFormatAttrGetLevel(format, l));
  }
  put(&w, ")");
  put_width(&w, "pos", tinFormatAttrGetPositionWidth(format));
  put_width(&w, "crd", tinFormatAttrGetCoordinateWidth(format));
  put_triangle(&w, format);
  put(&w, ">");
}
