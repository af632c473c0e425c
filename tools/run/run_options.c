/* The command line of sparse-run: flags that name a tensor or a variable (`-i A:web.mtx`) and flags
 * with one value, each a row of a table. */
#include "run_options.h"

#include "bridge.h"
#include "complain.h"
#include "device_flag.h"
#include "format_names.h"
#include "lac_error.h"
#include "lac_file.h"
#include "machine.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(options, field)

enum { MOST_RUNS = 10000000 };

static const flag flags[] = {
    {"-i", "NAME:FILE",
     "read operand NAME from a .mtx or .tns file, plain or gzip; a scalar is also a number",
     FLAG_NAMED, AT(bindings), 0, 0},
    {"-f", "NAME:FORMAT", "store tensor NAME so: a name, a list of levels, or a #tin.format",
     FLAG_NAMED, AT(bindings), 0, 0},
    {"-t", "NAME:TYPE", "element type: f64 f32 f16 bf16 i8 i16 i32 i64 c64 c128", FLAG_NAMED,
     AT(bindings), 0, 0},
    {"-d", "VAR:SIZE", "size of index variable VAR where nothing else tells, or a larger one",
     FLAG_NAMED, AT(bindings), 0, 0},
    {"-g", "NAME:DENSITY", "make operand NAME at random with this share of entries", FLAG_NAMED,
     AT(bindings), 0, 0},
    {"-o", "NAME:FILE", "write result NAME to a file; - prints it. With --emit: FILE",
     FLAG_NAMED_OR_TEXT, AT(bindings), 0, 0},
    {"-s", "SCHEDULE", "schedule, as in 'split(i,i0,i1,32) parallelize(i0,cpu_thread,no_races)'",
     FLAG_TEXT, AT(schedule), 0, 0},
    {"--workspace", "POLICY",
     "gather so: dense, bucket:size=1024, hash, ...; w:hash for one workspace", FLAG_TEXT,
     AT(workspace), 0, 0},
    {"--semiring", "NAME", "what + and * mean: plus_times, min_plus, max_plus, or_and, ...",
     FLAG_TEXT, AT(semiring), 0, 0},
    {"--threads", "N", "run on N threads what is safe in parallel (default 1)", FLAG_COUNT,
     AT(threads), 1, PARALLEL_THREADS},
    {"--cpu", "NAME", "code for that processor: x86-64-v3, ... (default: native, this one)",
     FLAG_TEXT, AT(cpu), 0, 0},
    {"--optimize", "LEVEL",
     "how far: 0 compiles in a third of the time, 3 makes the fastest code "
     "(default: $LACUNA_OPTIMIZE, or 3)",
     FLAG_COUNT, AT(optimize), 0, MACHINE_LEVEL_MOST},
    {"--target", "DEVICE",
     "run kernels on: cpu, gpu, gpu:sm_90, gpu-emulated, auto (default: $LACUNA_TARGET, or cpu)",
     FLAG_TEXT, AT(target), 0, 0},
    {"--time", "N", "time N runs after a warm-up", FLAG_COUNT, AT(time), 1, MOST_RUNS},
    {"--counts", NULL, "count what kernels do: memory, warps (with --target gpu-emulated)",
     FLAG_SET, AT(counts), 0, 0},
    {"--check", NULL, "check that all that is stored, operands and results, is as its format says",
     FLAG_SET, AT(check), 0, 0},
    {"--verify", NULL, "compare the result with a plain evaluation of the expression", FLAG_SET,
     AT(verify), 0, 0},
    {"--seed", "N", "seed of -g (default 1)", FLAG_COUNT, AT(seed), 0, INT64_MAX},
    {"--emit", "RUNG",
     "print tin, cin, sit, mlir, gpu, ptx, cubin, llvm, asm, obj or dot (graphs) instead of "
     "running",
     FLAG_TEXT, AT(emit), 0, 0},
    {"--explain", NULL, "say in plain words what was chosen, and why, instead of running", FLAG_SET,
     AT(explain), 0, 0},
    {"--print-schedule", NULL, "print the loops as commands that -s takes, instead of running",
     FLAG_SET, AT(print_schedule), 0, 0},
    {"--json", "FILE", "write the figures of --time and --counts to FILE", FLAG_TEXT, AT(json), 0,
     0},
    {"--entry", "NAME", "the function of a .mlir file to run (default: main, or the only one)",
     FLAG_TEXT, AT(entry), 0, 0},
    {"--strict", NULL, "keep the order of the program in floating-point sums", FLAG_SET, AT(strict),
     0, 0},
    {"--deterministic", NULL, "the same bits on any number of threads, one included", FLAG_SET,
     AT(deterministic), 0, 0},
    {"--cache", NULL, "keep compiled code in ~/.cache/lacuna, and take it from there", FLAG_SET,
     AT(cache), 0, 0},
    {"--compact", NULL, "store positions and coordinates in as few bits as hold them", FLAG_SET,
     AT(compact), 0, 0},
    {"--drop-zeros", NULL, "store no zeros, neither those of operands nor those computed", FLAG_SET,
     AT(drop_zeros), 0, 0},
    {"--force", NULL, "make results that would take far more memory than they have entries",
     FLAG_SET, AT(force), 0, 0},
    {"--load-level-format", "LIBRARY", "level formats of your own, for -f", FLAG_LOAD, 0, 0, 0},
    {"--help", NULL, "print this; -h too", FLAG_SET, AT(help), 0, 0},
    {"--version", NULL, "print the version", FLAG_SET, AT(version), 0, 0},
};
static const flag_table table = {"sparse-run", flags, sizeof flags / sizeof flags[0]};

