/* lac_check_kinds.h - inside the runtime: what lac_tensor_check knows of each kind of level.
 *
 * One lac_kind_check for each kind.  A new kind has its own in a file lac_check_*.c, and a line in
 * the table of lac_check_kinds.c; of a kind that is not there (a user's) only the arrays' own
 * lengths are checked, and nothing follows for the levels below it.
 */
#ifndef LAC_CHECK_KINDS_H
#define LAC_CHECK_KINDS_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A level of a tensor that is called `name` in messages. */
typedef struct lac_place {
  const lac_tensor *tensor;
  const char *name;
  int64_t l;
} lac_place;

/* Below `parents` positions.  `lengths` comes first, for all levels: it may look at the arrays that
 * it found long enough, and nothing else is called where it gave false.
 *
 *   continues    exactly one coordinate under each parent: entries of the level above and of this
 *                one are compared as one
 *   lengths      whether the arrays are as long as they must be, and the number of positions
 *   content      whether what they hold is in bounds; NULL: nothing to check
 *   segment      the positions [begin, end) under a parent, whose coordinates must ascend; NULL:
 *                no order to check
 *   coordinate   of a position, where there is a segment or the level continues one
 *   own_parents  the number of positions above, as the arrays tell it, where a kind above is
 *                unknown; NULL: they do not tell
 */
typedef struct lac_kind_check {
  const char *kind;
  bool continues;
  bool (*lengths)(const lac_place *at, int64_t parents, int64_t *positions);
  bool (*content)(const lac_place *at, int64_t parents, int64_t positions);
  void (*segment)(const lac_place *at, int64_t parent, int64_t *begin, int64_t *end);
  int64_t (*coordinate)(const lac_place *at, int64_t position);
  int64_t (*own_parents)(const lac_place *at);
} lac_kind_check;

extern const lac_kind_check lac_check_dense, lac_check_range, lac_check_offset, lac_check_bitmap,
    lac_check_compressed, lac_check_loose_compressed, lac_check_singleton, lac_check_run_length,
    lac_check_tuples, lac_check_element, lac_check_sliced, lac_check_nm, lac_check_padded,
    lac_check_hashed, lac_check_banded;

/* The check of a kind; NULL for one that is not known. */
const lac_kind_check *lac_kind_check_find(const char *kind);

static inline const lac_level *lac_level_at(const lac_place *at) {
  return &at->tensor->levels[at->l];
}

/* "NAME: level 1 (KIND): " and the rest, as the error of a wrong format; false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool lac_level_wrong(const lac_place *at, const char *format, ...);

/* False, with "expected 4 WHAT, found 3". */
bool lac_level_wrong_length(const lac_place *at, const char *what, int64_t expected, int64_t found);

/* Whether an array has `expected` elements or more, each 1, 2, 4 or 8 bytes wide. */
bool lac_level_long_enough(const lac_place *at, int slot, const char *what, int64_t expected);

/* Whether parents times the level's size positions can be counted. */
bool lac_level_places(const lac_place *at, int64_t parents, int64_t *positions);

/* Whether there is one position more than parents; the last of them, where all places end. */
bool lac_level_ends(const lac_place *at, int64_t parents, int64_t *positions);

/* Whether element `i` of an array of coordinates is from 0 to the level's size. */
bool lac_level_in_range(const lac_place *at, int slot, int64_t i);

/* Whether elements 0 to `count` of an array begin with 0 and do not decrease. */
bool lac_level_monotone(const lac_place *at, int slot, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
