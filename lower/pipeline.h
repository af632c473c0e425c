/* pipeline.h - the pipelines from a program to code, as texts over builtin.module. */
#ifndef LACUNA_PIPELINE_H
#define LACUNA_PIPELINE_H

#include "bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What `--sparse-cpu` runs: from any rung down to the LLVM dialect.  A lacuna_pipeline_text
 * (bridge.h). */
char *sparse_cpu_pipeline(const struct lacuna_pipeline_options *options);

/* Its part from tin down to sit, and the rest, for who wants to see or time them alone. */
char *sparse_cpu_pipeline_to_sit(const struct lacuna_pipeline_options *options);
char *sparse_cpu_pipeline_from_sit(const struct lacuna_pipeline_options *options);

#ifdef __cplusplus
}
#endif
#endif
