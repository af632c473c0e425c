/* variable_set.h - sets of a statement's index variables, at most 64 of them, as bits. */
#ifndef LACUNA_VARIABLE_SET_H
#define LACUNA_VARIABLE_SET_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t variable_set;
enum { VARIABLE_LIMIT = 64 };

static inline variable_set set_of(int variable) {
  return (variable_set)1 << (variable & (VARIABLE_LIMIT - 1));
}

static inline bool set_has(variable_set set, int variable) {
  return (set & set_of(variable)) != 0;
}

/* Whether all of `part` is in `whole`. */
static inline bool set_within(variable_set part, variable_set whole) {
  return !(part & ~whole);
}

#endif
