/* The command line of sparse-run: flags that name a tensor or a variable (`-i A:web.mtx`) and flags
 * with one value, each a row of a table. */
#include "options.h"

#include "format_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct flag {
  const char *name;
  const char *argument; /* as help shows it; NULL where the flag takes none */
  const char *help;
  bool named; /* the argument is NAME:VALUE */
} flag;

static const flag flags[] = {
    {"-i", "NAME:FILE", "read operand NAME from a .mtx or .tns file, plain or gzip", true},
    {"-f", "NAME:FORMAT", "store tensor NAME so: a name, a list of levels, or a #tin.format", true},
    {"-t", "NAME:TYPE", "element type: f64 f32 f16 bf16 i8 i16 i32 i64 c64 c128", true},
    {"-d", "VAR:SIZE", "size of index variable VAR where nothing else tells, or a larger one",
     true},
    {"-g", "NAME:DENSITY", "make operand NAME at random with this share of entries", true},
    {"-o", "NAME:FILE", "write result NAME to a file; - prints it", true},
    {"-s", "SCHEDULE", "schedule, as in 'split(i,i0,i1,32) parallelize(i0,cpu_thread,no_races)'",
     false},
    {"--semiring", "NAME", "what + and * mean: plus_times, min_plus, max_plus, or_and, ...", false},
    {"--threads", "N", "run on N threads what is safe in parallel (default 1)", false},
    {"--time", "N", "time N runs after a warm-up", false},
    {"--seed", "N", "seed of -g (default 1)", false},
    {"--emit", "RUNG", "print tin, cin, sit, mlir, llvm or asm instead of running", false},
    {"--json", "FILE", "write the figures of --time to FILE", false},
    {"--entry", "NAME", "the function of a .mlir file to run (default: main, or the only one)",
     false},
    {"--strict", NULL, "keep the order of the program in floating-point sums", false},
    {"--help", NULL, "print this", false},
};
enum { FLAGS = sizeof flags / sizeof flags[0] };

void options_print_help(void) {
  puts("usage: sparse-run 'y(i) = A(i,j) * x(j)' -i A:web.mtx -f A:csr -i x:x.mtx -o y:y.mtx\n"
       "       sparse-run PROGRAM.mlir [--entry NAME] -i arg0:FILE -o result0:FILE\n\n"
       "Compiles an expression for the formats given, and runs it.\n");
  for (int i = 0; i < FLAGS; i++)
    printf("  %-10s %-12s  %s\n", flags[i].name, flags[i].argument ? flags[i].argument : "",
           flags[i].help);
  printf("\nFormats: %s,\n"
         "         a list of levels such as dense,compressed with an optional mode order :1,0,\n"
         "         or the text of a #tin.format. Without -f: csr and csf for matrices and tensors\n"
         "         from coordinate files and from -g below 1, dense for all else.\n"
         "Exit status: 0, or 1 with 'error: ...' on standard error.\n",
         format_names());
}

static bool complain(const char *message, const char *what) {
  fprintf(stderr, "error: %s '%s' (sparse-run --help lists the flags)\n", message, what);
  return false;
}

static bool parse_count(const char *flag_name, const char *text, int64_t least, int64_t *count) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || end == text || *end || value < least) {
    fprintf(stderr, "error: %s expects an integer of at least %lld, found '%s'\n", flag_name,
            (long long)least, text);
    return false;
  }
  *count = value;
  return true;
}

static bool add_binding(options *parsed, const flag *kind, const char *text) {
  const char *colon = strchr(text, ':');
  if (!colon || colon == text || !colon[1]) {
    fprintf(stderr, "error: %s expects %s, found '%s'\n", kind->name, kind->argument, text);
    return false;
  }
  binding **last = &parsed->bindings;
  while (*last)
    last = &(*last)->next;
  *last = calloc(1, sizeof(binding));
  if (!*last)
    return complain("no memory for", text);
  **last = (binding){kind->name, strndup(text, (size_t)(colon - text)), colon + 1, NULL};
  return true;
}

static bool take_value(options *parsed, const flag *kind, const char *text) {
  const struct {
    const char *name;
    const char **value;
  } texts[] = {{"-s", &parsed->schedule},
               {"--emit", &parsed->emit},
               {"--json", &parsed->json},
               {"--entry", &parsed->entry},
               {"--semiring", &parsed->semiring}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (!strcmp(kind->name, texts[i].name)) {
      *texts[i].value = text;
      return true;
    }
  if (!strcmp(kind->name, "--threads"))
    return parse_count(kind->name, text, 1, &parsed->threads);
  if (!strcmp(kind->name, "--time"))
    return parse_count(kind->name, text, 1, &parsed->time);
  int64_t seed;
  if (!parse_count(kind->name, text, 0, &seed))
    return false;
  parsed->seed = (uint64_t)seed;
  return true;
}

static const flag *find_flag(const char *name) {
  for (int i = 0; i < FLAGS; i++)
    if (!strcmp(flags[i].name, name))
      return &flags[i];
  return NULL;
}

static bool take_flag(options *parsed, const flag *kind, const char *argument) {
  if (kind->named)
    return add_binding(parsed, kind, argument);
  if (kind->argument)
    return take_value(parsed, kind, argument);
  if (!strcmp(kind->name, "--strict"))
    parsed->strict = true;
  else
    parsed->help = true;
  return true;
}

bool options_parse(int argc, char **argv, options *parsed) {
  *parsed = (options){.schedule = "", .threads = 1, .seed = 1};
  for (int i = 1; i < argc; i++) {
    const flag *kind = find_flag(argv[i]);
    if (!kind && argv[i][0] == '-' && argv[i][1])
      return complain("unknown flag", argv[i]);
    if (!kind && parsed->program)
      return complain("expected one expression, found another:", argv[i]);
    if (!kind) {
      parsed->program = argv[i];
      continue;
    }
    if (kind->argument && i + 1 == argc)
      return complain("expected an argument after", argv[i]);
    if (!take_flag(parsed, kind, kind->argument ? argv[++i] : NULL))
      return false;
  }
  if (!parsed->program && !parsed->help)
    return complain("expected an expression or a .mlir file after", argv[0]);
  return true;
}

void options_free(options *parsed) {
  while (parsed->bindings) {
    binding *next = parsed->bindings->next;
    free(parsed->bindings->name);
    free(parsed->bindings);
    parsed->bindings = next;
  }
}

const char *options_value(const options *parsed, const char *flag_name, const char *name) {
  const char *value = NULL;
  for (const binding *b = parsed->bindings; b; b = b->next)
    if (!strcmp(b->flag, flag_name) && !strcmp(b->name, name))
      value = b->value;
  return value;
}
