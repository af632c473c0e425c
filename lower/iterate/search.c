/* search.c - the first place that is not before what is sought.
 *
 *     search_first   while (low < high) { middle = low + (high - low) / 2;
 *                      if (before(middle)) low = middle + 1; else high = middle; }
 *
 *     search_near    if (before(near))  while (before(near + step))      near += step, step *= 2;
 *                    else               while (not before(near - step))  near -= step, step *= 2;
 *                    and search_first in the last step
 *
 *     search_along   search_near from low on, by steps that do not grow beyond some numbers
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

/* Places low .. high - 1, those before what is sought first. */
typedef struct searched {
  builder *b;
  MlirValue low, high;
  search_before *is_before;
  void *data;
  int64_t longest; /* of steps; 0: any */
} searched;

/* Whether it is one of the places, and before what is sought, or not (`before` false). */
static MlirValue is_within_and(const searched *s, MlirValue at, bool before) {
  builder *b = s->b;
  int mark = var_mark(b);
  variable found = var_make(b, constant_bool(b, false));
  if_begin(b, and_i(b, less_equal(b, s->low, at), less(b, at, s->high)));
  MlirValue is = s->is_before(s->data, at);
  var_set(b, found, before ? is : equal(b, is, constant_bool(b, false)));
  if_end(b);
  MlirValue result = var_get(b, found);
  var_release(b, mark);
  return result;
}

/* Moves `at`, which is as asked, up or down over all that is so too, in steps twice as long as the
 * last one. */
static void go_on(const searched *s, variable at, variable step, bool up) {
  builder *b = s->b;
  while_begin(b);
  MlirValue next = (up ? add : sub)(b, var_get(b, at), var_get(b, step));
  while_do(b, is_within_and(s, next, up));
  var_set(b, at, (up ? add : sub)(b, var_get(b, at), var_get(b, step)));
  MlirValue twice = mul(b, var_get(b, step), constant_index(b, 2));
  var_set(b, step, s->longest ? min_i(b, twice, constant_index(b, s->longest)) : twice);
  while_end(b);
}

/* Goes up from `near`, which is before what is sought, and tells between which places that is. */
static void search_up(const searched *s, variable at, variable step, variable from, variable to) {
  builder *b = s->b;
  go_on(s, at, step, true);
  var_set(b, from, add(b, var_get(b, at), constant_index(b, 1)));
  var_set(b, to, min_i(b, s->high, add(b, var_get(b, at), var_get(b, step))));
}

MlirValue search_near(builder *b, MlirValue low, MlirValue high, MlirValue near,
                      search_before *is_before, void *data) {
  const searched s = {b, low, high, is_before, data, 0};
  MlirValue one = constant_index(b, 1);
  int mark = var_mark(b);
  variable at = var_make(b, near), step = var_make(b, one);
  variable from = var_make(b, low), to = var_make(b, high);
  if_begin(b, is_within_and(&s, near, true));
  search_up(&s, at, step, from, to);
  if_else(b);
  go_on(&s, at, step, false);
  var_set(b, from, max_i(b, low, sub(b, add(b, var_get(b, at), one), var_get(b, step))));
  var_set(b, to, var_get(b, at));
  if_end(b);
  MlirValue first = search_first(b, var_get(b, from), var_get(b, to), is_before, data);
  var_release(b, mark);
  return first;
}

MlirValue search_along(builder *b, MlirValue low, MlirValue high, search_before *is_before,
                       void *data) {
  enum { LINE = 16 };
  const searched s = {b, low, high, is_before, data, LINE};
  int mark = var_mark(b);
  variable at = var_make(b, low), step = var_make(b, constant_index(b, 1));
  variable from = var_make(b, low), to = var_make(b, low);
  if_begin(b, is_within_and(&s, low, true));
  search_up(&s, at, step, from, to);
  if_end(b);
  MlirValue first = search_first(b, var_get(b, from), var_get(b, to), is_before, data);
  var_release(b, mark);
  return first;
}
