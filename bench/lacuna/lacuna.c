/* Lacuna in the benchmark: the kernel is compiled in this process, the operands are the harness's
 * arrays, lent, or converted to the operand's format by kernels that are compiled too.
 *
 * The kernel on the command line is a name of kernels.c, and may give workspaces a policy, a tensor
 * another format and the statement a schedule: "spmv A=#tin.format<...>; split(i,i0,i1,32)",
 * "spgemm-outer:hash".  Two are none of the compiler's: "array", where the result is made in an
 * array with all its places, and compressed by a second statement; and "none", the statement's
 * lower bound: the same products, added up to one number. */
#include "compiled.h"
#include "expect.h"
#include "harness.h"
#include "kernels.h"
#include "lac_clean.h"
#include "lac_error.h"
#include "lac_kept.h"
#include "statement_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STAGES = 2, SHARE_OF_MEMORY = 4 };

/* A lac_tensor with its fields in one place. */
typedef struct lent {
  lac_tensor tensor;
  int64_t dimensions[BENCH_ORDER];
  lac_level levels[BENCH_ORDER];
} lent;

/* A statement.  `given` are the harness's arrays, `packed` what they are converted to by `packers`.
 */
typedef struct stage {
  kernel kernel;
  int operand_count;
  lent given[KERNEL_OPERANDS];
  lac_tensor packed[KERNEL_OPERANDS];
  compiled *packers[KERNEL_OPERANDS];
  lac_tensor result;
  compiled *code;
  entry_point *entry; /* of `code` */
} stage;

/* The statements of a kernel, each after the first computed of the result of the one before. */
typedef struct lacuna {
  stage stages[STAGES];
  int count;
  int dense_count;    /* of the harness's dense operands that are taken */
  const char *policy; /* of workspaces; NULL: as the compiler chooses */
  bool recorded;
  lac_tensor shown;
  compiler *compiler;
  char *asked; /* the kernel's name, format and schedule, cut up */
} lacuna;

static lacuna program;

//--- Compiling -----------------------------------------------------------------------------------

static lac_type value_type(void) {
  return sizeof(bench_value) == sizeof(float) ? LAC_F32 : LAC_F64;
}

/* Whether it is the sparse vector x. */
static bool is_vector(const kernel_operand *o) {
  return o->sparse == 'm' || o->sparse == 'n';
}

static int order_of(const kernel_operand *o, const bench *b) {
  if (o->shape)
    return (int)strlen(o->shape);
  if (is_vector(o))
    return 1;
  return (int)(o->sparse == 'B' ? b->b.order : o->sparse == 'C' ? b->c.order : b->a.order);
}

static statement_tensor describe(const kernel_operand *o, const bench *b) {
  int order = order_of(o, b);
  return (statement_tensor){
      .name = o->name, .order = order, .format = o->format, .type = value_type()};
}

/* Over how many of its rows, or columns, the entries of a matrix are spread (tin.holds). */
static int64_t spread_along(const bench_tensor *t, int d) {
  int64_t entries = bench_entries(t),
          *counts = calloc((size_t)t->dimensions[d] + 1, sizeof *counts);
  double squares = 0;
  for (int64_t n = 0; counts && n < entries; n++)
    squares += (double)(2 * ++counts[t->coordinates[d][n]] - 1);
  free(counts);
  return expect_spread((double)entries, squares, t->dimensions[d]);
}

/* What an operand has: its number of entries, then each size, and of a matrix over how many
 * coordinates its entries are spread; room for all in `holds`, which is zero behind those.  NULL of
 * what another statement makes. */
static const int64_t *held(const kernel_operand *o, const bench *b, int64_t *holds) {
  const bench_tensor *t = o->sparse == 'B' ? &b->b : o->sparse == 'C' ? &b->c : &b->a;
  if (is_vector(o)) {
    holds[0] = expect_about((double)b->columns);
    holds[1] = bench_size(b, o->sparse);
    return holds;
  }
  if (!o->shape && (o->sparse < 'A' || o->sparse > 'C'))
    return NULL;
  holds[0] = o->shape ? 1 : expect_about((double)bench_entries(t));
  for (int d = 0; d < order_of(o, b); d++) {
    holds[d + 1] = o->shape ? bench_size(b, o->shape[d]) : t->dimensions[d];
    holds[0] *= o->shape ? holds[d + 1] : 1;
  }
  if (o->spread)
    holds[2] = b->columns;
  for (int d = 0; !o->shape && t->order == 2 && d < 2; d++)
    holds[1 + 2 * t->order + d] = spread_along(t, d);
  return holds;
}

