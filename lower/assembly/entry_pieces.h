/* entry_pieces.h - a result put together from entries in a buffer, shares of its parts at once.
 *
 *     parts of the buffer     0 1 2 | 3 4 | 5 6 7       about as many entries in each share
 *     each a piece of its own    |     |      |         some code's: sorted and appended, collected
 *     the result               joined (join.c)
 *
 * A piece has the levels from the first that is recorded on, below the positions above that its
 * parts have.  Where there are no threads, or a level cannot be joined, there is one share, which
 * goes into the result.
 */
#ifndef LACUNA_ENTRY_PIECES_H
#define LACUNA_ENTRY_PIECES_H

#include "entry_buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct entry_share {
  storage *to;               /* set up, no level begun */
  MlirValue begin, end;      /* parts */
  MlirValue first, last;     /* entries, from the first to behind the last */
  MlirValue parent, parents; /* the first position above, and how many */
  MlirValue spare_at;        /* where its spare memory begins */
} entry_share;

/* What is done with a share; may be called in a loop on threads.
 *
 * - sorts: spare memory is wanted for the largest part
 * - build: the levels from e->first on of share->to, and their values, complete; `positions[k -
 *   e->first]`, variables that are 0, become the number of those of level k
 * - fill: or their values only once all levels are there, those of the result (e->s) from position
 *   `base` on, so that they are not copied; NULL */
typedef struct entry_assembly {
  bool sorts;
  void (*build)(const entry_buffer *e, const entry_share *share, const variable *positions);
  void (*fill)(const entry_buffer *e, const entry_share *share, MlirValue base);
} entry_assembly;

/* All parts, where all is well so far; gives how many positions level e->first + n has. */
MlirValue *entry_buffer_assemble(entry_buffer *e, const entry_assembly *how);

#ifdef __cplusplus
}
#endif
#endif
