/* search.h - binary search in the code being made. */
#ifndef LACUNA_SEARCH_H
#define LACUNA_SEARCH_H

#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether what is sought comes behind `at` (i1), emitted. */
typedef MlirValue search_before(void *data, MlirValue at);

/* The first of low .. high - 1 that is not before; `high` where all are.  From some on none is. */
MlirValue search_first(builder *b, MlirValue low, MlirValue high, search_before *is_before,
                       void *data);

/* The same, fast where it is near a place, low .. high: from there up or down in steps of 1, 2, 4,
 * ... until it has been passed (Bentley, Yao: An Almost Optimal Algorithm for Unbounded Searching,
 * 1976). */
MlirValue search_near(builder *b, MlirValue low, MlirValue high, MlirValue near,
                      search_before *is_before, void *data);

/* The same from `low` on, where all that comes before is read next: a few numbers of each line of
 * memory are read, in their order, which memory is ready for, and not some far away. */
MlirValue search_along(builder *b, MlirValue low, MlirValue high, search_before *is_before,
                       void *data);

#ifdef __cplusplus
}
#endif
#endif
