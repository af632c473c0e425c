/* access_level.c - levels that are looked through for one coordinate, which is known before they
 * are reached.
 *
 *     A(i, i + 1)      by rows: among the entries of row i one at i + 1
 *     A(j + k, i, j)   j is known where j + k is: among the entries below one at j
 *     A(i, j)          by rows, where i follows from loops over i + j and j: among those of row i
 *                      one at j
 */
#include "statement.h"

static bool is_compound(const access_level *level) {
  bool is_one = level->level->dimension >= 0 || mlirAffineExprIsAConstant(level->level->expression);
  return is_one && level->bare < 0 && !level->recovered;
}

bool access_level_is_known(const access *a, int l) {
  bool is_one = a->levels[l].level->dimension >= 0 && mlirAffineExprIsNull(a->levels[l].form);
  for (int above = 0; above < l && a->levels[l].bare >= 0 && is_one; above++)
    if ((is_compound(&a->levels[above]) || a->levels[above].recovered) &&
        set_has(a->levels[above].variables, a->levels[l].bare))
      return true;
  return false;
}

/* Whether each variable of level l's coordinate is one of those above. */
static bool is_told_above(const access *a, int l) {
  for (int v = set_first(a->levels[l].variables); v >= 0;
       v = set_next(a->levels[l].variables, v + 1)) {
    int above = 0;
    while (above < l && !set_has(a->levels[above].variables, v))
      above++;
    if (above == l)
      return false;
  }
  return true;
}

bool access_level_is_searched(const access *a, int l) {
  const access_level *level = &a->levels[l];
  if (!level->searched && !is_compound(level) && !access_level_is_known(a, l))
    return false;
  return format_level_is_searched(level->level) ||
         (format_level_can_walk(level->level) && is_told_above(a, l));
}
