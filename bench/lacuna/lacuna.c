/* Lacuna in the benchmark: the kernel is compiled in this process, the operands are the harness's
 * arrays, lent. BENCH_SCHEDULE in the environment is a schedule to try. */
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

typedef struct lacuna {
  const kernel *kernel;
  int operand_count;
  lent operands[KERNEL_OPERANDS];
  lac_tensor result;
  compiler *compiler;
  compiled *code;
} lacuna;

static lacuna program;

//--- Compiling -----------------------------------------------------------------------------------

static statement_tensor describe(const kernel_operand *o, const bench *b) {
  int order = o->shape ? (int)strlen(o->shape) : (int)b->a.order;
  return (statement_tensor){o->name, order, o->format, NULL, LAC_F64, NULL};
}

static char *conversion_text(const lacuna *l, const bench *b) {
  statement_tensor from = describe(&l->kernel->operands[0], b);
  char *source = statement_type_text(&from, from.format);
  char *target = statement_type_text(&from, l->kernel->result_format);
  char *text = source && target ? statement_conversion_text("kernel", source, target) : NULL;
  free(source);
  free(target);
  return text;
}

static char *program_text(const lacuna *l, const bench *b) {
  const kernel *k = l->kernel;
  statement_tensor operands[KERNEL_OPERANDS];
  int64_t dynamic[BENCH_ORDER] = {-1, -1, -1};
  statement s = {k->expression,
                 NULL,
                 l->operand_count,
                 operands,
                 {k->result, k->result_order, k->result_format, NULL, LAC_F64, dynamic},
                 NULL,
                 NULL};
  for (int i = 0; i < l->operand_count; i++)
    operands[i] = describe(&k->operands[i], b);
  return k->expression ? statement_text(&s, false) : conversion_text(l, b);
}

static void tell(void *data, const char *severity, const char *message) {
  (void)data;
  fprintf(stderr, "%s: %s\n", severity, message);
}

static bool compile(lacuna *l, const bench *b) {
  const char *schedule = getenv("BENCH_SCHEDULE");
  struct lacuna_pipeline_options pipeline = {schedule ? schedule : "", b->threads, false};
  machine_options machine = machine_options_default();
  char *text = program_text(l, b), *error = NULL;
  l->compiler = compiler_create();
  if (l->compiler && text) {
    compiler_listen(l->compiler, tell, NULL);
    l->code =
        compiled_create(l->compiler, text, l->kernel->name, &pipeline, &machine, NULL, &error);
  }
  if (!l->code)
    fprintf(stderr, "error: %s\n", error ? error : "no memory");
  free(error);
  free(text);
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

static bool lend_dense(lent *l, bench *b, int slot, const char *shape) {
  int64_t dimensions[BENCH_ORDER], count = 1;
  int order = (int)strlen(shape);
  double *values = bench_dense(b, slot, shape);
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

static bool lend_sparse(lent *l, const bench_tensor *t, bool as_list) {
  lend_tensor(l, t->order, t->dimensions, t->values, bench_entries(t));
  if (as_list)
    return lend_coordinates(l, t);
  for (int k = 0; k < t->order; k++)
    if (t->order == 2 && k == 0)
      lend_level(&l->levels[0], "dense", t->dimensions[0], NULL, 0, NULL, 0);
    else
      lend_level(&l->levels[k], "compressed", t->dimensions[k], t->positions[k],
                 bench_parents(t, k), t->coordinates[k], t->counts[k]);
  return true;
}

static bool lend_operands(lacuna *l, bench *b) {
  bool there = true;
  for (int i = 0, slot = 0; i < l->operand_count; i++) {
    const kernel_operand *o = &l->kernel->operands[i];
    bool as_list = strstr(o->format, "singleton") != NULL;
    there = there &&
            (o->shape ? lend_dense(&l->operands[i], b, slot++, o->shape)
                      : lend_sparse(&l->operands[i], o->sparse == 'A' ? &b->a : &b->b, as_list));
  }
  return there;
}

//--- Running -------------------------------------------------------------------------------------

static int prepare(bench *b) {
  lacuna *l = b->state = &program;
  l->kernel = kernel_find(bench_kernel_name);
  if (!l->kernel)
    return 1;
  while (l->operand_count < KERNEL_OPERANDS && l->kernel->operands[l->operand_count].name)
    l->operand_count++;
  return !compile(l, b) || !lend_operands(l, b);
}

static int run(bench *b) {
  lacuna *l = b->state;
  void *arguments[KERNEL_OPERANDS + 1] = {&l->result};
  for (int i = 0; i < l->operand_count; i++)
    arguments[i + 1] = &l->operands[i].tensor;
  int32_t status = compiled_call(l->code, "kernel", arguments);
  if (status)
    fprintf(stderr, "error: %s\n", lac_error_message());
  return status;
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
    bool seen = false;
    for (int k = 0; k < i; k++)
      seen = seen || l->operands[k].tensor.values.data == l->operands[i].tensor.values.data;
    bytes += seen ? 0 : stored_bytes(&l->operands[i].tensor);
  }
  return bytes;
}

static int show(bench *b, bench_result *result) {
  const lacuna *l = b->state;
  *result = (bench_result){(int)l->result.level_count, 4, {{0}}, l->result.values.data};
  for (int k = 0; k < result->order; k++) {
    const lac_level *level = &l->result.levels[k];
    int dimension = !strcmp(l->kernel->name, "to-csc") ? 1 - k : k;
    result->levels[k] = (bench_level){level->size, level->array[LAC_POSITIONS].data,
                                      level->array[LAC_COORDINATES].data, dimension};
  }
  bench_moved_bytes = moved_bytes(l);
  return 0;
}

static void drop(bench *b) {
  lac_tensor_free(&((lacuna *)b->state)->result);
}

int main(int argc, char **argv) {
  static const bench_kernel all = {"*", prepare, run, show, drop};
  int status = bench_main(argc, argv, &all, 1);
  compiled_free(program.code);
  compiler_free(program.compiler);
  return status;
}
