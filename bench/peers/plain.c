/* plain - the loops that anybody would write, compiled with clang -O3 -march=native -ffast-math,
 * and "parallel for" where that is all it takes.  No peer, but the ground on which one stands.
 */
#include "made.h"

#include <string.h>

enum { DYNAMIC_ROWS = 256 };

//--- Matrix times dense --------------------------------------------------------------------------

static int make_x(bench *b) {
  return !bench_dense(b, 0, "n");
}

static int spmv(bench *b) {
  const bench_tensor *a = &b->a;
  const int32_t *restrict position = a->positions[1], *restrict column = a->coordinates[1];
  const bench_value *restrict value = a->values, *restrict x = b->dense[0];
  bench_value *restrict y = made_values(b, a->dimensions[0]);
#pragma omp parallel for schedule(dynamic, DYNAMIC_ROWS)
  for (int64_t i = 0; i < a->dimensions[0]; i++) {
    bench_value sum = 0;
    for (int32_t p = position[i]; p < position[i + 1]; p++)
      sum += value[p] * x[column[p]];
    y[i] = sum;
  }
  return 0;
}

static int spmv_coo(bench *b) {
  const bench_tensor *a = &b->a;
  bench_value *y = made_values(b, a->dimensions[0]);
  memset(y, 0, sizeof *y * (size_t)a->dimensions[0]);
  for (int64_t p = 0; p < a->counts[1]; p++)
    y[a->coordinates[0][p]] += a->values[p] * b->dense[0][a->coordinates[1][p]];
  return 0;
}

static int show_vector(bench *b, bench_result *result) {
  *result = bench_vector(b->a.dimensions[0], made_of(b)->values);
  return 0;
}

static int make_columns(bench *b) {
  return !bench_dense(b, 0, "nr");
}

static int spmm(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t columns = b->columns;
  bench_value *restrict result = made_values(b, a->dimensions[0] * columns);
#pragma omp parallel for schedule(dynamic, DYNAMIC_ROWS)
  for (int64_t i = 0; i < a->dimensions[0]; i++) {
    bench_value *restrict y = result + i * columns;
    memset(y, 0, sizeof *y * (size_t)columns);
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
      const bench_value *x = b->dense[0] + a->coordinates[1][p] * columns;
      for (int64_t k = 0; k < columns; k++)
        y[k] += a->values[p] * x[k];
    }
  }
  return 0;
}

static int show_scalar(bench *b, bench_result *result) {
  *result = bench_scalar(made_of(b)->values);
  return 0;
}

static int show_matrix(bench *b, bench_result *result) {
  *result = bench_matrix(b->a.dimensions[0], b->columns, made_of(b)->values);
  return 0;
}

//--- Sparse matrices as results ------------------------------------------------------------------

static int make_factors(bench *b) {
  return !bench_dense(b, 0, "mr") || !bench_dense(b, 1, "nr");
}

static void copy_pattern(bench *b) {
  const bench_tensor *a = &b->a;
  memcpy(made_positions(b, 1, a->dimensions[0]), a->positions[1],
         sizeof(int32_t) * (size_t)(a->dimensions[0] + 1));
  memcpy(made_coordinates(b, 1, a->counts[1]), a->coordinates[1],
         sizeof(int32_t) * (size_t)a->counts[1]);
}

static int sddmm(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t columns = b->columns;
  bench_value *restrict result = made_values(b, a->counts[1]);
  copy_pattern(b);
#pragma omp parallel for schedule(dynamic, DYNAMIC_ROWS)
  for (int64_t i = 0; i < a->dimensions[0]; i++)
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
      const bench_value *c = b->dense[0] + i * columns,
                        *d = b->dense[1] + a->coordinates[1][p] * columns;
      bench_value sum = 0;
      for (int64_t k = 0; k < columns; k++)
        sum += c[k] * d[k];
      result[p] = a->values[p] * sum;
    }
  return 0;
}

static int show_csr(bench *b, bench_result *result) {
  const made *m = made_of(b);
  *result = bench_csr(b->a.dimensions[0], b->b.dimensions[1], 4, m->positions[1], m->coordinates[1],
                      m->values);
  return 0;
}

