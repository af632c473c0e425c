/* accumulator.c - a workspace with a place for each coordinate: Gustavson's sparse accumulator (Two
 * Fast Algorithms for Sparse Matrices, 1978; the dense workspace of Kjolstad et al. 2019).  What is
 * a coordinate here is, of several levels, those of all of them as one (level_key).
 *
 *     values     one for each coordinate, the identity where nothing was inserted
 *     occupied   a bit for each coordinate
 *     list       the coordinates inserted, in the order of insertion until sorted
 *     count      how many they are
 *
 *     insert_coord(i)    if not occupied[i] { occupied[i] = 1; list[count++] = i };  position i
 *     sort               by comparisons where they are few against the size, else the bits are read
 *                        in order
 *     pos_iter           <0, count>
 *     pos_access(q)      <list[q], true>, position list[q]
 *     clear              for each listed i { values[i] = identity; occupied[i] = 0;
 *                        list[its place] = 0 };  count = 0
 *     release            clear, so that the next workspace finds all of it zero
 */
#include "level_format.h"

enum { OCCUPIED = 0, LIST = 1 }; /* scratch */
enum { COUNT = 0 };              /* counters */
enum { BITS = 64, FEW = 16 };    /* bits of a word; few are less than one in FEW words */

static MlirValue word_count(level *l) {
  return ceil_div(level_builder(l), level_key_count(l), level_constant(l, BITS));
}

static MlirValue word_of(level *l, MlirValue coordinate) {
  return floor_div(level_builder(l), coordinate, level_constant(l, BITS));
}

static MlirValue binary(level *l, const char *op, MlirValue x, MlirValue y) {
  builder *b = level_builder(l);
  MlirValue operands[] = {x, y};
  MlirType type = type_index(b);
  return op_result(make_op(b, op, 2, operands, 1, &type, 0, NULL), 0);
}

/* 1 << (coordinate mod 64) */
static MlirValue bit_of(level *l, MlirValue coordinate) {
  builder *b = level_builder(l);
  return binary(l, "arith.shli", level_constant(l, 1),
                floor_mod(b, coordinate, level_constant(l, BITS)));
}

static MlirValue lowest_bit_number(level *l, MlirValue word) {
  builder *b = level_builder(l);
  MlirType i64 = type_i(b, 64);
  MlirValue bits = index_cast(b, word, i64);
  MlirValue number = op_result(make_op(b, "math.cttz", 1, &bits, 1, &i64, 0, NULL), 0);
  return index_cast(b, number, type_index(b));
}

static MlirValue without_lowest_bit(level *l, MlirValue word) {
  builder *b = level_builder(l);
  return and_i(b, word, sub(b, word, level_constant(l, 1)));
}

/* ---- Inserting ---------------------------------------------------------------------------- */

static void list_coordinate(level *l, MlirValue coordinate) {
  MlirValue count = level_get(l, COUNT);
  level_scratch_store(l, LIST, count, coordinate);
  level_set(l, COUNT, level_plus_one(l, count));
}

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_key_count(l);
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_scratch(l, OCCUPIED, BITS, word_count(l));
  level_scratch(l, LIST, 64, size);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue coordinate = level_key(l, coordinates);
  MlirValue place = word_of(l, coordinate), bit = bit_of(l, coordinate);
  MlirValue word = level_scratch_load(l, OCCUPIED, place);
  if_begin(b, equal(b, and_i(b, word, bit), level_constant(l, 0)));
  level_scratch_store(l, OCCUPIED, place, or_i(b, word, bit));
  list_coordinate(l, coordinate);
  if_end(b);
  return coordinate;
}

static void insert_finalize(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

/* ---- Sorting ------------------------------------------------------------------------------ */

static void sort_by_comparisons(level *l) {
  builder *b = level_builder(l);
  MlirValue arguments[] = {level_scratch_pointer(l, LIST),
                           index_cast(b, level_get(l, COUNT), type_i(b, 64))};
  call(b, "lac_kernel_sort", (MlirType){NULL}, 2, arguments);
}

/* Lists the coordinates of one word's bits, the first of them numbered `base`. */
static void list_bits(level *l, MlirValue word, MlirValue base) {
  builder *b = level_builder(l);
  variable rest = var_make(b, word);
  while_begin(b);
  while_do(b, not_equal(b, var_get(b, rest), level_constant(l, 0)));
  list_coordinate(l, add(b, base, lowest_bit_number(l, var_get(b, rest))));
  var_set(b, rest, without_lowest_bit(l, var_get(b, rest)));
  while_end(b);
}

static void sort_by_bits(level *l) {
  builder *b = level_builder(l);
  level_set(l, COUNT, level_constant(l, 0));
  MlirValue i = for_begin(b, level_constant(l, 0), word_count(l), level_constant(l, 1));
  list_bits(l, level_scratch_load(l, OCCUPIED, i), mul(b, i, level_constant(l, BITS)));
  for_end(b);
}

static void sort(level *l) {
  builder *b = level_builder(l);
  MlirValue weighed = mul(b, level_get(l, COUNT), level_constant(l, FEW));
  if_begin(b, less(b, weighed, word_count(l)));
  sort_by_comparisons(l);
  if_else(b);
  sort_by_bits(l);
  if_end(b);
}

/* ---- Walking, clearing -------------------------------------------------------------------- */

static void pos_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  (void)parent;
  *begin = level_constant(l, 0);
  *end = level_get(l, COUNT);
}

static void entry(level *l, MlirValue place, MlirValue *key, MlirValue *position) {
  *key = *position = level_scratch_load(l, LIST, place);
}

/* All that is listed goes, so that whole words become 0. */
static void clear(level *l) {
  builder *b = level_builder(l);
  MlirValue place = for_begin(b, level_constant(l, 0), level_get(l, COUNT), level_constant(l, 1));
  MlirValue coordinate = level_scratch_load(l, LIST, place);
  level_reset_value(l, coordinate);
  level_scratch_store(l, OCCUPIED, word_of(l, coordinate), level_constant(l, 0));
  level_scratch_store(l, LIST, place, level_constant(l, 0));
  for_end(b);
  level_set(l, COUNT, level_constant(l, 0));
}

static void release(level *l) {
  clear(l);
  level_scratch_free_clean(l, OCCUPIED);
  level_scratch_free_clean(l, LIST);
}

static const level_format format = {
    .name = "accumulator",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT | LEVEL_WORKSPACE,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE,
    .configurable = LEVEL_UNIQUE,
    .pos_iter = pos_iter,
    .pos_access = level_entry_access,
    .insert_size = insert_size,
    .insert_init = insert_init,
    .insert_coord = insert_coord,
    .insert_finalize = insert_finalize,
    .policy = "dense",
    .usual = true,
    .entry = entry,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
