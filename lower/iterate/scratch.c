/* scratch.c - scratch arrays that levels are walked through (scratch.h).
 *
 *     count = 0; last = 0; ordered = true
 *     for each place p of the parent               one, or those of its segment
 *       room for as many more as p has children
 *       for q in the places below p
 *         array[count] = coordinate at q, position at q;  count = count + 1
 *         ordered = ordered && last <= coordinate;  last = coordinate
 *     if (!ordered) sort the array by coordinates, equal ones as they came
 */
#include "scratch.h"

#include "cursor.h"
#include "look_up.h"

#include "ir.h"
#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>

/* ---- The arrays of a kernel --------------------------------------------------------------- */

typedef struct scratch_array {
  struct scratch_array *next;
  MlirOperation op;
  int number;
  MlirValue array; /* !llvm.ptr to a lac_pairs, or a lac_table */
} scratch_array;

/* Calls `visit` for each level with `scratch` of the operations in the regions of `op`, and for
 * each table (numbers SCRATCH_TABLE, SCRATCH_CURSORS). */
typedef void visitor(lowering *k, MlirOperation op, int number);

static bool uses_scratch(MlirOperation op, int i) {
  return sit_is_locate(op) ? sit_locate_uses_scratch(op) : sit_coiterate_uses_scratch(op, i);
}

static int visit_if(bool wanted, lowering *k, MlirOperation op, int number, visitor *visit) {
  if (wanted && visit)
    visit(k, op, number);
  return wanted;
}

static int visit_operation(lowering *k, MlirOperation op, visitor *visit) {
  int levels = sit_is_coiterate(op) ? (int)sit_coiterate_count(op) : sit_is_locate(op), count = 0;
  for (int i = 0; i < levels; i++)
    count += visit_if(uses_scratch(op, i), k, op, i, visit);
  if (!sit_is_coiterate(op))
    return count;
  count += visit_if(look_up_is_taken(op), k, op, SCRATCH_TABLE, visit);
  return count + visit_if(cursors_kept(op) > 0, k, op, SCRATCH_CURSORS, visit);
}

static int visit_regions(lowering *k, MlirOperation op, visitor *visit) {
  int count = 0;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = op_block(op, r);
    if (mlirBlockIsNull(block))
      continue;
    for (OPERATIONS(inner, block)) {
      count += visit_operation(k, inner, visit);
      if (!walked_on_threads(inner))
        count += visit_regions(k, inner, visit);
    }
  }
  return count;
}

static void make_array(lowering *k, MlirOperation op, int number) {
  scratch_array *made = ARENA_ARRAY(k->memory, scratch_array, 1);
  MlirValue array;
  if (number == SCRATCH_CURSORS) {
    array = cursors_table(k, op);
  } else if (number == SCRATCH_TABLE) {
    array = look_up_table(k);
    lower_rest_with_scratch(k, array, "lac_kernel_table_free");
  } else {
    array = call(k->b, "lac_kernel_pairs", type_ptr(k->b), 1, &k->status);
    lower_rest_with_scratch(k, array, "lac_kernel_pairs_free");
  }
  *made = (scratch_array){k->scratches, op, number, array};
  k->scratches = made;
}

bool scratch_is_needed(MlirOperation op) {
  return visit_regions(NULL, op, NULL);
}

void scratch_make(lowering *k, MlirOperation op) {
  visit_regions(k, op, make_array);
}

MlirValue scratch_of(const lowering *k, MlirOperation op, int i) {
  for (const scratch_array *at = k->scratches; at; at = at->next)
    if (mlirOperationEqual(at->op, op) && at->number == i)
      return at->array;
  return (MlirValue){NULL};
}

/* ---- Pairs -------------------------------------------------------------------------------- */

enum { PAIRS = 0, ROOM = 8 }; /* byte offsets in a lac_pairs */
enum { COORDINATE = 0, POSITION = 1, WORDS = 2 };

static MlirValue word_place(builder *b, MlirValue place, int word) {
  return add(b, mul(b, place, constant_index(b, WORDS)), constant_index(b, word));
}

static MlirValue load_word(builder *b, MlirValue pairs, MlirValue place, int word) {
  MlirValue loaded = load_element(b, pairs, word_place(b, place, word), type_i(b, 64));
  return index_cast(b, loaded, type_index(b));
}

static void store_word(builder *b, MlirValue value, MlirValue pairs, MlirValue place, int word) {
  store_element(b, index_cast(b, value, type_i(b, 64)), pairs, word_place(b, place, word));
}

MlirValue scratch_coordinate(builder *b, MlirValue pairs, MlirValue place) {
  return load_word(b, pairs, place, COORDINATE);
}

MlirValue scratch_position(builder *b, MlirValue pairs, MlirValue place) {
  return load_word(b, pairs, place, POSITION);
}

bool scratch_joins_branches(const lowered *parent, unsigned properties) {
  return parent->branches || (parent->last.ptr && !(properties & LEVEL_BRANCHLESS));
}

/* ---- Filling ------------------------------------------------------------------------------ */

typedef struct filling {
  lowering *k;
  MlirValue array;
  variable count, last, ordered;
} filling;

static filling filling_begin(lowering *k, MlirValue array) {
  builder *b = k->b;
  MlirValue zero = constant_index(b, 0);
  return (filling){k, array, var_make(b, zero), var_make(b, zero),
                   var_make(b, constant_bool(b, true))};
}

static MlirValue room_of(const filling *f) {
  builder *b = f->k->b;
  return index_cast(b, load_field(b, f->array, ROOM, type_i(b, 64)), type_index(b));
}

