/* density.h - how many iterations the loop over a variable has, estimated from the statement's
 * expression.
 *
 * Along a variable, a value differs from its background at about so many coordinates:
 *
 *     A(i,j), row i stored as a list       16, background: the fill 0
 *     b(i,j), dense                        all
 *     x * y, the background of x is 0      as x, since 0 annihilates
 *     x + y                                as x and y together, background 0 + 0
 *     exp(x)                               as x, background exp(0) = 1
 *
 * A loop skips the background where that is what the result has anyway.
 */
#ifndef LACUNA_DENSITY_H
#define LACUNA_DENSITY_H

#include "statement.h"

/* The iterations of a loop over `variable`, each time that it is entered. */
double trip_count(const statement *s, int variable);
/* In which of these all operands have an entry that must, if those of each are anywhere. */
double share_that_meets(const statement *s, int variable);

/* How a loop is entered: as a whole; within a window, which has to be worked out; or walking
 * entries, where they begin being searched for. */
typedef enum loop_entry { ENTERED_WHOLE, ENTERED_IN_WINDOW, ENTERED_BY_SEARCH } loop_entry;

/* The same of the loop at a place of a path, where those around it leave less of it: one of i and k
 * has a window of values where the other one and i + k are known. */
loop_entry trip_count_inside(const statement *s, const int *path, int place, double *trips);

/* Whether the loop at a place walks a window that the loop around it moves on, below the same
 * parent: where it begins is near where the last one began.  `*entries`: among so many. */
bool window_is_next(const statement *s, const int *path, int place, double *entries);

/* How many entries have one coordinate of what the loop at a place walks, if a level repeats it for
 * each: the next coordinate is behind them. */
double entries_in_run(const statement *s, const int *path, int place);

/* Whether the loop of nest `n` over its variable goes only where something is stored: elsewhere the
 * term is what the nest has anyway. */
bool nest_skips_background(const statement *s, const nest *n, int variable);

/* The same where the entries of some accesses, by number, do not tell where to go. */
bool nest_skips_without(const statement *s, const nest *n, int variable, bit_set located);

/* Whether the nest's term is what it has anyway wherever an access has nothing, whatever others
 * have; of the root, kept. */
bool nest_skips_absent(const statement *s, const nest *n, int access_number);
bool root_skips_absent(const statement *s, int access_number);

/* Whether a level at a compound subscript is walked along the variable of the loop at a place, some
 * offset away: the subscript rises by one with it, and all else in it, and in those of the levels
 * above, is known outside. */
bool level_walks_at(const access *a, int l, const int *path, int place);

#endif
