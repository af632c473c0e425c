/* entry_buffer.c - entries in a buffer: their layout, recorded, read, sorted (entry_buffer.h). */
#include "entry_buffer.h"
#include "building.h"

#include "lac_kernel.h"

#include <stddef.h>

enum {
  WORD = 64,
  WORD_BYTES = WORD / 8,
  FIELD_MOST = 60, /* bits of a coordinate (LAC_LARGEST_SIZE) */
  PART_BITS = 11,
  ARRAY_WORDS = sizeof(lac_array) / WORD_BYTES
};

static MlirValue number(const entry_buffer *e, int64_t x) {
  return constant_index(e->s->b, x);
}

static MlirValue as_i32(const entry_buffer *e, int x) {
  return constant_integer(e->s->b, type_i(e->s->b, 32), x);
}

static MlirValue as_i64(const entry_buffer *e, MlirValue x) {
  return index_cast(e->s->b, x, type_i(e->s->b, WORD));
}

/* ---- Layout ------------------------------------------------------------------------------- */

/* The most bits that coordinates of a level can have. */
static int widest(const level *l) {
  int64_t size, width = l->owner->format->coordinate_width;
  if (value_is_constant_index(l->size, &size))
    return size > 1 ? WORD - __builtin_clzll((uint64_t)size - 1) : 0;
  return width < FIELD_MOST ? (int)width : FIELD_MOST;
}

static void assign_words(entry_buffer *e) {
  int word = 0, used = 0;
  for (int n = 0; n < e->end - e->first; n++) {
    level *l = &e->s->levels[e->first + n];
    bool fits = used + widest(l) <= FIELD_MOST;
    word += n > 0 && !fits;
    e->fields[n] =
        (entry_field){word, n == 0 || !fits, {NULL}, storage_bits_below(e->s->b, l->size)};
    used = fits ? used + widest(l) : widest(l);
  }
  e->keys = word + 1;
}

/* From the last field of each word, at its lowest bits, up; gives the bits of word 0. */
static MlirValue assign_shifts(entry_buffer *e) {
  MlirValue used = number(e, 0);
  for (int n = e->end - e->first - 1; n >= 0; n--) {
    e->fields[n].shift = used;
    used = add(e->s->b, used, e->fields[n].bits);
    if (n > 0 && e->fields[n].is_first)
      used = number(e, 0);
  }
  return used;
}

static void lay_out(entry_buffer *e) {
  int bytes = (int)type_bytes(e->s->values.element);
  e->fields = ARENA_ARRAY(e->s->memory, entry_field, e->end - e->first);
  assign_words(e);
  e->below = assign_shifts(e);
  e->words = bytes > WORD_BYTES ? (e->keys + 1) / 2 * 2 + 2 : e->keys + 1;
}

/* ---- Parts -------------------------------------------------------------------------------- */

static bool is_root(const entry_buffer *e) {
  return e->first == 0;
}

/* Parents in parts: as many as there may be parts, and at least as many bits of them as the first
 * word of the key has no room for tell the part. */
static void divide_parents(entry_buffer *e, MlirValue parents) {
  builder *b = e->s->b;
  MlirValue bits =
      max_i(b, sub(b, storage_bits_below(e->s->b, parents), number(e, PART_BITS)), number(e, 0));
  e->part_bits = min_i(b, bits, sub(b, number(e, WORD - 1), e->below));
  MlirValue last = sub(b, max_i(b, parents, number(e, 1)), number(e, 1));
  e->part_count = add(b, shift_right(b, last, e->part_bits), number(e, 1));
}

/* Coordinates in about as many parts as a part has of them, and no more than there may be. */
static void divide_coordinates(entry_buffer *e) {
  builder *b = e->s->b;
  MlirValue bits = e->fields[0].bits, half = floor_div(b, bits, number(e, 2));
  MlirValue told = min_i(b, half, number(e, PART_BITS));
  e->part_bits = sub(b, bits, told);
  e->part_count = shift_left(b, number(e, 1), told);
}

