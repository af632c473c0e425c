/* lac_emulated_threads.c - the threads of a launch: one goes on until it meets others, then another
 * one; see lac_emulated.h for what they meet at.
 *
 * A fibre takes one thread after the other from those that can go on, and calls the kernel for it.
 * Where a thread has to wait its fibre waits with it, and another fibre goes on:
 *
 *     fresh --+--> running --+--> ended
 *             |              |
 *     ready --+    waiting <-+        ready again when all have come whom the thread waits for
 *
 * So a kernel whose threads never meet runs on one stack, a call for each thread.  That somebody
 * never comes is seen when the second of two arrives where the first one does not wait. */
#include "lac_emulated_threads.h"

#include "lac_emulated.h"
#include "lac_emulated_counts.h"
#include "lac_emulated_memory.h"
#include "lac_error.h"
#include "lac_random.h"

#include <stdlib.h>
#include <string.h>

enum { WARP = 32 };
static const uint32_t ALL_LANES = UINT32_MAX;

/* What a thread waits at: a set of lanes of the warp take part, a bit each. */
typedef enum meeting_kind { NOTHING, BARRIER, WARP_BARRIER, BALLOT, SHUFFLE } meeting_kind;
typedef struct meeting {
  meeting_kind kind;
  int32_t mode; /* of a shuffle */
  uint32_t lanes;
} meeting;

typedef struct member {
  lac_fibre *fibre; /* NULL: fresh */
  bool has_ended;
  meeting at;   /* NOTHING: it runs, or could */
  int64_t bits; /* that it brings, and then takes */
  int32_t by;
  uint32_t group, group_barriers; /* lanes that it met at a barrier apart from others; how often */
} member;

typedef struct warp {
  uint32_t waiting, ended; /* lanes, a bit each */
  meeting at;              /* where those wait that do */
  bool is_mixed;           /* some of them elsewhere: lanes that no shuffle waits for */
  uint32_t barriers;       /* that it has passed */
} warp;

static struct {
  lac_emulated_launch of;
  lac_random random;
  int64_t block, step; /* the block that runs, and how far it is to the next one */
  int64_t left;        /* blocks that have not begun */
  uint32_t barriers;   /* that the block has passed */
  int64_t at_barrier, ended;
  warp warps[LAC_MOST_THREADS / WARP];
  member members[LAC_MOST_THREADS];
  int32_t ready[LAC_MOST_THREADS], ready_count; /* those that can go on */
  int32_t running;                              /* -1: none */
  lac_fibre *fibre;                             /* that it runs on */
  int32_t failed;
} grid = {.running = -1};

static lac_fibre *fibres[LAC_MOST_THREADS], *idle[LAC_MOST_THREADS];
static int32_t fibre_count, idle_count;

/* ---- Failures ----------------------------------------------------------------------------- */

_Noreturn void lac_emulated_fail(int32_t status) {
  lac_fibre *here = grid.fibre;
  grid.failed = status;
  grid.fibre = NULL;
  lac_fibre_switch(here, NULL);
  abort(); /* nobody comes back */
}

static const char *text_of(meeting at) {
  static const char *const texts[] = {[NOTHING] = "nothing",
                                      [BARRIER] = "a barrier",
                                      [WARP_BARRIER] = "a barrier of its warp",
                                      [BALLOT] = "a ballot",
                                      [SHUFFLE] = "a shuffle"};
  return texts[at.kind];
}

static _Noreturn void fail_to_meet(int64_t waits, meeting at, int64_t other) {
  const member *m = &grid.members[other];
  lac_emulated_fail(lac_error_set(
      LAC_ERROR_DEVICE, "kernel '%s', block %lld: thread %lld waits at %s, and thread %lld %s%s",
      grid.of.code->name, (long long)grid.block, (long long)waits, text_of(at), (long long)other,
      m->has_ended ? "has ended" : "at ",
      m->has_ended            ? ""
      : m->at.kind != at.kind ? text_of(m->at)
      : m->at.mode != at.mode ? "one of another mode"
                              : "one of other lanes"));
}

/* ---- Blocks ------------------------------------------------------------------------------- */

static void begin_block(void) {
  grid.block = (grid.block + grid.step) % grid.of.blocks;
  grid.left--;
  grid.barriers = 0;
  grid.at_barrier = grid.ended = 0;
  grid.ready_count = (int32_t)grid.of.threads;
  memset(grid.warps, 0, sizeof grid.warps);
  memset(grid.members, 0, (size_t)grid.of.threads * sizeof *grid.members);
  for (int32_t i = 0; i < grid.ready_count; i++)
    grid.ready[i] = i;
  if (grid.of.shared)
    memset(grid.of.shared, LAC_EMULATED_UNDEFINED, (size_t)grid.of.shared_bytes);
}

