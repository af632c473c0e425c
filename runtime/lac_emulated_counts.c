/* lac_emulated_counts.c - see lac_emulated_counts.h.
 *
 * What lanes of a warp touch is noted as they run, one after the other, and counted when all have
 * met or ended: sorted, the touches of a request stand together, in the order of their places.
 *
 *     lane 0: site 3 at 0, site 3 at 64        site 3, time 0: 0 8      request of 1 sector
 *     lane 1: site 3 at 8, site 3 at 72   -->  site 3, time 1: 64 72    request of 1 sector
 */
#include "lac_emulated_counts.h"

#include "lac_emulated.h"
#include "lac_emulated_memory.h"
#include "lac_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, WARPS = LAC_MOST_THREADS / WARP, AT_FIRST = 64 };

/* Of one lane: its `time`-th execution of the site since the lanes met. */
typedef struct touch {
  const char *at;
  int32_t bytes, site, time;
  uint8_t lane;
  bool is_shared;
} touch;

typedef struct warp_notes {
  touch *touches;
  int64_t count, capacity;
  int64_t steps;
  int met[LAC_COUNTED_SHUFFLE + 1]; /* lanes in parts of it that have met, of a whole */
} warp_notes;

static bool is_counting;
static lac_launch_counts *launches, now;
static int64_t launch_count, launch_capacity;
static warp_notes notes[WARPS];

/* How often each lane has come to each site: 32 for each site. */
static int32_t *seen;
static int64_t site_capacity;

/* ---- Room --------------------------------------------------------------------------------- */

/* At least one more than there are of `width` bytes each. */
static bool make_room(void **block, int64_t count, int64_t *capacity, int64_t width) {
  if (count < *capacity)
    return true;
  int64_t more = *capacity ? 2 * *capacity : AT_FIRST;
  while (more <= count)
    more *= 2;
  void *grown = lac_memory_resize(*block, *capacity * width, more * width);
  if (!grown)
    return false;
  *block = grown;
  *capacity = more;
  return true;
}

static bool make_room_for_launch(void) {
  void *block = launches;
  bool made = make_room(&block, launch_count, &launch_capacity, sizeof *launches);
  launches = block;
  return made;
}

static bool make_room_for_touch(warp_notes *w, int32_t site) {
  void *touches = w->touches, *sites = seen;
  bool made = make_room(&touches, w->count, &w->capacity, sizeof *w->touches) &&
              make_room(&sites, site, &site_capacity, WARP * (int64_t)sizeof *seen);
  w->touches = touches;
  seen = sites;
  return made;
}

/* ---- Requests ----------------------------------------------------------------------------- */

static void number_touches(warp_notes *w) {
  for (int64_t i = 0; i < w->count; i++) {
    touch *t = &w->touches[i];
    t->time = seen[(int64_t)t->site * WARP + t->lane]++;
  }
  for (int64_t i = 0; i < w->count; i++)
    seen[(int64_t)w->touches[i].site * WARP + w->touches[i].lane] = 0;
}

static bool is_of_request(const touch *a, const touch *b) {
  return a->site == b->site && a->time == b->time;
}

static int compare_touches(const void *one, const void *other) {
  const touch *a = one, *b = other;
  if (!is_of_request(a, b))
    return a->site != b->site ? (a->site < b->site ? -1 : 1) : (a->time < b->time ? -1 : 1);
  return (a->at > b->at) - (a->at < b->at);
}

/* Of [begin, end) what is not before `from`, which becomes the end. */
static int64_t count_beyond(uintptr_t begin, uintptr_t end, uintptr_t *from) {
  if (begin < *from)
    begin = *from;
  if (end <= begin)
    return 0;
  *from = end;
  return (int64_t)(end - begin);
}

