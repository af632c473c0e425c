/* verify_entries.h - the entries of a tensor, looked up by any of their coordinates.
 *
 * A tensor of dense levels alone is kept as it is.  Any other is a coordinate list, sorted by the
 * dimensions that are known and then the one that is asked for, anew for each such question:
 *
 *     which j has row 3?    sorted by (i, j):  ... (3,1) (3,4) (3,4) (3,9) ...   ->  1 4 9
 */
#ifndef LACUNA_RUN_VERIFY_ENTRIES_H
#define LACUNA_RUN_VERIFY_ENTRIES_H

#include "lac_file.h"
#include "lac_tensor.h"

typedef struct entry_index {
  uint32_t known; /* a bit for each dimension */
  int asked;      /* a dimension, or -1 */
  lac_tensor list;
  const int64_t *coordinates[LAC_FILE_ORDER]; /* of each level of the list */
  struct entry_index *next;
} entry_index;

typedef struct entries {
  int order;
  int64_t dimensions[LAC_FILE_ORDER];
  int64_t stride[LAC_FILE_ORDER]; /* of a dense one, in elements */
  lac_tensor tensor;              /* as it is, or a coordinate list in the order of dimensions */
  bool is_dense;
  entry_index *indices;
} entries;

/* Copies the entries of a tensor of dense, compressed and singleton levels, level l holding
 * dimension level_to_dimension[l].  A lac_status; entries_free frees them. */
int32_t entries_take(entries *e, const lac_tensor *tensor, const int64_t *level_to_dimension);
void entries_free(entries *e);

/* The number of stored values. */
int64_t entries_count(const entries *e);

/* Positions begin to end - 1 of the index: the entries that have these coordinates in the known
 * dimensions, ascending in the asked one.  NULL where memory runs out. */
const entry_index *entries_find(entries *e, uint32_t known, int asked, const int64_t *coordinates,
                                int64_t *begin, int64_t *end);

/* Where a dense tensor has a coordinate. */
int64_t entries_position(const entries *e, const int64_t *coordinates);

#endif
