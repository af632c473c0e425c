/* The operands of the benchmark's programs; see harness.h. */
#include "operands.h"
#include "fingerprint.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_NUMBERS = 2 * BENCH_ORDER + 1 };

void *bench_allocate(int64_t bytes) {
  return malloc(bytes > 0 ? (size_t)bytes : 1);
}

static bench_value *allocate_values(int64_t count) {
  return (bench_value *)bench_allocate(count * (int64_t)sizeof(bench_value));
}

int64_t bench_size(const bench *b, char letter) {
  if (letter == 'r' || letter == 't')
    return letter == 'r' ? b->columns : BENCH_TAPS;
  return b->a.dimensions[letter <= 'n' ? letter - 'm' : letter - 'p' + 2];
}

bench_value *bench_dense(bench *b, int slot, const char *shape) {
  int64_t count = 1;
  for (const char *letter = shape; *letter; letter++)
    count *= bench_size(b, *letter);
  bench_value *values = b->dense[slot] = allocate_values(count);
  for (int64_t i = 0; values && i < count; i++)
    values[i] =
        (bench_value)(0.5 + (double)(uint32_t)((uint64_t)(i + slot + 1) * 2654435761u) * 0x1p-32);
  return values;
}

/* Writes what is below an entry of a level, or in the whole tensor above level 0, to its places. */
static void place_fibre(const bench_tensor *t, int level, int32_t entry, bench_value *places) {
  if (level == t->order) {
    *places = t->values[entry];
    return;
  }
  bool is_row = t->order == 2 && level == 0;
  int32_t begin = is_row ? 0 : t->positions[level][entry];
  int32_t end = is_row ? (int32_t)t->dimensions[0] : t->positions[level][entry + 1];
  int64_t stride = 1;
  for (int64_t d = level + 1; d < t->order; d++)
    stride *= t->dimensions[d];
  for (int32_t p = begin; p < end; p++)
    place_fibre(t, level + 1, p, places + stride * (is_row ? p : t->coordinates[level][p]));
}

bench_value *bench_with_zeros(bench *b, int slot) {
  int64_t count = 1;
  for (int64_t d = 0; d < b->a.order; d++)
    count *= b->a.dimensions[d];
  bench_value *places = b->dense[slot] = allocate_values(count);
  if (places) {
    memset(places, 0, sizeof *places * (size_t)count);
    place_fibre(&b->a, 0, 0, places);
  }
  return places;
}

/* Whether the sparse vector has an entry there: by the upper 24 bits of a hash. */
static bool has_entry(const bench *b, int64_t place) {
  uint64_t chance = (uint64_t)b->columns * (UINT64_C(1) << 24) / 1000000;
  return fingerprint_hash((uint64_t)place) >> 40 < chance;
}

static void keep_entries(const bench *b, bench_tensor *x, const bench_value *values) {
  int64_t count = 0;
  for (int64_t i = 0; i < x->dimensions[0]; i++)
    if (has_entry(b, i)) {
      x->coordinates[0][count] = (int32_t)i;
      x->values[count++] = values[i];
    }
  x->counts[0] = x->positions[0][1] = (int32_t)count;
}

bool bench_sparse_vector(bench *b, char letter) {
  bench_tensor *x = &b->x;
  bench_value *values = bench_dense(b, 0, (char[]){letter, '\0'});
  *x = (bench_tensor){.order = 1, .dimensions = {bench_size(b, letter)}};
  int64_t room = 0;
  for (int64_t i = 0; i < x->dimensions[0]; i++)
    room += has_entry(b, i);
  x->positions[0] = calloc(2, sizeof *x->positions[0]);
  x->coordinates[0] = bench_allocate(room * 4);
  x->values = allocate_values(room);
  bool there = values && x->positions[0] && x->coordinates[0] && x->values;
  if (there)
    keep_entries(b, x, values);
  free(values);
  b->dense[0] = NULL;
  return there;
}

