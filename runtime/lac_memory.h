/* lac_memory.h - the one door through which the runtime takes memory.
 *
 * Blocks are sized: who releases a block says how large it is.  Small ones come from calloc; those
 * of 2 MiB and more are mapped, aligned to 2 MiB and advised to get huge pages, cost nothing until
 * touched, and grow by moving page tables instead of bytes:
 *
 *     bytes      0 ............. 2 MiB ................................
 *                |   calloc      |  mmap of a multiple of 2 MiB, zero  |
 *
 * All functions are thread-safe, and none ends the process: NULL or a status says that memory ran
 * out.
 */
#ifndef LAC_MEMORY_H
#define LAC_MEMORY_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A zeroed block of `bytes` (at least one byte is allocated).  NULL, with a message, where `bytes`
 * is negative or cannot be had. */
void *lac_memory_allocate(int64_t bytes);

/* The same for a block that will be touched from end to end: one larger than what the machine has
 * free is refused, as arrays are. */
void *lac_memory_allocate_whole(int64_t bytes);

/* Makes a block of `old_bytes` one of `new_bytes`, the common part kept, the rest zero.  NULL, with
 * a message, where that cannot be had; `block` is still valid then. */
void *lac_memory_resize(void *block, int64_t old_bytes, int64_t new_bytes);

/* Gives back a block of `bytes`; NULL is taken. */
void lac_memory_release(void *block, int64_t bytes);

/* Scratch memory that is touched from end to end: a block of `old_bytes` becomes one of
 * `new_bytes`, zero beyond what there was.  NULL, with a message, where it cannot be had; `block`
 * is still valid then.  What is not mapped is what arrays have left, and is left to those
 * (lac_kept.h). */
void *lac_memory_grow(void *block, int64_t old_bytes, int64_t new_bytes);
void lac_memory_leave(void *block, int64_t bytes);

/* Scratch memory that its user leaves all zero: kept for the next one of its size
 * (lac_clean.h).  Where none is, what arrays have left of malloc is cleared. */
void *lac_memory_allocate_clean(int64_t bytes);
void lac_memory_release_clean(void *block, int64_t bytes);

/* How many bytes of freed arrays are kept for the next ones, instead of an eighth of the machine's
 * memory (lac_kept.h); what is kept now goes back. With 0 nothing is. */
void lac_memory_keep(int64_t bytes);

/* count * width, or -1 where either is negative or the product does not fit in 63 bits. */
int64_t lac_memory_bytes(int64_t count, int64_t width);

/* Arrays that the runtime owns.  One that with all others would take more memory than the machine
 * has, or than is free in it, is refused: blocks are not, since what is mapped and never touched
 * takes none.
 *
 * - allocate: frees what the array owned; length = capacity = count, zeroed; keeps the width
 * - allocate_raw: the same, but what the elements are is undefined
 * - allocate_unset: the same as allocate, but those of a large array in memory that has been used
 *   are left as they are: `*unset` is how many, all or none
 * - reserve: makes the capacity at least `needed`, at least doubling it; new elements are zero;
 *   LAC_ERROR_FORMAT on an array that is lent
 * - reserve_raw: the same, but what new elements are is undefined; a large array that needs more
 *   than twice its capacity gets just that, as what it is told to be in the end
 * - reserve_aside: the same of an array of a piece of a result, which leaves to results what was
 *   kept of them (lac_kept.h)
 * - trim: sets the length to `count` (at most the capacity), gives back memory far above it; of a
 *   large array what is beyond twice as much, and the system may take the rest
 * - free: frees the data if owned; leaves an empty array of the same width
 * - free_aside: the same, for the next piece */
int32_t lac_array_allocate(lac_array *array, int64_t count);
int32_t lac_array_allocate_raw(lac_array *array, int64_t count);
int32_t lac_array_allocate_unset(lac_array *array, int64_t count, int64_t *unset);
int32_t lac_array_reserve(lac_array *array, int64_t needed);
int32_t lac_array_reserve_raw(lac_array *array, int64_t needed);
int32_t lac_array_reserve_aside(lac_array *array, int64_t needed);
void lac_array_trim(lac_array *array, int64_t count);
void lac_array_free(lac_array *array);
void lac_array_free_aside(lac_array *array);

/* Element `index` of an array of unsigned integers of 1, 2, 4 or 8 bytes, cut to its width. */
static inline void lac_array_set(lac_array *array, int64_t index, int64_t element) {
  switch (array->width) {
  case 1:
    ((uint8_t *)array->data)[index] = (uint8_t)element;
    break;
  case 2:
    ((uint16_t *)array->data)[index] = (uint16_t)element;
    break;
  case 4:
    ((uint32_t *)array->data)[index] = (uint32_t)element;
    break;
  default:
    ((int64_t *)array->data)[index] = element;
  }
}

/* For tests: after `count` more allocations every further one fails, until this is called again; a
 * negative count lets all succeed.  The environment's LACUNA_FAIL_ALLOCATION_AFTER sets the first
 * value. */
void lac_test_fail_allocation_after(int64_t count);

#ifdef __cplusplus
}
#endif
#endif
