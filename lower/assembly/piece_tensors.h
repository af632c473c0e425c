/* piece_tensors.h - the tensors in which threads make pieces of a result, and beside each a row of
 * sizes (lac_kernel.h): how many positions it has of each level, and what else is counted.
 */
#ifndef LACUNA_PIECE_TENSORS_H
#define LACUNA_PIECE_TENSORS_H

#include "storage_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many (index or i64), with so many sizes for each: the storage's `pieces`.  Given back by
 * `free`, whether or not there was memory for them. */
void piece_tensors_make(storage *s, MlirValue count, int sizes);
void piece_tensors_free(storage *s);

/* Piece i as a storage: an empty tensor stored as the result, its levels to be begun, the first of
 * that size, made in place with those arrays where it can be (lac_kernel.h); and as it was
 * completed, to be read. */
storage *piece_begin(storage *s, MlirValue i, MlirValue first_size, int64_t in_place);
storage *piece_open(storage *s, MlirValue i);
/* The same for many, in a loop over them: what they are found by, asked for once before it. */
MlirValue piece_handles(storage *s);
storage *piece_open_at(storage *s, MlirValue handles, MlirValue i);
/* The result itself, where one piece is all of it. */
storage *piece_of_all(storage *s);

/* Of pieces that take turns (lac_kernel.h): the number of the next one to be begun. */
MlirValue piece_next(storage *s);

/* The row of piece i, or, once the rows are summed up, of all where i is their number; a size of a
 * row (index), and setting it.  Summed up, a row holds what stands before its piece. */
MlirValue piece_sizes(storage *s, MlirValue i);
MlirValue piece_size(storage *s, MlirValue sizes, int n);
void piece_set_size(storage *s, MlirValue sizes, int n, MlirValue size);
void piece_tensors_sum(storage *s);

/* Rows with a size for each level, and behind them, where levels count what follows from neither
 * (level_format.counts), as many more: their length; that of a level that counts, which a piece
 * that is complete notes, and of which a level (`l`: as one that is joined knows it) takes `n`. */
int piece_row_length(const storage *s);
MlirValue piece_counted(storage *s, MlirValue sizes, int k);
void piece_note_counted(storage *s, MlirValue sizes, const storage *piece);
void piece_take_counted(level *l, MlirValue n);

/* The result becomes the first piece. */
void piece_tensors_take(storage *s);
/* Tells who looks for races what is ordered (lac_kernel.h). */
void piece_tensors_order(storage *s);

#ifdef __cplusplus
}
#endif
#endif
