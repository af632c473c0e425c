/* The differential tester: random expressions x formats x mode orders x shapes x densities,
 * compiled and run, against a plain dense evaluation that shares no code with the compiler.
 *
 *     differential [--cases N] [--seed S] [--jobs J]    N cases that the compiler takes; with
 *                  [--verbose yes]                      how often it refused for which reason
 *     differential --case SEED                          one case, told in detail
 *     differential --program SEED                       the module that it compiles
 *
 * before which may stand, for level formats of one's own,
 *
 *     --load-level-format LIBRARY     loads it
 *     --format LEVELS                 draws tensors stored so, "d0 : dense, d1 : delta(8)",
 *                                     instead of the built-in formats of blocks, diagonals, ...;
 *                                     several times
 *
 * and
 *
 *     --workspaces yes                draws cases whose results are scattered into alone
 *     --emulated yes                  runs kernels on the emulated GPU
 *     --padding yes                   draws padded accesses in all cases, and windows of some
 *     --results yes                   draws compound subscripts of the results of all cases
 *
 * and
 *
 *     --cpu NAME                      code for that processor in all cases, else for this machine's
 *                                     in half of them
 *
 * and, to find the pass that makes a case wrong,
 *
 *     --interleave PASSES             runs these between Lacuna's passes, "" for none, and not what
 *                                     each case draws
 *
 * Cases run in processes of their own, so that a crash or a hang is a failing case and not the end.
 * How long a case may take is measured in processor time, and so is how long it took to compile.
 */
#include "lac_tensor.h"
#include "level_format.h"
#include "random.h"
#include "refusals.h"
#include "run.h"
#include "slowest.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A case may take so much of the processor; a machine that is busy gives it more time. */
enum { CASES_A_COMPILER = 20, PROCESSOR_SECONDS = 60, WALL_SECONDS = 1200, MAX_JOBS = 64 };

/* What the processes share. */
typedef struct tally {
  int64_t next, wanted, right, refused, failed;
  int64_t scheduled, schedules_refused; /* of those that passed, and that were refused */
  uint64_t seed;
  uint64_t current[MAX_JOBS]; /* the case that each job is at; 0: none */
  refusals reasons;
  slowest slowest;
} tally;

static uint64_t seed_of_case(uint64_t seed, int64_t number) {
  uint64_t state = seed * 1000003u + (uint64_t)number;
  return random_next(&state);
}

static void report(const test_case *c, const char *message) {
  printf("FAILED: differential %s%s--case %llu\n  %s\n",
         test_cases_device() ? "--emulated yes " : "",
         all_are_scattering()         ? "--workspaces yes "
         : all_are_padded()           ? "--padding yes "
         : all_results_are_compound() ? "--results yes "
                                      : "",
         (unsigned long long)c->seed, message);
  test_case_print(c);
  fflush(stdout);
}

/* `shared` is NULL where the case is the only one.  What MLIR's passes take between Lacuna's is no
 * part of compiling. */
static outcome run_seed(uint64_t seed, compiler *with, tally *shared) {
  char message[MESSAGE_SIZE];
  double seconds;
  test_case c;
  test_case_make(&c, seed);
  outcome what = test_case_run(&c, with, message, &seconds);
  if (shared && !c.interleave[0])
    slowest_add(&shared->slowest, seconds, seed);
  if (what == OUTCOME_WRONG)
    report(&c, message);
  else if (what == OUTCOME_REFUSED && shared)
    refusals_add(&shared->reasons, message, seed);
  else if (!shared) {
    printf("%s %s\n  compiled in %.2f s\n", what == OUTCOME_RIGHT ? "right" : "refused:", message,
           seconds);
    test_case_print(&c);
  }
  if (shared && c.schedule[0])
    __atomic_fetch_add(what == OUTCOME_REFUSED ? &shared->schedules_refused : &shared->scheduled, 1,
                       __ATOMIC_RELAXED);
  test_case_free(&c);
  return what;
}

/* From now on, until it is said again, the process has this long. */
static void limit_time(void) {
  const struct itimerval limit = {.it_value.tv_sec = PROCESSOR_SECONDS};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm(WALL_SECONDS);
}

static void count(tally *shared, outcome what) {
  int64_t *counter = what == OUTCOME_RIGHT     ? &shared->right
                     : what == OUTCOME_REFUSED ? &shared->refused
                                               : &shared->failed;
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static bool enough(const tally *shared) {
  return shared->right + shared->failed >= shared->wanted || shared->next > 4 * shared->wanted;
}

/* One job: cases until there are enough, a fresh compiler every few. */
static void work(tally *shared, int job) {
  while (!enough(shared)) {
    compiler *with = compiler_create();
    for (int i = 0; i < CASES_A_COMPILER && !enough(shared); i++) {
      int64_t number = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED);
      shared->current[job] = seed_of_case(shared->seed, number);
      limit_time();
      count(shared, run_seed(shared->current[job], with, shared));
      shared->current[job] = 0;
    }
    compiler_free(with);
  }
}

static pid_t start(tally *shared, int job) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    work(shared, job);
    fflush(stdout);
    exit(0);
  }
  return child;
}

