/* walk.c - one level being walked. */
#include "walk.h"

#include "ir.h"
#include "scratch.h"
#include "search.h"

static bool choose_iteration(walk *w, MlirOperation op, bool gathered) {
  unsigned can = w->format->capabilities;
  bool can_chain = (can & LEVEL_POSITION_ITERATION) && (w->properties & LEVEL_BRANCHLESS);
  w->by_position = can & LEVEL_POSITION_ITERATION;
  if (!(can & (LEVEL_POSITION_ITERATION | LEVEL_COORDINATE_ITERATION)))
    return error_at(op, "'sit.coiterate' expected levels that can be walked, found level %d '%s'",
                    w->number, w->format->name);
  if (w->parent.last.ptr && !w->parent.flat && (w->parent.scratch.ptr || !can_chain) && !gathered)
    return error_at(op,
                    "'sit.coiterate' expected a branchless level below a segment of duplicates, or "
                    "one with `scratch`, found level %d '%s'",
                    w->number, w->format->name);
  return true;
}

static void make_cursors(walk *w) {
  for (int n = 0; n < w->format->cursors; n++)
    w->cursors[n] = var_make(w->k->b, constant_index(w->k->b, 0));
}

static void places_by_position(walk *w) {
  builder *b = w->k->b;
  MlirValue ignored;
  storage_take_cursors(w->l, w->cursors);
  w->format->pos_iter(w->l, w->parent.value, &w->begin, &w->end);
  if (w->parent.last.ptr)
    w->format->pos_iter(w->l, sub(b, w->parent.last, constant_index(b, 1)), &ignored, &w->end);
}

static void find_places(walk *w) {
  if (w->by_position)
    places_by_position(w);
  else
    w->format->coord_iter(w->l, w->parent.coordinates, &w->begin, &w->end);
}

/* Below no position there is no place. */
static void find_places_below_present(walk *w) {
  builder *b = w->k->b;
  int mark = var_mark(b);
  variable begin = var_make(b, constant_index(b, 0)), end = var_make(b, constant_index(b, 0));
  if_begin(b, w->parent.present);
  find_places(w);
  var_set(b, begin, w->begin);
  var_set(b, end, w->end);
  if_end(b);
  w->begin = var_get(b, begin);
  w->end = var_get(b, end);
  var_release(b, mark);
}

void walk_places(walk *w) {
  if (w->by_position)
    make_cursors(w);
  if (w->parent.present.ptr)
    find_places_below_present(w);
  else
    find_places(w);
}

bool walk_begin(walk *w, lowering *k, MlirOperation op, storage *tensor, int number, lowered parent,
                bool fused, MlirValue scratch) {
  *w = (walk){.k = k,
              .tensor = tensor,
              .l = storage_level(tensor, number),
              .format = storage_level_format(tensor, number),
              .number = number,
              .parent = parent};
  w->properties = storage_format(tensor)->levels[number].properties;
  if (!choose_iteration(w, op, scratch.ptr))
    return false;
  if (scratch.ptr) {
    scratch_fill(w, scratch);
    return true;
  }
  w->chained = w->by_position && !fused && !(w->properties & LEVEL_UNIQUE);
  if (walk_is_single(w))
    w->properties |= LEVEL_ORDERED;
  walk_places(w);
  return true;
}

bool walk_is_single(const walk *w) {
  return w->by_position && (w->properties & LEVEL_BRANCHLESS) && !w->parent.last.ptr &&
         !w->scratch.ptr && !w->parent.present.ptr;
}

MlirValue walk_stored(const walk *w, MlirValue coordinate) {
  return w->offset.ptr ? add(w->k->b, coordinate, w->offset) : coordinate;
}

static entry access_stored(walk *w, MlirValue place) {
  entry n = {.position = place};
  if (w->scratch.ptr) {
    n.coordinate = scratch_coordinate(w->k->b, w->scratch, place);
    if (!w->chained)
      n.position = scratch_position(w->k->b, w->scratch, place);
    return n;
  }
  if (w->by_position) {
    storage_take_cursors(w->l, w->cursors);
    w->format->pos_access(w->l, place, w->parent.coordinates, &n.coordinate, &n.position, &n.found);
    return n;
  }
  n.coordinate = place;
  const MlirValue *coordinates = lowering_coordinates(w->k, &w->parent, w->number, place);
  w->format->coord_access(w->l, w->parent.value, coordinates, &n.position, &n.found);
  return n;
}

entry walk_access(walk *w, MlirValue place) {
  entry n = access_stored(w, place);
  if (w->offset.ptr)
    n.coordinate = sub(w->k->b, n.coordinate, w->offset);
  return n;
}

MlirValue walk_followed(const walk *w) {
  builder *b = w->k->b;
  bool in_array = w->by_position && !w->scratch.ptr && !w->format->cursors;
  MlirValue count = in_array ? storage_coordinate_count(w->tensor, w->number) : (MlirValue){NULL};
  return count.ptr ? min_i(b, w->end, sub(b, count, constant_index(b, 1))) : count;
}

