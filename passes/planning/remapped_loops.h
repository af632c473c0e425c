/* remapped_loops.h - a statement in loops through what levels hold.
 *
 *     y(i) = A(i,j) * x(j)       A : (i floordiv 4 : dense, j floordiv 4 : compressed,
 *                                     i mod 4 : dense, j mod 4 : dense)
 *
 *     loops ib, jb, ir, jr       A at (ib, jb, ir, jr), y at 4 ib + ir, x at 4 jb + jr
 *
 * What levels hold of the variables, the subscripts noted to be variables (`form`), and those that
 * are more than a variable where levels hold expressions of them, are nodes of a graph of
 * relations: a loop is taken where no others tell what it would go through.
 */
#ifndef LACUNA_REMAPPED_LOOPS_H
#define LACUNA_REMAPPED_LOOPS_H

#include "statement.h"

/* Whether a level of the access, or of some access, holds an expression; and a counter. */
bool access_has_remaps(const access *a);
bool access_has_counter(const access *a);
bool statement_has_remaps(const statement *s);

/* Which loops come before others that would follow from the same: those through the driver's
 * outermost levels, unless it is NULL, then, if wanted, those over what operands are walked along,
 * and at last those over the variables that are to follow, if they can.  Whether operands may be
 * searched for coordinates that follow from the loops. */
typedef struct loop_choice {
  const access *driver;
  int levels;
  bool walked_first, searches;
  variable_set follow;
} loop_choice;

/* The statement in the loops chosen, one nest alone; NULL where levels hold what no loop is known
 * for. */
const statement *statement_in_loops(const statement *s, const loop_choice *choice);

/* The name of what a level holds of variables of `s`: "i_block", "i_in", "j_i", "i_slot"; longer
 * where a variable of `s` or one of the names taken is the same. */
const char *statement_remap_name(const statement *s, MlirAffineExpr e, int count,
                                 const char *const *taken);

#endif