bench_value *bench_scattered_vector(bench *b, char letter) {
  bench_value *values = bench_dense(b, 0, (char[]){letter, '\0'});
  for (int64_t i = 0; values && i < bench_size(b, letter); i++)
    if (!has_entry(b, i))
      values[i] = 0;
  return values;
}

static void swap_entries(bench_tensor *t, int64_t e, int64_t f) {
  bench_value value = t->values[e];
  t->values[e] = t->values[f];
  t->values[f] = value;
  for (int l = 0; l < t->order; l++) {
    int32_t coordinate = t->coordinates[l][e];
    t->coordinates[l][e] = t->coordinates[l][f];
    t->coordinates[l][f] = coordinate;
  }
}

void bench_shuffle(bench_tensor *t) {
  for (int64_t e = bench_entries(t) - 1; e > 0; e--)
    swap_entries(t, e, (int64_t)(fingerprint_hash((uint64_t)e) % (uint64_t)(e + 1)));
}

static void *load(const char *folder, const char *name, int64_t count, int width) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  void *data = file ? bench_allocate(count * width) : NULL;
  if (data && fread(data, (size_t)width, (size_t)count, file) != (size_t)count) {
    free(data);
    data = NULL;
  }
  if (file)
    fclose(file);
  return data;
}

/* The numbers in a folder's file `shape`; how many they are. */
static int load_numbers(const char *folder, int64_t numbers[SHAPE_NUMBERS]) {
  char text[512], path[4096], *at = text, *end;
  snprintf(path, sizeof path, "%s/shape", folder);
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  for (int found = 0;; found++, at = end) {
    long long number = strtoll(at, &end, 10);
    if (end == at || found == SHAPE_NUMBERS)
      return found;
    numbers[found] = number;
  }
}

static bool load_shape(const char *folder, bench_tensor *t) {
  int64_t numbers[SHAPE_NUMBERS] = {0};
  int found = load_numbers(folder, numbers);
  if (found < 1 || numbers[0] < 1 || numbers[0] > BENCH_ORDER || found != 2 * numbers[0] + 1)
    return false;
  t->order = numbers[0];
  for (int l = 0; l < t->order; l++) {
    t->dimensions[l] = numbers[1 + l];
    t->counts[l] = numbers[1 + t->order + l];
  }
  return true;
}

static bool load_level(const char *folder, bench_tensor *t, int level) {
  char name[24];
  bool is_rows = t->order == 2 && level == 0;
  snprintf(name, sizeof name, "coordinates%d", level);
  t->coordinates[level] = load(folder, name, t->counts[is_rows ? 1 : level], 4);
  snprintf(name, sizeof name, "positions%d", level);
  if (!is_rows)
    t->positions[level] = load(folder, name, bench_parents(t, level) + 1, 4);
  return t->coordinates[level] && (is_rows || t->positions[level]);
}

/* The values are stored as f64. */
static bench_value *load_values(const char *folder, int64_t count) {
  double *stored = load(folder, "values", count, 8);
  if (sizeof(bench_value) == sizeof *stored)
    return (bench_value *)stored;
  bench_value *values = stored ? allocate_values(count) : NULL;
  for (int64_t e = 0; values && e < count; e++)
    values[e] = (bench_value)stored[e];
  free(stored);
  return values;
}

static bool load_levels(const char *folder, bench_tensor *t) {
  bool there = true;
  int64_t entries = 0;
  for (int l = 0; l < t->order; l++) {
    there = there && load_level(folder, t, l);
    entries = t->counts[l];
  }
  t->values = there ? load_values(folder, entries) : NULL;
  return t->values != NULL;
}

bool bench_load(const char *folder, bench_tensor *t) {
  bool there = load_shape(folder, t) && load_levels(folder, t);
  if (!there)
    fprintf(stderr, "error: no tensor could be loaded from '%s'\n", folder);
  return there;
}
