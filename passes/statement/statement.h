/* statement.h - a tin.compute taken apart: its accesses, level by level, and its reductions as a
 * tree of loop nests.
 *
 *     y(i) = b(i) - sum_j A(i,j) * x(j)
 *
 *     root      loops over i                term  b - t     accesses b
 *      '- t     loops over j, needs i       term  A * x     accesses A, x
 *
 * A reduction of the whole right-hand side belongs to the root: y(i) = sum_j A(i,j) * x(j) is one
 * nest over i and j.
 */
#ifndef LACUNA_STATEMENT_H
#define LACUNA_STATEMENT_H

#include "arena.h"
#include "assembly.h"
#include "relation.h"
#include "remap.h"
#include "tensor_format.h"
#include "tin.h"
#include "variable_set.h"

#include <mlir-c/AffineMap.h>

/* The coordinates of one level of an access. */
typedef struct access_level {
  const format_level *level;
  variable_set variables; /* that its coordinate depends on */
  int bare;               /* the variable that is its coordinate, or -1 */
  bool recovered;         /* its coordinate is a variable that follows from the loops */
  bool descends;          /* and goes down where one of those goes up */
  bool searched;          /* its coordinate follows from the loops, and may be searched for */
  MlirAffineExpr form; /* of the maps' variables: its subscript, which is a variable of its own in
                          a remapped statement; else null */
} access_level;

typedef struct access {
  const char *name;  /* for people: "A", or "operand 1" */
  MlirValue operand; /* null for the result */
  MlirType type;
  const tensor_format *format;
  MlirAffineMap map;   /* from all index variables to the subscripts */
  MlirAttribute pad;   /* what it is out of range: a unit for its fill; null: it stays in range */
  MlirAttribute holds; /* about how many entries it has, and then each size; null: not known */
  variable_set variables;
  int level_count;
  access_level *levels;
} access;

typedef struct nest {
  int number;             /* in statement.nests */
  MlirOperation reduce;   /* the tin.reduce; null where the root has none */
  MlirValue value;        /* what it gives: the result of `reduce`, or what is yielded */
  MlirValue term;         /* what is computed innermost */
  tin_reduction kind;     /* none where it reduces nothing */
  MlirAttribute identity; /* where it is not the kind's own, else null */
  variable_set at;        /* the compound subscripts of the result that it reduces at */
  variable_set own;       /* its loops: what it reduces, and the result's variables at the root */
  variable_set outer;     /* variables of loops around it that its term depends on */
  struct nest *parent;
  int access_count; /* numbers of the accesses that its term reads itself */
  int *accesses;
} nest;

/* A loop of a statement whose formats remap dimensions: over a variable of the maps, or over what
 * levels hold of them, or a compound subscript is (`by`, of variables of the maps). */
typedef struct remapped_loop {
  int variable; /* of the maps, or -1 */
  MlirAffineExpr by;
  bool is_value; /* with something negative in it, that is counted from zero all the same */
} remapped_loop;

/* What a level holds, or is subscripted by. */
typedef struct statement_remap {
  MlirAffineExpr by;
  bool is_value;
} statement_remap;

typedef struct statement {
  arena *memory;
  MlirOperation op; /* the tin.compute */
  int variable_count;
  const char **variables;
  int *alike;                 /* for each variable another one that it goes as far as, or -1 */
  int64_t *extents;           /* and how far it goes where that is stated, else -1 */
  MlirAffineExpr *subscripts; /* what each is the compound subscript of the result of, or null */
  const struct statement *unmapped; /* of a remapped statement (statement_remap.h) the one whose
                                       variables are those of the maps; else NULL */
  variable_set scattered;           /* loops of it that the result's coordinates follow from, and
                                       that do not follow from those: they add up to one */
  bool searches;                    /* its operands for what follows from the loops */
  remapped_loop *loops;             /* what each variable is, in a remapped statement */
  int form_count; /* and the compound subscripts of what levels hold expressions: of
                     the maps' variables, those behind these in such expressions */
  MlirAffineExpr *forms;
  int remap_count; /* and what all levels hold, and parts of it, those before: of the maps'
                      variables */
  statement_remap *remaps;
  relation_graph *relations; /* of the maps' variables, and then the remaps */
  int operand_count;
  access *accesses; /* the operands', and last the result's */
  int nest_count;
  nest *nests;        /* the root first, parents before children */
  MlirValue replaced; /* a nest's value that is an operand here (statement_without_nest), or null */
  int replaced_access; /* which */
  bool gathers; /* a term of a sum: what it adds to a row of the result may be gathered first */
  double *trip_counts; /* density.h's: one more than the estimate, 0 where there is none yet */
  char *absences;      /* and for each operand 1 or 2 for root_skips_absent, 0 for not yet */
} statement;

