/* lac_layout.h - inside the runtime: how the levels of a tensor are laid out in their arrays, as
 * their layouts say, in text.
 *
 * Below p parent positions a level has arrays of certain lengths, q positions of its own, and,
 * below each parent, coordinates in a certain order (Chou et al. 2018, section 3.1).  A layout is a
 * list of rules, separated by ';': on lengths, then, after '|', on contents.  A compressed level
 * (i : dense, j : compressed) below 4 parents:
 *
 *     #0 = p + 1 positions       0 2 2 3 5     array 0 has 5 elements, called positions
 *     q = 0[p] last position     5             the number of its own positions
 *     #1 >= q coordinates        0 2 1 0 3     array 1 has 5 or more
 *   | rising 0 p                               array 0 begins with 0 and does not decrease
 *     under 0[p] 0[p+1]                        the positions under parent p
 *     at 1[q]                                  the coordinate of position q
 *     bounded                                  coordinates are from 0 to n - 1
 *
 * Lengths are checked in each call of a kernel:
 *
 *     #S = E WORDS     the number of elements of array S;  #S >= E WORDS: at least
 *     q = E WORDS      the number of positions, which must be 0 or more; WORDS is what that is
 *     r = E WORDS      so of something else that rules count
 *
 * E is a sum of products of numbers, p, q, r, n (the level's size), S[E], and `greatest S` (of the
 * first p elements).  What it reads must be there by the rules before it, and is looked at to be.
 *
 *     all              every coordinate c is there, at p * n + c
 *     one              one position under each parent, p: its coordinate continues the parent's
 *     under S[p] S[p]  from, to: the positions under parent p, whose coordinates ascend
 *     at S[q]          the coordinate of position q; S[s*q+a]: among others; ^u: S is the array
 *                      of the level u above
 *     bounded          all coordinates are from 0 to n - 1;  bounded or none: or all ones
 *     rising S E       elements 0 to E begin with 0 and do not decrease
 *     spans            `under` goes from 0 or more to its end, coordinates in between bounded
 *     distinct C       of C coordinates next to one another none comes twice
 *
 * and where `rising S p` stands before, of what is from S[p] to S[p+1]:
 *
 *     few S            at most n of it
 *     runs C F S       runs of consecutive coordinates: C[r] is the first of run r, at position
 *                      F[r], up to F[r+1]
 *     band C S         consecutive coordinates, C[p] the first
 *     probed C S       the slots of a hash table with coordinates C: a power of two, searched one
 *                      after the other from (c * 0x9E3779B97F4A7C15) >> 32 on
 */
#ifndef LAC_LAYOUT_H
#define LAC_LAYOUT_H

#include "lac_tensor.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the runtime makes itself: arrays, and lists of entries as files have them. */
#define LAC_LAYOUT_DENSE "q = p * n | all"
#define LAC_LAYOUT_COMPRESSED                                                                      \
  "#0 = p + 1 positions; q = 0[p] last position; #1 >= q coordinates"                              \
  " | rising 0 p; under 0[p] 0[p+1]; at 1[q]; bounded"
#define LAC_LAYOUT_SINGLETON "q = p; #1 >= p coordinates | one; at 1[q]; bounded"

/* The text of a layout, up to `end`; NULL where none is known. */
typedef struct lac_layout_text {
  const char *begin, *end;
} lac_layout_text;

/* Of a level of that kind which no signature tells: one that the runtime makes itself. */
lac_layout_text lac_layout_of_kind(const char *kind);

/* The rules on lengths, and those on contents. */
lac_layout_text lac_layout_lengths(lac_layout_text text);
lac_layout_text lac_layout_contents(lac_layout_text text);

