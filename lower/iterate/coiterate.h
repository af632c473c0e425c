/* coiterate.h - a sit.coiterate taken apart, for the files that make its loops. */
#ifndef LACUNA_COITERATE_H
#define LACUNA_COITERATE_H

#include "bit_set.h"
#include "walk.h"
#include "walked.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coiteration {
  lowering *k;
  MlirOperation op;
  int level_count;
  walk *levels;
  int case_count;
  lattice_point *cases;
  MlirValue extent, low, high; /* null where absent */
  MlirValue all_low, all_high; /* in those of all lanes; null where these do not differ */
  bool at_point;               /* `low` is the one coordinate, `high` the next */
  bool by_places;   /* both are places of the one walk: its coordinates are in no order */
  walk *sorted;     /* that walk, through a scratch array that all ranges go through; or NULL */
  bool begins_near; /* as a rule it begins where the walks do */
  bool fused, parallel, on_lanes;
  bool any; /* the one body is for all levels, runs where some have an entry; `cases` are they */
  /* What an iteration of a parallel loop over the places of one level does; NULL for the body. */
  bool (*visit)(struct coiteration *c, MlirValue place);
  void *visitor;
  bit_set roomy; /* levels of the result that have room */
} coiteration;

/* The cases of a sit.coiterate in an array of the arena, and how many they are. */
int coiteration_cases(arena *memory, MlirOperation op, lattice_point **cases);

/* Lowers the body of case `c` at a coordinate; `positions` has one for each level of the walk, of
 * which the case's are used. */
bool coiteration_body(coiteration *c, int number, MlirValue coordinate, const lowered *positions);
/* Its first part: what the case's arguments are, for who lowers the body in another way. */
void coiteration_bind(coiteration *c, int number, MlirValue coordinate, const lowered *positions);

/* Whether a value is the coordinate of one of the cases. */
bool coiteration_has_coordinate(const coiteration *c, MlirValue value);

/* The loop that has just been begun goes over what is visited: its iterations are unrolled, if that
 * is said. */
void coiteration_unroll(const coiteration *c);

/* Whether an entry is there and, where its level is too unordered to be clipped, within the bounds;
 * null where it always is. */
MlirValue coiteration_guard(coiteration *c, const walk *w, const entry *n);

/* Reads its bounds; starts the walks of its levels; their loops. */
void coiteration_read_bounds(coiteration *c);
bool coiteration_begin_walks(coiteration *c);
/* Fills the scratch array of the one walk, if it goes through one, before it is cut in ranges. */
bool coiteration_sort_walk(coiteration *c);
bool coiteration_dispatch(coiteration *c);
/* Makes the workspaces of an iteration that depend on nothing in it, in the rest of the block. */
bool coiteration_hoist_workspaces(coiteration *c);
/* They have been given back: where the loop is lowered once more they are made anew. */
void coiteration_drop_workspaces(coiteration *c);

/* Whether all levels that a sit.coiterate walks are ordered as they are stored. */
bool walks_are_ordered(const lowering *k, MlirOperation coiterate);

/* A loop on threads that deals out ranges of coordinates, as it appends to the result or merges
 * levels (pieces.c): whether it is one, and its code. */
bool coiterates_in_ranges(const coiteration *c);
bool coiterate_in_ranges(coiteration *c);

/* A loop over rows that are gone through as one, where that is said (flat.c): whether it is one,
 * and its code. */
bool is_flat_loop(const coiteration *c);
bool flat_loop(coiteration *c, MlirValue begin, MlirValue end);

/* The body, or `visit`, at one place of nothing or one level in one case. */
bool coiteration_place(coiteration *c, MlirValue place);

/* The same on threads for each place of begin..end-1 (parallel_loop.c); on what the loop is dealt
 * out to, threads or units of a GPU (gpu_loop.h). */
bool coiteration_parallel_loop(coiteration *c, MlirValue begin, MlirValue end);
bool coiteration_dealt_loop(coiteration *c, MlirValue begin, MlirValue end);

