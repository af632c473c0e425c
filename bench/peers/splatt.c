/* SPLATT: MTTKRP of order 3 and 4 for the first mode, on its own compressed fibres, sorted by the
 * first mode as ours are (one tree a mode), from a list of entries.
 */
#include "made.h"

#include <splatt.h>
#include <stdlib.h>

static splatt_csf *tensor;
static splatt_val_t *factors[BENCH_ORDER];
static double *options;

/* Says a coordinate of a level for each entry below. */
static void spread_level(const bench_tensor *t, int level, splatt_idx_t *to) {
  for (int64_t c = 0; c < t->counts[level]; c++) {
    int64_t begin = c, end = c + 1;
    for (int64_t l = level + 1; l < t->order; l++) {
      begin = t->positions[l][begin];
      end = t->positions[l][end];
    }
    for (int64_t e = begin; e < end; e++)
      to[e] = (splatt_idx_t)t->coordinates[level][c];
  }
}

static int set_threads(bench *b) {
  options[SPLATT_OPTION_NTHREADS] = b->threads;
  return 0;
}

static int make_tensor(bench *b) {
  splatt_idx_t *coordinates[BENCH_ORDER] = {NULL};
  size_t entries = (size_t)bench_entries(&b->a);
  splatt_val_t *values = malloc(sizeof *values * entries);
  for (int64_t e = 0; values && e < (int64_t)entries; e++)
    values[e] = b->a.values[e];
  for (int l = 0; l < b->a.order; l++) {
    coordinates[l] = malloc(sizeof *coordinates[l] * entries);
    if (coordinates[l])
      spread_level(&b->a, l, coordinates[l]);
  }
  options = splatt_default_opts();
  options[SPLATT_OPTION_CSF_ALLOC] = SPLATT_CSF_ALLMODE;
  options[SPLATT_OPTION_TILE] = SPLATT_NOTILE;
  set_threads(b);
  return splatt_csf_convert((splatt_idx_t)b->a.order, (splatt_idx_t)entries, coordinates, values,
                            &tensor, options) != SPLATT_SUCCESS;
}

static int prepare(bench *b) {
  static const char *const shapes[] = {"nr", "pr", "qr"};
  for (int l = 1; l < b->a.order; l++)
    factors[l] = bench_dense(b, l - 1, shapes[l - 1]);
  return make_tensor(b);
}

/* SPLATT's tensor ends at the last slice with an entry. */
static void clear_rows_behind(bench *b, splatt_val_t *values) {
  for (int64_t at = (int64_t)tensor->dims[0] * b->columns; at < b->a.dimensions[0] * b->columns;
       at++)
    values[at] = 0;
}

static int mttkrp(bench *b) {
  factors[0] = made_values(b, b->a.dimensions[0] * b->columns);
  clear_rows_behind(b, factors[0]);
  return splatt_mttkrp(0, (splatt_idx_t)b->columns, tensor, factors, factors[0], options) !=
         SPLATT_SUCCESS;
}

static int show(bench *b, bench_result *result) {
  *result = bench_matrix(b->a.dimensions[0], b->columns, made_of(b)->values);
  return 0;
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"mttkrp", prepare, mttkrp, show, made_drop, set_threads, NULL, NULL},
      {"mttkrp4", prepare, mttkrp, show, made_drop, set_threads, NULL, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
