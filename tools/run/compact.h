/* compact.h - narrower positions and coordinates, where sizes allow them: --compact.
 *
 *     dense, compressed, pos = 64, crd = 64, 1000 x 1000, 5000 entries  ->  pos = 16, crd = 16
 */
#ifndef LACUNA_RUN_COMPACT_H
#define LACUNA_RUN_COMPACT_H

#include "compiler.h"
#include "inputs.h"

/* Gives every operand whose format has the widths that formats have by themselves (64 bits) the
 * least of 8, 16, 32 and 64 bits that hold its coordinates and the number of its entries, and the
 * results the least that hold their coordinates, where their sizes are known. */
void compact_formats(inputs *in, compiler *c);

#endif
