/* Stores the operands, runs the kernel, checks its result's storage, reads it back and compares. */
#include "run.h"

#include "compiled.h"
#include "lac_coo.h"
#include "lac_error.h"
#include "processor.h"
#include "statement_spec.h"
#include "store.h"
#include "tensor_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct run {
  const test_case *c;
  compiler *with;
  char *message;
  compiled *code;
  lac_tensor operands[MAX_TENSORS];
  bool lent[MAX_TENSORS]; /* the operand was stored by store_entries */
  lac_tensor result;
} run;

static outcome say(const run *r, outcome what, const char *format, const char *detail) {
  snprintf(r->message, MESSAGE_SIZE, format, detail);
  return what;
}

//--- The program ---------------------------------------------------------------------------------

/* The format of a coordinate list whose levels hold the dimensions in the order `modes`. */
static void write_list_format(const tensor *t, const int *modes, char *text) {
  text += sprintf(text, "#tin.format<(");
  for (int d = 0; d < t->order; d++)
    text += sprintf(text, "%sd%d", d ? ", " : "", d);
  text += sprintf(text, ") -> (");
  for (int l = 0; l < t->order; l++)
    text += sprintf(text, "%sd%d : %s(nonunique)", l ? ", " : "", modes[l],
                    l ? "singleton" : "compressed");
  sprintf(text, ")>");
}

/* What a tensor is in the module. `source` is room for the format that it is converted from or to.
 */
static statement_tensor describe(const test_case *c, const tensor *t, const int *modes,
                                 char *source, int64_t *sizes) {
  for (int d = 0; d < t->order; d++)
    sizes[d] = t->is_static[d] ? t->dimensions[d] : -1;
  if (c->converts && t->order)
    write_list_format(t, modes, source);
  return (statement_tensor){.name = t->name,
                            .order = t->order,
                            .format = t->format[0] ? t->format : NULL,
                            .source = c->converts && t->order ? source : NULL,
                            .type = t->type,
                            .dimensions = sizes};
}

/* What is told of an operand: loops, conversions and workspaces are chosen by it, on a device also
 * how many lanes take a row, and whether entries are dealt out rather than rows, as where one row
 * has most of them.  It may be far from what there is: nothing is told, the truth, that everything
 * is larger, as dense as it is or with fewer entries, that entries are at a few coordinates. */
static const int64_t *held_by(const test_case *c, const tensor *t, int64_t *holds) {
  enum { NOTHING, LARGER, AS_DENSE, FEW, KINDS = 5 };
  static const int64_t times[KINDS] = {1, 1000, 32, 1, 1};
  int kind = (int)(c->seed / 5 % KINDS);
  int64_t fullest = t->count % 3 || !test_cases_device() ? 0 : INT64_C(1) << 30;
  int64_t *sizes = holds + 1, *most = sizes + t->order, *spread = most + t->order;
  holds[0] = t->count * (kind == LARGER ? times[kind] : 1);
  for (int d = 0; d < t->order; d++) {
    sizes[d] = times[kind] * t->dimensions[d];
    holds[0] *= kind == AS_DENSE ? times[kind] : 1;
    most[d] = fullest;
    spread[d] = kind == FEW ? 1 + t->count % 2 : 0;
  }
  bool is_told = test_cases_device() || kind != NOTHING;
  return is_told && t->format[0] && t->count > 0 ? holds : NULL;
}

char *test_case_program(const test_case *c) {
  static const int identity[MAX_TENSOR_ORDER] = {0, 1, 2, 3};
  statement_tensor operands[MAX_TENSORS];
  char sources[MAX_TENSORS + 1][256];
  int64_t sizes[MAX_TENSORS + 1][MAX_TENSOR_ORDER];
  int64_t holds[MAX_TENSORS][STATEMENT_HOLDS(MAX_TENSOR_ORDER)];
  const char *variables[] = {"i", "j", "k", "l", "m"};
  int64_t stated[MAX_VARIABLES];
  for (int v = 0; v < MAX_VARIABLES; v++)
    stated[v] = c->stated >> v & 1 ? c->extents[v] : -1;
  statement_spec s = {.expression = c->conversion ? NULL : c->expression,
                      .semiring = c->ring ? c->ring->name : NULL,
                      .operand_count = c->tensor_count,
                      .operands = operands,
                      .variable_count = c->variable_count,
                      .variables = variables,
                      .extents = stated};
  for (int t = 0; t < c->tensor_count; t++) {
    operands[t] = describe(c, &c->tensors[t], c->tensors[t].modes, sources[t], sizes[t]);
    operands[t].holds = held_by(c, &c->tensors[t], holds[t]);
  }
  s.result = describe(c, &c->result, identity, sources[MAX_TENSORS], sizes[MAX_TENSORS]);
  return statement_text(&s, true);
}

