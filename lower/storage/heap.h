/* heap.h - things put in order where nothing can be called, as in a kernel of a device: heapsort
 * (Williams, Algorithm 232, 1964), in place, without recursion.
 *
 *     first = n / 2;  end = n
 *     while (end > 1) {
 *       if (first > 0) first -= 1; else { end -= 1; swap 0, end; }
 *       sift what is at `first` down, until it is not less than what is below it
 *     }
 *
 * A few, which often come in order, are put so by straight insertion.
 */
#ifndef LACUNA_HEAP_H
#define LACUNA_HEAP_H

#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is put in order, by numbers from 0 on: the key (index) of one, and two exchanged. */
typedef struct heap_items {
  builder *b;
  MlirValue (*key)(void *data, MlirValue i);
  void (*swap)(void *data, MlirValue i, MlirValue j);
  void *data;
} heap_items;

/* Puts the first `count` in the order of their keys, which ascend. */
void heap_sort(const heap_items *items, MlirValue count);

#ifdef __cplusplus
}
#endif
#endif
