/* extent.h - how far the variables of a statement go: as the types of its tensors, or tin.holds,
 * tell, and else as is guessed of them.  The guesses only have to tell the rows of a sparse matrix,
 * the entries of a row, and the dimensions of dense operands apart. */
#ifndef LACUNA_EXTENT_H
#define LACUNA_EXTENT_H

#include "statement.h"

/* How far the variable of a loop goes. */
double estimated_extent(const statement *s, int variable);

/* The same of a variable of the maps that has no loop: a sum in a compound subscript goes over a
 * window. */
double followed_extent(const statement *s, int variable);

/* How far the subscript of level l goes that is more than a variable. */
double compound_extent(const statement *s, const access *a, int l);

/* Whether a variable that is reduced goes over the window of a compound subscript, and is in no
 * other subscript of a sparse operand. */
bool variable_goes_over_window(const statement *s, int variable);

/* The factor of a variable in a subscript, canonical, that is a linear form of variables; 0 where
 * it is none, or has none of it. */
int64_t subscript_factor(MlirAffineExpr subscript, int variable);

/* Whether loops go through the entries of the level: it cannot locate, or has them by position. */
bool level_is_walked(const access_level *level);

bool access_is_sparse(const access *a); /* some level of it */

/* Whether some operand's level must be walked along the variable. */
bool variable_is_walked(const statement *s, int variable);

#endif
