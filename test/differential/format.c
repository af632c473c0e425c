/* Random formats: any composition of dense and compressed levels, coordinate lists, and coordinate
 * lists below such levels, in any order of dimensions, of any widths. */
#include "format_table.h"
#include "maker.h"

#include <stdio.h>
#include <string.h>

static void shuffle_modes(maker *m, tensor *t) {
  for (int l = 0; l < t->order; l++)
    t->modes[l] = l;
  for (int l = t->order - 1; l > 0 && chance(m, 60); l--) {
    int other = pick(m, l + 1), mode = t->modes[l];
    t->modes[l] = t->modes[other];
    t->modes[other] = mode;
  }
}

/* From level `first` on a coordinate list. */
static void make_list(tensor *t, int first) {
  int last = t->order - 1;
  if (first == last && !t->duplicates) {
    t->levels[first] = LEVEL_COMPRESSED;
    return;
  }
  t->levels[first] = LEVEL_COMPRESSED_NONUNIQUE;
  for (int l = first + 1; l <= last; l++)
    t->levels[l] = l < last || t->duplicates ? LEVEL_SINGLETON_NONUNIQUE : LEVEL_SINGLETON;
}

/* Levels that repeat coordinates, with levels that branch below, and repeat them as well or not. */
static void make_branches(maker *m, tensor *t) {
  int first = pick(m, t->order - 1);
  t->levels[first] = LEVEL_COMPRESSED_NONUNIQUE;
  for (int l = first + 1; l < t->order; l++)
    t->levels[l] = chance(m, 25)   ? LEVEL_DENSE
                   : chance(m, 60) ? LEVEL_COMPRESSED
                                   : LEVEL_COMPRESSED_NONUNIQUE;
  if (t->order > 2 && t->levels[t->order - 2] == LEVEL_COMPRESSED_NONUNIQUE && chance(m, 40))
    t->levels[t->order - 1] = t->duplicates ? LEVEL_SINGLETON_NONUNIQUE : LEVEL_SINGLETON;
}

static void choose_levels(maker *m, tensor *t, int dense_percent) {
  bool dense = t->must_be_dense || chance(m, dense_percent);
  for (int l = 0; l < t->order; l++)
    t->levels[l] = !dense && chance(m, 60) ? LEVEL_COMPRESSED : LEVEL_DENSE;
  if (dense)
    return;
  if (t->duplicates || chance(m, 25))
    make_list(t, chance(m, 70) ? 0 : pick(m, t->order));
}

/* Rows of a result that is scattered into. */
static void choose_rows(maker *m, tensor *t) {
  for (int l = 0; l < t->order; l++)
    t->levels[l] = l == t->order - 1 || chance(m, 55) ? LEVEL_COMPRESSED : LEVEL_DENSE;
}

#define CHOICE(m, list) (list)[pick(m, (int)(sizeof(list) / sizeof *(list)))]

/* Levels that can be located in, for tensors with compound subscripts. */
static const char *const located_vectors[] = {"d0 : bitmap", "d0 : run_length", "d0 : hashed",
                                              "d0 : banded"};
static const char *const located_matrices[] = {
    "d0 : dense, d1 : bitmap",  "d1 : bitmap, d0 : run_length", "d1 : run_length, d0 : dense",
    "d0 : bitmap, d1 : dense",  "d0 : dense, d1 : run_length",  "d0 : dense, d1 : hashed",
    "d0 : hashed, d1 : hashed", "d1 : dense, d0 : banded"};
static const char *const located_cubes[] = {"d2 : dense, d0 : bitmap, d1 : run_length",
                                            "d0 : bitmap, d1 : dense, d2 : run_length"};

/* Those that are drawn instead of the ones above, or none. */
enum { MOST_GIVEN = 32 };
static const char *given[MOST_GIVEN];
static int given_count;

static int order_of(const char *levels) {
  int order = 0;
  for (const char *d = strchr(levels, 'd'); d; d = strchr(d + 1, 'd'))
    if (d[1] >= '0' + order && d[1] <= '9')
      order = d[1] - '0' + 1;
  return order;
}

bool draw_format(const char *levels) {
  if (given_count == MOST_GIVEN || order_of(levels) > 3)
    return false;
  given[given_count++] = levels;
  return true;
}

static const char *choose_given(maker *m, int order) {
  const char *fitting[MOST_GIVEN];
  int count = 0;
  for (int i = 0; i < given_count; i++)
    if (order_of(given[i]) == order)
      fitting[count++] = given[i];
  return count ? fitting[pick(m, count)] : NULL;
}

/* Conversions are between such formats most of all. */
static int exotic_percent(const maker *m) {
  return given_count ? 75 : m->c->conversion ? 65 : 35;
}