/* A rule, its first word, and what comes after it; rules come one after the other. */
typedef struct lac_layout_rule {
  const char *word, *rest, *end;
  size_t length;
} lac_layout_rule;
bool lac_layout_is(const lac_layout_rule *rule, const char *word);
/* Spaces before what comes next; letters and digits. */
static inline const char *lac_layout_skip(const char *text, const char *end) {
  while (text < end && *text == ' ')
    text++;
  return text;
}
static inline bool lac_layout_is_letter(char c) {
  return c >= 'a' && c <= 'z';
}
static inline bool lac_layout_is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* The next rule; false where none is left. */
static inline bool lac_layout_next(lac_layout_text *text, lac_layout_rule *rule) {
  const char *begin = text->begin ? lac_layout_skip(text->begin, text->end) : NULL;
  if (!begin || begin == text->end)
    return false;
  const char *end = (const char *)memchr(begin, ';', (size_t)(text->end - begin));
  *rule = (lac_layout_rule){begin, begin, end ? end : text->end, 0};
  while (rule->end > begin && rule->end[-1] == ' ')
    rule->end--;
  while (rule->rest < rule->end && lac_layout_is_letter(*rule->rest))
    rule->rest++;
  rule->length = (size_t)(rule->rest - begin);
  text->begin = end ? end + 1 : text->end;
  return true;
}

/* Whether this character, or a number, is what comes next after the word; if so, it is left behind,
 * as spaces before it are. */
static inline bool lac_layout_take(lac_layout_rule *rule, char c) {
  rule->rest = lac_layout_skip(rule->rest, rule->end);
  bool taken = rule->rest < rule->end && *rule->rest == c;
  rule->rest += taken;
  return taken;
}
static inline bool lac_layout_number(lac_layout_rule *rule, int64_t *number) {
  const char *text = rule->rest = lac_layout_skip(rule->rest, rule->end);
  *number = 0;
  while (rule->rest < rule->end && lac_layout_is_digit(*rule->rest) && *number < INT64_MAX / 10 - 1)
    *number = *number * 10 + (*rule->rest++ - '0');
  return rule->rest > text;
}

/* How a level is walked, as its layout says. */
typedef struct lac_layout {
  lac_layout_text text;
  bool all, one, is_under, is_at;
  int begin_slot, end_slot, slot, up; /* of `under`; of `at` */
  int64_t begin, end, stride, offset;
} lac_layout;

/* Reads it; false where it is malformed. */
bool lac_layout_read(lac_layout_text text, lac_layout *layout);

/* Elements of arrays that rules on lengths have read; whether there are more than that. */
typedef struct lac_layout_element {
  int64_t level, slot, index, value;
} lac_layout_element;
enum { LAC_LAYOUT_READS = 4 };
typedef struct lac_layout_reads {
  int count;
  bool are_more;
  lac_layout_element elements[LAC_LAYOUT_READS];
} lac_layout_reads;

/* A level of a tensor that is called `name` in messages, and the layouts of all of its levels.
 * `reads`, if not NULL, gets what is read. */
typedef struct lac_place {
  const lac_tensor *tensor;
  const char *name;
  int64_t l;
  const lac_layout *layouts;
  lac_layout_reads *reads;
} lac_place;

static inline const lac_level *lac_level_at(const lac_place *at) {
  return &at->tensor->levels[at->l];
}

/* The coordinate of a position, and the positions [begin, end) under a parent, of a level whose
 * layout says. */
static inline int64_t lac_layout_coordinate(const lac_place *at, int64_t position) {
  const lac_layout *layout = &at->layouts[at->l];
  const lac_level *level = &at->tensor->levels[at->l - layout->up];
  return lac_array_get(&level->array[layout->slot], layout->stride * position + layout->offset);
}
static inline void lac_layout_under(const lac_place *at, int64_t parent, int64_t *begin,
                                    int64_t *end) {
  const lac_layout *layout = &at->layouts[at->l];
  const lac_array *arrays = lac_level_at(at)->array;
  *begin = lac_array_get(&arrays[layout->begin_slot], parent + layout->begin);
  *end = lac_array_get(&arrays[layout->end_slot], parent + layout->end);
}

/* The numbers that an expression may read. */
typedef struct lac_layout_counts {
  int64_t p, q, r;
} lac_layout_counts;

/* Whether an expression that comes after has a value, not more than 63 bits; if not, with a
 * message.
 */
bool lac_layout_value(const lac_place *at, lac_layout_rule *rule, const lac_layout_counts *counts,
                      int64_t *value);

/* lac_check_rules.c: whether the arrays hold what the level's rules say, once they are long enough.
 */
bool lac_layout_holds(const lac_place *at, const lac_layout_counts *counts);

/* "NAME: level 1 (KIND): " and the rest, as the error of a wrong format; false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool lac_level_wrong(const lac_place *at, const char *format, ...);
bool lac_layout_malformed(const lac_place *at);

#ifdef __cplusplus
}
#endif
#endif
