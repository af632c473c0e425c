/* Walks a stored result once, level by level. */
#include "fingerprint.h"

#include <math.h>

/* The places of the coordinates (i, j, k) are numbered row-major: (i * J + j) * K + k. */
typedef struct walk {
  const bench_result *result;
  int64_t strides[BENCH_ORDER]; /* of each level's dimension */
  fingerprint f;
} walk;

static int64_t element(const void *array, int width, int64_t at) {
  return width == 4 ? ((const int32_t *)array)[at] : ((const int64_t *)array)[at];
}

uint64_t fingerprint_hash(uint64_t place) {
  place = (place + 1) * UINT64_C(0x9E3779B97F4A7C15);
  place = (place ^ (place >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
  return place ^ (place >> 32);
}

static void take(walk *w, int64_t place, double value) {
  if (w->result->padded && value == 0)
    return;
  uint64_t h = fingerprint_hash((uint64_t)place);
  w->f.entries++;
  w->f.places += h;
  w->f.sum += (double)(h >> 40) * 0x1p-24 * value;
  w->f.size += fabs(value);
}

static void descend(walk *w, int level, int64_t position, int64_t place);

static void descend_dense(walk *w, int level, int64_t position, int64_t place) {
  int64_t size = w->result->levels[level].size;
  for (int64_t c = 0; c < size; c++)
    descend(w, level + 1, position * size + c, place + c * w->strides[level]);
}

static void descend_stored(walk *w, int level, int64_t position, int64_t place) {
  const bench_level *l = &w->result->levels[level];
  int width = w->result->width;
  int64_t begin = l->positions ? element(l->positions, width, position) : position;
  int64_t end = l->positions ? element(l->positions, width, position + 1) : position + 1;
  int64_t last = -1;
  for (int64_t p = begin; p < end; p++) {
    int64_t c = element(l->coordinates, width, p);
    w->f.sorted = w->f.sorted && last < c;
    last = c;
    descend(w, level + 1, p, place + c * w->strides[level]);
  }
}

static void descend(walk *w, int level, int64_t position, int64_t place) {
  if (level == w->result->order)
    take(w, place, w->result->values[position]);
  else if (w->result->levels[level].coordinates)
    descend_stored(w, level, position, place);
  else
    descend_dense(w, level, position, place);
}

static int64_t stride_of(const bench_result *r, int dimension) {
  int64_t stride = 1;
  for (int l = 0; l < r->order; l++)
    if (r->levels[l].dimension > dimension)
      stride *= r->levels[l].size;
  return stride;
}

fingerprint fingerprint_of(const bench_result *result) {
  walk w = {.result = result, .f.sorted = true};
  for (int l = 0; l < result->order; l++)
    w.strides[l] = stride_of(result, result->levels[l].dimension);
  descend(&w, 0, 0, 0);
  return w.f;
}
