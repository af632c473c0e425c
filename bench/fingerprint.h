/* fingerprint.h - a few numbers that two equal tensors have in common, and hardly two different
 * ones.
 *
 * With h(c) a 64-bit hash of the coordinates c of an entry, and w(c) in [0, 1) its upper bits:
 *
 *     entries = number of stored entries         places = sum of h(c), modulo 2^64
 *     sum     = sum of w(c) * value              size   = sum of |value|
 *
 * `places` agrees only where the same coordinates are stored.  Sums of floating-point numbers are
 * reassociated by everybody, so `sum` may differ by rounding, far below one entry's share of
 * `size`.
 */
#ifndef BENCH_FINGERPRINT_H
#define BENCH_FINGERPRINT_H

#include "harness.h"

typedef struct fingerprint {
  int64_t entries;
  uint64_t places;
  double sum, size;
  bool sorted; /* whether the coordinates ascend below each parent */
} fingerprint;

fingerprint fingerprint_of(const bench_result *result);

/* h, of the number of a place. */
uint64_t fingerprint_hash(uint64_t place);

#endif
