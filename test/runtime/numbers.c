// Numbers: reals are read as strtod reads them, and written with the fewest digits that read back.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_number.h"

#include <math.h>
#include <stdlib.h>

static bool same(double a, double b) {
  uint64_t bits[2];
  memcpy(&bits[0], &a, sizeof a);
  memcpy(&bits[1], &b, sizeof b);
  return bits[0] == bits[1];
}

static uint64_t random_bits(void) {
  return random_number(UINT64_C(1) << 32) << 32 | random_number(UINT64_C(1) << 32);
}

static double read_back(const char *text) {
  double value = 0;
  const char *end = lac_read_f64(text, &value);
  CHECK(end && *end == '\n');
  return value;
}

static double random_real(int kind) {
  double real;
  uint64_t bits = random_bits();
  memcpy(&real, &bits, sizeof real);
  switch (kind) {
  case 0:
    return isfinite(real) ? real : 0;
  case 1:
    return ldexp(1, (int)random_number(2098) - 1074);
  case 2:
    return (double)(int64_t)random_number(2000000) / 1000;
  default:
    return (double)bits * 0x1p-64;
  }
}

static void reals_survive_writing_and_reading(void) {
  char text[64];
  for (int i = 0; i < 200000; i++) {
    double real = random_real(i % 4);
    *lac_write_f64(text, real) = '\n';
    CHECK(same(read_back(text), real));
    CHECK(same(strtod(text, NULL), real));
    float single = (float)real, back = 0;
    *lac_write_f32(text, single) = '\n';
    CHECK(lac_read_f32(text, &back) && same(back, single));
  }
}

static void any_decimal_is_read_as_strtod_reads_it(void) {
  char text[96];
  for (int i = 0; i < 200000; i++) {
    uint64_t whole = random_bits() >> random_number(64),
             fraction = random_bits() >> random_number(64);
    int exponent = (int)random_number(i % 2 ? 60 : 700) - (i % 2 ? 30 : 350);
    snprintf(text, sizeof text, "-%llu.%llue%d\n", (unsigned long long)whole,
             (unsigned long long)fraction, exponent);
    CHECK(same(read_back(text), strtod(text, NULL)));
    float single;
    CHECK(lac_read_f32(text, &single) && single == strtof(text, NULL));
  }
}

static void writes(double real, const char *expected) {
  char text[64];
  *lac_write_f64(text, real) = '\0';
  CHECK(strcmp(text, expected) == 0);
}

static void reals_are_written_as_people_write_them(void) {
  writes(4, "4");
  writes(-1, "-1");
  writes(0.1, "0.1");
  writes(-0.0, "-0");
  writes(1.0 / 3, "0.3333333333333333");
  writes(0.001, "0.001");
  writes(1e-7, "1e-7");
  writes(1.5e300, "1.5e+300");
  writes(1e22, "1e+22");
  writes(123456789, "123456789");
  writes(5e-324, "5e-324");
  writes(1.7976931348623157e308, "1.7976931348623157e+308");
  writes(NAN, "nan");
  writes(-INFINITY, "-inf");
}

static void special_words_are_read(void) {
  CHECK(isnan(read_back("NaN\n")) && read_back("-Infinity\n") == -INFINITY &&
        read_back("inf\n") == INFINITY);
  CHECK(read_back("1D3\n") == 1000 && read_back(".5\n") == 0.5 && read_back("5.\n") == 5 &&
        read_back("+7e-1\n") == 0.7);
  double value;
  CHECK(!lac_read_f64("x\n", &value) && !lac_read_f64(".\n", &value) &&
        !lac_read_f64("-\n", &value));
  CHECK(*lac_read_f64("0x10\n", &value) == 'x' && *lac_read_f64("1e\n", &value) == 'e');
}

static void integers_stop_at_64_bits(void) {
  int64_t value;
  char text[32];
  CHECK(lac_read_integer("9223372036854775807\n", &value) && value == INT64_MAX);
  CHECK(lac_read_integer("-9223372036854775808\n", &value) && value == INT64_MIN);
  CHECK(!lac_read_integer("9223372036854775808\n", &value) &&
        !lac_read_integer("99999999999999999999\n", &value));
  CHECK(lac_read_integer("+0000000000000000000000012\n", &value) && value == 12);
  CHECK(!lac_read_integer("-\n", &value) && !lac_read_integer("a\n", &value));
  for (int i = 0; i < 100000; i++) {
    int64_t number = (int64_t)random_bits() >> random_number(64);
    *lac_write_integer(text, number) = '\n';
    CHECK(lac_read_integer(text, &value) && value == number);
  }
  *lac_write_integer(text, INT64_MIN) = '\0';
  CHECK(strcmp(text, "-9223372036854775808") == 0);
}

static void short_floats_keep_all_their_values(void) {
  for (uint64_t bits = 0; bits < 1 << 16; bits++) {
    double half = lac_unpack_float(bits, 5, 10), brain = lac_unpack_float(bits, 8, 7);
    CHECK(isnan(half) || lac_pack_float(half, 5, 10) == bits);
    CHECK(isnan(brain) || lac_pack_float(brain, 8, 7) == bits);
  }
  CHECK(lac_pack_float(65520, 5, 10) == 0x7c00 && lac_pack_float(65519, 5, 10) == 0x7bff);
  CHECK(lac_pack_float(0x1p-25, 5, 10) == 0 && lac_pack_float(0x1.8p-25, 5, 10) == 1);
}

int main(void) {
  reals_survive_writing_and_reading();
  any_decimal_is_read_as_strtod_reads_it();
  reals_are_written_as_people_write_them();
  special_words_are_read();
  integers_stop_at_64_bits();
  short_floats_keep_all_their_values();
  return report();
}
