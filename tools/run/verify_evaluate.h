/* verify_evaluate.h - the value of an expression at one coordinate of its result, plainly.
 *
 * Every variable that the result does not have is a loop at the term that it belongs to
 * (language.md, "Sums").  The loop goes over the coordinates at which the term can be something:
 * those of a factor of a product, of all terms of a sum; over all coordinates where nothing tells.
 *
 *     sum_k  B(i,k) * C(k,j)       k in row i of B, or in column j of C, whichever is shorter
 *
 * Nothing here is shared with what the compiler makes of an expression but the parser.
 */
#ifndef LACUNA_RUN_VERIFY_EVALUATE_H
#define LACUNA_RUN_VERIFY_EVALUATE_H

#include "einsum_parser.h"
#include "verify_entries.h"
#include "verify_number.h"

enum { EVALUATION_DEPTH = 2000 };

typedef struct evaluation {
  arena *memory;
  const einsum *statement;
  number_kind kind; /* where zero annihilates, what is not stored is the number that it stands for,
                       and no loop is cut short */
  entries *tensors; /* of the statement */
  bool *full;       /* whether each is stored at every coordinate */
  int64_t *extents; /* of variables */

  int64_t *at;
  bit_set bound; /* the variables that have a value now */
  int64_t steps, step_limit;
  const char *problem; /* why there is no value; NULL as long as there is one */
} evaluation;

/* The value with the result's variables bound to `coordinates`; not to be looked at where `problem`
 * is set. */
number evaluate_at(evaluation *e, const int64_t *coordinates);

/* Binds the result's variables one after the other to coordinates at which the expression can be
 * something, chosen by `random`.  False where it comes to a place without any. */
bool evaluate_choose(evaluation *e, uint64_t *random, int64_t *coordinates);

#endif
