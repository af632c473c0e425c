/* sparsify_visit.h - a visit at a variable, for the files that choose, check and emit it. */
#ifndef LACUNA_SPARSIFY_VISIT_H
#define LACUNA_SPARSIFY_VISIT_H

#include "sparsify_state.h"

/* A visit at a variable, of `forall`'s body: through the variable's interval, or (`point`) at the
 * one coordinate that is known, of a variable or of a subscript that is none. */
typedef struct visit {
  const index_statement *forall;
  MlirValue known;
  const subscript *compound; /* NULL: a variable */
  bool point;
  bool located; /* only levels that can locate: `point` */
  bool dealt;   /* threads are dealt the places that it walks, one by one */
  effects all;
  int candidate_count;
  const iterator **candidates;
  merge_lattice *lattice;
  bool fused;
  bit_set scratch; /* iterators of the lattice that go through a scratch array */
} visit;

/* sparsify_any.c: the lattice of the visit; one body for all of its points where they are many, or
 * would be down the nest.  NULL where there are too many. */
void visit_choose_lattice(sparsifier *p, visit *w);

/* sparsify_scratch.c: the iterators of the lattice that are located, not walked; those that must
 * go through a scratch array, once it is known whether the visit is fused; and what the position of
 * iterator n of the lattice is at its coordinates. */
bit_set visit_located(const sparsifier *p, const visit *w);
bit_set visit_scratch(const sparsifier *p, const visit *w);
segment visit_segment(const sparsifier *p, const visit *w, int n);
/* Whether an unordered iterator's coordinates must ascend for the result: entries cannot come one
 * by one. */
bool visit_orders_result(const sparsifier *p, const visit *w, const iterator *i);

/* sparsify_legality.c: whether a level, once it is reached, is walked to a coordinate that is
 * known: by remappings, or because it can locate, or is searched for, whichever comes. */
bool visit_comes_further(const sparsifier *p, const iterator *i);

/* sparsify_offsets.c: whether the level is walked with the variable visited though it is at another
 * coordinate, some offset away; whether levels of the lattice are; and those offsets, null where
 * there is none: NULL for none at all. */
bool visit_takes_offset(const sparsifier *p, const visit *w, const iterator *i);
bool visit_has_offsets(const visit *w);
const MlirValue *visit_offsets(sparsifier *p, const visit *w);

/* sparsify_legality.c: whether the visit may stand here, and whether every level whose coordinate
 * is known is below levels that are known.  False after a diagnostic. */
bool visit_check(const sparsifier *p, const visit *w);
bool visit_check_order(const sparsifier *p, const index_statement *forall, const effects *all);

/* sparsify_spaces.c: whether pieces of positions, if they bound the visit, are of all that is
 * computed in it.  False after a diagnostic. */
bool visit_check_pieces(sparsifier *p, const visit *w);

/* The coordinate of what the visit's forall goes over in the place of the variable visited, where
 * workspaces are over it, or it is collapsed with others: known at entries of the level that it
 * numbers.  Null: there is none. */
MlirValue visit_derived(sparsifier *p, const visit *w);

/* sparsify_fuse.c: whether the visit goes entry by entry; marks the levels that do. `whole`:
 * through all of the variable's interval. */
bool visit_is_fused(sparsifier *p, const visit *w, bool whole);

/* sparsify_triangles.c: bounds the visit as far as its triangles go; false after a diagnostic. */
bool visit_set_triangles(sparsifier *p, const visit *w, coiteration *c);
/* sparsify_padding.c: bounds a visit of all coordinates to those where padded accesses are in
 * range, out of which nothing is computed. */
void visit_clip(sparsifier *p, const visit *w, coiteration *c);
/* Whether only part of what the tensor stores is seen. */
bool iterator_has_triangle(const iterator *i);

#endif
