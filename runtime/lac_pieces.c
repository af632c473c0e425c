/* lac_pieces.c - a result that is assembled in pieces, each a tensor of its own for some
 * neighbouring coordinates of the first level.
 *
 *     piece         0          1       2          sizes, a row for each piece and one more, an
 *     level 0    0 1 2        3 4    5 6 7        element for each level:
 *     level 1    a b c d e    f      g h                     0 0 | 3 5 | 5 6 | 8 8
 *
 * How many positions each piece has of each level becomes where they stand in the result, by a
 * prefix sum over the pieces.  Which arrays that moves to where generated code knows.
 *
 * Or pieces are joined as they come, each when all before it have had their turn: two rows more
 * hold how many positions the result has of each level so far, and what generated code knows of its
 * room.
 *
 *     pieces      0 joined   1 joined   2 being joined   3 done   4 being made   5 ..
 *                                                        next turn: once 2 has its place
 *
 * Nobody waits for a turn: who finishes a piece takes the turns of those that are done by then, and
 * whoever comes later the rest.  What a piece was made in is the next one's memory, still in the
 * caches.
 *
 * A piece that begins when it has the next turn is made in place, behind all that the result has so
 * far, while there is room: it need not be copied.  So that there often is one, a piece that has
 * not begun is left out between the next turn and those that are made aside:
 *
 *     pieces      0 joined   1 in place   2 next in place   3 being made aside   4 done aside   ..
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_integer.h"
#include "lac_memory.h"
#include "lac_storage.h"
#include "lac_stream.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

struct lac_pieces {
  _Atomic int64_t order; /* what is ordered by it: see lac_kernel_pieces_order */
  int64_t count, levels;
  lac_tensor *tensors;
  int64_t *sizes;

  _Atomic int64_t joining;  /* turns that have a place and are not over */
  pthread_mutex_t lock;     /* of what follows, and of the result where its arrays move */
  int64_t turn;             /* the piece that has the next one */
  int64_t ahead;            /* from here on, and two behind that, none has begun */
  int64_t *states, *spares; /* of each piece; pieces whose turn is over, whose arrays nobody has
                               taken yet */
  int64_t spare_count;
};

enum { BEGUN = 1, IN_PLACE = 2, DONE = 4 }; /* states, added up */
enum { ROWS_BESIDE = 2 };                   /* all, and room */

void lac_kernel_pieces_order(lac_pieces *p) {
  atomic_fetch_add_explicit(&p->order, 1, memory_order_acq_rel);
}

static int64_t tensor_bytes(const lac_pieces *p) {
  return p->count * (int64_t)sizeof *p->tensors;
}

static int64_t size_bytes(const lac_pieces *p) {
  return (p->count + ROWS_BESIDE) * p->levels * (int64_t)sizeof *p->sizes;
}

static int64_t turn_bytes(const lac_pieces *p) {
  return p->count * (int64_t)sizeof *p->states;
}

/* Of a set of arrays, a bit each: those of a level; the values have the last one. */
enum { VALUES_BIT = 62 };

static bool has_array(int64_t set, int64_t level, int64_t slot) {
  int64_t bit = level * LAC_ARRAYS + slot;
  return bit < VALUES_BIT && set >> bit & 1;
}

static bool has_values(int64_t set) {
  return set >> VALUES_BIT & 1;
}

static void forget(lac_array *array, bool keep) {
  if (!keep)
    lac_array_free_aside(array);
}

static void forget_arrays(lac_tensor *piece, int64_t kept) {
  for (int64_t l = 0; l < piece->level_count; l++)
    for (int64_t slot = 0; slot < LAC_ARRAYS; slot++)
      forget(&piece->levels[l].array[slot], has_array(kept, l, slot));
  forget(&piece->values, has_values(kept));
}

