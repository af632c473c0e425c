/* The protocol, the clock and the operands; see harness.h.  The fingerprint is fingerprint.c. */
#include "harness.h"

#include "fingerprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LEAST_RUNS = 3, MOST_RUNS = 1000, SHAPE_NUMBERS = 2 * BENCH_ORDER + 1 };

const char *bench_kernel_name;
int64_t bench_moved_bytes;

//--- Operands ------------------------------------------------------------------------------------

void *bench_allocate(int64_t count) {
  const size_t page = (size_t)2 << 20;
  size_t bytes = (size_t)(count > 0 ? count : 1) * 8;
  if (bytes < page)
    return malloc(bytes);
  void *block = aligned_alloc(page, (bytes + page - 1) / page * page);
  if (block)
    madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

int64_t bench_size(const bench *b, char letter) {
  return letter == 'r' ? b->columns : b->a.dimensions[letter - 'm' < 2 ? letter - 'm' : 2];
}

double *bench_dense(bench *b, int slot, const char *shape) {
  int64_t count = 1;
  for (const char *letter = shape; *letter; letter++)
    count *= bench_size(b, *letter);
  double *values = b->dense[slot] = bench_allocate(count);
  for (int64_t i = 0; values && i < count; i++)
    values[i] = 0.5 + (double)(uint32_t)((uint64_t)(i + slot + 1) * 2654435761u) * 0x1p-32;
  return values;
}

/* Whether the sparse vector has an entry there: by the upper 24 bits of a hash. */
static bool has_entry(const bench *b, int64_t place) {
  uint64_t chance = (uint64_t)b->columns * (UINT64_C(1) << 24) / 1000000;
  return fingerprint_hash((uint64_t)place) >> 40 < chance;
}

static void keep_entries(const bench *b, bench_tensor *x, const double *values) {
  int64_t count = 0;
  for (int64_t i = 0; i < x->dimensions[0]; i++)
    if (has_entry(b, i)) {
      x->coordinates[0][count] = (int32_t)i;
      x->values[count++] = values[i];
    }
  x->counts[0] = x->positions[0][1] = (int32_t)count;
}

bool bench_sparse_vector(bench *b, char letter) {
  bench_tensor *x = &b->x;
  double *values = bench_dense(b, 0, (char[]){letter, '\0'});
  *x = (bench_tensor){.order = 1, .dimensions = {bench_size(b, letter)}};
  int64_t room = 0;
  for (int64_t i = 0; i < x->dimensions[0]; i++)
    room += has_entry(b, i);
  x->positions[0] = calloc(2, sizeof *x->positions[0]);
  x->coordinates[0] = bench_allocate(room / 2 + 1);
  x->values = bench_allocate(room);
  bool there = values && x->positions[0] && x->coordinates[0] && x->values;
  if (there)
    keep_entries(b, x, values);
  free(values);
  b->dense[0] = NULL;
  return there;
}

double *bench_scattered_vector(bench *b, char letter) {
  double *values = bench_dense(b, 0, (char[]){letter, '\0'});
  for (int64_t i = 0; values && i < bench_size(b, letter); i++)
    if (!has_entry(b, i))
      values[i] = 0;
  return values;
}

static void swap_entries(bench_tensor *t, int64_t e, int64_t f) {
  double value = t->values[e];
  t->values[e] = t->values[f];
  t->values[f] = value;
  for (int l = 0; l < t->order; l++) {
    int32_t coordinate = t->coordinates[l][e];
    t->coordinates[l][e] = t->coordinates[l][f];
    t->coordinates[l][f] = coordinate;
  }
}

void bench_shuffle(bench_tensor *t) {
  for (int64_t e = bench_entries(t) - 1; e > 0; e--)
    swap_entries(t, e, (int64_t)(fingerprint_hash((uint64_t)e) % (uint64_t)(e + 1)));
}

static void *load(const char *folder, const char *name, int64_t count, int width) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  void *data = file ? bench_allocate((count * width + 7) / 8) : NULL;
  if (data && fread(data, (size_t)width, (size_t)count, file) != (size_t)count) {
    free(data);
    data = NULL;
  }
  if (file)
    fclose(file);
  return data;
}

/* The numbers in a folder's file `shape`; how many they are. */
static int load_numbers(const char *folder, int64_t numbers[SHAPE_NUMBERS]) {
  char text[512], path[4096], *at = text, *end;
  snprintf(path, sizeof path, "%s/shape", folder);
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  for (int found = 0;; found++, at = end) {
    long long number = strtoll(at, &end, 10);
    if (end == at || found == SHAPE_NUMBERS)
      return found;
    numbers[found] = number;
  }
}

static bool load_shape(const char *folder, bench_tensor *t) {
  int64_t numbers[SHAPE_NUMBERS] = {0};
  int found = load_numbers(folder, numbers);
  if (found < 1 || numbers[0] < 2 || numbers[0] > BENCH_ORDER || found != 2 * numbers[0] + 1)
    return false;
  t->order = numbers[0];
  for (int l = 0; l < t->order; l++) {
    t->dimensions[l] = numbers[1 + l];
    t->counts[l] = numbers[1 + t->order + l];
  }
  return true;
}

