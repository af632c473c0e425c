/* lac_runs.c - entries that threads gathered, each for itself and in order, merged into one list:
 * accumulation arrays become the all array (Zhang et al. 2024, section 4).
 *
 *     run 0      1 a   4 b   9 c              a key, and what goes along with it
 *     run 1      2 d   4 e
 *     ranges     1 a  2 d | 4 b  4 e  9 c     of keys, about as many entries in each; equal ones
 *                                             in the order of their runs
 *     kept       1 a  2 d | 4 f  9 c          generated code has combined them
 *     all        1 a  2 d   4 f  9 c
 *
 * Ranges are cut at keys of a sample of all runs, so that each is merged by itself: two runs at a
 * time, in rounds, between where the range goes and spare memory.  One run that is alone is all
 * there is, and stays where it is.
 */
#include "lac_entries.h"

#include "lac_element.h"
#include "lac_error.h"
#include "lac_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* A range is in the caches while it is merged and combined. */
enum { SAMPLES = 16, ENTRIES_OF_A_RANGE = 1 << 13, MOST_RANGES = 1024 };

typedef struct run {
  lac_array entries;
  int64_t count;
} run;

/* Entries in order. */
typedef struct segment {
  const uint64_t *at;
  int64_t count;
} segment;

typedef struct range {
  int64_t begin, count; /* where its entries are, in `merged`; kept, where in `all` */
  int64_t to;
} range;

struct lac_runs {
  _Atomic int64_t order; /* what is ordered by it: see lac_kernel_pieces_order */
  _Atomic int64_t begun; /* parts that somebody has taken */
  int64_t words;         /* of an entry */
  int64_t count, room, range_count, range_room, segment_room;
  run *runs;
  range *ranges;
  segment *segments; /* a row of one for each run, for each range */
  lac_array merged, all;
  int64_t all_count;
};

static void order(lac_runs *r) {
  atomic_fetch_add_explicit(&r->order, 1, memory_order_acq_rel);
}

/* ---- Memory ------------------------------------------------------------------------------- */

static lac_array no_entries(const lac_runs *r) {
  return (lac_array){.width = (int32_t)(r->words * (int64_t)sizeof(uint64_t))};
}

static uint64_t *words_of(const lac_array *entries) {
  return entries->data;
}

static bool take_entries(lac_array *entries, int64_t count, int32_t *status) {
  return lac_status_is_fine(status) &&
         lac_status_take(status, lac_array_allocate_raw(entries, count));
}

/* Room for so many rows of `width` bytes, in place of those that there are. */
static void *make_room(void *rows, int64_t *room, int64_t count, int64_t width, int32_t *status) {
  if (count <= *room)
    return rows;
  void *more = lac_memory_allocate(lac_memory_bytes(count, width));
  if (!more) {
    lac_status_take(status, LAC_ERROR_MEMORY);
    return rows;
  }
  lac_memory_release(rows, *room * width);
  *room = count;
  return more;
}

static void free_runs(lac_runs *r) {
  for (int64_t i = 0; i < r->count; i++)
    lac_array_free(&r->runs[i].entries);
  r->count = 0;
}

void lac_kernel_runs_clear(lac_runs *r) {
  order(r);
  free_runs(r);
  lac_array_free(&r->merged);
  lac_array_free(&r->all);
  r->all_count = r->range_count = 0;
}

void lac_kernel_runs_free(lac_runs *r) {
  if (!r)
    return;
  lac_kernel_runs_clear(r);
  lac_memory_release(r->runs, r->room * (int64_t)sizeof *r->runs);
  lac_memory_release(r->ranges, r->range_room * (int64_t)sizeof *r->ranges);
  lac_memory_release(r->segments, r->segment_room * (int64_t)sizeof *r->segments);
  lac_memory_release(r, sizeof *r);
}

lac_runs *lac_kernel_runs(int32_t words, int32_t *status) {
  lac_runs *r = lac_status_is_fine(status) ? lac_memory_allocate(sizeof *r) : NULL;
  if (!r) {
    lac_status_take(status, LAC_ERROR_MEMORY);
    return NULL;
  }
  r->words = words;
  r->merged = r->all = no_entries(r);
  return r;
}

/* ---- Runs --------------------------------------------------------------------------------- */

void lac_kernel_runs_begin(lac_runs *r, int64_t count, int32_t *status) {
  lac_kernel_runs_clear(r);
  r->runs = make_room(r->runs, &r->room, count, sizeof *r->runs, status);
  r->count = count < r->room ? count : r->room;
  for (int64_t i = 0; i < r->count; i++)
    r->runs[i] = (run){no_entries(r), 0};
  atomic_store_explicit(&r->begun, 0, memory_order_relaxed);
  order(r);
}