/* The runtime's lac_array of entries, without any. */
static MlirValue make_buffer(const entry_buffer *e) {
  builder *b = e->s->b;
  MlirType i64 = type_i(b, WORD);
  MlirValue buffer = stack_array(b, i64, ARRAY_WORDS);
  for (int n = 0; n < ARRAY_WORDS; n++)
    store_field(b, constant_integer(b, i64, 0), buffer, n * WORD_BYTES);
  store_field(b, as_i32(e, e->words * WORD_BYTES), buffer, offsetof(lac_array, width));
  return buffer;
}

/* Where there is room for so many, at least one. */
static MlirValue take_room(const entry_buffer *e, MlirValue buffer, MlirValue count, bool raw) {
  builder *b = e->s->b;
  MlirValue arguments[] = {buffer, as_i64(e, count), constant_bool(b, raw), e->s->status};
  return call(b, "lac_kernel_buffer", type_ptr(b), 4, arguments);
}

static void give_back(const entry_buffer *e, MlirValue buffer) {
  call(e->s->b, "lac_kernel_buffer_free", (MlirType){NULL}, 1, &buffer);
}

entry_buffer *entry_buffer_make(level *l, int end) {
  storage *s = l->owner;
  entry_buffer *e = arena_alloc(s->memory, sizeof *e);
  *e = (entry_buffer){.s = s, .first = l->number, .end = end};
  lay_out(e);
  if (is_root(e))
    divide_coordinates(e);
  else
    divide_parents(e, l->parents);
  e->buffer = make_buffer(e);
  e->count = var_make(s->b, number(e, 0));
  e->largest = var_make(s->b, number(e, 0));
  MlirValue counts = e->part_count;
  if (share_is_made(l)) {
    share_begin(l, e->part_count);
    counts = storage_product(s, s->piece_count, e->part_count);
  }
  e->parts = scratch_take(s, type_i(s->b, WORD), counts);
  return e;
}

entry_buffer *entry_buffer_of_range(const entry_buffer *e, storage *s, MlirValue range) {
  entry_buffer *own = arena_alloc(s->memory, sizeof *own);
  *own = *e;
  own->s = s;
  own->counts = mul(s->b, range, e->part_count);
  own->count = var_make(s->b, number(e, 0));
  return own;
}

/* Where the count of a part stands. */
static MlirValue count_of(const entry_buffer *e, MlirValue part) {
  return e->counts.ptr ? add(e->s->b, e->counts, part) : part;
}

/* One more in its part; gives how many there were. */
static MlirValue count_in_part(entry_buffer *e, MlirValue parent, MlirValue coordinate) {
  builder *b = e->s->b;
  MlirValue part = shift_right(b, is_root(e) ? coordinate : parent, e->part_bits);
  MlirValue at = count_of(e, part), counted = load(b, e->parts.elements, at);
  store(b, add(b, counted, constant_integer(b, type_i(b, WORD), 1)), e->parts.elements, at);
  return index_cast(b, counted, type_index(b));
}

void entry_buffer_count(entry_buffer *e, MlirValue parent, MlirValue coordinate) {
  builder *b = e->s->b;
  count_in_part(e, parent, coordinate);
  var_set(b, e->count, add(b, var_get(b, e->count), number(e, 1)));
}

/* A count becomes where those before it end. */
static void begin_part(const entry_buffer *e, MlirValue at, variable sum) {
  builder *b = e->s->b;
  MlirValue size = index_cast(b, load(b, e->parts.elements, at), type_index(b));
  store(b, as_i64(e, var_get(b, sum)), e->parts.elements, at);
  var_set(b, sum, add(b, var_get(b, sum), size));
}

