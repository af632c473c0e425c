/* How far the variables of a statement go (extent.h). */
#include "extent.h"

#include "access_order.h"
#include "tin.h"

#include <mlir-c/BuiltinAttributes.h>

#include <math.h>
#include <stdlib.h>

static const double guessed_dense_size = 1000; /* of dimensions of dense tensors alone */
static const double guessed_sparse_size = 1e5; /* of those of sparse tensors */
static const double guessed_window = 4;        /* of what is added up in a compound subscript */

bool level_is_walked(const access_level *level) {
  return format_level_is_walked(level->level);
}

bool variable_is_walked(const statement *s, int variable) {
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++)
      if (s->accesses[i].levels[l].bare == variable && level_is_walked(&s->accesses[i].levels[l]))
        return true;
  return false;
}

bool access_is_sparse(const access *a) {
  for (int l = 0; l < a->level_count; l++)
    if (level_is_walked(&a->levels[l]))
      return true;
  return false;
}

static int64_t size_of(const access *a, int dimension) {
  return tin_held_size(a->holds, a->type, dimension);
}

static int64_t known_size(const statement *s, int variable) {
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      int dimension = level->level->dimension;
      int64_t size =
          level->bare != variable || dimension < 0 ? -1 : size_of(&s->accesses[i], dimension);
      if (size >= 0)
        return size;
    }
  return -1;
}

int64_t subscript_factor(MlirAffineExpr subscript, int variable) {
  remap form;
  if (mlirAffineExprIsADim(subscript))
    return (int)mlirAffineDimExprGetPosition(subscript) == variable;
  if (!remap_is_form(subscript) || !remap_of(subscript, &form))
    return 0;
  for (int n = 0; n < form.count; n++)
    if ((int)mlirAffineDimExprGetPosition(remap_part(&form, n)) == variable)
      return remap_term_at(&form, n).factor;
  return 0;
}

/* What a dimension leaves to one variable of the form that subscripts it; -1 where the others are
 * not known. */
static int64_t size_left(const statement *maps, MlirAffineExpr subscript, int64_t size,
                         int variable) {
  remap form;
  remap_of(subscript, &form);
  for (int n = 0; n < form.count; n++) {
    int other = (int)mlirAffineDimExprGetPosition(remap_part(&form, n));
    int64_t known = other == variable ? 1 : known_size(maps, other);
    if (known < 0)
      return -1;
    size -= llabs(remap_term_at(&form, n).factor) * (known - 1);
  }
  return size / subscript_factor(subscript, variable);
}

/* How far a variable goes in compound subscripts of dimensions whose sizes are said: y in y + r as
 * far as r leaves of it.  -1 where they do not tell. */
static int64_t size_in_subscripts(const statement *s, int variable) {
  const statement *maps = s->unmapped ? s->unmapped : s;
  int of_maps = s->loops ? s->loops[variable].variable : variable;
  for (int i = 0; of_maps >= 0 && i < maps->operand_count; i++)
    for (int d = 0; d < maps->accesses[i].format->order; d++) {
      MlirAffineExpr subscript = remap_canonical(mlirAffineMapGetResult(maps->accesses[i].map, d));
      int64_t size = mlirAffineExprIsADim(subscript) ? -1 : size_of(&maps->accesses[i], d);
      if (size >= 0 && subscript_factor(subscript, of_maps) > 0 &&
          (size = size_left(maps, subscript, size, of_maps)) > 0)
        return size;
    }
  return -1;
}

/* Of the tensors at hand; -1 where nothing is said. */
static int64_t size_at_hand(const statement *s, int variable) {
  int64_t size = known_size(s, variable);
  return size >= 0 ? size : size_in_subscripts(s, variable);
}

/* How far a linear form of variables goes; negative where one of them is none of the maps'. */
static double form_extent(const statement *s, const remap *form) {
  const statement *maps = s->unmapped;
  double extent = 1 + (double)(form->constant > 0 ? form->constant : 0);
  for (int n = 0; n < form->count; n++) {
    MlirAffineExpr part = remap_part(form, n);
    int v = mlirAffineExprIsADim(part) ? (int)mlirAffineDimExprGetPosition(part) : -1;
    if (v < 0 || v >= maps->variable_count)
      return -1;
    double factor = fabs((double)remap_term_at(form, n).factor);
    extent += factor * (followed_extent(maps, v) - 1);
  }
  return extent;
}

/* What a loop through blocks, or through one block, has of the extent of the dimension; and one
 * through a form. */
static double remapped_extent(const statement *s, int variable, double extent) {
  remap by;
  if (!s->loops || s->loops[variable].variable >= 0 || !remap_of(s->loops[variable].by, &by))
    return extent;
  if (by.kind == REMAP_REMAINDER)
    return (double)by.size;
  if (by.kind == REMAP_QUOTIENT)
    return 1 + extent / (double)by.size;
  double known = by.kind == REMAP_LINEAR ? form_extent(s, &by) : -1;
  return known >= 0 ? known : extent;
}

bool variable_goes_over_window(const statement *s, int variable) {
  int of_maps = s->loops ? s->loops[variable].variable : variable;
  bool in_window = false;
  if (of_maps < 0 || !set_has(statement_root_reductions(s), variable))
    return false;
  for (int i = 0; i < s->operand_count; i++) {
    const access *a = &s->accesses[i];
    for (int d = 0; access_is_sparse(a) && d < a->format->order; d++) {
      MlirAffineExpr subscript = mlirAffineMapGetResult(a->map, d);
      if (!mlirAffineExprIsFunctionOfDim(subscript, of_maps))
        continue;
      if (mlirAffineExprIsADim(subscript))
        return false;
      in_window = true;
    }
  }
  return in_window;
}

static double guessed_extent(const statement *s, int variable) {
  if (variable_goes_over_window(s, variable))
    return guessed_window;
  for (int i = 0; i <= s->operand_count; i++)
    if (set_has(s->accesses[i].variables, variable) && access_is_sparse(&s->accesses[i]))
      return guessed_sparse_size;
  return guessed_dense_size;
}

double estimated_extent(const statement *s, int variable) {
  int64_t size = size_at_hand(s, variable);
  return size >= 0 ? (double)size : remapped_extent(s, variable, guessed_extent(s, variable));
}

double followed_extent(const statement *s, int variable) {
  int64_t stated = s->extents[variable], size = size_at_hand(s, variable);
  if (stated >= 0 || size >= 0)
    return (double)(stated >= 0 ? stated : size);
  return set_has(statement_root_reductions(s), variable) ? guessed_window
                                                         : estimated_extent(s, variable);
}

double compound_extent(const statement *s, const access *a, int l) {
  remap form;
  int dimension = a->levels[l].level->dimension;
  if (dimension < 0 || s->unmapped)
    return guessed_dense_size;
  MlirAffineExpr subscript = remap_canonical(mlirAffineMapGetResult(a->map, dimension));
  double extent = 1;
  if (!remap_is_form(subscript) || !remap_of(subscript, &form))
    return guessed_dense_size;
  for (int n = 0; n < form.count; n++) {
    remap_term term = remap_term_at(&form, n);
    int v = (int)mlirAffineDimExprGetPosition(term.of);
    extent += fabs((double)term.factor) * (followed_extent(s, v) - 1);
  }
  return extent;
}