//--- Operands ------------------------------------------------------------------------------------

static int32_t convert_operand(run *r, int number) {
  const tensor *t = &r->c->tensors[number];
  lac_tensor list = {0};
  char function[32];
  snprintf(function, sizeof function, "pack_%d", number);
  int32_t status = store_list(t, &list);
  if (!status)
    status = compiled_call(r->code, function, (void *[]){&r->operands[number], &list});
  lac_tensor_free(&list);
  return status;
}

/* Whether a tensor is stored as its format promises; by the compiler's own check where only that
 * knows the levels. */
static int32_t check_stored(const run *r, const tensor *t, const lac_tensor *stored) {
  if (!t->exotic)
    return store_check(t, stored);
  int64_t sizes[MAX_TENSOR_ORDER];
  for (int d = 0; d < t->order; d++)
    sizes[d] = -1;
  const statement_tensor described = {.name = t->name,
                                      .order = t->order,
                                      .format = t->format,
                                      .type = t->type,
                                      .dimensions = sizes};
  char *text = statement_type_text(&described, t->format);
  MlirType type = mlirTypeParseGet(compiler_context(r->with), mlirStringRefCreateFromCString(text));
  free(text);
  return tensor_check(stored, type, t->name);
}

/* The compiler's conversion takes duplicates together, and sorts: only what is stored here keeps
 * them. */
static int32_t make_operand(run *r, int number) {
  const tensor *t = &r->c->tensors[number];
  r->lent[number] = !r->c->converts || t->order == 0 || t->duplicates || t->unordered;
  if (r->lent[number])
    store_entries(t, ring_fill(r->c->ring, t->type), &r->operands[number]);
  else if (convert_operand(r, number))
    return LAC_ERROR_FORMAT;
  return check_stored(r, t, &r->operands[number]);
}

//--- Comparing -----------------------------------------------------------------------------------

/* How many roundings may go the same way: where n terms that are equal are added one after the
 * other, all of theirs do (Higham 2002, section 4.2: n u times the sum of all magnitudes). */
static double roundings(const test_case *c) {
  double terms = 1;
  for (int v = 0; v < c->variable_count; v++)
    terms *= (double)c->extents[v];
  return 32 + terms;
}

static bool agrees(const test_case *c, number expected, element found) {
  double real = (double)creall(expected.value), precision = ldexp(1, -bits_of_precision(c->type));
  bool is_finite = isfinite(creall(found)) && isfinite(cimagl(found));
  if (expected.how == ANYTHING || (expected.how == OR_NOT_FINITE && !is_finite))
    return true;
  if (holds_integers(c->type))
    return expected.value == found;
  if (isinf(real) && c->ring)
    return real == creall(found);
  if (!(expected.size < greatest_number(c->type)))
    return true;
  if (isnan(real) || isinf(real))
    return isnan(real) ? isnan(creall(found)) : real == creall(found);
  if (c->exact && expected.size * precision < 0.01)
    return expected.value == found;
  return cabsl(expected.value - found) <= roundings(c) * precision * (1 + expected.size);
}

static bool adds(const node *n) {
  return n && (n->kind == NODE_ADD || n->kind == NODE_SUBTRACT || adds(n->left) || adds(n->right) ||
               adds(n->third));
}

/* Whether there is an entry where something comes to one, and no other: where the result stores
 * entries alone.  In sums of several terms a temporary that is dense may have been one of them, or
 * so many operands meet that one body stands for all that may be there (sparsify_any.c); what a
 * schedule puts into a workspace may be there as a whole. */
static bool has_entry_rightly(const run *r, number expected, bool found) {
  const test_case *c = r->c;
  const tensor *t = &c->result;
  bool lists = !t->exotic && t->order && t->levels[t->order - 1] != LEVEL_DENSE;
  bool exact = !adds(c->root) && !strstr(c->schedule, "precompute");
  return !lists || (found ? expected.there != NO_ENTRY || !exact : expected.there != AN_ENTRY);
}

static outcome compare(const run *r, const tensor *shape, const lac_tensor *stored) {
  bool *there;
  element *found = store_spread(shape, test_case_fill(r->c), stored, &there);
  if (!found)
    return say(r, OUTCOME_WRONG, "%s", "a result coordinate is out of range or there twice");
  number *expected = test_case_evaluate(r->c);
  outcome what = OUTCOME_RIGHT;
  for (int64_t at = 0; at < tensor_volume(shape) && what == OUTCOME_RIGHT; at++)
    if (!agrees(r->c, expected[at], found[at])) {
      snprintf(r->message, MESSAGE_SIZE,
               "at row-major place %lld: expected %.20Lg%+Lgi, found %.20Lg%+Lgi", (long long)at,
               creall(expected[at].value), cimagl(expected[at].value), creall(found[at]),
               cimagl(found[at]));
      what = OUTCOME_WRONG;
    } else if (!has_entry_rightly(r, expected[at], there[at])) {
      snprintf(r->message, MESSAGE_SIZE, "at row-major place %lld: %s", (long long)at,
               there[at] ? "an entry to which nothing comes" : "no entry, though something comes");
      what = OUTCOME_WRONG;
    }
  free(expected);
  free(found);
  free(there);
  return what;
}

