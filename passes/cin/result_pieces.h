/* result_pieces.h - a loop that adds to a dense result all over, in pieces of the result, for each
 * of which it goes through what comes to that: on threads, without a copy of the result for each.
 *
 *     forall i_plus_p { forall p { y[i] add X[i_plus_p] * w[p] } }
 *
 *     forall i_piece on cpu_thread no_races {
 *       forall i_plus_p { forall i_of_piece { y[i] add X[i_plus_p] * w[p] } } }
 *
 * A piece of i leaves a window of i + p, in which the pieces overlap by what p reaches.  Each
 * place is added to in the order in which it was before, whatever the number of pieces.
 */
#ifndef LACUNA_RESULT_PIECES_H
#define LACUNA_RESULT_PIECES_H

#include "cin_kernel.h"

/* Does it to an outermost forall of a kernel, for so many threads (0: any number); false, and
 * nothing done, where no variable of the result is in a linear form that a forall goes through. */
bool cut_result(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation forall,
                int64_t threads);

/* Cuts it into tiles of `size` coordinates, for a cache:
 *
 *     forall i_tile { forall i_plus_p { forall i_of_tile { y[i] add X[i_plus_p] * w[p] } } }
 *
 * False, and nothing done, where the forall does not go through such a form, or it is one tile. */
bool tile_result(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation forall,
                 int64_t size);

#endif