static int add(bench *b) {
  const bench_tensor *s = &b->a, *t = &b->b;
  int32_t *position = made_positions(b, 1, s->dimensions[0]), at = 0;
  int32_t *column = made_coordinates(b, 1, s->counts[1] + t->counts[1]);
  bench_value *value = made_values(b, s->counts[1] + t->counts[1]);
  for (int64_t i = 0; i < s->dimensions[0]; i++) {
    int32_t p = s->positions[1][i], p_end = s->positions[1][i + 1];
    int32_t q = t->positions[1][i], q_end = t->positions[1][i + 1];
    position[i] = at;
    while (p < p_end || q < q_end) {
      int32_t j = p < p_end ? s->coordinates[1][p] : INT32_MAX;
      int32_t k = q < q_end ? t->coordinates[1][q] : INT32_MAX;
      column[at] = j < k ? j : k;
      value[at++] = (j <= k ? s->values[p] : 0) + (k <= j ? t->values[q] : 0);
      p += j <= k;
      q += k <= j;
    }
  }
  position[s->dimensions[0]] = at;
  return 0;
}

/* Three rows merged at a time. */
static int add3(bench *b) {
  enum { TERMS = 3 };
  const bench_tensor *terms[TERMS] = {&b->a, &b->b, &b->c};
  int64_t rows = b->a.dimensions[0], room = b->a.counts[1] + b->b.counts[1] + b->c.counts[1];
  int32_t *position = made_positions(b, 1, rows), at = 0;
  int32_t *column = made_coordinates(b, 1, room);
  bench_value *value = made_values(b, room);
  for (int64_t i = 0; i < rows; i++) {
    int32_t p[TERMS], next[TERMS], least;
    position[i] = at;
    for (int t = 0; t < TERMS; t++)
      p[t] = terms[t]->positions[1][i];
    while (true) {
      least = INT32_MAX;
      for (int t = 0; t < TERMS; t++) {
        next[t] = p[t] < terms[t]->positions[1][i + 1] ? terms[t]->coordinates[1][p[t]] : INT32_MAX;
        least = next[t] < least ? next[t] : least;
      }
      if (least == INT32_MAX)
        break;
      bench_value sum = 0;
      for (int t = 0; t < TERMS; t++) {
        sum += next[t] == least ? terms[t]->values[p[t]] : 0;
        p[t] += next[t] == least;
      }
      column[at] = least;
      value[at++] = sum;
    }
  }
  position[rows] = at;
  return 0;
}

static int compare_columns(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static int64_t product_bound(const bench_tensor *s, const bench_tensor *t) {
  int64_t flops = 0;
  for (int64_t p = 0; p < s->counts[1]; p++) {
    int32_t k = s->coordinates[1][p];
    flops += t->positions[1][k + 1] - t->positions[1][k];
  }
  return flops;
}

/* Row i of the product into the dense `sums`; its columns, unsorted, into `list`. */
static int32_t multiply_row(const bench *b, int64_t i, bench_value *sums, bool *seen,
                            int32_t *list) {
  const bench_tensor *s = &b->a, *t = &b->b;
  int32_t count = 0;
  for (int32_t p = s->positions[1][i]; p < s->positions[1][i + 1]; p++) {
    int32_t k = s->coordinates[1][p];
    for (int32_t q = t->positions[1][k]; q < t->positions[1][k + 1]; q++) {
      int32_t j = t->coordinates[1][q];
      if (!seen[j])
        list[count++] = j;
      seen[j] = true;
      sums[j] += s->values[p] * t->values[q];
    }
  }
  return count;
}

static int spgemm(bench *b) {
  int64_t rows = b->a.dimensions[0], columns = b->b.dimensions[1];
  int64_t bound = product_bound(&b->a, &b->b);
  int32_t *position = made_positions(b, 1, rows), *column = made_coordinates(b, 1, bound);
  bench_value *value = made_values(b, bound), *sums = calloc((size_t)columns, sizeof *sums);
  bool *seen = calloc((size_t)columns, sizeof *seen);
  position[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    int32_t *list = column + position[i], count = multiply_row(b, i, sums, seen, list);
    qsort(list, (size_t)count, sizeof *list, compare_columns);
    for (int32_t p = 0; p < count; p++) {
      value[position[i] + p] = sums[list[p]];
      sums[list[p]] = 0;
      seen[list[p]] = false;
    }
    position[i + 1] = position[i] + count;
  }
  free(sums);
  free(seen);
  return 0;
}

/* Row i of B C where A has entries: `sums` holds a row at A's columns, `here` marks them.  Of
 * triangles all three are A. */
static void multiply_masked_row(const bench *b, int64_t i, bench_value *sums, bool *here) {
  const bench_tensor *mask = &b->a, *s = &b->b, *t = &b->c;
  for (int32_t p = mask->positions[1][i]; p < mask->positions[1][i + 1]; p++) {
    here[mask->coordinates[1][p]] = true;
    sums[mask->coordinates[1][p]] = 0;
  }
  for (int32_t p = s->positions[1][i]; p < s->positions[1][i + 1]; p++) {
    int32_t k = s->coordinates[1][p];
    for (int32_t q = t->positions[1][k]; q < t->positions[1][k + 1]; q++)
      if (here[t->coordinates[1][q]])
        sums[t->coordinates[1][q]] += s->values[p] * t->values[q];
  }
}

/* What a masked product needs a thread: sums and marks, in one block. */
static bench_value *masked_room(int64_t columns) {
  return calloc((size_t)columns, sizeof(bench_value) + sizeof(bool));
}

/* Entries without a product are left out. */
static int masked(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t rows = a->dimensions[0], columns = a->dimensions[1];
  int32_t *position = made_positions(b, 1, rows), *column = made_coordinates(b, 1, a->counts[1]);
  bench_value *value = made_values(b, a->counts[1]), *sums = masked_room(columns);
  bool *here = (bool *)(sums + columns);
  position[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    int32_t at = position[i];
    multiply_masked_row(b, i, sums, here);
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
      int32_t j = a->coordinates[1][p];
      here[j] = false;
      if (sums[j] == 0)
        continue;
      column[at] = j;
      value[at++] = sums[j] * a->values[p];
    }
    position[i + 1] = at;
  }
  free(sums);
  return 0;
}

