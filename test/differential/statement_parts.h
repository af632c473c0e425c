/* statement_parts.h - what a statement is made of, for the files that make them. */
#ifndef LACUNA_TEST_STATEMENT_PARTS_H
#define LACUNA_TEST_STATEMENT_PARTS_H

#include "maker.h"

node *new_node(maker *m, node_kind kind);
node *new_unary(maker *m, node_kind kind, node *left);
node *new_constant(maker *m, long double value);

/* Makes a bare subscript more than that, from 0 on. */
void make_compound(maker *m, subscript *s);

/* An access whose subscripts are chosen: of a tensor that fits them, or of a new one. */
node *finish_access(maker *m, node *n, int order);

/* scatter.c: a sum of products whose loops come to the entries of the result in any order, several
 * times, or in pieces; the result's variables are chosen. */
node *make_scattering(maker *m);

#endif
