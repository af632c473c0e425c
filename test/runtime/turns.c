// Pieces that take turns, as generated code does it: whichever thread makes one, and however long
// that takes, each ends up behind those before it; the result's arrays move when nobody copies, and
// those of a piece that is made in place with them.
// RUN: %cc -g -O1 %s %runtime -lpthread -o %t && %t | FileCheck %s
// CHECK: all passed
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, PIECES = 300, MOST = 400, KEPT = 1 << LAC_COORDINATES, VALUES = 62 };
static const int64_t IN_PLACE = KEPT | INT64_C(1) << VALUES;

typedef struct making {
  lac_pieces *pieces;
  lac_tensor result;
  int32_t status;
} making;

/* Some are empty, most differ in length. */
static int64_t length_of(int64_t piece) {
  return piece % 7 == 0 ? 0 : piece * 37 % MOST;
}

static int64_t first_of(int64_t piece) {
  int64_t first = 0;
  for (int64_t p = 0; p < piece; p++)
    first += length_of(p);
  return first;
}

static void copy_turn(making *m, int64_t turn) {
  lac_tensor *result = &m->result, *piece = lac_kernel_piece(m->pieces, turn);
  int64_t begin = *lac_kernel_piece_sizes(m->pieces, turn);
  int64_t end = *lac_kernel_piece_sizes(m->pieces, PIECES);
  int64_t *room = lac_kernel_piece_sizes(m->pieces, PIECES + 1);
  CHECK(begin == first_of(turn) && end == begin + length_of(turn));
  if (*room < end + turn % 5) {
    lac_kernel_turn_alone(m->pieces);
    int64_t more = end + MOST; /* for a piece in place, or too little for one */
    lac_kernel_grow_raw(result, 0, LAC_COORDINATES, more, &m->status);
    lac_kernel_grow_raw(result, -1, 0, more, &m->status);
    *room = more;
  }
  lac_kernel_turn_go(m->pieces, turn, result);
  lac_kernel_copy(result, piece, 0, LAC_COORDINATES, begin, 0, end - begin);
  lac_kernel_copy(result, piece, -1, 0, begin, 0, end - begin);
  lac_kernel_turn_end(m->pieces, turn, IN_PLACE);
}

static void make_piece(making *m, int64_t number) {
  int64_t count = length_of(number), first = first_of(number);
  lac_tensor *piece =
      lac_kernel_piece_begin(m->pieces, number, &m->result, MOST, IN_PLACE, &m->status);
  lac_kernel_piece_grow(m->pieces, piece, 0, LAC_COORDINATES, count + 1, &m->status);
  lac_kernel_piece_grow(m->pieces, piece, -1, 0, count + 1, &m->status);
  int32_t *coordinates = lac_kernel_data(piece, 0, LAC_COORDINATES);
  double *values = lac_kernel_data(piece, -1, 0);
  for (int64_t i = 0; i < count; i++) {
    coordinates[i] = (int32_t)(first + i);
    values[i] = (double)(first + i) / 2;
  }
  lac_kernel_piece_trim(m->pieces, piece, 0, LAC_COORDINATES, count);
  lac_kernel_piece_trim(m->pieces, piece, -1, 0, count);
  *lac_kernel_piece_sizes(m->pieces, number) = count;
}

static void *make_pieces(void *argument) {
  making *m = argument;
  int64_t number;
  while ((number = lac_kernel_piece_next(m->pieces)) < PIECES) {
    make_piece(m, number);
    for (int64_t turn = lac_kernel_turn_begin(m->pieces, number); turn >= 0;
         turn = lac_kernel_turn_begin(m->pieces, -1))
      copy_turn(m, turn);
  }
  return NULL;
}

static void pieces_come_in_order(void) {
  making m = {.status = 0};
  pthread_t threads[THREADS];
  int64_t size = MOST * PIECES;
  CHECK(lac_kernel_setup(&m.result, "f64 1 compressed:64:32", &size, &size, &m.status));
  m.pieces = lac_kernel_pieces(PIECES, 1, &m.status);
  CHECK(m.pieces);
  for (int t = 0; t < THREADS; t++)
    CHECK(pthread_create(&threads[t], NULL, make_pieces, &m) == 0);
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
  const int32_t *coordinates = lac_kernel_data(&m.result, 0, LAC_COORDINATES);
  const double *values = lac_kernel_data(&m.result, -1, 0);
  int64_t all = *lac_kernel_piece_sizes(m.pieces, PIECES);
  CHECK(m.status == 0 && all == first_of(PIECES));
  for (int64_t i = 0; i < all; i++)
    if (coordinates[i] != i || values[i] != (double)i / 2)
      CHECK(!"each is behind those before it");
  lac_kernel_pieces_free(m.pieces);
  lac_tensor_free(&m.result);
}

static void store(lac_tensor *piece, int64_t from, int64_t to, int64_t first) {
  int32_t *coordinates = lac_kernel_data(piece, 0, LAC_COORDINATES);
  for (int64_t i = from; i < to; i++)
    coordinates[i] = (int32_t)(first + i);
}

