/* sparse-run on an expression: gather the tensors, compile, pack, run, write. */
#include "expression.h"

#include "compact.h"
#include "compile.h"
#include "complain.h"
#include "data.h"
#include "declarations.h"
#include "format_names.h"
#include "inputs.h"
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"
#include "progress.h"
#include "report.h"
#include "statement.h"
#include "tensor_levels.h"
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct expression_run {
  const options *o;
  compiler *c;
  arena *memory;
  inputs in;
  compiled *code;
  verification *check; /* NULL without --verify */
  figures figures;
} expression_run;

//--- The program ---------------------------------------------------------------------------------

/* Sizes of the result that no operand's dimension tells, as static dimensions. */
static int64_t *result_dimensions(const expression_run *r) {
  const run_tensor *result = &r->in.result;
  int64_t *sizes = ARENA_ARRAY(r->memory, int64_t, result->order + 1);
  int **variables = subscript_variables(r->memory, r->in.statement);
  for (int d = 0; d < result->order; d++) {
    int v = result->variables[d];
    sizes[d] = operands_tell(r->in.statement, variables, v) ? -1 : r->in.extents[v];
  }
  return sizes;
}

/* What is stored as it was read needs packing only where something may have to be left out. */
static statement_tensor describe(const expression_run *r, const run_tensor *t) {
  bool is_read = t != &r->in.result, drops = is_read && r->o->drop_zeros;
  bool packs = t->source && (drops || strcmp(t->source, t->format) != 0);
  const char *source = packs ? t->source : NULL;
  return (statement_tensor){t->name, t->order, t->format, source, t->type, NULL};
}

/* What stands where nothing is stored in a semiring other than the usual one. */
static const char *fill_text(const expression_run *r, const statement_tensor *t) {
  char *type = statement_type_text(t, t->format);
  const char *fill = type ? tensor_fill(r->c, r->memory, type, r->o->semiring) : NULL;
  free(type);
  return fill;
}

static char *make_text(const expression_run *r, bool conversions) {
  int count = r->in.statement->tensor_count;
  statement s = {r->o->program,
                 r->o->semiring,
                 count,
                 ARENA_ARRAY(r->memory, statement_tensor, count + 1),
                 describe(r, &r->in.result),
                 NULL,
                 ARENA_ARRAY(r->memory, const char *, count + 1),
                 r->o->drop_zeros,
                 r->in.statement->variable_count,
                 r->in.statement->variables,
                 stated_extents(r->memory, r->in.statement, r->in.wanted)};
  for (int i = 0; i < count; i++)
    s.operands[i] = describe(r, &r->in.operands[i]);
  for (int i = 0; r->o->semiring && i <= count; i++)
    s.fills[i] = fill_text(r, i < count ? &s.operands[i] : &s.result);
  s.result.dimensions = result_dimensions(r);
  return statement_text(&s, conversions);
}

static bool emit(expression_run *r) {
  char *text = make_text(r, false);
  bool done = emit_text(r->o, r->c, text, NULL);
  free(text);
  return done;
}

static bool compile(expression_run *r) {
  char *text = make_text(r, true);
  r->code = compile_text(r->o, r->c, text, NULL, true, &r->figures.compile);
  free(text);
  return r->code != NULL;
}

//--- Running -------------------------------------------------------------------------------------

/* A coordinate list comes in a file's order, and is kept or packed in that of the levels. */
static bool sort_list(expression_run *r, run_tensor *t) {
  if (t->order == 0 || lac_coo_expect(&t->read))
    return true;
  int64_t *order = tensor_level_order(r->c, r->memory, t->format, t->order);
  return (order && !lac_coo_sort(&t->read, order)) ||
         complain("%s", order ? lac_error_message() : compiler_error(r->c));
}

static bool pack(expression_run *r, int number) {
  run_tensor *t = &r->in.operands[number];
  char function[32];
  if (!sort_list(r, t))
    return false;
  if (!describe(r, t).source) {
    t->stored = t->read;
    memset(&t->read, 0, sizeof t->read);
    return true;
  }
  snprintf(function, sizeof function, "pack_%d", number);
  int32_t status = compiled_call(r->code, function, (void *[]){&t->stored, &t->read});
  lac_tensor_free(&t->read);
  return !status || complain("%s", lac_error_message());
}

/* The source of a coordinate list is known only once it is sorted: the order of the target's
 * levels. */
static bool settle_sources(expression_run *r) {
  for (int i = 0; i < r->in.statement->tensor_count; i++) {
    run_tensor *t = &r->in.operands[i];
    if (t->order == 0 || lac_coo_expect(&t->read))
      continue;
    int64_t *order = tensor_level_order(r->c, r->memory, t->format, t->order);
    int levels[LAC_FILE_ORDER];
    if (!order)
      return complain("%s", compiler_error(r->c));
    for (int l = 0; l < t->order; l++)
      levels[l] = (int)order[l];
    free(t->source);
    t->source = format_of_coordinates(t->order, levels);
  }
  return true;
}

