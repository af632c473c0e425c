// An arena gives zeroed memory, also where what was allocated after a mark was freed.
// RUN: %cc %includes %s %dialects -o %t && %t | FileCheck %s
#include "arena.h"

#include <stdio.h>
#include <string.h>

enum { SMALL = 64, LARGE = 1 << 22 };

static int zeros(const char *bytes, size_t size) {
  size_t i = 0;
  while (i < size && !bytes[i])
    i++;
  return i == size;
}

/* Allocates after a mark what one block has room for, and what takes blocks more; all of it is
 * gone, what stood before is there. */
static void use_again(arena *memory, size_t size) {
  char *kept = arena_text(memory, "kept", 4);
  arena_mark before = arena_mark_here(memory);
  char *first = arena_alloc(memory, size);
  memset(first, 1, size);
  arena_release(memory, before);
  char *again = arena_alloc(memory, SMALL);
  printf("%s, zeros %d\n", kept, zeros(again, SMALL));
}

int main(void) {
  arena *memory = arena_create();
  // An arena with nothing in it.
  arena_mark empty = arena_mark_here(memory);
  memset(arena_alloc(memory, SMALL), 1, SMALL);
  arena_release(memory, empty);
  // CHECK: empty: zeros 1
  printf("empty: zeros %d\n", zeros(arena_alloc(memory, SMALL), SMALL));
  // CHECK: kept, zeros 1
  use_again(memory, SMALL);
  // CHECK: kept, zeros 1
  use_again(memory, LARGE);
  arena_free(memory);
  return 0;
}
