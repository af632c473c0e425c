/* first_level.h - where the first level of a result gets its coordinates from in a loop on threads:
 * from the loop, or from one in it that goes through a part of them, right there or in others that
 * count parts of parts; or they are sums of those of loops, each of which goes on where the loop in
 * it has ended.
 *
 *     sit.coiterate over %parts on cpu_thread {        case () as (%i0)
 *       sit.coiterate over %more {                     case () as (%i1)
 *         sit.coiterate .. from f(%i0, %i1) to ..      f computes with these alone
 *
 *     sit.coiterate over %blocks on cpu_thread {       case () as (%i_block)
 *       sit.coiterate over %c4 {                       case () as (%i_in)
 *         sit.insert .. level 0 at 4 * %i_block + %i_in
 */
#ifndef LACUNA_FIRST_LEVEL_H
#define LACUNA_FIRST_LEVEL_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct first_level {
  MlirOperation loop;
  bool follows;         /* whether it is so */
  MlirOperation entry;  /* an operation that gets a coordinate; null where it is the loop's own */
  MlirOperation inside; /* the loop through a part, where the coordinate is that one's; else null */
} first_level;

first_level first_level_of(const lowering *k, MlirOperation loop);

/* The loop whose coordinates those of the first level are, where it is one's. */
MlirOperation first_level_loop(const first_level *f);

/* The coordinate from which on the level gets those of the loop's coordinates from `at` on, which
 * may be behind its last. */
MlirValue first_level_begin(lowering *k, const first_level *f, MlirValue at);

/* Whether each part ends where the next one begins, or at `*limit`, which is null where there is no
 * such. */
bool first_level_is_gapless(const first_level *f, MlirValue *limit);

#ifdef __cplusplus
}
#endif
#endif
