/* plain_formats - the conversions that anybody would write, on one thread, as plain.c: a shuffled
 * coordinate list to CSR, a sorted one to CSR and used once, and CSR to diagonals, to ELL (column k
 * of a table has the k-th entry of each row) and to blocks.
 */
#include "made.h"

#include <string.h>

enum { BLOCK = 3 };

/* What is made beside the arrays of `made`. */
static int64_t width;      /* diagonals, or entries in the longest row */
static int32_t *diagonals; /* j - i of each */
static made shown;

//--- Coordinate lists ----------------------------------------------------------------------------

/* position[i] to position[i+1] are the entries of row i, in the order of the list. */
static void count_into(const int32_t *coordinate, int64_t entries, int64_t size,
                       int32_t *position) {
  memset(position, 0, sizeof *position * (size_t)(size + 2));
  for (int64_t e = 0; e < entries; e++)
    position[coordinate[e] + 2]++;
  for (int64_t i = 0; i < size; i++)
    position[i + 2] += position[i + 1];
}

/* Sorted by columns, then, keeping their order, by rows. */
static int coo_to_csr(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t entries = a->counts[1], rows = a->dimensions[0], columns = a->dimensions[1];
  int32_t *position = made_positions(b, 1, rows + 1), *column = made_coordinates(b, 1, entries);
  bench_value *value = made_values(b, entries);
  int32_t *next = malloc(sizeof *next * (size_t)(columns + 2));
  int32_t *order = bench_allocate(entries * 4);
  count_into(a->coordinates[1], entries, columns, next);
  for (int64_t e = 0; e < entries; e++)
    order[next[a->coordinates[1][e] + 1]++] = (int32_t)e;
  count_into(a->coordinates[0], entries, rows, position);
  for (int64_t k = 0; k < entries; k++) {
    int32_t e = order[k], p = position[a->coordinates[0][e] + 1]++;
    column[p] = a->coordinates[1][e];
    value[p] = a->values[e];
  }
  free(next);
  free(order);
  return 0;
}

static int make_list(bench *b) {
  bench_shuffle(&b->a);
  return 0;
}

static int make_x(bench *b) {
  return !bench_dense(b, 0, "n");
}

/* The list is sorted: its columns and values are those of CSR. */
static int once(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t rows = a->dimensions[0], entries = a->counts[1];
  int32_t *position = made_positions(b, 1, rows + 1), *column = made_coordinates(b, 1, entries);
  bench_value *value = made_values(b, entries + rows), *y = value + entries;
  memset(position, 0, sizeof *position * (size_t)(rows + 1));
  for (int64_t e = 0; e < entries; e++)
    position[a->coordinates[0][e] + 1]++;
  for (int64_t i = 0; i < rows; i++)
    position[i + 1] += position[i];
  memcpy(column, a->coordinates[1], sizeof *column * (size_t)entries);
  memcpy(value, a->values, sizeof *value * (size_t)entries);
  for (int64_t i = 0; i < rows; i++) {
    bench_value sum = 0;
    for (int32_t p = position[i]; p < position[i + 1]; p++)
      sum += value[p] * b->dense[0][column[p]];
    y[i] = sum;
  }
  return 0;
}

static int show_csr(bench *b, bench_result *result) {
  const made *m = made_of(b);
  *result = bench_csr(b->a.dimensions[0], b->a.dimensions[1], 4, m->positions[1], m->coordinates[1],
                      m->values);
  return 0;
}

static int show_y(bench *b, bench_result *result) {
  *result = bench_vector(b->a.dimensions[0], made_of(b)->values + b->a.counts[1]);
  return 0;
}

//--- CSR to diagonals, tables and blocks ---------------------------------------------------------

static int to_dia(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t rows = a->dimensions[0], columns = a->dimensions[1], at = 0;
  int32_t *number = calloc((size_t)(rows + columns), sizeof *number);
  for (int64_t i = 0; i < rows; i++)
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++)
      number[a->coordinates[1][p] - i + rows] = 1;
  width = 0;
  for (int64_t d = 0; d < rows + columns; d++)
    width += number[d];
  diagonals = made_coordinates(b, 0, width);
  for (int64_t d = 0; d < rows + columns; d++)
    if (number[d]) {
      diagonals[at] = (int32_t)(d - rows);
      number[d] = (int32_t)at++;
    }
  bench_value *value = made_values(b, width * rows);
  memset(value, 0, sizeof *value * (size_t)(width * rows));
  for (int64_t i = 0; i < rows; i++)
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++)
      value[number[a->coordinates[1][p] - i + rows] * rows + i] = a->values[p];
  free(number);
  return 0;
}

static int to_ell(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t rows = a->dimensions[0];
  width = 0;
  for (int64_t i = 0; i < rows; i++) {
    int32_t length = a->positions[1][i + 1] - a->positions[1][i];
    width = length > width ? length : width;
  }
  int32_t *column = made_coordinates(b, 1, width * rows);
  bench_value *value = made_values(b, width * rows);
  memset(column, -1, sizeof *column * (size_t)(width * rows));
  memset(value, 0, sizeof *value * (size_t)(width * rows));
  for (int64_t i = 0; i < rows; i++)
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
      int64_t at = (p - a->positions[1][i]) * rows + i;
      column[at] = a->coordinates[1][p];
      value[at] = a->values[p];
    }
  return 0;
}