void lac_kernel_pieces_free(lac_pieces *p) {
  if (!p)
    return;
  lac_kernel_pieces_order(p);
  for (int64_t i = 0; p->tensors && i < p->count; i++) {
    forget_arrays(&p->tensors[i], 0);
    lac_tensor_free(&p->tensors[i]);
  }
  lac_memory_release(p->tensors, p->tensors ? tensor_bytes(p) : 0);
  lac_memory_release(p->sizes, p->sizes ? size_bytes(p) : 0);
  lac_memory_release(p->states, p->states ? turn_bytes(p) : 0);
  lac_memory_release(p->spares, p->spares ? turn_bytes(p) : 0);
  pthread_mutex_destroy(&p->lock);
  lac_memory_release(p, sizeof *p);
}

lac_pieces *lac_kernel_pieces(int64_t count, int64_t levels, int32_t *status) {
  lac_pieces *p = lac_status_is_fine(status) ? lac_memory_allocate(sizeof *p) : NULL;
  if (p) {
    p->count = count;
    p->levels = levels;
    pthread_mutex_init(&p->lock, NULL);
    p->tensors = lac_memory_allocate(tensor_bytes(p));
    p->sizes = lac_memory_allocate(size_bytes(p));
    p->states = lac_memory_allocate(turn_bytes(p));
    p->spares = lac_memory_allocate(turn_bytes(p));
    lac_kernel_pieces_order(p);
    if (p->tensors && p->sizes && p->states && p->spares)
      return p;
    lac_kernel_pieces_free(p);
  }
  lac_status_take(status, LAC_ERROR_MEMORY);
  return NULL;
}

/* A piece becomes one whose turn is over, with the memory that this has kept. */
static bool take_spare(lac_pieces *p, lac_tensor *piece) {
  pthread_mutex_lock(&p->lock);
  bool found = p->spare_count > 0;
  if (found) {
    lac_tensor *spare = &p->tensors[p->spares[--p->spare_count]];
    *piece = *spare;
    memset(spare, 0, sizeof *spare);
  }
  pthread_mutex_unlock(&p->lock);
  return found;
}

static void copy_level(lac_level *to, const lac_level *from) {
  to->kind = from->kind;
  to->size = from->size;
  for (int slot = 0; slot < LAC_ARRAYS; slot++)
    to->array[slot].width = from->array[slot].width;
}

static bool is_lent(const lac_array *array) {
  return array->data && !array->owned;
}

/* Elements from `base` on, up to `room`, of an array of the result: to be written, not to grow. */
static void lend(lac_array *array, const lac_array *from, int64_t base, int64_t room) {
  int64_t end = lac_minimum(room, from->capacity);
  if (from->data && base < end)
    *array = (lac_array){.data = (char *)from->data + base * from->width,
                         .width = from->width,
                         .capacity = end - base};
}

/* The result's arrays do not move before the piece has had its turn, as nobody else has one. */
static void lend_arrays(const lac_pieces *p, lac_tensor *piece, const lac_tensor *result,
                        int64_t in_place) {
  const int64_t *all = &p->sizes[p->count * p->levels], *room = all + p->levels;
  int64_t last = result->level_count - 1;
  for (int64_t l = 0; l <= last; l++)
    for (int64_t slot = 0; slot < LAC_ARRAYS; slot++)
      if (has_array(in_place, l, slot))
        lend(&piece->levels[l].array[slot], &result->levels[l].array[slot], all[l], room[l]);
  if (has_values(in_place))
    lend(&piece->values, &result->values, all[last], room[last]);
}

/* Whether the piece has the next turn; it is made in place then. */
static bool is_next(lac_pieces *p, int64_t i) {
  pthread_mutex_lock(&p->lock);
  bool next = p->count > 1 && p->turn == i;
  if (next)
    p->states[i] |= IN_PLACE;
  pthread_mutex_unlock(&p->lock);
  return next;
}

