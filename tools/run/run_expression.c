/* sparse-run on statements: gather the tensors, compile, pack, run, write. */
#include "run_expression.h"

#include "compile.h"
#include "complain.h"
#include "data.h"
#include "declarations.h"
#include "format_names.h"
#include "holds.h"
#include "inputs.h"
#include "lac_coo.h"
#include "lac_device.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_machine.h"
#include "program.h"
#include "progress.h"
#include "report.h"
#include "run_verify.h"
#include "statement_spec.h"
#include "tensor_levels.h"
#include "widths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct expression_run {
  const options *o;
  compiler *c;
  arena *memory;
  inputs in;
  compiled *code;
  verification **checks; /* of each statement; NULL without --verify */
  figures figures;
  bool tells_holds; /* what operands hold is told to the compiler */
} expression_run;

//--- The program ---------------------------------------------------------------------------------

/* Sizes of the result that no operand's dimension tells, as static dimensions. */
static int64_t *result_dimensions(const expression_run *r, const run_statement *s) {
  int64_t *sizes = ARENA_ARRAY(r->memory, int64_t, s->result->order + 1);
  for (int d = 0; d < s->result->order; d++) {
    int v = s->variables[s->e->tensor_count][d];
    sizes[d] = v < 0 || operands_tell(s->e, s->variables, v) ? -1 : s->extents[v];
  }
  return sizes;
}

static bool has_compound_subscripts(const run_statement *s) {
  for (int t = 0; t < s->e->tensor_count; t++)
    for (int d = 0; s->makers[t] < 0 && d < s->operands[t]->order; d++)
      if (s->variables[t][d] < 0)
        return true;
  return false;
}

/* Sums that make entries may go through workspaces, where these are not inserted at any place. */
static bool sums_to_entries(const expression_run *r, const run_statement *s) {
  const run_tensor *t = s->result;
  return t->order && s->e->variable_count > t->order &&
         !tensor_is_dense(r->c, r->memory, t->format, t->order);
}

/* Coordinates of one operand that are located in another may be so many that this had better be a
 * list. */
static bool locates_in_tables(const expression_run *r, const run_statement *s) {
  bool some = false;
  for (int t = 0; t < s->e->tensor_count; t++) {
    const run_tensor *operand = s->operands[t];
    some |= s->makers[t] < 0 && operand->format &&
            tensor_has_table(r->c, r->memory, operand->format, operand->order);
  }
  return some && s->e->tensor_count > 1;
}

/* The variable of the last dimension that a dense tensor stores; -1 for none. */
static int last_stored(const expression_run *r, const run_tensor *t, const int *variables) {
  if (!t->order || !t->format || !tensor_is_dense(r->c, r->memory, t->format, t->order))
    return -1;
  int64_t *order = tensor_level_order(r->c, r->memory, t->format, t->order);
  return order ? variables[order[t->order - 1]] : -1;
}

static bool has_variable(const run_tensor *t, const int *variables, int variable) {
  for (int d = 0; d < t->order; d++)
    if (variables[d] == variable)
      return true;
  return false;
}

/* Arrays that are stored along another variable than the result, and read again and again, may
 * better be copied; or the result, where entries are gone through along its own. */
static bool reads_across(const expression_run *r, const run_statement *s) {
  int along = last_stored(r, s->result, s->variables[s->e->tensor_count]);
  bool across = false, beside = false, entries = false;
  for (int t = 0; t < s->e->tensor_count; t++) {
    const run_tensor *operand = s->operands[t];
    int last = s->makers[t] < 0 ? last_stored(r, operand, s->variables[t]) : -1;
    bool has = has_variable(operand, s->variables[t], along);
    bool again = last >= 0 && operand->order > 1 && operand->order < s->e->variable_count;
    across |= again && has && last != along;
    beside |= again && !has;
    entries |= last < 0 && has;
  }
  return along >= 0 && (across || (beside && entries));
}

/* Whether what operands hold is told to the compiler: loops through windows are chosen by it,
 * workspaces, lists in place of tables, copies of arrays, and how many lanes of a GPU take a row.
 * Where it matters for nothing, one program does for operands of all sizes. */
static bool tells_what_is_held(const expression_run *r) {
  if (r->o->device)
    return true;
  for (int s = 0; s < r->in.statement_count; s++)
    if (has_compound_subscripts(&r->in.statements[s]) || sums_to_entries(r, &r->in.statements[s]) ||
        locates_in_tables(r, &r->in.statements[s]) || reads_across(r, &r->in.statements[s]))
      return true;
  return false;
}

