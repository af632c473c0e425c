/* statement_direct.h - whether a statement can be computed from its operands as they are stored. */
#ifndef LACUNA_STATEMENT_DIRECT_H
#define LACUNA_STATEMENT_DIRECT_H

#include "statement.h"

/* Whether loops go through a remapped statement as it stands: no level of another operand has to be
 * merged, nothing is computed but from entries of one with a counter, and its loops have an order.
 * And whether they do with no operand to be brought in order (unordered_access.h). */
bool statement_has_loops(const statement *s);
bool statement_is_direct(const statement *s);

/* Whether it is computed from its operands as they are stored: directly, or in order through
 * scratch arrays, but not for each value of a counter again. */
bool statement_is_walked(const statement *s);

#endif
