/* recorded.h - levels down to the values whose entries come in any order, and are kept in a buffer
 * (entry_buffer.h) until all are there: steps (building.h) that ways share which differ in how they
 * put them together (entry_pieces.h).
 *
 *     record      sorted and appended      record.c
 *     collect     collected, where the loops run on threads      collect_recorded.c
 *
 * The first such level is counted; `along` are those below.
 */
#ifndef LACUNA_RECORDED_H
#define LACUNA_RECORDED_H

#include "building.h"
#include "entry_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of each of the levels. */
typedef struct recorded {
  entry_buffer *entries;
  MlirValue *positions; /* of level first + n, once they are put together */
} recorded;

MlirValue recorded_begin(level *l);
MlirValue recorded_begin_along(level *l);
void recorded_count(level *l, MlirValue parent, MlirValue coordinate);
MlirValue recorded_edges(level *l);
void recorded_begin_values(level *l, MlirValue positions);
MlirValue recorded_place(level *l, MlirValue parent, const MlirValue *coordinates);
MlirValue recorded_place_along(level *l, MlirValue parent, const MlirValue *coordinates);
MlirValue recorded_finish(level *l, MlirValue parents);
void recorded_release(level *l);
storage *recorded_begin_counts(level *l, MlirValue i, MlirValue *begun);
MlirValue recorded_counted(level *counts);
storage *recorded_begin_places(level *l, MlirValue i);

#ifdef __cplusplus
}
#endif
#endif