static void count_request(const touch *begin, const touch *end) {
  uintptr_t bytes = 0, sectors = 0;
  int64_t asked = 0;
  if (begin->is_shared) {
    now.shared++;
    return;
  }
  now.requests++;
  for (const touch *t = begin; t < end; t++) {
    uintptr_t first = (uintptr_t)t->at, last = first + (uintptr_t)t->bytes;
    asked += count_beyond(first, last, &bytes);
    now.sectors += count_beyond(first / LAC_SECTOR, (last + LAC_SECTOR - 1) / LAC_SECTOR, &sectors);
  }
  now.asked += asked;
  now.least += (asked + LAC_SECTOR - 1) / LAC_SECTOR;
}

/* The warp's lanes have met: what they have done is counted, and they begin anew. */
static void count_notes(warp_notes *w) {
  number_touches(w);
  if (w->count > 0)
    qsort(w->touches, (size_t)w->count, sizeof *w->touches, compare_touches);
  const touch *end = w->touches + w->count;
  for (const touch *t = w->touches, *next; t < end; t = next) {
    for (next = t + 1; next < end && is_of_request(t, next);)
      next++;
    count_request(t, next);
    w->steps++;
  }
  w->count = 0;
}

/* ---- Touches ------------------------------------------------------------------------------ */

static void count_lane(int64_t bytes, int access) {
  now.reads += access == LAC_ACCESS_READS;
  now.writes += access == LAC_ACCESS_WRITES;
  now.atomics += access == LAC_ACCESS_UPDATES;
  now.bytes += bytes;
}

static int64_t size_of_sectors(const lac_emulated_array *array) {
  return (array->shadow.bytes + LAC_SECTOR - 1) / LAC_SECTOR * (int64_t)sizeof *array->last_block;
}

/* Blocks run one after the other, so that the last one to touch a sector tells whether this one
 * has. */
static bool count_sectors(lac_emulated_array *array, int64_t offset, int64_t bytes) {
  if (!array->last_block)
    array->last_block = lac_memory_allocate(size_of_sectors(array));
  if (!array->last_block)
    return false;
  uint32_t block = (uint32_t)lac_emulated_block() + 1;
  for (int64_t i = offset / LAC_SECTOR; i * LAC_SECTOR < offset + bytes; i++) {
    now.sectors_of_launch += array->last_block[i] == 0;
    now.sectors_of_blocks += array->last_block[i] != block;
    array->last_block[i] = block;
  }
  return true;
}

void lac_emulated_counts_forget(lac_emulated_array *array) {
  if (array->last_block)
    lac_memory_release(array->last_block, size_of_sectors(array));
  array->last_block = NULL;
}

bool lac_emulated_counts_touch(lac_emulated_array *array, int64_t offset, int64_t bytes, int access,
                               int32_t site) {
  if (!is_counting)
    return true;
  int64_t thread = lac_emulated_thread();
  warp_notes *w = &notes[thread / WARP];
  if (!make_room_for_touch(w, site) || (!array->is_shared && !count_sectors(array, offset, bytes)))
    return false;
  if (!array->is_shared)
    count_lane(bytes, access);
  w->touches[w->count++] = (touch){.at = array->data + offset,
                                   .bytes = (int32_t)bytes,
                                   .site = site,
                                   .lane = (uint8_t)(thread % WARP),
                                   .is_shared = array->is_shared};
  return true;
}

/* ---- Meetings ----------------------------------------------------------------------------- */

static int64_t warps_of_block(void) {
  return (now.threads + WARP - 1) / WARP;
}

static void count_block_met(void) {
  now.barriers++;
  for (int64_t i = 0; i < warps_of_block(); i++) {
    count_notes(&notes[i]);
    notes[i].steps++;
  }
}

/* Whether with these lanes a whole warp has met: WARP of them, or all that there are. */
static bool completes_warp(int *met, uint32_t lanes, bool is_whole) {
  for (; lanes && !is_whole; lanes &= lanes - 1)
    ++*met;
  bool is_complete = is_whole || *met >= WARP;
  *met -= !is_whole && is_complete ? WARP : 0;
  return is_complete;
}

