/* lac_value.c - a table of what each element type does with text; see lac_value.h. */
#include "lac_value.h"

#include "lac_number.h"

#include <string.h>

/* ---- Integers ----------------------------------------------------------------------------- */

/* A number written as a real, 3.0 or 1e6, is an integer where it is whole. */
static const char *read_whole(const char *text, int64_t *value) {
  const double limit = 9223372036854775808.0;
  double real;
  const char *end = lac_read_integer(text, value);
  if (end && *end != '.' && *end != 'e' && *end != 'E')
    return end;
  end = lac_read_f64(text, &real);
  if (!end || !(real >= -limit && real < limit) || real != (double)(int64_t)real)
    return NULL;
  *value = (int64_t)real;
  return end;
}

#define INTEGER(name, type)                                                                        \
  static const char *read_##name(const char *text, void *element) {                                \
    int64_t value;                                                                                 \
    const char *end = read_whole(text, &value);                                                    \
    if (!end || value != (type)value)                                                              \
      return NULL;                                                                                 \
    memcpy(element, &(type){(type)value}, sizeof(type));                                           \
    return end;                                                                                    \
  }                                                                                                \
  static char *write_##name(char *text, const void *element) {                                     \
    type value;                                                                                    \
    memcpy(&value, element, sizeof value);                                                         \
    return lac_write_integer(text, value);                                                         \
  }                                                                                                \
  static bool negate_##name(void *element) {                                                       \
    type value, negative;                                                                          \
    memcpy(&value, element, sizeof value);                                                         \
    if (__builtin_sub_overflow((type)0, value, &negative))                                         \
      return false;                                                                                \
    memcpy(element, &negative, sizeof negative);                                                   \
    return true;                                                                                   \
  }                                                                                                \
  static void set_##name(double number, void *element) {                                           \
    memcpy(element, &(type){(type)number}, sizeof(type));                                          \
  }

INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
#undef INTEGER

/* ---- Reals -------------------------------------------------------------------------------- */

static const char *read_f64(const char *text, void *element) {
  double value;
  const char *end = lac_read_f64(text, &value);
  memcpy(element, &value, sizeof value);
  return end;
}

static char *write_f64(char *text, const void *element) {
  double value;
  memcpy(&value, element, sizeof value);
  return lac_write_f64(text, value);
}

static const char *read_f32(const char *text, void *element) {
  float value = 0;
  const char *end = lac_read_f32(text, &value);
  memcpy(element, &value, sizeof value);
  return end;
}

static char *write_f32(char *text, const void *element) {
  float value;
  memcpy(&value, element, sizeof value);
  return lac_write_f32(text, value);
}

static void set_f64(double number, void *element) {
  memcpy(element, &number, sizeof number);
}

static void set_f32(double number, void *element) {
  memcpy(element, &(float){(float)number}, sizeof(float));
}

#define SHORT_FLOAT(name, exponent_bits, fraction_bits)                                            \
  static const char *read_##name(const char *text, void *element) {                                \
    double value;                                                                                  \
    const char *end = lac_read_f64(text, &value);                                                  \
    uint16_t bits = end ? (uint16_t)lac_pack_float(value, exponent_bits, fraction_bits) : 0;       \
    memcpy(element, &bits, sizeof bits);                                                           \
    return end;                                                                                    \
  }                                                                                                \
  static char *write_##name(char *text, const void *element) {                                     \
    uint16_t bits;                                                                                 \
    memcpy(&bits, element, sizeof bits);                                                           \
    return lac_write_float(text, bits, exponent_bits, fraction_bits);                              \
  }                                                                                                \
  static void set_##name(double number, void *element) {                                           \
    uint16_t bits = (uint16_t)lac_pack_float(number, exponent_bits, fraction_bits);                \
    memcpy(element, &bits, sizeof bits);                                                           \
  }

SHORT_FLOAT(f16, 5, 10)
SHORT_FLOAT(bf16, 8, 7)
#undef SHORT_FLOAT

/* The sign is the highest bit of each, and bytes are stored the lowest first. */
#define NEGATE_REAL(name, width)                                                                   \
  static bool negate_##name(void *element) {                                                       \
    ((uint8_t *)element)[width - 1] ^= 0x80;                                                       \
    return true;                                                                                   \
  }

NEGATE_REAL(f64, 8)
NEGATE_REAL(f32, 4)
NEGATE_REAL(f16, 2)
#undef NEGATE_REAL

/* ---- All types ---------------------------------------------------------------------------- */

typedef struct value_type {
  const char *(*read)(const char *text, void *element); /* of one part */
  char *(*write)(char *text, const void *element);
  bool (*negate)(void *element);
  void (*set)(double number, void *element);
  int32_t part_width;
  bool is_complex, is_integer;
} value_type;

static const value_type value_types[] = {
    [LAC_F64] = {read_f64, write_f64, negate_f64, set_f64, 8, false, false},
    [LAC_F32] = {read_f32, write_f32, negate_f32, set_f32, 4, false, false},
    [LAC_F16] = {read_f16, write_f16, negate_f16, set_f16, 2, false, false},
    [LAC_BF16] = {read_bf16, write_bf16, negate_f16, set_bf16, 2, false, false},
    [LAC_I8] = {read_i8, write_i8, negate_i8, set_i8, 1, false, true},
    [LAC_I16] = {read_i16, write_i16, negate_i16, set_i16, 2, false, true},
    [LAC_I32] = {read_i32, write_i32, negate_i32, set_i32, 4, false, true},
    [LAC_I64] = {read_i64, write_i64, negate_i64, set_i64, 8, false, true},
    [LAC_C64] = {read_f32, write_f32, negate_f32, set_f32, 4, true, false},
    [LAC_C128] = {read_f64, write_f64, negate_f64, set_f64, 8, true, false},
};

bool lac_type_is_complex(int32_t type) {
  return value_types[type].is_complex;
}
bool lac_type_is_integer(int32_t type) {
  return value_types[type].is_integer;
}

static char *imaginary_part(const value_type *type, void *element) {
  return (char *)element + type->part_width;
}

static const char *skip_spaces(const char *text) {
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

const char *lac_read_value(const char *text, int32_t type, bool pair, void *element) {
  const value_type *t = &value_types[type];
  const char *end = t->read(text, element);
  if (!t->is_complex || !end)
    return end;
  memset(imaginary_part(t, element), 0, (size_t)t->part_width);
  if (!pair)
    return end;
  const char *second = skip_spaces(end);
  return second == end ? NULL : t->read(second, imaginary_part(t, element));
}

char *lac_write_value(char *text, int32_t type, const void *element) {
  const value_type *t = &value_types[type];
  text = t->write(text, element);
  if (!t->is_complex)
    return text;
  *text++ = ' ';
  return t->write(text, (const char *)element + t->part_width);
}

void lac_set_value(int32_t type, double real, double imaginary, void *element) {
  const value_type *t = &value_types[type];
  t->set(real, element);
  if (t->is_complex)
    t->set(imaginary, imaginary_part(t, element));
}

bool lac_negate_value(int32_t type, void *element) {
  const value_type *t = &value_types[type];
  return t->negate(element) && (!t->is_complex || t->negate(imaginary_part(t, element)));
}

void lac_conjugate_value(int32_t type, void *element) {
  const value_type *t = &value_types[type];
  if (t->is_complex)
    t->negate(imaginary_part(t, element));
}
