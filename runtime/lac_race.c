/* lac_race.c - shadows of arrays; see lac_race.h. */
#include "lac_race.h"

#include "lac_memory.h"

#include <string.h>

enum { LARGEST_GRANULE = 16, WARP = 32 };

/* The two of a set that are as far apart as any. */
typedef struct pair {
  lac_moment one, other;
} pair;

typedef struct place {
  lac_moment write;
  pair updates, reads;
} place;

/* ---- Order -------------------------------------------------------------------------------- */

static bool is_somebody(lac_moment m) {
  return m.thread != 0;
}

static bool same_warp(lac_moment a, lac_moment b) {
  return (a.thread - 1) / WARP == (b.thread - 1) / WARP;
}

/* Whether `b` has met lanes of its warp apart from others, with `a` among them. */
static bool has_met(lac_moment b, lac_moment a) {
  return same_warp(a, b) && b.group >> (a.thread - 1) % WARP & 1;
}

static bool is_before(lac_moment a, lac_moment b) {
  if (a.block != b.block)
    return false;
  return a.thread == b.thread || a.barriers < b.barriers ||
         (same_warp(a, b) && a.warp_barriers < b.warp_barriers) ||
         (has_met(b, a) && a.group_barriers < b.group_barriers);
}

/* 0 the same thread, 1 lanes that meet, 2 the same warp, 3 the same block, 4 different ones. */
static int apart(lac_moment a, lac_moment b) {
  return a.block != b.block               ? 4
         : !same_warp(a, b)               ? 3
         : a.thread == b.thread           ? 0
         : has_met(a, b) || has_met(b, a) ? 1
                                          : 2;
}

/* One that is before `now` is before all that `now` is before.  Of three of which none is before
 * another two tell: with different blocks among them everything races; in one block all have passed
 * as many barriers of it, and in one warp of that too, and among lanes that meet of theirs, so that
 * whatever is not behind the next one races with one of two warps, or of two groups, or of two
 * threads. */
static void add(pair *set, lac_moment now) {
  bool has_other = is_somebody(set->other);
  if (!is_somebody(set->one) || is_before(set->one, now)) {
    bool stays = has_other && !is_before(set->other, now);
    *set = stays ? (pair){set->other, now} : (pair){now, {0}};
  } else if (!has_other || is_before(set->other, now) ||
             apart(set->one, set->other) < apart(set->one, now)) {
    set->other = now;
  }
}

/* One of the set that is not before `now`. */
static bool find_race(const pair *set, lac_moment now, lac_moment *with) {
  if (is_somebody(set->one) && !is_before(set->one, now)) {
    *with = set->one;
    return true;
  }
  *with = set->other;
  return is_somebody(set->other) && !is_before(set->other, now);
}

/* ---- Places ------------------------------------------------------------------------------- */

static bool finds_race(const place *p, lac_access access, lac_moment now, lac_race *race) {
  pair write = {.one = p->write};
  race->did = LAC_ACCESS_WRITES;
  if (find_race(&write, now, &race->with))
    return true;
  race->did = LAC_ACCESS_UPDATES;
  if (access != LAC_ACCESS_UPDATES && find_race(&p->updates, now, &race->with))
    return true;
  race->did = LAC_ACCESS_READS;
  return access != LAC_ACCESS_READS && find_race(&p->reads, now, &race->with);
}

static void note(place *p, lac_access access, lac_moment now) {
  if (access == LAC_ACCESS_READS)
    add(&p->reads, now);
  else if (access == LAC_ACCESS_UPDATES)
    add(&p->updates, now);
  else
    *p = (place){.write = now};
}

/* What an earlier block has left. */
static void forget_blocks(place *p, uint32_t but) {
  if (p->write.block != but || p->updates.one.block != but || p->reads.one.block != but) {
    p->write = p->write.block == but ? p->write : (lac_moment){0};
    p->updates = p->updates.one.block == but ? p->updates : (pair){{0}, {0}};
    p->reads = p->reads.one.block == but ? p->reads : (pair){{0}, {0}};
  }
}

/* ---- Shadows ------------------------------------------------------------------------------ */

static int64_t count_places(int64_t bytes, int64_t granule) {
  return (bytes + granule - 1) / granule;
}

static int64_t size_of_places(const lac_shadow *shadow) {
  return lac_memory_bytes(count_places(shadow->bytes, shadow->granule), sizeof(place));
}

void lac_shadow_clear(lac_shadow *shadow) {
  if (shadow->place)
    lac_memory_release(shadow->place, size_of_places(shadow));
  shadow->place = NULL;
  shadow->granule = 0;
}

static int64_t largest_granule(int64_t at, int64_t bytes) {
  int64_t granule = LARGEST_GRANULE;
  while ((at | bytes) & (granule - 1))
    granule /= 2;
  return granule;
}

/* Each place becomes several, with what was known of it. */
static bool refine(lac_shadow *shadow, int64_t granule) {
  lac_shadow fine = {shadow->bytes, granule, NULL};
  fine.place = lac_memory_allocate(size_of_places(&fine));
  if (!fine.place)
    return false;
  int64_t count = count_places(fine.bytes, granule);
  for (int64_t i = 0; shadow->place && i < count; i++)
    fine.place[i] = shadow->place[i * granule / shadow->granule];
  lac_shadow_clear(shadow);
  *shadow = fine;
  return true;
}

bool lac_shadow_touch(lac_shadow *shadow, int64_t at, int64_t bytes, lac_access access,
                      lac_moment now, bool is_of_block, lac_race *race) {
  int64_t granule = largest_granule(at, bytes);
  race->with = (lac_moment){0};
  if ((!shadow->place || granule < shadow->granule) && !refine(shadow, granule))
    return false;
  granule = shadow->granule;
  for (int64_t i = at / granule; i * granule < at + bytes; i++) {
    place *p = &shadow->place[i];
    if (is_of_block)
      forget_blocks(p, now.block);
    race->at = i * granule;
    if (finds_race(p, access, now, race))
      return false;
    note(p, access, now);
  }
  return true;
}