static const char *choose_located(maker *m, int order) {
  return order == 1   ? CHOICE(m, located_vectors)
         : order == 2 ? CHOICE(m, located_matrices)
                      : CHOICE(m, located_cubes);
}

static void choose_exotic(maker *m, tensor *t) {
  if (t->must_be_dense && !t->must_be_full && t->order <= 3 && !given_count && chance(m, 35)) {
    t->exotic = choose_located(m, t->order);
    m->c->converts = true;
  }
  if (t->must_be_dense || t->duplicates || t->unordered || t->order > 3 ||
      !chance(m, exotic_percent(m)))
    return;
  t->exotic = given_count ? choose_given(m, t->order) : draw_from_table(t->order, &m->random);
  if (!given_count && chance(m, 40)) {
    draw_mix(t->order, &m->random, t->mix);
    t->exotic = t->mix;
  }
  m->c->converts |= t->exotic != NULL;
}

void choose_format(maker *m, tensor *t, bool is_result) {
  if (t->order == 0)
    return;
  t->duplicates = !is_result && !m->c->ring && !t->must_be_dense && chance(m, 12);
  t->unordered = !t->must_be_dense && chance(m, is_result ? 4 : 8);
  shuffle_modes(m, t);
  if (is_result && m->scatters && chance(m, 65))
    choose_rows(m, t);
  else
    choose_levels(m, t, t->duplicates ? 0 : !is_result ? 25 : m->scatters ? 5 : 40);
  if (!is_result && !m->c->ring && !t->must_be_dense && t->order > 1 && chance(m, 10))
    make_branches(m, t);
  t->position_bits = t->coordinate_bits = 64;
  if (!m->c->ring)
    choose_exotic(m, t);
}

static int level_of(const tensor *t, int dimension) {
  int l = 0;
  while (t->modes[l] != dimension)
    l++;
  return l;
}

/* Whether a level that repeats coordinates has one below that is no list's. */
static bool has_branches(const tensor *t) {
  for (int l = 0; l + 1 < t->order; l++)
    if ((t->levels[l] == LEVEL_COMPRESSED_NONUNIQUE || t->levels[l] == LEVEL_SINGLETON_NONUNIQUE) &&
        (t->levels[l + 1] == LEVEL_DENSE || t->levels[l + 1] == LEVEL_COMPRESSED ||
         t->levels[l + 1] == LEVEL_COMPRESSED_NONUNIQUE))
      return true;
  return false;
}

/* Where the second of the two levels does not store every coordinate. */
void choose_symmetry(maker *m, tensor *t) {
  if (t->order < 2 || t->dimensions[0] != t->dimensions[1] || t->exotic || t->duplicates ||
      t->unordered || t->must_be_dense || m->c->ring || given_count || !chance(m, 15))
    return;
  int first = level_of(t, 0), second = level_of(t, 1);
  t->symmetric = t->levels[first > second ? first : second] != LEVEL_DENSE && !has_branches(t);
  m->c->converts |= t->symmetric;
}

static bool is_plain(const tensor *t) {
  for (int l = 0; l < t->order; l++)
    if (t->levels[l] != LEVEL_DENSE || t->modes[l] != l)
      return false;
  return true;
}

static char *write_level(const tensor *t, int l, char *text) {
  static const char *const kinds[] = {"dense", "compressed", "compressed", "singleton",
                                      "singleton"};
  level_kind kind = t->levels[l];
  bool nonunique = kind == LEVEL_COMPRESSED_NONUNIQUE || kind == LEVEL_SINGLETON_NONUNIQUE;
  bool unordered = t->unordered && kind != LEVEL_DENSE;
  text += sprintf(text, "%sd%d : %s", l ? ", " : "", t->modes[l], kinds[kind]);
  if (nonunique || unordered)
    text += sprintf(text, "(%s%s%s)", nonunique ? "nonunique" : "",
                    nonunique && unordered ? ", " : "", unordered ? "unordered" : "");
  return text;
}

void write_format(tensor *t) {
  char *text = t->format;
  if (t->order == 0 || (!t->exotic && is_plain(t) && t->count % 2))
    return;
  text += sprintf(text, "#tin.format<(");
  for (int d = 0; d < t->order; d++)
    text += sprintf(text, "%sd%d", d ? ", " : "", d);
  text += sprintf(text, ") -> (");
  if (t->exotic)
    text += sprintf(text, "%s", t->exotic);
  for (int l = 0; l < t->order && !t->exotic; l++)
    text = write_level(t, l, text);
  text += sprintf(text, ")");
  if (t->symmetric)
    text += sprintf(text, ", symmetric(d0, d1)");
  if (t->position_bits < 64)
    text += sprintf(text, ", pos = %d", t->position_bits);
  if (t->coordinate_bits < 64)
    text += sprintf(text, ", crd = %d", t->coordinate_bits);
  sprintf(text, ">");
}
