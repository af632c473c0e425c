/* widths.h - in how many bits positions and coordinates are stored where a format does not say.
 *
 *     dense, compressed, 1000 x 1000, 5000 entries   ->   crd = 32
 *                                        --compact   ->   pos = 16, crd = 16
 */
#ifndef LACUNA_RUN_WIDTHS_H
#define LACUNA_RUN_WIDTHS_H

#include "compiler.h"
#include "inputs.h"

/* Gives operands and results whose formats say no widths coordinates of 32 bits, where those that
 * they can have fit; with `fewest` the least of 8, 16, 32 and 64 bits, and operands positions of
 * the least that hold the number of their entries. */
void choose_widths(inputs *in, compiler *c, bool fewest);

#endif
