/* pack - makes of a tensor's file a folder that the benchmark's programs load at once.
 *
 *     pack FILE FOLDER [ones] [lower] [spread] [SIZE...]
 *
 *     shape               order, dimensions, number of coordinates at each level
 *     positionsL coordinatesL   of level L, 32 bits; for a matrix (CSR) coordinates0 are the rows
 *                         of the entries, so that it is also a coordinate list
 *     values              f64, made positive, zeros ones: sums never cancel, so that programs that
 *                         drop zeros store what the others store
 *
 * Entries at the same place are added up.
 *
 * A matrix becomes CSR, a tensor of order 1, 3 or 4 CSF.  Sizes are those of the dimensions, where
 * the file does not tell; with `spread` they are multiples of the file's own, and coordinates move
 * out alike, so that what lies between is empty.  Of `lower` the entries (i, j) become those below
 * the diagonal, at (max(i, j), min(i, j)): each edge of an undirected graph once.  With `ones` all
 * values are 1.
 */
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_memory.h"
#include "lac_tensor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 4 };

/* What is said on the command line. */
typedef struct request {
  bool ones, lower, spread;
  int order; /* 0: no sizes */
  int64_t sizes[ORDER];
} request;

typedef struct packed {
  const lac_tensor *coo;
  const request *asked;
  int64_t entries, counts[ORDER];
  int64_t *origin; /* of each entry, the first one at its place in `coo` */
  int32_t *positions[ORDER], *coordinates[ORDER];
} packed;

static int order_of(const packed *p) {
  return (int)p->coo->order;
}

static int64_t coordinate(const packed *p, int level, int64_t entry) {
  return lac_array_get(&p->coo->levels[level].array[LAC_COORDINATES], p->origin[entry]);
}

/* The outermost level at which an entry differs from the one before it. */
static int first_change(const packed *p, int64_t entry) {
  int level = 0;
  while (entry > 0 && level + 1 < order_of(p) &&
         coordinate(p, level, entry) == coordinate(p, level, entry - 1))
    level++;
  return level;
}

static void append(packed *p, int level, int64_t entry) {
  int64_t at = p->counts[level]++;
  p->coordinates[level][at] = (int32_t)coordinate(p, level, entry);
  if (level + 1 < order_of(p))
    p->positions[level + 1][at] = (int32_t)p->counts[level + 1];
}

/* The fibre tree of the sorted entries (Smith and Karypis 2015, section 3). */
static void pack_fibres(packed *p) {
  p->positions[0][0] = 0;
  for (int64_t e = 0; e < p->entries; e++)
    for (int l = first_change(p, e); l < order_of(p); l++)
      append(p, l, e);
  p->positions[0][1] = (int32_t)p->counts[0];
  for (int l = 1; l < order_of(p); l++)
    p->positions[l][p->counts[l - 1]] = (int32_t)p->counts[l];
}

static void pack_rows(packed *p) {
  int64_t rows = p->coo->dimensions[0], entry = 0;
  for (int64_t i = 0; i <= rows; i++) {
    while (entry < p->entries && coordinate(p, 0, entry) < i)
      entry++;
    p->positions[1][i] = (int32_t)entry;
  }
  for (int l = 0; l < 2; l++)
    for (int64_t e = 0; e < p->entries; e++)
      p->coordinates[l][e] = (int32_t)coordinate(p, l, e);
  p->counts[0] = rows;
  p->counts[1] = p->entries;
}

static int write_array(const char *folder, const char *name, int level, const void *data,
                       int64_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, level < 0 ? "%s/%s" : "%s/%s%d", folder, name, level);
  FILE *file = fopen(path, "wb");
  size_t written = file ? fwrite(data, 1, (size_t)bytes, file) : 0;
  return (file ? fclose(file) : 1) || written != (size_t)bytes;
}

static int write_shape(const packed *p, const char *folder) {
  char text[256];
  int length = sprintf(text, "%d", (int)p->coo->order);
  for (int d = 0; d < order_of(p); d++)
    length += sprintf(text + length, " %lld", (long long)p->coo->dimensions[d]);
  for (int l = 0; l < order_of(p); l++)
    length += sprintf(text + length, " %lld", (long long)p->counts[l]);
  return write_array(folder, "shape", -1, text, length);
}

static void make_positive(const lac_tensor *coo) {
  double *values = coo->values.data;
  for (int64_t e = 0; e < coo->values.length; e++)
    values[e] = values[e] == 0 ? 1 : fabs(values[e]);
}

static bool same_place(const packed *p, int64_t e, int64_t f) {
  int level = 0;
  while (level < order_of(p) && coordinate(p, level, e) == coordinate(p, level, f))
    level++;
  return level == order_of(p);
}

/* Adds up sorted entries at the same place; without the diagonal, where only what is below it is
 * asked for. */