/* What is stored as it was read needs packing only where something may have to be left out. */
static statement_tensor describe_operand(const expression_run *r, run_tensor *t) {
  bool packs = t->source && (r->o->drop_zeros || strcmp(t->source, t->format) != 0);
  return (statement_tensor){.name = t->name,
                            .order = t->order,
                            .format = t->format,
                            .source = packs ? t->source : NULL,
                            .type = t->type,
                            .holds = r->tells_holds ? inputs_hold(r->memory, t, r->o) : NULL};
}

static statement_tensor describe_result(const expression_run *r, const run_statement *s) {
  const run_tensor *t = s->result;
  return (statement_tensor){.name = t->name,
                            .order = t->order,
                            .format = t->format,
                            .source = t->source,
                            .type = t->type,
                            .dimensions = result_dimensions(r, s)};
}

/* What stands where nothing is stored in a semiring other than the usual one. */
static const char *fill_text(const expression_run *r, const statement_tensor *t) {
  char *type = statement_type_text(t, t->format);
  const char *fill = type ? tensor_fill(r->c, r->memory, type, r->o->semiring) : NULL;
  free(type);
  return fill;
}

static statement_spec describe(const expression_run *r, const run_statement *from) {
  int count = from->e->tensor_count;
  statement_spec s = {.expression = from->text,
                      .semiring = r->o->semiring,
                      .operand_count = count,
                      .operands = ARENA_ARRAY(r->memory, statement_tensor, count + 1),
                      .makers = from->makers,
                      .result = describe_result(r, from),
                      .fills = ARENA_ARRAY(r->memory, const char *, count + 1),
                      .drop_zeros = r->o->drop_zeros,
                      .unpack_drops = from->result->pads,
                      .variable_count = from->e->variable_count,
                      .variables = from->e->variables,
                      .extents = stated_extents(r->memory, from->e, from->wanted)};
  for (int i = 0; i < count; i++)
    s.operands[i] = from->makers[i] >= 0 ? describe_result(r, &r->in.statements[from->makers[i]])
                                         : describe_operand(r, from->operands[i]);
  for (int i = 0; r->o->semiring && i <= count; i++)
    s.fills[i] = fill_text(r, i < count ? &s.operands[i] : &s.result);
  return s;
}

