/* cursor.h - where windows of levels began last, in a loop that moves them. */
#ifndef LACUNA_CURSOR_H
#define LACUNA_CURSOR_H

#include "coiterate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a loop moves windows that have a cursor. */
bool cursors_are_kept_in(arena *memory, MlirOperation loop);

/* Before a serial loop: its walks' cursors are kept from one iteration to the next.  And behind it,
 * given what `cursors_begin` gave. */
struct kept_cursor *cursors_begin(lowering *k, MlirOperation loop);
void cursors_end(lowering *k, struct kept_cursor *before);

/* How many rows of a sit.coiterate have cursors of their own, 0 where they do not; makes the table
 * of them, an !llvm.ptr to numbers, all 0. */
int64_t cursors_kept(MlirOperation coiterate);
MlirValue cursors_table(lowering *k, MlirOperation coiterate);

/* Bounds the walk of a level as coiteration_clip does, if it has a cursor. */
bool cursor_clip(coiteration *c, int level, MlirValue low, MlirValue high);

#ifdef __cplusplus
}
#endif
#endif
