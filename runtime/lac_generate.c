/* lac_generate.c - makes stencils and random tensors; see lac_generate.h.
 *
 * Random places are drawn, sorted, and freed of duplicates, and as many as are missing are drawn
 * again; where more than half of all places are wanted they are walked instead, and each taken with
 * the probability
 *
 *     wanted still / places left              (Knuth, The Art of Computer Programming, 3.4.2, S)
 *
 * Values are drawn last, in the order of the entries.
 */
#include "lac_generate.h"

#include "lac_error.h"
#include "lac_integer.h"
#include "lac_list.h"
#include "lac_memory.h"
#include "lac_number.h"
#include "lac_random.h"
#include "lac_storage.h"
#include "lac_value.h"

#include <math.h>

/* Room at first where only the walk tells how many entries there are. */
enum { SOME_ENTRIES = 1 << 10 };

typedef struct generator {
  int64_t order;
  const int64_t *dimensions;
  lac_random random;
  lac_list list;
  void (*draw)(struct generator *g, int64_t *coordinates);
  int64_t *rows, classes; /* of exponential matrices: the rows in random order */
} generator;

/* ---- Life --------------------------------------------------------------------------------- */

static int32_t check_sizes(int64_t order, const int64_t *dimensions, int32_t type) {
  bool valid = order >= 0 && order <= LAC_FILE_ORDER && lac_type_width(type) > 0;
  for (int64_t d = 0; d < order && valid; d++)
    valid = dimensions[d] >= 0;
  return valid ? LAC_OK
               : lac_error_set(LAC_ERROR_SHAPE,
                               "expected an element type and at most %d sizes of 0 or more to "
                               "generate a tensor",
                               LAC_FILE_ORDER);
}

/* The number of places, or INT64_MAX where it does not fit. */
static int64_t count_places(const generator *g) {
  int64_t places = 1;
  for (int64_t d = 0; d < g->order; d++)
    if (g->dimensions[d] == 0)
      return 0;
  for (int64_t d = 0; d < g->order; d++)
    if (__builtin_mul_overflow(places, g->dimensions[d], &places))
      return INT64_MAX;
  return places;
}

static int64_t at_most_places(const generator *g, int64_t entries) {
  int64_t places = count_places(g);
  return entries < places ? entries : places;
}

/* With room for as many entries as there will be at most. */
static int32_t begin(generator *g, int64_t entries, uint64_t seed, int32_t type) {
  int32_t status = check_sizes(g->order, g->dimensions, type);
  g->random = lac_random_seed(seed);
  return status != LAC_OK ? status
                          : lac_list_create(&g->list, type, g->order, g->dimensions, entries);
}

static double random_part(lac_random *random, int32_t type) {
  int64_t largest = lac_type_is_integer(type) ? 9 : 1000;
  int64_t number = lac_random_below(random, 2 * largest) - largest;
  number += number >= 0;
  return lac_type_is_integer(type) ? (double)number : (double)number / 1000;
}

static void fill_values(int32_t type, lac_array *values, int64_t count, lac_random *random) {
  char *value = values->data;
  for (int64_t p = 0; p < count; p++, value += values->width) {
    double real = random_part(random, type);
    double imaginary = lac_type_is_complex(type) ? random_part(random, type) : 0;
    lac_set_value(type, real, imaginary, value);
  }
}

static int32_t finish(generator *g, int32_t status, lac_tensor *out) {
  if (status != LAC_OK) {
    lac_list_free(&g->list);
    return status;
  }
  fill_values(g->list.type, &g->list.values, g->order == 0 ? 1 : g->list.count, &g->random);
  return lac_list_store(&g->list, NULL, NULL, out);
}

static int32_t append(generator *g, const int64_t *coordinates) {
  static const char zero[LAC_VALUE_WIDTH];
  return lac_list_append(&g->list, coordinates, zero);
}

/* ---- Distinct places ---------------------------------------------------------------------- */

static int64_t *coordinates_of(const lac_list *list, int64_t d) {
  return list->coordinates[d].data;
}

