/* The protocol, the clock and the memory; see harness.h.  The operands are operands.c, the
 * fingerprint is fingerprint.c. */
#include "harness.h"

#include "fingerprint.h"
#include "operands.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

enum {
  MAPPED_FROM = 128 << 10,
  MOST_MAPPED = 1 << 16,
  KEPT_AHEAD = 64 << 20,
  LINE = 256,
  KIB = 1024,
  TINY_RUNS = 31 /* odd */
};

static const double SHORT_RUN = 0.02, TINY_RUN = 1e-4;

const char *bench_kernel_name;
int64_t bench_read_bytes, bench_written_bytes;
double bench_compile_seconds;

/* OpenMP's, where the program is linked with one. */
void omp_set_num_threads(int count) __attribute__((weak));

/* What a run took. */
typedef struct cost {
  double seconds, processor, system;
  int64_t faults, peak; /* bytes; negative: not known */
} cost;

//--- Memory --------------------------------------------------------------------------------------

/* All threads take from one heap, which keeps what is freed. */
static void begin_memory(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, KEPT_AHEAD);
  mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
}

static void use_kept_memory(void) {
  mallopt(M_MMAP_MAX, 0);
}

/* What the heap has kept would serve the next block before the system does. */
static void use_fresh_memory(const bench_kernel *kernel, bench *b) {
  mallopt(M_MMAP_MAX, MOST_MAPPED);
  malloc_trim(0);
  if (kernel->forget)
    kernel->forget(b);
}

/* From now on the peak is what is resident; false where the system does not do that. */
static bool forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  bool written = file && fputs("5", file) >= 0;
  return file && !fclose(file) && written;
}

/* The most bytes that were resident at a time; -1 where the system does not tell. */
static int64_t resident_peak(void) {
  static const char name[] = "VmHWM:";
  char line[LINE];
  int64_t kibibytes = -1;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && kibibytes < 0 && fgets(line, sizeof line, file))
    if (!strncmp(line, name, strlen(name)))
      kibibytes = strtoll(line + strlen(name), NULL, 10);
  if (file)
    fclose(file);
  return kibibytes < 0 ? -1 : kibibytes * KIB;
}

//--- Running -------------------------------------------------------------------------------------

