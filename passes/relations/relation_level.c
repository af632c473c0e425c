/* relation_level.c - what levels hold, as relations of dimensions: how many coordinates they have.
 *
 * An expression is taken apart one operation at a time, each a relation between the nodes of its
 * parts and its own.
 */
#include "relation.h"

/* The extents of the nodes of one operation. */
typedef struct level_extents {
  MlirValue *extents;
} level_extents;

static MlirValue extent_at(const relation_scope *s, int node) {
  return ((const level_extents *)s->owner)->extents[node];
}

/* The operation, its parts the nodes 0, 1, ..., and itself the one after them; and which child of
 * the relation that is. */
static const relation *relation_of_parts(arena *memory, const remap *r, int *place) {
  int count = remap_part_count(r), nodes = r->kind == REMAP_COUNTER ? 1 : count;
  int *parts = ARENA_ARRAY(memory, int, nodes + 1);
  for (int n = 0; n < nodes; ++n)
    parts[n] = n;
  relation_graph *graph = relation_graph_create(memory);
  const relation *whole = relation_add_remap(graph, r, parts, nodes);
  *place = 0;
  while (whole->children[*place] != nodes)
    ++*place;
  return whole;
}

MlirValue relation_level_size(arena *memory, builder *b, MlirAffineExpr expression,
                              const MlirValue *extents) {
  remap r;
  int place;
  MlirValue none = {NULL};
  if (mlirAffineExprIsADim(expression))
    return extents[mlirAffineDimExprGetPosition(expression)];
  if (!remap_of(expression, &r))
    return none;
  level_extents parts = {ARENA_ARRAY(memory, MlirValue, remap_part_count(&r) + 1)};
  for (int n = 0; n < remap_part_count(&r); ++n) {
    parts.extents[n] = relation_level_size(memory, b, remap_part(&r, n), extents);
    if (mlirValueIsNull(parts.extents[n]))
      return none;
  }
  const relation *whole = relation_of_parts(memory, &r, &place);
  relation_scope s = {.b = b, .relation = whole, .owner = &parts, .extent = extent_at};
  return whole->rule->extent(&s, place);
}

const char *relation_level_size_text(arena *memory, MlirAffineExpr expression) {
  remap r;
  int place;
  if (mlirAffineExprIsADim(expression))
    return arena_format(memory, "%d", (int)mlirAffineDimExprGetPosition(expression));
  if (!remap_of(expression, &r))
    return "*";
  const char **parts = ARENA_ARRAY(memory, const char *, remap_part_count(&r) + 1);
  for (int n = 0; n < remap_part_count(&r); ++n)
    parts[n] = relation_level_size_text(memory, remap_part(&r, n));
  const relation *whole = relation_of_parts(memory, &r, &place);
  return whole->rule->size_text(memory, whole, place, parts);
}

const relation *relation_of_level(arena *memory, MlirAffineExpr expression, int level) {
  remap r;
  if (!remap_of(expression, &r))
    return NULL;
  int *dimensions = ARENA_ARRAY(memory, int, remap_part_count(&r) + 1);
  for (int n = 0; n < remap_part_count(&r); ++n) {
    if (!mlirAffineExprIsADim(remap_part(&r, n)))
      return NULL;
    dimensions[n] = (int)mlirAffineDimExprGetPosition(remap_part(&r, n));
  }
  return relation_add_remap(relation_graph_create(memory), &r, dimensions, level);
}
