/* lac_buckets.c - the buckets of a workspace: ranges of keys, whose entries are kept in chunks, in
 * the order in which they come (Zhang et al. 2024, sections 4 and 5.2).
 *
 *     key >> shift     0     1     2     3
 *     directory        b0    b0    b1    b2       the bucket of a range; of neighbours the same one
 *     b1               5 -> 2 -> 7                 its chunks
 *     chunk 5          14 12 14 13 ...             keys; values are at the same positions
 *
 * A bucket whose chunks are full is settled: of equal keys the first stays, with the values of
 * all.  That is found out by a table of its keys, as large as the caches are, so that only what is
 * left in the end is sorted.  Where much is left it may take more chunks before it is settled
 * again, or is divided, into buckets of parts of its range.  So there are at most twice as many
 * entries as different keys, but for the last chunks of buckets.
 *
 * Keys alone are moved here: where their values have to go is listed for who knows their type.
 */
#include "lac_entries.h"
#include "lac_integer.h"
#include "lac_kernel.h"

#include <string.h>

enum { CHUNK = 1 << LAC_BUCKETS_CHUNK_BITS };
enum { WAYS_BITS = 3, WAYS = 1 << WAYS_BITS, DEPTH_LIMIT = 16, LEAST_CHUNKS = 4, PAIR = 2 };
enum { BUCKET_WORDS = sizeof(lac_bucket) / sizeof(int64_t) };
enum { OWN_WORDS = sizeof(lac_buckets) / sizeof(int64_t) };

_Static_assert(LAC_BUCKETS_FIRST_KEYS == CHUNK * (LEAST_CHUNKS + 2 * WAYS) &&
                   LAC_BUCKETS_FIRST_DIRECTORY == WAYS &&
                   LAC_BUCKETS_FIRST_OWN >= OWN_WORDS + BUCKET_WORDS * (1 + WAYS),
               "what an empty one wants is there at first");

/* All memory of a workspace. `after` has the chunk after each, and in what is ordered the chunk at
 * each place; `kept` pairs of a key and the position of its value, once each. */
typedef struct view {
  lac_buckets *b;
  int64_t *directory, *keys, *after;
  int64_t *combined, *kept;
  uint32_t *table;
} view;

/* ---- Memory ------------------------------------------------------------------------------- */

/* How many chunks the next call may take: those of a bucket that is divided, or put in order. */
static int64_t chunks_ahead(const lac_buckets *b) {
  return b->chunks + b->most + 2 * WAYS;
}

/* The lists stand behind two words for each chunk; each has room for a bucket. */
static int64_t lists_at(const lac_buckets *b) {
  return PAIR * chunks_ahead(b);
}

static int64_t list_words(const lac_buckets *b) {
  return PAIR * CHUNK * b->most;
}

static void want_memory(lac_buckets *b) {
  enum { LISTS = 3 };
  b->wanted[LAC_BUCKETS_KEYS] = CHUNK * chunks_ahead(b);
  b->wanted[LAC_BUCKETS_DIRECTORY] =
      INT64_C(1) << lac_minimum(DEPTH_LIMIT, lac_maximum(b->depth + WAYS_BITS, b->depth_at_first));
  b->wanted[LAC_BUCKETS_LISTED] = lists_at(b) + LISTS * list_words(b);
  b->wanted[LAC_BUCKETS_OWN] =
      OWN_WORDS + BUCKET_WORDS * (b->buckets + lac_maximum(WAYS, INT64_C(1) << b->depth_at_first));
}

static view look(lac_buckets *b, int64_t *directory, int64_t *keys, int64_t *listed) {
  b->combined = lists_at(b);
  b->moved = b->combined + list_words(b);
  b->combines = b->moves = 0;
  uint32_t *table = (uint32_t *)(listed + b->moved + list_words(b));
  return (view){b, directory, keys, listed, listed + b->combined, listed + b->moved, table};
}

/* ---- Chunks ------------------------------------------------------------------------------- */

static int64_t *after(const view *v, int64_t chunk) {
  return v->after + PAIR * chunk;
}

static int64_t *in_order(const view *v, int64_t place) {
  return v->after + PAIR * place + 1;
}

