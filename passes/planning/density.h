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
 * A loop skips the background where that is what the result has anyway.  The sizes are guesses:
 * they only have to tell the rows of a sparse matrix, the entries of a row, and the dimensions of
 * dense operands apart.
 */
#ifndef LACUNA_DENSITY_H
#define LACUNA_DENSITY_H

#include "statement.h"

/* The iterations of a loop over `variable`, each time that it is entered. */
double trip_count(const statement *s, int variable);
/* In which of these all operands have an entry that must, if those of each are anywhere. */
double share_that_meets(const statement *s, int variable);

/* How far a variable goes. */
double estimated_extent(const statement *s, int variable);

/* Whether a variable that is reduced goes over the window of a compound subscript, and is in no
 * other subscript of a sparse operand. */
bool variable_goes_over_window(const statement *s, int variable);

/* The factor of a variable in a subscript, canonical, that is a linear form of variables; 0 where
 * it is none, or has none of it. */
int64_t subscript_factor(MlirAffineExpr subscript, int variable);

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

/* The entries of level l of an access under each entry of the level above; the entries of all. */
double level_entries(const statement *s, const access *a, int l);
double access_entries(const statement *s, const access *a);

/* Whether a level at a compound subscript is walked along the variable of the loop at a place, some
 * offset away: the subscript rises by one with it, and all else in it, and in those of the levels
 * above, is known outside. */
bool level_walks_at(const access *a, int l, const int *path, int place);

/* What it takes to convert the access where its entries are to be sorted, as loop_cost counts. */
double access_sorting_cost(const statement *s, const access *a);
/* The same of what is no longer than lists are guessed to be. */
double access_listing_cost(const statement *s, const access *a);

/* Whether loops go through the entries of the level: it cannot locate, or has them by position. */
bool level_is_walked(const access_level *level);

bool access_is_sparse(const access *a); /* some level of it */

/* Whether some operand's level must be walked along the variable. */
bool variable_is_walked(const statement *s, int variable);

#endif