static char *conversion_text(const kernel_operand *o, const bench *b, const char *from,
                             const char *to, bool drop_zeros) {
  statement_tensor tensor = describe(o, b);
  char *source = statement_type_text(&tensor, from);
  char *target = statement_type_text(&tensor, to);
  char *text = source && target
                   ? statement_conversion_text("kernel", source, target, drop_zeros, NULL)
                   : NULL;
  free(source);
  free(target);
  return text;
}

static char *program_text(const stage *s, const bench *b) {
  const kernel *k = &s->kernel;
  statement_tensor operands[KERNEL_OPERANDS];
  int64_t dynamic[BENCH_ORDER] = {-1, -1, -1, -1},
          holds[KERNEL_OPERANDS][STATEMENT_HOLDS(BENCH_ORDER)] = {{0}};
  statement_spec text = {.expression = k->expression,
                         .operand_count = s->operand_count,
                         .operands = operands,
                         .result = {.name = k->result,
                                    .order = k->result_order,
                                    .format = k->result_format,
                                    .type = value_type(),
                                    .dimensions = dynamic}};
  for (int i = 0; i < s->operand_count; i++) {
    operands[i] = describe(&k->operands[i], b);
    operands[i].holds = held(&k->operands[i], b, holds[i]);
  }
  return k->expression ? statement_text(&text, false)
                       : conversion_text(k->operands, b, k->operands->format, k->result_format,
                                         k->drop_zeros);
}

/* Entries that are recorded and ordered afterwards are in no workspace, whatever its policy. */
static void tell(void *data, const char *severity, const char *message) {
  (void)data;
  program.recorded = program.recorded || !strncmp(message, "recorded", strlen("recorded"));
  fprintf(stderr, "%s: %s\n", severity, message);
}

/* Compiles a program for the number of threads that is set, and frees its text.  Code for numbers
 * that were set before is found again where `cache` says so (machine.h). */
static compiled *compile(const bench *b, char *text, const char *schedule, unsigned cache) {
  struct lacuna_pipeline_options pipeline = {.schedule = schedule ? schedule : "",
                                             .threads = b->threads,
                                             .policies = program.policy,
                                             .bytes = expect_bytes()};
  machine_options machine = machine_options_default();
  char *error = NULL;
  machine.cache = cache;
  compiled *code = text ? compiled_create(program.compiler, text, bench_kernel_name, &pipeline,
                                          &machine, NULL, &error)
                        : NULL;
  if (!code)
    fprintf(stderr, "error: %s\n", error ? error : "no memory");
  free(error);
  free(text);
  return code;
}

static bool compile_stage(stage *s, const bench *b, unsigned cache) {
  compiled_free(s->code);
  s->code = compile(b, program_text(s, b), s->kernel.schedule, cache);
  s->entry = s->code ? compiled_find(s->code, "kernel") : NULL;
  if (s->entry && program.policy && program.recorded)
    return fprintf(stderr, "error: no workspace here that could be %s\n", program.policy), false;
  return s->entry != NULL;
}

static bool compile_stages(lacuna *l, const bench *b, unsigned cache) {
  bool there = true;
  for (int s = 0; there && s < l->count; s++)
    there = compile_stage(&l->stages[s], b, cache);
  return there;
}

