/* accumulator.c - a workspace with a place for each coordinate: Gustavson's sparse accumulator (Two
 * Fast Algorithms for Sparse Matrices, 1978; the dense workspace of Kjolstad et al. 2019).  What is
 * a coordinate here is, of several levels, those of all of them as one (level_key).
 *
 *     values     one for each coordinate, the identity where nothing was inserted
 *     occupied   a bit for each coordinate, in words of 64
 *     touched    the words that have bits, in the order of insertion until sorted
 *     list       the coordinates inserted, in order, once they are sorted
 *     marks      a byte for each coordinate, or what is said, 1 where one was inserted that has no
 *                bit yet
 *
 *     insert 70, 3, 65     occupied  {3} {65, 70}     touched  1 0
 *     sort                 touched  0 1               list  3 65 70
 *
 *     insert_coord(i)    where i has no bit: w = i / 64;  touched[words] = w;
 *                        words += occupied[w] == 0;  set i's bit in occupied[w]
 *                        or, in a row that will be full, marks[i] = 1;  position i
 *     sort               bits of what is marked; the touched words by comparisons where they are
 *                        few against all, else all in order; list = the coordinates of their bits
 *     pos_iter           <0, count>
 *     pos_access(q)      <list[q], true>, position list[q]
 *     clear              values[i] = identity for each i listed, or each bit where none is;
 *                        occupied[w] = 0 for each w touched;  count = words = 0
 *     release            clear, so that the next workspace finds all of it zero
 *
 * Words are fewer than coordinates, where these are neighbours.  Whether a bit is set the
 * processor foresees along a grid; in rows that fill much of a workspace it does not, and a mark,
 * which is stored without a look at what is there, costs less; all marks are looked at then, 64 at
 * once, as all words were.  Where rows are full, neighbours are marked one after the other: there
 * are processors (Zen 3) that take twice as long to write them as bytes than as words, 1.4 and
 * 0.75 ns for each product of full matrices; where they are not, marks of a byte leave more of the
 * caches to values.  (A GPU's thread sets the bit there whether it is set or not.)  Words that are
 * sorted cost less than all of them looked at, where one in FEW has bits, as rows of random
 * coordinates have 64 of 10,000: 14 and 23 ns for each product.  A row is taken to be like the last
 * one; the first of what is gathered over several levels to fill much, since else nobody would have
 * a place for all of it.
 */
#include "level_format.h"

enum { OCCUPIED = 0, TOUCHED = 1, LIST = 2, MARKS = 3 }; /* scratch */
enum { COUNT = 0, WORDS = 1, LAST = 2, MOST = 3 };       /* counters */
enum { BITS = 64 };                                      /* of a word */
enum { MARKS_OPTION, MOST_MARKS = 64 };
enum { FEW = 4, MANY = 32 }; /* few words: less than one in FEW; many coordinates: one in MANY */

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

/* Whether those of a counter are less than one in `share` of all. */
static MlirValue are_less(level *l, int counter, int share, MlirValue all) {
  builder *b = level_builder(l);
  return less(b, mul(b, level_get(l, counter), level_constant(l, share)), all);
}

/* Whether coordinates of this row are marked: the last one had many. */
static MlirValue is_marking(level *l) {
  return not_i1(level_builder(l), are_less(l, LAST, MANY, level_key_count(l)));
}

static MlirValue insert_size(level *l, MlirValue parent_size) {
  (void)parent_size;
  return level_key_count(l);
}

/* In bits: as said, up to the next width of an element. */
static unsigned mark_width(const level *l) {
  unsigned width = 8;
  while (width < level_option_said(l, MARKS_OPTION, 8))
    width *= 2;
  return width;
}

static void insert_init(level *l, MlirValue parent_size, MlirValue size) {
  (void)parent_size;
  level_scratch(l, OCCUPIED, BITS, word_count(l));
  level_scratch(l, TOUCHED, 64, level_plus_one(l, word_count(l)));
  level_scratch(l, LIST, 64, size);
  if (!level_has_lanes(l))
    return;
  builder *b = level_builder(l);
  MlirValue words = word_count(l);
  level_scratch(l, MARKS, mark_width(l), mul(b, words, level_constant(l, BITS)));
  if (level_key_is_shared(l))
    level_set(l, LAST, select_value(b, level_is_fine(l), level_key_count(l), level_constant(l, 0)));
}

/* touched[words] = place; words += word == 0 */
static void touch(level *l, MlirValue place, MlirValue word) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0), one = level_constant(l, 1), words = level_get(l, WORDS);
  level_scratch_store(l, TOUCHED, words, place);
  level_set(l, WORDS, add(b, words, select_value(b, equal(b, word, zero), one, zero)));
}

static void insert_bit(level *l, MlirValue coordinate) {
  builder *b = level_builder(l);
  MlirValue place = word_of(l, coordinate), word = level_scratch_load(l, OCCUPIED, place);
  MlirValue bit = bit_of(l, coordinate);
  MlirValue is_new = equal(b, and_i(b, word, bit), level_constant(l, 0));
  if_begin(b, level_has_lanes(l) ? is_new : or_i(b, is_marking(l), is_new));
  touch(l, place, word);
  level_scratch_store(l, OCCUPIED, place, or_i(b, word, bit));
  if_end(b);
}

static MlirValue insert_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)parent;
  builder *b = level_builder(l);
  MlirValue coordinate = level_key(l, coordinates);
  if (level_has_lanes(l)) {
    if_begin(b, is_marking(l));
    level_scratch_store(l, MARKS, coordinate, level_constant(l, 1));
    if_else(b);
  }
  insert_bit(l, coordinate);
  if (level_has_lanes(l))
    if_end(b);
  return coordinate;
}