static entry locate(walk *w, MlirValue coordinate) {
  entry n = {.coordinate = coordinate};
  const MlirValue *coordinates =
      lowering_coordinates(w->k, &w->parent, w->number, walk_stored(w, coordinate));
  w->format->locate(w->l, w->parent.value, coordinates, &n.position, &n.found);
  return n;
}

/* Whether there may be an entry: below a position, in range; null where there always may. */
static MlirValue may_be_found(const walk *w, MlirValue coordinate) {
  MlirValue present = w->parent.present;
  if (!w->padded)
    return present;
  MlirValue inside = level_is_inside(w->l, walk_stored(w, coordinate));
  return present.ptr ? and_i(w->k->b, present, inside) : inside;
}

entry walk_locate(walk *w, MlirValue coordinate) {
  builder *b = w->k->b;
  MlirValue present = may_be_found(w, coordinate);
  if (!present.ptr)
    return locate(w, coordinate);
  int mark = var_mark(b);
  variable at = var_make(b, constant_index(b, 0)), found = var_make(b, constant_bool(b, false));
  if_begin(b, present);
  entry n = locate(w, coordinate);
  var_set(b, at, n.position);
  var_set(b, found, n.found.ptr ? n.found : present);
  if_end(b);
  n = (entry){.coordinate = coordinate, .position = var_get(b, at), .found = var_get(b, found)};
  var_release(b, mark);
  return n;
}

lowered walk_position(walk *w, const entry *n, MlirValue last) {
  return (lowered){.value = n->position,
                   .last = last,
                   .scratch = last.ptr ? w->scratch : (MlirValue){NULL},
                   .branches = last.ptr && scratch_joins_branches(&w->parent, w->properties),
                   .coordinates = lowering_coordinates(w->k, &w->parent, w->number,
                                                       walk_stored(w, n->coordinate))};
}

/* Whether the coordinate at a place is one that a place before it has. */
static MlirValue is_same_at(walk *w, MlirValue place, MlirValue coordinate) {
  if (w->scratch.ptr || w->format->pos_access != level_entry_access)
    return equal(w->k->b, walk_access(w, place).coordinate, coordinate);
  return level_entry_is_at(
      w->l, place, lowering_coordinates(w->k, &w->parent, w->number, walk_stored(w, coordinate)));
}

/* q = place + 1; while (q < end && coordinate at q is the same) q++;  by search where rows are cut,
 * so that not each range of a row goes through all of it. */
MlirValue walk_segment_end(walk *w, MlirValue place, MlirValue coordinate) {
  builder *b = w->k->b;
  MlirValue one = constant_index(b, 1), next = add(b, place, one);
  if (w->k->rows && w->number == 0 && (w->properties & LEVEL_ORDERED))
    return walk_seek_near(w, next, next, add(b, coordinate, one));
  int mark = var_mark(b);
  variable q = var_make(b, next);
  variable same = var_make(b, constant_bool(b, false));
  while_begin(b);
  var_set(b, same, constant_bool(b, false));
  if_begin(b, less(b, var_get(b, q), w->end));
  var_set(b, same, is_same_at(w, var_get(b, q), coordinate));
  if_end(b);
  while_do(b, var_get(b, same));
  var_set(b, q, add(b, var_get(b, q), one));
  while_end(b);
  MlirValue end = var_get(b, q);
  var_release(b, mark);
  return end;
}

typedef struct sought {
  walk *w;
  MlirValue bound;
} sought;

static MlirValue is_below(void *data, MlirValue place) {
  const sought *s = data;
  return less(s->w->k->b, walk_access(s->w, place).coordinate, s->bound);
}

MlirValue walk_seek(walk *w, MlirValue begin, MlirValue bound) {
  sought s = {w, bound};
  return search_first(w->k->b, begin, w->end, is_below, &s);
}

MlirValue walk_seek_near(walk *w, MlirValue begin, MlirValue near, MlirValue bound) {
  sought s = {w, bound};
  return search_near(w->k->b, begin, w->end, near, is_below, &s);
}

MlirValue walk_seek_along(walk *w, MlirValue begin, MlirValue bound) {
  sought s = {w, bound};
  return search_along(w->k->b, begin, w->end, is_below, &s);
}

MlirValue walk_seek_end(walk *w, MlirValue begin, MlirValue bound) {
  builder *b = w->k->b;
  sought s = {w, bound};
  int mark = var_mark(b);
  variable end = var_make(b, w->end);
  if_begin(b, less(b, begin, w->end));
  if_begin(b,
           equal(b, is_below(&s, sub(b, w->end, constant_index(b, 1))), constant_bool(b, false)));
  var_set(b, end, walk_seek(w, begin, bound));
  if_end(b);
  if_end(b);
  MlirValue found = var_get(b, end);
  var_release(b, mark);
  return found;
}
