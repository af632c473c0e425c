/* statement_terms.h - sums whose terms no nest of loops goes through together: a nest for each
 * term.
 *
 *     C(i,j) = A(i,j) + B(i,j)        A in blocks of rows and columns, B and C by rows
 *
 *     forall i                        the loops that all share
 *       forall jb { forall jr { C(i,j) add A(i,j) } }
 *       forall j { C(i,j) add B(i,j) }
 *
 * The terms are added to what stood there before, in the order of the text: ((a + b) + c) is taken
 * apart from its end, until what is left is computed in one nest.  That is right where the result
 * holds the identity of the sum at first.  A result that takes an entry several times shares no
 * loops; of one that is appended to, the last level is gathered row after row (the workspace
 * transformation: Kjolstad et al. 2019, section 5; Zhang et al. 2024, section 3), inside of shared
 * loops over the levels above.
 *
 * A nested reduction that is a term is added up in the result itself, without a temporary, in the
 * nest that comes first:
 *
 *     A(i,j) = D(i,j) + sum_k B(i,k) * C(k,j)          all by rows
 *
 *     forall i
 *       forall k { forall j { A(i,j) add B(i,k) * C(k,j) } }
 *       forall j { A(i,j) add D(i,j) }
 */
#ifndef LACUNA_STATEMENT_TERMS_H
#define LACUNA_STATEMENT_TERMS_H

#include "statement.h"

/* One of them: a statement of the same operands and result whose root is the term and reduces into
 * the result; in loops of its own, in that order. */
typedef struct statement_term {
  const statement *s;
  MlirOperation subtracted_by; /* null where the term is added */
  int *order;
} statement_term;

typedef struct statement_terms {
  int count;
  statement_term *terms;
  int shared; /* so many of each term's first loops are over the same variables */
} statement_terms;

/* The terms of `s`, which is not remapped; NULL where one nest computes it as its operands are
 * stored, or no nest some term. */
const statement_terms *statement_terms_find(const statement *s);

#endif
