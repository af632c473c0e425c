/* convolution - filters of three over what is stored, by the ways that one writes by hand: over the
 * array with all its zeros (dense), over blocks that are made such arrays in the cache (densify),
 * from each nonzero into all places that it is part of (scatter), and by the nonzeros around each
 * row, or each pixel, of the result (gather).
 *
 *     y(i)       = a(i+k) w(k)
 *     Y(i,j)     = A(i+k,j+l) W(k,l)
 *     Y(i,j,k)   = A(i+p,j+q,k+r) W(p,q,r)
 *     Y(n,y,x,o) = X(n,y+r,x+s,c) W(r,s,c,o)
 */
#include "made.h"

#include <string.h>

enum {
  T = BENCH_TAPS,
  BLOCK = 4096,        /* places of a vector that the cache holds, with their result */
  ROWS = 64,           /* of a result, that a thread takes at a time */
  MOST_COLUMNS = 1024, /* of a row in the innermost dimension */
  CHANNELS = 64        /* of a pixel, that are held in registers */
};

/* The channels of a pixel. */
typedef bench_value channels
    __attribute__((vector_size(CHANNELS * sizeof(bench_value)), aligned(sizeof(bench_value))));

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t out_size(const bench *b, int d) {
  return b->a.dimensions[d] - (T - 1);
}

