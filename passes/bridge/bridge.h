/* bridge.h - the passes of Lacuna as C functions, and their way into MLIR's pass manager.
 *
 * MLIR 22 has no C door for passes with a name in textual pipelines and with options.  Bridge.cpp
 * opens one: it takes each pass's name and options from Passes.td and forwards the run to a C
 * function
 *
 *     int <pass>_run(MlirOperation root, const struct <pass>_options *options);
 *
 * that transforms what is in `root` in place: a builtin.module, or, of those that Passes.td says no
 * anchor of, a function or any other operation.  Such a pass may run on several functions at once,
 * on threads: what it keeps in memory is its own (an arena), and it touches nothing outside of
 * `root`. 0 is success; anything else fails the pass, after a diagnostic at the operation that
 * caused it. `options` is the caller's and lives as long as the call, its strings included; a pass
 * without options gets NULL.
 *
 * A new pass is an entry in Passes.td, a declaration here, a line in Bridge.cpp, and its C file.
 */
#ifndef LACUNA_BRIDGE_H
#define LACUNA_BRIDGE_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tin_factor_reductions_options {
  bool strict; /* as lower_sit_options */
};

struct cin_vectorize_options {
  bool gathers; /* the processor gathers: what names a coordinate of each lane may run on lanes */
};

struct cin_schedule_options {
  const char *schedule;  /* commands as text, "" for none */
  bool deterministic;    /* what threads reduce comes to the same bits, however many they are */
  const char *proposals; /* where there are none: those that a kernel's statement was estimated to
                            be worth, on a "cpu" or a "gpu"; "": none */
};

struct cin_tile_options {
  int64_t cache;  /* bytes that a tile may touch; 0 makes no tiles */
  int64_t beyond; /* of a result of so many bytes, tiles are added up in a workspace */
};

/* The most threads that a pass takes: OpenMP ends the process where it cannot make as many as it is
 * asked for. */
enum { PARALLEL_THREADS = 1024 };

struct cin_parallelize_options {
  int64_t threads;    /* up to PARALLEL_THREADS; 1 serial, 0 as many as OpenMP gives */
  bool strict;        /* as lower_sit_options */
  bool gpu;           /* loops run on units of a GPU, not on threads */
  bool deterministic; /* as cin_schedule_options: there no sums by atomics are chosen */
  bool remarks;       /* say why kernels do not run on the GPU */
};

struct cin_insert_conversions_options {
  const char *policies; /* of workspaces, as cin_insert_workspaces_options */
  int64_t bytes;        /* of memory for entries that are recorded; 0: enough */
};

struct cin_insert_workspaces_options {
  bool strict;          /* as lower_sit_options */
  const char *policies; /* of workspaces: "hash", "w:dense,hash"; "" for none */
  int64_t bytes;        /* as cin_insert_conversions_options */
  bool remarks;         /* say why rows are gathered */
};

struct sparsify_options {
  bool strict; /* as lower_sit_options */
};

struct sit_choose_strategies_options {
  bool strict;       /* as lower_sit_options */
  int64_t bits;      /* as lower_sit_options */
  bool gathers;      /* as cin_vectorize_options */
  bool slow_gathers; /* it gathers no faster than it loads one by one */
  const char *off;   /* names of strategies that are left off, "" for none */
};

struct lower_sit_options {
  bool strict;     /* keep the program's order in floating-point sums */
  int64_t bits;    /* of a vector of the machine: 128, 256 or 512 */
  int64_t threads; /* as cin_parallelize_options: unless 1, recorded entries are sorted on them */
  bool deterministic; /* as cin_schedule_options */
  bool gathers;       /* the machine does, faster than by a load for each lane */
};

struct lower_narrow_floats_options {
  bool half; /* f16 too, and not bf16 alone */
};

struct narrow_launches_options {
  int64_t limit; /* of lengths and numbers that kernels are passed */
};

struct lower_launches_options {
  bool emulated; /* kernels run on the device that is emulated on the CPU */
};

/* Passes without options: these are never complete. */
struct tin_expand_einsum_options;
struct tin_expand_symmetry_options;
struct tin_expand_constants_options;
struct tin_convert_remapped_options;
struct tin_hoist_conversions_options;
struct tin_split_terms_options;
struct tin_insert_conversions_options;
struct tin_lower_conversions_options;
struct tin_to_cin_options;
struct cin_sink_reductions_options;
struct cin_choose_assembly_options;
struct cin_unroll_options;
struct print_dot_options;
struct lower_handles_options;
struct lower_arrays_options;
struct lower_parallel_options;
struct hoist_launch_arrays_options;
struct gather_kernels_options;
struct mark_steps_options;
struct link_device_functions_options;
struct lower_images_options;

/* The functions of the passes, in the order of Passes.td. */
int tin_expand_einsum_run(MlirOperation module, const struct tin_expand_einsum_options *options);
int tin_expand_symmetry_run(MlirOperation module,
                            const struct tin_expand_symmetry_options *options);
int tin_expand_constants_run(MlirOperation module,
                             const struct tin_expand_constants_options *options);
int tin_convert_remapped_run(MlirOperation module,
                             const struct tin_convert_remapped_options *options);
