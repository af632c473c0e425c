/* Writes the module of statements as text. */
#include "statement_spec.h"

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

//--- The arguments -------------------------------------------------------------------------------

/* An operand of a statement. */
typedef struct operand {
  const statement_spec *statement;
  int number;
} operand;

typedef struct module {
  FILE *out;
  const statement_spec *statements;
  int count, argument_count;
  operand *arguments;
} module;

static const statement_tensor *tensor_of(operand o) {
  return &o.statement->operands[o.number];
}

static int maker_of(operand o) {
  return o.statement->makers ? o.statement->makers[o.number] : -1;
}

static const char *fill_of(const statement_spec *p, int tensor) {
  return p->fills ? p->fills[tensor] : NULL;
}

static bool is_taken(const module *m, operand o) {
  for (int i = 0; i < m->argument_count; i++)
    if (!strcmp(tensor_of(m->arguments[i])->name, tensor_of(o)->name))
      return true;
  return false;
}

static bool take_arguments(module *m) {
  int room = 1;
  for (int s = 0; s < m->count; s++)
    room += m->statements[s].operand_count;
  m->arguments = malloc((size_t)room * sizeof *m->arguments);
  for (int s = 0; m->arguments && s < m->count; s++)
    for (int i = 0; i < m->statements[s].operand_count; i++) {
      operand o = {&m->statements[s], i};
      if (maker_of(o) < 0 && !is_taken(m, o))
        m->arguments[m->argument_count++] = o;
    }
  return m->arguments != NULL;
}

//--- The kernel ----------------------------------------------------------------------------------

/* A statement's result is %2s, or without what is dropped %2s+1. */
static int value_of(const module *m, int statement) {
  return 2 * statement + m->statements[0].drop_zeros;
}

static void print_operand(const module *m, operand o) {
  int maker = maker_of(o);
  if (maker < 0)
    fprintf(m->out, "%%%s", tensor_of(o)->name);
  else
    fprintf(m->out, "%%%d", value_of(m, maker));
}

/* Up to the last group, one number for each dimension, in which something is known. */
static int held_count(const statement_tensor *tensor) {
  int count = STATEMENT_HOLDS(tensor->order), sizes = tensor->order + 1;
  while (count > sizes && !tensor->holds[count - 1])
    count--;
  return tensor->order ? (count - 1 + tensor->order - 1) / tensor->order * tensor->order + 1 : 1;
}

/* "array<i64: 21000, 1000, 1000, 30, 30>" */
static void print_holds(FILE *out, const statement_tensor *tensor) {
  int count = held_count(tensor);
  fputs("tin.holds = array<i64:", out);
  for (int d = 0; d < count; d++)
    fprintf(out, "%s %lld", d ? "," : "", (long long)tensor->holds[d]);
  fputs(">", out);
}

/* " {tin.name = "A", tin.holds = array<i64: 21000, 1000, 1000>}", as far as they are known */
static void print_facts(const module *m, const statement_tensor *tensor) {
  bool is_named = m->statements[0].name;
  if (!is_named && !tensor->holds)
    return;
  fputs(" {", m->out);
  if (is_named)
    fprintf(m->out, "tin.name = \"%s\"%s", tensor->name, tensor->holds ? ", " : "");
  if (tensor->holds)
    print_holds(m->out, tensor);
  fputs("}", m->out);
}

static void print_results(const module *m, void (*print)(const module *m, int statement)) {
  const char *before = "";
  for (int s = 0; s < m->count; s++)
    if (!m->statements[s].is_hidden) {
      fputs(before, m->out);
      print(m, s);
      before = ", ";
    }
}

static void print_result_type(const module *m, int statement) {
  const statement_tensor *result = &m->statements[statement].result;
  print_type(m->out, result, result->format);
}

static void print_named_result(const module *m, int statement) {
  print_result_type(m, statement);
  print_facts(m, &m->statements[statement].result);
}

static void print_value(const module *m, int statement) {
  fprintf(m->out, "%%%d", value_of(m, statement));
}