static char *make_text(expression_run *r, bool conversions) {
  int count = r->in.statement_count;
  r->tells_holds = tells_what_is_held(r);
  statement_spec *list = ARENA_ARRAY(r->memory, statement_spec, count + 1);
  for (int s = 0; s < count; s++)
    list[s] = describe(r, &r->in.statements[s]);
  return statements_text(list, count, conversions);
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

//--- Failures ------------------------------------------------------------------------------------

static double full_size(const expression_run *r, const run_tensor *t) {
  return t->order ? tensor_full_size(r->c, r->memory, t->format, t->order, t->dimensions) : 1;
}

/* CSR where there is memory for a position of each row and that is less than what there is now. */
static const char *smaller_format(const run_tensor *t, double full) {
  double rows = (double)t->dimensions[0];
  bool rows_fit = rows < full && rows * sizeof(int64_t) < (double)lac_machine_free_memory() / 2;
  return t->order == 1 ? "compressed" : t->order > 2 ? "csf" : rows_fit ? "csr" : "dcsr";
}

/* Whether what did not fit was a workspace: scratch memory, where there would be enough for all
 * places of the result. */
static bool is_of_workspace(const char *message, double full) {
  return strstr(message, "scratch memory") &&
         full * sizeof(int64_t) < (double)lac_machine_free_memory();
}

/* The runtime's message about a tensor that was made; where it did not fit, a format that may, or
 * the policy of a workspace. */
static bool complain_of(const expression_run *r, const run_tensor *t) {
  const char *message = lac_error_message();
  double full = full_size(r, t);
  if (strncmp(message, "out of memory", strlen("out of memory")) != 0)
    return complain("%s", message);
  if (is_of_workspace(message, full))
    return complain("%s; --workspace hash keeps only what is there", message);
  if (full <= 1)
    return complain("%s", message);
  return complain("%s; -f %s:%s stores only what is there", message, t->name,
                  smaller_format(t, full));
}

/* Of several results it may be any: the one with most places for what is not there. */
static bool complain_of_results(const expression_run *r) {
  const run_tensor *largest = &r->in.results[0];
  for (int s = 1; s < r->in.statement_count; s++)
    if (full_size(r, &r->in.results[s]) > full_size(r, largest))
      largest = &r->in.results[s];
  return complain_of(r, largest);
}

//--- Packing and unpacking -----------------------------------------------------------------------

/* The levels of a coordinate list in the order in which a format has the dimensions; NULL with a
 * message. */
static char *list_format(expression_run *r, const run_tensor *t) {
  int64_t *order = tensor_level_order(r->c, r->memory, t->format, t->order);
  int levels[LAC_FILE_ORDER];
  if (!order) {
    complain("%s", compiler_error(r->c));
    return NULL;
  }
  for (int l = 0; l < t->order; l++)
    levels[l] = (int)order[l];
  return format_of_coordinates(t->order, levels);
}

/* The source of a coordinate list is known only once it is sorted: the order of the target's
 * levels. */
static bool settle_sources(expression_run *r) {
  for (int i = 0; i < r->in.operand_count; i++) {
    run_tensor *t = &r->in.operands[i];
    if (t->order == 0 || lac_coo_expect(&t->read))
      continue;
    free(t->source);
    t->source = list_format(r, t);
    if (!t->source)
      return false;
  }
  return true;
}

/* A result whose levels only the compiler knows, or which stores more than there is, is written and
 * compared as a coordinate list. */
static bool settle_results(expression_run *r) {
  for (int s = 0; s < r->in.statement_count; s++) {
    run_tensor *t = &r->in.results[s];
    bool wanted = r->o->verify || options_value(r->o, "-o", t->name);
    if (!wanted || t->order == 0 || t->order > LAC_FILE_ORDER)
      continue;
    t->pads = tensor_pads(r->c, r->memory, t->format, t->order);
    if (tensor_is_listed(r->c, t->format) && !t->pads)
      continue;
    t->source = list_format(r, t);
    if (!t->source)
      return false;
  }
  return true;
}

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
  if (!describe_operand(r, t).source) {
    t->stored = t->read;
    memset(&t->read, 0, sizeof t->read);
    return true;
  }
  snprintf(function, sizeof function, "pack_%d", number);
  int32_t status = compiled_call(r->code, function, (void *[]){&t->stored, &t->read});
  lac_tensor_free(&t->read);
  return !status || complain_of(r, t);
}

static bool unpack(expression_run *r, int number) {
  run_tensor *t = &r->in.results[number];
  char function[32];
  if (!t->source)
    return true;
  snprintf(function, sizeof function, "unpack_%d", number);
  return !compiled_call(r->code, function, (void *[]){&t->listed, &t->stored}) ||
         complain("%s", lac_error_message());
}

/* --check */
static bool is_sound(const expression_run *r, const run_tensor *t, statement_tensor described) {
  char *type = r->o->check ? statement_type_text(&described, t->format) : NULL;
  bool sound = !r->o->check ||
               (type ? tensor_is_sound(r->c, &t->stored, type, t->name) : complain("no memory"));
  free(type);
  return sound;
}

static bool pack_operands(expression_run *r) {
  for (int i = 0; i < r->in.operand_count; i++) {
    run_tensor *t = &r->in.operands[i];
    if (!pack(r, i) || !is_sound(r, t, describe_operand(r, t)))
      return false;
  }
  return true;
}

static bool unpack_results(expression_run *r) {
  for (int s = 0; s < r->in.statement_count; s++) {
    const run_statement *made = &r->in.statements[s];
    if (!is_sound(r, made->result, describe_result(r, made)) || !unpack(r, s))
      return false;
  }
  return true;
}

//--- Running -------------------------------------------------------------------------------------

static bool call_kernel(expression_run *r, void **arguments) {
  for (int s = 0; s < r->in.statement_count; s++)
    lac_tensor_free(&r->in.results[s].stored);
  double start = report_clock();
  bool done = !compiled_call(r->code, "kernel", arguments);
  figures_add(&r->figures, start);
  return done;
}

/* Once, then as often as is timed. */
static bool call_repeatedly(expression_run *r, void **arguments) {
  figures_begin(&r->figures, r->memory, r->o);
  bool done = call_kernel(r, arguments);
  r->figures.runs = 0;
  while (done && r->figures.runs < r->o->time) {
    progress_update(NULL, (double)r->figures.runs / (double)r->o->time);
    done = call_kernel(r, arguments);
  }
  return done;
}

