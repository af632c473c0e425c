/* ranges.h - a loop cut into ranges of its coordinates, each for one thread.
 *
 *     sit.coiterate .. on cpu_thread         parallel for n in 0 .. ranges - 1
 *                                              sit.coiterate .. from cut(n) to cut(n + 1)
 *
 *     sit.coiterate .. on gpu_thread         launch { for n = thread; n < ranges; n += threads
 *                                              sit.coiterate .. from cut(n) to cut(n + 1) }
 */
#ifndef LACUNA_RANGES_H
#define LACUNA_RANGES_H

#include "cut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its number, and the coordinates low .. high - 1 of the loop.  Where rows are cut (row_cut.h), of
 * coordinate `low` what the loop inside has from `from` on, and of `last` what it has below `to`;
 * null where they are not. */
typedef struct range {
  MlirValue number, low, high;
  MlirValue from, last, to;
} range;

/* The range whose rows a loop goes through while it is lowered. */
typedef struct range_rows {
  MlirOperation loop;
  const range *range;
} range_rows;

/* Finds the coordinates of a range, of `count` in all; the code of one. */
typedef void find_range(cutting *u, range *r, MlirValue count, void *data);
typedef bool range_code(cutting *u, const range *r, void *data);

/* The code of each of `count` ranges, on some thread. */
bool ranges_loop(cutting *u, MlirValue count, find_range *find, range_code *code, void *data);

/* Ranges with about as much work. */
find_range range_cut;

/* The result of the kernel, or what stands for it in a range. */
storage *range_result(const coiteration *c);

/* The loop over the coordinates of a range, what it puts into the result going into `piece`, and
 * then `finish`, where not NULL; all under `begun`. */
typedef void finish_range(storage *whole, storage *piece, const range *r, void *data);
bool range_loop(coiteration *c, storage *piece, MlirValue begun, const range *r,
                finish_range *finish, void *data);

#ifdef __cplusplus
}
#endif
#endif