/* The piece that has the next turn stands where it will be, and moves with the result; what needs
 * more room than there is goes on aside; between the two and others one is left. */
static void pieces_are_made_in_place(void) {
  making m = {.status = 0};
  int64_t size = MOST;
  CHECK(lac_kernel_setup(&m.result, "f64 1 compressed:64:32", &size, &size, &m.status));
  m.pieces = lac_kernel_pieces(PIECES, 1, &m.status);
  CHECK(lac_kernel_piece_next(m.pieces) == 0 && lac_kernel_piece_next(m.pieces) == 2);
  lac_kernel_grow_raw(&m.result, 0, LAC_COORDINATES, 8, &m.status);
  *lac_kernel_piece_sizes(m.pieces, PIECES + 1) = 8;
  lac_tensor *piece = lac_kernel_piece_begin(m.pieces, 0, &m.result, MOST, KEPT, &m.status);
  lac_tensor *aside = lac_kernel_piece_begin(m.pieces, 2, &m.result, MOST, KEPT, &m.status);
  CHECK(lac_kernel_piece_grow(m.pieces, piece, 0, LAC_COORDINATES, 8, &m.status) == 8);
  lac_kernel_piece_grow(m.pieces, aside, 0, LAC_COORDINATES, 8, &m.status);
  CHECK(lac_kernel_data(piece, 0, LAC_COORDINATES) ==
        lac_kernel_data(&m.result, 0, LAC_COORDINATES));
  store(piece, 0, 5, 0);
  *lac_kernel_piece_sizes(m.pieces, 0) = 5;
  CHECK(lac_kernel_turn_begin(m.pieces, 0) == 0);
  lac_kernel_grow_raw(&m.result, 0, LAC_COORDINATES, 1 << 20, &m.status); /* moves */
  lac_kernel_turn_go(m.pieces, 0, &m.result);
  lac_kernel_copy(&m.result, piece, 0, LAC_COORDINATES, 0, 0, 5);
  CHECK(lac_kernel_data(piece, 0, LAC_COORDINATES) ==
        lac_kernel_data(&m.result, 0, LAC_COORDINATES));
  lac_kernel_turn_end(m.pieces, 0, KEPT);
  CHECK(lac_kernel_piece_next(m.pieces) == 1);
  piece = lac_kernel_piece_begin(m.pieces, 1, &m.result, MOST, KEPT, &m.status);
  int32_t *there = lac_kernel_data(&m.result, 0, LAC_COORDINATES);
  CHECK(lac_kernel_data(piece, 0, LAC_COORDINATES) == (void *)(there + 5));
  store(piece, 0, 3, 5);
  CHECK(lac_kernel_piece_grow(m.pieces, piece, 0, LAC_COORDINATES, 9, &m.status) >= 9);
  CHECK(lac_kernel_data(piece, 0, LAC_COORDINATES) != (void *)(there + 5));
  store(piece, 3, 9, 5);
  *lac_kernel_piece_sizes(m.pieces, 1) = 9;
  CHECK(lac_kernel_turn_begin(m.pieces, 1) == 1);
  lac_kernel_turn_go(m.pieces, 1, &m.result);
  lac_kernel_copy(&m.result, piece, 0, LAC_COORDINATES, 5, 0, 9);
  lac_kernel_turn_end(m.pieces, 1, KEPT);
  for (int32_t i = 0; i < 14; i++)
    CHECK(there[i] == i);
  CHECK(m.status == 0);
  lac_kernel_pieces_free(m.pieces);
  lac_tensor_free(&m.result);
}

/* A piece of which nothing could be made has no arrays, and asks for none. */
static void pieces_may_fail(void) {
  lac_tensor result = {0}, *piece;
  int32_t status = 0;
  int64_t size = MOST;
  CHECK(lac_kernel_setup(&result, "f64 1 compressed:64:32", &size, &size, &status));
  lac_pieces *pieces = lac_kernel_pieces(2, 1, &status);
  lac_test_fail_allocation_after(0);
  piece = lac_kernel_piece_begin(pieces, 0, &result, size, 0, &status);
  CHECK(status == LAC_ERROR_MEMORY);
  CHECK(lac_kernel_piece_grow(pieces, piece, 0, LAC_COORDINATES, MOST, &status) == 0);
  lac_kernel_piece_trim(pieces, piece, 0, LAC_COORDINATES, MOST);
  lac_test_fail_allocation_after(-1);
  CHECK(lac_kernel_turn_begin(pieces, 0) == 0);
  lac_kernel_turn_go(pieces, 0, &result);
  lac_kernel_turn_end(pieces, 0, KEPT);
  CHECK(lac_kernel_turn_begin(pieces, -1) == -1);
  lac_kernel_pieces_free(pieces);
  lac_tensor_free(&result);
}

int main(void) {
  for (int round = 0; round < 20; round++)
    pieces_come_in_order();
  pieces_are_made_in_place();
  pieces_may_fail();
  return report();
}
