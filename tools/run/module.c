/* sparse-run on a function of a .mlir file.  Its operands are packed by functions of a module of
 * their own, so that the user's is compiled as it is. */
#include "run_expression.h"

#include "arena.h"
#include "compile.h"
#include "complain.h"
#include "data.h"
#include "format_names.h"
#include "inputs.h"
#include "lac_coo.h"
#include "lac_device.h"
#include "lac_error.h"
#include "lac_file.h"
#include "nearest.h"
#include "progress.h"
#include "report.h"
#include "signature.h"
#include "source.h"
#include "statement_spec.h"
#include "tensor_levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct module_run {
  const options *o;
  compiler *c;
  arena *memory;
  char *text;
  const signature *s;
  lac_tensor *operands, *results;
  compiled *code;
  figures figures;
} module_run;

static bool find_entry(module_run *r) {
  const char *error;
  MlirModule module = compiler_parse(r->c, r->text, r->o->program);
  if (mlirModuleIsNull(module)) {
    complain("%s", compiler_error(r->c));
    return false;
  }
  r->s = signature_of(r->memory, module, r->o->entry, &error);
  mlirModuleDestroy(module);
  if (!r->s)
    complain("%s", error);
  return r->s != NULL;
}

static bool names_are_known(const module_run *r) {
  for (const binding *b = r->o->bindings; b; b = b->next) {
    bool is_result = !strcmp(b->flag, "-o"), known = false;
    const signature_tensor *tensors = is_result ? r->s->results : r->s->arguments;
    nearest near = nearest_to(b->name);
    for (int i = 0; i < (is_result ? r->s->result_count : r->s->argument_count); i++) {
      known |= !strcmp(b->name, tensors[i].name);
      nearest_offer(&near, tensors[i].name);
    }
    if (!strchr("io", b->flag[1]))
      return complain("%s is for expressions: a .mlir file says by itself what %s is", b->flag,
                      b->name);
    if (!known)
      return complain("%s %s: function '%s' has no such %s%s", b->flag, b->name, r->s->function,
                      is_result ? "result" : "argument", nearest_hint(&near));
  }
  return true;
}

//--- Operands ------------------------------------------------------------------------------------

static char *dense_format(int order, const int64_t *levels) {
  char spec[256] = "dense", *error = NULL;
  for (int l = 0; l < order; l++)
    sprintf(spec + strlen(spec), "%c%d", l ? ',' : ':', (int)levels[l]);
  return format_from_name(spec, order, &error);
}

static char *coordinates_format(const int64_t *levels, int order) {
  int as_int[LAC_FILE_ORDER];
  for (int l = 0; l < order; l++)
    as_int[l] = (int)levels[l];
  return format_of_coordinates(order, as_int);
}

/* By a function that is compiled for that alone, between types as texts; `name` is whose it is. */
static bool convert(module_run *r, const char *name, const char *from, const char *to,
                    bool drop_zeros, const lac_tensor *source, lac_tensor *made) {
  char *text = from && to ? statement_conversion_text("convert", from, to, drop_zeros, name) : NULL;
  compiled *code = compile_text(r->o, r->c, text, name, false, NULL);
  free(text);
  if (!code)
    return false;
  int32_t status = compiled_call(code, "convert", (void *[]){made, (void *)source});
  compiled_free(code);
  return !status || complain("%s", lac_error_message());
}

/* The type of a tensor when it is stored as `format`, which is taken; NULL when memory runs out. */
static char *stored_type(const signature_tensor *t, char *format) {
  statement_tensor tensor = {.name = t->name, .order = t->order, .type = t->element};
  char *type = format ? statement_type_text(&tensor, format) : NULL;
  free(format);
  return type;
}

static bool pack(module_run *r, const signature_tensor *t, const int64_t *read_levels,
                 lac_tensor *read, lac_tensor *stored) {
  bool coordinates = !lac_coo_expect(read);
  int64_t *levels = tensor_level_order(r->c, r->memory, t->format, t->order);
  if (!levels)
    return complain("%s", compiler_error(r->c));
  if (coordinates && lac_coo_sort(read, levels))
    return complain("%s", lac_error_message());
  char *from = stored_type(t, coordinates ? coordinates_format(levels, t->order)
                                          : dense_format(t->order, read_levels));
  bool done = convert(r, t->name, from, t->type, r->o->drop_zeros, read, stored);
  free(from);
  return done;
}

/* Static sizes of the type are those of a list whose file tells none, and of all others. */
static bool take_sizes(const signature_tensor *t, bool told, lac_tensor *read) {
  for (int d = 0; d < t->order; d++) {
    int64_t wanted = t->dimensions[d], found = read->dimensions[d];
    if (wanted < 0 || wanted == found)
      continue;
    if (told || found > wanted)
      return complain("dimension %d of '%s' is %lld, expected %lld", d, t->name, (long long)found,
                      (long long)wanted);
    read->dimensions[d] = read->levels[d].size = wanted;
  }
  return true;
}

static bool read_operand(module_run *r, int i) {
  const signature_tensor *t = &r->s->arguments[i];
  const char *file = options_value(r->o, "-i", t->name);
  lac_tensor read = {0};
  int64_t levels[LAC_FILE_ORDER];
  if (!file) {
    complain("argument '%s' has no data; give it by -i %s:FILE", t->name, t->name);
    return false;
  }
  if (!read_data(&(wanted_operand){t->name, t->order, t->element, NULL, true}, file, &read, levels))
    return false;
  if (t->order == 0) {
    r->operands[i] = read;
    return true;
  }
  bool done =
      take_sizes(t, data_tells_sizes(file), &read) && pack(r, t, levels, &read, &r->operands[i]);
  lac_tensor_free(&read);
  return done;
}

