// Sets of numbers are right below 64, above, and across: they are compared with arrays of flags.
// RUN: %cc %includes %s %dialects -o %t && %t | FileCheck %s
// CHECK: 20000 sets, 0 wrong
#include "bit_set.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 200, ROUNDS = 20000 };

typedef struct pair {
  bit_set set;
  bool flags[NUMBERS];
} pair;

static unsigned state = 1;
static int random_below(int n) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 8) % (unsigned)n);
}

/* A few numbers below a bound that is a word's, or more. */
static pair make(arena *memory) {
  pair made = {.set = set_empty()};
  int bound = random_below(2) ? 64 : NUMBERS;
  for (int n = random_below(6); n > 0; n--) {
    int number = random_below(bound);
    set_insert(memory, &made.set, number);
    made.flags[number] = true;
  }
  return made;
}

static bool agrees(bit_set set, const bool *flags) {
  int size = 0, at = set_first(set);
  for (int n = 0; n < NUMBERS; n++) {
    size += flags[n];
    if (set_has(set, n) != flags[n] || (flags[n] && at != n))
      return false;
    at = flags[n] ? set_next(set, n + 1) : at;
  }
  return at < 0 && size == set_size(set) && set_is_empty(set) == !size;
}

static bool compare(arena *memory, const pair *x, const pair *y) {
  bool either[NUMBERS], both[NUMBERS], only[NUMBERS], within = true, meets = false, same = true;
  for (int n = 0; n < NUMBERS; n++) {
    either[n] = x->flags[n] || y->flags[n];
    both[n] = x->flags[n] && y->flags[n];
    only[n] = x->flags[n] && !y->flags[n];
    within &= !only[n];
    meets |= both[n];
    same &= x->flags[n] == y->flags[n];
  }
  bit_set back =
      set_union(memory, set_minus(memory, x->set, y->set), set_common(memory, x->set, y->set));
  return agrees(x->set, x->flags) && agrees(set_union(memory, x->set, y->set), either) &&
         agrees(set_common(memory, x->set, y->set), both) &&
         agrees(set_minus(memory, x->set, y->set), only) && set_within(x->set, y->set) == within &&
         set_meets(x->set, y->set) == meets && set_equal(x->set, y->set) == same &&
         set_equal(back, x->set);
}

static bool count_up(arena *memory, int count) {
  bool flags[NUMBERS] = {false};
  for (int n = 0; n < count; n++)
    flags[n] = true;
  return agrees(set_below(memory, count), flags);
}

int main(void) {
  arena *memory = arena_create();
  int wrong = set_has(set_of(memory, -1), 63) + set_has(set_below(memory, 65), -1);
  for (int round = 0; round < ROUNDS; round++) {
    pair x = make(memory), y = round % 3 ? make(memory) : x;
    wrong += !compare(memory, &x, &y) || !count_up(memory, random_below(NUMBERS));
  }
  printf("%d sets, %d wrong\n", ROUNDS, wrong);
  arena_free(memory);
  return 0;
}
