/* made.h - a result that a peer made of arrays of its own. */
#ifndef BENCH_MADE_H
#define BENCH_MADE_H

#include "harness.h"

#include <stdlib.h>

typedef struct made {
  int32_t *positions[BENCH_ORDER], *coordinates[BENCH_ORDER];
  bench_value *values;
} made;

/* The peer's `made`, there once for all runs. */
static inline made *made_of(bench *b) {
  if (!b->state)
    b->state = calloc(1, sizeof(made));
  return (made *)b->state;
}

static inline bench_value *made_values(bench *b, int64_t count) {
  return made_of(b)->values = (bench_value *)bench_allocate(count * (int64_t)sizeof(bench_value));
}

static inline int32_t *made_positions(bench *b, int level, int64_t parents) {
  return made_of(b)->positions[level] = (int32_t *)bench_allocate((parents + 1) * 4);
}

static inline int32_t *made_coordinates(bench *b, int level, int64_t count) {
  return made_of(b)->coordinates[level] = (int32_t *)bench_allocate(count * 4);
}

static inline void made_drop(bench *b) {
  made *m = made_of(b);
  for (int l = 0; l < BENCH_ORDER; l++) {
    free(m->positions[l]);
    free(m->coordinates[l]);
  }
  free(m->values);
  *m = (made){0};
}

#endif