static int64_t take_chunk(const view *v) {
  lac_buckets *b = v->b;
  int64_t chunk = b->free - 1;
  if (b->free) {
    b->free = *after(v, chunk);
    return chunk;
  }
  chunk = b->chunks++;
  b->used = lac_maximum(b->used, b->chunks << LAC_BUCKETS_CHUNK_BITS);
  return chunk;
}

static void free_chunks(const view *v, int64_t first, int64_t count) {
  for (int64_t chunk = first, next; count > 0; count--, chunk = next) {
    next = *after(v, chunk);
    *after(v, chunk) = v->b->free;
    v->b->free = chunk + 1;
  }
}

/* ---- Buckets ------------------------------------------------------------------------------ */

/* Where a directory says that one stands: the word of it, from the first of all words on. */
static lac_bucket *bucket_at(const view *v, int64_t word) {
  return (lac_bucket *)((int64_t *)v->b + word);
}

static int64_t add_bucket(lac_buckets *b, int64_t limit) {
  int64_t word = OWN_WORDS + BUCKET_WORDS * b->buckets++;
  *(lac_bucket *)((int64_t *)b + word) = (lac_bucket){.limit = limit};
  return word;
}

static bool is_full(const lac_bucket *bucket) {
  return (bucket->next & (CHUNK - 1)) == 0;
}

static void add_chunk(const view *v, lac_bucket *bucket) {
  int64_t chunk = take_chunk(v);
  if (bucket->chunks++)
    *after(v, (bucket->next - 1) >> LAC_BUCKETS_CHUNK_BITS) = chunk;
  else
    bucket->first = chunk;
  bucket->next = chunk << LAC_BUCKETS_CHUNK_BITS;
}

static int64_t append(const view *v, lac_bucket *bucket, int64_t key) {
  if (is_full(bucket))
    add_chunk(v, bucket);
  v->keys[bucket->next] = key;
  return bucket->next++;
}

/* How many of its entries are in its last chunk. */
static int64_t in_last(const lac_bucket *bucket) {
  return ((bucket->next - 1) & (CHUNK - 1)) + 1;
}

/* ---- Settling ----------------------------------------------------------------------------- */

/* The keys of a chunk, to `kept` where they are new, with how many there are so far: without a
 * branch on that, as nobody can tell.  Before the first one there is a pair for what no slot says.
 */
static int64_t keep_chunk(const view *v, int64_t position, int64_t count, int64_t found, int bits) {
  const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
  const int64_t *keys = v->keys, *kept = v->kept - PAIR;
  uint64_t mask = (UINT64_C(1) << bits) - 1;
  uint32_t *table = v->table;
  int64_t combines = v->b->combines;
  for (int64_t end = position + count; position < end; position++) {
    int64_t key = keys[position];
    uint64_t slot = (uint64_t)key * golden >> (64 - bits), held = table[slot];
    while (held && kept[PAIR * held] != key)
      held = table[slot = (slot + 1) & mask];
    v->combined[PAIR * combines] = kept[PAIR * held + 1];
    v->combined[PAIR * combines + 1] = position;
    combines += held != 0;
    v->kept[PAIR * found] = key;
    v->kept[PAIR * found + 1] = position;
    found += held == 0;
    table[slot] = (uint32_t)(held ? held : (uint64_t)found);
  }
  v->b->combines = combines;
  return found;
}

/* The keys of a bucket, once each, with their first positions; equal ones are to be combined there.
 * Gives how many they are. */
static int64_t keep_different(const view *v, const lac_bucket *bucket) {
  int bits = lac_bits(2 * CHUNK * bucket->chunks - 1);
  int64_t found = 0, chunk = bucket->first;
  memset(v->table, 0, sizeof *v->table << bits);
  for (int64_t n = bucket->chunks; n > 0; n--, chunk = *after(v, chunk))
    found = keep_chunk(v, chunk << LAC_BUCKETS_CHUNK_BITS, n > 1 ? CHUNK : in_last(bucket), found,
                       bits);
  return found;
}

static void list_combine(const view *v, int64_t to, int64_t from) {
  int64_t *pair = v->combined + PAIR * v->b->combines++;
  pair[0] = to;
  pair[1] = from;
}

static void list_move(const view *v, int64_t to, int64_t from) {
  int64_t *pair = v->kept + PAIR * v->b->moves++;
  pair[0] = to;
  pair[1] = from;
}