int64_t lac_kernel_runs_next(lac_runs *r) {
  return atomic_fetch_add_explicit(&r->begun, 1, memory_order_relaxed);
}

void *lac_kernel_run(lac_runs *r, int64_t i, int64_t count, int32_t *status) {
  order(r);
  if (i >= r->count || !take_entries(&r->runs[i].entries, count, status))
    return NULL;
  return r->runs[i].entries.data;
}

void lac_kernel_run_end(lac_runs *r, int64_t i, int64_t count) {
  if (i < r->count)
    r->runs[i].count = count;
  order(r);
}

/* ---- Ranges ------------------------------------------------------------------------------- */

static int64_t count_all(const lac_runs *r) {
  int64_t all = 0;
  for (int64_t i = 0; i < r->count; i++)
    all += r->runs[i].count;
  return all;
}

/* The one run that has entries, or -1. */
static int64_t only_run(const lac_runs *r, int64_t all) {
  for (int64_t i = 0; i < r->count; i++)
    if (r->runs[i].count == all)
      return i;
  return -1;
}

static int64_t range_count_for(int64_t all, int32_t most) {
  lac_kernel_visits(all);
  int64_t worth = all / ENTRIES_OF_A_RANGE;
  return lac_kernel_copies_count(most) == 1 || worth < 1 ? 1
         : worth < MOST_RANGES                           ? worth
                                                         : MOST_RANGES;
}

/* Every so many entries the key of one, in order; how many they are. */
static int64_t take_sample(const lac_runs *r, int64_t apart, lac_array *sample, lac_array *spare) {
  uint64_t *keys = sample->data;
  int64_t count = 0;
  for (int64_t i = 0; i < r->count; i++)
    for (int64_t n = apart / 2; n < r->runs[i].count; n += apart)
      keys[count++] = words_of(&r->runs[i].entries)[n * r->words];
  uint64_t *sorted = lac_entries_sort(keys, spare->data, count, 1, 1);
  if (sorted != keys)
    memcpy(keys, sorted, (size_t)count * sizeof *keys);
  return count;
}