static bool load_level(const char *folder, bench_tensor *t, int level) {
  char name[24];
  bool is_rows = t->order == 2 && level == 0;
  snprintf(name, sizeof name, "coordinates%d", level);
  t->coordinates[level] = load(folder, name, t->counts[is_rows ? 1 : level], 4);
  snprintf(name, sizeof name, "positions%d", level);
  if (!is_rows)
    t->positions[level] = load(folder, name, bench_parents(t, level) + 1, 4);
  return t->coordinates[level] && (is_rows || t->positions[level]);
}

static bool load_levels(const char *folder, bench_tensor *t) {
  bool there = true;
  int64_t entries = 0;
  for (int l = 0; l < t->order; l++) {
    there = there && load_level(folder, t, l);
    entries = t->counts[l];
  }
  t->values = there ? load(folder, "values", entries, 8) : NULL;
  return t->values != NULL;
}

static bool load_tensor(const char *folder, bench_tensor *t) {
  bool there = load_shape(folder, t) && load_levels(folder, t);
  if (!there)
    fprintf(stderr, "error: no tensor could be loaded from '%s'\n", folder);
  return there;
}

//--- Running -------------------------------------------------------------------------------------

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run_timed(const bench_kernel *kernel, bench *b, double *seconds) {
  double start = now();
  int status = kernel->run(b);
  *seconds = now() - start;
  return status;
}

/* The number of runs, whose last result is still there; 0 on a failure. */
static int measure(const bench_kernel *kernel, bench *b, int runs, double budget, double *seconds) {
  double warm_up, start = now();
  int done = 0;
  if (run_timed(kernel, b, &warm_up))
    return 0;
  while (done < runs && (done < LEAST_RUNS || now() - start < budget)) {
    kernel->drop(b);
    if (run_timed(kernel, b, &seconds[done++]))
      return 0;
  }
  return done;
}

static void print_line(const double *seconds, int count, const fingerprint *f) {
  printf("{\"seconds\": [");
  for (int i = 0; i < count; i++)
    printf("%s%.9g", i ? ", " : "", seconds[i]);
  printf("], \"entries\": %lld, \"places\": \"%016llx\", \"sum\": %.17g, \"size\": %.17g, "
         "\"sorted\": %s, \"bytes\": %lld}\n",
         (long long)f->entries, (unsigned long long)f->places, f->sum, f->size,
         f->sorted ? "true" : "false", (long long)bench_moved_bytes);
}

static int run_kernel(const bench_kernel *kernel, bench *b, int runs, double budget) {
  static double seconds[MOST_RUNS];
  bench_result result = {0};
  if (kernel->prepare && kernel->prepare(b))
    return fprintf(stderr, "error: cannot prepare %s\n", bench_kernel_name), 1;
  int done = measure(kernel, b, runs < MOST_RUNS ? runs : MOST_RUNS, budget, seconds);
  if (!done || kernel->show(b, &result))
    return fprintf(stderr, "error: cannot run %s\n", bench_kernel_name), 1;
  fingerprint f = fingerprint_of(&result);
  print_line(seconds, done, &f);
  return 0;
}

static const bench_kernel *find(const bench_kernel *kernels, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(kernels[i].name, name) || !strcmp(kernels[i].name, "*"))
      return &kernels[i];
  return NULL;
}

int bench_main(int argc, char **argv, const bench_kernel *kernels, int count) {
  static bench b; /* the operands stay until the process ends */
  if (argc < 6 || argc > 7)
    return fprintf(stderr, "usage: %s KERNEL COLUMNS RUNS SECONDS A [B]\n", argv[0]), 2;
  const bench_kernel *kernel = find(kernels, count, argv[1]);
  if (!kernel)
    return fprintf(stderr, "error: no kernel '%s' here\n", argv[1]), 3;
  const char *threads = getenv("OMP_NUM_THREADS");
  bench_kernel_name = argv[1];
  b.columns = strtoll(argv[2], NULL, 10);
  b.threads = threads ? (int)strtol(threads, NULL, 10) : 1;
  if (!load_tensor(argv[5], &b.a))
    return 1;
  b.b = b.a;
  if (argc == 7 && !load_tensor(argv[6], &b.b))
    return 1;
  return run_kernel(kernel, &b, (int)strtol(argv[3], NULL, 10), strtod(argv[4], NULL));
}

//--- Results of the usual shapes -----------------------------------------------------------------

bench_result bench_scalar(const double *value) {
  return (bench_result){.values = value};
}

bench_result bench_vector(int64_t size, const double *values) {
  return (bench_result){1, 4, {{size, NULL, NULL, 0}}, values, false};
}

bench_result bench_matrix(int64_t rows, int64_t columns, const double *values) {
  return (bench_result){2, 4, {{rows, NULL, NULL, 0}, {columns, NULL, NULL, 1}}, values, false};
}

bench_result bench_csr(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const double *values) {
  return (bench_result){
      2, width, {{rows, NULL, NULL, 0}, {columns, positions, coordinates, 1}}, values, false};
}

bench_result bench_csc(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const double *values) {
  return (bench_result){
      2, width, {{columns, NULL, NULL, 1}, {rows, positions, coordinates, 0}}, values, false};
}
