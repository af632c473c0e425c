/* dot.h - what a program's passes reason about, as pictures in Graphviz's language (a .dot file):
 *
 *     at tin    the iteration graph of each statement: which loop must stand inside which, and why
 *     at cin    the provenance graph of each kernel: which variable derives from which, the loops
 *     at sit    the merge lattice of each loop that walks levels
 */
#ifndef LACUNA_DOT_H
#define LACUNA_DOT_H

#include "arena.h"
#include "ir.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the pictures of all that a module has at whatever rung it is, but for conversions, each a
 * digraph with a title. */
void dot_write(arena *memory, MlirOperation module, FILE *out);

/* The parts, one file each. */
void dot_iteration_graphs(arena *memory, MlirOperation module, FILE *out);
void dot_provenance_graphs(arena *memory, MlirOperation module, FILE *out);
void dot_merge_lattices(arena *memory, MlirOperation module, FILE *out);

/* digraph "KIND of TITLE" { label = ...; and its end; a text as Graphviz quotes it, in `memory`. */
void dot_begin(arena *memory, FILE *out, const char *kind, const char *title);
void dot_end(FILE *out);
const char *dot_text(arena *memory, MlirStringRef text);

#ifdef __cplusplus
}
#endif
#endif