/* A job that ended badly: its case failed, and another job takes its place. */
static void account_for_crash(tally *shared, int job, int status) {
  char message[128];
  test_case c;
  if (!shared->current[job]) {
    printf("FAILED: a job ended badly after its cases (a leak, perhaps)\n");
    shared->failed++;
    return;
  }
  snprintf(message, sizeof message, "the process ended by signal %d%s",
           WIFSIGNALED(status) ? WTERMSIG(status) : 0,
           WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM)
               ? " (it took too long)"
               : "");
  test_case_make(&c, shared->current[job]);
  report(&c, message);
  test_case_free(&c);
  shared->failed++;
  shared->current[job] = 0;
}

static void run_all(tally *shared, int jobs) {
  pid_t children[MAX_JOBS];
  int running = jobs;
  for (int job = 0; job < jobs; job++)
    children[job] = start(shared, job);
  while (running > 0) {
    int status, job = 0;
    pid_t ended = wait(&status);
    if (ended < 0)
      break;
    while (job < jobs && children[job] != ended)
      job++;
    if (job == jobs)
      continue;
    running--;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      continue;
    account_for_crash(shared, job, status);
    children[job] = start(shared, job);
    running++;
  }
}

static int run_one(const char *text) {
  compiler *with = compiler_create();
  outcome what = run_seed(strtoull(text, NULL, 10), with, NULL);
  compiler_free(with);
  return what == OUTCOME_WRONG;
}

static int print_program(const char *text) {
  test_case c;
  test_case_make(&c, strtoull(text, NULL, 10));
  char *program = test_case_program(&c);
  puts(program ? program : "");
  free(program);
  test_case_free(&c);
  return 0;
}

static int fail(const char *what, const char *why) {
  fprintf(stderr, "differential: %s: %s\n", what, why);
  return 1;
}

static int load_library(const char *library) {
  const char *problem;
  return level_format_load(library, &problem) ? 0 : fail(library, problem);
}

static int draw(const char *levels) {
  return draw_format(levels) ? 0 : fail(levels, "expected at most 3 dimensions and 32 formats");
}

/* The value of an option given as `NAME VALUE` or `NAME=VALUE`, or NULL. */
static const char *value_of(char **argv, int *i, const char *name) {
  size_t length = strlen(name);
  if (strncmp(argv[*i], name, length) != 0)
    return NULL;
  if (argv[*i][length] == '=')
    return argv[*i] + length + 1;
  return argv[*i][length] == '\0' && argv[*i + 1] ? argv[++*i] : NULL;
}

typedef struct settings {
  tally *shared;
  int jobs;
  bool verbose, done;
  int status;
} settings;

static bool takes(char **argv, int *i, const char *name, const char **value) {
  *value = value_of(argv, i, name);
  return *value != NULL;
}

static void take_option(settings *s, char **argv, int *i) {
  const char *value = NULL;
  if (takes(argv, i, "--case", &value))
    s->done = true, s->status = run_one(value);
  else if (takes(argv, i, "--program", &value))
    s->done = true, s->status = print_program(value);
  else if (takes(argv, i, "--load-level-format", &value))
    s->done = s->status = load_library(value);
  else if (takes(argv, i, "--format", &value))
    s->done = s->status = draw(value);
  else if (takes(argv, i, "--interleave", &value))
    interleave(value);
  else if (takes(argv, i, "--workspaces", &value))
    draw_scattering(!strcmp(value, "yes"));
  else if (takes(argv, i, "--padding", &value))
    draw_padding(!strcmp(value, "yes"));
  else if (takes(argv, i, "--results", &value))
    draw_result_subscripts(!strcmp(value, "yes"));
  else if (takes(argv, i, "--cpu", &value))
    test_cases_are_for(value);
  else if (takes(argv, i, "--emulated", &value))
    test_cases_run_on(!strcmp(value, "yes") ? "emulated" : NULL);
  else if (takes(argv, i, "--cases", &value))
    s->shared->wanted = strtoll(value, NULL, 10);
  else if (takes(argv, i, "--seed", &value))
    s->shared->seed = strtoull(value, NULL, 10);
  else if (takes(argv, i, "--jobs", &value))
    s->jobs = (int)strtol(value, NULL, 10);
  else if (takes(argv, i, "--verbose", &value))
    s->verbose = !strcmp(value, "yes");
  else
    s->done = s->status = fail(argv[*i], "expected an option and its value");
}

static int run_cases(const settings *s) {
  tally *shared = s->shared;
  run_all(shared, s->jobs < 1 ? 1 : s->jobs > MAX_JOBS ? MAX_JOBS : s->jobs);
  if (s->verbose)
    refusals_print(&shared->reasons);
  slowest_print(&shared->slowest);
  printf("differential: seed %llu, %lld cases refused as not supported\n",
         (unsigned long long)shared->seed, (long long)shared->refused);
  printf("%lld cases with a schedule, %lld schedules refused in a line\n",
         (long long)shared->scheduled, (long long)shared->schedules_refused);
  printf("%lld passed, %lld failed\n", (long long)shared->right, (long long)shared->failed);
  return shared->failed > 0 || shared->right < shared->wanted;
}

int main(int argc, char **argv) {
  tally *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return 1;
  *shared = (tally){.wanted = 5000, .seed = 1};
  lac_threads_set_from(0);
  lac_stream_set_from(0);
  mallopt(M_PERTURB, 165);                 /* nothing is zero by chance */
  setenv("OMP_WAIT_POLICY", "passive", 0); /* teams are larger than the machine, and jobs many */
  settings s = {.shared = shared, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
  for (int i = 1; i < argc && !s.done; i++)
    take_option(&s, argv, &i);
  return s.done ? s.status : run_cases(&s);
}
