/* format_assembly.h - in which ways a result can be built, as far as its format tells: what each
 * level can do (level_format.h), and what stands above and below it.
 *
 *     format                                   insert  append  scatter  collect  record
 *     i : dense                                  x
 *     i : dense, j : compressed                          x       x                  x
 *     i : compressed, j : compressed                     x                          x
 *     i : hashed, j : run_length                                           x
 *     j - i : compressed, i : range, j : offset          x                 x
 *
 * Which loops each of them wants is in passes/assembly/assembly.h.
 */
#ifndef LACUNA_FORMAT_ASSEMBLY_H
#define LACUNA_FORMAT_ASSEMBLY_H

#include "tensor_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the levels allow that a result is built in this way:
 *
 *     insert      each inserts
 *     append      each inserts or appends, and those with one coordinate under each parent stand
 *                 under one that is appended to, and repeats coordinates
 *     scatter     there is a level to scatter into (below)
 *     collect     one of the levels can be built in no other way, or they hold expressions, so that
 *                 loops seldom go in their order; and all insert, or can be collected or noted
 *     record      there is a level to record from on (below), and those with one coordinate stand
 *                 as for append
 *     copy        there is a level with arrays, or that does not insert: an operand's are copied */
bool tensor_format_builds_by(const tensor_format *format, cin_assembly way);

/* Why a result, called `name`, can be built in none of the ways, in the arena; NULL where it can.
 */
char *tensor_format_unbuilt(arena *memory, const tensor_format *format, const char *name);

/* The level by which entries can be scattered (LEVEL_SCATTER): levels above it insert, it and the
 * branchless ones that may follow take coordinates in any order of their parents, levels below
 * those insert again:
 *
 *     i : dense, j : compressed, k : dense        1
 *
 * -1 where there is none.  And the end of the levels that are scattered together. */
int tensor_format_scatter_level(const tensor_format *format);
int tensor_format_scatter_end(const tensor_format *format);
/* Whether threads of a device can count and place the entries at once, by atomics: of the last
 * level, whose positions are no narrower than these are (32 bits), below levels without arrays. */
bool tensor_format_scatters_at_once(const tensor_format *format);

/* Of a result that is collected: whether level k is one of those that are counted; and whether it
 * only appends, so that its entries are noted, and appended once they are all known.  Then the end
 * of the levels whose coordinates make up one entry of a list, k being the first:
 *
 *     i : hashed, j : compressed(nonunique), k : singleton       1, 3
 */
bool tensor_format_collects_level(const tensor_format *format, int k);
bool tensor_format_notes_level(const tensor_format *format, int k);
int tensor_format_noted_end(const tensor_format *format, int k);

/* The level from which on entries can be recorded, in any order and several of one coordinate too,
 * to be sorted and appended afterwards: levels above it insert, it and all below are appended to,
 * right above the values:
 *
 *     i : dense, j : compressed, k : compressed       1
 *
 * -1 where there is none.  Whether they are one level, or a list below others. */
int tensor_format_record_level(const tensor_format *format);
bool tensor_format_records_siblings(const tensor_format *format);

/* Whether a result that is appended to can be joined of pieces, each for a range of coordinates of
 * its first level: that has a position for each coordinate, or can be joined, and so can each below
 * that has arrays.  The first that cannot be, -1 where all can. */
int tensor_format_unjoined_level(const tensor_format *format);

/* Whether the entries of a result that is appended to can be counted before any is stored: each
 * level is appended to, or has a block of positions below each parent and no arrays.  The first for
 * which that is not so, -1 for none. */
int tensor_format_uncounted_level(const tensor_format *format);

/* Whether levels `first` on can be joined of pieces, each for a range of the positions above, which
 * are of levels without arrays. */
bool tensor_format_is_joined_from(const tensor_format *format, int first);

/* Whether a result that is built so can be by loops on threads, each with counts of its own: the
 * levels above those that are counted insert and have no arrays.  Scattered into, levels below do
 * so too; of those that are collected there is one, below levels with a position for each
 * coordinate and above ones that insert, and none holds a counter. */
bool tensor_format_builds_in_shares(const tensor_format *format, cin_assembly way);
/* That one; -1 where there are others, or none. */
int tensor_format_collected_level(const tensor_format *format);
/* Whether threads may collect at once, each putting its entries where they go (level_sharing):
 * those that have no coordinate of the first level in common, which is above that one; or whichever
 * have no entry in common.  Neither may have a coordinate in common that is numbered. */
bool tensor_format_collects_apart(const tensor_format *format);
bool tensor_format_collects_together(const tensor_format *format);

/* How many levels of a result would be copied from an operand (CIN_COPY): those up to the last that
 * has arrays, or does not insert. */
int tensor_format_copied_levels(const tensor_format *format);

/* The format of a result while it is recorded: the levels are one list, in no order and with
 * repetitions. */
const tensor_format *tensor_format_disordered(arena *memory, const tensor_format *format);

#ifdef __cplusplus
}
#endif
#endif