/* One of those that can go on; of the next block where all of this one have ended; -1 where there
 * is none. */
static int32_t take_ready(void) {
  if (grid.ended == grid.of.threads && grid.left > 0)
    begin_block();
  if (grid.ready_count == 0)
    return -1;
  int64_t i = lac_random_below(&grid.random, grid.ready_count);
  int32_t taken = grid.ready[i];
  grid.ready[i] = grid.ready[--grid.ready_count];
  return taken;
}

/* ---- Fibres ------------------------------------------------------------------------------- */

static void run_threads(void);

static bool make_idle(void) {
  lac_fibre *made = lac_fibre_create(run_threads);
  if (made)
    fibres[fibre_count++] = idle[idle_count++] = made;
  return made != NULL;
}

static lac_fibre *take_idle(void) {
  if (idle_count == 0 && !make_idle())
    lac_emulated_fail(LAC_ERROR_MEMORY);
  return idle[--idle_count];
}

static void switch_to(lac_fibre *to) {
  lac_fibre *here = grid.fibre;
  grid.fibre = to;
  if (to != here)
    lac_fibre_switch(here, to);
}

/* This fibre waits; a thread that can go on does. */
static void go_on_elsewhere(void) {
  int32_t next = take_ready();
  if (next < 0)
    lac_emulated_fail(lac_error_set(LAC_ERROR_DEVICE,
                                    "kernel '%s', block %lld: no thread can go on",
                                    grid.of.code->name, (long long)grid.block));
  grid.running = next;
  switch_to(grid.members[next].fibre ? grid.members[next].fibre : take_idle());
}

/* A thread has ended: this fibre takes a fresh one, or gives way to the fibre of one that was
 * waiting, or, after the last one, to who launched. */
static void go_on(void) {
  int32_t next = take_ready();
  grid.running = next;
  if (next >= 0 && !grid.members[next].fibre)
    return;
  idle[idle_count++] = grid.fibre;
  switch_to(next >= 0 ? grid.members[next].fibre : NULL);
}

/* ---- Who waits for whom ------------------------------------------------------------------- */

static warp *warp_of(int64_t thread) {
  return &grid.warps[thread / WARP];
}

static uint32_t bit_of(int64_t thread) {
  return UINT32_C(1) << thread % WARP;
}

static int64_t first_of_warp(int64_t thread) {
  return thread / WARP * WARP;
}

static int64_t end_of_warp(int64_t thread) {
  int64_t end = first_of_warp(thread) + WARP;
  return end < grid.of.threads ? end : grid.of.threads;
}

/* Whether a thread that waits there waits for this one, of its warp. */
static bool takes_part(meeting at, int64_t thread) {
  return at.kind != NOTHING && (at.kind == BARRIER || (at.lanes & bit_of(thread)));
}

static bool same_meeting(meeting a, meeting b) {
  return a.kind == b.kind && a.mode == b.mode && a.lanes == b.lanes;
}

/* Whether this thread, which has come, and another one wait for each other at different places, or
 * the other one never comes. */
static void check_meeting(int64_t self, meeting at, int64_t other) {
  const member *m = &grid.members[other];
  bool is_awaited = takes_part(at, other);
  if (is_awaited && m->has_ended)
    fail_to_meet(self, at, other);
  if (is_awaited && takes_part(m->at, self) && !same_meeting(m->at, at))
    fail_to_meet(self, at, other);
}

/* The same of all of the warp, where not all that wait do so here. */
static void check_warp(int64_t self, meeting at) {
  warp *w = warp_of(self);
  bool is_same = !w->waiting || (!w->is_mixed && same_meeting(w->at, at));
  for (int64_t i = first_of_warp(self); (!is_same || w->ended) && i < end_of_warp(self); i++)
    check_meeting(self, at, i);
  w->is_mixed = !is_same;
  w->at = at;
  w->waiting |= bit_of(self);
}

/* Nobody may wait for a thread that has ended. */
static void check_ended(int64_t self) {
  for (int64_t i = 0; grid.at_barrier > 0 && i < grid.of.threads; i++)
    if (grid.members[i].at.kind == BARRIER)
      fail_to_meet(i, grid.members[i].at, self);
  for (int64_t i = first_of_warp(self); warp_of(self)->waiting && i < end_of_warp(self); i++)
    if (takes_part(grid.members[i].at, self))
      fail_to_meet(i, grid.members[i].at, self);
}

