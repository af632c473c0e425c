/* explain.c - explanations: gathered kernel by kernel, written at the end (explain.h). */
#include "explain.h"

#include "explain_parts.h"
#include "sit.h"

#include <stdarg.h>
#include <string.h>

enum { MOST_REMARKS = 256, STEP = 2 };

struct explanation {
  arena *memory;
  explained *kernels;
  int kernel_count;
  const char *remarks[MOST_REMARKS];
  int remark_count;
};

/* ---- Lines -------------------------------------------------------------------------------- */

void explained_add(explained *e, int depth, const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  e->text = arena_format(e->memory, "%s%*s%s\n", e->text, STEP * (depth + 1), "", line);
}

void explained_add_once(explained *e, const char *line) {
  const char *row = arena_format(e->memory, "%*s%s\n", STEP, "", line);
  if (!strstr(e->text, row))
    e->text = arena_format(e->memory, "%s%s", e->text, row);
}

/* ---- Gathering ---------------------------------------------------------------------------- */

explanation *explanation_begin(arena *memory) {
  explanation *x = arena_alloc(memory, sizeof *x);
  *x = (explanation){.memory = memory};
  return x;
}

void explanation_remark(explanation *x, const char *message) {
  if (x->remark_count < MOST_REMARKS)
    x->remarks[x->remark_count++] = arena_format(x->memory, "%s", message);
}

static const char *names_of(arena *memory, MlirOperation kernel) {
  MlirBlock block = op_block(kernel, 0);
  const char *names = "";
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
    names = arena_format(memory, "%s'%s' ", names,
                         cin_tensor_bare_name(memory, kernel, mlirBlockGetArgument(block, i)));
  return names;
}

static void take_kernel(explanation *x, MlirOperation kernel) {
  explained *e = &x->kernels[x->kernel_count++];
  *e = (explained){.memory = x->memory, .names = "", .text = ""};
  if (statement_op_is_conversion(kernel))
    return;
  e->title = kernel_title(x->memory, kernel);
  e->names = names_of(x->memory, kernel);
  explain_loops(e, kernel);
  explain_order(e, kernel);
  explain_assembly(e, kernel);
  explain_scattering(e, kernel);
}

void explanation_take_loops(explanation *x, MlirOperation module) {
  op_list kernels = ops_below(x->memory, module, cin_is_kernel);
  x->kernels = ARENA_ARRAY(x->memory, explained, kernels.count + 1);
  for (int k = 0; k < kernels.count; k++)
    take_kernel(x, kernels.ops[k]);
}

/* Each cin.kernel has become a sit.kernel. */
void explanation_take_walks(explanation *x, MlirOperation module, explain_strategy *words) {
  op_list kernels = ops_below(x->memory, module, sit_is_kernel);
  for (int k = 0; k < kernels.count && k < x->kernel_count; k++) {
    x->kernels[k].strategy_words = words;
    if (x->kernels[k].title)
      explain_walks(&x->kernels[k], kernels.ops[k]);
  }
}

/* ---- Writing ------------------------------------------------------------------------------ */

/* Whether a message names a tensor of the kernel: one of the names with its quotes. */
static bool mentions(const explained *e, const char *message) {
  for (const char *name = e->names; *name;) {
    const char *end = strchr(name, ' ');
    const char *one = arena_text(e->memory, name, (size_t)(end - name));
    if (strstr(message, one))
      return true;
    name = end + 1;
  }
  return false;
}

/* The kernel that a remark stands with; -1 for none. */
static int kernel_of(const explanation *x, const char *message) {
  int found = -1;
  for (int k = 0; k < x->kernel_count; k++)
    if (x->kernels[k].title && mentions(&x->kernels[k], message))
      found = k;
  return found;
}

static void write_remarks(const explanation *x, int kernel, FILE *out) {
  for (int r = 0; r < x->remark_count; r++)
    if (kernel_of(x, x->remarks[r]) == kernel)
      fprintf(out, "  note: %s\n", x->remarks[r]);
}

void explanation_write(const explanation *x, FILE *out) {
  bool is_first = true;
  for (int k = 0; k < x->kernel_count; k++) {
    if (!x->kernels[k].title)
      continue;
    fprintf(out, "%s%s\n%s", is_first ? "" : "\n", x->kernels[k].title, x->kernels[k].text);
    write_remarks(x, k, out);
    is_first = false;
  }
  write_remarks(x, -1, out);
}