static bool same_as_before(const lac_list *list, int64_t kept, int64_t p) {
  for (int64_t d = 0; d < list->order; d++)
    if (coordinates_of(list, d)[kept] != coordinates_of(list, d)[p])
      return false;
  return true;
}

static void remove_duplicates(lac_list *list) {
  int64_t kept = 0;
  for (int64_t p = 1; p < list->count; p++) {
    if (same_as_before(list, kept, p))
      continue;
    kept++;
    for (int64_t d = 0; d < list->order; d++)
      coordinates_of(list, d)[kept] = coordinates_of(list, d)[p];
  }
  list->count = list->count > 0 ? kept + 1 : 0;
}

static int32_t sort_distinct(generator *g) {
  int32_t status = lac_list_sort(&g->list);
  if (status == LAC_OK)
    remove_duplicates(&g->list);
  return status;
}

/* Draws until there are `wanted` distinct places, or a round finds next to none. */
static int32_t draw_distinct(generator *g, int64_t wanted) {
  enum { ROUNDS = 50 };
  int64_t coordinates[LAC_FILE_ORDER] = {0};
  int32_t status = LAC_OK;
  for (int round = 0; round < ROUNDS && g->list.count < wanted && status == LAC_OK; round++) {
    for (int64_t missing = wanted - g->list.count; missing > 0 && status == LAC_OK; missing--) {
      g->draw(g, coordinates);
      status = append(g, coordinates);
    }
    if (status == LAC_OK)
      status = sort_distinct(g);
  }
  return status;
}

static void next_place(const generator *g, int64_t *coordinates) {
  for (int64_t d = g->order; d-- > 0;) {
    if (++coordinates[d] < g->dimensions[d])
      return;
    coordinates[d] = 0;
  }
}

static int32_t walk_places(generator *g, int64_t places, int64_t wanted) {
  int64_t coordinates[LAC_FILE_ORDER] = {0};
  int32_t status = LAC_OK;
  for (; wanted > 0 && status == LAC_OK; places--, next_place(g, coordinates))
    if (lac_random_below(&g->random, places) < wanted) {
      status = append(g, coordinates);
      wanted--;
    }
  return status;
}

static void draw_uniform(generator *g, int64_t *coordinates) {
  for (int64_t d = 0; d < g->order; d++)
    coordinates[d] = lac_random_below(&g->random, g->dimensions[d]);
}

static int32_t fill_uniform(generator *g, int64_t wanted) {
  int64_t places = count_places(g);
  g->draw = draw_uniform;
  return wanted > places / 2 ? walk_places(g, places, wanted) : draw_distinct(g, wanted);
}

/* ---- Any order ---------------------------------------------------------------------------- */

int32_t lac_generate_uniform(int64_t order, const int64_t *dimensions, int64_t entries,
                             uint64_t seed, int32_t type, lac_tensor *out) {
  generator g = {.order = order, .dimensions = dimensions};
  int64_t wanted = at_most_places(&g, entries);
  int32_t status = begin(&g, wanted, seed, type);
  return status != LAC_OK ? status
                          : finish(&g, order == 0 ? LAC_OK : fill_uniform(&g, wanted), out);
}

static int32_t refuse_density(double density) {
  char text[LAC_NUMBER_LENGTH + 1] = "";
  lac_write_f64(text, density);
  return lac_error_set(LAC_ERROR_SHAPE,
                       "expected a density from 0 to 1 that gives less than 2^60 entries, found %s",
                       text);
}

int32_t lac_generate_random(int64_t order, const int64_t *dimensions, double density, uint64_t seed,
                            int32_t type, lac_tensor *out) {
  int32_t status = check_sizes(order, dimensions, type);
  if (status != LAC_OK)
    return status;
  double wanted = density;
  for (int64_t d = 0; d < order; d++)
    wanted *= (double)dimensions[d];
  if (!(density >= 0 && density <= 1 && wanted < 0x1p60))
    return refuse_density(density);
  return lac_generate_uniform(order, dimensions, (int64_t)(wanted + 0.5), seed, type, out);
}

static void draw_skewed(generator *g, int64_t *coordinates) {
  for (int64_t d = 0; d < g->order; d++) {
    double unit = lac_random_unit(&g->random);
    coordinates[d] = (int64_t)(unit * unit * unit * (double)g->dimensions[d]);
  }
}

