/* lac_pairs.c - scratch arrays of (coordinate, position) pairs, that levels are walked through.
 *
 * Very short ones are sorted by insertion, short ones by ranks (lac_rank.h), longer ones digit by
 * digit (lac_radix.h), between the array and a spare one beside it:
 *
 *     block    pairs 0 .. room-1 | spare 0 .. room-1       or the other way round, once sorted
 *
 * So sorting takes no memory, and cannot fail.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"
#include "lac_radix.h"
#include "lac_rank.h"

#include <string.h>

enum { FIRST_ROOM = 64, WIDTH = sizeof(lac_pair), INSERTION_LIMIT = 6 };

/* ---- Memory ------------------------------------------------------------------------------- */

static int64_t block_bytes(int64_t room) {
  int64_t bytes = lac_memory_bytes(room, WIDTH);
  return lac_memory_bytes(bytes, 2);
}

static void free_block(const lac_pairs *p) {
  lac_memory_release(p->pairs < p->spare ? p->pairs : p->spare, block_bytes(p->room));
}

void lac_kernel_pairs_grow(lac_pairs *p, int64_t needed, int32_t *status) {
  int64_t room = needed >= 0 && needed < 2 * p->room ? 2 * p->room : needed;
  lac_pair *block = lac_memory_allocate_whole(block_bytes(room));
  if (!block) {
    lac_status_take(status, LAC_ERROR_MEMORY);
    return;
  }
  if (p->room)
    memcpy(block, p->pairs, (size_t)p->room * WIDTH);
  free_block(p);
  *p = (lac_pairs){block, room, block + room};
}

lac_pairs *lac_kernel_pairs(int32_t *status) {
  lac_pairs *p = lac_memory_allocate(sizeof *p);
  if (p)
    lac_kernel_pairs_grow(p, FIRST_ROOM, status);
  else
    lac_status_take(status, LAC_ERROR_MEMORY);
  return p;
}

void lac_kernel_pairs_free(lac_pairs *p) {
  if (!p)
    return;
  free_block(p);
  lac_memory_release(p, sizeof *p);
}

/* ---- Sorting ------------------------------------------------------------------------------ */

static void insertion_sort(lac_pair *pairs, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    lac_pair moved = pairs[i];
    int64_t to = i;
    for (; to > 0 && pairs[to - 1].coordinate > moved.coordinate; to--)
      pairs[to] = pairs[to - 1];
    pairs[to] = moved;
  }
}

static void swap_arrays(lac_pairs *p) {
  lac_pair *sorted = p->spare;
  p->spare = p->pairs;
  p->pairs = sorted;
}

/* Keys up to a multiple of LANES are looked at; any will do. */
ALWAYS void rank_by_narrow(lac_pairs *p, int64_t count) {
  int32_t keys[RANK_LIMIT], ranks[RANK_LIMIT];
  memset(keys + (count & -LANES), 0, count % LANES ? LANES * sizeof *keys : 0);
  for (int64_t i = 0; i < count; i++)
    keys[i] = (int32_t)(p->pairs[i].coordinate << RANK_BITS | i);
  rank_narrow(keys, count, ranks);
  for (int64_t i = 0; i < count; i++)
    p->spare[ranks[i]] = p->pairs[i];
}

ALWAYS void rank_by_wide(lac_pairs *p, int64_t count) {
  int64_t keys[RANK_LIMIT], ranks[RANK_LIMIT];
  memset(keys + (count & -LANES), 0, count % LANES ? LANES * sizeof *keys : 0);
  for (int64_t i = 0; i < count; i++)
    keys[i] = p->pairs[i].coordinate << RANK_BITS | i;
  rank_wide(keys, count, ranks);
  for (int64_t i = 0; i < count; i++)
    p->spare[ranks[i]] = p->pairs[i];
}

ALWAYS void rank(lac_pairs *p, int64_t count, uint64_t largest) {
  if (largest >> NARROW_BITS == 0)
    rank_by_narrow(p, count);
  else
    rank_by_wide(p, count);
  swap_arrays(p);
}

RANK_FOR_MACHINE(ranking, choose_ranking, rank, (lac_pairs * p, int64_t count, uint64_t largest),
                 (p, count, largest))

static uint64_t differing_bits(const lac_pair *pairs, int64_t count) {
  int64_t differing = 0;
  for (int64_t i = 1; i < count; i++)
    differing |= pairs[i].coordinate ^ pairs[0].coordinate;
  return (uint64_t)differing;
}

/* As many bits as the largest coordinate has. */
static uint64_t all_bits(const lac_pair *pairs, int64_t count) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < count; i++)
    bits |= (uint64_t)pairs[i].coordinate;
  return bits;
}

void lac_kernel_pairs_sort(lac_pairs *p, int64_t count) {
  if (count <= INSERTION_LIMIT) {
    insertion_sort(p->pairs, count);
    return;
  }
  uint64_t bits = all_bits(p->pairs, count);
  if (count <= RANK_LIMIT && bits >> WIDE_BITS == 0)
    choose_ranking()(p, count, bits);
  else if (lac_radix_pairs(p->pairs, p->spare, count, differing_bits(p->pairs, count)) != p->pairs)
    swap_arrays(p);
}