/* ---- Bits --------------------------------------------------------------------------------- */

/* What is done with a word that has bits, and with what it stands for. */
typedef void visit(level *l, variable rest, MlirValue base);

/* rest = occupied[place]; while (rest) { ... } */
static void visit_word(level *l, MlirValue place, visit *each) {
  builder *b = level_builder(l);
  MlirValue base = mul(b, place, level_constant(l, BITS));
  int before = var_mark(b);
  variable rest = var_make(b, level_scratch_load(l, OCCUPIED, place));
  while_begin(b);
  while_do(b, not_equal(b, var_get(b, rest), level_constant(l, 0)));
  each(l, rest, base);
  while_end(b);
  var_release(b, before);
}

static void visit_touched(level *l, visit *each) {
  builder *b = level_builder(l);
  MlirValue i = for_begin(b, level_constant(l, 0), level_get(l, WORDS), level_constant(l, 1));
  visit_word(l, level_scratch_load(l, TOUCHED, i), each);
  for_end(b);
}

static void visit_all(level *l, visit *each) {
  builder *b = level_builder(l);
  MlirValue place = for_begin(b, level_constant(l, 0), word_count(l), level_constant(l, 1));
  visit_word(l, place, each);
  for_end(b);
}

/* ---- Words -------------------------------------------------------------------------------- */

/* Gives what is marked its bits instead, and touches its words, in order. */
static void touch_marked(level *l) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  MlirValue place = for_begin(b, zero, word_count(l), level_constant(l, 1));
  MlirValue bits = level_scratch_bits(l, MARKS, place);
  if_begin(b, not_equal(b, bits, zero));
  touch(l, place, zero);
  level_scratch_store(l, OCCUPIED, place, bits);
  if_end(b);
  for_end(b);
}

static void touch_any_marked(level *l) {
  if (!level_has_lanes(l))
    return;
  if_begin(level_builder(l), is_marking(l));
  touch_marked(l);
  if_end(level_builder(l));
}

/* ---- Sorting ------------------------------------------------------------------------------ */

/* list[count++] = the coordinate of the lowest bit */
static void list_bit(level *l, variable rest, MlirValue base) {
  builder *b = level_builder(l);
  MlirValue count = level_get(l, COUNT);
  level_scratch_store(l, LIST, count, add(b, base, lowest_bit_number(l, var_get(b, rest))));
  level_set(l, COUNT, level_plus_one(l, count));
  var_set(b, rest, without_lowest_bit(l, var_get(b, rest)));
}

static void sort(level *l) {
  builder *b = level_builder(l);
  touch_any_marked(l);
  level_set(l, COUNT, level_constant(l, 0));
  if_begin(b, are_less(l, WORDS, FEW, word_count(l)));
  level_sort(l, TOUCHED, level_get(l, WORDS));
  visit_touched(l, list_bit);
  if_else(b);
  visit_all(l, list_bit);
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

static void reset_bit(level *l, variable rest, MlirValue base) {
  builder *b = level_builder(l);
  level_reset_value(l, add(b, base, lowest_bit_number(l, var_get(b, rest))));
  var_set(b, rest, without_lowest_bit(l, var_get(b, rest)));
}

/* What is listed is all that there is, or nothing. */
static void clear(level *l) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0), one = level_constant(l, 1);
  if_begin(b, equal(b, level_get(l, COUNT), zero));
  touch_any_marked(l);
  visit_touched(l, reset_bit);
  if_end(b);
  MlirValue q = for_begin(b, zero, level_get(l, COUNT), one);
  level_reset_value(l, level_scratch_load(l, LIST, q));
  for_end(b);
  MlirValue i = for_begin(b, zero, level_get(l, WORDS), one);
  level_scratch_store(l, OCCUPIED, level_scratch_load(l, TOUCHED, i), zero);
  for_end(b);
  MlirValue used = max_i(b, level_get(l, COUNT), level_get(l, WORDS));
  level_set(l, MOST, max_i(b, level_get(l, MOST), used));
  level_set(l, LAST, used);
  level_set(l, COUNT, zero);
  level_set(l, WORDS, zero);
}

static void zero_first(level *l, int memory, MlirValue count) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0);
  MlirValue i = for_begin(b, zero, count, level_constant(l, 1));
  level_scratch_store(l, memory, i, zero);
  for_end(b);
}

/* One more word than there ever were may have been written; none where nothing was inserted, as
 * where there was no memory. */
static MlirValue touched_once(level *l) {
  builder *b = level_builder(l);
  MlirValue zero = level_constant(l, 0), most = level_get(l, MOST);
  MlirValue written = level_plus_one(l, min_i(b, most, word_count(l)));
  return select_value(b, equal(b, most, zero), zero, written);
}

static void release(level *l) {
  clear(l);
  zero_first(l, TOUCHED, touched_once(l));
  zero_first(l, LIST, level_get(l, MOST));
  level_scratch_free_clean(l, OCCUPIED);
  level_scratch_free_clean(l, TOUCHED);
  level_scratch_free_clean(l, LIST);
  if (level_has_lanes(l))
    level_scratch_free_clean(l, MARKS);
}

static const level_option options[] = {[MARKS_OPTION] = {"marks", MOST_MARKS}, {NULL, 0}};

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
    .policy = "dense",
    .options = options,
    .usual = true,
    .entry = entry,
    .sort = sort,
    .clear = clear,
    .release = release,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
