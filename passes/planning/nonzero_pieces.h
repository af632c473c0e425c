/* nonzero_pieces.h - the entries of an operand dealt out to a GPU in pieces of the same length,
 * where its first level has few coordinates, or one with a great part of them: one warp's to do.
 *
 *     Y(i,k) = A(i,j) * X(j,k)
 *
 *     collapse(i,j,ij) pos(ij,ij_entry,A) split(ij_entry,ij_block,ij_in_block,256)
 *     split(ij_in_block,ij_warp,ij_in_warp,32) split(k,k_part,k_lane,32)
 *     reorder(ij_block,ij_warp,k_lane,k_part,ij_in_warp)
 *
 * A warp goes through 32 entries, its lanes across k, and adds what it has of each row by atomics.
 * Where nothing is to go across, each thread has 8 entries.  (Senanayake et al. 2020, Figure 2.)
 * Where the result has the entries one for one, each is stored by itself: a warp's lanes go along
 * what an entry is a sum over, or take an entry each.
 */
#ifndef LACUNA_NONZERO_PIECES_H
#define LACUNA_NONZERO_PIECES_H

#include "statement.h"

/* The commands for a statement whose only sparse operand is said to be so uneven (tin.holds); else
 * NULL. */
const char *nonzero_pieces(const statement *s);

#endif