int32_t lac_generate_skewed(int64_t order, const int64_t *dimensions, int64_t entries,
                            uint64_t seed, int32_t type, lac_tensor *out) {
  generator g = {.order = order, .dimensions = dimensions, .draw = draw_skewed};
  int64_t wanted = at_most_places(&g, entries);
  int32_t status = begin(&g, wanted, seed, type);
  if (status != LAC_OK)
    return status;
  return finish(&g, order == 0 ? LAC_OK : draw_distinct(&g, wanted), out);
}

/* ---- Matrices ----------------------------------------------------------------------------- */

/* Quadrants 0 to 3 by 8 random bits: 146, 49, 49 and 12 of 256. */
static int draw_quadrant(uint64_t bits) {
  return (bits >= 146) + (bits >= 195) + (bits >= 244);
}

static void draw_in_quadrants(generator *g, int64_t *coordinates) {
  int row_bits = lac_bits(g->dimensions[0] - 1), column_bits = lac_bits(g->dimensions[1] - 1);
  uint64_t random = 0;
  do {
    coordinates[0] = coordinates[1] = 0;
    for (int bit = 0; bit < row_bits || bit < column_bits; bit++, random >>= 8) {
      if (bit % 8 == 0)
        random = lac_random_next(&g->random);
      int quadrant = draw_quadrant(random & 255);
      coordinates[0] = bit < row_bits ? coordinates[0] << 1 | quadrant >> 1 : coordinates[0];
      coordinates[1] = bit < column_bits ? coordinates[1] << 1 | (quadrant & 1) : coordinates[1];
    }
  } while (coordinates[0] >= g->dimensions[0] || coordinates[1] >= g->dimensions[1]);
}

int32_t lac_generate_rmat(int64_t rows, int64_t columns, int64_t entries, uint64_t seed,
                          int32_t type, lac_tensor *out) {
  int64_t dimensions[] = {rows, columns};
  generator g = {.order = 2, .dimensions = dimensions, .draw = draw_in_quadrants};
  int64_t wanted = at_most_places(&g, entries);
  int32_t status = begin(&g, wanted, seed, type);
  return status != LAC_OK ? status : finish(&g, draw_distinct(&g, wanted), out);
}

/* Row number n of class c is the row at c + n * classes of the order, so that classes differ by one
 * row at most. */
static void draw_by_classes(generator *g, int64_t *coordinates) {
  int64_t all = ((int64_t)1 << g->classes) - 1, members = 0, class = 0;
  while (members == 0) {
    class = 63 - __builtin_clzll((uint64_t)lac_random_below(&g->random, all) + 1);
    members = (g->dimensions[0] - class + g->classes - 1) / g->classes;
  }
  coordinates[0] = g->rows[class + lac_random_below(&g->random, members) * g->classes];
  coordinates[1] = lac_random_below(&g->random, g->dimensions[1]);
}

/* The rows in a random order (Knuth, 3.4.2, P). */
static void shuffle_rows(generator *g) {
  for (int64_t n = 0; n < g->dimensions[0]; n++) {
    int64_t other = lac_random_below(&g->random, n + 1);
    g->rows[n] = g->rows[other];
    g->rows[other] = n;
  }
}

int32_t lac_generate_exponential(int64_t rows, int64_t columns, int64_t doublings, int64_t entries,
                                 uint64_t seed, int32_t type, lac_tensor *out) {
  int64_t dimensions[] = {rows, columns};
  generator g = {
      .order = 2, .dimensions = dimensions, .draw = draw_by_classes, .classes = doublings + 1};
  if (doublings < 0 || doublings >= rows || doublings > 60)
    return lac_error_set(LAC_ERROR_SHAPE,
                         "expected 0 to 60 doublings, fewer than there are rows, found %lld",
                         (long long)doublings);
  int64_t wanted = at_most_places(&g, entries);
  int32_t status = begin(&g, wanted, seed, type);
  if (status != LAC_OK)
    return status;
  const int64_t bytes = rows * (int64_t)sizeof *g.rows;
  g.rows = lac_memory_allocate(bytes);
  status = g.rows ? LAC_OK : LAC_ERROR_MEMORY;
  if (status == LAC_OK) {
    shuffle_rows(&g);
    status = draw_distinct(&g, wanted);
  }
  status = finish(&g, status, out);
  lac_memory_release(g.rows, bytes);
  return status;
}