/* The first of the sorted coordinates from `begin` to `end` that is `least` or more. */
static int32_t first_from(const int32_t *coordinates, int32_t begin, int32_t end, int64_t from) {
  while (begin < end) {
    int32_t middle = begin + (end - begin) / 2;
    if (coordinates[middle] < from)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

static bool zero_values(bench *b, int64_t count) {
  bench_value *values = made_values(b, count);
  if (values)
    memset(values, 0, sizeof *values * (size_t)count);
  return values != NULL;
}

//--- Operands and results ------------------------------------------------------------------------

static int make_filter(bench *b) {
  static const char *const shapes[] = {"t", "tt", "ttt", "ttqr"};
  return !bench_dense(b, 0, shapes[b->a.order - 1]);
}

static int make_dense(bench *b) {
  return !bench_with_zeros(b, 1) || make_filter(b);
}

static int show(bench *b, bench_result *result) {
  int64_t sizes[BENCH_ORDER];
  int order = (int)b->a.order;
  for (int d = 0; d < order; d++)
    sizes[d] = out_size(b, d);
  if (order == 4) {
    sizes[0] = b->a.dimensions[0];
    sizes[3] = b->columns;
  }
  *result = bench_array(order, sizes, made_of(b)->values);
  return 0;
}

//--- One dimension -------------------------------------------------------------------------------

static void filter_vector(const bench_value *restrict a, const bench_value *w,
                          bench_value *restrict y, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    y[i] = a[i] * w[0] + a[i + 1] * w[1] + a[i + 2] * w[2];
}

static int vector_dense(bench *b) {
  int64_t size = out_size(b, 0);
  bench_value *y = made_values(b, size);
#pragma omp parallel for schedule(static)
  for (int64_t at = 0; at < size; at += BLOCK)
    filter_vector(b->dense[1] + at, b->dense[0], y + at, least(BLOCK, size - at));
  return 0;
}

static int vector_densify(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t size = out_size(b, 0);
  bench_value *y = made_values(b, size);
#pragma omp parallel for schedule(static)
  for (int64_t at = 0; at < size; at += BLOCK / 2) {
    bench_value row[BLOCK / 2 + T - 1] = {0};
    int64_t end = at + least(BLOCK / 2, size - at) + T - 1;
    for (int32_t p = first_from(a->coordinates[0], 0, (int32_t)a->counts[0], at);
         p < a->counts[0] && a->coordinates[0][p] < end; p++)
      row[a->coordinates[0][p] - at] = a->values[p];
    filter_vector(row, b->dense[0], y + at, end - at - (T - 1));
  }
  return 0;
}

static int vector_scatter(bench *b) {
  const bench_tensor *a = &b->a;
  const bench_value *w = b->dense[0];
  int64_t size = out_size(b, 0);
  bench_value *y = made_values(b, size);
#pragma omp parallel for schedule(static)
  for (int64_t at = 0; at < size; at += BLOCK) {
    bench_value block[BLOCK + 2 * (T - 1)] = {0};
    int64_t end = at + least(BLOCK, size - at);
    for (int32_t p = first_from(a->coordinates[0], 0, (int32_t)a->counts[0], at);
         p < a->counts[0] && a->coordinates[0][p] < end + T - 1; p++) {
      bench_value *place = block + (a->coordinates[0][p] - at), v = a->values[p];
      place[2] += v * w[0];
      place[1] += v * w[1];
      place[0] += v * w[2];
    }
    memcpy(y + at, block + T - 1, sizeof *y * (size_t)(end - at));
  }
  return 0;
}

//--- Two and three dimensions --------------------------------------------------------------------

/* The rows of the innermost dimension: row i of a matrix, row (i, j) of a tensor of order 3.  Rows
 * of a tensor are found in `begin`, where that of number i * n + j begins; `begin` has another one
 * at its end. */
typedef struct rows {
  int64_t planes, height, width; /* of the operand; a matrix is one plane */
  int depth;                     /* planes of the filter */
  const int32_t *begin, *column;
  const bench_value *value;
} rows;

/* The rows of a tensor of order 3 that has levels which skip the empty ones. */
static int32_t *find_rows(const bench_tensor *a) {
  int64_t count = a->dimensions[0] * a->dimensions[1], at = 0;
  int32_t *begin = bench_allocate((count + 1) * 4);
  for (int32_t s = 0; s < a->counts[0]; s++)
    for (int32_t f = a->positions[1][s]; f < a->positions[1][s + 1]; f++) {
      int64_t row = a->coordinates[0][s] * a->dimensions[1] + a->coordinates[1][f];
      while (at <= row)
        begin[at++] = a->positions[2][f];
    }
  while (at <= count)
    begin[at++] = (int32_t)a->counts[2];
  return begin;
}

static rows rows_of(const bench_tensor *a) {
  if (a->order == 2)
    return (rows){
        1, a->dimensions[0], a->dimensions[1], 1, a->positions[1], a->coordinates[1], a->values};
  return (rows){a->dimensions[0], a->dimensions[1],  a->dimensions[2], T,
                find_rows(a),     a->coordinates[2], a->values};
}

static void drop_rows(const bench_tensor *a, const rows *r) {
  if (a->order == 3)
    free((void *)r->begin);
}

static int64_t out_rows(const rows *r) {
  return (r->planes - (r->depth - 1)) * (r->height - (T - 1));
}

/* The operand's row that is first under the filter for a row of the result. */
static int64_t first_row(const rows *r, int64_t row) {
  int64_t height = r->height - (T - 1);
  return row / height * r->height + row % height;
}

/* One row of the result: the sum over the `depth` times three rows of an array, of which the first
 * is `a`. */
static void filter_rows(const rows *r, const bench_value *restrict a, const bench_value *restrict w,
                        bench_value *restrict y) {
  int64_t width = r->width, plane = r->height * r->width;
  if (r->depth == 1)
    for (int64_t j = 0; j < width - (T - 1); j++) {
      bench_value sum = 0;
      for (int k = 0; k < T; k++)
        for (int l = 0; l < T; l++)
          sum += a[k * width + j + l] * w[k * T + l];
      y[j] = sum;
    }
  else
    for (int64_t j = 0; j < width - (T - 1); j++) {
      bench_value sum = 0;
      for (int p = 0; p < T; p++)
        for (int k = 0; k < T; k++)
          for (int l = 0; l < T; l++)
            sum += a[p * plane + k * width + j + l] * w[(p * T + k) * T + l];
      y[j] = sum;
    }
}

static int rows_dense(bench *b) {
  rows r =
      b->a.order == 2
          ? (rows){1, b->a.dimensions[0], b->a.dimensions[1], 1, NULL, NULL, NULL}
          : (rows){b->a.dimensions[0], b->a.dimensions[1], b->a.dimensions[2], T, NULL, NULL, NULL};
  int64_t out = r.width - (T - 1), count = out_rows(&r);
  bench_value *y = made_values(b, count * out);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; i++)
    filter_rows(&r, b->dense[1] + first_row(&r, i) * r.width, b->dense[0], y + i * out);
  return 0;
}

/* Each row of the operand as an array, from its zeros or what was there before it. */
static void densify_row(const rows *r, int64_t row, bench_value *into) {
  memset(into, 0, sizeof *into * (size_t)r->width);
  for (int32_t p = r->begin[row]; p < r->begin[row + 1]; p++)
    into[r->column[p]] = r->value[p];
}

/* One row of a matrix's result from three rows in a ring. */
static void filter_ring(const bench_value *restrict a, const bench_value *restrict b,
                        const bench_value *restrict c, const bench_value *restrict w,
                        bench_value *restrict y, int64_t width) {
  for (int64_t j = 0; j < width - (T - 1); j++)
    y[j] = a[j] * w[0] + a[j + 1] * w[1] + a[j + 2] * w[2] + b[j] * w[3] + b[j + 1] * w[4] +
           b[j + 2] * w[5] + c[j] * w[6] + c[j + 1] * w[7] + c[j + 2] * w[8];
}

/* Rows `from` to `end` of a matrix's result; three rows of the operand are in the cache at once. */
static void densify_matrix(const rows *r, const bench_value *w, int64_t from, int64_t end,
                           bench_value *y) {
  bench_value ring[T][MOST_COLUMNS];
  for (int64_t i = from; i < from + T - 1; i++)
    densify_row(r, i, ring[i % T]);
  for (int64_t i = from; i < end; i++) {
    densify_row(r, i + T - 1, ring[(i + T - 1) % T]);
    filter_ring(ring[i % T], ring[(i + 1) % T], ring[(i + 2) % T], w, y + i * (r->width - (T - 1)),
                r->width);
  }
}

/* Planes `from` to `end` of a tensor's result, of the planes that they need as arrays. */
static void densify_planes(const rows *r, const bench_value *w, int64_t from, int64_t end,
                           bench_value *y) {
  int64_t out_height = r->height - (T - 1), out = r->width - (T - 1), plane = r->height * r->width;
  bench_value *planes = bench_allocate((end - from + T - 1) * plane * (int64_t)sizeof *planes);
  for (int64_t row = from * r->height; row < (end + T - 1) * r->height; row++)
    densify_row(r, row, planes + (row - from * r->height) * r->width);
  for (int64_t i = from; i < end; i++)
    for (int64_t j = 0; j < out_height; j++)
      filter_rows(r, planes + (i - from) * plane + j * r->width, w, y + (i * out_height + j) * out);
  free(planes);
}

enum { PLANES = 2 };

static int rows_densify(bench *b) {
  rows r = rows_of(&b->a);
  if (r.width > MOST_COLUMNS)
    return 1;
  int64_t count = r.depth == 1 ? out_rows(&r) : r.planes - (T - 1);
  int64_t step = r.depth == 1 ? ROWS : PLANES;
  bench_value *y = made_values(b, out_rows(&r) * (r.width - (T - 1)));
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < count; i += step)
    (r.depth == 1 ? densify_matrix : densify_planes)(&r, b->dense[0], i, least(i + step, count), y);
  drop_rows(&b->a, &r);
  return 0;
}

