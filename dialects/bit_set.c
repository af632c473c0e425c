/* bit_set.c - sets of more than a word (bit_set.h). */
#include "bit_set.h"

#include <string.h>

/* Words 0, 1, ... of a set; those that it has none of are zero. */
static uint64_t word_at(bit_set set, int n) {
  if (n == 0)
    return set.word;
  return n <= set.more_count ? set.more[n - 1] : 0;
}

/* As many words as the larger of two has. */
static int words_of(bit_set x, bit_set y) {
  return 1 + (x.more_count > y.more_count ? x.more_count : y.more_count);
}

/* The set of these words, without zeros at the end. */
static bit_set of_words(int count, const uint64_t *words) {
  while (count > 1 && !words[count - 1])
    count--;
  return (bit_set){words[0], count - 1, count > 1 ? words + 1 : NULL};
}

bit_set bit_set_of(arena *memory, int number) {
  int count = number / BITS_OF_A_WORD + 1;
  uint64_t *words = ARENA_ARRAY(memory, uint64_t, count);
  words[count - 1] = (uint64_t)1 << number % BITS_OF_A_WORD;
  return of_words(count, words);
}

bit_set bit_set_below(arena *memory, int numbers) {
  int count = numbers / BITS_OF_A_WORD + 1;
  uint64_t *words = ARENA_ARRAY(memory, uint64_t, count);
  memset(words, 0xff, sizeof *words * (size_t)(count - 1));
  words[count - 1] = ((uint64_t)1 << numbers % BITS_OF_A_WORD) - 1;
  return of_words(count, words);
}

bit_set bit_set_union(arena *memory, bit_set x, bit_set y) {
  int count = words_of(x, y);
  uint64_t *words = ARENA_ARRAY(memory, uint64_t, count);
  for (int n = 0; n < count; n++)
    words[n] = word_at(x, n) | word_at(y, n);
  return of_words(count, words);
}

bit_set bit_set_common(arena *memory, bit_set x, bit_set y) {
  int count = words_of(x, y);
  uint64_t *words = ARENA_ARRAY(memory, uint64_t, count);
  for (int n = 0; n < count; n++)
    words[n] = word_at(x, n) & word_at(y, n);
  return of_words(count, words);
}

bit_set bit_set_minus(arena *memory, bit_set x, bit_set y) {
  int count = words_of(x, y);
  uint64_t *words = ARENA_ARRAY(memory, uint64_t, count);
  for (int n = 0; n < count; n++)
    words[n] = word_at(x, n) & ~word_at(y, n);
  return of_words(count, words);
}

bool bit_set_within(bit_set part, bit_set whole) {
  for (int n = 0; n <= part.more_count; n++)
    if (word_at(part, n) & ~word_at(whole, n))
      return false;
  return true;
}

bool bit_set_meets(bit_set x, bit_set y) {
  for (int n = 0; n <= x.more_count; n++)
    if (word_at(x, n) & word_at(y, n))
      return true;
  return false;
}

bool bit_set_equal(bit_set x, bit_set y) {
  return x.word == y.word && x.more_count == y.more_count &&
         (!x.more_count || !memcmp(x.more, y.more, sizeof *x.more * (size_t)x.more_count));
}

int bit_set_size(bit_set set) {
  int size = 0;
  for (int n = 0; n <= set.more_count; n++)
    size += __builtin_popcountll(word_at(set, n));
  return size;
}

int bit_set_next(bit_set set, int from) {
  for (int n = from / BITS_OF_A_WORD; n <= set.more_count; n++) {
    uint64_t left = word_at(set, n);
    if (n == from / BITS_OF_A_WORD)
      left = left >> from % BITS_OF_A_WORD << from % BITS_OF_A_WORD;
    if (left)
      return n * BITS_OF_A_WORD + __builtin_ctzll(left);
  }
  return -1;
}
