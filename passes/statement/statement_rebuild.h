/* statement_rebuild.h - new tin.compute ops from parts of one. */
#ifndef LACUNA_STATEMENT_REBUILD_H
#define LACUNA_STATEMENT_REBUILD_H

#include "statement.h"

/* A value that takes the place of part of an expression. */
typedef struct replacement {
  MlirValue part;   /* in the body: a tin.reduce's value */
  MlirValue tensor; /* what is read instead: a temporary over `variables`, in their order */
  variable_set variables;
  const char *name;
  MlirAttribute fill;
} replacement;

/* The result of a rebuilt statement. */
typedef struct rebuilt_result {
  MlirType type;
  MlirAffineMap map; /* from the variables of the whole statement */
  const char *name;
  MlirAttribute fill; /* where nothing is stored; null for zero */
} rebuilt_result;

/* Inserts, where `b` stands, a tin.compute of `value` (a value in the body of s->op), with the
 * accesses and variables that it uses; `replaced` is NULL but for what is left of a statement when
 * a part is computed elsewhere.  Returns its result. */
MlirValue statement_rebuild(const statement *s, builder *b, MlirValue value,
                            const rebuilt_result *result, const replacement *replaced);

/* The statement in two, in its place: `value` (in its body) for each of `variables`, computed
 * before into `temporary`, and what is left of it, which reads that.  The operations of both. */
void statement_split(const statement *s, builder *b, MlirValue value, variable_set variables,
                     const rebuilt_result *temporary, MlirOperation parts[2]);

/* The value where nothing is stored of an access (the result's is the last) of a statement, or of a
 * tin.compute: its fill, or null for zero. */
MlirAttribute compute_fill(MlirOperation compute, intptr_t number);
MlirAttribute access_fill(const statement *s, int access_number);

/* The map from the variables of `s` to those of `set`, in their order. */
MlirAffineMap map_to_variables(const statement *s, variable_set set);

#endif