//--- Running -------------------------------------------------------------------------------------

static bool compile(module_run *r) {
  r->code = compile_text(r->o, r->c, r->text, r->o->program, true, &r->figures.compile);
  return r->code != NULL;
}

static bool call_entry(module_run *r, void **arguments) {
  for (int i = 0; i < r->s->result_count; i++)
    lac_tensor_free(&r->results[i]);
  double start = report_clock();
  if (compiled_call(r->code, r->s->function, arguments))
    return false;
  figures_add(&r->figures, start);
  return true;
}

/* Once, then as often as is timed. */
static bool call_repeatedly(module_run *r, void **arguments) {
  bool done = call_entry(r, arguments);
  r->figures.runs = 0;
  while (done && r->figures.runs < r->o->time) {
    progress_update(NULL, (double)r->figures.runs / (double)r->o->time);
    done = call_entry(r, arguments);
  }
  return done;
}

static bool run_entry(module_run *r) {
  void **arguments = ARENA_ARRAY(r->memory, void *, r->s->result_count + r->s->argument_count + 1);
  for (int i = 0; i < r->s->result_count; i++)
    arguments[i] = &r->results[i];
  for (int i = 0; i < r->s->argument_count; i++) {
    arguments[r->s->result_count + i] = &r->operands[i];
    r->figures.operand_bytes += lac_tensor_bytes(&r->operands[i]);
    if (r->o->device && lac_tensor_to_device(&r->operands[i]))
      return complain("%s", lac_error_message());
  }
  figures_begin(&r->figures, r->memory, r->o);
  progress_begin("running");
  bool done = call_repeatedly(r, arguments);
  progress_end();
  if (!done)
    return complain("%s", lac_error_message());
  for (int i = 0; i < r->s->result_count; i++) {
    r->figures.result_bytes += lac_tensor_bytes(&r->results[i]);
    r->figures.result_values += stored_values(&r->results[i]);
  }
  figures_sort(&r->figures);
  return true;
}

/* A result whose levels only the compiler knows, or which stores more than there is, is written as
 * a coordinate list. */
static bool list_result(module_run *r, const signature_tensor *t, const int64_t *levels,
                        const lac_tensor *result, lac_tensor *listed) {
  char *to = stored_type(t, coordinates_format(levels, t->order));
  bool pads = tensor_pads(r->c, r->memory, t->format, t->order);
  bool done = convert(r, t->name, t->type, to, pads, result, listed);
  free(to);
  return done;
}

static bool is_written_as_stored(module_run *r, const signature_tensor *t) {
  return t->order == 0 ||
         (tensor_is_listed(r->c, t->format) && !tensor_pads(r->c, r->memory, t->format, t->order));
}

static bool write_result(module_run *r, const signature_tensor *t, const lac_tensor *result) {
  lac_tensor listed = {0};
  if (!options_value(r->o, "-o", t->name))
    return true;
  int64_t *levels = tensor_level_order(r->c, r->memory, t->format, t->order);
  if (t->order && !levels)
    return complain("%s", compiler_error(r->c));
  bool as_stored = is_written_as_stored(r, t);
  bool symmetric = t->order == 2 && tensor_is_symmetric(r->c, t->format);
  bool done = as_stored || list_result(r, t, levels, result, &listed);
  for (const binding *b = r->o->bindings; b && done; b = b->next)
    if (!strcmp(b->flag, "-o") && !strcmp(b->name, t->name))
      done = write_data(b->value, as_stored ? result : &listed, levels, symmetric);
  lac_tensor_free(&listed);
  return done;
}

static bool write_results(void *run) {
  module_run *r = run;
  for (int i = 0; i < r->s->result_count; i++)
    if (!write_result(r, &r->s->results[i], &r->results[i]))
      return false;
  return true;
}

/* --check */
static bool are_sound(const module_run *r, const lac_tensor *tensors, const signature_tensor *t,
                      int count) {
  for (int i = 0; r->o->check && i < count; i++)
    if (t[i].element >= 0 && !tensor_is_sound(r->c, &tensors[i], t[i].type, t[i].name))
      return false;
  return true;
}

static bool execute(module_run *r) {
  if (!find_entry(r) || !names_are_known(r))
    return false;
  for (int i = 0; i < r->s->result_count; i++)
    if (!options_result_can_be_written(r->o, r->s->results[i].name, r->s->results[i].order))
      return false;
  r->operands = ARENA_ARRAY(r->memory, lac_tensor, r->s->argument_count + 1);
  r->results = ARENA_ARRAY(r->memory, lac_tensor, r->s->result_count + 1);
  for (int i = 0; i < r->s->argument_count; i++)
    if (!read_operand(r, i))
      return false;
  return are_sound(r, r->operands, r->s->arguments, r->s->argument_count) && compile(r) &&
         run_entry(r) && are_sound(r, r->results, r->s->results, r->s->result_count) &&
         figures_write(&r->figures, r->o->json, write_results, r);
}

int run_module(const options *o, compiler *c) {
  module_run r = {.o = o, .c = c, .memory = arena_create()};
  r.figures.program = o->program;
  r.figures.threads = o->threads;
  r.text = source_read(o->program);
  bool allowed = !o->verify || complain("--verify is for expressions, found %s", o->program);
  bool done = allowed && r.text && (o->emit ? emit_text(o, c, r.text, o->program) : execute(&r));
  for (int i = 0; r.operands && i < r.s->argument_count; i++)
    lac_tensor_free(&r.operands[i]);
  for (int i = 0; r.results && i < r.s->result_count; i++)
    lac_tensor_free(&r.results[i]);
  compiled_free(r.code);
  free(r.text);
  arena_free(r.memory);
  return done ? 0 : 1;
}
