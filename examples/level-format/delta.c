/* delta.c - a level format of one's own: coordinates as differences, in fewer bits.
 *
 * Like the compressed level (Chou et al. 2018, Table 2), but of every 64 coordinates of the level,
 * whatever their parents, only the first is stored as it is, in `key`; each is then stored as its
 * difference to that one, in the number of bits that the format says: delta(8), delta(16).
 *
 *     crd(q) = key[q / 64] + unfold(delta[q])        unfold: 0 1 2 3 4 ... -> 0 -1 1 -2 2 ...
 *
 * That is compact where coordinates that are stored near each other are near each other, as in a
 * band or on a mesh, and any coordinate can still be read alone.  A difference that does not fit is
 * an error at run time.
 */
#include "level_format.h"

enum { POS = 0, KEY = 1, DELTA = 2 };
enum { BLOCK = 64 };

static unsigned delta_bits(const level *l) {
  return (unsigned)level_argument(l, 0);
}

/* ---- Differences of either sign as unsigned numbers --------------------------------------- */

/* 2 x for x >= 0, -2 x - 1 below. */
static MlirValue fold(builder *b, MlirValue x) {
  MlirValue zero = constant_index(b, 0), twice = mul(b, x, constant_index(b, 2));
  MlirValue below = sub(b, sub(b, zero, twice), constant_index(b, 1));
  return select_value(b, less(b, x, zero), below, twice);
}

static MlirValue unfold(builder *b, MlirValue folded) {
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1), two = constant_index(b, 2);
  MlirValue half = floor_div(b, folded, two), odd = equal(b, floor_mod(b, folded, two), one);
  return select_value(b, odd, sub(b, sub(b, zero, half), one), half);
}

static MlirValue key_of(level *l, MlirValue place) {
  builder *b = level_builder(l);
  return level_load(l, KEY, floor_div(b, place, constant_index(b, BLOCK)));
}

/* ---- Walking ------------------------------------------------------------------------------ */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  level_children(l, POS, parent, begin, end);
}

static void pos_access(level *l, MlirValue place, const MlirValue *coordinates,
                       MlirValue *coordinate, MlirValue *position, MlirValue *found) {
  (void)coordinates;
  (void)position;
  (void)found;
  builder *b = level_builder(l);
  MlirValue difference = unfold(b, level_load(l, DELTA, place));
  *coordinate = add(b, key_of(l, place), difference);
}

/* ---- Appending ---------------------------------------------------------------------------- */

static void append_init(level *l, MlirValue parent_size) {
  level_ends_allocate(l, POS, parent_size);
}

static MlirValue block_count(level *l, MlirValue size) {
  return ceil_div(level_builder(l), size, level_constant(l, BLOCK));
}

static void append_reserve(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_reserve(l, POS, parent_size);
  if (mlirValueIsNull(size))
    return;
  level_reserve(l, DELTA, size);
  level_reserve(l, KEY, block_count(l, size));
}

static void append_coord(level *l, MlirValue position, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue block = constant_index(b, BLOCK);
  if_begin(b, equal(b, floor_mod(b, position, block), constant_index(b, 0)));
  level_store(l, KEY, floor_div(b, position, block), coordinate);
  if_end(b);
  MlirValue folded = fold(b, sub(b, coordinate, key_of(l, position)));
  if (delta_bits(l) < 64) {
    if_begin(b, less(b, constant_index(b, ((int64_t)1 << delta_bits(l)) - 1), folded));
    level_must_fit(l, folded, delta_bits(l), "a difference of coordinates");
    if_end(b);
  }
  level_store(l, DELTA, position, folded);
}

static void append_edges(level *l, MlirValue parent, MlirValue begin, MlirValue end) {
  (void)begin;
  level_ends_store(l, POS, parent, end);
}

/* Parents that were passed over have no children: they end where the one before them ends. */
static void append_finalize(level *l, MlirValue parent_size, MlirValue size) {
  level_ends_finalize(l, POS, parent_size);
  level_trim(l, DELTA, size);
  level_trim(l, KEY, block_count(l, size));
}

static const level_format format = {
    .name = "delta",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_APPEND,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT,
    .configurable = LEVEL_ORDERED | LEVEL_UNIQUE,
    .arguments = 1, /* bits */
    .arrays = {[POS] = LEVEL_POSITIONS, [KEY] = LEVEL_COORDINATES, [DELTA] = LEVEL_ARGUMENT_WIDE},
    .layout = "#0 >= p + 1 positions; q = 0[p] last position; #2 >= q differences | rising 0 p",
    .pos_iter = pos_iter,
    .pos_access = pos_access,
    .append_init = append_init,
    .append_reserve = append_reserve,
    .append_coord = append_coord,
    .append_edges = append_edges,
    .append_finalize = append_finalize,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
