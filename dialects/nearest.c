/* The edits between two names, by dynamic programming over their beginnings:
 *
 *     edits(i, j) = least of  edits(i-1, j) + 1                       a letter left out
 *                             edits(i, j-1) + 1                       one put in
 *                             edits(i-1, j-1) + (a[i] != b[j])        kept or exchanged
 *                             edits(i-2, j-2) + 1                     two neighbours swapped
 */
#include "nearest.h"

#include "lac_ascii.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FAR = NEAREST_LENGTH + 1, LETTERS_AN_EDIT = 3 };

static int least(int a, int b) {
  return a < b ? a : b;
}

static bool same(char a, char b) {
  return lac_small_letter(a) == lac_small_letter(b);
}

static bool swapped(const char *a, const char *b) {
  return same(a[0], b[1]) && same(a[1], b[0]);
}

static int edits_between(const char *a, const char *b) {
  int rows[3][NEAREST_LENGTH + 1], *before = rows[0], *above = rows[1], *row = rows[2];
  int width = (int)strlen(b);
  for (int j = 0; j <= width; j++)
    row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int *oldest = before;
    before = above;
    above = row;
    row = oldest;
    row[0] = i;
    for (int j = 1; j <= width; j++) {
      row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && swapped(a + i - 2, b + j - 2))
        row[j] = least(row[j], before[j - 2] + 1);
    }
  }
  return row[width];
}

/* A name of one or two letters is near to none but itself in another case. */
static int edits_allowed(const char *wanted) {
  return (int)strlen(wanted) / LETTERS_AN_EDIT;
}

nearest nearest_to(const char *wanted) {
  nearest search = {.edits = FAR};
  if (strlen(wanted) <= NEAREST_LENGTH)
    strcpy(search.wanted, wanted);
  return search;
}

void nearest_offer(nearest *search, const char *name) {
  if (!*search->wanted || strlen(name) > NEAREST_LENGTH || !strcmp(search->wanted, name))
    return;
  int edits = edits_between(search->wanted, name);
  if (edits > edits_allowed(search->wanted) || edits >= search->edits)
    return;
  search->edits = edits;
  strcpy(search->found, name);
}

void nearest_offer_words(nearest *search, const char *words) {
  static const char separators[] = " ,\n";
  for (words += strspn(words, separators); *words; words += strspn(words, separators)) {
    char word[NEAREST_LENGTH + 1] = "";
    size_t length = strcspn(words, " ,\n:");
    if (length <= NEAREST_LENGTH)
      nearest_offer(search, memcpy(word, words, length));
    words += strcspn(words, separators);
  }
}

const char *nearest_hint(nearest *search) {
  if (!*search->found)
    return "";
  snprintf(search->hint, sizeof search->hint, "; did you mean '%s'?", search->found);
  return search->hint;
}
