/* Writes prototypes with what each parameter is. */
#include "header.h"

#include "lac_ascii.h"
#include "lac_tensor.h"
#include "storage.h"

#include <stdio.h>
#include <string.h>

/* Text inside a comment: on one line, and without its end. */
static void print_comment(FILE *out, const char *text) {
  for (; *text; text++) {
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    if (text[0] == '*' && text[1] == '/')
      fputc(' ', out);
  }
}

static void print_guard(FILE *out, const char *file) {
  fputs("LACUNA_", out);
  for (; *file; file++)
    fputc(lac_is_letter_or_digit(*file) ? lac_capital_letter(*file) : '_', out);
}

//--- Names ---------------------------------------------------------------------------------------

static bool is_word_of_c(const char *name) {
  static const char *const words[] = {
      "alignas",    "alignof", "and",      "asm",       "auto",    "bool",      "break",
      "case",       "catch",   "char",     "class",     "const",   "constexpr", "continue",
      "default",    "delete",  "do",       "double",    "else",    "enum",      "explicit",
      "export",     "extern",  "false",    "float",     "for",     "friend",    "goto",
      "if",         "inline",  "int",      "int32_t",   "int64_t", "int8_t",    "int16_t",
      "lac_tensor", "long",    "mutable",  "namespace", "new",     "not",       "nullptr",
      "operator",   "or",      "private",  "protected", "public",  "register",  "restrict",
      "return",     "short",   "signed",   "sizeof",    "static",  "struct",    "switch",
      "template",   "this",    "throw",    "true",      "try",     "typedef",   "typename",
      "uint16_t",   "union",   "unsigned", "using",     "virtual", "void",      "volatile",
      "while",      "xor"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (!strcmp(words[i], name))
      return true;
  return false;
}

static bool is_name_in_c(const char *name) {
  if ((!lac_is_letter(*name) && *name != '_') || is_word_of_c(name))
    return false;
  while (lac_is_letter_or_digit(*name) || *name == '_')
    name++;
  return !*name;
}

bool header_takes_name(const char *name) {
  return is_name_in_c(name) && strncmp(name, "lac_", 4) != 0;
}

static const signature_tensor *parameter(const signature *s, int i) {
  return i < s->result_count ? &s->results[i] : &s->arguments[i - s->result_count];
}

/* A parameter's own name where C takes it and no other one has it; else result0, arg0, ... */
static void parameter_name(const signature *s, int i, char name[128]) {
  const char *own = parameter(s, i)->name;
  bool good = is_name_in_c(own) && strlen(own) < 100 && strcmp(own, s->function) != 0;
  for (int other = 0; good && other < s->result_count + s->argument_count; other++)
    good = other == i || strcmp(own, parameter(s, other)->name) != 0;
  if (good)
    snprintf(name, 128, "%s", own);
  else if (i < s->result_count)
    sprintf(name, "result%d_", i);
  else
    sprintf(name, "arg%d_", i - s->result_count);
}

//--- Types ---------------------------------------------------------------------------------------

/* The C type of a scalar, or NULL. */
static const char *scalar_in_c(const char *type) {
  static const char *const types[][2] = {
      {"f64", "double"},  {"f32", "float"},    {"f16", "uint16_t"}, {"bf16", "uint16_t"},
      {"i1", "bool"},     {"i8", "int8_t"},    {"i16", "int16_t"},  {"i32", "int32_t"},
      {"i64", "int64_t"}, {"index", "int64_t"}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (!strcmp(types[i][0], type))
      return types[i][1];
  return NULL;
}

/* Whether C can call it: it has a tensor, and each other parameter has a type in C. */
static bool is_callable(const signature *s) {
  bool tensors = false, others = true;
  for (int i = 0; i < s->result_count + s->argument_count; i++) {
    tensors |= parameter(s, i)->element >= 0;
    others &= parameter(s, i)->element >= 0 || scalar_in_c(parameter(s, i)->type);
  }
  return tensors && others && is_name_in_c(s->function);
}

static void print_dimensions(FILE *out, const signature_tensor *t) {
  fputs(" [", out);
  for (int d = 0; d < t->order; d++) {
    fputs(d ? " x " : "", out);
    if (t->dimensions[d] < 0)
      fputs("?", out);
    else
      fprintf(out, "%lld", (long long)t->dimensions[d]);
  }
  fputs("]", out);
}

/* What stands in the angle brackets of a #tin.format. */
static void print_format(FILE *out, const char *format) {
  const char *open = strchr(format, '<');
  size_t length = strlen(format);
  if (open && length > 0 && format[length - 1] == '>')
    fprintf(out, "  %.*s", (int)(format + length - 1 - (open + 1)), open + 1);
}

static void print_scalar_type(FILE *out, const char *type) {
  print_comment(out, type);
  if (!strcmp(type, "f16") || !strcmp(type, "bf16"))
    fputs(", as its 16 bits", out);
}

static void print_parameter_comment(FILE *out, const signature *s, int i) {
  const signature_tensor *t = parameter(s, i);
  char name[128];
  parameter_name(s, i, name);
  fprintf(out, " *   %-8s %-8s ", name, i < s->result_count ? "result" : "operand");
  if (t->element < 0)
    print_scalar_type(out, t->type);
  else
    fputs(lac_type_name(t->element), out);
  if (t->element >= 0 && t->order > 0)
    print_dimensions(out, t);
  if (t->format)
    print_format(out, t->format);
  fputc('\n', out);
}

static void print_parameter(FILE *out, const signature *s, int i) {
  const signature_tensor *t = parameter(s, i);
  bool result = i < s->result_count;
  char name[128];
  parameter_name(s, i, name);
  fputs(i ? ", " : "", out);
  if (t->element < 0)
    fprintf(out, result ? "%s *%s" : "%s %s", scalar_in_c(t->type), name);
  else
    fprintf(out, result ? "lac_tensor *%s" : "const lac_tensor *%s", name);
}

/* How an operand is stored, for lac_tensor_check_stored. */
static void print_stored(FILE *out, const header *h, const signature *s, int i) {
  const signature_tensor *t = parameter(s, i);
  char name[128];
  if (!t->format)
    return;
  arena *memory = arena_create();
  MlirType type = mlirTypeParseGet(h->context, mlirStringRefCreateFromCString(t->type));
  const tensor_format *format =
      mlirTypeIsNull(type) ? NULL
                           : tensor_format_get(memory, type, mlirLocationUnknownGet(h->context));
  parameter_name(s, i, name);
  if (format)
    fprintf(out, "#define lac_stored_%s_%s \\\n  \"%s\"\n", s->function, name,
            storage_signature(memory, format));
  arena_free(memory);
}

static void print_function(FILE *out, const header *h, const signature *s) {
  int count = s->result_count + s->argument_count;
  if (!is_callable(s)) {
    fputs("\n/* '", out);
    print_comment(out, s->function);
    fputs("' has no prototype: it takes and gives no tensor, or C cannot name it or a type. */\n",
          out);
    return;
  }
  fprintf(out, "\n/* %s\n *\n", s->function);
  for (int i = 0; i < count; i++)
    print_parameter_comment(out, s, i);
  fprintf(out, " */\nint32_t %s(", s->function);
  for (int i = 0; i < count; i++)
    print_parameter(out, s, i);
  fputs(");\n", out);
  for (int i = s->result_count; i < count; i++)
    print_stored(out, h, s, i);
}

//--- The file ------------------------------------------------------------------------------------

static void print_opening(FILE *out, const header *h) {
  fputs("/* ", out);
  print_comment(out, h->file);
  fputs(" - compiled by sparse-cc from\n *\n *     ", out);
  print_comment(out, h->source);
  fprintf(
      out,
      "\n *\n"
      " * To be linked with lacuna_runtime%s.  Each function returns LAC_OK, or another\n"
      " * lac_status with a message that lac_error_message() returns (lac_error.h).  A result\n"
      " * is made anew: what it held is freed, so that it begins as an empty lac_tensor, {0};\n"
      " * lac_tensor_free frees it.  Operands are read and stay their owner's.\n"
      " *\n"
      " * Of each parameter: element type, [dimensions] (? where any size is taken), and how it\n"
      " * is stored: levels, outermost first, with positions and coordinates of 64 bits where\n"
      " * no other width stands.  lac_stored_FUNCTION_OPERAND says so to\n"
      " * lac_tensor_check_stored.\n"
      " */\n",
      h->threads ? " and libomp" : "");
}

/* A caller that has another lac_tensor than the code is told by its compiler. */
static void print_version_check(FILE *out, const header *h) {
  fprintf(out, "\n#if LAC_ABI_VERSION != %d\n#error \"", LAC_ABI_VERSION);
  print_comment(out, h->file);
  fprintf(out,
          ": compiled for version %d of lac_tensor.h, found another one\"\n"
          "#endif\n",
          LAC_ABI_VERSION);
}

static void print_header(FILE *out, const header *h) {
  print_opening(out, h);
  fputs("#ifndef ", out);
  print_guard(out, h->file);
  fputs("\n#define ", out);
  print_guard(out, h->file);
  fputs("\n\n#include \"lac_tensor.h\"\n", out);
  print_version_check(out, h);
  fputs("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", out);
  for (int i = 0; i < h->function_count; i++)
    print_function(out, h, h->functions[i]);
  fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", out);
}

char *header_text(const header *h) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  print_header(out, h);
  fclose(out);
  return text;
}
