/* Semirings by the names of their two operators. */
#include "semiring.h"

#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <stdio.h>
#include <string.h>

static const struct {
  const char *word, *operator_name;
} operator_words[] = {{"plus", "add"}, {"times", "mul"}, {"min", "min"}, {"max", "max"},
                      {"or", "or"},    {"and", "and"},   {"xor", "xor"}};

static const scalar_function *operator_from_word(const char *word, size_t length) {
  for (size_t w = 0; w < sizeof operator_words / sizeof *operator_words; w++)
    if (strlen(operator_words[w].word) == length && !memcmp(operator_words[w].word, word, length))
      return scalar_operator_find(operator_words[w].operator_name);
  return NULL;
}

bool semiring_from_name(const char *name, semiring *s) {
  const char *bar = strchr(name, '_');
  if (!bar)
    return false;
  s->plus = operator_from_word(name, (size_t)(bar - name));
  s->times = operator_from_word(bar + 1, strlen(bar + 1));
  s->is_arithmetic = !strcmp(name, "plus_times");
  return s->plus && s->times;
}

void semiring_offer(nearest *search) {
  char name[32];
  for (size_t plus = 0; plus < sizeof operator_words / sizeof *operator_words; plus++)
    for (size_t times = 0; times < sizeof operator_words / sizeof *operator_words; times++) {
      snprintf(name, sizeof name, "%s_%s", operator_words[plus].word, operator_words[times].word);
      nearest_offer(search, name);
    }
}

tin_reduction semiring_reduction(const semiring *s) {
  return tinReductionFromName(mlirStringRefCreateFromCString(s->plus->name));
}

MlirAttribute semiring_zero(builder *b, const semiring *s, MlirType type) {
  tin_reduction plus = semiring_reduction(s);
  bool is_max_times = plus == TIN_MAX && !strcmp(s->times->name, "mul");
  return combine_identity(b, is_max_times ? TIN_ADD : plus, type);
}

/*--- Infinities of integers --------------------------------------------------------------------*/

static bool is_named(const scalar_function *f, const char *name) {
  return !strcmp(f->name, name);
}

static bool zero_is_infinite(const semiring *s) {
  return is_named(s->plus, "min") || (is_named(s->plus, "max") && !is_named(s->times, "mul"));
}

static bool is_number(MlirType type) {
  return type_is_integer(type) && mlirIntegerTypeGetWidth(type) > 1;
}

static bool may_be(MlirValue x, MlirAttribute what) {
  MlirOperation op = value_owner(x);
  return !op_is(op, "arith.constant") || mlirAttributeEqual(op_attribute(op, "value"), what);
}

/* Whether one of the two is the infinity; a null value where neither may be. */
static MlirValue either_is(builder *b, const semiring *s, MlirAttribute infinity, MlirValue x,
                           MlirValue y) {
  bool left = may_be(x, infinity), right = may_be(y, infinity);
  MlirValue nearest = left ? x : y;
  if (!left && !right)
    return (MlirValue){0};
  if (left && right)
    nearest = is_named(s->plus, "min") ? max_i(b, x, y) : min_i(b, x, y);
  return equal(b, nearest, constant_attr(b, infinity));
}

MlirValue semiring_times(builder *b, const semiring *s, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x);
  MlirValue operands[] = {x, y}, none = {0};
  bool moves = is_named(s->times, "add") || is_named(s->times, "mul");
  bool guarded = moves && zero_is_infinite(s) && is_number(type);
  MlirAttribute infinity = guarded ? semiring_zero(b, s, type) : (MlirAttribute){0};
  MlirValue infinite = guarded ? either_is(b, s, infinity, x, y) : none;
  MlirValue product = scalar_apply(b, s->times, operands);
  return mlirValueIsNull(infinite) || mlirValueIsNull(product)
             ? product
             : select_value(b, infinite, constant_attr(b, infinity), product);
}

MlirValue semiring_cast(builder *b, const semiring *s, MlirValue value, MlirType type) {
  MlirType from = mlirValueGetType(value);
  MlirValue cast = scalar_cast(b, value, type);
  if (mlirValueIsNull(cast) || mlirTypeEqual(from, type) || !zero_is_infinite(s) ||
      !is_number(from))
    return cast;
  MlirValue infinite = equal(b, value, constant_attr(b, semiring_zero(b, s, from)));
  return select_value(b, infinite, constant_attr(b, semiring_zero(b, s, type)), cast);
}
