/* Lacuna in the benchmark: the kernel is compiled in this process, the operands are the harness's
 * arrays, lent, or converted to the operand's format by kernels that are compiled too.
 *
 * The kernel on the command line is a name of kernels.c, and may give a tensor another format:
 * "spmv A=#tin.format<...>".  BENCH_SCHEDULE in the environment is a schedule to try. */
#include "compiled.h"
#include "harness.h"
#include "kernels.h"
#include "lac_error.h"
#include "statement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DENSE_BYTES = 8 };

/* A lac_tensor with its fields in one place. */
typedef struct lent {
  lac_tensor tensor;
  int64_t dimensions[BENCH_ORDER];
  lac_level levels[BENCH_ORDER];
} lent;

/* `given` are the harness's arrays, `packed` what they are converted to by `packers`. */
typedef struct lacuna {
  kernel kernel;
  int operand_count;
  lent given[KERNEL_OPERANDS];
  lac_tensor packed[KERNEL_OPERANDS];
  compiled *packers[KERNEL_OPERANDS];
  lac_tensor result, shown;
  compiler *compiler;
  compiled *code;
} lacuna;

static lacuna program;

//--- Compiling -----------------------------------------------------------------------------------

static statement_tensor describe(const kernel_operand *o, const bench *b) {
  bool is_vector = o->sparse == 'm' || o->sparse == 'n';
  int order = o->shape ? (int)strlen(o->shape) : is_vector ? 1 : (int)b->a.order;
  return (statement_tensor){o->name, order, o->format, NULL, LAC_F64, NULL};
}

static char *conversion_text(const kernel_operand *o, const bench *b, const char *from,
                             const char *to) {
  statement_tensor tensor = describe(o, b);
  char *source = statement_type_text(&tensor, from);
  char *target = statement_type_text(&tensor, to);
  char *text = source && target ? statement_conversion_text("kernel", source, target, false) : NULL;
  free(source);
  free(target);
  return text;
}

static char *program_text(const lacuna *l, const bench *b) {
  const kernel *k = &l->kernel;
  statement_tensor operands[KERNEL_OPERANDS];
  int64_t dynamic[BENCH_ORDER] = {-1, -1, -1};
  statement s = {.expression = k->expression,
                 .operand_count = l->operand_count,
                 .operands = operands,
                 .result = {k->result, k->result_order, k->result_format, NULL, LAC_F64, dynamic}};
  for (int i = 0; i < l->operand_count; i++)
    operands[i] = describe(&k->operands[i], b);
  return k->expression ? statement_text(&s, false)
                       : conversion_text(k->operands, b, k->operands->format, k->result_format);
}

static void tell(void *data, const char *severity, const char *message) {
  (void)data;
  fprintf(stderr, "%s: %s\n", severity, message);
}

/* Compiles a program, and frees its text. */
static compiled *compile(lacuna *l, const bench *b, char *text, const char *schedule) {
  struct lacuna_pipeline_options pipeline = {schedule ? schedule : "", b->threads, false, 0, NULL};
  machine_options machine = machine_options_default();
  char *error = NULL;
  compiled *code =
      text ? compiled_create(l->compiler, text, l->kernel.name, &pipeline, &machine, NULL, &error)
           : NULL;
  if (!code)
    fprintf(stderr, "error: %s\n", error ? error : "no memory");
  free(error);
  free(text);
  return code;
}

static bool compile_kernel(lacuna *l, const bench *b) {
  l->compiler = compiler_create();
  if (!l->compiler)
    return false;
  compiler_listen(l->compiler, tell, NULL);
  l->code = compile(l, b, program_text(l, b), getenv("BENCH_SCHEDULE"));
  return l->code != NULL;
}

//--- Operands ------------------------------------------------------------------------------------

static lac_array lend(void *data, int64_t length, int width) {
  return (lac_array){data, length, length, width, 0};
}

static void lend_level(lac_level *level, const char *kind, int64_t size, int32_t *positions,
                       int64_t parents, int32_t *coordinates, int64_t entries) {
  *level = (lac_level){.kind = kind, .size = size};
  for (int a = 0; a < LAC_ARRAYS; a++)
    level->array[a].width = 4;
  if (positions)
    level->array[LAC_POSITIONS] = lend(positions, parents + 1, 4);
  if (coordinates)
    level->array[LAC_COORDINATES] = lend(coordinates, entries, 4);
}

static void lend_tensor(lent *l, int64_t order, const int64_t *dimensions, double *values,
                        int64_t count) {
  memcpy(l->dimensions, dimensions, sizeof *dimensions * (size_t)order);
  l->tensor = (lac_tensor){
      order, order, l->dimensions, l->levels, lend(values, count, DENSE_BYTES), LAC_F64, 0};
}

