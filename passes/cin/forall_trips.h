/* forall_trips.h - about how many iterations a forall has, of what operands are said to hold
 * (tin.holds).
 *
 *     forall j { ... A[i, j] * x[j] }    A of 81,000 entries and 16,000 rows: 5
 */
#ifndef LACUNA_FORALL_TRIPS_H
#define LACUNA_FORALL_TRIPS_H

#include "cin_kernel.h"

/* Each time that it is reached; 0 where nothing tells. */
double forall_trips(arena *memory, MlirOperation kernel, MlirOperation forall);

/* The same of the operand that has the most, of those whose level is a list in order, in which no
 * coordinate is located. */
double forall_longest(arena *memory, MlirOperation kernel, MlirOperation forall);

/* The most entries that an operand is said to have at one coordinate of its variable; 0 where
 * nothing tells. */
double forall_fullest(arena *memory, MlirOperation kernel, MlirOperation forall);

#endif
