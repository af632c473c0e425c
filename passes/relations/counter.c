/* counter.c - n = #i, the number of an entry among those of its i (Chou et al. 2020, section 3): it
 * ends where entries do, which is known only from walking them. */
#include "relation.h"

static int64_t counter_static_extent(const relation_scope *s, int child) {
  (void)s, (void)child;
  return -1;
}

static MlirValue counter_extent(const relation_scope *s, int child) {
  (void)child;
  return constant_index(s->b, INT64_MAX);
}

static const char *counter_size_text(arena *memory, const relation *r, int child,
                                     const char *const *parents) {
  (void)memory, (void)r, (void)child, (void)parents;
  return "*";
}

const relation_rule counter_relation = {
    .endless = true,
    .static_extent = counter_static_extent,
    .extent = counter_extent,
    .size_text = counter_size_text,
};