int tin_hoist_conversions_run(MlirOperation module,
                              const struct tin_hoist_conversions_options *options);
int tin_factor_reductions_run(MlirOperation root,
                              const struct tin_factor_reductions_options *options);
int tin_split_terms_run(MlirOperation module, const struct tin_split_terms_options *options);
int tin_insert_conversions_run(MlirOperation module,
                               const struct tin_insert_conversions_options *options);
int tin_lower_conversions_run(MlirOperation module,
                              const struct tin_lower_conversions_options *options);
int tin_to_cin_run(MlirOperation module, const struct tin_to_cin_options *options);
int cin_schedule_run(MlirOperation module, const struct cin_schedule_options *options);
int cin_insert_conversions_run(MlirOperation module,
                               const struct cin_insert_conversions_options *options);
int cin_vectorize_run(MlirOperation module, const struct cin_vectorize_options *options);
int cin_sink_reductions_run(MlirOperation root, const struct cin_sink_reductions_options *options);
int cin_tile_run(MlirOperation module, const struct cin_tile_options *options);
int cin_insert_workspaces_run(MlirOperation module,
                              const struct cin_insert_workspaces_options *options);
int cin_choose_assembly_run(MlirOperation module,
                            const struct cin_choose_assembly_options *options);
int cin_parallelize_run(MlirOperation module, const struct cin_parallelize_options *options);
int cin_unroll_run(MlirOperation root, const struct cin_unroll_options *options);
int print_dot_run(MlirOperation module, const struct print_dot_options *options);
int sparsify_run(MlirOperation module, const struct sparsify_options *options);
int sit_choose_strategies_run(MlirOperation function,
                              const struct sit_choose_strategies_options *options);
int lower_sit_run(MlirOperation module, const struct lower_sit_options *options);
int lower_handles_run(MlirOperation module, const struct lower_handles_options *options);
int lower_arrays_run(MlirOperation module, const struct lower_arrays_options *options);
int lower_narrow_floats_run(MlirOperation module,
                            const struct lower_narrow_floats_options *options);
int lower_parallel_run(MlirOperation module, const struct lower_parallel_options *options);
int hoist_launch_arrays_run(MlirOperation module,
                            const struct hoist_launch_arrays_options *options);
int gather_kernels_run(MlirOperation module, const struct gather_kernels_options *options);
int narrow_launches_run(MlirOperation module, const struct narrow_launches_options *options);
int lower_launches_run(MlirOperation module, const struct lower_launches_options *options);
int mark_steps_run(MlirOperation kernels, const struct mark_steps_options *options);
int link_device_functions_run(MlirOperation module,
                              const struct link_device_functions_options *options);
int lower_images_run(MlirOperation module, const struct lower_images_options *options);

/* Registers the passes of Lacuna by name, for textual pipelines.  Once in a process. */
void lacuna_register_passes(void);

/* Lets tin.einsum's text be read as soon as it is parsed or verified, which registering the passes
 * does too. */
void lacuna_read_texts(void);

/* Options of the pipelines that lower a program to code. */
struct lacuna_pipeline_options {
  const char *schedule;   /* as cin_schedule_options, "" for none */
  int64_t threads;        /* as cin_parallelize_options */
  bool strict;            /* keep the program's order in floating-point sums */
  int64_t cache;          /* as cin_tile_options; 0 what the pass takes, negative for no tiles */
  int64_t beyond;         /* as cin_tile_options; 0 what the pass takes */
  const char *interleave; /* passes to run after each of the pipeline's (pipeline.h); NULL: as the
                             environment says */
  int64_t vector_bits;    /* as lower_sit_options; 0: 512 */
  bool native_half;       /* the processor converts f16 from and to f32 itself */
  bool slow_gathers;      /* it gathers no faster than it loads one by one */
  bool deterministic;     /* as cin_schedule_options, and the same loops for one thread */
  const char *policies;   /* as cin_insert_workspaces_options; NULL for none */
  int64_t bytes;          /* as cin_insert_conversions_options */
  const char *device;     /* kernels run on: "sm_90", a GPU; "emulated", one that the CPU emulates
                             (lac_emulated.h); NULL or "": the CPU */
  bool device_if_able;    /* no remark says so where a kernel does not run there */
};

/* The text of a pipeline over builtin.module for `options`, without the anchor:
 * "a,b{x=1},func.func(c)". The caller frees it; NULL when memory runs out. */
typedef char *lacuna_pipeline_text(const struct lacuna_pipeline_options *options);

/* Registers the pipeline `--<name>{schedule= threads= ...}`.  The strings are kept, not copied.
 */
void lacuna_register_pipeline(const char *name, const char *description,
                              lacuna_pipeline_text *text);

/* What those tools ask for when they crash. */
extern const char lacuna_bug_report[];

/* The whole of a tool like mlir-opt, with every flag of it: all dialects and passes of MLIR and the
 * dialects of Lacuna; the passes and pipelines that were registered before.  Returns the exit
 * status. */
int lacuna_opt_main(int argc, char **argv, const char *tool_name);

/* The whole of a tool like mlir-lsp-server, over the same dialects.  Returns the exit status. */
int lacuna_lsp_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
