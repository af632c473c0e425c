/* sparsify_triangles.c - walks of tensors of which one triangle is stored (docs/formats.md). */
#include "sparsify_visit.h"

/* Whether only part of what the tensor stores is seen. */
bool iterator_has_triangle(const iterator *i) {
  return i->tensor->format->triangle != TIN_WHOLE;
}

/* The iterator above that is of another dimension of the triangle. */
static const iterator *across(const iterator *i, bool is_above) {
  const tensor_format *format = i->tensor->format;
  intptr_t other = is_above ? format->below : format->above;
  do
    i = i->parent;
  while (i && i->tensor->format->levels[i->level].dimension != other);
  return i;
}

/* Bounds for a walk, which may go through all of the variable's interval or be at one coordinate.
 */
static void state_bounds(sparsifier *p, MlirValue known, coiteration *c) {
  if (mlirValueIsNull(c->low)) {
    c->low = constant_index(p->b, 0);
    c->high = provenance_extent(p->graph, p->b, known);
  } else if (mlirValueIsNull(c->high)) {
    c->high = add(p->b, c->low, constant_index(p->b, 1));
  }
}

/* above > below, or >=: the one known first bounds the other. */
static void bound_by_triangle(sparsifier *p, const iterator *i, MlirValue known, coiteration *c) {
  const tensor_format *format = i->tensor->format;
  int dimension = format->levels[i->level].dimension;
  bool is_above = dimension == format->above, is_below = dimension == format->below;
  const iterator *other = is_above || is_below ? across(i, is_above) : NULL;
  if (!other)
    return;
  MlirValue bound = subscript_coordinate(&other->at, p->graph, p->b);
  bool next = is_above == (format->triangle == TIN_STRICTLY_LOWER);
  if (next)
    bound = add(p->b, bound, constant_index(p->b, 1));
  state_bounds(p, known, c);
  if (is_above)
    c->low = max_i(p->b, c->low, bound);
  else
    c->high = min_i(p->b, c->high, bound);
}

/* All points of a walk go as far as its triangles do. */
bool visit_set_triangles(sparsifier *p, const visit *w, coiteration *c) {
  const merge_lattice *l = w->lattice;
  for (int n = 0; n < l->iterator_count; ++n) {
    const iterator *i = l->iterators[n];
    if (!iterator_has_triangle(i))
      continue;
    for (int point = 0; point < l->point_count; ++point)
      if (!set_has(l->points[point], n))
        return error_at(w->forall->op,
                        "expected part of a triangle only where nothing else is visited; found "
                        "level %d (%s) of %s (a tin.convert of it would help)",
                        i->level, i->format->format->name, i->tensor->name);
    bound_by_triangle(p, i, w->known, c);
  }
  return true;
}