static bool shape_is_right(const run *r) {
  bool right = r->result.order == r->c->result.order;
  for (int d = 0; right && d < r->c->result.order; d++)
    right = r->result.dimensions[d] == r->c->result.dimensions[d];
  return right;
}

/* The result as the compiler's conversion makes a coordinate list of it. */
static outcome compare_converted(const run *r) {
  tensor shape = r->c->result;
  lac_tensor list = {0};
  shape.exotic = NULL;
  for (int l = 0; l < shape.order; l++) {
    shape.modes[l] = l;
    shape.levels[l] = l ? LEVEL_SINGLETON_NONUNIQUE : LEVEL_COMPRESSED_NONUNIQUE;
  }
  outcome what = OUTCOME_WRONG;
  if (compiled_call(r->code, "unpack_0", (void *[]){&list, (void *)&r->result}))
    say(r, what, "unpacking the result failed: %s", lac_error_message());
  else if (store_check(&shape, &list))
    say(r, what, "the unpacked result is not sound: %s", lac_error_message());
  else
    what = compare(r, &shape, &list);
  lac_tensor_free(&list);
  return what;
}

static outcome check_result(const run *r) {
  if (!shape_is_right(r))
    return say(r, OUTCOME_WRONG, "%s", "the result's dimensions are wrong");
  if (check_stored(r, &r->c->result, &r->result))
    return say(r, OUTCOME_WRONG, "the result is not sound: %s", lac_error_message());
  if (r->c->result.exotic)
    return compare_converted(r);
  outcome what = compare(r, &r->c->result, &r->result);
  return what == OUTCOME_RIGHT && r->c->converts && r->c->result.order ? compare_converted(r)
                                                                       : what;
}

//--- The same bits -------------------------------------------------------------------------------

static bool same_array(const lac_array *x, const lac_array *y) {
  return x->length == y->length && x->width == y->width &&
         (!x->length || !memcmp(x->data, y->data, (size_t)(x->length * x->width)));
}

static bool same_bits(const lac_tensor *x, const lac_tensor *y) {
  bool same = x->level_count == y->level_count && same_array(&x->values, &y->values);
  for (int l = 0; same && l < x->level_count; l++)
    for (int slot = 0; slot < LAC_ARRAYS; slot++)
      same &= same_array(&x->levels[l].array[slot], &y->levels[l].array[slot]);
  return same;
}

/* Calls the kernel once more on each of several numbers of threads. */
static outcome compare_threads(const run *r, void **arguments) {
  static const int32_t counts[] = {1, 2, 3, 7};
  outcome what = OUTCOME_RIGHT;
  for (size_t n = 0; n < sizeof counts / sizeof *counts && what == OUTCOME_RIGHT; n++) {
    lac_tensor again = {0};
    void *result = arguments[0];
    arguments[0] = &again;
    lac_threads_set(counts[n]);
    int32_t status = compiled_call(r->code, "kernel", arguments);
    lac_threads_set(0);
    arguments[0] = result;
    if (status || !same_bits(&r->result, &again)) {
      snprintf(r->message, MESSAGE_SIZE, "on %d threads the result has other bits", counts[n]);
      what = OUTCOME_WRONG;
    }
    lac_tensor_free(&again);
  }
  return what;
}

//--- The case ------------------------------------------------------------------------------------

static bool result_may_overflow(const test_case *c) {
  const tensor *t = &c->result;
  if (t->order == 0)
    return false;
  if (t->position_bits < 32 && (t->exotic || tensor_volume(t) >= INT64_C(1) << t->position_bits))
    return true;
  return t->coordinate_bits < 32 && tensor_coordinates(t) > INT64_C(1) << t->coordinate_bits;
}

static outcome call_and_check(run *r) {
  void *arguments[MAX_TENSORS + 1] = {&r->result};
  for (int t = 0; t < r->c->tensor_count; t++) {
    if (make_operand(r, t))
      return say(r, OUTCOME_WRONG, "packing an operand failed: %s", lac_error_message());
    arguments[t + 1] = &r->operands[t];
  }
  int32_t status = compiled_call(r->code, "kernel", arguments);
  if (r->c->misfit)
    return status == LAC_ERROR_SHAPE
               ? OUTCOME_RIGHT
               : say(r, OUTCOME_WRONG, "shapes that do not agree are taken: %s",
                     status ? lac_error_message() : "no error");
  if (status == LAC_ERROR_OVERFLOW && result_may_overflow(r->c))
    return OUTCOME_RIGHT;
  if (status)
    return say(r, OUTCOME_WRONG, "the kernel failed: %s", lac_error_message());
  outcome what = check_result(r);
  return what == OUTCOME_RIGHT && r->c->deterministic ? compare_threads(r, arguments) : what;
}

