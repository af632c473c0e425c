/* looked_up.c - see looked_up.h. */
#include "looked_up.h"

#include "forall_trips.h"
#include "held_access.h"

#include <math.h>

/* In nanoseconds: a step of a search; a coordinate that is located in a table, or looked up where a
 * list that is met again has marked it (look_up.c); what is copied, or sorted, each entry, and the
 * code around it.  A list that has not FAR_MORE coordinates than are sought is gone through. */
static const double comparing = 2.5, locating = 4, looking = 2;
static const double copying = 2, sorting = 20, around = 2000;
enum { FAR_MORE = 8, MARKED_MOST = 1 << 22 }; /* coordinates whose marks fit the caches */

/* How often the loop at a place of the path is come to. */
static double rounds_of(arena *memory, const access_order *order, int place) {
  double rounds = 1;
  for (int p = 0; p < place; ++p)
    rounds *= forall_trips(memory, order->kernel, order->path.ops[p]);
  return rounds;
}

bool looked_up_again(arena *memory, const access_order *order) {
  held_access a;
  int place = order->known_at[0], dimension = order->format->levels[0].dimension;
  if (place <= 0 || mlirValueIsNull(cin_access_bare(order->access, dimension)) ||
      !held_access_of(memory, order->kernel, order->access, &a))
    return false;
  double trips = forall_trips(memory, order->kernel, order->path.ops[place]);
  double sought = trips * rounds_of(memory, order, place), listed = held_coordinates(&a, 1);
  return sought > 0 && listed > FAR_MORE * trips &&
         sought * comparing * log2(listed / trips) > around + copying * held_entries(&a);
}

/* What it takes to meet `many` coordinates with a list of `few`, which is marked or not. */
static double seeking(double many, double few, bool is_marked) {
  double more = fmax(many, few), fewer = fmin(many, few);
  if (more > FAR_MORE * fewer)
    return fewer * comparing * log2(more / fewer);
  return many * (is_marked ? looking : locating);
}

static bool is_located_too_often(arena *memory, const access_order *order, int l) {
  held_access a;
  int place = order->known_at[l];
  if (place < 0 || !held_access_of(memory, order->kernel, order->access, &a))
    return false;
  double parents = held_coordinates(&a, l), rounds = rounds_of(memory, order, place);
  double few = parents > 0 ? held_coordinates(&a, l + 1) / parents : 0;
  double many = forall_longest(memory, order->kernel, order->path.ops[place]);
  bool is_marked = rounds > 1 && held_size(&a, order->format->levels[l].dimension) <= MARKED_MOST;
  return few > 0 && many > 0 &&
         around + sorting * held_entries(&a) + rounds * seeking(many, few, is_marked) <
             rounds * many * locating;
}

bool located_too_often(arena *memory, const access_order *order) {
  int l = 0;
  while (l < order->format->level_count && !(format_level_is_table(&order->format->levels[l]) &&
                                             is_located_too_often(memory, order, l)))
    ++l;
  return l < order->format->level_count;
}