static int count_triangles(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t columns = a->dimensions[1];
  bench_value total = 0, *result = made_values(b, 1);
#pragma omp parallel reduction(+ : total)
  {
    bench_value *sums = masked_room(columns);
    bool *here = (bool *)(sums + columns);
#pragma omp for schedule(dynamic, DYNAMIC_ROWS)
    for (int64_t i = 0; i < a->dimensions[0]; i++) {
      multiply_masked_row(b, i, sums, here);
      for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
        here[a->coordinates[1][p]] = false;
        total += sums[a->coordinates[1][p]] * a->values[p];
      }
    }
    free(sums);
  }
  *result = total;
  return 0;
}

static int make_three_factors(bench *b) {
  return make_factors(b) || !bench_dense(b, 2, "nr");
}

/* An entry of the product at a time: no intermediate matrix. */
static int sddmm_spmm(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t columns = b->columns;
  bench_value *restrict result = made_values(b, a->dimensions[0] * columns);
#pragma omp parallel for schedule(dynamic, DYNAMIC_ROWS)
  for (int64_t i = 0; i < a->dimensions[0]; i++) {
    bench_value *restrict y = result + i * columns;
    memset(y, 0, sizeof *y * (size_t)columns);
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
      int64_t j = a->coordinates[1][p];
      const bench_value *c = b->dense[0] + i * columns, *d = b->dense[1] + j * columns,
                        *x = b->dense[2] + j * columns;
      bench_value sum = 0;
      for (int64_t k = 0; k < columns; k++)
        sum += c[k] * d[k];
      sum *= a->values[p];
      for (int64_t k = 0; k < columns; k++)
        y[k] += sum * x[k];
    }
  }
  return 0;
}

static int to_csc(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t columns = a->dimensions[1];
  int32_t *position = made_positions(b, 1, columns + 1),
          *row = made_coordinates(b, 1, a->counts[1]);
  bench_value *value = made_values(b, a->counts[1]);
  memset(position, 0, sizeof *position * (size_t)(columns + 2));
  for (int64_t p = 0; p < a->counts[1]; p++)
    position[a->coordinates[1][p] + 2]++;
  for (int64_t j = 0; j < columns; j++)
    position[j + 2] += position[j + 1];
  for (int64_t i = 0; i < a->dimensions[0]; i++)
    for (int32_t p = a->positions[1][i]; p < a->positions[1][i + 1]; p++) {
      int32_t q = position[a->coordinates[1][p] + 1]++;
      row[q] = (int32_t)i;
      value[q] = a->values[p];
    }
  return 0;
}

