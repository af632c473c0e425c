/* lac_generate.h - makes tensors: stencils, and random ones of several kinds.
 *
 * The same arguments give the same tensor on every machine.  All but the vector are coordinate
 * lists (lac_coo.h), sorted, without duplicates.  Random real values are thousandths from -1 to 1,
 * integers from -9 to 9, none of them 0; both parts of complex values are random.
 *
 * All return LAC_OK, LAC_ERROR_MEMORY, or LAC_ERROR_SHAPE for sizes that make no sense; `out` must
 * be an empty tensor, and is empty after an error.
 */
#ifndef LAC_GENERATE_H
#define LAC_GENERATE_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tensor of `order` dimensions with density * (product of dimensions) entries, rounded, at places
 * chosen uniformly. */
int32_t lac_generate_random(int64_t order, const int64_t *dimensions, double density, uint64_t seed,
                            int32_t type, lac_tensor *out);

/* The same with `entries` entries, or as many as there are places. */
int32_t lac_generate_uniform(int64_t order, const int64_t *dimensions, int64_t entries,
                             uint64_t seed, int32_t type, lac_tensor *out);

/* The same with coordinates that follow a power law in every dimension: the lowest are the most
 * frequent.  Fewer entries where the places that are likely are all taken. */
int32_t lac_generate_skewed(int64_t order, const int64_t *dimensions, int64_t entries,
                            uint64_t seed, int32_t type, lac_tensor *out);

/* The Laplacian of a square (grid_order 2: 5-point stencil) or cubic grid (3: 7-point) of `side`
 * points a side, numbered row after row: 2 * grid_order on the diagonal, -1 for each neighbour. */
int32_t lac_generate_stencil(int grid_order, int64_t side, int32_t type, lac_tensor *out);

/* A graph's adjacency matrix with the degrees of a power law: of each entry's four quadrants one is
 * chosen with probability 0.57, 0.19, 0.19, 0.05, and so on inside it (Chakrabarti, Zhan,
 * Faloutsos: R-MAT, 2004). Fewer entries where the likely places are all taken. */
int32_t lac_generate_rmat(int64_t rows, int64_t columns, int64_t entries, uint64_t seed,
                          int32_t type, lac_tensor *out);

/* A matrix with rows of lengths that double `doublings` times from the shortest to the longest, in
 * that many classes and one, of as many rows each, in random order: how much longer the longest are
 * changes, the entries do not (Senanayake et al. 2020, figure 33).  With 0 doublings all rows have
 * one length, but for chance.  Fewer entries where the longest rows are full. */
int32_t lac_generate_exponential(int64_t rows, int64_t columns, int64_t doublings, int64_t entries,
                                 uint64_t seed, int32_t type, lac_tensor *out);

/* All places with |column - row| <= bandwidth, values random. */
int32_t lac_generate_banded(int64_t rows, int64_t columns, int64_t bandwidth, uint64_t seed,
                            int32_t type, lac_tensor *out);

/* Full blocks of `block` x `block` (cut at the edges) at uniformly chosen places of the grid of
 * blocks, `entries` / block^2 of them, at least one. */
int32_t lac_generate_blocked(int64_t rows, int64_t columns, int64_t block, int64_t entries,
                             uint64_t seed, int32_t type, lac_tensor *out);

/* A dense vector of random values: one dense level. */
int32_t lac_generate_vector(int64_t size, uint64_t seed, int32_t type, lac_tensor *out);

#ifdef __cplusplus
}
#endif
#endif
