/* lac_race.h - inside the runtime: who has touched the bytes of an array, and whether that is in
 * order.
 *
 * An access is known by its thread and by how many barriers that has passed.  One is before another
 * where a barrier is in between that both have passed:
 *
 *     same thread
 *     same block, fewer barriers of the block
 *     same warp, as many barriers of the block, fewer of the warp
 *     the same again for lanes of a warp that meet apart from its others, always the same lanes
 *
 * Accesses to the same bytes race where none of the two is before the other, and at least one of
 * them writes, and not both are atomic.  For each place a shadow keeps the last write, and of the
 * reads and of the atomic updates since as many as are needed to know of any later access whether
 * it races: two that are as far apart as any two are (Flanagan and Freund 2009 keep a vector of
 * clocks; that barriers are all there is makes it two).  Places are as large as accesses are, and
 * become smaller with the first access that is.
 */
#ifndef LAC_RACE_H
#define LAC_RACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lac_access { LAC_ACCESS_READS, LAC_ACCESS_WRITES, LAC_ACCESS_UPDATES } lac_access;

/* Who, and when. */
typedef struct lac_moment {
  uint32_t block;
  uint32_t thread;                  /* from 1 on; 0 is nobody */
  uint32_t barriers, warp_barriers; /* that it has passed */
  uint32_t group, group_barriers;   /* a set of lanes, and those that it has passed with them */
} lac_moment;

typedef struct lac_shadow {
  int64_t bytes;       /* of the array */
  int64_t granule;     /* of a place, a power of two; 0 before the first access */
  struct place *place; /* an array, one for each granule */
} lac_shadow;

/* What an access races with. */
typedef struct lac_race {
  lac_moment with;
  lac_access did;
  int64_t at; /* the byte */
} lac_race;

/* Notes an access to `bytes` at byte `at` of the array, which are inside of it.  What blocks do to
 * bytes that are each block's own is in order.  Whether it is in order; if not, what it races with:
 * nobody where memory ran out, with a message. */
bool lac_shadow_touch(lac_shadow *shadow, int64_t at, int64_t bytes, lac_access access,
                      lac_moment now, bool is_of_block, lac_race *race);

/* Forgets all accesses. */
void lac_shadow_clear(lac_shadow *shadow);

#ifdef __cplusplus
}
#endif
#endif
