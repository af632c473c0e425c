/* pipeline.c - the pipelines from a program to code, one pass a line.
 *
 *     tin --tin-to-cin--> cin --sparsify--> sit --lower-sit, lower-handles--> scf memref arith -->
 * llvm
 */
#include "pipeline.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char to_sit[] = "tin-expand-einsum,"
                             "tin-expand-symmetry,"
                             "tin-convert-remapped,"
                             "tin-split-terms,"
                             "tin-insert-conversions,"
                             "tin-lower-conversions,"
                             "tin-to-cin,"
                             "cin-schedule{schedule=\"%s\"},%s%s"
                             "cin-insert-workspaces{strict=%s},"
                             "cin-parallelize{threads=%" PRId64 "},"
                             "sparsify{strict=%s}";

/* Vectors go before branches are made: of those that pass indices on as well, the conversion of
 * vectors makes branches of LLVM that pass none. */
static const char from_sit[] = "lower-sit{strict=%s},"
                               "lower-handles,"
                               "canonicalize,"
                               "cse,"
                               "loop-invariant-code-motion,"
                               "lower-parallel{threads=%" PRId64 "},"
                               "lower-arrays,"
                               "convert-vector-to-llvm,"
                               "convert-scf-to-cf,"
                               "convert-complex-to-standard,"
                               "convert-math-to-funcs,"
                               "convert-math-to-llvm,"
                               "convert-math-to-libm,"
                               "convert-complex-to-llvm,"
                               "convert-openmp-to-llvm,"
                               "convert-to-llvm,"
                               "reconcile-unrealized-casts";

/* A new string as printf makes it; NULL when memory runs out. */
__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...) {
  va_list arguments;
  char *made = NULL;
  va_start(arguments, format);
  int length = vasprintf(&made, format, arguments);
  va_end(arguments);
  return length < 0 ? NULL : made;
}

char *sparse_cpu_pipeline_to_sit(const struct lacuna_pipeline_options *options) {
  const char *vectorize = *options->schedule ? "" : "cin-vectorize,";
  char *tile = *options->schedule || options->cache < 0 ? text("%s", "")
               : options->cache ? text("cin-tile{cache=%" PRId64 "},", options->cache)
                                : text("cin-tile,");
  const char *strict = options->strict ? "true" : "false";
  char *made =
      tile ? text(to_sit, options->schedule, vectorize, tile, strict, options->threads, strict)
           : NULL;
  free(tile);
  return made;
}

char *sparse_cpu_pipeline_from_sit(const struct lacuna_pipeline_options *options) {
  return text(from_sit, options->strict ? "true" : "false", options->threads);
}

char *sparse_cpu_pipeline(const struct lacuna_pipeline_options *options) {
  char *upper = sparse_cpu_pipeline_to_sit(options);
  char *lower = sparse_cpu_pipeline_from_sit(options);
  char *whole = upper && lower ? text("%s,%s", upper, lower) : NULL;
  free(upper);
  free(lower);
  return whole;
}