static bool lend_dense(lent *l, const bench *b, double *values, const char *shape) {
  int64_t dimensions[BENCH_ORDER], count = 1;
  int order = (int)strlen(shape);
  for (int d = 0; d < order; d++) {
    dimensions[d] = bench_size(b, shape[d]);
    count *= dimensions[d];
    lend_level(&l->levels[d], "dense", dimensions[d], NULL, 0, NULL, 0);
  }
  lend_tensor(l, order, dimensions, values, count);
  return values != NULL;
}

/* The two entries of a coordinate list's only segment of positions. */
static int32_t *whole_list(int64_t entries) {
  int32_t *positions = malloc(2 * sizeof *positions);
  if (positions) {
    positions[0] = 0;
    positions[1] = (int32_t)entries;
  }
  return positions;
}

static bool lend_coordinates(lent *l, const bench_tensor *t) {
  int32_t *positions = whole_list(t->counts[1]);
  lend_level(&l->levels[0], "compressed", t->dimensions[0], positions, 1, t->coordinates[0],
             t->counts[1]);
  lend_level(&l->levels[1], "singleton", t->dimensions[1], NULL, 0, t->coordinates[1],
             t->counts[1]);
  return positions != NULL;
}

static bool lend_sparse(lent *l, const bench_tensor *t, const char *format) {
  lend_tensor(l, t->order, t->dimensions, t->values, bench_entries(t));
  if (strstr(format, "singleton"))
    return lend_coordinates(l, t);
  for (int k = 0; k < t->order; k++)
    if (t->order == 2 && k == 0)
      lend_level(&l->levels[0], "dense", t->dimensions[0], NULL, 0, NULL, 0);
    else
      lend_level(&l->levels[k], "compressed", t->dimensions[k], t->positions[k],
                 bench_parents(t, k), t->coordinates[k], t->counts[k]);
  return true;
}

/* The harness's tensor that an operand is made of; NULL where there is none. */
static const bench_tensor *tensor_of(const kernel_operand *o, bench *b) {
  if (o->sparse == 'A')
    return &b->a;
  if (o->sparse == 'B')
    return &b->b;
  return bench_sparse_vector(b, o->sparse) ? &b->x : NULL;
}

static const char *given_format(const kernel_operand *o, const bench_tensor *t) {
  return o->given ? o->given
                  : (const char *[]){kernel_vector, kernel_csr, kernel_csf}[t->order - 1];
}

static bool is_dense_vector(const kernel_operand *o) {
  return (o->sparse == 'm' || o->sparse == 'n') && strstr(o->format, ": dense)");
}

/* Makes the operand of the harness's arrays, and the code that brings it into its format. */
static bool take_sparse(lacuna *l, bench *b, int i) {
  const kernel_operand *o = &l->kernel.operands[i];
  if (is_dense_vector(o))
    return lend_dense(&l->given[i], b, bench_scattered_vector(b, o->sparse),
                      (char[]){o->sparse, '\0'});
  const bench_tensor *t = tensor_of(o, b);
  if (!t || !lend_sparse(&l->given[i], t, given_format(o, t)))
    return false;
  if (!strcmp(given_format(o, t), kernel_shuffled))
    bench_shuffle(&b->a);
  if (!strcmp(given_format(o, t), o->format))
    return true;
  l->packers[i] = compile(l, b, conversion_text(o, b, given_format(o, t), o->format), NULL);
  return l->packers[i] != NULL;
}

static bool take_operands(lacuna *l, bench *b) {
  bool there = true;
  for (int i = 0, slot = 0; there && i < l->operand_count; i++) {
    const char *shape = l->kernel.operands[i].shape;
    there = shape ? lend_dense(&l->given[i], b, bench_dense(b, slot++, shape), shape)
                  : take_sparse(l, b, i);
  }
  return there;
}

static int call(compiled *code, void **arguments) {
  int32_t status = compiled_call(code, "kernel", arguments);
  if (status)
    fprintf(stderr, "error: %s\n", lac_error_message());
  return status;
}

static int pack_operands(lacuna *l) {
  int status = 0;
  for (int i = 0; !status && i < l->operand_count; i++)
    if (l->packers[i])
      status = call(l->packers[i], (void *[]){&l->packed[i], &l->given[i].tensor});
  return status;
}

static const lac_tensor *operand(const lacuna *l, int i) {
  return l->packers[i] ? &l->packed[i] : &l->given[i].tensor;
}

//--- Running -------------------------------------------------------------------------------------

/* "A=#tin.format<...>" */
static bool take_format(lacuna *l, const char *text) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : 0;
  const char **format = NULL;
  for (int i = 0; length && i < l->operand_count; i++)
    if (!strncmp(l->kernel.operands[i].name, text, length))
      format = &l->kernel.operands[i].format;
  if (length && !strncmp(l->kernel.result, text, length))
    format = &l->kernel.result_format;
  if (!format)
    return fprintf(stderr, "error: expected TENSOR=FORMAT, found '%s'\n", text), false;
  *format = equals + 1;
  return true;
}

