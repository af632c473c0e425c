/* constant.c - k = c: a level that holds the same number for all entries.
 *
 *     extent        c + 1
 *     recover       c, from nothing
 */
#include "relation.h"

static int64_t constant_static_extent(const relation_scope *s, int child) {
  (void)child;
  return s->relation->constant + 1;
}

static MlirValue constant_extent(const relation_scope *s, int child) {
  return constant_index(s->b, constant_static_extent(s, child));
}

static const char *constant_size_text(arena *memory, const relation *r, int child,
                                      const char *const *parents) {
  (void)child, (void)parents;
  return arena_format(memory, "(#%lld)", (long long)r->constant);
}

static void constant_ways(relation_graph *graph, const relation *r) {
  relation_graph_way(graph, r, r->children[0], 0, NULL);
}

static MlirValue constant_coordinate(const relation_scope *s, int node) {
  (void)node;
  return constant_index(s->b, s->relation->constant);
}

const relation_rule constant_relation = {
    .ways = constant_ways,
    .static_extent = constant_static_extent,
    .extent = constant_extent,
    .size_text = constant_size_text,
    .coordinate = constant_coordinate,
};
