/* declarations.h - what a command line says of the tensors and variables of an expression:
 *
 *     'y(i) = A(i,j) * x(j)'  -f A:csr  -t x:f32  -d j:1000
 *
 * Each function prints a message to stderr and returns false where that cannot be.
 */
#ifndef LACUNA_DECLARATIONS_H
#define LACUNA_DECLARATIONS_H

#include "einsum_parser.h"
#include "flags.h"
#include "program.h"

/* Whether every name after a flag is a tensor or a variable of the program, of the right kind: -d a
 * variable, -i, -g and --expect an operand, -o a result, -f and -t any tensor. */
bool declared_names_are_known(const binding *list, const program *p);

/* What a tensor is said to hold by --expect: about how many entries, and then each size, with room
 * behind those (statement_spec.h); NULL where nothing is said.  In the arena. */
bool declared_holds(arena *memory, const binding *list, const char *tensor, int order,
                    const int64_t **holds);

/* The sizes of the statement's variables, -1 where -d says none. */
bool declared_sizes(const binding *list, const einsum *e, int64_t *sizes);

/* The element type (lac_type) of a tensor by -t, or `fallback`. */
bool declared_type(const binding *list, const char *tensor, int32_t fallback, int32_t *type);

/* The format of a tensor by -f, else the one that `fallback` names; NULL for order 0.  The caller
 * frees it. */
bool declared_format(const binding *list, const char *tensor, int order, const char *fallback,
                     char **format);

/* The element type of a statement's result by -t, or the widest one of its operands, of which
 * `types` has as many as `count`. */
bool declared_result_type(const binding *list, const char *result, const int32_t *types, int count,
                          int32_t *type);

/* For each dimension of each operand, and last of the result, the variable that subscripts it bare,
 * or -1. */
int **subscript_variables(arena *memory, const einsum *e);

/* Whether a dimension of an operand tells the size of the variable, which subscripts it bare;
 * `variables` as above. */
bool operands_tell(const einsum *e, int *const *variables, int variable);

/* The sizes of the variables that -d says and nothing else does: neither an operand's dimension nor
 * one of the result, which takes it from -d; -1 for the others.  In the arena. */
int64_t *stated_extents(arena *memory, const einsum *e, const int64_t *sizes);

/* The least size of a dimension of an operand in which every subscript stays: 11 for x(i+1) and ten
 * values of i.  False, with the variable in `*unknown`, where an extent is not known (below 0), and
 * a size as if it were 1. */
bool subscript_reach(const einsum *e, int tensor, int dimension, const int64_t *extents,
                     int64_t *size, int *unknown);

/* The size of a dimension of the result that its subscript reaches to the end of; false where an
 * extent is not known. */
bool result_reach(const einsum *e, int dimension, const int64_t *extents, int64_t *size);

#endif