void lac_emulated_counts_met(lac_meeting_counted at, int64_t warp, uint32_t lanes, bool is_whole) {
  if (!is_counting)
    return;
  if (at == LAC_COUNTED_BARRIER) {
    count_block_met();
    return;
  }
  if (!completes_warp(&notes[warp].met[at], lanes, is_whole))
    return;
  now.warp_barriers += at == LAC_COUNTED_WARP_BARRIER;
  now.ballots += at == LAC_COUNTED_BALLOT;
  now.shuffles += at == LAC_COUNTED_SHUFFLE;
  if (is_whole)
    count_notes(&notes[warp]);
  notes[warp].steps++;
}

static void forget(warp_notes *w) {
  w->count = w->steps = 0;
  memset(w->met, 0, sizeof w->met);
}

void lac_emulated_counts_block(void) {
  for (int64_t i = 0; is_counting && i < warps_of_block(); i++) {
    count_notes(&notes[i]);
    now.steps += notes[i].steps;
    if (notes[i].steps > now.longest)
      now.longest = notes[i].steps;
    forget(&notes[i]);
  }
}

/* ---- Launches ----------------------------------------------------------------------------- */

int32_t lac_emulated_counts_launch(const char *kernel, int64_t blocks, int64_t threads) {
  if (!is_counting)
    return LAC_OK;
  if (!make_room_for_launch())
    return LAC_ERROR_MEMORY;
  now = (lac_launch_counts){.blocks = blocks, .threads = threads};
  now.warps = blocks * warps_of_block();
  snprintf(now.kernel, sizeof now.kernel, "%s", kernel);
  for (int i = 0; i < WARPS; i++)
    forget(&notes[i]);
  return LAC_OK;
}

void lac_emulated_counts_launched(void) {
  if (is_counting)
    launches[launch_count++] = now;
}

void lac_emulated_counts_begin(void) {
  lac_emulated_counts_end();
  launch_count = 0;
  is_counting = true;
}

void lac_emulated_counts_end(void) {
  is_counting = false;
  for (int i = 0; i < WARPS; i++) {
    lac_memory_release(notes[i].touches, notes[i].capacity * (int64_t)sizeof *notes[i].touches);
    notes[i] = (warp_notes){0};
  }
  lac_memory_release(seen, site_capacity * WARP * (int64_t)sizeof *seen);
  seen = NULL;
  site_capacity = 0;
}

/* ---- What was counted --------------------------------------------------------------------- */

int64_t lac_emulated_counts_launches(void) {
  return launch_count;
}

lac_launch_counts lac_emulated_counts_of(int64_t launch) {
  return launches[launch];
}

static void add(lac_launch_counts *to, const lac_launch_counts *more) {
  to->blocks += more->blocks;
  to->warps += more->warps;
  to->reads += more->reads;
  to->writes += more->writes;
  to->atomics += more->atomics;
  to->bytes += more->bytes;
  to->requests += more->requests;
  to->asked += more->asked;
  to->sectors += more->sectors;
  to->least += more->least;
  to->sectors_of_blocks += more->sectors_of_blocks;
  to->sectors_of_launch += more->sectors_of_launch;
  to->shared += more->shared;
  to->barriers += more->barriers;
  to->warp_barriers += more->warp_barriers;
  to->shuffles += more->shuffles;
  to->ballots += more->ballots;
  to->steps += more->steps;
  if (more->longest > to->longest)
    to->longest = more->longest;
}

lac_launch_counts lac_emulated_counts_total(void) {
  lac_launch_counts total = {.threads = launch_count ? launches[0].threads : 0};
  for (int64_t i = 0; i < launch_count; i++) {
    add(&total, &launches[i]);
    if (launches[i].threads != total.threads)
      total.threads = 0;
  }
  return total;
}

double lac_launch_imbalance(const lac_launch_counts *counts) {
  return counts->steps ? (double)counts->longest * (double)counts->warps / (double)counts->steps
                       : 1;
}
