/* coiterate.h - a sit.coiterate taken apart, for the files that make its loops. */
#ifndef LACUNA_COITERATE_H
#define LACUNA_COITERATE_H

#include "walk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { COITERATE_LEVELS_MAX = 64 };

/* A point of the merge lattice: a set of the walked levels, bit k being level k. */
typedef uint64_t lattice_point;

typedef struct coiteration {
  lowering *k;
  MlirOperation op;
  int level_count;
  walk *levels;
  int case_count;
  lattice_point *cases;
  MlirValue extent, low, high; /* null where absent */
  bool fused, parallel, on_lanes;
} coiteration;

/* Lowers the body of case `c` at a coordinate; `positions` has one for each level of the walk, of
 * which the case's are used. */
bool coiteration_body(coiteration *c, int number, MlirValue coordinate, const lowered *positions);

/* The bound above the coordinates that are visited, of `over` and `to`; null where there is none.
 */
MlirValue coiteration_high(coiteration *c);

/* The loops, by what is walked: nothing or one level in one case (coiterate.c); several levels
 * (merge.c). */
bool coiterate_merge(coiteration *c);

#ifdef __cplusplus
}
#endif
#endif