int32_t lac_generate_banded(int64_t rows, int64_t columns, int64_t bandwidth, uint64_t seed,
                            int32_t type, lac_tensor *out) {
  int64_t dimensions[] = {rows, columns};
  generator g = {.order = 2, .dimensions = dimensions};
  if (bandwidth < 0)
    return lac_error_set(LAC_ERROR_SHAPE, "expected a bandwidth of 0 or more, found %lld",
                         (long long)bandwidth);
  int32_t status = begin(&g, SOME_ENTRIES, seed, type);
  if (status != LAC_OK)
    return status;
  for (int64_t i = 0; i < rows && i - bandwidth < columns && status == LAC_OK; i++)
    for (int64_t j = i > bandwidth ? i - bandwidth : 0;
         j < columns && j - i <= bandwidth && status == LAC_OK; j++)
      status = append(&g, (int64_t[]){i, j});
  return finish(&g, status, out);
}

static int32_t append_block(generator *g, const lac_list *blocks, int64_t p, int64_t block) {
  int64_t first_row = coordinates_of(blocks, 0)[p] * block;
  int64_t first_column = coordinates_of(blocks, 1)[p] * block;
  int32_t status = LAC_OK;
  for (int64_t i = first_row; i < first_row + block && i < g->dimensions[0]; i++)
    for (int64_t j = first_column;
         j < first_column + block && j < g->dimensions[1] && status == LAC_OK; j++)
      status = append(g, (int64_t[]){i, j});
  return status;
}

static int32_t fill_blocks(generator *g, const lac_list *blocks, int64_t block) {
  int32_t status = LAC_OK;
  for (int64_t p = 0; p < blocks->count && status == LAC_OK; p++)
    status = append_block(g, blocks, p, block);
  return status != LAC_OK ? status : sort_distinct(g);
}

int32_t lac_generate_blocked(int64_t rows, int64_t columns, int64_t block, int64_t entries,
                             uint64_t seed, int32_t type, lac_tensor *out) {
  int64_t dimensions[] = {rows, columns};
  generator g = {.order = 2, .dimensions = dimensions};
  if (block < 1 || block > 1 << 20)
    return lac_error_set(LAC_ERROR_SHAPE, "expected blocks of 1 to 1048576 a side, found %lld",
                         (long long)block);
  int32_t status = begin(&g, SOME_ENTRIES, seed, type);
  if (status != LAC_OK)
    return status;
  int64_t grid[] = {rows / block + (rows % block != 0), columns / block + (columns % block != 0)};
  generator blocks = {.order = 2, .dimensions = grid};
  int64_t count = entries / (block * block);
  int64_t wanted = at_most_places(&blocks, count > 1 ? count : 1);
  status = begin(&blocks, wanted, ~seed, LAC_I8);
  if (status == LAC_OK)
    status = fill_uniform(&blocks, wanted);
  if (status == LAC_OK)
    status = fill_blocks(&g, &blocks.list, block);
  lac_list_free(&blocks.list);
  return finish(&g, status, out);
}

/* ---- Vectors ------------------------------------------------------------------------------ */

int32_t lac_generate_vector(int64_t size, uint64_t seed, int32_t type, lac_tensor *out) {
  lac_random random = lac_random_seed(seed);
  int32_t status = check_sizes(1, &size, type);
  if (status == LAC_OK)
    status = lac_tensor_allocate_fields(out, 1, 1);
  if (status != LAC_OK)
    return status;
  out->type = type;
  out->values.width = lac_type_width(type);
  out->dimensions[0] = out->levels[0].size = size;
  out->levels[0].kind = "dense";
  status = lac_array_allocate(&out->values, size);
  if (status == LAC_OK)
    fill_values(type, &out->values, size, &random);
  else
    lac_tensor_free(out);
  return status;
}
