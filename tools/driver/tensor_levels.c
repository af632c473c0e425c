/* Reads the order of dimensions off the format's map. */
#include "tensor_levels.h"

#include "tin.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>

typedef struct walk {
  int64_t *dimensions;
  int count, order;
} walk;

static void mention(walk *w, int64_t dimension) {
  for (int i = 0; i < w->count; i++)
    if (w->dimensions[i] == dimension)
      return;
  if (w->count < w->order)
    w->dimensions[w->count++] = dimension;
}

static void mention_all(walk *w, MlirAffineExpr e) {
  if (mlirAffineExprIsADim(e))
    mention(w, mlirAffineDimExprGetPosition(e));
  if (!mlirAffineExprIsABinary(e))
    return;
  mention_all(w, mlirAffineBinaryOpExprGetLHS(e));
  mention_all(w, mlirAffineBinaryOpExprGetRHS(e));
}

int64_t *tensor_level_order(compiler *c, arena *memory, const char *format, int order) {
  walk w = {ARENA_ARRAY(memory, int64_t, order + 1), 0, order};
  if (order == 0)
    return w.dimensions;
  MlirAttribute attribute = compiler_attribute(c, format);
  if (mlirAttributeIsNull(attribute) || !tinAttributeIsAFormat(attribute))
    return NULL;
  MlirAffineMap map = tinFormatAttrGetMap(attribute);
  if (mlirAffineMapGetNumDims(map) != order)
    return NULL;
  for (intptr_t l = 0; l < mlirAffineMapGetNumResults(map); l++)
    mention_all(&w, mlirAffineMapGetResult(map, l));
  for (int d = 0; d < order; d++)
    mention(&w, d);
  return w.dimensions;
}