/* What is kept goes to the first positions of the bucket's chunks; those behind are free. */
static void close_gaps(const view *v, lac_bucket *bucket, int64_t count) {
  int64_t chunk = bucket->first, left = bucket->chunks, place = 0;
  for (int64_t n = 0; n < count; n++, place++) {
    if (place == CHUNK) {
      chunk = *after(v, chunk);
      place = 0;
    }
    left -= place == 0;
    int64_t key = v->kept[PAIR * n], from = v->kept[PAIR * n + 1];
    int64_t to = (chunk << LAC_BUCKETS_CHUNK_BITS) + place;
    v->keys[to] = key;
    if (to != from)
      list_move(v, to, from);
  }
  free_chunks(v, *after(v, chunk), left);
  bucket->chunks -= left;
  bucket->next = (chunk << LAC_BUCKETS_CHUNK_BITS) + place;
}

/* ---- Dividing ----------------------------------------------------------------------------- */

/* Each range in the directory becomes several. */
static void deepen(const view *v, int bits) {
  lac_buckets *b = v->b;
  for (int64_t d = (INT64_C(1) << (b->depth + bits)) - 1; d >= 0; d--)
    v->directory[d] = v->directory[d >> bits];
  b->depth += bits;
  b->shift -= bits;
}

static int more_bits(const lac_buckets *b, int bits) {
  return (int)lac_maximum(0, lac_minimum(bits, lac_minimum(b->shift, DEPTH_LIMIT - b->depth)));
}

/* The part of the directory that says what stands at d. */
static void find_range(const view *v, int64_t d, int64_t *begin, int64_t *end) {
  int64_t word = v->directory[d], size = INT64_C(1) << v->b->depth;
  for (*begin = d; *begin > 0 && v->directory[*begin - 1] == word;)
    --*begin;
  for (*end = d + 1; *end < size && v->directory[*end] == word;)
    ++*end;
}

/* For a part of the directory new buckets, of as many places each. */
static void add_buckets(const view *v, int64_t begin, int64_t end, int64_t count) {
  for (int64_t n = 0, each = (end - begin) / count; n < count; n++) {
    int64_t word = add_bucket(v->b, LEAST_CHUNKS);
    for (int64_t d = begin + n * each; d < begin + (n + 1) * each; d++)
      v->directory[d] = word;
  }
}

static int64_t limit_for(int64_t chunks) {
  return lac_maximum(LEAST_CHUNKS, 2 * chunks);
}

/* What is kept of a bucket goes to buckets of parts of its range.  The first of them takes its
 * place; false where its range has one place, and the directory cannot be longer. */
static bool divide(const view *v, int64_t key, int64_t count) {
  int64_t begin, end;
  find_range(v, key >> v->b->shift, &begin, &end);
  int deeper = end - begin < WAYS ? more_bits(v->b, WAYS_BITS - lac_bits(end - begin) + 1) : 0;
  if ((end - begin) << deeper == 1)
    return false;
  deepen(v, deeper);
  begin <<= deeper;
  end <<= deeper;
  lac_bucket *bucket = bucket_at(v, v->directory[begin]), old = *bucket;
  int64_t ways = lac_minimum(WAYS, end - begin);
  add_buckets(v, begin + (end - begin) / ways, end, ways - 1);
  *bucket = (lac_bucket){0};
  for (int64_t n = 0; n < count; n++) {
    int64_t moved = v->kept[PAIR * n], from = v->kept[PAIR * n + 1];
    list_move(v, append(v, bucket_at(v, v->directory[moved >> v->b->shift]), moved), from);
  }
  for (int64_t d = begin; d < end; d += (end - begin) / ways) {
    lac_bucket *part = bucket_at(v, v->directory[d]);
    part->limit = limit_for(part->chunks);
    v->b->most = lac_maximum(v->b->most, part->limit);
  }
  free_chunks(v, old.first, old.chunks);
  return true;
}

/* ---- Room --------------------------------------------------------------------------------- */

/* One whose chunks are all full, and as many as it may have. */
static void settle(const view *v, int64_t key, lac_bucket *bucket) {
  int64_t count = keep_different(v, bucket);
  if (count > v->b->size && divide(v, key, count))
    return;
  close_gaps(v, bucket, count);
  bucket->limit = lac_maximum(bucket->limit, limit_for(bucket->chunks));
  v->b->most = lac_maximum(v->b->most, bucket->limit);
}

