/* lac_accumulation.c - a workspace that is filled by accumulation arrays: what is inserted goes to
 * one of them; when it is full it is sorted, and merged with all that there is (insert, sort,
 * merge: Zhang et al. 2024, sections 4 and 5).
 *
 *     inserted     7 p0   1 p1   7 p2             a key, and the position of its value
 *     sorted       1 p1   7 p0   7 p2             positions move along, values stay (accumulation
 *     all          3 p5   9 p4                    indexing)
 *     merged       1 p1   3 p5   7 p0   9 p4      in the other buffer, or in place of all
 *     listed       p0 p2                          whose values are combined, by generated code;
 *                                                 then p2 is free for what is inserted next
 *
 * With another thread to sort and merge, the next array is filled meanwhile (pipelining):
 *
 *     inserting    array 0 | array 1 | array 2
 *     merging              | array 0 | array 1
 *
 * How long the next array is depends on how much there is, in three stages: as much again, half
 * as much, a quarter.
 */
#include "lac_entries.h"
#include "lac_integer.h"
#include "lac_kernel.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

enum { PAIR = 2, PAIR_BYTES = PAIR * sizeof(uint64_t), LATER_STAGE = 16 };

_Static_assert(sizeof(pthread_t) <= sizeof(int64_t), "a thread fits the word that is kept for it");

/* ---- Memory ------------------------------------------------------------------------------- */

static uint64_t *pairs_at(const lac_accumulation *a, int memory, int64_t i) {
  return (uint64_t *)a->memory[memory] + PAIR * i;
}

static bool is_double(const lac_accumulation *a) {
  return a->buffers > 1;
}

/* Where so many merged pairs go: before or behind those that there are, or over them, and then
 * there is room behind them to sort in. */
static int64_t place_for(const lac_accumulation *a, int64_t merged) {
  int64_t room = a->room[LAC_ACCUMULATION_ALL] / PAIR;
  return !is_double(a) || a->base >= merged ? 0 : room - merged;
}

static int64_t room_for(const lac_accumulation *a, int64_t added) {
  int64_t merged = a->count + added;
  return !is_double(a) ? merged + added : a->base >= merged ? 0 : a->base + a->count + merged;
}

/* For so many pairs that are merged next. */
static void want_to_merge(lac_accumulation *a, int64_t added) {
  a->wanted[LAC_ACCUMULATION_ALL] = PAIR * room_for(a, added);
  a->wanted[LAC_ACCUMULATION_LISTED] = PAIR * (a->free + a->combines + added);
}

/* ---- Sorting and merging ------------------------------------------------------------------ */

static void copy_pair(uint64_t *to, const uint64_t *from) {
  to[0] = from[0];
  to[1] = from[1];
}

/* Pairs in order, `sorted` of them with keys once each, and `others`, equal ones behind: each key
 * once at `to`, which may be where one of both ends.  Gives where they end. */
static uint64_t *merge_once(lac_accumulation *a, const uint64_t *sorted, int64_t count,
                            const uint64_t *others, int64_t added, uint64_t *to) {
  const uint64_t *sorted_end = sorted + PAIR * count, *others_end = others + PAIR * added;
  uint64_t *begin = to, *listed = pairs_at(a, LAC_ACCUMULATION_LISTED, a->free);
  for (; others < others_end; others += PAIR) {
    for (; sorted < sorted_end && sorted[0] <= others[0]; sorted += PAIR, to += PAIR)
      copy_pair(to, sorted);
    if (to > begin && to[-PAIR] == others[0]) {
      listed[0] = to[1 - PAIR];
      listed[1] = others[1];
      listed += PAIR;
    } else {
      copy_pair(to, others);
      to += PAIR;
    }
  }
  a->combines = (listed - pairs_at(a, LAC_ACCUMULATION_LISTED, a->free)) / PAIR;
  memmove(to, sorted, (size_t)(sorted_end - sorted) * sizeof *to);
  return to + (sorted_end - sorted);
}

/* The array that is full. */
static void sort_and_merge(lac_accumulation *a) {
  int64_t added = a->full, merged = a->count + added, place = place_for(a, merged);
  if (!added)
    return;
  uint64_t *all = pairs_at(a, LAC_ACCUMULATION_ALL, a->base);
  uint64_t *to = pairs_at(a, LAC_ACCUMULATION_ALL, place);
  uint64_t *others = pairs_at(a, LAC_ACCUMULATION_INSERTED, a->full_at);
  others = lac_entries_sort(others, to + PAIR * (is_double(a) ? a->count : merged), added, PAIR, 1);
  if (!is_double(a) && a->count) {
    memmove(all + PAIR * added, all, (size_t)a->count * PAIR_BYTES);
    all += PAIR * added;
  }
  a->count = (merge_once(a, all, a->count, others, added, to) - to) / PAIR;
  a->base = place;
  a->full = 0;
}

/* ---- Another thread ----------------------------------------------------------------------- */

static void *run(void *data) {
  sort_and_merge(data);
  return NULL;
}

/* Signals are the host's: its threads take them, ours do not.  Without a thread it is done when
 * it is waited for. */
static void start(lac_accumulation *a) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  a->started = !pthread_create(&thread, NULL, run, a);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  a->pending = true;
  if (a->started)
    memcpy(&a->thread, &thread, sizeof thread);
}

