/* sparsify_padding.c - accesses that may be out of range.
 *
 *     y(i) = x[pad](i + k - 1) * w(k)
 *
 *     in range     x is read            out of range     x is its fill, as where nothing is stored;
 *                                                        with [pad:VALUE] another value
 *
 * So a level is located, or has no entry: sit.locate and sit.coiterate test it (`padded`).  What is
 * computed is told by the algebra, as for any level that may have none.  Where the value out of range
 * is not the fill, what is not stored does not tell it: it is selected.
 */
#include "cin_kernel.h"
#include "sparsify_state.h"

bool iterator_may_be_outside(const sparsifier *p, const iterator *i) {
  return i->at.padded && !p->now.within[i->number];
}

static MlirValue coordinate_of(const sparsifier *p, const subscript *s) {
  if (subscript_is_known(s, p->graph))
    return subscript_coordinate(s, p->graph, p->b);
  MlirValue form = cin_form_variable(p->s->kernel, s->expression, s->count, s->variables);
  return provenance_coordinate(p->graph, p->b, form);
}

static MlirValue is_inside(const sparsifier *p, const tensor_read *a, intptr_t d) {
  builder *b = p->b;
  MlirValue coordinate = coordinate_of(p, &a->subscripts[d]);
  MlirValue below = less(b, coordinate, sit_extent(b, a->tensor->value, d));
  return and_i(b, less_equal(b, constant_index(b, 0), coordinate), below);
}

/* Whether all subscripts are in range; null where the access is no other there than where nothing
 * is stored. */
static MlirValue all_inside(const sparsifier *p, const tensor_read *a) {
  MlirValue inside = {NULL};
  for (intptr_t d = 0; a->pads && d < a->rank; ++d)
    if (a->subscripts[d].padded) {
      MlirValue here = is_inside(p, a, d);
      inside = mlirValueIsNull(inside) ? here : and_i(p->b, inside, here);
    }
  return inside;
}

static MlirValue value_inside(sparsifier *p, const tensor_read *a, MlirValue value) {
  MlirValue inside = all_inside(p, a);
  return mlirValueIsNull(inside) ? value
                                 : select_value(p->b, inside, value, scalar_emit(p->b, &a->pad));
}

MlirValue padding_value(sparsifier *p, const tensor_read *a) {
  return value_inside(p, a, scalar_emit(p->b, &a->tensor->fill));
}

MlirValue padded_value(sparsifier *p, const tensor_read *a, MlirValue value) {
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (a->tensor->format->levels[k].dimension < 0)
      return value_inside(p, a, value);
  return value;
}
