/* walk.h - one level being walked: an iterator over the places of a level below a position.
 *
 * A place is a position of the level where it is iterated by position, a coordinate where it is
 * iterated by coordinate (Chou et al. 2018, section 3.2):
 *
 *                      places                        at a place
 *     by position      pos_iter(parent)              pos_access: coordinate, position, found
 *     by coordinate    coord_iter(ancestors)         coord_access: position, found
 *
 * Below a segment of duplicates [first, last) a branchless level's places are those from
 * pos_iter(first).begin to pos_iter(last - 1).end: iterators of levels that are not unique are
 * chained (section 4.3).
 */
#ifndef LACUNA_WALK_H
#define LACUNA_WALK_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct walk {
  lowering *k;
  storage *tensor;
  level *l;
  const level_format *format;
  int number;
  unsigned properties;
  bool by_position;
  bool chained;      /* duplicates are visited together */
  bool padded;       /* what is located may be out of range */
  MlirValue scratch; /* where its places are, in a scratch array (scratch.h), or null */
  MlirValue offset;  /* the coordinates are those stored less this, or null */
  lowered parent;
  variable cursors[LEVEL_CURSORS]; /* what the level's format remembers from place to place */
  MlirValue begin, end;            /* places */
} walk;

/* What is at a place. `found` is null where every place has an entry. */
typedef struct entry {
  MlirValue coordinate, position, found;
} entry;

/* What a level stores for a coordinate of its walk. */
MlirValue walk_stored(const walk *w, MlirValue coordinate);

/* Starts walking level `number` of `tensor` below `parent`, emitting where its places begin and
 * end. With `fused` duplicates are visited one by one; with `scratch`, a scratch array or null, its
 * places are those of it, in order.  False after a diagnostic at `op`. */
bool walk_begin(walk *w, lowering *k, MlirOperation op, storage *tensor, int number, lowered parent,
                bool fused, MlirValue scratch);
/* The places below the parent alone, in the order in which they are stored. */
void walk_places(walk *w);

/* The first place from `begin` on whose coordinate is not below `bound`, or the end; the level is
 * ordered and iterated by position. */
MlirValue walk_seek(walk *w, MlirValue begin, MlirValue bound);
/* The same, fast where it is the end. */
MlirValue walk_seek_end(walk *w, MlirValue begin, MlirValue bound);
/* The same, fast where all before it are walked next. */
MlirValue walk_seek_along(walk *w, MlirValue begin, MlirValue bound);
/* The same, fast where it is near a place, `begin` or after it. */
MlirValue walk_seek_near(walk *w, MlirValue begin, MlirValue near, MlirValue bound);

/* The same from a place that is before the end, of any ordered level (gallop.c). */
MlirValue walk_gallop(walk *w, MlirValue place, MlirValue bound);

/* A block of `*size` places, WALK_BLOCK at most and no fewer than one, that has this place or ends
 * before it; the level is iterated by position.  The first `near` places (WALK_NEAR, or 0 where it
 * is likely to be farther away) are passed block by block. */
enum { WALK_BLOCK = 16, WALK_NEAR = 256 };
MlirValue walk_gallop_block(walk *w, MlirValue place, MlirValue bound, MlirValue near,
                            MlirValue *size);

entry walk_access(walk *w, MlirValue place);

/* Of places before this one, none behind the end, the next place can be accessed too, be it that of
 * an entry below another parent; null where that is not known. */
MlirValue walk_followed(const walk *w);

/* The entry of a coordinate, in a level that can locate; the parent is one position. */
entry walk_locate(walk *w, MlirValue coordinate);

/* The end of the run of places after `place` that have its coordinate. */
MlirValue walk_segment_end(walk *w, MlirValue place, MlirValue coordinate);

/* The lowered position of an entry; `last` is the end of its segment, or null. */
lowered walk_position(walk *w, const entry *n, MlirValue last);

/* Whether there is exactly one place. */
bool walk_is_single(const walk *w);

#ifdef __cplusplus
}
#endif
#endif
