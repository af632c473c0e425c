/* lac_kept.h - memory of arrays that are gone, kept for the next ones.
 *
 * Most of what a large sparse result costs is the first touch of its pages, which the operating
 * system has to clear.  A program that computes one result after another touches the same pages
 * again instead:
 *
 *     array of 300 MB freed  -->  kept, and offered to the system (MADV_FREE)  -->  the next array
 *                                          |
 *                                          the system wants memory: it takes the pages
 *
 * What is kept is at most an eighth of the machine's memory unless lac_memory_keep says otherwise,
 * and belongs to the system as soon as that runs short.  Mapped blocks are kept (lac_memory.h: 2
 * MiB and more, sizes multiples of that), a few of them, the oldest leaving first.
 *
 * So are those of malloc that are not small: what it has free at the end of its memory it gives
 * back to the system, for the next array to be touched anew.  They are at most a part of all that
 * is kept, and not offered to the system.
 *
 * What pieces of results leave (lac_pieces.c) is kept for the next pieces: these are as many and as
 * large as threads come to them, and would take what the next result needs, and leave it fresh
 * pages.
 */
#ifndef LAC_KEPT_H
#define LAC_KEPT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lac_kept_for { LAC_KEPT_FOR_ARRAYS, LAC_KEPT_FOR_PIECES } lac_kept_for;

/* Takes over a mapped block of `size` bytes: keeps it, or unmaps it. */
void lac_kept_offer(lac_kept_for use, void *block, int64_t size);

/* The smallest kept block of at least `least` bytes and at most `most`, or the largest of at least
 * `least`, with its size; the caller's from then on.  What stands in it is undefined.  NULL where
 * there is none. */
void *lac_kept_take(lac_kept_for use, int64_t least, int64_t most, int64_t *size);
void *lac_kept_take_largest(lac_kept_for use, int64_t least, int64_t *size);

/* The same of blocks of malloc, of LAC_KEPT_LEAST bytes or more: takes one over, to keep it or to
 * free it; the smallest that has room for so many bytes, and no more than twice as many; the
 * largest that has, with its size. */
enum { LAC_KEPT_LEAST = 64 << 10 };
void lac_kept_offer_allocated(lac_kept_for use, void *block);
void *lac_kept_take_allocated(lac_kept_for use, int64_t bytes);
void *lac_kept_take_largest_allocated(lac_kept_for use, int64_t bytes, int64_t *size);

/* Gives back all that is kept; whether there was anything. */
int lac_kept_drop(void);

/* How many bytes may be kept. */
int64_t lac_kept_limit(void);

#ifdef __cplusplus
}
#endif
#endif