/* for part { for range { begin = sum;  sum += its count } } */
static void begin_parts(entry_buffer *e, MlirValue ranges) {
  builder *b = e->s->b;
  int mark = var_mark(b);
  variable sum = var_make(b, number(e, 0));
  MlirValue part = for_begin_plain(b, number(e, 0), e->part_count, number(e, 1));
  MlirValue before = var_get(b, sum);
  if (ranges.ptr) {
    MlirValue range = for_begin_plain(b, number(e, 0), ranges, number(e, 1));
    begin_part(e, add(b, mul(b, range, e->part_count), part), sum);
    for_end(b);
  } else {
    begin_part(e, part, sum);
  }
  MlirValue size = sub(b, var_get(b, sum), before);
  var_set(b, e->largest, max_i(b, var_get(b, e->largest), size));
  for_end(b);
  var_release(b, mark);
}

/* ---- Recording ---------------------------------------------------------------------------- */

/* `bytes` of each entry, `offset` bytes into it. */
static stored_array open_field(const entry_buffer *e, MlirType element, MlirValue length,
                               int offset) {
  int64_t bytes = type_bytes(element), width = (int64_t)e->words * WORD_BYTES;
  MlirValue count = mul(e->s->b, length, number(e, width / bytes));
  return (stored_array){.level = VALUES,
                        .element = element,
                        .fixed = memory_at(e->s, e->memory, count, element),
                        .stride = width / bytes,
                        .first = offset / bytes};
}

/* One entry more, so that a look at the one behind the last is in bounds. */
MlirValue entry_buffer_begin(entry_buffer *e, level *l) {
  storage *s = e->s;
  builder *b = s->b;
  bool shared = share_is_made(l);
  if (shared)
    var_set(b, e->count, share_sum(l));
  MlirValue count = storage_size_if_fine(s, var_get(b, e->count));
  MlirValue length = add(b, count, number(e, 1));
  begin_parts(e, shared ? s->piece_count : (MlirValue){NULL});
  e->ranges = shared ? s->piece_count : (MlirValue){NULL};
  e->memory = take_room(e, e->buffer, length, s->values.raw);
  e->key = ARENA_ARRAY(s->memory, stored_array, e->keys);
  for (int n = 0; n < e->keys; n++)
    e->key[n] = open_field(e, type_i(b, WORD), length, n * WORD_BYTES);
  int bytes = (int)type_bytes(s->values.element);
  int begin = bytes > WORD_BYTES ? e->words * WORD_BYTES - bytes : e->keys * WORD_BYTES;
  e->values = open_field(e, s->values.element, length, begin);
  return count;
}

static const entry_field *field_of(const entry_buffer *e, int level) {
  return &e->fields[level - e->first];
}

static MlirValue load_word(const entry_buffer *e, int word, MlirValue q) {
  return index_cast(e->s->b, stored_array_load(e->s, &e->key[word], q), type_index(e->s->b));
}

static void store_word(const entry_buffer *e, int word, MlirValue q, MlirValue x) {
  stored_array_store(e->s, &e->key[word], q, as_i64(e, x));
}

MlirValue entry_buffer_add(entry_buffer *e, MlirValue parent, MlirValue coordinate) {
  builder *b = e->s->b;
  MlirValue q = count_in_part(e, parent, coordinate);
  MlirValue word = shift_left(b, coordinate, e->fields[0].shift);
  if (!is_root(e))
    word = or_i(b, shift_left(b, parent, e->below), word);
  store_word(e, 0, q, word);
  return q;
}

void entry_buffer_set(entry_buffer *e, int level, MlirValue q, MlirValue coordinate) {
  const entry_field *f = field_of(e, level);
  MlirValue word = shift_left(e->s->b, coordinate, f->shift);
  store_word(e, f->word, q, f->is_first ? word : or_i(e->s->b, load_word(e, f->word, q), word));
}

/* ---- Reading ------------------------------------------------------------------------------ */

static MlirValue low_bits(const entry_buffer *e, MlirValue x, MlirValue bits) {
  builder *b = e->s->b;
  return and_i(b, x, sub(b, shift_left(b, number(e, 1), bits), number(e, 1)));
}