/* "spmv", or "spmv A=#tin.format<...>" */
static bool take_kernel(lacuna *l, const char *text) {
  char name[64] = "";
  const char *space = strchr(text, ' ');
  size_t length = space ? (size_t)(space - text) : strlen(text);
  if (length < sizeof name)
    memcpy(name, text, length);
  const kernel *found = kernel_find(name);
  if (!found)
    return fprintf(stderr, "error: no kernel '%s' here\n", name), false;
  l->kernel = *found;
  while (l->operand_count < KERNEL_OPERANDS && found->operands[l->operand_count].name)
    l->operand_count++;
  return !space || take_format(l, space + 1);
}

static int prepare(bench *b) {
  lacuna *l = b->state = &program;
  return !take_kernel(l, bench_kernel_name) || !compile_kernel(l, b) || !take_operands(l, b) ||
         (!l->kernel.once && pack_operands(l));
}

static int run(bench *b) {
  lacuna *l = b->state;
  void *arguments[KERNEL_OPERANDS + 1] = {&l->result};
  if (l->kernel.once && pack_operands(l))
    return 1;
  for (int i = 0; i < l->operand_count; i++)
    arguments[i + 1] = (void *)operand(l, i);
  return call(l->code, arguments);
}

static int64_t stored_bytes(const lac_tensor *t) {
  int64_t bytes = t->values.length * t->values.width;
  for (int64_t l = 0; l < t->level_count; l++)
    for (int a = 0; a < LAC_ARRAYS; a++)
      bytes += t->levels[l].array[a].length * t->levels[l].array[a].width;
  return bytes;
}

/* Every array of the operands and of the result once; an operand that is there twice counts once.
 */
static int64_t moved_bytes(const lacuna *l) {
  int64_t bytes = stored_bytes(&l->result);
  for (int i = 0; i < l->operand_count; i++) {
    const lac_tensor *stored = l->kernel.once ? &l->given[i].tensor : operand(l, i);
    bool seen = false;
    for (int k = 0; k < i; k++)
      seen = seen || operand(l, k)->values.data == stored->values.data;
    bytes += seen ? 0 : stored_bytes(stored);
  }
  return bytes;
}

/* Whether the harness can walk a result in this format as it is. */
static bool is_plain(const char *format) {
  return !format ||
         (!strstr(format, "floordiv") && !strstr(format, " - ") && !strchr(format + 1, '#'));
}

static bool is_sparse_vector(const kernel *k) {
  return k->result_order == 1 && !strcmp(k->result_format, kernel_vector);
}

/* The result, as CSR where blocks, diagonals or the like would have to be walked; vectors with all
 * their zeros, as the peers show them. */
static const lac_tensor *shown_result(lacuna *l, const bench *b) {
  const kernel *k = &l->kernel;
  if (!is_sparse_vector(k) && (k->expression || is_plain(k->result_format)))
    return &l->result;
  const char *plain = is_sparse_vector(k) ? kernel_dense_vector : kernel_csr;
  compiled *code = compile(l, b, conversion_text(k->operands, b, k->result_format, plain), NULL);
  bool failed = !code || call(code, (void *[]){&l->shown, &l->result});
  compiled_free(code);
  return failed ? NULL : &l->shown;
}

static int show(bench *b, bench_result *result) {
  lacuna *l = b->state;
  const lac_tensor *shown = shown_result(l, b);
  const char *format = l->kernel.result_format;
  bool transposed = format && strstr(format, "(j : dense, i") != NULL;
  if (!shown)
    return 1;
  *result = (bench_result){(int)shown->level_count,
                           4,
                           {{0}},
                           shown->values.data,
                           shown == &l->shown && !is_sparse_vector(&l->kernel)};
  for (int k = 0; k < result->order; k++) {
    const lac_level *level = &shown->levels[k];
    int dimension = transposed ? 1 - k : k;
    result->levels[k] = (bench_level){level->size, level->array[LAC_POSITIONS].data,
                                      level->array[LAC_COORDINATES].data, dimension};
  }
  bench_moved_bytes = moved_bytes(l);
  return 0;
}

static void drop(bench *b) {
  lacuna *l = b->state;
  lac_tensor_free(&l->result);
  for (int i = 0; l->kernel.once && i < l->operand_count; i++)
    lac_tensor_free(&l->packed[i]);
}

int main(int argc, char **argv) {
  static const bench_kernel all = {"*", prepare, run, show, drop};
  int status = bench_main(argc, argv, &all, 1);
  compiled_free(program.code);
  for (int i = 0; i < program.operand_count; i++)
    compiled_free(program.packers[i]);
  compiler_free(program.compiler);
  return status;
}
