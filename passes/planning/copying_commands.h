/* copying_commands.h - the commands that copy operands and the result of a statement into arrays
 * (array_operands.h).
 */
#ifndef LACUNA_COPYING_COMMANDS_H
#define LACUNA_COPYING_COMMANDS_H

#include "statement.h"

/* Which accesses of a statement are copied, numbered as in s->accesses, the result last. */
typedef struct copied_accesses {
  const statement *s;
  bool *copied;
  int count;
} copied_accesses;

/* Whether what is assigned to the result can be said in a command: it is a product of operands,
 * over which the reduction distributes. */
bool assigns_product(const statement *s);

/* "precompute(W(k,l),{l,k},{l_before,k_before},W_array)" for each of them, the operands first; an
 * array has its variables in the order of `order`, and the loops that copy have variables of their
 * own, which no other command means.  Those through the entries of one whose levels are walked go
 * as these are stored: "reorder(k_before,l_before)". */
const char *copying_commands(const copied_accesses *c, const int *order);

#endif
