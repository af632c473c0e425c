/* merge.h - the state of a merge, for the files that make its loops. */
#ifndef LACUNA_MERGE_H
#define LACUNA_MERGE_H

#include "coiterate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One level within the merge; what is below the variables is that of the current iteration. */
typedef struct strand {
  walk *walk;
  bool located;
  variable cursor;
  variable head, head_found, last;
  bool has_found;
  entry entry;
  MlirValue place, here, present;
  MlirValue followed; /* walk_followed */
} strand;

typedef struct merge {
  coiteration *c;
  builder *b;
  strand *strands;
  lattice_point located; /* levels that are located, not walked */
  bool heads;            /* one loop with heads: entries are looked up where a case needs them */
  bool are_followed;     /* only places that are followed by another one are gone through */
} merge;

/* The cases within the point's levels and those located, at a coordinate where it is known which of
 * the point's are present. */
bool merge_cases(merge *m, lattice_point point, MlirValue coordinate);

/* Whether the case is within the point's levels and those located. */
bool merge_has_case(const merge *m, lattice_point point, int number);

/* The least of the coordinates that `coordinate` gives of the levels of a point; null for a point
 * of none. */
typedef MlirValue strand_coordinate(merge *m, strand *s);
MlirValue merge_least(merge *m, lattice_point point, strand_coordinate *coordinate);

/* The end of the segment at the cursor, where it is the level's turn. */
void merge_find_last(merge *m, strand *s, MlirValue coordinate);

/* Whether all levels of the point have places left (i1), with `are_followed` such as are. */
MlirValue merge_has_places(merge *m, lattice_point point);

/* Which levels of a point go on by searching (seek.c): an i1 for each, null for those that never
 * do, and how many places are near; `any` is null where none does. */
typedef struct seeking {
  MlirValue any;
  MlirValue *is_long, *near;
} seeking;

/* Before the loop of a point; and at its head, where the cursors are moved. */
seeking seek_begin(merge *m, lattice_point point);
void seek(merge *m, lattice_point point, const seeking *s);

/* The loop of a point, from the cursors on; with `s` null without seeking. */
bool merge_branching_loop(merge *m, lattice_point point, const seeking *s);

/* The loop of an intersection of two levels that can be compared in blocks (intersect.c). */
bool blocks_can_meet(const merge *m);
bool blocks_loop(merge *m);

/* An intersection of two levels that looks one up in a table of the other (look_up.c): whether the
 * table is ready (i1), null where it has none; and its loop then. */
MlirValue look_up_begin(merge *m);
bool look_up_loop(merge *m);

/* One loop for all cases, at the least coordinate that is left or at all of them (merge_heads.c).
 */
bool merge_head_loop(merge *m);
bool merge_coordinate_loop(merge *m);

#ifdef __cplusplus
}
#endif
#endif
