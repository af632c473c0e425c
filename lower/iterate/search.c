/* search.c - while (low < high) { middle = low + (high - low) / 2;
 *              if (before(middle)) low = middle + 1; else high = middle; }
 */
#include "search.h"

MlirValue search_first(builder *b, MlirValue low, MlirValue high, search_before *is_before,
                       void *data) {
  int mark = var_mark(b);
  variable from = var_make(b, low), to = var_make(b, high);
  while_begin(b);
  while_do(b, less(b, var_get(b, from), var_get(b, to)));
  MlirValue half = floor_div(b, sub(b, var_get(b, to), var_get(b, from)), constant_index(b, 2));
  MlirValue middle = add(b, var_get(b, from), half);
  if_begin(b, is_before(data, middle));
  var_set(b, from, add(b, middle, constant_index(b, 1)));
  if_else(b);
  var_set(b, to, middle);
  if_end(b);
  while_end(b);
  MlirValue first = var_get(b, from);
  var_release(b, mark);
  return first;
}
