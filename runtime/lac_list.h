/* lac_list.h - inside the runtime: a list of entries, in any order, as files and generators make
 * them: for each dimension the coordinates of all entries, and their values.
 *
 *     (2,0):b (0,2):a (2,3):c      coordinates[0]  2 0 2
 *                                  coordinates[1]  0 2 3
 *                                  values          b a c
 *
 * It is no tensor.  It becomes one as the layouts of some level formats say (lac_layout.h): a
 * format of which each level has an array of coordinates, the first one a segment of all entries
 * and the others one entry under each, takes the arrays as they are.
 */
#ifndef LAC_LIST_H
#define LAC_LIST_H

#include "lac_file.h"
#include "lac_layout.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Coordinates are of 64 bits.  A list of order 0 has one value. */
typedef struct lac_list {
  int32_t type;
  int64_t order, count, capacity;
  int64_t dimensions[LAC_FILE_ORDER];
  lac_array coordinates[LAC_FILE_ORDER], values;
} lac_list;

/* An empty list with room for `capacity` entries; of order 0 one with the value 0.  LAC_OK, or
 * LAC_ERROR_MEMORY, which leaves nothing to free. */
int32_t lac_list_create(lac_list *list, int32_t type, int64_t order, const int64_t *dimensions,
                        int64_t capacity);
void lac_list_free(lac_list *list);

/* Room for one more, and an entry into it: a coordinate in each dimension, the bytes of a value. */
int32_t lac_list_grow(lac_list *list);
static inline int32_t lac_list_append(lac_list *list, const int64_t *coordinates,
                                      const void *value) {
  size_t width = (size_t)list->values.width;
  if (list->count == list->capacity) {
    int32_t status = lac_list_grow(list);
    if (status != LAC_OK)
      return status;
  }
  for (int64_t d = 0; d < list->order; d++)
    ((int64_t *)list->coordinates[d].data)[list->count] = coordinates[d];
  memcpy((char *)list->values.data + (size_t)list->count * width, value, width);
  list->count++;
  return LAC_OK;
}

/* The entries of another list of the same order and type behind those of this one. */
int32_t lac_list_append_all(lac_list *list, const lac_list *others);

/* Sorts the entries lexicographically by their coordinates, stably. */
int32_t lac_list_sort(lac_list *list);

/* Makes `out`, an empty tensor, store the entries as the levels of `signature` say (lac_kernel.h),
 * of which level l holds dimension level_to_dimension[l] (NULL: l); NULL: as a coordinate list
 * (lac_coo.h).  Takes the list's arrays.  LAC_ERROR_FORMAT where those levels cannot take them as
 * they are, LAC_ERROR_MEMORY: the list is freed, and `out` empty. */
int32_t lac_list_store(lac_list *list, const char *signature, const int64_t *level_to_dimension,
                       lac_tensor *out);

/* lac_coo.c: the level format that level l of a coordinate list has, by its name. */
const char *lac_coo_kind(int64_t l);

/* ---- Levels that lists are stored in ------------------------------------------------------ */

/* The layout of level l of a coordinate list, by its kind alone; false, without a message, where
 * its level format is not known to take coordinates as lists have them. */
bool lac_list_layout(const lac_tensor *tensor, int64_t l, lac_layout *layout);

/* Says in level 0 how many entries there are, in arrays of `width` bytes of its own. */
int32_t lac_list_set_count(lac_level *level, const lac_layout *layout, int32_t width,
                           int64_t count);

/* The coordinates of entries in one dimension, or level, below `size`. */
typedef struct lac_list_key {
  lac_array *coordinates;
  int64_t size;
} lac_list_key;

/* lac_list_sort.c: reorders the keys, new key l being old key order[l] (NULL: as they are), arrays
 * and sizes, and sorts `count` entries by them, the first the most significant, stably.
 *
 * The coordinates of an entry are packed into a word or more of as many bits as the sizes ask for,
 * and those are sorted (lac_entries.h).  Entries in order cost one look; others 32 bytes of scratch
 * memory each where 64 bits hold their coordinates.
 * LAC_OK; LAC_ERROR_FORMAT where a coordinate is not below its size, or `order` is no permutation;
 * LAC_ERROR_MEMORY: nothing has changed then. */
int32_t lac_list_sort_by(int64_t key_count, lac_list_key *keys, const int64_t *order,
                         lac_array *values, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
