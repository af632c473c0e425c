/* lac_emulated_memory.c - arrays on the emulated device, in the order of their addresses; see
 * lac_emulated_memory.h. */
#include "lac_emulated_memory.h"

#include "lac_device_arrays.h"
#include "lac_emulated_counts.h"
#include "lac_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 << 10, ALIGNMENT = 256 };

static lac_emulated_array *arrays;
static int64_t count, capacity;

/* The range of constants that was found last. */
static uintptr_t constants_begin, constants_end;

/* ---- Blocks ------------------------------------------------------------------------------- */

/* Where the block begins stands right before the array. */
static int64_t size_of_block(int64_t bytes) {
  static const int64_t more = INT64_C(2) * ROOM + ALIGNMENT;
  return bytes <= INT64_MAX - more ? bytes + more : -1;
}

static char *allocate_block(int64_t bytes) {
  char *block = lac_memory_allocate(size_of_block(bytes));
  if (!block)
    return NULL;
  char *data = block + ROOM;
  data += (ALIGNMENT - (uintptr_t)data % ALIGNMENT) % ALIGNMENT;
  memcpy(data - sizeof block, &block, sizeof block);
  memset(data, LAC_EMULATED_UNDEFINED, (size_t)bytes);
  return data;
}

static void release_block(char *data, int64_t bytes) {
  char *block;
  memcpy(&block, data - sizeof block, sizeof block);
  lac_memory_release(block, size_of_block(bytes));
}

/* ---- The list ----------------------------------------------------------------------------- */

/* How many of them begin at or before this. */
static int64_t count_up_to(const char *at) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (arrays[middle].data <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool make_room(void) {
  enum { AT_FIRST = 32 };
  if (count < capacity)
    return true;
  int64_t more = capacity ? 2 * capacity : AT_FIRST, width = sizeof *arrays;
  lac_emulated_array *grown = lac_memory_resize(arrays, capacity * width, more * width);
  if (!grown)
    return false;
  arrays = grown;
  capacity = more;
  return true;
}

void *lac_emulated_memory_allocate(int64_t bytes, bool is_shared) {
  char *data = make_room() ? allocate_block(bytes) : NULL;
  if (!data)
    return NULL;
  int64_t i = count_up_to(data);
  memmove(&arrays[i + 1], &arrays[i], (size_t)(count++ - i) * sizeof *arrays);
  arrays[i] =
      (lac_emulated_array){.data = data, .shadow = {.bytes = bytes}, .is_shared = is_shared};
  return data;
}

void lac_emulated_memory_release(void *data) {
  if (!data)
    return;
  int64_t i = count_up_to(data) - 1;
  lac_shadow_clear(&arrays[i].shadow);
  lac_emulated_counts_forget(&arrays[i]);
  release_block(data, arrays[i].shadow.bytes);
  memmove(&arrays[i], &arrays[i + 1], (size_t)(--count - i) * sizeof *arrays);
}

void lac_emulated_memory_begin(void) {
  constants_begin = constants_end = 0;
  for (int64_t i = 0; i < count; i++) {
    lac_shadow_clear(&arrays[i].shadow);
    lac_emulated_counts_forget(&arrays[i]);
    arrays[i].number = lac_device_arrays_number(&lac_emulated, arrays[i].data, &arrays[i].use);
  }
}

static bool is_near(const lac_emulated_array *array, const char *at) {
  return at >= array->data - ROOM && at < array->data + array->shadow.bytes + ROOM;
}

/* Of two that are near the one that it is in, or else the one before it. */
lac_emulated_array *lac_emulated_memory_find(const void *at) {
  int64_t after = count_up_to(at);
  if (after > 0 && is_near(&arrays[after - 1], at))
    return &arrays[after - 1];
  return after < count && is_near(&arrays[after], at) ? &arrays[after] : NULL;
}

/* ---- Constants ---------------------------------------------------------------------------- */

/* The range of a line of /proc/self/maps, "5581c0a00000-5581c0a02000 r--p ...", where `at` is in it
 * and it may be read and not written. */
static void take_constants(const char *line, uintptr_t at) {
  char *rest;
  uintptr_t begin = strtoull(line, &rest, 16);
  uintptr_t end = *rest == '-' ? strtoull(rest + 1, &rest, 16) : 0;
  if (begin <= at && at < end && strncmp(rest, " r-", 3) == 0) {
    constants_begin = begin;
    constants_end = end;
  }
}

static void find_constants(uintptr_t at) {
  enum { LINE = 512 };
  char line[LINE];
  FILE *maps = fopen("/proc/self/maps", "r");
  constants_begin = constants_end = 0;
  while (maps && fgets(line, LINE, maps))
    take_constants(line, at);
  if (maps)
    fclose(maps);
}

bool lac_emulated_memory_is_constant(const void *at, int64_t bytes) {
  uintptr_t address = (uintptr_t)at;
  if (address < constants_begin || address >= constants_end)
    find_constants(address);
  return address < constants_end && (uintptr_t)bytes <= constants_end - address;
}
