/* An expression becomes a module as sparse-run makes one; a file is one. */
#include "translate.h"

#include "complain.h"
#include "declarations.h"
#include "emit.h"
#include "source.h"
#include "statement.h"
#include "tensor_levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//--- An expression -------------------------------------------------------------------------------

/* The tensors as they are declared, dense where nothing is said; the result has the widest type. */
static bool declare(const cc_options *o, const einsum *e, statement *s) {
  int32_t widest = -1;
  for (int i = 0; i < e->tensor_count; i++) {
    statement_tensor *t = &s->operands[i];
    *t = (statement_tensor){.name = e->tensors[i].name, .order = e->tensors[i].order};
    if (!declared_type(o->bindings, t->name, LAC_F64, &t->type) ||
        !declared_format(o->bindings, t->name, t->order, "dense", (char **)&t->format))
      return false;
    widest = widest < 0 ? t->type : promoted_type(widest, t->type);
  }
  s->result.name = e->result;
  s->result.order = e->result_access.order;
  return declared_type(o->bindings, e->result, widest < 0 ? LAC_F64 : widest, &s->result.type) &&
         declared_format(o->bindings, e->result, s->result.order, "dense",
                         (char **)&s->result.format);
}

/* Sizes of the result that no operand's dimension tells are static, as -d says; others that none
 * tells are stated. */
static bool take_sizes(arena *memory, const cc_options *o, const einsum *e, statement *s) {
  int64_t *sizes = ARENA_ARRAY(memory, int64_t, e->variable_count + 1);
  int **variables = subscript_variables(memory, e);
  if (!declared_sizes(o->bindings, e, sizes))
    return false;
  s->result.dimensions = ARENA_ARRAY(memory, int64_t, s->result.order + 1);
  for (int d = 0; d < s->result.order; d++) {
    int v = variables[e->tensor_count][d];
    s->result.dimensions[d] = operands_tell(e, variables, v) ? -1 : sizes[v];
  }
  s->variables = e->variables;
  s->variable_count = e->variable_count;
  s->extents = stated_extents(memory, e, sizes);
  return true;
}

static void free_formats(statement *s) {
  for (int i = 0; i < s->operand_count; i++)
    free((char *)s->operands[i].format);
  free((char *)s->result.format);
}

static char *module_of_expression(arena *memory, const cc_options *o, compiler *c) {
  einsum_error error;
  size_t length = strlen(o->program);
  const einsum *e = einsum_parse(memory, o->program, length, &error);
  if (!e) {
    complain("%s", einsum_error_text(memory, o->program, length, &error));
    return NULL;
  }
  statement s = {.expression = o->program,
                 .semiring = o->semiring,
                 .operand_count = e->tensor_count,
                 .operands = ARENA_ARRAY(memory, statement_tensor, e->tensor_count + 1),
                 .name = o->name ? o->name : "kernel"};
  bool known = declared_names_are_known(o->bindings, e) &&
               tensor_formats_are_sound(c, memory, o->bindings, e) && declare(o, e, &s) &&
               take_sizes(memory, o, e, &s);
  char *text = known ? statement_text(&s, false) : NULL;
  free_formats(&s);
  return text;
}

//--- The module ----------------------------------------------------------------------------------

/* Nobody wrote the text that an expression becomes: messages have no places in it. */
static const char *module_name(const cc_options *o) {
  return source_is_file(o->program) ? o->program : NULL;
}

static bool list_functions(translation *t) {
  MlirModule module = compiler_parse(t->c, t->text, module_name(t->o));
  if (mlirModuleIsNull(module))
    return complain("%s", compiler_error(t->c));
  t->functions = signature_list(t->memory, module, &t->function_count);
  mlirModuleDestroy(module);
  return true;
}

bool translation_begin(translation *t, const cc_options *o, compiler *c) {
  *t = (translation){.o = o, .c = c, .memory = arena_create()};
  t->text =
      source_is_file(o->program) ? source_read(o->program) : module_of_expression(t->memory, o, c);
  return t->text && list_functions(t);
}

void translation_end(translation *t) {
  free(t->text);
  arena_free(t->memory);
}

char *translation_emit(translation *t, const char *rung, size_t *size) {
  struct lacuna_pipeline_options pipeline = {t->o->schedule, t->o->threads, t->o->strict, 0, NULL};
  machine_options machine = machine_options_default();
  machine.cpu = t->o->cpu;
  char *bytes = NULL, *error = NULL;
  FILE *out = open_memstream(&bytes, size);
  bool done =
      out && emit_rung(t->c, t->text, module_name(t->o), rung, &pipeline, &machine, out, &error);
  if (out)
    fclose(out);
  if (done)
    return bytes;
  complain("%s", error ? error : "no memory");
  free(error);
  free(bytes);
  return NULL;
}
