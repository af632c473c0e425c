/* sparsify_state.h - what the parts of the pass sparsify share while they make one sit.kernel.
 *
 * Going down the foralls the pass keeps what is known at the place being filled: the positions of
 * iterators, which of them are absent, the values read.  A case of a coiteration works on a copy
 * (reached_state_enter), so that leaving it forgets what it knew.
 */
#ifndef LACUNA_SPARSIFY_STATE_H
#define LACUNA_SPARSIFY_STATE_H

#include "assembly_loops.h"
#include "ir.h"
#include "merge_lattice.h"
#include "sit_ops.h"

/* A forall on threads around the place being filled. */
typedef struct parallel_forall {
  const struct parallel_forall *outer;
  MlirValue variable;
  cin_race race;
  bool fused;
} parallel_forall;

/* What the position of an iterator is: one, or that of several places with one coordinate, next to
 * one another or in a scratch array. */
typedef enum segment_kind { SEGMENT_NONE, SEGMENT_RUN, SEGMENT_SCRATCH } segment_kind;
typedef struct segment {
  segment_kind kind;
  bool branches; /* the places are of several branches, which may have the same below them */
} segment;

typedef struct reached_state {
  MlirValue *positions; /* of iterators, by number; null where not known */
  segment *segments;    /* and what those that are known are */
  bool *absent;         /* iterators that have no entry here */
  bool *fused;          /* iterators whose levels are walked entry by entry */
  bool *maybe;          /* iterators whose positions may be none (sparsify_any.c) */
  bool *within;         /* iterators whose coordinates, of padded subscripts, are in range */
  int maybe_count;      /* how many there are */
  int cases;            /* of coiterations around, multiplied */
  int copies;           /* that the code will have, in loops around that are to be unrolled */
  bool on_lanes;        /* in a forall on lanes */
  MlirValue *values;    /* of accesses, by number */
  bool *produced;       /* workspaces, by tensor number */
  MlirValue *placed;    /* positions in the result, by level; null for those appended later */
  int placed_count;     /* levels of the result whose coordinates are known */
  bool at_top;          /* no result_frame is open yet */
  bool store_only;      /* the result's position is new and assigned to once */
  const parallel_forall *parallel;
} reached_state;

/* The foralls around the parts of an array, each of which begins where the innermost one is visited
 * (sparsify_starts.c), and what they go over, outermost first; `innermost` NULL: it begins as a
 * whole. */
typedef struct part_nest {
  const index_statement *innermost;
  int count;
  MlirValue *variables;
} part_nest;

/* How much code a kernel became. */
typedef struct code_size {
  int walks, cases, hoisted_guards;
  int64_t copies; /* of cases, since loops are to be unrolled */
} code_size;

typedef struct sparsifier {
  arena *memory;
  kernel_statement *s;
  provenance *graph;
  builder *b;
  bool strict;    /* keep the program's order in floating-point reductions */
  int cases_down; /* that a path down the nest may have, but where nothing else is possible */
  code_size made;
  assembly_loops built;      /* how the result is assembled */
  const tensor_read *copied; /* of the operand whose levels it has; NULL where it is not copied */
  part_nest parts;           /* how the result begins */
  bool drops;                /* entries that equal the result's fill are left out */
  bool counting;             /* this walk only counts entries of level `counted` */
  int counted;
  MlirValue *extents; /* of index variables, by variable number below */
  int variable_count;
  MlirValue *variables; /* the underived ones */
  reached_state now;
} sparsifier;

/* The absence known at the place being filled. */
absence absence_here(const sparsifier *p);

/* Copies what is known, so that changes can be forgotten again; gives the state before. */
reached_state reached_state_enter(sparsifier *p);
void reached_state_leave(sparsifier *p, reached_state before);

/* sparsify_repeats.c: whether the iterator's entries, walked in the order in which they are stored,
 * can come to one entry of the result several times. */
bool iterator_repeats(const sparsifier *p, const iterator *i);

/* sparsify_checks.c: whether code can be made for the kernel.  False after a diagnostic. */
bool check_kernel(sparsifier *p);

/* sparsify_extents.c: emits the extents of all variables and the checks that the operands' shapes
 * agree.  False after a diagnostic. */
bool emit_extents(sparsifier *p);
MlirValue variable_extent(const sparsifier *p, MlirValue underived);

/* sparsify_spaces.c: answers what variables in position space ask of levels; whether each numbers a
 * level of one access (false after a diagnostic). */
void tell_levels(sparsifier *p);
bool check_spaces(const sparsifier *p);

/* sparsify_results.c: the result's levels.  A frame is what a coordinate becoming known began, and
 * its end completes:
 *
 *     forall i {            begin    insert i            begin    mark the end of level 1
 *       forall j {                     append j                     append j
 *       }
 *     }                     end      close level 1       end      if level 1 has grown: append i,
 *                                                                 close level 1 under it
 */
typedef struct opened_level {
  int number;
  MlirValue begin; /* its length when its parent came */
} opened_level;

typedef struct result_frame {
  int first, last; /* levels whose coordinates became known */
  int deferred;    /* the first level to be appended at the end, if it has children; or -1 */
  int opened_count;
  opened_level
      *opened; /* levels appended to meanwhile, under parents that came: outer ones first */
} result_frame;
int result_level_count(const sparsifier *p);
const format_level *result_level(const sparsifier *p, int l);
/* Whether a level takes coordinates in any order: it inserts, or is collected. */
bool result_inserts(const sparsifier *p, int l);
/* And whether it has all coordinates, entries or not. */
bool result_fills(const sparsifier *p, int l);
/* Whether threads are dealt the places that a forall walks, one by one, instead of ranges of its
 * coordinates, each gone through in order. */
