/* looked_up.c - see looked_up.h. */
#include "looked_up.h"

#include "forall_trips.h"
#include "held_access.h"

#include <math.h>

/* In nanoseconds: a step of a search; what is copied, each entry, and the code around it.  A list
 * that has not FAR_MORE coordinates than are sought is gone through. */
static const double comparing = 2.5, copying = 2, around = 2000;
enum { FAR_MORE = 8 };

bool looked_up_again(arena *memory, const access_order *order) {
  held_access a;
  int place = order->known_at[0], dimension = order->format->levels[0].dimension;
  if (place <= 0 || mlirValueIsNull(cin_access_bare(order->access, dimension)) ||
      !held_access_of(memory, order->kernel, order->access, &a))
    return false;
  double sought = 1, trips = forall_trips(memory, order->kernel, order->path.ops[place]);
  for (int p = 0; p <= place; ++p)
    sought *= forall_trips(memory, order->kernel, order->path.ops[p]);
  double listed = held_coordinates(&a, 1);
  return sought > 0 && listed > FAR_MORE * trips &&
         sought * comparing * log2(listed / trips) > around + copying * held_entries(&a);
}