/* Takes `op` apart, in `memory`.  NULL after a diagnostic at it where it has too many variables or
 * reductions, or a type with no format that is known. */
statement *statement_create(arena *memory, MlirOperation op);

static inline access *statement_result(const statement *s) {
  return &s->accesses[s->operand_count];
}

/* Whether the root reduces at compound subscripts of the result: loops go through some of the
 * variables in them and the subscripts. */
static inline bool statement_scatters(const statement *s) {
  return !set_is_empty(s->nests[0].at);
}

/* All variables, the result's, and those that the root reduces. */
variable_set statement_variables(const statement *s);
variable_set statement_result_variables(const statement *s);
variable_set statement_root_reductions(const statement *s);
/* The loops of a remapped statement that go through counters. */
variable_set statement_counters(const statement *s);

/* `s` with another type of an access (numbered as in s->accesses), everything else shared.  NULL
 * after a diagnostic as above. */
statement *statement_with_type(const statement *s, int access_number, MlirType type);

/* The two statements that a nest other than the root splits `s` into, over a temporary of type
 * `temporary` whose dimensions are the nest's outer variables in their order: the temporary's own,
 * and the rest.  They share the variables and are for loop ordering alone; no IR changes. */
statement *statement_of_nest(const statement *s, const nest *n, MlirType temporary);
statement *statement_without_nest(const statement *s, const nest *n, MlirType temporary);

/* The nested reduction that gives a value, or NULL. */
const nest *statement_nested_sum(const statement *s, MlirValue value);

/* `s` with `term`, a part of its expression or one of its nested reductions, of the same kind, in
 * place of the whole: reduced into the result by `kind`, of which the last level may be gathered.
 * Operands that the term does not read are scalars in it.  NULL where it has nested reductions. */
statement *statement_of_term(const statement *s, MlirValue term, tin_reduction kind);

/* Whether nest `n` is `ancestor` or inside it. */
bool nest_is_within(const nest *n, const nest *ancestor);

/* Whether the loops can be made by what is there today: every level holds a dimension or what a
 * loop of a remapped statement goes through, and a level that cannot be located in is subscripted
 * by one variable.  Else false, with a diagnostic at the operation if `explain`. */
bool statement_is_supported(const statement *s, bool explain);

/* Whether a subscript above level l that is more than a variable needs the variable alone that
 * subscripts the level: its coordinate is known before the level is reached. */
bool access_level_is_known(const access *a, int l);

/* Whether level l is looked through for one coordinate, that of a subscript that is more than a
 * variable, or known above: it ascends, or what subscripts the levels above tells the coordinate,
 * so that what is below each parent is looked through once. */
bool access_level_is_searched(const access *a, int l);

/* The first dimension that an access has the variable alone as the subscript of, so that it tells
 * its size, or -1; whether there is one. */
int access_dimension_of(const access *a, int variable);
bool access_tells_size(const access *a, int variable);

/* The ways to assemble the result. */
assembly_list statement_assemblies(const statement *s);

/* Whether a result's entries can be assembled in whichever order the loops come to them, each once:
 * the way asks for no order, and levels below hold nothing that tells entries apart. */
bool access_takes_any_order(const access *result, const assembly *a);

/* What neither a variable nor a tensor of the statement is called, in its memory: the stem and the
 * suffix, and as many underscores as it takes. */
const char *statement_new_name(const statement *s, const char *stem, const char *suffix);

/* The variables of a set by their names: "i, j". */
char *statement_names(const statement *s, variable_set set);

#endif
