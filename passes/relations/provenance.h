/* provenance.h - the provenance graph of a kernel's index variables (Senanayake et al. 2020,
 * sections 3.2, 3.3 and 5).
 *
 * The relations of a cin.kernel (cin.split, ...) derive variables from variables.  Subscripts are
 * of underived variables, foralls range over those that no relation has consumed:
 *
 *         i             cin.split %i by 32 ("i0", "i1")
 *       /   \
 *      i0    i1         forall i0 { forall i1 { ... A[i] ... } }
 *
 * Going down a path of foralls, the code generator asks what each forall means, emits the loop,
 * binds the variable, and unbinds it again after the body:
 *
 *      forall i0     PROVENANCE_COUNT     for i0 in [0, ceil(N / 32))
 *      forall i1     PROVENANCE_WALK      walk the levels of i in [32 i0, min(32 i0 + 32, N))
 *
 * and, with the foralls reordered, where the underived variable goes in strides,
 *
 *      forall i1     PROVENANCE_COUNT     for i1 in [0, 32)
 *      forall i0     PROVENANCE_RECOVER   for i0 in [0, ceil(N / 32)), i = 32 i0 + i1, if i < N
 *
 * An underived variable's own forall is a PROVENANCE_WALK of everything.
 *
 * cin.remap relates variables to what a level holds of them, and consumes nothing:
 *
 *      i                 cin.remap(%i) by i floordiv 4 ("ib"), cin.remap(%i) by i mod 4 ("ir")
 *
 *      forall ib { forall ir { A[i] } }     both walks of everything; then i = 4 ib + ir, if i < N
 *      forall i { B[ib] C[ir] }             ib and ir follow from i
 *
 * A linear form k = j - i in the same way: foralls over k and then i walk i where j is in bounds,
 * and make j known.  Remaps may be of remaps; a cin.split may be of either: with i split, foralls
 * over i0, k and i1 walk, within each block of i, what of it a difference leaves.
 *
 * What each relation computes stands in a row of its own (relation.h); here is only the walk.
 */
#ifndef LACUNA_PROVENANCE_H
#define LACUNA_PROVENANCE_H

#include "arena.h"
#include "builder.h"
#include "relation.h"

typedef struct provenance provenance;

/* The graph of `kernel` (a cin.kernel), in `memory`.  NULL, after a diagnostic at the relation,
 * where there is one that the code generator has no rules for yet. */
provenance *provenance_create(arena *memory, MlirOperation kernel);

/* The name of a variable (of this kernel), and whether it is a cin.index. */
MlirStringRef provenance_name(MlirValue variable);
bool provenance_is_underived(MlirValue variable);

/* The variables that `variable` derives from and no relation derives; itself, if that is none.
 * Those of the levels above positions are among them where foralls stand outside of theirs. Returns
 * how many; `*roots` lives as long as the graph. */
intptr_t provenance_roots(const provenance *graph, MlirValue variable, const MlirValue **roots);
bool provenance_has_root(const provenance *graph, MlirValue variable, MlirValue root);

/* The same up to variables of cin.remap, which no relation derives either. */
intptr_t provenance_bases(const provenance *graph, MlirValue variable, const MlirValue **bases);

/* Whether a relation derives variables from `variable`, so that no forall may range over it. */
bool provenance_is_consumed(const provenance *graph, MlirValue variable);

/* The space that it goes through: coordinates, or the positions of a level; and in words. */
relation_space provenance_space(const provenance *graph, MlirValue variable);
const char *provenance_space_text(arena *memory, relation_space space);

/* Whether a variable derives from another one, or is it. */
bool provenance_leads_to(const provenance *graph, MlirValue variable, MlirValue from);

/* Whether it is part of a variable that goes through several others as one. */
bool provenance_is_collapsed(const provenance *graph, MlirValue variable);

/* Extents.  Those of underived variables are told (index values that dominate all the code to
 * come); then, once, the extents of derived ones that need code are emitted here: of those that go
 * through coordinates, or through positions, which are there once operands can be read. */
void provenance_set_extent(provenance *graph, MlirValue underived, MlirValue extent);
void provenance_emit_extents(provenance *graph, builder *b, bool positions);
MlirValue provenance_extent(provenance *graph, builder *b, MlirValue variable);

/* The extent of a variable where it is known now, else -1. */
int64_t provenance_static_extent(const provenance *graph, MlirValue variable);

/* What is asked of the levels of operands, emitted (relation_scope's level_count, ...): of the
 * level of a space that holds a variable. */
typedef struct provenance_levels {
  void *owner;
  MlirValue (*count)(void *owner, relation_space at);
  interval (*positions)(void *owner, relation_space at, MlirValue variable);
  MlirValue (*coordinate)(void *owner, relation_space at, MlirValue variable, MlirValue position);
  MlirValue (*parents)(void *owner, relation_space at, MlirValue position);
} provenance_levels;
void provenance_set_levels(provenance *graph, const provenance_levels *levels);

