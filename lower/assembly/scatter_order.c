/* scatter_order.c - siblings that threads of a device have placed at once, each at the next place
 * that was free: put in order behind that, the children of a parent by one thread.
 *
 *     for parent = thread; parent < parents; parent += threads
 *       sort its children by their coordinates, values along with them
 */
#include "building.h"
#include "heap.h"
#include "storage_state.h"

enum { THREADS = 128, BLOCKS_MOST = 1 << 16 };

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

static void order_children(level *l, MlirValue parent) {
  builder *b = l->owner->b;
  MlirValue begin, end;
  l->format->format->pos_iter(l, parent, &begin, &end);
  siblings s = {l, begin};
  heap_sort(&(heap_items){b, coordinate_at, swap, &s}, sub(b, end, begin));
}

void scatter_order(level *l) {
  builder *b = l->owner->b;
  MlirValue threads = constant_index(b, THREADS);
  MlirValue blocks = min_i(b, ceil_div(b, l->parents, threads), constant_index(b, BLOCKS_MOST));
  launch in = launch_begin(b, blocks, threads, l->owner->status);
  int mark = var_mark(b);
  device_thread own = device_thread_in(b, &in);
  MlirValue parent = for_begin(b, own.number, l->parents, own.count);
  order_children(l, parent);
  for_end(b);
  var_release(b, mark);
  launch_end(b);
}
