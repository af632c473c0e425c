/* Mutation of text by its words. */
#include "tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

typedef struct span {
  size_t start, length;
} span;

typedef struct mutation {
  uint8_t *data;
  size_t size, room;
  unsigned random;
  const char *const *words;
} mutation;

static unsigned below(mutation *m, size_t count) {
  m->random = m->random * 1664525u + 1013904223u;
  return count ? (m->random >> 8) % (unsigned)count : 0;
}

static bool is_part_of_word(uint8_t c) {
  return isalnum(c) || c == '_' || c == '.';
}

/* The word around a place: letters, digits, _ and . together; else one byte. */
static span word_at(const mutation *m, size_t place) {
  size_t start = place, end = place + 1;
  if (is_part_of_word(m->data[place])) {
    while (start > 0 && is_part_of_word(m->data[start - 1]))
      start--;
    while (end < m->size && is_part_of_word(m->data[end]))
      end++;
  }
  return (span){start, end - start};
}

static span any_word(mutation *m) {
  span word = word_at(m, below(m, m->size));
  for (int tries = 0; tries < 8 && isspace(m->data[word.start]); tries++)
    word = word_at(m, below(m, m->size));
  return word;
}

static void replace(mutation *m, span old, const void *text, size_t length) {
  if (m->size - old.length + length > m->room)
    return;
  memmove(m->data + old.start + length, m->data + old.start + old.length,
          m->size - old.start - old.length);
  memcpy(m->data + old.start, text, length);
  m->size += length - old.length;
}

/* Puts a copy of some words of the text in place of `old`. */
static void replace_by_own(mutation *m, span old, size_t longest) {
  uint8_t copy[256];
  span word = any_word(m);
  size_t length = word.length + below(m, longest);
  if (length > sizeof copy)
    length = sizeof copy;
  if (length > m->size - word.start)
    length = m->size - word.start;
  memcpy(copy, m->data + word.start, length);
  replace(m, old, copy, length);
}

static void replace_by_listed(mutation *m, span old) {
  size_t count = 0;
  while (m->words[count])
    count++;
  const char *word = m->words[below(m, count)];
  replace(m, old, word, strlen(word));
}

static void replace_by_number(mutation *m, span old) {
  static const char *const numbers[] = {"0",  "1",       "2",          "3",
                                        "4",  "8",       "-1",         "16",
                                        "64", "1000000", "4294967296", "9223372036854775807",
                                        "0.5"};
  const char *number = numbers[below(m, sizeof numbers / sizeof *numbers)];
  replace(m, old, number, strlen(number));
}

static void mutate_once(mutation *m) {
  span word = any_word(m);
  span nothing = {word.start, 0};
  switch (below(m, 7)) {
  case 0:
    replace(m, word, "", 0);
    break;
  case 1:
    replace_by_own(m, nothing, 40);
    break;
  case 2:
    replace_by_listed(m, nothing);
    break;
  case 3:
    replace_by_listed(m, word);
    break;
  case 4:
    replace_by_number(m, word);
    break;
  default:
    replace_by_own(m, word, 1);
  }
}

size_t tokens_mutate(uint8_t *data, size_t size, size_t room, unsigned seed,
                     const char *const *words) {
  mutation m = {data, size, room, seed, words};
  if (m.size == 0)
    replace_by_listed(&m, (span){0, 0});
  for (unsigned left = 1 + below(&m, 3); left > 0 && m.size > 0; left--)
    mutate_once(&m);
  return m.size;
}
