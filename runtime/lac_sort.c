/* lac_sort.c - sorts the coordinates of one row of a workspace, ascending, in place: a short one in
 * registers (lac_network.h), or, where there are none for it, by insertion, if that is soon done,
 * as along the few rows of a grid that a row of a product is made of; else between the row and a
 * buffer (lac_entries.h). Where a buffer cannot be had, a long row is divided bit by bit, in
 * place, until its parts fit the one on the stack.
 */
#include "lac_entries.h"
#include "lac_memory.h"
#include "lac_network.h"

#include <string.h>

enum {
  TINY = 3,
  SHORT_LIMIT = LAC_NETWORK_LIMIT,
  FEW_MOVES = 16,
  MOVES = 64,
  STACK_LIMIT = 1024,
  HIGHEST_BIT = 62
};

static void sort(int64_t *coordinates, int64_t *buffer, int64_t count) {
  uint64_t *row = (uint64_t *)coordinates;
  uint64_t *sorted = lac_entries_sort(row, (uint64_t *)buffer, count, 1, 1);
  if (sorted != row)
    memcpy(row, sorted, (size_t)count * sizeof *row);
}

/* Those whose bit is 0 go first; gives how many they are. */
static int64_t divide(int64_t *coordinates, int64_t count, int bit) {
  int64_t zeros = 0;
  for (int64_t i = 0; i < count; i++) {
    int64_t moved = coordinates[i];
    if (moved >> bit & 1)
      continue;
    coordinates[i] = coordinates[zeros];
    coordinates[zeros++] = moved;
  }
  return zeros;
}

/* They agree in the bits above `bit`. */
static void sort_by_bits(int64_t *coordinates, int64_t *buffer, int64_t count, int bit) {
  for (; count > STACK_LIMIT && bit >= 0; bit--) {
    int64_t zeros = divide(coordinates, count, bit);
    sort_by_bits(coordinates, buffer, zeros, bit - 1);
    coordinates += zeros;
    count -= zeros;
  }
  if (count <= STACK_LIMIT)
    sort(coordinates, buffer, count);
}

/* By insertion, in so many moves: false, with the coordinates in some order, where that takes
 * more. */
static bool insert_near(int64_t *c, int64_t count, int64_t moves) {
  for (int64_t i = 1; i < count && moves >= 0; i++) {
    int64_t moved = c[i], to = i;
    for (; to > 0 && c[to - 1] > moved; to--)
      c[to] = c[to - 1];
    c[to] = moved;
    moves -= i - to;
  }
  return moves >= 0;
}

static bool sort_short(int64_t *c, int64_t count) {
  if (count < LAC_NETWORK_LEAST)
    return insert_near(c, count, MOVES);
  return insert_near(c, count, FEW_MOVES) || lac_network_sort(c, count) ||
         insert_near(c, count, MOVES);
}

void lac_kernel_sort(int64_t *coordinates, int64_t count) {
  int64_t on_stack[STACK_LIMIT], bytes = count * (int64_t)sizeof *coordinates;
  if (count <= SHORT_LIMIT && sort_short(coordinates, count))
    return;
  int64_t *buffer = count > STACK_LIMIT ? lac_memory_allocate(bytes) : on_stack;
  if (buffer)
    sort(coordinates, buffer, count);
  else
    sort_by_bits(coordinates, on_stack, count, HIGHEST_BIT);
  if (buffer != on_stack)
    lac_memory_release(buffer, bytes);
}

void lac_kernel_sort_pairs(int64_t *pairs, int64_t count, int64_t room) {
  enum { PAIR = 2 };
  uint64_t *row = (uint64_t *)pairs;
  uint64_t *sorted = lac_entries_sort(row, row + PAIR * room, count, PAIR, 1);
  if (sorted != row)
    memcpy(row, sorted, (size_t)(PAIR * count) * sizeof *row);
}
