/* listed.h - pairs of words in the scratch memory of a workspace: what a policy that grows lists, a
 * key (level_key) and the position of its value (hash_, map_, vector_, coord_accumulator.c);
 * a table's slots as well.
 *
 *     i          0     1     2          listed_first    7 2 9
 *     scratch    7 0   2 1   9 2        listed_second   0 1 2
 */
#ifndef LACUNA_LISTED_H
#define LACUNA_LISTED_H

#include "level_format.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LISTED_FIRST_ROOM = 32 };
enum { LISTED = 0, LISTED_WORDS = 2 };      /* the scratch memory of the list; words of a pair */
enum { LISTED_COUNT = 0, LISTED_ROOM = 1 }; /* variables: how many are listed, may be */

/* The words of pair i of scratch memory n. */
MlirValue listed_first(level *l, int n, MlirValue i);
MlirValue listed_second(level *l, int n, MlirValue i);
void listed_store(level *l, int n, MlirValue i, MlirValue first, MlirValue second);

/* The option of policies that list: how many there is room for at first. */
extern const level_option listed_options[];

/* Functions of the table: room for a few, or as said, at first; what is listed, in its order; the
 * list made ascending, where it has as much room behind it. */
MlirValue listed_insert_size(level *l, MlirValue parent_size);
void listed_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end);
void listed_entry(level *l, MlirValue place, MlirValue *key, MlirValue *position);
void listed_sort(level *l);

#ifdef __cplusplus
}
#endif
#endif