lac_tensor *lac_kernel_piece_begin(lac_pieces *p, int64_t i, const lac_tensor *result,
                                   int64_t first_size, int64_t in_place, int32_t *status) {
  lac_tensor *piece = lac_kernel_piece(p, i);
  bool lent = in_place && is_next(p, i);
  if ((lent || !take_spare(p, piece)) &&
      !lac_status_take(status,
                       lac_tensor_allocate_fields(piece, result->order, result->level_count)))
    return piece;
  piece->type = result->type;
  piece->values.width = result->values.width;
  memcpy(piece->dimensions, result->dimensions, (size_t)result->order * sizeof *result->dimensions);
  for (int64_t l = 0; l < result->level_count; l++)
    copy_level(&piece->levels[l], &result->levels[l]);
  piece->levels[0].size = first_size;
  if (lent)
    lend_arrays(p, piece, result, in_place);
  return piece;
}

lac_tensor *lac_kernel_piece(lac_pieces *p, int64_t i) {
  lac_kernel_pieces_order(p);
  return &p->tensors[i];
}

int64_t *lac_kernel_piece_sizes(lac_pieces *p, int64_t i) {
  lac_kernel_pieces_order(p);
  return &p->sizes[i * p->levels];
}

void lac_kernel_pieces_sum(lac_pieces *p) {
  lac_kernel_pieces_order(p);
  for (int64_t l = 0; l < p->levels; l++) {
    int64_t sum = 0;
    for (int64_t i = 0; i <= p->count; i++) {
      int64_t *size = &p->sizes[i * p->levels + l], own = *size;
      *size = sum;
      sum += own;
    }
  }
}

void lac_kernel_pieces_take(lac_pieces *p, lac_tensor *result) {
  lac_kernel_pieces_order(p);
  lac_tensor_free(result);
  *result = p->tensors[0];
  memset(&p->tensors[0], 0, sizeof p->tensors[0]);
}

static const lac_array *array_of(const lac_tensor *tensor, int64_t level, int64_t slot) {
  return level < 0 ? &tensor->values : &tensor->levels[level].array[slot];
}

/* Of all that is stored where pieces are joined. */
static int64_t bytes_of(const lac_tensor *tensor) {
  int64_t bytes = tensor->values.capacity * tensor->values.width;
  for (int64_t l = 0; l < tensor->level_count; l++)
    for (int slot = 0; slot < LAC_ARRAYS; slot++)
      bytes += tensor->levels[l].array[slot].capacity * tensor->levels[l].array[slot].width;
  return bytes;
}

void lac_kernel_copy(const lac_tensor *result, const lac_tensor *piece, int64_t level, int64_t slot,
                     int64_t at, int64_t from, int64_t count) {
  const lac_array *to = array_of(result, level, slot), *own = array_of(piece, level, slot);
  if (count <= 0)
    return;
  char *target = (char *)to->data + at * to->width;
  const char *source = (const char *)own->data + from * to->width;
  if (target == source) /* made in place */
    return;
  if (lac_stream_pays_for_part(target, count * to->width, bytes_of(result)))
    lac_stream_copy(target, source, count * to->width);
  else
    memcpy(target, source, (size_t)(count * to->width));
}

/* NULL where the piece could not be made. */
static lac_array *own_array(lac_tensor *piece, int64_t level, int64_t slot) {
  return level < 0 ? &piece->values : piece->levels ? &piece->levels[level].array[slot] : NULL;
}

/* ---- Turns -------------------------------------------------------------------------------- */

static bool is_left(const lac_pieces *p, int64_t i) {
  return i < p->count && !p->states[i];
}

/* With none ahead, those that are left are the next two at most. */
static int64_t choose_piece(lac_pieces *p) {
  if (is_left(p, p->turn))
    return p->turn;
  if (p->ahead < p->turn + 2)
    p->ahead = p->turn + 2;
  if (p->ahead < p->count)
    return p->ahead++;
  return is_left(p, p->turn + 1) ? p->turn + 1 : p->count;
}

int64_t lac_kernel_piece_next(lac_pieces *p) {
  pthread_mutex_lock(&p->lock);
  int64_t i = choose_piece(p);
  if (i < p->count)
    p->states[i] = BEGUN;
  pthread_mutex_unlock(&p->lock);
  return i;
}