void lac_kernel_buckets_room(lac_buckets *b, int64_t *directory, int64_t *keys, int64_t *listed,
                             int64_t key) {
  view v = look(b, directory, keys, listed);
  if (b->depth < b->depth_at_first) {
    deepen(&v, more_bits(b, (int)b->depth_at_first));
    add_buckets(&v, 1, INT64_C(1) << b->depth, (INT64_C(1) << b->depth) - 1);
    b->depth_at_first = 0;
  }
  lac_bucket *bucket = bucket_at(&v, directory[key >> b->shift]);
  if (bucket->chunks >= bucket->limit) {
    settle(&v, key, bucket);
    bucket = bucket_at(&v, directory[key >> b->shift]);
  }
  if (is_full(bucket))
    add_chunk(&v, bucket);
  want_memory(b);
}

void lac_kernel_buckets_begin(lac_buckets *b, int64_t *directory, int64_t bits, int64_t size,
                              int64_t count) {
  b->bits = bits;
  b->size = size;
  b->shift = bits;
  b->depth = b->buckets = b->chunks = b->free = b->ordered = b->count = 0;
  b->depth_at_first = lac_minimum(lac_minimum(bits, DEPTH_LIMIT), lac_bits(count - 1));
  b->most = LEAST_CHUNKS;
  directory[0] = add_bucket(b, LEAST_CHUNKS);
  want_memory(b);
}

/* ---- Order -------------------------------------------------------------------------------- */

/* The next place in the directory of a bucket that has entries. */
static lac_bucket *next_bucket(const view *v) {
  lac_buckets *b = v->b;
  for (int64_t size = INT64_C(1) << b->depth; b->ordered < size; b->ordered++) {
    lac_bucket *bucket = bucket_at(v, v->directory[b->ordered]);
    if (bucket->chunks)
      return bucket;
  }
  return NULL;
}

/* The next position at the end of what is in order. */
static int64_t next_in_order(const view *v) {
  int64_t place = v->b->count++, chunk = place >> LAC_BUCKETS_CHUNK_BITS;
  if ((place & (CHUNK - 1)) == 0)
    *in_order(v, chunk) = take_chunk(v);
  return (*in_order(v, chunk) << LAC_BUCKETS_CHUNK_BITS) + (place & (CHUNK - 1));
}

/* The keys of a bucket, with their positions; gives how many they are. */
static int64_t list_all(const view *v, const lac_bucket *bucket) {
  int64_t chunk = bucket->first, *pair = v->kept;
  for (int64_t n = bucket->chunks; n > 0; n--, chunk = *after(v, chunk)) {
    int64_t position = chunk << LAC_BUCKETS_CHUNK_BITS;
    for (int64_t i = n > 1 ? CHUNK : in_last(bucket); i > 0; i--, position++, pair += PAIR) {
      pair[0] = v->keys[position];
      pair[1] = position;
    }
  }
  return (pair - v->kept) / PAIR;
}

/* Of equal ones the first moves, with the values of all. */
static void put_in_order(const view *v, const int64_t *sorted, int64_t count) {
  int64_t first = 0, last = -1;
  for (int64_t n = 0; n < count; n++) {
    int64_t key = sorted[PAIR * n], position = sorted[PAIR * n + 1];
    if (key == last) {
      list_combine(v, first, position);
      continue;
    }
    int64_t to = next_in_order(v);
    v->keys[to] = last = key;
    list_move(v, to, first = position);
  }
}

bool lac_kernel_buckets_order(lac_buckets *b, int64_t *directory, int64_t *keys, int64_t *listed) {
  view v = look(b, directory, keys, listed);
  lac_bucket *bucket = next_bucket(&v);
  if (!bucket)
    return false;
  int64_t count = list_all(&v, bucket);
  const int64_t *sorted =
      (int64_t *)lac_entries_sort((uint64_t *)v.kept, (uint64_t *)v.table, count, PAIR, 1);
  put_in_order(&v, sorted, count);
  free_chunks(&v, bucket->first, bucket->chunks);
  bucket->chunks = 0;
  want_memory(b);
  return true;
}