/* Adds a row of the operand under three taps to a row of the result. */
static void add_row(const rows *r, int64_t row, const bench_value *w, bench_value *restrict y) {
  int64_t out = r->width - (T - 1);
  for (int32_t p = r->begin[row]; p < r->begin[row + 1]; p++) {
    int64_t j = r->column[p];
    bench_value v = r->value[p];
    if (j >= T - 1 && j < out) {
      y[j] += v * w[0];
      y[j - 1] += v * w[1];
      y[j - 2] += v * w[2];
    } else
      for (int l = 0; l < T; l++)
        if (j - l >= 0 && j - l < out)
          y[j - l] += v * w[l];
  }
}

static int rows_gather(bench *b) {
  rows r = rows_of(&b->a);
  int64_t out = r.width - (T - 1), count = out_rows(&r);
  bench_value *y = made_values(b, count * out);
#pragma omp parallel for schedule(dynamic, ROWS)
  for (int64_t i = 0; i < count; i++) {
    memset(y + i * out, 0, sizeof *y * (size_t)out);
    for (int p = 0; p < r.depth; p++)
      for (int k = 0; k < T; k++)
        add_row(&r, first_row(&r, i) + p * r.height + k, b->dense[0] + (p * T + k) * T,
                y + i * out);
  }
  drop_rows(&b->a, &r);
  return 0;
}

/* From each row of the operand into all rows of the result that it is part of: one pass over what
 * is stored, on one thread. */
static int rows_scatter(bench *b) {
  rows r = rows_of(&b->a);
  int64_t out = r.width - (T - 1), height = r.height - (T - 1), planes = r.planes - (r.depth - 1);
  bool there = zero_values(b, out_rows(&r) * out);
  bench_value *y = made_of(b)->values;
  for (int64_t row = 0; there && row < r.planes * r.height; row++)
    for (int p = 0; p < r.depth; p++)
      for (int k = 0; k < T; k++) {
        int64_t i = row / r.height - p, j = row % r.height - k;
        if (i >= 0 && i < planes && j >= 0 && j < height)
          add_row(&r, row, b->dense[0] + (p * T + k) * T, y + (i * height + j) * out);
      }
  drop_rows(&b->a, &r);
  return !there;
}

//--- Pixels with channels ------------------------------------------------------------------------

