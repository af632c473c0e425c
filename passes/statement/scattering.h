/* scattering.h - why the entries of a result go through a workspace: the loops in a where's
 * producer do not come to each of them once, in the order in which it is stored (Zhang et al. 2024,
 * sections 2.2 and 6.2).
 *
 *     forall i { where { forall j { A[i, j] = w[j] } }
 *                producing w { forall k { forall j { w[j] add b } } } }
 *
 * Scattering of order 1, along j, as the sum over k goes on outside of j; concordant, since the
 * loops over what the workspace has stand in the order in which A stores it.
 */
#ifndef LACUNA_SCATTERING_H
#define LACUNA_SCATTERING_H

#include "cin_kernel.h"

/* Texts of the arena.  `along` and `reason` are NULL where nothing scatters. */
typedef struct scattering {
  const char *result; /* 'A' */
  const char *along;  /* 'i', 'j' */
  const char *reason; /* since ... */
  const char *kind;   /* scattering of order 2, discordant: in the order 'j', 'i' */
} scattering;

/* Of a where whose workspace lists what is in it.  No variable of the graph is bound. */
scattering scattering_of(arena *memory, provenance *graph, MlirOperation kernel,
                         MlirOperation where);

#endif
