/* note.c - levels that only append, in a result that is collected: their coordinates are
 * noted as they come, in any order and several times, and appended once all of them are known.
 *
 *     i : hashed, j : run_length
 *
 *     count     (p, j)                       level_note
 *     edges     each once and ascending      level_notes_number; appended, one parent after another
 *     place     the number of (p, j)         which is its position: it was appended so many-th
 *
 * Levels that make up a list are noted one by one.  What is noted of the last one are the entries:
 *
 *     i : hashed, j : compressed(nonunique), k : singleton
 *
 *     noted     under p:   j = 1       4            appended   j   1 1 4
 *     under (p, j):        k = 0, 7    3                       k   0 7 3
 */
#include "building.h"
#include "storage_state.h"

#include "sit.h"

enum { NOTES = 0 }; /* scratch: formats that append use none */

static MlirValue begin(level *l) {
  collected_begin(l);
  level_notes(l, NOTES);
  return (MlirValue){NULL};
}

static void count(level *l, MlirValue parent, MlirValue coordinate) {
  level_note(l, NOTES, parent, coordinate);
  collected_count(l);
}

static void release(level *l) {
  level_notes_free(l, NOTES);
}

/* Where what is noted under the parent begins: where that of the one before ends. */
static MlirValue noted_begin(level *l, MlirValue parent) {
  builder *b = l->owner->b;
  MlirValue zero = constant_index(b, 0), one = constant_index(b, 1);
  MlirValue before = level_noted_end(l, NOTES, sub(b, max_i(b, parent, one), one));
  return select_value(b, equal(b, parent, zero), zero, before);
}

/* ---- Appending ---------------------------------------------------------------------------- */

/* The levels of one list: [first, end); `coordinates` of them, and where the next entry goes. */
typedef struct list {
  storage *s;
  int first, end;
  MlirValue *coordinates;
  variable next;
} list;

static void append_entry(const list *all, MlirValue position) {
  for (int k = all->first; k < all->end; k++) {
    level *l = &all->s->levels[k];
    l->format->format->append_coord(l, position, all->coordinates[k]);
  }
  var_set(all->s->b, all->next, add(all->s->b, position, constant_index(all->s->b, 1)));
}

/* Appends the entries whose coordinates above level k make up the one numbered `parent`. */
static void append_under(const list *all, int k, MlirValue parent) {
  builder *b = all->s->b;
  level *l = &all->s->levels[k];
  MlirValue i =
      for_begin(b, noted_begin(l, parent), level_noted_end(l, NOTES, parent), constant_index(b, 1));
  all->coordinates[k] = level_noted_coordinate(l, NOTES, i);
  if (k + 1 < all->end)
    append_under(all, k + 1, i);
  else
    append_entry(all, i);
  for_end(b);
}

static void append_all(const list *all) {
  builder *b = all->s->b;
  level *l = &all->s->levels[all->first];
  MlirValue zero = constant_index(b, 0);
  MlirValue parent = for_begin(b, zero, l->parents, constant_index(b, 1));
  MlirValue begin = var_get(b, all->next);
  append_under(all, all->first, parent);
  l->format->format->append_edges(l, parent, begin, var_get(b, all->next));
  for_end(b);
}

/* Levels below the first have as many positions as that one, which grow with its. */
static void make_room(const list *all, MlirValue size) {
  for (int k = all->first; k < all->end; k++) {
    level *l = &all->s->levels[k];
    const level_format *format = l->format->format;
    bool is_first = k == all->first;
    format->append_init(l, is_first ? l->parents : (MlirValue){NULL});
    if (!is_first)
      format->append_reserve(l, size, (MlirValue){NULL});
    format->append_reserve(l, (MlirValue){NULL}, size);
  }
}

static void append_list(list *all, MlirValue size) {
  storage *s = all->s;
  builder *b = s->b;
  for (int k = all->first; k < all->end; k++) {
    s->levels[k].positions = size;
    storage_check_positions(s, &s->levels[k], size);
  }
  make_room(all, max_i(b, size, constant_index(b, 1)));
  all->coordinates = ARENA_ARRAY(s->memory, MlirValue, all->end);
  all->next = var_make(b, constant_index(b, 0));
  if_begin(b, storage_is_fine(s));
  append_all(all);
  if_end(b);
}

/* The first of the levels that are noted for one list. */
static int list_begin(const storage *s, int k) {
  int first = k;
  while (first > 0 && tensor_format_notes_level(s->format, first - 1) &&
         tensor_format_noted_end(s->format, first - 1) > k)
    first--;
  return first;
}

static MlirValue edges(level *l) {
  storage *s = l->owner;
  MlirValue size = level_notes_number(l, NOTES, l->parents);
  list all = {.s = s, .end = l->number + 1, .first = list_begin(s, l->number)};
  if (tensor_format_noted_end(s->format, l->number) == all.end)
    append_list(&all, size);
  return storage_size_if_fine(s, size);
}

/* ---- Placing ------------------------------------------------------------------------------ */

static MlirValue place(level *l, MlirValue parent, const MlirValue *coordinates) {
  return level_last_not_above(l, level_noted_coordinate, NOTES, coordinates[l->number],
                              noted_begin(l, parent), level_noted_end(l, NOTES, parent));
}

static MlirValue finish(level *l, MlirValue parents) {
  l->format->format->append_finalize(l, parents, l->positions);
  return l->positions;
}

static bool takes(const tensor_format *format, int k, const building_plan *p) {
  return p->way == CIN_COLLECT && tensor_format_notes_level(format, k);
}

const building building_note = {.name = "collected",
                                .takes = takes,
                                .placed_by = sit_is_place,
                                .begin = begin,
                                .count = count,
                                .edges = edges,
                                .place = place,
                                .finish = finish,
                                .release = release,
                                .begin_values = collected_begin_values};
