/* lac_generate_stencil.c - the Laplacian on a grid:
 *
 *              -1
 *          -1   4  -1          and in three dimensions 6 with six neighbours
 *              -1
 *
 * Row r of the matrix is a grid point, r = (z * n + y) * n + x; its neighbours are r - n^2, r - n,
 * r - 1, r + 1, r + n, r + n^2, each where the grid has it: in that order the columns ascend.
 */
#include "lac_error.h"
#include "lac_generate.h"
#include "lac_list.h"
#include "lac_memory.h"
#include "lac_value.h"

/* A square is a cube of which one side is 1. */
enum { GRID = 3 };

typedef struct stencil {
  lac_list list;
  int64_t side[GRID], stride[GRID];
  char centre[LAC_VALUE_WIDTH], neighbour[LAC_VALUE_WIDTH];
} stencil;

static int32_t append(stencil *s, int64_t row, int64_t column, const char *value) {
  return lac_list_append(&s->list, (int64_t[]){row, column}, value);
}

/* The row's point has coordinate `place[d]` in grid dimension d. */
static int32_t append_row(stencil *s, int64_t row, const int64_t place[GRID]) {
  int32_t status = LAC_OK;
  for (int d = GRID - 1; d >= 0 && status == LAC_OK; d--)
    if (place[d] > 0)
      status = append(s, row, row - s->stride[d], s->neighbour);
  if (status == LAC_OK)
    status = append(s, row, row, s->centre);
  for (int d = 0; d < GRID && status == LAC_OK; d++)
    if (place[d] + 1 < s->side[d])
      status = append(s, row, row + s->stride[d], s->neighbour);
  return status;
}

static int32_t append_rows(stencil *s, int64_t rows) {
  int64_t place[GRID] = {0};
  int32_t status = LAC_OK;
  for (int64_t row = 0; row < rows && status == LAC_OK; row++) {
    status = append_row(s, row, place);
    for (int d = 0; d < GRID && ++place[d] == s->side[d]; d++)
      place[d] = 0;
  }
  return status;
}

int32_t lac_generate_stencil(int grid_order, int64_t side, int32_t type, lac_tensor *out) {
  stencil s = {.side = {side, side, grid_order == 3 ? side : 1}, .stride = {1, side, 0}};
  if (lac_type_width(type) == 0 || (grid_order != 2 && grid_order != 3) || side < 0 ||
      side > 1 << 20)
    return lac_error_set(
        LAC_ERROR_SHAPE,
        "expected a grid of order 2 or 3 with 0 to 1048576 points a side, found order %d with %lld",
        grid_order, (long long)side);
  s.stride[2] = side * side;
  int64_t rows = s.stride[2] * s.side[2];
  int64_t entries = lac_memory_bytes(rows, 2 * grid_order + 1);
  int32_t status =
      lac_list_create(&s.list, type, 2, (int64_t[]){rows, rows}, entries < 0 ? INT64_MAX : entries);
  if (status != LAC_OK)
    return status;
  lac_set_value(type, 2 * grid_order, 0, s.centre);
  lac_set_value(type, -1, 0, s.neighbour);
  status = append_rows(&s, rows);
  if (status == LAC_OK)
    return lac_list_store(&s.list, NULL, NULL, out);
  lac_list_free(&s.list);
  return status;
}
