/* lac_pieces.c - a result that is assembled in pieces, each a tensor of its own for some
 * neighbouring coordinates of the first level.
 *
 *     piece         0          1       2          sizes, a row for each piece and one more, an
 *     level 0    0 1 2        3 4    5 6 7        element for each level:
 *     level 1    a b c d e    f      g h                     0 0 | 3 5 | 5 6 | 8 8
 *
 * How many positions each piece has of each level becomes where they stand in the result, by a
 * prefix sum over the pieces.  Which arrays that moves to where generated code knows.
 */
#include "lac_kernel.h"

#include "lac_error.h"
#include "lac_memory.h"
#include "lac_storage.h"

#include <stdatomic.h>
#include <string.h>

struct lac_pieces {
  _Atomic int64_t order; /* what is ordered by it: see lac_kernel_pieces_order */
  int64_t count, levels;
  lac_tensor *tensors;
  int64_t *sizes;
};

void lac_kernel_pieces_order(lac_pieces *p) {
  atomic_fetch_add_explicit(&p->order, 1, memory_order_acq_rel);
}

static int64_t tensor_bytes(const lac_pieces *p) {
  return p->count * (int64_t)sizeof *p->tensors;
}

static int64_t size_bytes(const lac_pieces *p) {
  return (p->count + 1) * p->levels * (int64_t)sizeof *p->sizes;
}

void lac_kernel_pieces_free(lac_pieces *p) {
  if (!p)
    return;
  lac_kernel_pieces_order(p);
  for (int64_t i = 0; p->tensors && i < p->count; i++)
    lac_tensor_free(&p->tensors[i]);
  lac_memory_release(p->tensors, p->tensors ? tensor_bytes(p) : 0);
  lac_memory_release(p->sizes, p->sizes ? size_bytes(p) : 0);
  lac_memory_release(p, sizeof *p);
}

lac_pieces *lac_kernel_pieces(int64_t count, int64_t levels, int32_t *status) {
  lac_pieces *p = lac_status_is_fine(status) ? lac_memory_allocate(sizeof *p) : NULL;
  if (p) {
    p->count = count;
    p->levels = levels;
    p->tensors = lac_memory_allocate(tensor_bytes(p));
    p->sizes = lac_memory_allocate(size_bytes(p));
    lac_kernel_pieces_order(p);
    if (p->tensors && p->sizes)
      return p;
    lac_kernel_pieces_free(p);
  }
  lac_status_take(status, LAC_ERROR_MEMORY);
  return NULL;
}

static void copy_level(lac_level *to, const lac_level *from) {
  to->kind = from->kind;
  to->size = from->size;
  for (int slot = 0; slot < LAC_ARRAYS; slot++)
    to->array[slot].width = from->array[slot].width;
}

lac_tensor *lac_kernel_piece_begin(lac_pieces *p, int64_t i, const lac_tensor *result,
                                   int64_t first_size, int32_t *status) {
  lac_tensor *piece = lac_kernel_piece(p, i);
  if (!lac_status_take(status,
                       lac_tensor_allocate_fields(piece, result->order, result->level_count)))
    return piece;
  piece->type = result->type;
  piece->values.width = result->values.width;
  memcpy(piece->dimensions, result->dimensions, (size_t)result->order * sizeof *result->dimensions);
  for (int64_t l = 0; l < result->level_count; l++)
    copy_level(&piece->levels[l], &result->levels[l]);
  piece->levels[0].size = first_size;
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

void lac_kernel_copy(const lac_tensor *result, const lac_tensor *piece, int64_t level, int64_t slot,
                     int64_t at, int64_t from, int64_t count) {
  const lac_array *to = array_of(result, level, slot), *own = array_of(piece, level, slot);
  size_t width = (size_t)to->width;
  if (count > 0)
    memcpy((char *)to->data + (size_t)at * width, (const char *)own->data + (size_t)from * width,
           (size_t)count * width);
}
