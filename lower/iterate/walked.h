/* walked.h - what is known of a walk before there is code: what follows from sit and the formats.
 *
 *     sit.coiterate %A level 1 under %p      by position or by coordinate, duplicates together, one
 *                                            place or many, below a segment, in the order stored
 *
 * Strategies are chosen by it (lower/cpu/strategy.h).
 */
#ifndef LACUNA_WALKED_H
#define LACUNA_WALKED_H

#include "bit_set.h"
#include "tensor_format.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel that questions are about, and the formats of its tensors, each read once. */
typedef struct walked_kernel {
  arena *memory;
  MlirOperation op;
  bool strict;         /* floating-point sums keep the program's order */
  int64_t vector_bits; /* of a vector of the machine */
  bool gathers;        /* what is located at a coordinate of each lane may be read on lanes */
  bool slow_gathers;   /* and is no faster than by a load for each */
  struct walked_format *formats;
} walked_kernel;

/* The format of a tensor, NULL after an error where it has none; whether it is an operand of the
 * kernel, not its result or a workspace. */
const tensor_format *walked_format_of(walked_kernel *k, MlirValue tensor);
bool walked_is_operand(const walked_kernel *k, MlirValue tensor);

/* One level of a sit.coiterate (walk.h has the same of the code for it). */
typedef struct walked_level {
  const tensor_format *tensor;
  const level_format *format;
  int number;
  unsigned properties; /* ordered, too, where a scratch array or a single place makes it so */
  bool by_position, chained, scratch, single;
  bool offset;                    /* at coordinates less an offset */
  bool below_segment, below_none; /* the parent's position is a segment, may be none */
} walked_level;

/* A point of the merge lattice: a set of the walked levels, by number. */
typedef bit_set lattice_point;

/* A sit.coiterate: its levels, its cases and those levels that are located, as sets of levels (with
 * `any` each level is a case by itself). */
typedef struct walked {
  walked_kernel *k;
  MlirOperation op;
  int level_count, case_count;
  walked_level *levels;
  lattice_point *cases, located;
  bool fused, any, whole, bounded, point; /* `over` an extent; within bounds; at one coordinate */
  bool parallel, cut; /* places, or ranges of coordinates, are dealt out to threads */
  bool on_lanes;      /* on lanes itself */
  bool in_lanes;      /* inside a loop on lanes */
} walked;

/* False where a tensor has no format. */
bool walked_read(walked *w, walked_kernel *k, MlirOperation coiterate);

/* Whether the places below a position are stored right after those below the position that is
 * visited before: it is the root, or what a loop around counts. */
bool walked_is_in_order(walked_kernel *k, MlirValue parent);

/* The coiteration around one that is a loop, not at one coordinate; null for none.  Whether a
 * position is the same in all iterations of a loop; the root is. */
MlirOperation walked_loop_around(MlirOperation coiterate);
bool walked_is_fixed_in(MlirValue position, MlirOperation loop);

/* The points of a merge's lattice to make loops of, larger ones first: at most WALKED_POINTS_MAX;
 * -1 where one loop is for all cases, as the points would be more, or much code (merge_points.c).
 */
enum { WALKED_POINTS_MAX = 8 };
int walked_points(arena *memory, MlirOperation coiterate, lattice_point located,
                  lattice_point *points);

/* Whether an operation is a coiteration on the threads of the CPU. */
bool walked_on_threads(MlirOperation op);

/* Whether it goes through one level in one case, in its own order; or else merges several, or in
 * several cases: neither where it is at one coordinate that all levels can locate. */
bool walked_goes_through_one(const walked *w);
bool walked_merges(const walked *w);

#ifdef __cplusplus
}
#endif
#endif