/* The first entry of a run whose key is not below. */
static int64_t first_from(const lac_runs *r, const run *in, uint64_t key) {
  int64_t low = 0, high = in->count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (words_of(&in->entries)[middle * r->words] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static segment *segments_of(const lac_runs *r, int64_t n) {
  return r->segments + n * r->count;
}

/* Range n begins where its segments do; they end where those of the next begin. */
static void begin_range(lac_runs *r, int64_t n, bool first, uint64_t key) {
  r->ranges[n] = (range){0};
  for (int64_t i = 0; i < r->count; i++) {
    int64_t from = first ? 0 : first_from(r, &r->runs[i], key);
    segments_of(r, n)[i].at = words_of(&r->runs[i].entries) + from * r->words;
    r->ranges[n].begin += from;
  }
}

static void end_ranges(lac_runs *r, int64_t all) {
  for (int64_t n = 0; n < r->range_count; n++) {
    bool last = n + 1 == r->range_count;
    for (int64_t i = 0; i < r->count; i++) {
      segment *own = &segments_of(r, n)[i];
      const uint64_t *end = last ? words_of(&r->runs[i].entries) + r->runs[i].count * r->words
                                 : segments_of(r, n + 1)[i].at;
      own->count = (end - own->at) / r->words;
    }
    r->ranges[n].count = (last ? all : r->ranges[n + 1].begin) - r->ranges[n].begin;
  }
}

static void cut(lac_runs *r, int64_t all, int64_t count, int32_t *status) {
  lac_array sample = {.width = sizeof(uint64_t)}, spare = sample;
  int64_t wanted = count * SAMPLES, apart = all / wanted > 0 ? all / wanted : 1;
  int64_t most = all / apart + r->count;
  r->ranges = make_room(r->ranges, &r->range_room, count, sizeof *r->ranges, status);
  r->segments =
      make_room(r->segments, &r->segment_room, count * r->count, sizeof *r->segments, status);
  if (take_entries(&sample, most, status) && take_entries(&spare, most, status)) {
    int64_t taken = take_sample(r, apart, &sample, &spare);
    r->range_count = taken > 0 ? count : 1;
    for (int64_t n = 0; n < r->range_count; n++)
      begin_range(r, n, n == 0, n == 0 ? 0 : words_of(&sample)[n * taken / r->range_count]);
    end_ranges(r, all);
  }
  lac_array_free(&sample);
  lac_array_free(&spare);
}

int64_t lac_kernel_runs_cut(lac_runs *r, int32_t most, int32_t *status) {
  order(r);
  int64_t all = count_all(r), only = only_run(r, all);
  if (!lac_status_is_fine(status))
    return 0;
  if (only >= 0) {
    r->all = r->runs[only].entries;
    r->runs[only].entries = no_entries(r);
    r->all_count = all;
  } else if (take_entries(&r->merged, all, status)) {
    cut(r, all, range_count_for(all, most), status);
    lac_kernel_visits(all);
  }
  order(r);
  return lac_status_is_fine(status) ? r->range_count : 0;
}

/* ---- Merging ------------------------------------------------------------------------------ */

ALWAYS uint64_t *merge_words(const uint64_t *a, const uint64_t *a_end, const uint64_t *b,
                             const uint64_t *b_end, uint64_t *to, int64_t words) {
  while (a < a_end && b < b_end) {
    bool second = *b < *a;
    memcpy(to, second ? b : a, (size_t)words * sizeof *to);
    to += words;
    a += second ? 0 : words;
    b += second ? words : 0;
  }
  memcpy(to, a, (size_t)(a_end - a) * sizeof *to);
  to += a_end - a;
  memcpy(to, b, (size_t)(b_end - b) * sizeof *to);
  return to + (b_end - b);
}

static uint64_t *merge_two(const lac_runs *r, segment a, segment b, uint64_t *to) {
  const uint64_t *a_end = a.at + a.count * r->words, *b_end = b.at + b.count * r->words;
  return r->words == 2 ? merge_words(a.at, a_end, b.at, b_end, to, 2)
                       : merge_words(a.at, a_end, b.at, b_end, to, r->words);
}

/* Each two segments become one; one that is left over is copied. */
static int64_t merge_round(const lac_runs *r, segment *segments, int64_t count, uint64_t *to) {
  for (int64_t i = 0; i < count; i += 2) {
    segment a = segments[i], b = i + 1 < count ? segments[i + 1] : (segment){a.at, 0};
    segments[i / 2] = (segment){to, a.count + b.count};
    to = merge_two(r, a, b, to);
  }
  return (count + 1) / 2;
}

static int rounds_for(int64_t count) {
  int rounds = 1;
  for (; count > 2; count = (count + 1) / 2)
    rounds++;
  return rounds;
}

void *lac_kernel_runs_merge(lac_runs *r, int64_t n, int32_t *status) {
  order(r);
  segment *segments = segments_of(r, n);
  uint64_t *to = words_of(&r->merged) + r->ranges[n].begin * r->words;
  lac_array spare = no_entries(r);
  int64_t count = r->count;
  int rounds = rounds_for(count);
  if (rounds > 1 && !take_entries(&spare, r->ranges[n].count, status))
    return NULL;
  for (; rounds > 0; rounds--)
    count = merge_round(r, segments, count, rounds % 2 ? to : words_of(&spare));
  lac_array_free(&spare);
  return to;
}

int64_t lac_kernel_runs_size(const lac_runs *r, int64_t n) {
  return r->ranges[n].count;
}

void lac_kernel_runs_kept(lac_runs *r, int64_t n, int64_t count) {
  r->ranges[n].count = count;
  order(r);
}

/* ---- One list ----------------------------------------------------------------------------- */

void lac_kernel_runs_place(lac_runs *r, int32_t *status) {
  order(r);
  if (!r->range_count)
    return;
  free_runs(r);
  r->all_count = 0;
  for (int64_t n = 0; n < r->range_count; n++) {
    r->ranges[n].to = r->all_count;
    r->all_count += r->ranges[n].count;
  }
  if (!take_entries(&r->all, r->all_count, status))
    r->all_count = 0;
  lac_kernel_visits(r->all_count);
  order(r);
}

void lac_kernel_runs_copy(lac_runs *r, int64_t n) {
  order(r);
  const range *from = &r->ranges[n];
  memcpy(words_of(&r->all) + from->to * r->words, words_of(&r->merged) + from->begin * r->words,
         (size_t)(from->count * r->words) * sizeof(uint64_t));
  order(r);
}

void *lac_kernel_runs_all(lac_runs *r) {
  order(r);
  lac_array_free(&r->merged);
  return r->all.data;
}

int64_t lac_kernel_runs_count(const lac_runs *r) {
  return r->all_count;
}