/* Room for so many more; whether there is (if not, the status says so). */
static MlirValue make_room(const filling *f, MlirValue more) {
  builder *b = f->k->b;
  MlirValue count = var_get(b, f->count), needed = add(b, count, more);
  if_begin(b, less(b, sub(b, room_of(f), count), more));
  MlirValue arguments[] = {f->array, index_cast(b, needed, type_i(b, 64)), f->k->status};
  call_seldom(b, "lac_kernel_pairs_grow", (MlirType){NULL}, 3, arguments);
  if_end(b);
  return less_equal(b, more, sub(b, room_of(f), count));
}

static MlirValue pairs_of(const filling *f) {
  return load_field(f->k->b, f->array, PAIRS, type_ptr(f->k->b));
}

static void push(const filling *f, MlirValue pairs, MlirValue coordinate, MlirValue position) {
  builder *b = f->k->b;
  MlirValue at = var_get(b, f->count);
  store_word(b, coordinate, pairs, at, COORDINATE);
  store_word(b, position, pairs, at, POSITION);
  MlirValue ascends = less_equal(b, var_get(b, f->last), coordinate);
  var_set(b, f->ordered, and_i(b, var_get(b, f->ordered), ascends));
  var_set(b, f->last, coordinate);
  var_set(b, f->count, add(b, at, constant_index(b, 1)));
}

/* What is at the places [begin, end) of a walk in the order of its level. */
static void push_places(const filling *f, walk *w) {
  builder *b = f->k->b;
  MlirValue there = make_room(f, sub(b, w->end, w->begin)), pairs = pairs_of(f);
  MlirValue end = select_value(b, there, w->end, w->begin);
  MlirValue place = for_begin(b, w->begin, end, constant_index(b, 1));
  entry n = walk_access(w, place);
  if (n.found.ptr)
    if_begin(b, n.found);
  push(f, pairs, n.coordinate, n.position);
  if (n.found.ptr)
    if_end(b);
  for_end(b);
}

static void push_children(const filling *f, const walk *w, lowered parent) {
  builder *b = f->k->b;
  int mark = var_mark(b);
  walk below = *w;
  below.parent = parent;
  walk_places(&below);
  push_places(f, &below);
  var_release(b, mark);
}

/* A place of a segment as a parent of its own. */
static lowered parent_at(builder *b, const lowered *segment, MlirValue place) {
  MlirValue position = segment->scratch.ptr ? scratch_position(b, segment->scratch, place) : place;
  return (lowered){.value = position, .coordinates = segment->coordinates};
}

/* A branchless level's places below a segment of positions are next to one another. */
static bool is_one_range(const walk *w) {
  bool chains = w->by_position && (w->properties & LEVEL_BRANCHLESS) && !w->parent.scratch.ptr;
  return !w->parent.last.ptr || chains;
}

static void gather_below(const filling *f, const walk *w) {
  builder *b = f->k->b;
  const lowered *segment = &w->parent;
  if (is_one_range(w)) {
    push_children(f, w, *segment);
    return;
  }
  MlirValue place = for_begin(b, segment->value, segment->last, constant_index(b, 1));
  push_children(f, w, parent_at(b, segment, place));
  for_end(b);
}

/* Below no position there is nothing to gather. */
static void gather(const filling *f, const walk *w) {
  builder *b = f->k->b;
  walk there = *w;
  there.parent.present = (MlirValue){NULL};
  if (!w->parent.present.ptr) {
    gather_below(f, w);
    return;
  }
  if_begin(b, w->parent.present);
  gather_below(f, &there);
  if_end(b);
}

static void sort(const filling *f) {
  builder *b = f->k->b;
  MlirValue arguments[] = {f->array, index_cast(b, var_get(b, f->count), type_i(b, 64))};
  if_begin(b, not_i1(b, var_get(b, f->ordered)));
  call(b, "lac_kernel_pairs_sort", (MlirType){NULL}, 2, arguments);
  if_end(b);
}

void scratch_fill(walk *w, MlirValue array) {
  builder *b = w->k->b;
  int mark = var_mark(b);
  filling f = filling_begin(w->k, array);
  gather(&f, w);
  sort(&f);
  w->begin = constant_index(b, 0);
  w->end = var_get(b, f.count);
  var_release(b, mark);
  w->scratch = pairs_of(&f);
  w->by_position = true;
  w->chained = !(w->properties & LEVEL_UNIQUE) || scratch_joins_branches(&w->parent, w->properties);
  w->properties |= LEVEL_ORDERED;
}

lowered scratch_locate(lowering *k, storage *s, int level, const lowered *parent,
                       MlirValue coordinate, MlirValue array) {
  builder *b = k->b;
  const level_format *format = storage_level_format(s, level);
  const MlirValue *coordinates = lowering_coordinates(k, parent, level, coordinate);
  int mark = var_mark(b);
  filling f = filling_begin(k, array);
  MlirValue end = parent->present.ptr
                      ? select_value(b, parent->present, parent->last, parent->value)
                      : parent->last;
  MlirValue there = make_room(&f, sub(b, end, parent->value)), pairs = pairs_of(&f);
  MlirValue last = select_value(b, there, end, parent->value);
  MlirValue place = for_begin(b, parent->value, last, constant_index(b, 1));
  MlirValue position, found = {NULL};
  format->locate(storage_level(s, level), parent_at(b, parent, place).value, coordinates, &position,
                 &found);
  push(&f, pairs, coordinate, position);
  for_end(b);
  MlirValue count = var_get(b, f.count);
  var_release(b, mark);
  return (lowered){.value = constant_index(b, 0),
                   .last = count,
                   .scratch = pairs,
                   .branches =
                       scratch_joins_branches(parent, storage_format(s)->levels[level].properties),
                   .present = parent->present,
                   .coordinates = coordinates};
}
