/* sparsify_walk.h - a walk at a variable, for the files that choose, check and emit it. */
#ifndef LACUNA_SPARSIFY_WALK_H
#define LACUNA_SPARSIFY_WALK_H

#include "sparsify_state.h"

/* A walk at a variable, of `forall`'s body: through the variable's interval, or (`point`) at the
 * one coordinate that is known, of a variable or of a subscript that is none. */
typedef struct walk {
  const node *forall;
  MlirValue known;
  const subscript *compound; /* NULL: a variable */
  bool point;
  bool located; /* only levels that can locate: `point` */
  bool strided;
  effects all;
  int candidate_count;
  const iterator **candidates;
  merge_lattice *lattice;
  bool fused;
  uint64_t scratch; /* iterators of the lattice that go through a scratch array */
} walk;

/* sparsify_any.c: the lattice of the walk; one body for all of its points where they are many, or
 * would be down the nest.  NULL where there are too many. */
void walk_choose_lattice(sparsifier *p, walk *w);

/* sparsify_conversion.c: the iterators of the lattice that are located, not walked; those that must
 * go through a scratch array, once it is known whether the walk is fused; and what the position of
 * iterator n of the lattice is at its coordinates. */
uint64_t walk_located(const sparsifier *p, const walk *w);
uint64_t walk_scratch(const sparsifier *p, const walk *w);
segment walk_segment(const sparsifier *p, const walk *w, int n);
/* Whether an unordered iterator's coordinates must ascend for the result: entries cannot come one
 * by one. */
bool walk_orders_result(const sparsifier *p, const walk *w, const iterator *i);

/* sparsify_legality.c: whether the walk may stand here, and whether every level whose coordinate is
 * known is below levels that are known.  False after a diagnostic. */
bool walk_check(const sparsifier *p, const walk *w);
bool walk_check_order(const sparsifier *p, const node *forall, const effects *all);

/* sparsify_fuse.c: whether the walk goes entry by entry; marks the levels that do. `whole`: through
 * all of the variable's interval. */
bool walk_is_fused(sparsifier *p, const walk *w, bool whole);

/* sparsify_triangles.c: bounds the walk as far as its triangles go; false after a diagnostic. */
bool walk_set_triangles(sparsifier *p, const walk *w, coiteration *c);
/* Whether only part of what the tensor stores is seen. */
bool iterator_has_triangle(const iterator *i);

#endif