/* The block of column block j in row block i is there where last[j] = i; it is then at place[j]. */
static int64_t mark_blocks(const bench_tensor *a, int64_t i, int64_t at, int32_t *last,
                           int32_t *place, int32_t *column) {
  for (int32_t p = a->positions[1][i * BLOCK]; p < a->positions[1][(i + 1) * BLOCK]; p++) {
    int32_t j = a->coordinates[1][p] / BLOCK;
    if (last[j] == i)
      continue;
    last[j] = (int32_t)i;
    place[j] = (int32_t)at;
    if (column)
      column[at] = j;
    at++;
  }
  return at;
}

static void fill_blocks(const bench_tensor *a, int64_t i, const int32_t *place,
                        bench_value *value) {
  for (int64_t row = i * BLOCK; row < (i + 1) * BLOCK; row++)
    for (int32_t p = a->positions[1][row]; p < a->positions[1][row + 1]; p++) {
      int32_t j = a->coordinates[1][p];
      value[((int64_t)place[j / BLOCK] * BLOCK + row % BLOCK) * BLOCK + j % BLOCK] = a->values[p];
    }
}

static int to_bcsr(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t rows = a->dimensions[0] / BLOCK, columns = a->dimensions[1] / BLOCK + 1, blocks = 0;
  int32_t *last = malloc(sizeof *last * (size_t)columns);
  int32_t *place = malloc(sizeof *place * (size_t)columns);
  int32_t *position = made_positions(b, 1, rows + 1);
  memset(last, -1, sizeof *last * (size_t)columns);
  for (int64_t i = 0; i < rows; i++)
    blocks = mark_blocks(a, i, blocks, last, place, NULL);
  int32_t *column = made_coordinates(b, 1, blocks);
  bench_value *value = made_values(b, blocks * BLOCK * BLOCK);
  memset(value, 0, sizeof *value * (size_t)(blocks * BLOCK * BLOCK));
  memset(last, -1, sizeof *last * (size_t)columns);
  position[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    position[i + 1] = (int32_t)mark_blocks(a, i, position[i], last, place, column);
    fill_blocks(a, i, place, value);
  }
  free(last);
  free(place);
  return 0;
}

//--- Padded results as CSR -----------------------------------------------------------------------

static void begin_rows(const bench *b, int64_t room) {
  shown.positions[1] = calloc((size_t)b->a.dimensions[0] + 1, sizeof(int32_t));
  shown.coordinates[1] = bench_allocate(room * 4);
  shown.values = bench_allocate(room * (int64_t)sizeof(bench_value));
}

static int32_t put(int32_t at, int64_t column, bench_value value) {
  shown.coordinates[1][at] = (int32_t)column;
  shown.values[at] = value;
  return at + 1;
}

static int end_rows(const bench *b, bench_result *result) {
  *result = bench_csr(b->a.dimensions[0], b->a.dimensions[1], 4, shown.positions[1],
                      shown.coordinates[1], shown.values);
  result->padded = true;
  return 0;
}

static int show_dia(bench *b, bench_result *result) {
  int64_t rows = b->a.dimensions[0];
  int32_t at = 0;
  begin_rows(b, width * rows);
  for (int64_t i = 0; i < rows; shown.positions[1][++i] = at)
    for (int64_t d = 0; d < width; d++)
      if (i + diagonals[d] >= 0 && i + diagonals[d] < b->a.dimensions[1])
        at = put(at, i + diagonals[d], made_of(b)->values[d * rows + i]);
  return end_rows(b, result);
}

static int show_ell(bench *b, bench_result *result) {
  const made *m = made_of(b);
  int64_t rows = b->a.dimensions[0];
  int32_t at = 0;
  begin_rows(b, width * rows);
  for (int64_t i = 0; i < rows; shown.positions[1][++i] = at)
    for (int64_t k = 0; k < width; k++)
      if (m->coordinates[1][k * rows + i] >= 0)
        at = put(at, m->coordinates[1][k * rows + i], m->values[k * rows + i]);
  return end_rows(b, result);
}

static int show_blocks(bench *b, bench_result *result) {
  const made *m = made_of(b);
  int64_t rows = b->a.dimensions[0];
  int32_t at = 0;
  begin_rows(b, (int64_t)m->positions[1][rows / BLOCK] * BLOCK * BLOCK);
  for (int64_t i = 0; i < rows; shown.positions[1][++i] = at)
    for (int64_t p = m->positions[1][i / BLOCK]; p < m->positions[1][i / BLOCK + 1]; p++)
      for (int64_t c = 0; c < BLOCK; c++)
        at = put(at, m->coordinates[1][p] * BLOCK + c,
                 m->values[(p * BLOCK + i % BLOCK) * BLOCK + c]);
  return end_rows(b, result);
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"coo-to-csr", make_list, coo_to_csr, show_csr, made_drop, NULL, NULL, NULL},
      {"once-csr", make_x, once, show_y, made_drop, NULL, NULL, NULL},
      {"to-dia", NULL, to_dia, show_dia, made_drop, NULL, NULL, NULL},
      {"to-ell", NULL, to_ell, show_ell, made_drop, NULL, NULL, NULL},
      {"to-bcsr", NULL, to_bcsr, show_blocks, made_drop, NULL, NULL, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