MlirValue entry_buffer_coordinate(const entry_buffer *e, int level, MlirValue q) {
  const entry_field *f = field_of(e, level);
  MlirValue shifted = shift_right(e->s->b, load_word(e, f->word, q), f->shift);
  return low_bits(e, shifted, f->bits);
}

MlirValue entry_buffer_parent(const entry_buffer *e, MlirValue part, MlirValue q) {
  builder *b = e->s->b;
  if (is_root(e))
    return number(e, 0);
  MlirValue low = low_bits(e, shift_right(b, load_word(e, 0, q), e->below), e->part_bits);
  return or_i(b, shift_left(b, part, e->part_bits), low);
}

MlirValue entry_buffer_place(const entry_buffer *e, MlirValue q) {
  return load_word(e, 0, q);
}

void entry_buffer_set_place(const entry_buffer *e, MlirValue q, MlirValue place) {
  store_word(e, 0, q, place);
}

static MlirValue agree_in(const entry_buffer *e, int word, MlirValue above, MlirValue q,
                          MlirValue other) {
  builder *b = e->s->b;
  MlirValue x = load_word(e, word, q), y = load_word(e, word, other);
  return mlirValueIsNull(above) ? equal(b, x, y)
                                : equal(b, shift_right(b, x, above), shift_right(b, y, above));
}

MlirValue entry_buffer_agree(const entry_buffer *e, int level, MlirValue q, MlirValue other) {
  builder *b = e->s->b;
  int words = level < e->end ? field_of(e, level)->word : e->keys;
  MlirValue all = constant_bool(b, true);
  for (int n = 0; n < words; n++)
    all = and_i(b, all, agree_in(e, n, (MlirValue){NULL}, q, other));
  if (level == e->end || (words > 0 && field_of(e, level)->is_first))
    return all;
  const entry_field *f = field_of(e, level);
  return and_i(b, all, agree_in(e, words, add(b, f->shift, f->bits), q, other));
}

/* ---- Parts put together ------------------------------------------------------------------- */

/* Once all entries are there: where those of the last range end. */
MlirValue entry_buffer_part_end(const entry_buffer *e, MlirValue part) {
  builder *b = e->s->b;
  MlirValue at = part;
  if (e->ranges.ptr)
    at = add(b, mul(b, sub(b, e->ranges, number(e, 1)), e->part_count), part);
  return index_cast(b, load(b, e->parts.elements, at), type_index(b));
}

MlirValue entry_buffer_part_begin(const entry_buffer *e, MlirValue part) {
  builder *b = e->s->b;
  MlirValue before = sub(b, max_i(b, part, number(e, 1)), number(e, 1));
  return select_value(b, equal(b, part, number(e, 0)), number(e, 0),
                      entry_buffer_part_end(e, before));
}

MlirValue entry_buffer_part_parent(const entry_buffer *e, MlirValue part) {
  return is_root(e) ? number(e, 0) : shift_left(e->s->b, part, e->part_bits);
}

void entry_buffer_take_spare(entry_buffer *e, MlirValue count) {
  e->spare_buffer = make_buffer(e);
  e->spare = take_room(e, e->spare_buffer, count, true);
}

void entry_buffer_give_spare(const entry_buffer *e) {
  give_back(e, e->spare_buffer);
}

void entry_buffer_sort(const entry_buffer *e, MlirValue begin, MlirValue end, MlirValue spare_at) {
  MlirValue arguments[] = {e->memory,           as_i64(e, begin),    as_i64(e, end),    e->spare,
                           as_i64(e, spare_at), as_i32(e, e->words), as_i32(e, e->keys)};
  call(e->s->b, "lac_kernel_entries_sort_part", (MlirType){NULL}, 7, arguments);
}

void entry_buffer_free(const entry_buffer *e) {
  give_back(e, e->buffer);
  scratch_release(e->s, &e->parts);
}
