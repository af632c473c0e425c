/* lac_collect.c - the coordinates under many parents, noted in any order and several times:
 *
 *     noted      (2, 5) (0, 7) (2, 1) (2, 5)        parents 0 to 2
 *     numbered   coordinates 7 | | 1 5              ends 1 1 3
 *
 * Parents that come in ascending order leave their coordinates where they are; else they are moved
 * there by counting.  Then each parent's are sorted, and those that are there again go.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"

enum { WIDTH = sizeof(int64_t), FIRST_ROOM = 256 };

static bool grow_array(int64_t **array, int64_t room, int64_t more, int32_t *status) {
  int64_t *grown = lac_memory_resize(*array, room * WIDTH, more * WIDTH);
  if (grown)
    *array = grown;
  else
    lac_status_take(status, LAC_ERROR_MEMORY);
  return grown;
}

static bool start(lac_collected *c, int32_t *status) {
  c->parents = lac_kernel_scratch((int64_t)FIRST_ROOM * WIDTH, status);
  c->coordinates = lac_kernel_scratch((int64_t)FIRST_ROOM * WIDTH, status);
  c->room = c->coordinate_room = c->parents && c->coordinates ? FIRST_ROOM : 0;
  return c->room;
}

static bool make_room(lac_collected *c, int32_t *status) {
  if (c->room == 0)
    return start(c, status);
  int64_t more = 2 * c->room;
  if (!grow_array(&c->coordinates, c->coordinate_room, more, status))
    return false;
  c->coordinate_room = more;
  if (!grow_array(&c->parents, c->room, more, status))
    return false;
  c->room = more;
  return true;
}

void lac_kernel_collect(lac_collected *c, int64_t parent, int64_t coordinate, int32_t *status) {
  if (!lac_status_is_fine(status) || (c->count == c->room && !make_room(c, status)))
    return;
  c->parents[c->count] = parent;
  c->coordinates[c->count++] = coordinate;
}

/* ends[p] = how many come under parents up to p; whether those come in ascending order. */
static bool count_ends(lac_collected *c) {
  bool ascend = true;
  for (int64_t i = 0; i < c->count; i++) {
    c->ends[c->parents[i]]++;
    ascend = ascend && (i == 0 || c->parents[i - 1] <= c->parents[i]);
  }
  for (int64_t p = 1; p < c->parent_count; p++)
    c->ends[p] += c->ends[p - 1];
  return ascend;
}

/* Each to its parent's; ends are begins meanwhile, backwards, and ends again. */
static bool move_to_parents(lac_collected *c, int32_t *status) {
  int64_t *moved = lac_kernel_scratch(c->coordinate_room * WIDTH, status);
  if (!moved)
    return false;
  for (int64_t i = c->count; i-- > 0;)
    moved[--c->ends[c->parents[i]]] = c->coordinates[i];
  for (int64_t p = 0; p < c->parent_count; p++)
    c->ends[p] = p + 1 < c->parent_count ? c->ends[p + 1] : c->count;
  lac_memory_release(c->coordinates, c->coordinate_room * WIDTH);
  c->coordinates = moved;
  return true;
}

/* Sorts the coordinates from `begin` to `end` and moves each down to `kept` once; where they end.
 */
static int64_t keep_each_once(int64_t *coordinates, int64_t begin, int64_t end, int64_t kept) {
  int64_t first = kept;
  lac_kernel_sort(coordinates + begin, end - begin);
  for (int64_t i = begin; i < end; i++)
    if (kept == first || coordinates[kept - 1] != coordinates[i])
      coordinates[kept++] = coordinates[i];
  return kept;
}

int64_t lac_kernel_collected(lac_collected *c, int64_t parents, int32_t *status) {
  int64_t begin = 0, kept = 0;
  c->parent_count = parents;
  c->ends = !lac_status_is_fine(status) ? NULL : lac_kernel_scratch(parents * WIDTH, status);
  if (!c->ends || (!count_ends(c) && !move_to_parents(c, status)))
    return 0;
  for (int64_t p = 0; p < parents; p++) {
    int64_t end = c->ends[p];
    c->ends[p] = kept = keep_each_once(c->coordinates, begin, end, kept);
    begin = end;
  }
  return kept;
}

void lac_kernel_collected_free(lac_collected *c) {
  if (!c)
    return;
  lac_memory_release(c->parents, (c->room ? c->room : FIRST_ROOM) * WIDTH);
  lac_memory_release(c->coordinates,
                     (c->coordinate_room ? c->coordinate_room : FIRST_ROOM) * WIDTH);
  lac_memory_release(c->ends, c->parent_count * WIDTH);
  *c = (lac_collected){0};
}
