/* scatter_order.c - siblings that threads of a device have placed at once, each at the next place
 * that was free: put in order behind that, the children of a parent by one thread.
 *
 *     for parent = thread; parent < parents; parent += threads
 *       sort its children by their coordinates, values along with them
 */
#include "building.h"
#include "heap.h"
#include "storage_state.h"

typedef struct siblings {
  level *l;
  MlirValue begin;
} siblings;

static MlirValue position_of(const siblings *s, MlirValue i) {
  return add(s->l->owner->b, s->begin, i);
}

static int coordinates_of(const siblings *s) {
  return level_format_coordinates(s->l->format->format);
}

static MlirValue coordinate_at(void *data, MlirValue i) {
  const siblings *s = data;
  return level_load(s->l, coordinates_of(s), position_of(s, i));
}

static void swap(void *data, MlirValue i, MlirValue j) {
  const siblings *s = data;
  storage *owner = s->l->owner;
  MlirValue at[] = {position_of(s, i), position_of(s, j)};
  MlirValue coordinates[] = {coordinate_at(data, i), coordinate_at(data, j)};
  MlirValue values[] = {storage_load(owner, at[0]), storage_load(owner, at[1])};
  for (int n = 0; n < 2; n++) {
    level_store(s->l, coordinates_of(s), at[n], coordinates[1 - n]);
    storage_store(owner, values[1 - n], at[n]);
  }
}

static void order_children(void *data, MlirValue parent) {
  level *l = data;
  builder *b = l->owner->b;
  MlirValue begin, end;
  l->format->format->pos_iter(l, parent, &begin, &end);
  siblings s = {l, begin};
  heap_sort(&(heap_items){b, coordinate_at, swap, &s}, sub(b, end, begin));
}

void scatter_order(level *l) {
  launch_each(l->owner->b, l->parents, l->owner->status, order_children, l);
}