static void join(lac_accumulation *a) {
  pthread_t thread;
  memcpy(&thread, &a->thread, sizeof thread);
  if (a->started)
    pthread_join(thread, NULL);
}

static void wait_for_merged(lac_accumulation *a) {
  join(a);
  if (!a->started)
    sort_and_merge(a);
  a->started = a->pending = false;
}

/* ---- Accumulation arrays ------------------------------------------------------------------ */

static int64_t length_for(const lac_accumulation *a, int64_t count) {
  int64_t half = a->threshold, quarter = LATER_STAGE * a->threshold;
  int64_t length = lac_minimum(count, half) +
                   (lac_maximum(half, lac_minimum(count, quarter)) - half) / 2 +
                   lac_maximum(0, count - quarter) / 4;
  return lac_maximum(a->size, length);
}

/* Behind what is to be merged, or before it. */
static int64_t begin_for(const lac_accumulation *a, int64_t length) {
  return a->full && a->full_at < length ? a->full_at + a->full : 0;
}

static void want_array(lac_accumulation *a) {
  int64_t free = a->free + a->combines;
  a->length = length_for(a, a->count + a->full);
  a->wanted[LAC_ACCUMULATION_INSERTED] = PAIR * (begin_for(a, a->length) + a->length);
  a->wanted[LAC_ACCUMULATION_VALUES] = a->used + lac_maximum(0, a->length - free);
}

/* What was combined left positions, which are taken again; then come new ones. */
static void begin_array(lac_accumulation *a) {
  a->begin = begin_for(a, a->length);
  a->end = a->begin + a->length;
  for (int64_t i = a->begin; i < a->end; i++)
    pairs_at(a, LAC_ACCUMULATION_INSERTED, i)[1] =
        a->free ? pairs_at(a, LAC_ACCUMULATION_LISTED, --a->free)[1] : (uint64_t)a->used++;
  a->touched = lac_maximum(a->touched, a->used);
  a->taken = a->size;
}

static void take_array(lac_accumulation *a, int64_t next) {
  a->full_at = a->begin;
  a->full = next - a->begin;
  a->taken = lac_maximum(a->taken, lac_minimum(next, a->size));
  a->begin = a->end = next;
  a->touched = lac_maximum(a->touched, a->size);
}

/* The values of what is listed have been combined. */
static void take_combined(lac_accumulation *a) {
  a->free += a->combines;
  a->combines = 0;
}

static void look(lac_accumulation *a, int64_t *all, int64_t *inserted, int64_t *listed) {
  a->memory[LAC_ACCUMULATION_ALL] = all;
  a->memory[LAC_ACCUMULATION_INSERTED] = inserted;
  a->memory[LAC_ACCUMULATION_LISTED] = listed;
}

/* Of the first array the positions in pairs that were taken are written anew. */
void lac_kernel_accumulation_clear(lac_accumulation *a, int64_t *inserted) {
  join(a);
  a->started = a->pending = false;
  a->base = a->count = a->full = a->free = a->combines = a->length = a->begin = 0;
  a->end = a->used = a->size;
  for (int64_t i = 0; i < a->taken; i++)
    ((uint64_t *)inserted)[PAIR * i + 1] = (uint64_t)i;
  a->taken = 0;
  want_to_merge(a, a->size);
}

void lac_kernel_accumulation_begin(lac_accumulation *a, int64_t *inserted, int64_t size,
                                   int64_t threshold, int64_t buffers, int64_t threads) {
  a->threshold = threshold;
  a->buffers = buffers;
  a->threads = threads;
  a->size = a->taken = size;
  a->wanted[LAC_ACCUMULATION_INSERTED] = PAIR * size;
  a->wanted[LAC_ACCUMULATION_VALUES] = size;
  lac_kernel_accumulation_clear(a, inserted);
}

/* ---- Turns -------------------------------------------------------------------------------- */

/* Another thread begins to merge what is full in the next call, and has merged what was full
 * before. */
void lac_kernel_accumulation_merge(lac_accumulation *a, int64_t *all, int64_t *inserted,
                                   int64_t *listed, int64_t next) {
  bool alone = a->threads == 1;
  if (a->pending)
    wait_for_merged(a);
  else
    take_combined(a);
  take_array(a, next);
  if (alone) {
    look(a, all, inserted, listed);
    sort_and_merge(a);
  }
  want_array(a);
  want_to_merge(a, alone ? a->length : a->full);
}

void lac_kernel_accumulation_next(lac_accumulation *a, int64_t *all, int64_t *inserted,
                                  int64_t *listed) {
  if (!a->length)
    return;
  look(a, all, inserted, listed);
  take_combined(a);
  begin_array(a);
  if (a->full)
    start(a);
}

bool lac_kernel_accumulation_order(lac_accumulation *a, int64_t *all, int64_t *inserted,
                                   int64_t *listed, int64_t next) {
  if (a->pending) {
    wait_for_merged(a);
    want_to_merge(a, next - a->begin);
    return true;
  }
  take_combined(a);
  look(a, all, inserted, listed);
  take_array(a, next);
  sort_and_merge(a);
  return false;
}

void lac_kernel_accumulation_end(lac_accumulation *a) {
  if (a)
    join(a);
}
