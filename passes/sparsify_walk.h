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
} walk;

/* sparsify_legality.c: whether a level that is walked out of an order that is needed can be located
 * in instead; whether the walk may stand here, and whether every level whose coordinate is known is
 * below levels that are known.  The checks are false after a diagnostic. */
bool walk_should_locate(const sparsifier *p, const walk *w);
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
