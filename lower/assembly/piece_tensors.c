/* piece_tensors.c - pieces of a result and their sizes, by the runtime's functions (lac_pieces.c).
 */
#include "piece_tensors.h"

#include "building.h"

#include "lac_tensor.h"

static MlirValue as_i64(storage *s, MlirValue v) {
  return index_cast(s->b, v, type_i(s->b, 64));
}

void piece_tensors_make(storage *s, MlirValue count, int sizes) {
  MlirValue arguments[] = {as_i64(s, count), constant_integer(s->b, type_i(s->b, 64), sizes),
                           s->status};
  s->piece_count = index_cast(s->b, count, type_index(s->b));
  s->pieces = call(s->b, "lac_kernel_pieces", type_ptr(s->b), 3, arguments);
}

void piece_tensors_free(storage *s) {
  call(s->b, "lac_kernel_pieces_free", (MlirType){NULL}, 1, &s->pieces);
}

void piece_tensors_sum(storage *s) {
  call(s->b, "lac_kernel_pieces_sum", (MlirType){NULL}, 1, &s->pieces);
}

void piece_tensors_order(storage *s) {
  call(s->b, "lac_kernel_pieces_order", (MlirType){NULL}, 1, &s->pieces);
}

void piece_tensors_take(storage *s) {
  MlirValue arguments[] = {s->pieces, s->handle};
  call(s->b, "lac_kernel_pieces_take", (MlirType){NULL}, 2, arguments);
}

/* ---- A piece ------------------------------------------------------------------------------ */

static storage *with_handle(storage *s, MlirValue handle) {
  return storage_make(s->memory, s->b, s->format, s->name, handle, s->status);
}

static storage *piece_around(storage *s, MlirValue handle, MlirValue first_size) {
  storage *piece = with_handle(s, handle);
  building_plan own = s->plan;
  own.role = STORAGE_PIECE;
  storage_build(piece, s->dimensions, &own);
  piece->levels[0].size = first_size;
  storage_choose_ways(piece);
  return piece;
}

storage *piece_begin(storage *s, MlirValue i, MlirValue first_size, int64_t in_place) {
  MlirValue places = constant_integer(s->b, type_i(s->b, 64), in_place);
  MlirValue arguments[] = {s->pieces, as_i64(s, i), s->handle, as_i64(s, first_size),
                           places,    s->status};
  MlirValue handle = call(s->b, "lac_kernel_piece_begin", type_ptr(s->b), 6, arguments);
  return piece_around(s, handle, first_size);
}

storage *piece_of_all(storage *s) {
  return piece_around(s, s->handle, s->levels[0].size);
}

static MlirValue handle_of(storage *s, MlirValue i) {
  MlirValue arguments[] = {s->pieces, as_i64(s, i)};
  return call(s->b, "lac_kernel_piece", type_ptr(s->b), 2, arguments);
}

static storage *open_handle(storage *s, MlirValue handle) {
  storage *piece = with_handle(s, handle);
  storage_open(piece);
  return piece;
}

storage *piece_open(storage *s, MlirValue i) {
  return open_handle(s, handle_of(s, i));
}

MlirValue piece_handles(storage *s) {
  return handle_of(s, constant_index(s->b, 0));
}

storage *piece_open_at(storage *s, MlirValue handles, MlirValue i) {
  enum { WORDS = sizeof(lac_tensor) / sizeof(int64_t) };
  MlirValue words = mul(s->b, i, constant_index(s->b, WORDS));
  return open_handle(s, element_pointer(s->b, handles, words, type_i(s->b, 64)));
}

MlirValue piece_next(storage *s) {
  MlirValue i = call(s->b, "lac_kernel_piece_next", type_i(s->b, 64), 1, &s->pieces);
  return index_cast(s->b, i, type_index(s->b));
}

/* ---- Sizes -------------------------------------------------------------------------------- */

MlirValue piece_sizes(storage *s, MlirValue i) {
  MlirValue arguments[] = {s->pieces, as_i64(s, i)};
  return call(s->b, "lac_kernel_piece_sizes", type_ptr(s->b), 2, arguments);
}

MlirValue piece_size(storage *s, MlirValue sizes, int n) {
  MlirValue size = load_element(s->b, sizes, constant_index(s->b, n), type_i(s->b, 64));
  return index_cast(s->b, size, type_index(s->b));
}

void piece_set_size(storage *s, MlirValue sizes, int n, MlirValue size) {
  store_element(s->b, as_i64(s, size), sizes, constant_index(s->b, n));
}

/* ---- What levels count -------------------------------------------------------------------- */

enum { COUNTED = 0 }; /* the level's variable */

static bool counts(const storage *s, int k) {
  return s->format->levels[k].format->counts;
}

int piece_row_length(const storage *s) {
  bool any = false;
  for (int k = 0; k < s->format->level_count; k++)
    any |= counts(s, k);
  return any ? 2 * s->format->level_count : s->format->level_count;
}

MlirValue piece_counted(storage *s, MlirValue sizes, int k) {
  return counts(s, k) ? piece_size(s, sizes, s->format->level_count + k) : (MlirValue){NULL};
}

void piece_note_counted(storage *s, MlirValue sizes, const storage *piece) {
  for (int k = 0; k < s->format->level_count; k++)
    if (counts(s, k))
      piece_set_size(s, sizes, s->format->level_count + k,
                     var_get(s->b, piece->levels[k].counters[COUNTED]));
}

void piece_take_counted(level *l, MlirValue n) {
  if (!mlirValueIsNull(n))
    l->counters[COUNTED] = var_make(l->owner->b, n);
}
