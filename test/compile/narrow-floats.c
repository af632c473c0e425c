// 16-bit floats, converted by code for a processor that cannot: every one of them to f64 and f32,
// and back from there: itself, what is halfway to the next, and what is beside that.
// RUN: %cc %includes %s %lacuna -o %t
// RUN: %t native | FileCheck %s
// RUN: %if x86-64 %{ %t x86-64 | FileCheck %s %}
#include "lacuna.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 1 << 16, POINTS = 4 };

typedef struct kind {
  const char *name;
  int mantissa, bias, type;
} kind;

static const kind kinds[] = {{"f16", 10, 15, LAC_F16}, {"bf16", 7, 127, LAC_BF16}};

/* What the bits mean, by the definition. */
static double meaning(const kind *k, unsigned bits) {
  unsigned codes = 1u << k->mantissa, m = bits % codes, e = (bits & 0x7fff) / codes;
  unsigned all = 0x7fffu / codes;
  double size = e == all ? (m ? NAN : INFINITY)
                : e      ? ldexp(codes + m, (int)e - k->bias - k->mantissa)
                         : ldexp(m, 1 - k->bias - k->mantissa);
  return bits & 0x8000 ? -size : size;
}

static double next(double x, double to, bool single) {
  return single ? (double)nextafterf((float)x, (float)to) : nextafter(x, to);
}

/* From the code on towards the next larger one (which the largest has too, to be infinite). */
static double point(const kind *k, unsigned bits, int which, bool single) {
  unsigned size = bits & 0x7fff, infinite = 0x7fffu >> k->mantissa << k->mantissa;
  double from = meaning(k, size), to = meaning(k, size + 1);
  if (size >= infinite)
    return meaning(k, bits);
  if (size + 1 == infinite)
    to = 2 * from - meaning(k, size - 1);
  double half = (from + to) / 2;
  double at[POINTS] = {from, half, next(half, 0, single), next(half, INFINITY, single)};
  return bits & 0x8000 ? -at[which] : at[which];
}

static unsigned expected(unsigned bits, int which) {
  return which == 3 || (which == 1 && bits % 2) ? bits + 1 : bits;
}

static lac_tensor dense(void *values, int64_t count, int64_t width, int32_t type) {
  static lac_level level = {.kind = "dense"};
  static int64_t dimension;
  level.size = dimension = count;
  return (lac_tensor){.order = 1,
                      .level_count = 1,
                      .type = type,
                      .dimensions = &dimension,
                      .levels = &level,
                      .values = {.data = values, .length = count, .width = width}};
}

static int call(lacuna_kernel *kernel, lac_tensor *y, const lac_tensor *x) {
  int32_t status = lacuna_call(kernel, "f", (void *[]){y, (void *)x});
  if (status)
    printf("error: %s\n", lac_error_message());
  return status;
}

static lacuna_kernel *compile(lacuna_compiler *c, const char *from, const char *to,
                              const char *cpu) {
  char text[512];
  lacuna_options options = lacuna_options_default();
  options.cpu = cpu;
  snprintf(text, sizeof text,
           "func.func @f(%%x: tensor<?x%s>) -> tensor<?x%s> {\n"
           "  %%y = tin.einsum \"y(i) = x(i)\" (%%x) : (tensor<?x%s>) -> tensor<?x%s>\n"
           "  return %%y : tensor<?x%s>\n}\n",
           from, to, from, to, to);
  lacuna_kernel *kernel = lacuna_compile_text(c, text, "conversion", &options);
  if (!kernel)
    printf("error: %s\n", lacuna_error(c));
  return kernel;
}

static int differ(double x, double y) {
  return isnan(x) ? !isnan(y) : x != y || signbit(x) != signbit(y);
}

static void widen(lacuna_compiler *c, const kind *k, const char *cpu) {
  static uint16_t codes[CODES];
  int wrong = 0;
  lac_tensor y = {0}, x = dense(codes, CODES, 2, k->type);
  for (unsigned i = 0; i < CODES; i++)
    codes[i] = (uint16_t)i;
  lacuna_kernel *kernel = compile(c, k->name, "f64", cpu);
  if (!kernel || call(kernel, &y, &x))
    return;
  for (unsigned i = 0; i < CODES; i++)
    wrong += differ(meaning(k, i), ((double *)y.values.data)[i]);
  printf("%s to f64: %d wrong\n", k->name, wrong);
  lac_tensor_free(&y);
  lacuna_kernel_free(kernel);
}

static void narrow(lacuna_compiler *c, const kind *k, bool single, const char *cpu) {
  static double doubles[POINTS * CODES];
  static float floats[POINTS * CODES];
  int wrong = 0;
  for (unsigned i = 0; i < POINTS * CODES; i++)
    floats[i] = (float)(doubles[i] = point(k, i / POINTS, i % POINTS, single));
  lac_tensor y = {0}, x = single ? dense(floats, POINTS * CODES, 4, LAC_F32)
                                 : dense(doubles, POINTS * CODES, 8, LAC_F64);
  lacuna_kernel *kernel = compile(c, single ? "f32" : "f64", k->name, cpu);
  if (!kernel || call(kernel, &y, &x))
    return;
  for (unsigned i = 0; i < POINTS * CODES; i++) {
    unsigned found = ((uint16_t *)y.values.data)[i], size = i / POINTS & 0x7fff;
    if (size > (0x7fffu >> k->mantissa << k->mantissa))
      wrong += !isnan(meaning(k, found));
    else if (isfinite(doubles[i]))
      wrong += found != expected(i / POINTS, i % POINTS);
    else
      wrong += found != i / POINTS;
  }
  printf("%s to %s: %d wrong\n", single ? "f32" : "f64", k->name, wrong);
  lac_tensor_free(&y);
  lacuna_kernel_free(kernel);
}

int main(int argc, char **argv) {
  (void)argc;
  lacuna_compiler *c = lacuna_open();
  for (int i = 0; i < 2; i++) {
    // CHECK: f16 to f64: 0 wrong
    // CHECK-NEXT: f64 to f16: 0 wrong
    // CHECK-NEXT: f32 to f16: 0 wrong
    // CHECK-NEXT: bf16 to f64: 0 wrong
    // CHECK-NEXT: f64 to bf16: 0 wrong
    // CHECK-NEXT: f32 to bf16: 0 wrong
    widen(c, &kinds[i], argv[1]);
    narrow(c, &kinds[i], false, argv[1]);
    narrow(c, &kinds[i], true, argv[1]);
  }
  lacuna_close(c);
  return 0;
}