static int show_csc(bench *b, bench_result *result) {
  const made *m = made_of(b);
  *result = bench_csc(b->a.dimensions[0], b->a.dimensions[1], 4, m->positions[1], m->coordinates[1],
                      m->values);
  return 0;
}

//--- Tensors -------------------------------------------------------------------------------------

static void copy_fibres(bench *b) {
  const bench_tensor *t = &b->a;
  for (int l = 0; l < 2; l++) {
    int64_t parents = l ? t->counts[0] : 1;
    memcpy(made_positions(b, l, parents), t->positions[l], sizeof(int32_t) * (size_t)(parents + 1));
    memcpy(made_coordinates(b, l, t->counts[l]), t->coordinates[l],
           sizeof(int32_t) * (size_t)t->counts[l]);
  }
}

static int make_tube(bench *b) {
  return !bench_dense(b, 0, "p");
}

static int ttv(bench *b) {
  const bench_tensor *t = &b->a;
  bench_value *restrict result = made_values(b, t->counts[1]);
  copy_fibres(b);
#pragma omp parallel for schedule(static)
  for (int64_t f = 0; f < t->counts[1]; f++) {
    bench_value sum = 0;
    for (int32_t p = t->positions[2][f]; p < t->positions[2][f + 1]; p++)
      sum += t->values[p] * b->dense[0][t->coordinates[2][p]];
    result[f] = sum;
  }
  return 0;
}

static int make_tubes(bench *b) {
  return !bench_dense(b, 0, "pr");
}

static int ttm(bench *b) {
  const bench_tensor *t = &b->a;
  int64_t columns = b->columns;
  bench_value *restrict result = made_values(b, t->counts[1] * columns);
  copy_fibres(b);
#pragma omp parallel for schedule(static)
  for (int64_t f = 0; f < t->counts[1]; f++) {
    bench_value *restrict y = result + f * columns;
    memset(y, 0, sizeof *y * (size_t)columns);
    for (int32_t p = t->positions[2][f]; p < t->positions[2][f + 1]; p++)
      for (int64_t r = 0; r < columns; r++)
        y[r] += t->values[p] * b->dense[0][t->coordinates[2][p] * columns + r];
  }
  return 0;
}

static bench_result fibres(bench *b) {
  const made *m = made_of(b);
  const int64_t *sizes = b->a.dimensions;
  return (bench_result){2,
                        4,
                        {{sizes[0], m->positions[0], m->coordinates[0], 0},
                         {sizes[1], m->positions[1], m->coordinates[1], 1}},
                        m->values,
                        false};
}

static int show_fibres(bench *b, bench_result *result) {
  *result = fibres(b);
  return 0;
}

static int show_wide_fibres(bench *b, bench_result *result) {
  *result = fibres(b);
  result->levels[result->order++] = (bench_level){b->columns, NULL, NULL, 2};
  return 0;
}

static int make_two_factors(bench *b) {
  return !bench_dense(b, 0, "nr") || !bench_dense(b, 1, "pr");
}

static int mttkrp(bench *b) {
  const bench_tensor *t = &b->a;
  int64_t columns = b->columns, count = t->dimensions[0] * columns;
  bench_value *restrict result = made_values(b, count);
  memset(result, 0, sizeof *result * (size_t)count);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < t->counts[0]; i++) {
    bench_value *restrict y = result + t->coordinates[0][i] * columns;
    for (int32_t f = t->positions[1][i]; f < t->positions[1][i + 1]; f++) {
      const bench_value *c = b->dense[0] + t->coordinates[1][f] * columns;
      for (int32_t p = t->positions[2][f]; p < t->positions[2][f + 1]; p++) {
        const bench_value *d = b->dense[1] + t->coordinates[2][p] * columns;
        for (int64_t r = 0; r < columns; r++)
          y[r] += t->values[p] * c[r] * d[r];
      }
    }
  }
  return 0;
}

static int make_three_tensor_factors(bench *b) {
  return make_two_factors(b) || !bench_dense(b, 2, "qr");
}

static void mttkrp4_slice(const bench *b, int32_t slice, bench_value *restrict y) {
  const bench_tensor *t = &b->a;
  int64_t columns = b->columns;
  for (int32_t f = t->positions[1][slice]; f < t->positions[1][slice + 1]; f++) {
    const bench_value *c = b->dense[0] + t->coordinates[1][f] * columns;
    for (int32_t g = t->positions[2][f]; g < t->positions[2][f + 1]; g++) {
      const bench_value *d = b->dense[1] + t->coordinates[2][g] * columns;
      for (int32_t p = t->positions[3][g]; p < t->positions[3][g + 1]; p++) {
        const bench_value *e = b->dense[2] + t->coordinates[3][p] * columns;
        for (int64_t r = 0; r < columns; r++)
          y[r] += t->values[p] * c[r] * d[r] * e[r];
      }
    }
  }
}