static void free_tensors(run *r) {
  for (int t = 0; t < r->c->tensor_count; t++)
    if (r->lent[t])
      store_free(&r->operands[t]);
    else
      lac_tensor_free(&r->operands[t]);
  lac_tensor_free(&r->result);
}

static const char *every_cpu;

void test_cases_are_for(const char *cpu) {
  every_cpu = cpu;
}

static const char *every_device;

void test_cases_run_on(const char *device) {
  every_device = device;
}

const char *test_cases_device(void) {
  return every_device;
}

/* What is for threads is for one of the units of a GPU, where cases run on one. */
static void put_on_device(const test_case *c, char *schedule) {
  static const char thread[] = "cpu_thread";
  static const char *const units[] = {"gpu_block", "gpu_warp", "gpu_thread"};
  const char *unit = units[c->seed % 3];
  for (char *at = every_device ? strstr(schedule, thread) : NULL; at; at = strstr(at, thread)) {
    size_t rest = strlen(at + sizeof thread - 1) + 1, length = strlen(unit);
    memmove(at + length, at + sizeof thread - 1, rest);
    memcpy(at, unit, length);
  }
}

/* The case's processor, or NULL where this machine is none such. */
static const char *processor_for(const test_case *c) {
  machine_options machine = {.cpu = every_cpu ? every_cpu : c->cpu};
  processor p;
  char *error = NULL;
  bool here = processor_find(&p, &machine, &error) && processor_runs_here(&p, &error);
  processor_free(&p);
  free(error);
  return here || every_cpu ? machine.cpu : NULL;
}

/* The case compiled with a schedule, optimized so far, or NULL with the error. */
static compiled *compile(const test_case *c, compiler *with, const char *schedule, int level,
                         char **error) {
  char fitted[sizeof c->schedule];
  put_on_device(c, strcpy(fitted, schedule));
  struct lacuna_pipeline_options pipeline = {.schedule = fitted,
                                             .threads = c->threads,
                                             .strict = c->strict,
                                             .deterministic = c->deterministic,
                                             .cache = c->cache,
                                             .beyond = c->beyond,
                                             .policies = c->policies,
                                             .interleave = c->interleave,
                                             .device = every_device};
  machine_options machine = machine_options_default();
  machine.level = level;
  machine.cpu = processor_for(c);
  char *text = test_case_program(c);
  compiled *code = compiled_create(with, text, "case", &pipeline, &machine, NULL, error);
  free(text);
  return code;
}

/* What the verifier of MLIR says of code that a pass has made: no reason to refuse. */
static bool is_of_code(const char *error) {
  return strstr(error, "does not dominate this use") || strstr(error, "' op ");
}

/* A schedule may be refused wherever it cannot be carried out, in a line; the statement alone may
 * not. */
static outcome judge_refusal(const run *r, compiler *with, const char *error) {
  if (!error || !*error || strchr(error, '\n'))
    return say(r, OUTCOME_WRONG, "expected a line that says why, found: %s",
               error ? error : "none");
  if (is_of_code(error))
    return say(r, OUTCOME_WRONG, "made code that is none: %s", error);
  if (strstr(error, "not supported") || r->c->misfit)
    return say(r, OUTCOME_REFUSED, "%s", error);
  char *plain_error = NULL;
  compiled *plain = r->c->schedule[0] ? compile(r->c, with, "", 0, &plain_error) : NULL;
  outcome what = plain || (plain_error && strstr(plain_error, "not supported")) ? OUTCOME_REFUSED
                                                                                : OUTCOME_WRONG;
  compiled_free(plain);
  what = what == OUTCOME_WRONG && plain_error
             ? say(r, what, "not compiled without the schedule: %s", plain_error)
             : say(r, what, "not compiled: %s", error);
  free(plain_error);
  return what;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

outcome test_case_run(const test_case *c, compiler *with, char message[MESSAGE_SIZE],
                      double *seconds) {
  run r = {.c = c, .with = with, .message = message};
  char *error = NULL;
  double begin = processor_seconds();
  message[0] = '\0';
  r.code = compile(c, with, c->schedule, c->level, &error);
  *seconds = processor_seconds() - begin;
  outcome what = r.code ? call_and_check(&r) : judge_refusal(&r, with, error);
  free_tensors(&r);
  compiled_free(r.code);
  free(error);
  return what;
}
