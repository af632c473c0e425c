/* store.h - tensors between entries and levels, without the compiler.
 *
 * The operands' arrays are lent to the kernel; they are as long as their contents, no more.
 */
#ifndef LACUNA_TEST_STORE_H
#define LACUNA_TEST_STORE_H

#include "case.h"
#include "lac_tensor.h"

/* Stores a tensor's entries as its format says; what a dense level stores without an entry is
 * `fill`. store_free frees what it made. */
void store_entries(const tensor *t, element fill, lac_tensor *stored);
void store_free(lac_tensor *stored);

/* The entries as a coordinate list that the runtime owns, sorted by the format's order of levels.
 */
int32_t store_list(const tensor *t, lac_tensor *list);

/* Checks the invariants of a stored tensor against the format of `t`, one of dense, compressed and
 * singleton levels: LAC_OK or LAC_ERROR_FORMAT. */
int32_t store_check(const tensor *t, const lac_tensor *stored);

/* The stored values at all coordinates, row-major, the rest `fill`; and where one is, `*there`.
 * NULL where coordinates are out of range or there twice.  The caller frees both. */
element *store_spread(const tensor *t, element fill, const lac_tensor *stored, bool **there);

#endif