static void print_interface(const module *m) {
  const char *name = m->statements[0].name;
  fprintf(m->out, "func.func @%s(", name ? name : "kernel");
  for (int i = 0; i < m->argument_count; i++) {
    const statement_tensor *t = tensor_of(m->arguments[i]);
    fprintf(m->out, "%s%%%s: ", i ? ", " : "", t->name);
    print_type(m->out, t, t->format);
    print_facts(m, t);
  }
  fputs(") -> (", m->out);
  print_results(m, print_named_result);
  fputs(")", m->out);
}

/* "{fill = 1.0 : f64, drop_zeros, tensor_name = "A"} " */
static void print_choices(FILE *out, const char *fill, bool drop_zeros, const char *name) {
  const char *before = "{";
  if (fill)
    fprintf(out, "{fill = %s", fill);
  before = fill ? ", " : before;
  if (drop_zeros)
    fprintf(out, "%sdrop_zeros", before);
  before = fill || drop_zeros ? ", " : before;
  if (name) {
    fprintf(out, "%stensor_name = ", before);
    print_quoted(out, name);
  }
  fputs(fill || drop_zeros || name ? "} " : "", out);
}

static void print_dropping(const module *m, int statement) {
  const struct statement_spec *p = &m->statements[statement];
  fprintf(m->out, "  %%%d = tin.convert %%%d ", 2 * statement + 1, 2 * statement);
  print_choices(m->out, fill_of(p, p->operand_count), true, p->result.name);
  fputs(": ", m->out);
  print_result_type(m, statement);
  fputs(" to ", m->out);
  print_result_type(m, statement);
  fputs("\n", m->out);
}

/* " {extents = {i = 5, k = 4}}" */
static void print_extents(FILE *out, const statement_spec *p) {
  bool any = false;
  for (int v = 0; v < p->variable_count; v++)
    if (p->extents[v] >= 0) {
      fprintf(out, "%s%s = %lld", any ? ", " : " {extents = {", p->variables[v],
              (long long)p->extents[v]);
      any = true;
    }
  fputs(any ? "}}" : "", out);
}

static void print_einsum(const module *m, const statement_spec *p) {
  fputs("tin.einsum ", m->out);
  print_quoted(m->out, p->expression);
  fputs(" (", m->out);
  for (int i = 0; i < p->operand_count; i++) {
    fputs(i ? ", " : "", m->out);
    print_operand(m, (operand){p, i});
  }
  fputs(")", m->out);
  if (p->semiring) {
    fputs(" semiring ", m->out);
    print_quoted(m->out, p->semiring);
  }
  print_extents(m->out, p);
  fputs(" : (", m->out);
  for (int i = 0; i < p->operand_count; i++) {
    fputs(i ? ", " : "", m->out);
    print_type(m->out, &p->operands[i], p->operands[i].format);
  }
  fputs(") -> ", m->out);
  print_type(m->out, &p->result, p->result.format);
}

static void print_converted(const module *m, const statement_spec *p) {
  fputs("tin.convert ", m->out);
  print_operand(m, (operand){p, 0});
  fputs(" : ", m->out);
  print_type(m->out, &p->operands[0], p->operands[0].format);
  fputs(" to ", m->out);
  print_type(m->out, &p->result, p->result.format);
}

static void print_statement(const module *m, int statement) {
  const struct statement_spec *p = &m->statements[statement];
  fprintf(m->out, "  %%%d = ", 2 * statement);
  (p->expression ? print_einsum : print_converted)(m, p);
  fputs("\n", m->out);
  if (m->statements[0].drop_zeros)
    print_dropping(m, statement);
}

static void print_kernel(const module *m) {
  print_interface(m);
  fputs(" {\n", m->out);
  for (int s = 0; s < m->count; s++)
    print_statement(m, s);
  fputs("  return ", m->out);
  print_results(m, print_value);
  fputs(" : ", m->out);
  print_results(m, print_result_type);
  fputs("\n}\n", m->out);
}

//--- Conversions ---------------------------------------------------------------------------------

static void print_conversion(FILE *out, const char *name, const char *traits, const char *from,
                             const char *to, const char *fill, bool drop_zeros,
                             const char *tensor) {
  fprintf(out, "func.func @%s(%%source: %s) -> %s%s {\n  %%0 = tin.convert %%source ", name, from,
          to, traits);
  print_choices(out, fill, drop_zeros, tensor);
  fprintf(out, ": %s to %s\n  return %%0 : %s\n}\n", from, to, to);
}

