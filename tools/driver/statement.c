/* Writes the module of a statement as text. */
#include "statement.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const element_types[] = {
    [LAC_F64] = "f64",           [LAC_F32] = "f32", [LAC_F16] = "f16",
    [LAC_BF16] = "bf16",         [LAC_I8] = "i8",   [LAC_I16] = "i16",
    [LAC_I32] = "i32",           [LAC_I64] = "i64", [LAC_C64] = "complex<f32>",
    [LAC_C128] = "complex<f64>",
};

static void print_type(FILE *out, const statement_tensor *tensor, const char *format) {
  fputs("tensor<", out);
  for (int d = 0; d < tensor->order; d++)
    if (tensor->dimensions && tensor->dimensions[d] >= 0)
      fprintf(out, "%lldx", (long long)tensor->dimensions[d]);
    else
      fputs("?x", out);
  fputs(element_types[tensor->type], out);
  if (format && tensor->order > 0)
    fprintf(out, ", %s", format);
  fputc('>', out);
}

static void print_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++)
    if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
      fprintf(out, "\\%02X", (unsigned char)*text);
    else
      fputc(*text, out);
  fputc('"', out);
}

static void print_operand_types(FILE *out, const statement *p) {
  for (int i = 0; i < p->operand_count; i++) {
    fputs(i ? ", " : "", out);
    print_type(out, &p->operands[i], p->operands[i].format);
  }
}

static void print_name(FILE *out, const statement *p, const statement_tensor *tensor) {
  if (p->name)
    fprintf(out, " {tin.name = \"%s\"}", tensor->name);
}

static void print_interface(FILE *out, const statement *p) {
  fprintf(out, "func.func @%s(", p->name ? p->name : "kernel");
  for (int i = 0; i < p->operand_count; i++) {
    fprintf(out, "%s%%%s: ", i ? ", " : "", p->operands[i].name);
    print_type(out, &p->operands[i], p->operands[i].format);
    print_name(out, p, &p->operands[i]);
  }
  fputs(p->name ? ") -> (" : ") -> ", out);
  print_type(out, &p->result, p->result.format);
  print_name(out, p, &p->result);
  fputs(p->name ? ")" : "", out);
}

static const char *fill_of(const statement *p, int tensor) {
  return p->fills ? p->fills[tensor] : NULL;
}

static void print_choices(FILE *out, const char *fill, bool drop_zeros) {
  const char *dropped = drop_zeros ? "drop_zeros" : "";
  if (fill)
    fprintf(out, "{fill = %s%s%s} ", fill, drop_zeros ? ", " : "", dropped);
  else if (drop_zeros)
    fprintf(out, "{%s} ", dropped);
}

static void print_dropping(FILE *out, const statement *p) {
  fputs("\n  %1 = tin.convert %0 ", out);
  print_choices(out, fill_of(p, p->operand_count), true);
  fputs(": ", out);
  print_type(out, &p->result, p->result.format);
  fputs(" to ", out);
  print_type(out, &p->result, p->result.format);
}

/* " {extents = {i = 5, k = 4}}" */
static void print_extents(FILE *out, const statement *p) {
  bool any = false;
  for (int v = 0; v < p->variable_count; v++)
    if (p->extents[v] >= 0) {
      fprintf(out, "%s%s = %lld", any ? ", " : " {extents = {", p->variables[v],
              (long long)p->extents[v]);
      any = true;
    }
  fputs(any ? "}}" : "", out);
}

static void print_einsum(FILE *out, const statement *p) {
  fputs("tin.einsum ", out);
  print_quoted(out, p->expression);
  fputs(" (", out);
  for (int i = 0; i < p->operand_count; i++)
    fprintf(out, "%s%%%s", i ? ", " : "", p->operands[i].name);
  fputs(")", out);
  if (p->semiring) {
    fputs(" semiring ", out);
    print_quoted(out, p->semiring);
  }
  print_extents(out, p);
  fputs(" : (", out);
  print_operand_types(out, p);
  fputs(") -> ", out);
  print_type(out, &p->result, p->result.format);
}

