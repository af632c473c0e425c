/* SPLATT: MTTKRP of order 3 and 4 for the first mode, on its own compressed fibres, sorted by the
 * first mode as ours are (one tree a mode), from a list of entries.
 */
#include "made.h"

#include <splatt.h>
#include <stdlib.h>
#include <string.h>

static splatt_csf *tensor;
static splatt_val_t *factors[BENCH_ORDER];
static double *options;
static bool *present[BENCH_ORDER]; /* the slices of each mode that have entries */
static bench_value *shown;

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

static void note_slices(const bench_tensor *t, int level) {
  present[level] = calloc((size_t)t->dimensions[level], sizeof *present[level]);
  for (int64_t c = 0; present[level] && c < t->counts[level]; c++)
    present[level][t->coordinates[level][c]] = true;
}

/* Moves the rows of slices that are there together. */
static void close_rows(bench_value *values, const bool *there, int64_t rows, int64_t columns) {
  int64_t at = 0;
  for (int64_t i = 0; i < rows; i++)
    if (there[i])
      memmove(values + columns * at++, values + columns * i, sizeof *values * (size_t)columns);
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
  for (int l = 0; l < b->a.order; l++)
    note_slices(&b->a, l);
  for (int l = 1; l < b->a.order; l++) {
    factors[l] = bench_dense(b, l - 1, shapes[l - 1]);
    close_rows(factors[l], present[l], b->a.dimensions[l], b->columns);
  }
  return make_tensor(b);
}

static int mttkrp(bench *b) {
  factors[0] = made_values(b, (int64_t)tensor->dims[0] * b->columns);
  return splatt_mttkrp(0, (splatt_idx_t)b->columns, tensor, factors, factors[0], options) !=
         SPLATT_SUCCESS;
}

static int show(bench *b, bench_result *result) {
  int64_t rows = b->a.dimensions[0], columns = b->columns, at = 0;
  shown = calloc((size_t)(rows * columns), sizeof *shown);
  for (int64_t i = 0; shown && i < rows; i++)
    if (present[0][i])
      memcpy(shown + i * columns, made_of(b)->values + columns * at++,
             sizeof *shown * (size_t)columns);
  *result = bench_matrix(rows, columns, shown);
  return shown == NULL;
}

static void drop(bench *b) {
  made_drop(b);
  free(shown);
  shown = NULL;
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"mttkrp", prepare, mttkrp, show, drop, set_threads, NULL, NULL},
      {"mttkrp4", prepare, mttkrp, show, drop, set_threads, NULL, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
