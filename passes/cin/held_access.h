/* held_access.h - accesses of a kernel, and what their tensors are said to hold (tin.holds). */
#ifndef LACUNA_HELD_ACCESS_H
#define LACUNA_HELD_ACCESS_H

#include "cin_kernel.h"

typedef struct held_access {
  MlirOperation kernel, access;
  MlirType type;
  const tensor_format *format;
  MlirAttribute holds; /* null: nothing is said */
} held_access;

/* False where it is one of a scalar. */
bool held_access_of(arena *memory, MlirOperation kernel, MlirOperation access, held_access *a);

/* Of the type, or as is said; 0 where it is not known. */
double held_size(const held_access *a, int dimension);

/* Over how many coordinates of a dimension its entries are spread (tin_held_spread): all, where
 * nothing is said. */
double held_spread(const held_access *a, int dimension);

/* The coordinates of the first `count` levels together: no more than there are entries in all, nor
 * than there can be; 0 where that is not known. */
double held_coordinates(const held_access *a, int count);

/* About how many entries there are: as is said, or all; 0 where it is not known. */
double held_entries(const held_access *a);

#endif
