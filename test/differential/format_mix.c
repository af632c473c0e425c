/* format_mix.c - formats of levels drawn one by one: any level format above any other, dimensions
 * in any order, some as they are, some as quotient and remainder, two as a difference, some as a
 * list of coordinates.
 *
 *     d1 floordiv 2 : hashed, d0 : run_length, d1 mod 2 : bitmap
 *     d2 : banded, d0 : compressed(nonunique), d1 : singleton
 */
#include "format_table.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = 8 };

/* What a level holds; what stores it, if there is no choice. */
typedef struct part {
  char expression[24];
  const char *level;
} part;

typedef struct mix {
  uint64_t *random;
  char *text;
  part parts[MOST_PARTS]; /* outermost first */
  int count;
} mix;

static int pick_of(mix *m, int count) {
  return random_below(m->random, count);
}

/*--- What the levels hold -----------------------------------------------------------------------*/

/* Adds a part below the first `above` ones; gives how many are above what is below it. */
static int add_part(mix *m, int above, const char *format, int d, int other) {
  int place = above + pick_of(m, m->count - above + 1);
  memmove(&m->parts[place + 1], &m->parts[place], sizeof(part) * (size_t)(m->count - place));
  m->parts[place].level = NULL;
  sprintf(m->parts[place].expression, format, d, other);
  m->count++;
  return place + 1;
}

static void add_dimension(mix *m, int d) {
  int size = 2 + pick_of(m, 3);
  if (random_chance(m->random, 20))
    add_part(m, add_part(m, 0, "d%d floordiv %d", d, size), "d%d mod %d", d, size);
  else
    add_part(m, 0, "d%d", d, 0);
}

/* The difference of two dimensions, and one of them; the other follows. */
static void add_diagonals(mix *m) {
  int first = pick_of(m, 2);
  add_part(m, 0, random_chance(m->random, 50) ? "d%d - d%d" : "d%d + d%d", 1 - first, first);
  add_part(m, 0, "d%d", first, 0);
  m->parts[add_part(m, m->count, "d%d", 1 - first, 0) - 1].level = "offset";
}

/*--- What stores them ---------------------------------------------------------------------------*/

static const char *draw_level(mix *m) {
  static const char *const levels[] = {
      "dense",      "dense",  "bitmap", "compressed", "compressed", "compressed(unordered)",
      "run_length", "hashed", "banded", "sliced",     "tuples(1)",  "loose_compressed"};
  return levels[pick_of(m, sizeof levels / sizeof *levels)];
}

static void write_level(mix *m, int k, const char *level) {
  m->text += sprintf(m->text, "%s%s : %s", k ? ", " : "", m->parts[k].expression, level);
}

/* Levels [k, end) as a list of coordinates. */
static void write_list(mix *m, int k, int end) {
  char level[32];
  bool tuples = random_chance(m->random, 30);
  sprintf(level, tuples ? "tuples(%d, nonunique)" : "compressed(nonunique)", end - k);
  write_level(m, k, level);
  for (int l = k + 1; l < end; l++) {
    if (tuples)
      sprintf(level, l + 1 < end ? "element(%d, nonunique)" : "element(%d)", l - k);
    else
      strcpy(level, l + 1 < end ? "singleton(nonunique)" : "singleton");
    write_level(m, l, level);
  }
}

static bool may_be_list(const mix *m, int k, int end) {
  bool free = end <= m->count;
  for (int l = k; l < end && free; l++)
    free = !m->parts[l].level;
  return free;
}

static void write_levels(mix *m) {
  for (int k = 0; k < m->count;) {
    int end = k + 2 + pick_of(m, 2);
    if (may_be_list(m, k, end) && random_chance(m->random, 20)) {
      write_list(m, k, end);
      k = end;
    } else {
      write_level(m, k, m->parts[k].level ? m->parts[k].level : draw_level(m));
      k++;
    }
  }
}

void draw_mix(int order, uint64_t *random, char *text) {
  mix m = {.random = random, .text = text};
  bool diagonals = order > 1 && random_chance(random, 12);
  for (int d = diagonals ? 2 : 0; d < order; d++)
    add_dimension(&m, d);
  if (diagonals)
    add_diagonals(&m);
  write_levels(&m);
}