static double seconds_of(struct timespec time) {
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double bench_clock(void) {
  struct timespec wall;
  clock_gettime(CLOCK_MONOTONIC, &wall);
  return seconds_of(wall);
}

/* All but the seconds. */
static cost spent_so_far(void) {
  struct timespec processor;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  double system = (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
  return (cost){0, seconds_of(processor), system, usage.ru_minflt + usage.ru_majflt, 0};
}

/* Nothing but the run is between the two looks at the clock: those at the rest take longer than a
 * small kernel. */
static int run_once(const bench_kernel *kernel, bench *b, cost *spent) {
  int64_t resident = forget_peak() ? resident_peak() : -1;
  cost before = spent_so_far();
  double start = bench_clock();
  int status = kernel->run(b);
  double end = bench_clock();
  cost after = spent_so_far();
  *spent = (cost){end - start, after.processor - before.processor, after.system - before.system,
                  after.faults - before.faults, resident < 0 ? -1 : resident_peak() - resident};
  return status;
}

/* A run in place of the result before it. */
static int run_again(const bench_kernel *kernel, bench *b, bool warm, cost *spent) {
  kernel->drop(b);
  if (warm)
    use_kept_memory();
  else
    use_fresh_memory(kernel, b);
  return run_once(kernel, b, spent);
}

static void print_cost(const cost *spent) {
  printf("{\"seconds\": %.9g, \"processor\": %.9g, \"system\": %.9g, \"faults\": %lld, \"peak\": ",
         spent->seconds, spent->processor, spent->system, (long long)spent->faults);
  printf(spent->peak < 0 ? "null}\n" : "%lld}\n", (long long)spent->peak);
}

static int compare_seconds(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The median of TINY_RUNS runs, one right after the other. */
static int run_tiny(const bench_kernel *kernel, bench *b, double *median) {
  double seconds[TINY_RUNS];
  int status = 0;
  for (int n = 0; !status && n < TINY_RUNS; ++n) {
    kernel->drop(b);
    double start = bench_clock();
    status = kernel->run(b);
    seconds[n] = bench_clock() - start;
  }
  if (!status) {
    qsort(seconds, TINY_RUNS, sizeof *seconds, compare_seconds);
    *median = seconds[TINY_RUNS / 2];
  }
  return status;
}

static int run_turn(const bench_kernel *kernel, bench *b, bool warm) {
  cost spent;
  int status = run_again(kernel, b, warm, &spent);
  if (!status && spent.seconds < SHORT_RUN)
    status = run_again(kernel, b, warm, &spent);
  if (!status && warm && spent.seconds < TINY_RUN)
    status = run_tiny(kernel, b, &spent.seconds);
  if (!status)
    print_cost(&spent);
  return status;
}

static int set_threads(const bench_kernel *kernel, bench *b, int count) {
  b->threads = count;
  if (omp_set_num_threads)
    omp_set_num_threads(count);
  int status = kernel->threads ? kernel->threads(b) : 0;
  if (!status)
    printf("{\"threads\": %d}\n", count);
  return status;
}

static int show(const bench_kernel *kernel, bench *b) {
  bench_result result = {0};
  if (kernel->show(b, &result))
    return 1;
  fingerprint f = fingerprint_of(&result);
  printf("{\"entries\": %lld, \"places\": \"%016llx\", \"sum\": %.17g, \"size\": %.17g, "
         "\"sorted\": %s, \"read\": %lld, \"written\": %lld, \"compiled\": %.6g}\n",
         (long long)f.entries, (unsigned long long)f.places, f.sum, f.size,
         f.sorted ? "true" : "false", (long long)bench_read_bytes, (long long)bench_written_bytes,
         bench_compile_seconds);
  return 0;
}

static int compile(const bench_kernel *kernel, bench *b) {
  double start = bench_clock();
  if (!kernel->compile || kernel->compile(b))
    return 1;
  printf("{\"seconds\": %.9g}\n", bench_clock() - start);
  return 0;
}

static int obey(const bench_kernel *kernel, bench *b, const char *order) {
  if (!strcmp(order, "warm\n") || !strcmp(order, "cold\n"))
    return run_turn(kernel, b, order[0] == 'w');
  if (!strncmp(order, "threads ", strlen("threads ")))
    return set_threads(kernel, b, (int)strtol(order + strlen("threads "), NULL, 10));
  if (!strcmp(order, "show\n"))
    return show(kernel, b);
  return strcmp(order, "compile\n") ? 1 : compile(kernel, b);
}

/* Prepares, runs once, and then what it is told until nothing more is said. */
static int serve(const bench_kernel *kernel, bench *b) {
  char order[LINE];
  cost first;
  if (kernel->prepare && kernel->prepare(b))
    return fprintf(stderr, "error: cannot prepare %s\n", bench_kernel_name), 1;
  use_kept_memory();
  if (run_once(kernel, b, &first))
    return fprintf(stderr, "error: cannot run %s\n", bench_kernel_name), 1;
  printf("{\"first\": %.9g}\n", first.seconds);
  while (!fflush(stdout) && fgets(order, sizeof order, stdin))
    if (obey(kernel, b, order))
      return fprintf(stderr, "error: cannot do '%.*s'\n", (int)strcspn(order, "\n"), order), 1;
  return 0;
}

static const bench_kernel *find(const bench_kernel *kernels, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(kernels[i].name, name) || !strcmp(kernels[i].name, "*"))
      return &kernels[i];
  return NULL;
}

static bool load_operands(bench *b, int count, char **folders) {
  bench_tensor *operands[] = {&b->a, &b->b, &b->c};
  bool there = true;
  for (int i = 0; there && i < 3; i++)
    if (i < count)
      there = bench_load(folders[i], operands[i]);
    else
      *operands[i] = b->a;
  return there;
}

int bench_main(int argc, char **argv, const bench_kernel *kernels, int count) {
  static bench b; /* the operands stay until the process ends */
  if (argc < 4 || argc > 6)
    return fprintf(stderr, "usage: %s KERNEL COLUMNS A [B [C]]\n", argv[0]), 2;
  const bench_kernel *kernel = find(kernels, count, argv[1]);
  if (!kernel)
    return fprintf(stderr, "error: no kernel '%s' here\n", argv[1]), 3;
  const char *threads = getenv("OMP_NUM_THREADS");
  bench_kernel_name = argv[1];
  b.columns = strtoll(argv[2], NULL, 10);
  b.threads = threads ? (int)strtol(threads, NULL, 10) : 1;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  begin_memory();
  return load_operands(&b, argc - 3, argv + 3) ? serve(kernel, &b) : 1;
}

//--- Results of the usual shapes -----------------------------------------------------------------

bench_result bench_scalar(const bench_value *value) {
  return (bench_result){.values = value};
}

bench_result bench_vector(int64_t size, const bench_value *values) {
  return (bench_result){1, 4, {{size, NULL, NULL, 0}}, values, false};
}

bench_result bench_matrix(int64_t rows, int64_t columns, const bench_value *values) {
  return (bench_result){2, 4, {{rows, NULL, NULL, 0}, {columns, NULL, NULL, 1}}, values, false};
}

bench_result bench_array(int order, const int64_t *sizes, const bench_value *values) {
  bench_result result = {.order = order, .width = 4, .values = values};
  for (int d = 0; d < order; d++)
    result.levels[d] = (bench_level){sizes[d], NULL, NULL, d};
  return result;
}

bench_result bench_csr(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const bench_value *values) {
  return (bench_result){
      2, width, {{rows, NULL, NULL, 0}, {columns, positions, coordinates, 1}}, values, false};
}

bench_result bench_csc(int64_t rows, int64_t columns, int width, const void *positions,
                       const void *coordinates, const bench_value *values) {
  return (bench_result){
      2, width, {{columns, NULL, NULL, 1}, {rows, positions, coordinates, 0}}, values, false};
}