/* A result whose levels only the compiler knows is written and compared as a coordinate list. */
static bool settle_result(expression_run *r) {
  run_tensor *t = &r->in.result;
  int levels[LAC_FILE_ORDER];
  bool wanted = r->o->verify || options_value(r->o, "-o", t->name);
  if (!wanted || t->order == 0 || t->order > LAC_FILE_ORDER || tensor_is_listed(r->c, t->format))
    return true;
  int64_t *order = tensor_level_order(r->c, r->memory, t->format, t->order);
  if (!order)
    return complain("%s", compiler_error(r->c));
  for (int l = 0; l < t->order; l++)
    levels[l] = (int)order[l];
  t->source = format_of_coordinates(t->order, levels);
  return true;
}

static bool unpack(expression_run *r) {
  run_tensor *t = &r->in.result;
  lac_tensor list = {0};
  if (!describe(r, t).source)
    return true;
  int32_t status = compiled_call(r->code, "unpack", (void *[]){&list, &t->stored});
  lac_tensor_free(&t->stored);
  char *format = t->format;
  t->stored = list;
  t->format = t->source;
  t->source = format;
  return !status || complain("%s", lac_error_message());
}

/* --check */
static bool is_sound(const expression_run *r, const run_tensor *t) {
  statement_tensor described = describe(r, t);
  char *type = r->o->check ? statement_type_text(&described, t->format) : NULL;
  bool sound = !r->o->check ||
               (type ? tensor_is_sound(r->c, &t->stored, type, t->name) : complain("no memory"));
  free(type);
  return sound;
}

static bool call_kernel(expression_run *r, void **arguments) {
  lac_tensor_free(&r->in.result.stored);
  return !compiled_call(r->code, "kernel", arguments);
}

/* Once, then as often as is timed. */
static bool call_repeatedly(expression_run *r, void **arguments) {
  if (!call_kernel(r, arguments))
    return false;
  for (int64_t i = 0; i < r->o->time; i++) {
    progress_update(NULL, (double)i / (double)r->o->time);
    lac_tensor_free(&r->in.result.stored);
    double start = report_clock();
    if (!call_kernel(r, arguments))
      return false;
    r->figures.seconds[i] = report_clock() - start;
  }
  return true;
}

static bool run_kernel(expression_run *r) {
  int count = r->in.statement->tensor_count;
  void **arguments = ARENA_ARRAY(r->memory, void *, count + 1);
  arguments[0] = &r->in.result.stored;
  for (int i = 0; i < count; i++) {
    arguments[i + 1] = &r->in.operands[i].stored;
    r->figures.operand_bytes += stored_bytes(&r->in.operands[i].stored);
  }
  r->figures.runs = r->o->time;
  r->figures.seconds = ARENA_ARRAY(r->memory, double, r->o->time + 1);
  progress_begin("running");
  bool done = call_repeatedly(r, arguments);
  progress_end();
  if (!done)
    return complain("%s", lac_error_message());
  r->figures.result_bytes = stored_bytes(&r->in.result.stored);
  r->figures.result_values = stored_values(&r->in.result.stored);
  figures_sort(&r->figures);
  return true;
}

static bool write_result(expression_run *r) {
  run_tensor *t = &r->in.result;
  for (const binding *b = r->o->bindings; b; b = b->next) {
    if (strcmp(b->flag, "-o") != 0)
      continue;
    int64_t *levels = tensor_level_order(r->c, r->memory, t->format, t->order);
    if (t->order && !levels)
      return complain("%s", compiler_error(r->c));
    if (!write_data(b->value, &t->stored, levels))
      return false;
  }
  return true;
}

static bool write_outputs(expression_run *r) {
  file_pending json;
  if (!figures_prepare(&r->figures, r->o->json, &json))
    return false;
  if (write_result(r))
    return figures_report(&r->figures, &json);
  file_abandon(&json);
  return false;
}

static bool run_and_write(expression_run *r) {
  for (int i = 0; i < r->in.statement->tensor_count; i++)
    if (!pack(r, i) || !is_sound(r, &r->in.operands[i]))
      return false;
  return run_kernel(r) && is_sound(r, &r->in.result) && unpack(r) &&
         (!r->check || verify_result(r->check, &r->in)) && write_outputs(r);
}

static bool execute(expression_run *r) {
  if (!options_result_can_be_written(r->o, r->in.result.name, r->in.result.order))
    return false;
  if (r->o->compact)
    compact_formats(&r->in, r->c);
  if (!settle_sources(r) || !settle_result(r) || !compile(r))
    return false;
  if (r->o->verify)
    r->check = verify_begin(&r->in, r->c, r->o);
  return (r->check || !r->o->verify) && run_and_write(r);
}

static bool parse_and_run(expression_run *r) {
  einsum_error error;
  size_t length = strlen(r->o->program);
  const einsum *e = einsum_parse(r->memory, r->o->program, length, &error);
  if (!e)
    return complain("%s", einsum_error_text(r->memory, r->o->program, length, &error));
  if (!tensor_formats_are_sound(r->c, r->memory, r->o->bindings, e))
    return false;
  if (!inputs_gather(&r->in, e, r->o, r->memory, r->o->emit != NULL))
    return false;
  return r->o->emit ? emit(r) : execute(r);
}

int run_expression(const options *o, compiler *c) {
  expression_run r = {.o = o, .c = c, .memory = arena_create()};
  r.figures.program = o->program;
  r.figures.threads = o->threads;
  bool done = parse_and_run(&r);
  verify_end(r.check);
  if (r.in.statement)
    inputs_free(&r.in);
  compiled_free(r.code);
  arena_free(r.memory);
  return done ? 0 : 1;
}
