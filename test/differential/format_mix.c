/* format_mix.c - formats of levels drawn one by one: any level format above any other, dimensions
 * in any order, some as they are or moved, scaled and turned around, some as quotient and
 * remainder, some in blocks of blocks, two as a linear form and one of them, some as a list of
 * coordinates; now and then a level of one coordinate.
 *
 *     d1 floordiv 2 : hashed, d0 : run_length, d1 mod 2 : bitmap
 *     d2 : banded, d0 : compressed(nonunique), d1 : singleton
 */
#include "format_table.h"
#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16 };

/* What a level holds; what stores it, if there is no choice. */
typedef struct part {
  char expression[48];
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
__attribute__((format(printf, 3, 4))) static int add_part(mix *m, int above, const char *format,
                                                          ...) {
  int place = above + pick_of(m, m->count - above + 1);
  va_list values;
  memmove(&m->parts[place + 1], &m->parts[place], sizeof(part) * (size_t)(m->count - place));
  m->parts[place].level = NULL;
  va_start(values, format);
  vsnprintf(m->parts[place].expression, sizeof m->parts[place].expression, format, values);
  va_end(values);
  m->count++;
  return place + 1;
}

static void add_blocks(mix *m, int d, int size) {
  add_part(m, add_part(m, 0, "d%d floordiv %d", d, size), "d%d mod %d", d, size);
}

static void add_blocks_of_blocks(mix *m, int d, int size) {
  int of = 2 + pick_of(m, 2);
  int above = add_part(m, 0, "d%d floordiv %d", d, size * of);
  above = add_part(m, above, "(d%d floordiv %d) mod %d", d, size, of);
  add_part(m, above, "d%d mod %d", d, size);
}

static void add_moved(mix *m, int d) {
  int move = pick_of(m, 5) - 2, factor = 1 + pick_of(m, 3);
  bool down = random_chance(m->random, 40);
  add_part(m, 0, "%d*d%d %c %d", down ? -factor : factor, d, move < 0 ? '-' : '+', abs(move));
}

static void add_dimension(mix *m, int d) {
  int size = 2 + pick_of(m, 3);
  if (random_chance(m->random, 20))
    add_blocks(m, d, size);
  else if (random_chance(m->random, 5))
    add_blocks_of_blocks(m, d, size);
  else if (random_chance(m->random, 5))
    add_moved(m, d);
  else
    add_part(m, 0, "d%d", d);
}

/* The difference of two dimensions, or another linear form, and one of them; the other follows. */
static void add_diagonals(mix *m) {
  int first = pick_of(m, 2), factor = random_chance(m->random, 70) ? 1 : 2 + pick_of(m, 2);
  char sign = random_chance(m->random, 50) ? '-' : '+';
  add_part(m, 0, "d%d %c %d*d%d", 1 - first, sign, factor, first);
  add_part(m, 0, "d%d", first);
  m->parts[add_part(m, m->count, "d%d", 1 - first) - 1].level = "offset";
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
  if (random_chance(random, 4))
    add_part(&m, 0, "%d", pick_of(&m, 2));
  write_levels(&m);
}
