/* How many entries levels have (level_entries.h). */
#include "level_entries.h"

#include "extent.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>

#include <math.h>

static const double guessed_roots = 5e4;      /* entries of an outermost list */
static const double guessed_repeated = 1.6e6; /* of one that repeats coordinates */
static const double guessed_children = 16;    /* of a list under each parent */
static const double sorting_cost = 120;       /* per entry, as loop_cost counts */

static double size_of(const access *a, int dimension) {
  return (double)tin_held_size(a->holds, a->type, dimension);
}

double access_spread(const access *a, int dimension) {
  return (double)tin_held_spread(a->holds, a->type, dimension);
}

/* The most coordinates of the variable that loops which walk its entries come to; none where they
 * go through all. */
static double walked_coordinates(const statement *s, int variable) {
  double fewest = 0;
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      if (level->bare != variable || !level_is_walked(level) || level->level->dimension < 0)
        continue;
      double spread = access_spread(&s->accesses[i], level->level->dimension);
      fewest = fewest > 0 ? fmin(fewest, spread) : spread;
    }
  return fewest;
}

/* The coordinates of the first level that loops come to, by which its entries are divided: those
 * over which they are spread, but all where a loop goes through all, and no fewer than others walk.
 */
static double root_size(const statement *s, const access *a) {
  const access_level *root = &a->levels[0];
  double size = size_of(a, root->level->dimension);
  double spread = access_spread(a, root->level->dimension);
  if (!(root->level->properties & LEVEL_FULL))
    return spread;
  double walked = root->bare < 0 ? 0 : walked_coordinates(s, root->bare);
  return walked > 0 ? fmin(size, fmax(spread, walked)) : size;
}

/* How many entries there are for each position of a level with nothing but all coordinates below
 * it; 0 where there is more below. */
static double entries_below(const access *a, int l) {
  double entries = 1;
  for (l++; l < a->level_count; l++) {
    const format_level *level = a->levels[l].level;
    bool is_full = level->dimension >= 0 && level->properties & LEVEL_FULL;
    entries *= is_full ? size_of(a, level->dimension) : 0;
  }
  return entries;
}

/* How many coordinates the levels down to `last` have of which is said what they hold: of entries
 * that are anywhere, those under one place are under another one by chance, down to the level that
 * tells them apart.  Where a level repeats coordinates those that are the same count once, there
 * and below.  Negative where that is not known. */
static double held_positions(const statement *s, const access *a, int last) {
  double places = 1, positions = 1, entries;
  bool repeats = false;
  if (mlirAttributeIsNull(a->holds))
    return -1;
  entries = (double)mlirDenseI64ArrayGetElement(a->holds, 0);
  for (int l = 0; l <= last; l++) {
    const format_level *level = a->levels[l].level;
    if (level->dimension < 0 || remap_counted(level->expression) >= 0)
      return -1;
    double size = l > 0 ? size_of(a, level->dimension) : root_size(s, a);
    double below = entries_below(a, l);
    places *= size;
    repeats |= !(level->properties & LEVEL_UNIQUE);
    if (level->properties & LEVEL_FULL)
      positions *= size;
    else if (below > 0)
      positions = fmin(places, entries / below);
    else if (repeats || !(level->properties & LEVEL_BRANCHLESS))
      positions = places > 0 ? places * -expm1(-entries / places) : 0;
  }
  return positions;
}

/* Of those the ones of a level under each of the level above. */
static double held_entries(const statement *s, const access *a, int l) {
  double above = l > 0 ? held_positions(s, a, l - 1) : 1, here = held_positions(s, a, l);
  return above < 0 || here < 0 ? -1 : above > 0 ? here / above : 0;
}

double level_entries(const statement *s, const access *a, int l) {
  const access_level *level = &a->levels[l];
  double extent = level->bare < 0 ? compound_extent(s, a, l) : estimated_extent(s, level->bare);
  if (mlirAffineExprIsAConstant(level->level->expression))
    return 1;
  if (!level_is_walked(level))
    return extent;
  double entries = held_entries(s, a, l);
  if (entries >= 0)
    return entries;
  if (level->level->properties & LEVEL_BRANCHLESS)
    return 1;
  if (!(level->level->properties & LEVEL_UNIQUE))
    return guessed_repeated;
  bool counts = remap_counted(level->level->expression) >= 0;
  return fmin(extent, l == 0 && !counts ? guessed_roots : guessed_children);
}

double access_entries(const statement *s, const access *a) {
  double entries = 1;
  for (int l = 0; l < a->level_count; l++)
    entries *= level_entries(s, a, l);
  return entries;
}

double access_sorting_cost(const statement *s, const access *a) {
  return sorting_cost * access_entries(s, a);
}

/* Levels of blocks and diagonals do not multiply to what they store. */
double access_listing_cost(const statement *s, const access *a) {
  return sorting_cost * fmin(access_entries(s, a), guessed_repeated);
}
