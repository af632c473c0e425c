/* row_cut.h - ranges of a loop that begin and end inside of its iterations, where these are loops
 * with more work than a range is to have.
 *
 *     for i in 0 .. m - 1                     range n:  for i in low .. high - 1
 *       end = entries so far          -->                 end = entries so far
 *       for j: append to C(i,j)                           for j in (i == low ? from : 0)
 *       close row i                                            .. (i == last ? to : n) - 1: append
 *                                                         if i != last: close row i
 *
 *     work      | 3 | 2 |      11      | 4 |            ranges of 4: the row with 11 is cut twice
 *     ranges    .       .     .     .      .
 *
 * A row is cut where as many entries of all operands that the loop inside goes through come before
 * as ranges before it are to have, all of a coordinate on one side (Odeh, Green, Mwassi, Shmueli,
 * Birk: Merge Path, 2012, of any number of operands).  The last range of a row closes it.
 */
#ifndef LACUNA_ROW_CUT_H
#define LACUNA_ROW_CUT_H

#include "ranges.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether iterations of the loop may be cut: they do nothing but one loop over ordered levels, each
 * of whose iterations appends by itself, and close what it has appended. */
bool rows_can_be_cut(const cutting *u);

/* All coordinates below `row`, and those at it that the loop inside has below `column`, which is
 * null where no row is cut. */
typedef struct row_cut {
  MlirValue row, column;
} row_cut;

/* Where range t of `count` begins, so that ranges have about as much work (cutting.each), also
 * where iterations have more; the range from there to where the next one begins. */
row_cut row_cut_find(cutting *u, MlirValue t, MlirValue count);
void row_cut_range(builder *b, range *r, row_cut begin, row_cut end);

/* Of a loop inside of one that is lowered for such a range: what the range has of it. */
void row_cut_bound(coiteration *c);

/* Whether the range has the end of the row that the operation closes (i1); null where no row is
 * cut. */
MlirValue row_cut_closes(const lowering *k, MlirOperation close);

#ifdef __cplusplus
}
#endif
#endif
