/* access_order.h - whether a kernel's foralls visit every tensor in an order that its levels allow.
 *
 * A level that can neither locate (operands) nor insert (results) is reached only by walking it, or
 * appending to it, under one parent at a time and in ascending order.  So when a forall makes its
 * coordinate known, those of the levels above it must be known (Kjolstad et al. 2017, section 4),
 * and the forall must visit an interval, not strides:
 *
 *     A : (i : dense, j : compressed)      forall i { forall j { ... A[i, j] ... } }      legal
 *                                          forall j { forall i { ... A[i, j] ... } }      not
 *
 * Where it is appended to, the levels above it must be visited in intervals too: what stands under
 * one parent follows what stands under the one before.
 */
#ifndef LACUNA_ACCESS_ORDER_H
#define LACUNA_ACCESS_ORDER_H

#include "cin_kernel.h"

/* Checks all reads and assignments of the kernel.  At the first one against the order, a
 * diagnostic at the forall, and false; `command` (unless NULL) is what asked for the order. */
bool access_order_verify(arena *memory, provenance *graph, MlirOperation kernel,
                         const char *command);

#endif