static void print_converted(FILE *out, const statement *p) {
  fprintf(out, "tin.convert %%%s : ", p->operands[0].name);
  print_type(out, &p->operands[0], p->operands[0].format);
  fputs(" to ", out);
  print_type(out, &p->result, p->result.format);
}

static void print_kernel(FILE *out, const statement *p) {
  print_interface(out, p);
  fputs(" {\n  %0 = ", out);
  (p->expression ? print_einsum : print_converted)(out, p);
  if (p->drop_zeros)
    print_dropping(out, p);
  fprintf(out, "\n  return %%%d : ", p->drop_zeros);
  print_type(out, &p->result, p->result.format);
  fputs("\n}\n", out);
}

static void print_conversion(FILE *out, const char *name, const char *from, const char *to,
                             const char *fill, bool drop_zeros) {
  fprintf(out, "func.func @%s(%%source: %s) -> %s {\n  %%0 = tin.convert %%source ", name, from,
          to);
  print_choices(out, fill, drop_zeros);
  fprintf(out, ": %s to %s\n  return %%0 : %s\n}\n", from, to, to);
}

char *statement_conversion_text(const char *name, const char *from, const char *to,
                                bool drop_zeros) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  print_conversion(out, name, from, to, NULL, drop_zeros);
  fclose(out);
  return text;
}

/* A function that is another of the same type under a second name. */
static void print_alias(FILE *out, const char *name, const char *other, const char *from,
                        const char *to) {
  fprintf(out, "func.func @%s(%%source: %s) -> %s {\n  %%0 = call @%s(%%source) : (%s) -> %s\n",
          name, from, to, other, from, to);
  fprintf(out, "  return %%0 : %s\n}\n", to);
}

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether one function packs both operands. */
static bool pack_alike(const statement *p, int i, int j) {
  const statement_tensor *a = &p->operands[i], *b = &p->operands[j];
  bool alike = a->order == b->order && a->type == b->type && same_text(a->source, b->source) &&
               same_text(a->format, b->format) && same_text(fill_of(p, i), fill_of(p, j));
  for (int d = 0; alike && d < a->order; d++)
    alike = (a->dimensions ? a->dimensions[d] : -1) == (b->dimensions ? b->dimensions[d] : -1);
  return alike;
}

static void print_packing(FILE *out, const statement *p, int operand) {
  const statement_tensor *t = &p->operands[operand];
  char *from = statement_type_text(t, t->source), *to = statement_type_text(t, t->format);
  char name[32], other[32];
  int first = 0;
  while (!pack_alike(p, first, operand))
    first++;
  snprintf(name, sizeof name, "pack_%d", operand);
  snprintf(other, sizeof other, "pack_%d", first);
  if (from && to && first < operand)
    print_alias(out, name, other, from, to);
  else if (from && to)
    print_conversion(out, name, from, to, fill_of(p, operand), p->drop_zeros);
  free(from);
  free(to);
}

static void print_unpacking(FILE *out, const statement *p) {
  const statement_tensor *t = &p->result;
  char *from = statement_type_text(t, t->format), *to = statement_type_text(t, t->source);
  if (from && to)
    print_conversion(out, "unpack", from, to, fill_of(p, p->operand_count), false);
  free(from);
  free(to);
}

char *statement_text(const statement *p, bool conversions) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  print_kernel(out, p);
  for (int i = 0; conversions && i < p->operand_count; i++)
    if (p->operands[i].source)
      print_packing(out, p, i);
  if (conversions && p->result.source)
    print_unpacking(out, p);
  fclose(out);
  return text;
}

char *statement_type_text(const statement_tensor *tensor, const char *format) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  print_type(out, tensor, format);
  fclose(out);
  return text;
}