static void add_duplicates(packed *p) {
  double *values = p->coo->values.data;
  int64_t count = 0;
  for (int64_t e = 0; e < p->entries; e++) {
    p->origin[count] = e;
    if (p->asked->lower && coordinate(p, 0, count) == coordinate(p, 1, count))
      continue;
    if (count && same_place(p, count - 1, count))
      values[count - 1] += values[e];
    else
      values[count++] = values[e];
  }
  p->entries = count;
  for (int64_t e = 0; p->asked->ones && e < count; e++)
    values[e] = 1;
}

static int write_all(const packed *p, const char *folder) {
  int failed = 0;
  for (int l = 0; l < order_of(p); l++) {
    bool is_rows = p->coo->order == 2 && l == 0;
    int64_t parents = l ? p->counts[l - 1] : 1, entries = is_rows ? p->entries : p->counts[l];
    if (!is_rows)
      failed |= write_array(folder, "positions", l, p->positions[l], 4 * (parents + 1));
    failed |= write_array(folder, "coordinates", l, p->coordinates[l], 4 * entries);
  }
  failed |= write_array(folder, "values", -1, p->coo->values.data, 8 * p->entries);
  return failed || write_shape(p, folder);
}

static bool make_room(packed *p) {
  int64_t rows = p->coo->dimensions[0], room = (p->entries > rows ? p->entries : rows) + 2;
  p->origin = malloc(sizeof *p->origin * (size_t)room);
  bool there = p->origin != NULL;
  for (int l = 0; l < order_of(p); l++) {
    p->positions[l] = calloc((size_t)room, sizeof(int32_t));
    p->coordinates[l] = calloc((size_t)room, sizeof(int32_t));
    there = there && p->positions[l] && p->coordinates[l];
  }
  return there;
}

static void free_room(packed *p) {
  free(p->origin);
  for (int l = 0; l < order_of(p); l++) {
    free(p->positions[l]);
    free(p->coordinates[l]);
  }
}

static int pack(const lac_tensor *coo, const request *asked, const char *folder) {
  packed p = {.coo = coo, .asked = asked, .entries = lac_coo_count(coo)};
  int failed = !make_room(&p);
  make_positive(coo);
  if (!failed)
    add_duplicates(&p);
  if (!failed && coo->order == 2)
    pack_rows(&p);
  else if (!failed)
    pack_fibres(&p);
  failed = failed || write_all(&p, folder);
  free_room(&p);
  return failed;
}

//--- What is asked for --------------------------------------------------------------------------

static request take_words(int count, char **words) {
  request r = {0};
  for (int w = 0; w < count; w++) {
    bool *flag = !strcmp(words[w], "ones")     ? &r.ones
                 : !strcmp(words[w], "lower")  ? &r.lower
                 : !strcmp(words[w], "spread") ? &r.spread
                                               : NULL;
    if (flag)
      *flag = true;
    else if (r.order < ORDER)
      r.sizes[r.order++] = strtoll(words[w], NULL, 10);
  }
  return r;
}

static void spread_out(lac_tensor *coo, const request *r) {
  for (int d = 0; d < r->order && d < coo->order; d++) {
    lac_array *coordinates = &coo->levels[d].array[LAC_COORDINATES];
    int64_t times = r->sizes[d] / coo->dimensions[d];
    for (int64_t e = 0; e < lac_coo_count(coo); e++)
      lac_array_set(coordinates, e, times * lac_array_get(coordinates, e));
    coo->dimensions[d] = coo->levels[d].size = r->sizes[d];
  }
}

static void turn_below(lac_tensor *coo) {
  lac_array *rows = &coo->levels[0].array[LAC_COORDINATES];
  lac_array *columns = &coo->levels[1].array[LAC_COORDINATES];
  for (int64_t e = 0; e < lac_coo_count(coo); e++) {
    int64_t i = lac_array_get(rows, e), j = lac_array_get(columns, e);
    lac_array_set(rows, e, i > j ? i : j);
    lac_array_set(columns, e, i > j ? j : i);
  }
}

static int read(const char *file, const request *r, lac_tensor *coo) {
  static const int64_t order[ORDER] = {0, 1, 2, 3};
  lac_read_options wanted = {.type = LAC_F64, .order = -1};
  if (r->order && !r->spread) {
    wanted.order = r->order;
    wanted.dimensions = (int64_t *)r->sizes;
  }
  if (lac_file_read(file, &wanted, coo, NULL) || lac_coo_expect(coo))
    return 1;
  if (r->spread)
    spread_out(coo, r);
  if (r->lower)
    turn_below(coo);
  return lac_coo_sort(coo, order);
}

int main(int argc, char **argv) {
  lac_tensor coo = {0};
  if (argc < 3)
    return fprintf(stderr, "usage: %s FILE FOLDER [ones] [lower] [spread] [SIZE...]\n", argv[0]), 2;
  request r = take_words(argc - 3, argv + 3);
  if (read(argv[1], &r, &coo))
    return fprintf(stderr, "error: %s\n", lac_error_message()), 1;
  if (coo.order < 1 || coo.order > ORDER || pack(&coo, &r, argv[2]))
    return fprintf(stderr, "error: '%s' could not be packed into '%s'\n", argv[1], argv[2]), 1;
  lac_tensor_free(&coo);
  return 0;
}
