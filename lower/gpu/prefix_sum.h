/* prefix_sum.h - sums of numbers up to each, in place, by the threads of a device: of each part
 * first, then from what comes before it (reduce-then-scan).
 *
 *     numbers    3 1 2   0 4 5      parts, a warp each
 *     totals         6       9
 *     before         6      15      summed up by one warp
 *     sums       3 4 6   6 10 15
 */
#ifndef LACUNA_PREFIX_SUM_H
#define LACUNA_PREFIX_SUM_H

#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is summed up, by numbers from 0 on: one loaded (index), and the sum up to it stored in its
 * place, both in a launch. */
typedef struct prefix_items {
  MlirValue (*load)(void *data, MlirValue i);
  void (*store)(void *data, MlirValue i, MlirValue sum);
  void *data;
} prefix_items;

/* Sums up the first `count`, on the host's side of launches; gives the sum of all (index), 0 once
 * the kernel's status says that something failed. */
MlirValue prefix_sum(storage *s, const prefix_items *items, MlirValue count);

#ifdef __cplusplus
}
#endif
#endif