static int mttkrp4(bench *b) {
  const bench_tensor *t = &b->a;
  int64_t count = t->dimensions[0] * b->columns;
  bench_value *restrict result = made_values(b, count);
  memset(result, 0, sizeof *result * (size_t)count);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < t->counts[0]; i++)
    mttkrp4_slice(b, (int32_t)i, result + t->coordinates[0][i] * b->columns);
  return 0;
}

//--- Inner product -------------------------------------------------------------------------------

static bench_value inner_fibres(const bench_tensor *s, int32_t f, const bench_tensor *t,
                                int32_t g) {
  int32_t p = s->positions[2][f], p_end = s->positions[2][f + 1];
  int32_t q = t->positions[2][g], q_end = t->positions[2][g + 1];
  bench_value sum = 0;
  while (p < p_end && q < q_end) {
    int32_t j = s->coordinates[2][p], k = t->coordinates[2][q];
    if (j == k)
      sum += s->values[p] * t->values[q];
    p += j <= k;
    q += k <= j;
  }
  return sum;
}

static bench_value inner_slices(const bench_tensor *s, int32_t slice, const bench_tensor *t,
                                int32_t other) {
  int32_t f = s->positions[1][slice], f_end = s->positions[1][slice + 1];
  int32_t g = t->positions[1][other], g_end = t->positions[1][other + 1];
  bench_value sum = 0;
  while (f < f_end && g < g_end) {
    int32_t j = s->coordinates[1][f], k = t->coordinates[1][g];
    if (j == k)
      sum += inner_fibres(s, f, t, g);
    f += j <= k;
    g += k <= j;
  }
  return sum;
}

static int inner(bench *b) {
  const bench_tensor *s = &b->a, *t = &b->b;
  bench_value *sum = made_values(b, 1);
  *sum = 0;
  for (int32_t i = 0, j = 0; i < s->counts[0] && j < t->counts[0];) {
    int32_t x = s->coordinates[0][i], y = t->coordinates[0][j];
    if (x == y)
      *sum += inner_slices(s, i, t, j);
    i += x <= y;
    j += y <= x;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"spmv", make_x, spmv, show_vector, made_drop, NULL, NULL, NULL},
      {"spmv-coo", make_x, spmv_coo, show_vector, made_drop, NULL, NULL, NULL},
      {"spmm", make_columns, spmm, show_matrix, made_drop, NULL, NULL, NULL},
      {"sddmm", make_factors, sddmm, show_csr, made_drop, NULL, NULL, NULL},
      {"add", NULL, add, show_csr, made_drop, NULL, NULL, NULL},
      {"sddmm-spmm", make_three_factors, sddmm_spmm, show_matrix, made_drop, NULL, NULL, NULL},
      {"add3", NULL, add3, show_csr, made_drop, NULL, NULL, NULL},
      {"masked", NULL, masked, show_csr, made_drop, NULL, NULL, NULL},
      {"tri", NULL, masked, show_csr, made_drop, NULL, NULL, NULL},
      {"tri-count", NULL, count_triangles, show_scalar, made_drop, NULL, NULL, NULL},
      {"tri-lower", NULL, count_triangles, show_scalar, made_drop, NULL, NULL, NULL},
      {"mttkrp4", make_three_tensor_factors, mttkrp4, show_matrix, made_drop, NULL, NULL, NULL},
      {"spgemm", NULL, spgemm, show_csr, made_drop, NULL, NULL, NULL},
      {"to-csc", NULL, to_csc, show_csc, made_drop, NULL, NULL, NULL},
      {"ttv", make_tube, ttv, show_fibres, made_drop, NULL, NULL, NULL},
      {"ttm", make_tubes, ttm, show_wide_fibres, made_drop, NULL, NULL, NULL},
      {"mttkrp", make_two_factors, mttkrp, show_matrix, made_drop, NULL, NULL, NULL},
      {"inner", NULL, inner, show_scalar, made_drop, NULL, NULL, NULL},
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