void options_print_help(void) {
  puts("usage: sparse-run 'y(i) = A(i,j) * x(j)' -i A:web.mtx -f A:csr -i x:x.mtx -o y:y.mtx\n"
       "       sparse-run 'w(i) = A(i,j) * x(j); s = w(i) * w(i)' -i A:web.mtx -i x:x.mtx -o s:-\n"
       "       sparse-run PROGRAM.mlir [--entry NAME] -i arg0:FILE -o result0:FILE\n\n"
       "Compiles statements for the formats given, and runs them.\n");
  flags_print(&table);
  printf("\nFormats: %s,\n"
         "         a list of levels such as dense,compressed with an optional mode order :1,0,\n"
         "         or the text of a #tin.format. Without -f: csr and csf for matrices and tensors\n"
         "         from coordinate files and from -g below 1, dense for all else.\n"
         "Exit status: 0, or 1 with 'error: ...' on standard error.\n",
         format_names());
}

/* A file without a result's name is that of --emit. */
static bool outputs_are_named(const options *parsed) {
  const char *file = options_value(parsed, "-o", "");
  return !file || parsed->emit || complain("-o expects NAME:FILE, found '%s'", file);
}

/* A GPU counts nothing. */
static bool can_count(const options *parsed) {
  return !parsed->counts || (parsed->device && !strcmp(parsed->device, "emulated")) ||
         complain("--counts expects --target gpu-emulated, found %s",
                  parsed->device ? parsed->device : "cpu");
}

bool options_parse(int argc, char **argv, options *parsed) {
  *parsed = (options){.schedule = "", .threads = 1, .seed = 1, .optimize = MACHINE_LEVEL_USUAL};
  if (!flags_parse(&table, argc, argv, parsed, &parsed->program))
    return false;
  if (parsed->explain + parsed->print_schedule + (parsed->emit != NULL) > 1)
    return complain("expected one of --emit, --explain and --print-schedule");
  parsed->emit = parsed->explain          ? "explanation"
                 : parsed->print_schedule ? "schedule"
                                          : parsed->emit;
  if (!outputs_are_named(parsed) ||
      !device_flag_find(parsed->target, !parsed->emit, &parsed->device) || !can_count(parsed))
    return false;
  return parsed->program || parsed->help || parsed->version ||
         flags_complain(&table, "expected an expression or a .mlir file after", argv[0]);
}

void options_free(options *parsed) {
  bindings_free(parsed->bindings);
}

const char *options_value(const options *parsed, const char *flag, const char *name) {
  return binding_value(parsed->bindings, flag, name);
}

bool options_result_can_be_written(const options *parsed, const char *result, int order) {
  for (const binding *b = parsed->bindings; b; b = b->next)
    if (!strcmp(b->flag, "-o") && !strcmp(b->name, result) && lac_file_can_write(b->value, order))
      return complain("%s", lac_error_message());
  return true;
}
