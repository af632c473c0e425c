/* sparsify_windows.h - loops through windows that are written out (sparsify_windows.c). */
#ifndef LACUNA_SPARSIFY_WINDOWS_H
#define LACUNA_SPARSIFY_WINDOWS_H

#include "sparsify_state.h"

/* Whether the iterations of a walk that only counts, through a window of what is added to others in
 * subscripts, are written one after another where there are just `count`: no loop is left inside of
 * them. */
bool window_is_written_out(const sparsifier *p, const index_statement *forall, const coiteration *c,
                           int64_t count);
/* The condition under which that is so, and the walk then: the window, or all of the extent, is so
 * wide, and nothing is clipped off. */
MlirValue emit_window_is_whole(sparsifier *p, const index_statement *forall, const coiteration *c,
                               int64_t count, coiteration *whole);

#endif
