/* lac_order.h - orders records of coordinates and values, those of each parent by themselves; equal
 * coordinates stay in their order. */
#ifndef LAC_ORDER_H
#define LAC_ORDER_H

#include "lac_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For coordinates and values of these widths, coordinates below 2^bits; with memory for long
 * segments, taken when one comes. */
typedef struct lac_orderer {
  int32_t coordinate_width, value_width, bits;
  lac_array pairs, spare;
} lac_orderer;

/* What is ordered: records of the layout of these widths, one segment after the other; segment 0
 * ends at ends[0], where segment 1 begins. */
typedef struct lac_ordered {
  const char *records;
  const int64_t *ends;
  int64_t segments;
  char *coordinates, *values; /* what comes of it */
  bool repeats;               /* set where a segment has a coordinate twice */
} lac_ordered;

/* For coordinates below `size`. */
lac_orderer lac_orderer_make(int32_t coordinate_width, int32_t value_width, int64_t size);
void lac_orderer_free(lac_orderer *o);

/* LAC_ERROR_MEMORY where a long segment finds no room. */
int32_t lac_orderer_order(lac_orderer *o, lac_ordered *a);

#ifdef __cplusplus
}
#endif
#endif
