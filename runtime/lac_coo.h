/* lac_coo.h - coordinate lists: a tensor as its entries, one after the other.
 *
 * A coordinate list of order n is a lac_tensor whose level 0 is "compressed" and whose further
 * levels are "singleton" (Chou et al. 2018, figure 2), a structure of arrays with coordinates of 64
 * bits:
 *
 *     entries (0,2):a (2,0):b (2,3):c     level 0  positions 0 3, coordinates 0 2 2
 *                                         level 1  coordinates 2 0 3
 *                                         values   a b c
 *
 * Level l holds the dimension level_to_dimension[l], which is l until the list is sorted in another
 * order.  An entry may be there twice: the levels are nonunique.  A list of order 0 has no levels
 * and one value.
 *
 * A coordinate list is what files are read to, what every other format is packed from, and the
 * workspace of policy coordinate list (Zhang et al. 2024, section 4): insert is append, then sort.
 */
#ifndef LAC_COO_H
#define LAC_COO_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `coo` (an empty tensor) a list without entries that has room for `capacity`, with `order`
 * dimensions; one of order 0 gets the value 0.  LAC_ERROR_MEMORY leaves `coo` empty. */
int32_t lac_coo_create(lac_tensor *coo, int32_t type, int64_t order, const int64_t *dimensions,
                       int64_t capacity);

/* Appends an entry: a coordinate for each level, in the order of the levels, and the bytes of its
 * value.  The coordinates are not checked.  To order 0 the value is assigned. */
int32_t lac_coo_append(lac_tensor *coo, const int64_t *coordinates, const void *value);

/* The number of entries. */
int64_t lac_coo_count(const lac_tensor *coo);

/* Whether the tensor is a coordinate list, of coordinates of any width, with arrays as long as its
 * last position says; its levels may also hold what a format makes of the dimensions, and be more.
 * LAC_OK, or LAC_ERROR_FORMAT. */
int32_t lac_coo_expect(const lac_tensor *tensor);

/* Workspace: sort.  Reorders the levels, new level l being old level level_order[l] (NULL: as they
 * are), and sorts the entries lexicographically by the coordinates in the new order of levels;
 * entries with equal coordinates stay in their order (stable).
 *
 * The coordinates of an entry are packed into a key of as many bits as the level sizes ask for, and
 * the keys are sorted (lac_entries.h).  A list in order costs one look.  Needs 32 bytes of scratch
 * an entry where a key fits 64 bits.  Coordinates may have any width, values too.
 *
 * LAC_OK; LAC_ERROR_FORMAT where `coo` is no coordinate list, a coordinate is outside its level's
 * size or level_order is no permutation; LAC_ERROR_MEMORY.  On an error nothing has changed. */
int32_t lac_coo_sort(lac_tensor *coo, const int64_t *level_order);

#ifdef __cplusplus
}
#endif
#endif