static void **take_arguments(expression_run *r) {
  int results = r->in.statement_count, operands = r->in.operand_count;
  void **arguments = ARENA_ARRAY(r->memory, void *, results + operands + 1);
  for (int s = 0; s < results; s++)
    arguments[s] = &r->in.results[s].stored;
  for (int i = 0; i < operands; i++)
    arguments[results + i] = &r->in.operands[i].stored;
  return arguments;
}

/* Operands are copied to the device once, whatever is timed. */
static bool keep_on_device(expression_run *r) {
  for (int i = 0; r->o->device && i < r->in.operand_count; i++)
    if (lac_tensor_to_device(&r->in.operands[i].stored))
      return complain("%s", lac_error_message());
  return true;
}

static bool run_kernel(expression_run *r) {
  if (!keep_on_device(r))
    return false;
  progress_begin("running");
  bool done = call_repeatedly(r, take_arguments(r));
  progress_end();
  if (!done)
    return complain_of_results(r);
  for (int i = 0; i < r->in.operand_count; i++)
    r->figures.operand_bytes += lac_tensor_bytes(&r->in.operands[i].stored);
  for (int s = 0; s < r->in.statement_count; s++) {
    r->figures.result_bytes += lac_tensor_bytes(&r->in.results[s].stored);
    r->figures.result_values += stored_values(&r->in.results[s].stored);
  }
  figures_sort(&r->figures);
  return true;
}

//--- Results -------------------------------------------------------------------------------------

static const run_tensor *find_result(const expression_run *r, const char *name) {
  int s = r->in.statement_count - 1;
  while (strcmp(r->in.results[s].name, name) != 0)
    s--;
  return &r->in.results[s];
}

static bool write_result(expression_run *r, const char *path, const run_tensor *t) {
  int64_t *levels = tensor_level_order(r->c, r->memory, run_tensor_listed_format(t), t->order);
  if (t->order && !levels)
    return complain("%s", compiler_error(r->c));
  bool symmetric = t->order == 2 && tensor_is_symmetric(r->c, t->format);
  return write_data(path, run_tensor_listed(t), levels, symmetric);
}

static bool write_results(void *run) {
  expression_run *r = run;
  for (const binding *b = r->o->bindings; b; b = b->next)
    if (!strcmp(b->flag, "-o") && !write_result(r, b->value, find_result(r, b->name)))
      return false;
  return true;
}

/* Before the operands are packed. */
static bool begin_checks(expression_run *r) {
  if (!r->o->verify)
    return true;
  r->checks = ARENA_ARRAY(r->memory, verification *, r->in.statement_count + 1);
  for (int s = 0; s < r->in.statement_count; s++) {
    r->checks[s] = verify_begin(&r->in.statements[s], r->c, r->o);
    if (!r->checks[s])
      return false;
  }
  return true;
}

static bool results_are_right(expression_run *r) {
  for (int s = 0; r->checks && s < r->in.statement_count; s++)
    if (!verify_result(r->checks[s], r->in.statement_count > 1))
      return false;
  return true;
}

static bool results_can_be_written(const expression_run *r) {
  for (int s = 0; s < r->in.statement_count; s++)
    if (!options_result_can_be_written(r->o, r->in.results[s].name, r->in.results[s].order))
      return false;
  return true;
}

//--- The whole -----------------------------------------------------------------------------------

static bool execute(expression_run *r) {
  if (!results_can_be_written(r))
    return false;
  return settle_sources(r) && settle_results(r) && compile(r) && begin_checks(r) &&
         pack_operands(r) && run_kernel(r) && unpack_results(r) && results_are_right(r) &&
         figures_write(&r->figures, r->o->json, write_results, r);
}

static bool parse_and_run(expression_run *r) {
  const char *error;
  const program *p = program_parse(r->memory, r->o->program, &error);
  if (!p)
    return complain("%s", error);
  if (!tensor_formats_are_sound(r->c, r->memory, r->o->bindings, p))
    return false;
  if (!inputs_gather(&r->in, p, r->o, r->memory, r->o->emit != NULL))
    return false;
  choose_widths(&r->in, r->c, r->o->compact);
  return r->o->emit ? emit(r) : execute(r);
}

int run_expression(const options *o, compiler *c) {
  expression_run r = {.o = o, .c = c, .memory = arena_create()};
  r.figures.program = o->program;
  r.figures.threads = o->threads;
  bool done = parse_and_run(&r);
  for (int s = 0; r.checks && s < r.in.statement_count; s++)
    verify_end(r.checks[s]);
  inputs_free(&r.in);
  compiled_free(r.code);
  arena_free(r.memory);
  return done ? 0 : 1;
}