/* The first compilation is timed, with all that a process does once. */
static bool begin_compiling(lacuna *l, const bench *b) {
  double start = bench_clock();
  l->compiler = compiler_create();
  if (!l->compiler)
    return false;
  compiler_listen(l->compiler, tell, NULL);
  bool there = compile_stages(l, b, CACHE_MEMORY);
  bench_compile_seconds = bench_clock() - start;
  return there;
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

static void lend_tensor(lent *l, int64_t order, const int64_t *dimensions, bench_value *values,
                        int64_t count) {
  memcpy(l->dimensions, dimensions, sizeof *dimensions * (size_t)order);
  l->tensor = (lac_tensor){
      order,        order, l->dimensions, l->levels, lend(values, count, sizeof(bench_value)),
      value_type(), 0};
}

static bool lend_dense(lent *l, const bench *b, bench_value *values, const char *shape) {
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

/* CSR whose columns have moved apart, in coordinates of 64 bits; the bench's columns, if there are
 * more of them. */
static bool lend_spread(lent *l, const bench_tensor *t, int64_t columns) {
  int64_t entries = t->counts[1], times = columns / t->dimensions[1], *apart = NULL;
  lac_level *level = &l->levels[1];
  apart = bench_allocate(entries * (int64_t)sizeof *apart);
  for (int64_t e = 0; apart && e < entries; e++)
    apart[e] = times * t->coordinates[1][e];
  l->dimensions[1] = level->size = times * t->dimensions[1];
  level->array[LAC_COORDINATES] = lend(apart, entries, sizeof *apart);
  return apart != NULL;
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
  if (o->sparse == 'C')
    return &b->c;
  return bench_sparse_vector(b, o->sparse) ? &b->x : NULL;
}

static const char *given_format(const kernel_operand *o, const bench_tensor *t) {
  return o->given
             ? o->given
             : (const char *[]){kernel_vector, kernel_csr, kernel_csf, kernel_csf4}[t->order - 1];
}

static bool is_dense_vector(const kernel_operand *o) {
  return is_vector(o) && strstr(o->format, ": dense)");
}

/* The code that brings an operand into its format, where that is not how it is given. */
static bool make_packer(stage *s, const bench *b, int i, unsigned cache) {
  const kernel_operand *o = &s->kernel.operands[i];
  if (o->shape || !o->given || !strcmp(o->given, o->format))
    return true;
  compiled_free(s->packers[i]);
  s->packers[i] = compile(b, conversion_text(o, b, o->given, o->format, false), NULL, cache);
  return s->packers[i] != NULL;
}

/* Makes the operand of the harness's arrays. */
static bool take_sparse(stage *s, bench *b, int i) {
  kernel_operand *o = &s->kernel.operands[i];
  if (o->sparse == 'R')
    return true;
  if (is_dense_vector(o)) {
    o->given = o->format;
    return lend_dense(&s->given[i], b, bench_scattered_vector(b, o->sparse),
                      (char[]){o->sparse, '\0'});
  }
  const bench_tensor *t = tensor_of(o, b);
  if (!t)
    return false;
  o->given = given_format(o, t);
  if (!strcmp(o->given, kernel_shuffled))
    bench_shuffle(&b->a);
  return lend_sparse(&s->given[i], t, o->given) &&
         (!o->spread || lend_spread(&s->given[i], t, b->columns)) &&
         make_packer(s, b, i, CACHE_MEMORY);
}

static bool take_operands(lacuna *l, stage *s, bench *b) {
  bool there = true;
  for (int i = 0; there && i < s->operand_count; i++) {
    const char *shape = s->kernel.operands[i].shape;
    there = shape ? lend_dense(&s->given[i], b, bench_dense(b, l->dense_count++, shape), shape)
                  : take_sparse(s, b, i);
  }
  return there;
}

static int told(int32_t status) {
  if (status)
    fprintf(stderr, "error: %s\n", lac_error_message());
  return status;
}

static int call(compiled *code, void **arguments) {
  return told(compiled_call(code, "kernel", arguments));
}

static int pack_operands(stage *s) {
  int status = 0;
  for (int i = 0; !status && i < s->operand_count; i++)
    if (s->packers[i])
      status = call(s->packers[i], (void *[]){&s->packed[i], &s->given[i].tensor});
  return status;
}

/* An operand of a stage; the result before it lies in the stage before it. */
static const lac_tensor *operand(const stage *s, int i) {
  if (s->kernel.operands[i].sparse == 'R')
    return &(s - 1)->result;
  return s->packers[i] ? &s->packed[i] : &s->given[i].tensor;
}

//--- The kernel ----------------------------------------------------------------------------------

/* "A=#tin.format<...>", which the stage keeps */
static bool take_format(stage *s, char *text) {
  char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : 0;
  const char **format = NULL;
  for (int i = 0; length && i < s->operand_count; i++)
    if (!strncmp(s->kernel.operands[i].name, text, length))
      format = &s->kernel.operands[i].format;
  if (length && !strncmp(s->kernel.result, text, length))
    format = &s->kernel.result_format;
  if (!format)
    return fprintf(stderr, "error: expected TENSOR=FORMAT, found '%s'\n", text), false;
  *format = equals + 1;
  return true;
}

static void add_stage(lacuna *l, const kernel *k) {
  stage *s = &l->stages[l->count++];
  s->kernel = *k;
  while (s->operand_count < KERNEL_OPERANDS && k->operands[s->operand_count].name)
    s->operand_count++;
}

/* Cuts a text at a character; what is behind it, or NULL. */
static char *cut(char *text, char at) {
  char *behind = strchr(text, at);
  if (behind)
    *behind++ = '\0';
  return behind;
}

/* What is summed instead of the statement: nothing is left to put a result in. */
static void sum_up(stage *s) {
  s->kernel.expression = s->kernel.sum;
  s->kernel.result = "s";
  s->kernel.result_format = NULL;
  s->kernel.result_order = 0;
}

/* The result with all its places, and the second statement that compresses it. */
static void make_array(lacuna *l) {
  l->stages[0].kernel.result_format = kernel_matrix;
  add_stage(l, kernel_find("compress"));
}

/* Arrays with a place for everything may be beyond the memory, which the system would find out only
 * once they are written to. */
static void limit_memory(void) {
  rlim_t all = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
  setrlimit(RLIMIT_AS, &(struct rlimit){all / SHARE_OF_MEMORY, all / SHARE_OF_MEMORY});
}

static void take_policy(lacuna *l, const char *policy) {
  if (!strcmp(policy, "none"))
    sum_up(&l->stages[0]);
  else if (!strcmp(policy, "array"))
    make_array(l);
  else {
    l->policy = policy;
    if (!l->stages[0].kernel.schedule)
      l->stages[0].kernel.schedule = l->stages[0].kernel.gathering;
  }
  limit_memory();
}

/* "spmv", "spmv:hash", "spmv A=#tin.format<...>", each maybe with "; " and a schedule.  The text is
 * cut up, and kept. */
static bool take_kernel(lacuna *l, char *text) {
  char *schedule = cut(text, ';'), *format = cut(text, ' '), *policy = cut(text, ':');
  const kernel *found = kernel_find(text);
  if (!found)
    return fprintf(stderr, "error: no kernel '%s' here\n", text), false;
  for (; found && l->count < STAGES; found = found->then ? kernel_find(found->then) : NULL)
    add_stage(l, found);
  l->stages[0].kernel.schedule = schedule;
  if (policy)
    take_policy(l, policy);
  return !format || take_format(&l->stages[0], format);
}

static int prepare(bench *b) {
  lacuna *l = b->state = &program;
  l->asked = strdup(bench_kernel_name);
  bool there = l->asked && take_kernel(l, l->asked) && begin_compiling(l, b);
  for (int s = 0; there && s < l->count; s++)
    there = take_operands(l, &l->stages[s], b) &&
            (l->stages[s].kernel.once || !pack_operands(&l->stages[s]));
  return !there;
}

static int set_threads(bench *b) {
  bool there = compile_stages(&program, b, CACHE_MEMORY);
  for (int s = 0; there && s < program.count; s++)
    for (int i = 0; there && i < program.stages[s].operand_count; i++)
      there = make_packer(&program.stages[s], b, i, CACHE_MEMORY);
  return !there;
}

static int compile_anew(bench *b) {
  return !compile_stages(&program, b, 0);
}

static void forget(bench *b) {
  (void)b;
  lac_kept_drop();
  lac_clean_drop();
}

//--- Running -------------------------------------------------------------------------------------

static int run_stage(stage *s) {
  void *arguments[KERNEL_OPERANDS + 1] = {&s->result};
  if (s->kernel.once && pack_operands(s))
    return 1;
  for (int i = 0; i < s->operand_count; i++)
    arguments[i + 1] = (void *)operand(s, i);
  return told(s->entry(arguments));
}

static int run(bench *b) {
  lacuna *l = b->state;
  int status = 0;
  for (int s = 0; !status && s < l->count; s++)
    status = run_stage(&l->stages[s]);
  return status;
}

/* Every array of a statement's operands and of its result once; an operand that is there twice
 * counts once. */
static void add_bytes(const stage *s) {
  bench_written_bytes += lac_tensor_bytes(&s->result);
  for (int i = 0; i < s->operand_count; i++) {
    const lac_tensor *stored = s->kernel.once ? &s->given[i].tensor : operand(s, i);
    bool seen = false;
    for (int k = 0; k < i; k++)
      seen = seen || operand(s, k)->values.data == stored->values.data;
    bench_read_bytes += seen ? 0 : lac_tensor_bytes(stored);
  }
}

static void count_bytes(const lacuna *l) {
  bench_read_bytes = bench_written_bytes = 0;
  for (int s = 0; s < l->count; s++)
    add_bytes(&l->stages[s]);
}

/* Whether the harness can walk a result in this format as it is. */
static bool is_plain(const char *format) {
  return !format ||
         (!strstr(format, "floordiv") && !strstr(format, " - ") && !strchr(format + 1, '#'));
}

static bool is_sparse_vector(const kernel *k) {
  return k->result_format && !strcmp(k->result_format, kernel_vector);
}

/* The result, as CSR where blocks, diagonals or the like would have to be walked; vectors with all
 * their zeros, as the peers show them. */
static const lac_tensor *shown_result(lacuna *l, const bench *b) {
  stage *s = &l->stages[l->count - 1];
  const kernel *k = &s->kernel;
  if (!is_sparse_vector(k) && (k->expression || is_plain(k->result_format)))
    return &s->result;
  const char *plain = is_sparse_vector(k) ? kernel_dense_vector : kernel_csr;
  compiled *code = compile(b, conversion_text(k->operands, b, k->result_format, plain, false), NULL,
                           CACHE_MEMORY);
  bool failed = !code || call(code, (void *[]){&l->shown, &s->result});
  compiled_free(code);
  return failed ? NULL : &l->shown;
}

/* The bytes of a coordinate. */
static int width_of(const lac_tensor *t) {
  int width = 4;
  for (int64_t l = 0; l < t->level_count; l++)
    if (t->levels[l].array[LAC_COORDINATES].data)
      width = (int)t->levels[l].array[LAC_COORDINATES].width;
  return width;
}

static int show(bench *b, bench_result *result) {
  lacuna *l = b->state;
  const kernel *k = &l->stages[l->count - 1].kernel;
  const lac_tensor *shown = shown_result(l, b);
  bool transposed = k->result_format && strstr(k->result_format, "(j : dense, i") != NULL;
  if (!shown)
    return 1;
  *result = (bench_result){(int)shown->level_count,
                           width_of(shown),
                           {{0}},
                           shown->values.data,
                           shown == &l->shown && !is_sparse_vector(k)};
  for (int d = 0; d < result->order; d++) {
    const lac_level *level = &shown->levels[d];
    result->levels[d] = (bench_level){level->size, level->array[LAC_POSITIONS].data,
                                      level->array[LAC_COORDINATES].data, transposed ? 1 - d : d};
  }
  count_bytes(l);
  return 0;
}

static void drop(bench *b) {
  lacuna *l = b->state;
  lac_tensor_free(&l->shown);
  for (int n = 0; n < l->count; n++) {
    stage *s = &l->stages[n];
    lac_tensor_free(&s->result);
    for (int i = 0; s->kernel.once && i < s->operand_count; i++)
      lac_tensor_free(&s->packed[i]);
  }
}

static void free_stage(stage *s) {
  compiled_free(s->code);
  for (int i = 0; i < s->operand_count; i++)
    compiled_free(s->packers[i]);
}

int main(int argc, char **argv) {
  static const bench_kernel all = {"*",  prepare,     run,    show,
                                   drop, set_threads, forget, compile_anew};
  int status = bench_main(argc, argv, &all, 1);
  for (int s = 0; s < program.count; s++)
    free_stage(&program.stages[s]);
  compiler_free(program.compiler);
  return status;
}
