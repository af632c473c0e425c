/* pipeline.h - the pipelines from a program to code, as texts over builtin.module. */
#ifndef LACUNA_PIPELINE_H
#define LACUNA_PIPELINE_H

#include "bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each pipeline runs options->interleave after each of its passes, down to MLIR's conversions to
 * the LLVM dialect; where that is NULL, what LACUNA_INTERLEAVE says in the environment.  MLIR's
 * canonicalize, cse, ... leave every program right, wherever they stand: tests run them so. */

/* What `--sparse-cpu` runs: from any rung down to the LLVM dialect.  A lacuna_pipeline_text
 * (bridge.h). */
char *sparse_cpu_pipeline(const struct lacuna_pipeline_options *options);

/* The GPU that code is made for where none is said, and there is none here. */
extern const char pipeline_usual_gpu[];

/* What `--sparse-gpu` runs: the same for a GPU, that one where none is said. */
char *sparse_gpu_pipeline(const struct lacuna_pipeline_options *options);

/* Whether the texts of the options are what they should be, a schedule and policies, before a
 * pipeline is made with them.  False with one line in *error, which the caller frees. */
bool pipeline_takes(const struct lacuna_pipeline_options *options, char **error);

/* The rungs of the ladder, downwards: a module as it is given, its statements with their
 * conversions, scheduled loops, walks of levels, loops over arrays, kernels of a GPU apart from
 * those, calls and arrays of the host alone, the LLVM dialect. */
typedef enum pipeline_rung {
  RUNG_PROGRAM,
  RUNG_TIN,
  RUNG_CIN,
  RUNG_SIT,
  RUNG_MLIR,
  RUNG_GPU,
  RUNG_ARRAYS,
  RUNG_LLVM
} pipeline_rung;

/* All passes below one rung down to another, for who wants to see or time them alone. */
char *sparse_cpu_pipeline_between(const struct lacuna_pipeline_options *options, pipeline_rung from,
                                  pipeline_rung to);

/* From RUNG_ARRAYS to RUNG_LLVM, where it is known of which dialects there are operations: without
 * those of MLIR's conversions that would find none, and take 2 to 8 ms each all the same. */
typedef bool dialect_question(void *data, const char *dialect);
char *pipeline_of_conversions(dialect_question *has, void *data);

/* Those below sit.  A lacuna_pipeline_text too. */
char *sparse_cpu_pipeline_from_sit(const struct lacuna_pipeline_options *options);

#ifdef __cplusplus
}
#endif
#endif