/* What a forall over a variable means, given what is bound around it. */
typedef enum provenance_kind {
  PROVENANCE_COUNT,  /* a loop over [0, extent); nothing underived becomes known */
  PROVENANCE_WALK,   /* visits `known` over an interval, provenance_bounds; bind `known` itself */
  PROVENANCE_RECOVER /* a loop over [0, extent); bind the variable, then `known` can be recovered */
} provenance_kind;
typedef struct provenance_step {
  provenance_kind kind;
  MlirValue known; /* the underived or remapped variable that this completes; null for COUNT */
  bool whole;      /* WALK: of [0, extent), provenance_bounds need not be asked */
} provenance_step;
provenance_step provenance_next(const provenance *graph, MlirValue variable);

/* A variable that would follow from a forall over this one but is only walked, never recovered: one
 * whose positions are not counted up, below the levels above theirs.  Null for none. */
MlirValue provenance_unrecovered(const provenance *graph, MlirValue variable);

/* The positions of which level bound a variable of a level above; false where none do. */
bool provenance_position_bounds(const provenance *graph, MlirValue variable, relation_space *space);

/* Whether [0, extent) is not all that a forall over a variable counts: then provenance_bounds. */
bool provenance_is_bounded(const provenance *graph, MlirValue variable);

/* Whether what is left of it then follows from the first `count` variables that are bound. */
bool provenance_bounds_follow(const provenance *graph, MlirValue variable, int count);

/* Whether what a forall over `variable` completes, now or in foralls inside, comes in strides: it
 * counts up a part of something, and outer parts, in steps of which that goes on, are not known. */
bool provenance_is_strided(const provenance *graph, MlirValue variable);

/* Whether it is strided, or goes in strides through `whole`, if it is a part of that, be it one
 * that levels hold: the remainder of `whole` by a size does until the quotient is known. */
bool provenance_strides_through(const provenance *graph, MlirValue variable, MlirValue whole);

/* Whether a forall over `variable` makes another one known that descends where it ascends. */
bool provenance_descends(const provenance *graph, MlirValue variable, MlirValue known);

/* How much a variable rises with each step of `from`, which is not bound, all that is bound kept: 0
 * where it is known already.  False where it does not follow then, or not by so much everywhere. */
bool provenance_rise(const provenance *graph, MlirValue variable, MlirValue from, int64_t *rise);

/* A bound variable that would follow from a forall over this one, which does not keep to it: i
 * inside of i mod 4.  Null for none. */
MlirValue provenance_left_over(const provenance *graph, MlirValue variable);

/* The interval [*low, *high) of the variable that a PROVENANCE_WALK visits, or that is counted,
 * *low
 * <= *high, from the variables bound so far. */
void provenance_bounds(provenance *graph, builder *b, MlirValue known, MlirValue *low,
                       MlirValue *high);

/* The coordinate of a variable from now on; and not any more.  A null coordinate only tells that
 * it is known, for passes that emit nothing. */
void provenance_bind(provenance *graph, MlirValue variable, MlirValue coordinate);
void provenance_unbind(provenance *graph, MlirValue variable);

/* A variable that levels hold the quotient or the remainder of: which, of what, the divisor, and
 * the other part by the same divisor, null where there is none.  False for any other variable. */
typedef struct provenance_part {
  MlirValue whole, other;
  bool is_quotient;
  int64_t size;
} provenance_part;
bool provenance_part_of(const provenance *graph, MlirValue variable, provenance_part *part);
bool provenance_is_bound(const provenance *graph, MlirValue variable);

/* Whether a variable would be known if these were, and nothing else. */
bool provenance_follows(const provenance *graph, MlirValue variable, intptr_t count,
                        const MlirValue *from);

/* From now on (or not any more) the blocks that a variable is recovered from end in bounds: there
 * is no guard for it.  Whether it has been told so, or needs no guard for its size. */
void provenance_tell_whole(provenance *graph, MlirValue variable, bool whole);
bool provenance_is_whole(const provenance *graph, const provenance_part *part);

/* Whether a variable is a counter (of a cin.remap): which entry of an operand it is. */
bool provenance_is_counter(const provenance *graph, MlirValue variable);

/* Whether a variable is a linear form of others, or in one: more may follow from it. */
bool provenance_is_in_form(const provenance *graph, MlirValue variable);

/* Whether a variable has no forall of its own and follows by remappings from what is bound. */
bool provenance_is_remapped(const provenance *graph, MlirValue variable);

/* Whether a variable is bound, or can be recovered from those that are; its coordinate, emitted
 * (coordinate recovery, section 5.1); the condition (an i1) under which it and all else that became
 * known with it are in bounds (iteration guards, section 5.3), null where they always are. */
bool provenance_is_known(const provenance *graph, MlirValue variable);
MlirValue provenance_coordinate(provenance *graph, builder *b, MlirValue variable);
MlirValue provenance_guard(provenance *graph, builder *b, MlirValue variable);

/* The same of what became known with the variable that was bound last, where nothing underived did:
 * of places in parts that are split again, and of what is collapsed. */
MlirValue provenance_count_guard(provenance *graph, builder *b);

/* Whether a relation derives something from the variable, and from another one in whose place it
 * stands. */
bool provenance_is_beside(const provenance *graph, MlirValue variable);

/* The coordinate of a variable where a walk of what it stands for has come to a coordinate that is
 * bound, at `position` of the level that it numbers, if it does (derived coordinate recovery,
 * section 5.1).  Null where it does not follow. */
MlirValue provenance_derived(provenance *graph, builder *b, MlirValue variable, MlirValue position);

#endif
