/* An expression becomes a module as sparse-run makes one; a file is one. */
#include "translate.h"

#include "complain.h"
#include "declarations.h"
#include "device_target.h"
#include "emit.h"
#include "program.h"
#include "source.h"
#include "statement_spec.h"
#include "tensor_levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//--- An expression -------------------------------------------------------------------------------

/* The statements with their tensors as they are declared, dense where nothing is said. */
typedef struct declaration {
  const cc_options *o;
  arena *memory;
  const program *p;
  statement_tensor *operands; /* of the program */
  statement_spec *statements;
} declaration;

static bool declare_operands(declaration *d) {
  for (int i = 0; i < d->p->operand_count; i++) {
    statement_tensor *t = &d->operands[i];
    *t = (statement_tensor){.name = d->p->operands[i].name, .order = d->p->operands[i].order};
    if (!declared_type(d->o->bindings, t->name, LAC_F64, &t->type) ||
        !declared_format(d->o->bindings, t->name, t->order, "dense", (char **)&t->format) ||
        !declared_holds(d->memory, d->o->bindings, t->name, t->order, &t->holds))
      return false;
  }
  return true;
}

static void take_operands(declaration *d, int number) {
  const program_statement *from = &d->p->statements[number];
  statement_spec *s = &d->statements[number];
  s->operand_count = from->e->tensor_count;
  s->makers = from->makers;
  s->operands = ARENA_ARRAY(d->memory, statement_tensor, s->operand_count + 1);
  for (int i = 0; i < s->operand_count; i++)
    s->operands[i] = from->makers[i] >= 0 ? d->statements[from->makers[i]].result
                                          : d->operands[from->operands[i]];
}

static bool declare_result(declaration *d, const einsum *e, statement_spec *s) {
  int32_t *types = ARENA_ARRAY(d->memory, int32_t, s->operand_count + 1);
  for (int i = 0; i < s->operand_count; i++)
    types[i] = s->operands[i].type;
  s->result.name = e->result;
  s->result.order = e->result_access.order;
  return declared_result_type(d->o->bindings, e->result, types, s->operand_count,
                              &s->result.type) &&
         declared_format(d->o->bindings, e->result, s->result.order, "dense",
                         (char **)&s->result.format);
}

/* Sizes of the result that no operand's dimension tells are static, as -d says; others that none
 * tells are stated. */
static bool take_sizes(declaration *d, const einsum *e, statement_spec *s) {
  int64_t *sizes = ARENA_ARRAY(d->memory, int64_t, e->variable_count + 1);
  int **variables = subscript_variables(d->memory, e);
  if (!declared_sizes(d->o->bindings, e, sizes))
    return false;
  s->result.dimensions = ARENA_ARRAY(d->memory, int64_t, s->result.order + 1);
  for (int i = 0; i < s->result.order; i++) {
    int v = variables[e->tensor_count][i];
    s->result.dimensions[i] = v < 0 || operands_tell(e, variables, v) ? -1 : sizes[v];
  }
  s->variables = e->variables;
  s->variable_count = e->variable_count;
  s->extents = stated_extents(d->memory, e, sizes);
  return true;
}

static bool declare(declaration *d) {
  if (!declare_operands(d))
    return false;
  for (int i = 0; i < d->p->statement_count; i++) {
    const program_statement *from = &d->p->statements[i];
    statement_spec *s = &d->statements[i];
    *s = (statement_spec){.expression = from->text,
                          .semiring = d->o->semiring,
                          .is_hidden = from->is_hidden,
                          .name = d->o->name ? d->o->name : "kernel"};
    take_operands(d, i);
    if (!declare_result(d, from->e, s) || !take_sizes(d, from->e, s))
      return false;
  }
  return true;
}

static void free_formats(declaration *d) {
  for (int i = 0; i < d->p->operand_count; i++)
    free((char *)d->operands[i].format);
  for (int s = 0; s < d->p->statement_count; s++)
    free((char *)d->statements[s].result.format);
}

static char *module_of_expression(arena *memory, const cc_options *o, compiler *c) {
  const char *error;
  const program *p = program_parse(memory, o->program, &error);
  if (!p) {
    complain("%s", error);
    return NULL;
  }
  declaration d = {o, memory, p, ARENA_ARRAY(memory, statement_tensor, p->operand_count + 1),
                   ARENA_ARRAY(memory, statement_spec, p->statement_count + 1)};
  bool known = declared_names_are_known(o->bindings, p) &&
               tensor_formats_are_sound(c, memory, o->bindings, p) && declare(&d);
  char *text = known ? statements_text(d.statements, p->statement_count, false) : NULL;
  free_formats(&d);
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
  struct lacuna_pipeline_options pipeline = {.schedule = t->o->schedule,
                                             .threads = t->o->threads,
                                             .strict = t->o->strict,
                                             .deterministic = t->o->deterministic,
                                             .policies = t->o->workspace,
                                             .device = t->o->device,
                                             .device_if_able =
                                                 device_target_is_optional(t->o->target)};
  machine_options machine = machine_options_default();
  machine.cpu = t->o->cpu;
  machine.level = (int)t->o->optimize;
  machine.triple = t->o->triple;
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