/* The rows of a picture: where the pixels of row (n, y) begin, among all pixels. */
static int32_t *find_pixel_rows(const bench_tensor *a) {
  return find_rows(&(bench_tensor){.order = 3,
                                   .dimensions = {a->dimensions[0], a->dimensions[1]},
                                   .counts = {a->counts[0], a->counts[1], a->counts[2]},
                                   .positions = {a->positions[0], a->positions[1], a->positions[2]},
                                   .coordinates = {a->coordinates[0], a->coordinates[1]}});
}

/* Adds what a pixel's nonzero channels come to, under one tap. */
static channels add_pixel(const bench_tensor *a, int32_t pixel, const bench_value *tap,
                          int64_t columns, channels sum) {
  for (int32_t p = a->positions[3][pixel]; p < a->positions[3][pixel + 1]; p++)
    sum += a->values[p] * *(const channels *)(tap + a->coordinates[3][p] * columns);
  return sum;
}

/* One tap at a time over a row of the result: its weights stay in the first cache. */
static void tap_row(const bench_tensor *a, int32_t begin, int32_t end, const bench_value *tap,
                    int s, int64_t out, int64_t columns, bench_value *y) {
  for (int32_t p = begin; p < end; p++) {
    int64_t x = a->coordinates[2][p] - s;
    for (int64_t k = 0; x >= 0 && x < out && k < columns; k += CHANNELS) {
      channels *place = (channels *)(y + x * columns + k);
      *place = add_pixel(a, p, tap + k, columns, *place);
    }
  }
}

static int pixels_scatter(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t height = out_size(b, 1), out = out_size(b, 2), columns = b->columns;
  int64_t tap = a->dimensions[3] * columns;
  int32_t *row = find_pixel_rows(a);
  bench_value *y = made_values(b, a->dimensions[0] * height * out * columns);
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < a->dimensions[0] * height; i++) {
    int64_t first = i / height * a->dimensions[1] + i % height;
    bench_value *at = y + i * out * columns;
    memset(at, 0, sizeof *y * (size_t)(out * columns));
    for (int r = 0; r < T; r++)
      for (int s = 0; s < T; s++)
        tap_row(a, row[first + r], row[first + r + 1], b->dense[0] + (r * T + s) * tap, s, out,
                columns, at);
  }
  free(row);
  return 0;
}

/* One pixel of the result at a time, with a place in each of the three rows under the filter. */
static int pixels_gather(bench *b) {
  const bench_tensor *a = &b->a;
  int64_t height = out_size(b, 1), out = out_size(b, 2), columns = b->columns;
  int64_t tap = a->dimensions[3] * columns;
  int32_t *row = find_pixel_rows(a);
  bench_value *y = made_values(b, a->dimensions[0] * height * out * columns);
  if (columns != CHANNELS)
    return free(row), 1;
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < a->dimensions[0] * height; i++) {
    int64_t first = i / height * a->dimensions[1] + i % height;
    int32_t at[T];
    for (int r = 0; r < T; r++)
      at[r] = row[first + r];
    for (int64_t x = 0; x < out; x++) {
      channels sum = {0};
      for (int r = 0; r < T; r++) {
        while (at[r] < row[first + r + 1] && a->coordinates[2][at[r]] < x)
          at[r]++;
        for (int32_t p = at[r]; p < row[first + r + 1] && a->coordinates[2][p] < x + T; p++)
          sum =
              add_pixel(a, p, b->dense[0] + (r * T + a->coordinates[2][p] - x) * tap, columns, sum);
      }
      *(channels *)(y + (i * out + x) * columns) = sum;
    }
  }
  free(row);
  return 0;
}

#define WAY(name, prepare, run) {name, prepare, run, show, made_drop, NULL, NULL, NULL}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      WAY("conv1-dense", make_dense, vector_dense),
      WAY("conv1-densify", make_filter, vector_densify),
      WAY("conv1-scatter", make_filter, vector_scatter),
      WAY("conv2-dense", make_dense, rows_dense),
      WAY("conv2-densify", make_filter, rows_densify),
      WAY("conv2-scatter", make_filter, rows_scatter),
      WAY("conv2-gather", make_filter, rows_gather),
      WAY("conv3-dense", make_dense, rows_dense),
      WAY("conv3-densify", make_filter, rows_densify),
      WAY("conv3-scatter", make_filter, rows_scatter),
      WAY("conv3-gather", make_filter, rows_gather),
      WAY("conv-nhwc-scatter", make_filter, pixels_scatter),
      WAY("conv-nhwc-gather", make_filter, pixels_gather),
  };
  return bench_main(argc, argv, kernels, sizeof kernels / sizeof kernels[0]);
}