int64_t lac_kernel_turn_begin(lac_pieces *p, int64_t made) {
  pthread_mutex_lock(&p->lock);
  if (made >= 0)
    p->states[made] |= DONE;
  if (p->turn == p->count || !(p->states[p->turn] & DONE)) {
    pthread_mutex_unlock(&p->lock);
    return -1;
  }
  int64_t *own = &p->sizes[p->turn * p->levels], *all = &p->sizes[p->count * p->levels];
  for (int64_t l = 0; l < p->levels; l++) {
    int64_t base = all[l];
    all[l] += own[l];
    own[l] = base;
  }
  return p->turn++;
}

void lac_kernel_turn_alone(lac_pieces *p) {
  while (atomic_load_explicit(&p->joining, memory_order_acquire) > 0)
    sched_yield();
}

static void follow(lac_array *array, const lac_array *from, int64_t base) {
  if (is_lent(array))
    array->data = (char *)from->data + base * from->width;
}

/* What a piece was lent is where the result's arrays have moved to. */
static void follow_arrays(const lac_pieces *p, int64_t i, const lac_tensor *result) {
  lac_tensor *piece = &p->tensors[i];
  const int64_t *begin = &p->sizes[i * p->levels];
  for (int64_t l = 0; l < piece->level_count; l++)
    for (int64_t slot = 0; slot < LAC_ARRAYS; slot++)
      follow(&piece->levels[l].array[slot], &result->levels[l].array[slot], begin[l]);
  if (piece->level_count)
    follow(&piece->values, &result->values, begin[piece->level_count - 1]);
}

void lac_kernel_turn_go(lac_pieces *p, int64_t i, const lac_tensor *result) {
  if (p->states[i] & IN_PLACE)
    follow_arrays(p, i, result);
  atomic_fetch_add_explicit(&p->joining, 1, memory_order_relaxed);
  pthread_mutex_unlock(&p->lock);
}

void lac_kernel_turn_end(lac_pieces *p, int64_t i, int64_t kept) {
  atomic_fetch_sub_explicit(&p->joining, 1, memory_order_release);
  if (p->states[i] & IN_PLACE) {
    forget_arrays(&p->tensors[i], 0);
    lac_tensor_free(&p->tensors[i]);
    return;
  }
  forget_arrays(&p->tensors[i], kept);
  pthread_mutex_lock(&p->lock);
  p->spares[p->spare_count++] = i;
  pthread_mutex_unlock(&p->lock);
}

/* An array that was lent goes on in memory of its own, to be copied as others are. */
static int32_t move_aside(lac_array *array, int64_t needed) {
  lac_array own = {.width = array->width};
  int32_t status = lac_array_reserve_aside(&own, needed);
  if (status != LAC_OK)
    return status;
  memcpy(own.data, array->data, (size_t)(array->capacity * array->width));
  *array = own;
  return LAC_OK;
}

static int32_t reserve(const lac_pieces *p, lac_array *array, int64_t needed) {
  if (p->count == 1)
    return lac_array_reserve_raw(array, needed);
  return is_lent(array) && needed > array->capacity ? move_aside(array, needed)
                                                    : lac_array_reserve_aside(array, needed);
}

int64_t lac_kernel_piece_grow(const lac_pieces *p, lac_tensor *piece, int64_t level, int64_t slot,
                              int64_t needed, int32_t *status) {
  lac_array *array = own_array(piece, level, slot);
  if (!array)
    return 0;
  if (lac_status_is_fine(status))
    lac_status_take(status, reserve(p, array, needed));
  return array->capacity;
}

void lac_kernel_piece_trim(const lac_pieces *p, lac_tensor *piece, int64_t level, int64_t slot,
                           int64_t count) {
  lac_array *array = own_array(piece, level, slot);
  if (!array)
    return;
  if (p->count > 1)
    array->length = count < array->capacity ? count : array->capacity;
  else
    lac_array_trim(array, count);
}