/* ---- Threads ------------------------------------------------------------------------------ */

static void end_thread(void) {
  int64_t self = grid.running;
  grid.members[self].has_ended = true;
  warp_of(self)->ended |= bit_of(self);
  grid.ended++;
  check_ended(self);
  if (grid.ended == grid.of.threads)
    lac_emulated_counts_block();
}

static void run_threads(void) {
  for (;;) {
    grid.of.code->entry(grid.of.arguments);
    end_thread();
    go_on();
  }
}

/* ---- Meetings ----------------------------------------------------------------------------- */

static void let_go(int64_t begin, int64_t end, meeting at) {
  for (int64_t i = begin; i < end; i++) {
    warp *w = warp_of(i);
    if (!takes_part(at, i))
      continue;
    w->waiting &= ~bit_of(i);
    w->is_mixed &= w->waiting != 0;
    grid.members[i].at.kind = NOTHING;
    grid.ready[grid.ready_count++] = (int32_t)i;
  }
}

/* What each lane takes, of what all have brought. */
static void shuffle(int64_t begin, int64_t end, meeting at) {
  int64_t brought[WARP];
  for (int64_t i = begin; i < end; i++)
    brought[i - begin] = grid.members[i].bits;
  for (int64_t i = begin; i < end; i++) {
    int64_t lane = i - begin, by = grid.members[i].by;
    int64_t from = at.mode == LAC_SHUFFLE_XOR    ? lane ^ by
                   : at.mode == LAC_SHUFFLE_UP   ? lane - by
                   : at.mode == LAC_SHUFFLE_DOWN ? lane + by
                                                 : by;
    if (from >= 0 && from < end - begin && takes_part(at, i) && takes_part(at, begin + from))
      grid.members[i].bits = brought[from];
  }
}

static void vote(int64_t begin, int64_t end) {
  uint32_t set = 0;
  for (int64_t i = begin; i < end; i++)
    set |= (uint32_t)grid.members[i].bits << (i - begin);
  for (int64_t i = begin; i < end; i++)
    grid.members[i].bits = set;
}

/* The lanes of a warp that there are: all, but for the last one. */
static uint32_t all_lanes(int64_t begin, int64_t end) {
  return (uint32_t)((UINT64_C(1) << (end - begin)) - 1);
}

static void pass_barrier(int64_t begin, int64_t end, meeting at, bool is_whole) {
  warp_of(begin)->barriers += is_whole;
  for (int64_t i = begin; i < end && !is_whole; i++)
    if (takes_part(at, i)) {
      grid.members[i].group = at.lanes;
      grid.members[i].group_barriers++;
    }
}

static const lac_meeting_counted counted_as[] = {[BARRIER] = LAC_COUNTED_BARRIER,
                                                 [WARP_BARRIER] = LAC_COUNTED_WARP_BARRIER,
                                                 [BALLOT] = LAC_COUNTED_BALLOT,
                                                 [SHUFFLE] = LAC_COUNTED_SHUFFLE};

/* All of them wait at the same, since everything else was refused. */
static void meet_in_warp(int64_t self, meeting at) {
  int64_t begin = first_of_warp(self), end = end_of_warp(self);
  uint32_t all = all_lanes(begin, end), awaited = at.lanes & all;
  if ((warp_of(self)->waiting & awaited) != awaited)
    return;
  if (at.kind == SHUFFLE)
    shuffle(begin, end, at);
  if (at.kind == BALLOT)
    vote(begin, end);
  if (at.kind == WARP_BARRIER)
    pass_barrier(begin, end, at, awaited == all);
  lac_emulated_counts_met(counted_as[at.kind], self / WARP, awaited, awaited == all);
  let_go(begin, end, at);
}

static void meet_in_block(int64_t self, meeting at) {
  for (int64_t i = 0; grid.ended > 0 && i < grid.of.threads; i++)
    if (grid.members[i].has_ended)
      fail_to_meet(self, at, i);
  if (++grid.at_barrier < grid.of.threads)
    return;
  grid.at_barrier = 0;
  grid.barriers++;
  lac_emulated_counts_met(counted_as[at.kind], self / WARP, at.lanes, true);
  let_go(0, grid.of.threads, at);
}