bool forall_deals_places(const sparsifier *p, const index_statement *forall);
/* The variable whose coordinate level `l` holds, and the level that holds a variable's; -1. */
MlirValue result_variable(const sparsifier *p, int l);
int result_level_of(const sparsifier *p, MlirValue variable);
bool result_is_known(const sparsifier *p, int l);
/* Whether a variable goes through coordinates of variables of the levels below `above`, or a part
 * of them, and of no others. */
bool result_is_gone_through(const sparsifier *p, int above, MlirValue variable);
/* Whether foralls over the variable go to each of its coordinates: not where it is a subscript of
 * others, which come to some. */
bool variable_comes_to_all(const sparsifier *p, MlirValue variable);
/* Whether the coordinate would be known if these variables were. */
bool subscript_follows(const sparsifier *p, const subscript *s, int count,
                       const MlirValue *variables);
/* Whether a level holds a counter that no loop goes through: each entry must come once. */
bool result_is_numbered(const sparsifier *p);
void emit_result(sparsifier *p);
/* Where the code of an entry begins that is left out if its value is the result's fill: begins a
 * branch for others, which ends with if_end. */
bool result_guard(sparsifier *p, const block *code);
result_frame result_begin(sparsifier *p, const block *code);
void result_end(sparsifier *p, const result_frame *frame);
/* Whether the entry here has been counted, in a walk that only counts. */
bool result_is_counted(const sparsifier *p);
/* Whether the variable must ascend: it is that of a level that is assembled in order, or of one
 * whose children are appended under one after the other. */
bool result_appends_in_order_of(const sparsifier *p, MlirValue variable);
bool emit_assignment(sparsifier *p, const assignment *a);

/* sparsify_starts.c: the foralls around parts of an array that is added up, each of which can begin
 * right before what is added to it; and the code where one begins, if it does so in the forall. */
part_nest find_parts(const sparsifier *p);
void emit_start(sparsifier *p, const index_statement *forall);

/* sparsify_loops.c: code for a block, and for one at whose place entries of the result may become
 * known.  False after a diagnostic. */
bool emit_block(sparsifier *p, const block *code);
bool emit_entry(sparsifier *p, const block *code);
bool emit_root(sparsifier *p); /* the whole statement */

/* sparsify_workspaces.c: code for a where; the workspaces of order 1 and more that the code of a
 * block uses, but for those in bodies of parallel foralls, which make their own. */
bool emit_where(sparsifier *p, const index_statement *where);
void emit_workspaces(sparsifier *p, const block *code);

/* sparsify_empty_sums.c: sums, in scalar workspaces, to which nothing may come.  Whether the code
 * is of one entry, and makes none where nothing comes to its sums. */
bool sum_may_be_empty(const sparsifier *p, const block *code);
/* Before the sum is produced, reduced into by threads or not; where something is added to it. */
void sum_begin(sparsifier *p, const index_statement *where, tin_reduction on_threads);
void sum_add(sparsifier *p, const tensor *sum);
/* Whether anything came to the sum, i1, where there is no entry else; or, in code that makes the
 * entry, to any of the others.  Null where that is sure. */
MlirValue sum_came(sparsifier *p, const index_statement *where);
MlirValue sums_came(sparsifier *p, const block *code);

/* sparsify_any.c: whether the access has an entry here, i1, and whether something remains to be
 * done of `all`; null where it is sure.  The value of an operation on operands,
 * or what it is where one of them is absent and annihilates it or leaves the other. */
MlirValue access_present(sparsifier *p, const tensor_read *a);
MlirValue effects_present(sparsifier *p, const effects *all);
typedef struct presences presences;
presences *presences_begin(sparsifier *p); /* what is told at one place */
MlirValue value_where_present(presences *q, const expression *e, const MlirValue *operands,
                              MlirValue value);

/* sparsify_positions.c: emits what follows from the coordinates known: positions that can be
 * located, and the values of accesses that `all` read. */
void settle(sparsifier *p, const effects *all);
/* The iterators and accesses, by number, that what remains of `all` reads. */
typedef struct usage {
  bool *iterators;
  bool *accesses;
} usage;
usage usage_of(const sparsifier *p, const effects *all);
/* What the position above an iterator is, and what its own is at the coordinates of a walk, if it
 * is found for a coordinate or walked through a scratch array. */
segment segment_above(const sparsifier *p, const iterator *i);
segment segment_in_scratch(const sparsifier *p, const iterator *i);
/* Whether what is below the position above can only be brought together in a scratch array. */
bool segment_needs_scratch(const sparsifier *p, const iterator *i);
/* Whether the position above an iterator is known, and its own neither known nor absent. */
bool iterator_is_reachable(const sparsifier *p, const iterator *i);
/* sparsify_padding.c: whether the iterator's coordinate may be out of range; whether a padded
 * access is in range, i1; what it is where nothing is stored, or out of range. */
bool iterator_may_be_outside(const sparsifier *p, const iterator *i);
MlirValue padding_value(sparsifier *p, const tensor_read *a);
/* The value read at a position, which a block may have beyond the end of the dimension. */
MlirValue padded_value(sparsifier *p, const tensor_read *a, MlirValue value);
/* The value of an expression. */
MlirValue emit_expression(sparsifier *p, const expression *e);

#endif