char *statement_conversion_text(const char *name, const char *from, const char *to, bool drop_zeros,
                                const char *tensor) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  print_conversion(out, name, "", from, to, NULL, drop_zeros, tensor);
  fclose(out);
  return text;
}

/* What LLVM is told of functions that run once: they are compiled fast, to run less fast. */
static const char once[] = " attributes {passthrough = [\"cold\"]}";

/* A function that is another of the same type under a second name. */
static void print_alias(FILE *out, const char *name, const char *other, const char *from,
                        const char *to) {
  fprintf(out, "func.func @%s(%%source: %s) -> %s%s {\n  %%0 = call @%s(%%source) : (%s) -> %s\n",
          name, from, to, once, other, from, to);
  fprintf(out, "  return %%0 : %s\n}\n", to);
}

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether one function packs both operands. */
static bool pack_alike(operand one, operand other) {
  const statement_tensor *a = tensor_of(one), *b = tensor_of(other);
  bool alike =
      a->order == b->order && a->type == b->type && same_text(a->source, b->source) &&
      same_text(a->format, b->format) &&
      same_text(fill_of(one.statement, one.number), fill_of(other.statement, other.number));
  for (int d = 0; alike && d < a->order; d++)
    alike = (a->dimensions ? a->dimensions[d] : -1) == (b->dimensions ? b->dimensions[d] : -1);
  return alike;
}

/* The operands that a function packs: "A or B"; the caller frees it. */
static char *names_packed(const module *m, operand o) {
  char *names = NULL;
  size_t length;
  FILE *out = open_memstream(&names, &length);
  const char *before = "";
  for (int i = 0; out && i < m->argument_count; i++)
    if (pack_alike(m->arguments[i], o)) {
      fprintf(out, "%s%s", before, tensor_of(m->arguments[i])->name);
      before = " or ";
    }
  if (out)
    fclose(out);
  return names;
}

static void print_packing(const module *m, int argument) {
  operand o = m->arguments[argument];
  const statement_tensor *t = tensor_of(o);
  char *from = statement_type_text(t, t->source), *to = statement_type_text(t, t->format);
  char name[32], other[32], *whose = names_packed(m, o);
  int first = 0;
  while (!pack_alike(m->arguments[first], o))
    first++;
  snprintf(name, sizeof name, "pack_%d", argument);
  snprintf(other, sizeof other, "pack_%d", first);
  if (from && to && first < argument)
    print_alias(m->out, name, other, from, to);
  else if (from && to)
    print_conversion(m->out, name, once, from, to, fill_of(o.statement, o.number),
                     m->statements[0].drop_zeros, whose);
  free(whose);
  free(from);
  free(to);
}

static void print_unpacking(const module *m, int statement) {
  const struct statement_spec *p = &m->statements[statement];
  const statement_tensor *t = &p->result;
  char *from = statement_type_text(t, t->format), *to = statement_type_text(t, t->source);
  char name[32];
  snprintf(name, sizeof name, "unpack_%d", statement);
  if (from && to)
    print_conversion(m->out, name, once, from, to, fill_of(p, p->operand_count), p->unpack_drops,
                     p->result.name);
  free(from);
  free(to);
}

static void print_conversions(const module *m) {
  for (int i = 0; i < m->argument_count; i++)
    if (tensor_of(m->arguments[i])->source)
      print_packing(m, i);
  for (int s = 0; s < m->count; s++)
    if (m->statements[s].result.source)
      print_unpacking(m, s);
}

//--- The whole -----------------------------------------------------------------------------------

char *statements_text(const statement_spec *list, int count, bool conversions) {
  char *text = NULL;
  size_t length = 0;
  module m = {open_memstream(&text, &length), list, count, 0, NULL};
  bool done = m.out && take_arguments(&m);
  if (done)
    print_kernel(&m);
  if (done && conversions)
    print_conversions(&m);
  free(m.arguments);
  if (m.out)
    fclose(m.out);
  if (done)
    return text;
  free(text);
  return NULL;
}

char *statement_text(const statement_spec *p, bool conversions) {
  return statements_text(p, 1, conversions);
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