/* What the thread takes from the meeting. */
static int64_t meet(meeting at, int64_t bits, int32_t by) {
  int64_t self = grid.running;
  if (self < 0)
    return bits;
  member *m = &grid.members[self];
  m->fibre = grid.fibre;
  m->at = at;
  m->bits = bits;
  m->by = by;
  check_warp(self, at);
  if (at.kind == BARRIER)
    meet_in_block(self, at);
  else
    meet_in_warp(self, at);
  go_on_elsewhere();
  return grid.members[self].bits;
}

/* A lane meets others among which it is. */
static void check_lanes(int32_t lanes, const char *what) {
  if (grid.running >= 0 && !((uint32_t)lanes & bit_of(grid.running)))
    lac_emulated_fail(lac_error_set(
        LAC_ERROR_DEVICE,
        "kernel '%s', block %lld: thread %lld, lane %d of its warp, %s the lanes 0x%x, among which "
        "it is not",
        grid.of.code->name, (long long)grid.block, (long long)grid.running, grid.running % WARP,
        what, (unsigned)lanes));
}

void lac_emulated_barrier(void) {
  meet((meeting){.kind = BARRIER, .lanes = ALL_LANES}, 0, 0);
}

void lac_emulated_warp_barrier(int32_t lanes) {
  check_lanes(lanes, "waits for");
  meet((meeting){.kind = WARP_BARRIER, .lanes = (uint32_t)lanes}, 0, 0);
}

int32_t lac_emulated_ballot(bool says) {
  return (int32_t)meet((meeting){.kind = BALLOT, .lanes = ALL_LANES}, says, 0);
}

int64_t lac_emulated_shuffle(int64_t bits, int32_t mode, int32_t by, int32_t lanes) {
  check_lanes(lanes, "shuffles with");
  if (grid.running >= 0 &&
      (mode < LAC_SHUFFLE_XOR || mode > LAC_SHUFFLE_IDX || by < 0 || by >= WARP))
    lac_emulated_fail(lac_error_set(
        LAC_ERROR_DEVICE, "kernel '%s', block %lld: thread %lld shuffles by %d (mode %d)",
        grid.of.code->name, (long long)grid.block, (long long)grid.running, by, mode));
  return meet((meeting){SHUFFLE, mode, (uint32_t)lanes}, bits, by);
}

/* ---- Numbers ------------------------------------------------------------------------------ */

int64_t lac_emulated_thread(void) {
  return grid.running;
}
int64_t lac_emulated_block(void) {
  return grid.block;
}
int64_t lac_emulated_threads(void) {
  return grid.of.threads;
}
int64_t lac_emulated_blocks(void) {
  return grid.of.blocks;
}
void *lac_emulated_shared(void) {
  return grid.of.shared;
}

lac_moment lac_emulated_now(void) {
  const member *m = &grid.members[grid.running];
  return (lac_moment){.block = (uint32_t)grid.block,
                      .thread = (uint32_t)grid.running + 1,
                      .barriers = grid.barriers,
                      .warp_barriers = warp_of(grid.running)->barriers,
                      .group = m->group,
                      .group_barriers = m->group_barriers};
}

const lac_fibre *lac_emulated_fibre(void) {
  return grid.fibre;
}

const char *lac_emulated_kernel(void) {
  return grid.of.code->name;
}

/* ---- Launches ----------------------------------------------------------------------------- */

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void choose_order(void) {
  static uint64_t launches;
  const char *said = getenv("LACUNA_EMULATED_SEED");
  uint64_t seed = said && *said ? strtoull(said, NULL, 10) : 1;
  grid.random = lac_random_seed(seed + (launches++ << 32));
  grid.block = lac_random_below(&grid.random, grid.of.blocks);
  do
    grid.step = 1 + lac_random_below(&grid.random, grid.of.blocks);
  while (greatest_common_divisor(grid.step, grid.of.blocks) != 1);
}

/* What threads that were left behind stand in is taken for others. */
static void restart_fibres(void) {
  for (idle_count = 0; idle_count < fibre_count; idle_count++)
    lac_fibre_restart(idle[idle_count] = fibres[idle_count]);
}

int32_t lac_emulated_run(const lac_emulated_launch *launch) {
  grid.of = *launch;
  grid.left = launch->blocks;
  choose_order();
  if (idle_count == 0 && !make_idle())
    return LAC_ERROR_MEMORY;
  begin_block();
  grid.running = take_ready();
  grid.failed = LAC_OK;
  grid.fibre = idle[--idle_count];
  lac_fibre_switch(NULL, grid.fibre);
  grid.running = -1;
  if (grid.failed != LAC_OK)
    restart_fibres();
  return grid.failed;
}