/* Loops of which rows that have a great part of all entries are shared by all threads, where that
 * is said (long_rows.c): whether it is one; its code, `others` being that of the rows [begin, end)
 * between; whether a walk is that of such a row; and its code. */
typedef bool places_loop(coiteration *c, MlirValue begin, MlirValue end);
bool has_long_rows(const coiteration *c);
bool long_rows_loop(coiteration *c, MlirValue begin, MlirValue end, places_loop *others);
bool is_shared_walk(const coiteration *c);
bool shared_walk_loop(coiteration *c);

/* The bound above the coordinates that are visited, of `over` and `to`; null where there is none.
 */
MlirValue coiteration_high(coiteration *c);

/* Moves the begin of the walk of a level up to the first place whose coordinate is not below `low`,
 * and its end down to that of `high`, which may be null (clip.c); the level is ordered. */
void coiteration_clip(coiteration *c, int level, MlirValue low, MlirValue high);

/* The plain loop over the places [begin, end) of nothing or one level in one case. */
bool coiteration_serial_loop(coiteration *c, MlirValue begin, MlirValue end);
bool coiteration_strided_loop(coiteration *c, MlirValue begin, MlirValue end, MlirValue step);

/* As many times `count` places as there are from `begin` to `end`, which is not before it; where
 * they end. */
MlirValue end_of_wholes(builder *b, MlirValue begin, MlirValue end, int64_t count);

/* A walk of one level in one case that does nothing but reduce, on lanes where that is said
 * (reduction.c); `*done` says whether it could be.  And the one entry below each lane's position of
 * such a walk. */
bool reduction_loop(coiteration *c, bool *done);
/* Whether it can be such; an error at it if not. */
bool reduction_allowed(const coiteration *c);
bool reduction_below(coiteration *c);

/* The one entry below each lane's position in a loop on lanes, where there is one (lane_guards.c).
 */
bool lanes_below(coiteration *c);

/* Where bounds differ from lane to lane: `low` and `high` become those of any lane, and the body at
 * a coordinate is run by the lanes that go there. */
void lanes_read_bounds(coiteration *c);
bool lanes_body_within(coiteration *c, MlirBlock body, MlirValue coordinate);

/* Prefetches what the body will read some entries behind `place`, where that is said
 * (read_ahead.c).
 */
void read_ahead(coiteration *c, MlirValue place);

/* The loops, by what is walked: nothing or one level in one case (coiterate.c); several levels
 * (merge.c). */
bool coiterate_merge(coiteration *c);

/* One coordinate, of levels that can all locate it (point.c): whether it is that, and its code. */
bool coiterates_point(const coiteration *c);
bool coiterate_point(coiteration *c);

/* All cases within a point of the lattice at once, their results selected (select.c): whether they
 * can be, where each level has a place that holds an entry and no duplicates; then the code, given
 * for each level of the point whether it is present at the coordinate, and its position. */
bool cases_selectable(arena *memory, MlirOperation op, int case_count, const lattice_point *cases,
                      lattice_point point);
bool cases_select(coiteration *c, lattice_point point, MlirValue coordinate,
                  const MlirValue *present, const lowered *positions);

/* A walk of nothing but a few coordinates, written out where that is said (write_out.c): whether it
 * is, and how many. */
bool is_written_out(const coiteration *c, int64_t *count);

/* Several iterations at once of a loop over coordinates, where that is said (jam.c): whether it is
 * one, and its code. */
bool is_jammed(const coiteration *c);
bool jammed_loop(coiteration *c, MlirValue begin, MlirValue end);

/* How the iterations of a loop on threads are dealt out, where that is said (deal.c): how many are
 * handed out at a time, or 0; and what `lower-parallel` reads on the loop that has been made. */
int64_t dealt_at_once(const coiteration *c);
void deal_out(const coiteration *c, MlirOperation parallel, int64_t at_once);

/* Room for what the cases append to the result, made before the loops where that is said: within
 * them appends are not checked (reserve.c).  `reserve_begin` shortens the walks to nothing where
 * there is no memory. */
void reserve_begin(coiteration *c);
void reserve_end(coiteration *c);

#ifdef __cplusplus
}
#endif
#endif
