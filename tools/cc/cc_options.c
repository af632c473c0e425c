/* The command line of sparse-cc, and which of its flags go together. */
#include "cc_options.h"

#include "bridge.h"
#include "complain.h"
#include "device_flag.h"
#include "device_target.h"
#include "format_names.h"
#include "header.h"
#include "machine.h"
#include "source.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(cc_options, field)

static const flag flags[] = {
    {"-o", "FILE", "the output: .so .o .s .ll .ptx .cubin or .mlir; - is standard output",
     FLAG_TEXT, AT(output), 0, 0},
    {"-c", NULL, "make an object file, as --emit obj", FLAG_SET, AT(object), 0, 0},
    {"--emit", "WHAT",
     "obj, so, asm, llvm, ptx, cubin, gpu, mlir, sit, cin, tin or dot (default: as -o ends; obj)",
     FLAG_TEXT, AT(emit), 0, 0},
    {"--explain", NULL, "say in plain words what was chosen, and why, instead of making code",
     FLAG_SET, AT(explain), 0, 0},
    {"--print-schedule", NULL, "print the loops as commands that -s takes, instead of making code",
     FLAG_SET, AT(print_schedule), 0, 0},
    {"--header", "FILE", "the C header of an object or library (default: beside it)", FLAG_TEXT,
     AT(header), 0, 0},
    {"--name", "NAME", "the C function of the statements (default: kernel)", FLAG_TEXT, AT(name), 0,
     0},
    {"-f", "NAME:FORMAT", "store tensor NAME so: a name, a list of levels, or a #tin.format",
     FLAG_NAMED, AT(bindings), 0, 0},
    {"-t", "NAME:TYPE", "element type: f64 f32 f16 bf16 i8 i16 i32 i64 c64 c128", FLAG_NAMED,
     AT(bindings), 0, 0},
    {"-d", "VAR:SIZE", "size of an index variable that no operand tells", FLAG_NAMED, AT(bindings),
     0, 0},
    {"--expect", "NAME:ENTRIES,SIZE,...",
     "choose loops and workspaces for about so many entries and such sizes of operand NAME",
     FLAG_NAMED, AT(bindings), 0, 0},
    {"-s", "SCHEDULE", "schedule, as in 'split(i,i0,i1,32) parallelize(i0,cpu_thread,no_races)'",
     FLAG_TEXT, AT(schedule), 0, 0},
    {"--workspace", "POLICY",
     "gather so: dense, bucket:size=1024, hash, ...; w:hash for one workspace", FLAG_TEXT,
     AT(workspace), 0, 0},
    {"--semiring", "NAME", "what + and * mean: plus_times, min_plus, max_plus, or_and, ...",
     FLAG_TEXT, AT(semiring), 0, 0},
    {"--threads", "N", "above 1: code for threads; how many, OMP_NUM_THREADS says (default 1)",
     FLAG_COUNT, AT(threads), 1, PARALLEL_THREADS},
    {"--strict", NULL, "keep the order of the program in floating-point sums", FLAG_SET, AT(strict),
     0, 0},
    {"--deterministic", NULL, "the same bits on any number of threads, one included", FLAG_SET,
     AT(deterministic), 0, 0},
    {"--cpu", "NAME", "the processor: x86-64-v3, znver4, ... (default: native, this one)",
     FLAG_TEXT, AT(cpu), 0, 0},
    {"--optimize", "LEVEL",
     "how far: 0 compiles in a third of the time, 3 makes the fastest code "
     "(default: $LACUNA_OPTIMIZE, or 3)",
     FLAG_COUNT, AT(optimize), 0, MACHINE_LEVEL_MOST},
    {"--target", "TARGET",
     "another kind of machine, as in aarch64-linux-gnu; or kernels run on: gpu:sm_90, gpu-emulated "
     "(default: $LACUNA_TARGET, or cpu)",
     FLAG_TEXT, AT(target), 0, 0},
    {"--linker", "PROGRAM", "what links a library (default: cc, clang, gcc or ld.lld)", FLAG_TEXT,
     AT(linker), 0, 0},
    {"--load-level-format", "LIBRARY", "level formats of your own, for -f", FLAG_LOAD, 0, 0, 0},
    {"--help", NULL, "print this; -h too", FLAG_SET, AT(help), 0, 0},
    {"--version", NULL, "print the version", FLAG_SET, AT(version), 0, 0},
};
static const flag_table table = {"sparse-cc", flags, sizeof flags / sizeof flags[0]};

void cc_options_print_help(void) {
  puts("usage: sparse-cc 'y(i) = A(i,j) * x(j)' -f A:csr --name spmv -o libspmv.so\n"
       "       sparse-cc 'w(i) = A(i,j) * x(j); s = w(i) * w(i)' -f A:csr --name norm -c\n"
       "       sparse-cc PROGRAM.mlir -c -o program.o\n\n"
       "Compiles statements for the formats given, as one function, or the functions of a .mlir "
       "file,\n"
       "ahead of time. An object or a library comes with a C header, and is linked with "
       "lacuna_runtime.\n");
  flags_print(&table);
  printf("\nFormats: %s,\n"
         "         a list of levels such as dense,compressed with an optional mode order :1,0,\n"
         "         or the text of a #tin.format. Without -f: dense.\n"
         "Exit status: 0, or 1 with 'error: ...' on standard error.\n",
         format_names());
}

/* What is said of an expression means nothing to a file. */
static bool suits_file(const cc_options *o) {
  const char *flag = o->bindings   ? o->bindings->flag
                     : o->name     ? "--name"
                     : o->semiring ? "--semiring"
                                   : NULL;
  if (!flag || !source_is_file(o->program))
    return true;
  complain("%s is for an expression; '%s' says it itself", flag, o->program);
  return false;
}

static bool is_sound(const cc_options *o) {
  if (o->object && o->emit && strcmp(o->emit, "obj") != 0)
    return flags_complain(&table, "-c makes an object, found --emit", o->emit);
  if (o->name && !header_takes_name(o->name))
    return flags_complain(&table, "--name expects a name in C, found", o->name);
  return suits_file(o);
}

static bool find_target(cc_options *o) {
  if (!o->target || is_device_target(o->target))
    return device_flag_find(o->target, false, &o->device);
  o->triple = o->target;
  return true;
}

bool cc_options_parse(int argc, char **argv, cc_options *parsed) {
  *parsed = (cc_options){.schedule = "", .threads = 1, .optimize = MACHINE_LEVEL_USUAL};
  if (!flags_parse(&table, argc, argv, parsed, &parsed->program))
    return false;
  if (parsed->help || parsed->version)
    return true;
  if (!parsed->program)
    return flags_complain(&table, "expected an expression or a .mlir file after", argv[0]);
  if (parsed->explain + parsed->print_schedule + (parsed->emit || parsed->object) > 1)
    return complain("expected one of --emit, -c, --explain and --print-schedule");
  parsed->emit = parsed->object           ? parsed->emit ? parsed->emit : "obj"
                 : parsed->explain        ? "explanation"
                 : parsed->print_schedule ? "schedule"
                                          : parsed->emit;
  return is_sound(parsed) && find_target(parsed);
}

void cc_options_free(cc_options *parsed) {
  bindings_free(parsed->bindings);
}
