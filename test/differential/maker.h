/* maker.h - the state in which a random case is made. */
#ifndef LACUNA_TEST_MAKER_H
#define LACUNA_TEST_MAKER_H

#include "case.h"
#include "random.h"

#include <stddef.h>

typedef struct maker {
  test_case *c;
  uint64_t random;
  int accesses_left;
  bool slack;    /* dimensions with compound subscripts may be larger than needed */
  bool pads;     /* most compound subscripts may be out of range */
  bool wide;     /* the statement has many operands */
  bool scatters; /* the result is sparse, and its entries come in any order */
  bool compound; /* subscripts of the result may be more than variables */
  bool extremes; /* some entries are the greatest or least of their type, infinite, or NaN */
} maker;

/* The expression, its tensors with their dimensions; every variable's size can be told (all
 * variables of the result are used, or the result's dimensions static). */
void make_statement(maker *m);

/* The statement as text; and a node of it, cut off where there is no room. */
void write_statement(test_case *c);
void write_node(const test_case *c, const node *n, char *text, size_t size);

/* A number in the text, and that of an entry. */
long double constant_value(maker *m);
element entry_value(maker *m, const tensor *t);

/* Levels, their order, widths; whether one triangle of an operand is stored (decided after its
 * entries); the text of the format of a tensor. */
void choose_format(maker *m, tensor *t, bool is_result);
void choose_symmetry(maker *m, tensor *t);
void write_format(tensor *t);

/* A schedule, or none; for a statement whose formats are chosen. */
void choose_schedule(maker *m);

/* By which policy workspaces keep what is inserted: the same for all, by the seed, or none; or,
 * drawn too, for the workspace w. */
void choose_any_policy(test_case *c);
void choose_policies(maker *m);

/* Of a case whose result is scattered into, in place of what others have (scatter.c). */
bool is_scattering(uint64_t seed);
void choose_scatter_extents(maker *m);
void choose_scatter_run(maker *m);
void choose_scatter_schedule(maker *m);

/* result_subscripts.c: whether a case has compound subscripts of its result; the result's variables
 * as its subscripts; those, some of them more than a variable, with dimensions; and the variables
 * of these. */
bool has_compound_result(uint64_t seed);
void bare_result_subscripts(test_case *c);
void compound_result_subscripts(maker *m);
unsigned compound_result_variables(const test_case *c);

/* padding.c: whether a case has padded accesses; makes one of an access, where it has compound
 * subscripts; a dimension for a padded subscript; and the size that it tells of a variable, as
 * convolutions have it. */
bool is_padding(uint64_t seed);
void pad_access(maker *m, node *n, int order);
int64_t padded_dimension(maker *m, const subscript *s);
int64_t size_told(const test_case *c, const node *access, int d, int variable);

static inline int pick(maker *m, int count) {
  return random_below(&m->random, count);
}
static inline bool chance(maker *m, int percent) {
  return random_chance(&m->random, percent);
}

#endif
