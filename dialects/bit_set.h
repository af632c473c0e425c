/* bit_set.h - sets of numbers from 0 up: of index variables, of iterators, of levels.
 *
 *     { 1, 3, 65 }      word 0 ... 0 1 0 1 0      more [ 0 ... 0 1 0 ]
 *                            63    3   1               127    65 64
 *
 * A set is a value that does not change: what makes one of others gives a new one.  Sets of numbers
 * below 64 are one word, and nothing is allocated for them; larger ones have more words, of an
 * arena.  Of a set's words the last is not zero, so that there is one way to write a set.
 */
#ifndef LACUNA_BIT_SET_H
#define LACUNA_BIT_SET_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bit_set {
  uint64_t word;        /* 0 to 63 */
  int more_count;       /* words of `more` */
  const uint64_t *more; /* 64 and up */
} bit_set;

enum { BITS_OF_A_WORD = 64 };

/* What follows does for any sets what the functions below do at once for those of one word. */
bit_set bit_set_of(arena *memory, int number);
bit_set bit_set_below(arena *memory, int count);
bit_set bit_set_union(arena *memory, bit_set x, bit_set y);
bit_set bit_set_common(arena *memory, bit_set x, bit_set y);
bit_set bit_set_minus(arena *memory, bit_set x, bit_set y);
bool bit_set_within(bit_set part, bit_set whole);
bool bit_set_meets(bit_set x, bit_set y);
bool bit_set_equal(bit_set x, bit_set y);
int bit_set_size(bit_set set);
int bit_set_next(bit_set set, int from);

static inline bool sets_are_words(bit_set x, bit_set y) {
  return !(x.more_count | y.more_count);
}

static inline bit_set set_of_word(uint64_t word) {
  return (bit_set){word, 0, NULL};
}

/* The set of nothing. */
static inline bit_set set_empty(void) {
  return set_of_word(0);
}

/* The set of one number; of none for a negative one. */
static inline bit_set set_of(arena *memory, int number) {
  if (number >= BITS_OF_A_WORD)
    return bit_set_of(memory, number);
  return set_of_word(number < 0 ? 0 : (uint64_t)1 << number);
}

/* 0 to count - 1. */
static inline bit_set set_below(arena *memory, int count) {
  return count < BITS_OF_A_WORD ? set_of_word(((uint64_t)1 << (count < 0 ? 0 : count)) - 1)
                                : bit_set_below(memory, count);
}

static inline bool set_is_empty(bit_set set) {
  return !set.word && !set.more_count;
}

static inline bool set_has(bit_set set, int number) {
  if (number < 0)
    return false;
  if (number < BITS_OF_A_WORD)
    return set.word >> number & 1;
  int word = number / BITS_OF_A_WORD - 1;
  return word < set.more_count && set.more[word] >> number % BITS_OF_A_WORD & 1;
}

/* What either has; what both have; what x has and y has not. */
static inline bit_set set_union(arena *memory, bit_set x, bit_set y) {
  return sets_are_words(x, y) ? set_of_word(x.word | y.word) : bit_set_union(memory, x, y);
}
static inline bit_set set_common(arena *memory, bit_set x, bit_set y) {
  return sets_are_words(x, y) ? set_of_word(x.word & y.word) : bit_set_common(memory, x, y);
}
static inline bit_set set_minus(arena *memory, bit_set x, bit_set y) {
  return sets_are_words(x, y) ? set_of_word(x.word & ~y.word) : bit_set_minus(memory, x, y);
}

/* Makes the variable `set` the set with those of `more` too, or with the number. */
static inline void set_add(arena *memory, bit_set *set, bit_set more) {
  *set = set_union(memory, *set, more);
}
static inline void set_insert(arena *memory, bit_set *set, int number) {
  set_add(memory, set, set_of(memory, number));
}
static inline void set_remove(arena *memory, bit_set *set, int number) {
  *set = set_minus(memory, *set, set_of(memory, number));
}

/* Whether all of `part` is in `whole`; whether there is a number in both; whether they are one. */
static inline bool set_within(bit_set part, bit_set whole) {
  return sets_are_words(part, whole) ? !(part.word & ~whole.word) : bit_set_within(part, whole);
}
static inline bool set_meets(bit_set x, bit_set y) {
  return sets_are_words(x, y) ? (x.word & y.word) != 0 : bit_set_meets(x, y);
}
static inline bool set_equal(bit_set x, bit_set y) {
  return sets_are_words(x, y) ? x.word == y.word : bit_set_equal(x, y);
}

static inline int set_size(bit_set set) {
  return set.more_count ? bit_set_size(set) : __builtin_popcountll(set.word);
}

/* The least number of the set that is not below `from`, or -1:
 *
 *     for (int n = set_next(set, 0); n >= 0; n = set_next(set, n + 1)) */
static inline int set_next(bit_set set, int from) {
  if (set.more_count || from >= BITS_OF_A_WORD)
    return bit_set_next(set, from);
  uint64_t left = set.word >> from;
  return left ? from + __builtin_ctzll(left) : -1;
}

static inline int set_first(bit_set set) {
  return set_next(set, 0);
}

#ifdef __cplusplus
}
#endif
#endif
