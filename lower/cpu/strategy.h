/* strategy.h - what is done for a CPU with the loops of a walk that would be right without: it
 * takes one thing for another that is faster there, and changes no result but the order of sums.
 *
 *     sit.coiterate %B level 1 under %pB, %C level 1 under %pC strategies {blocks, search} ...
 *
 * `sit-choose-strategies` writes down which are worth it; lowering reads that, and leaves off what
 * is not said, or what a walk does not allow after all.  Another target has strategies of its own:
 * without that pass there are none.
 *
 * One file a strategy, with its choice and its code; one line each in strategy_table.c.
 */
#ifndef LACUNA_STRATEGY_H
#define LACUNA_STRATEGY_H

#include "walked.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct strategy {
  const char *name;  /* the word in `strategies {...}` */
  const char *words; /* what the loop does by it, for `--explain`: "skips by searching"; or NULL */
  /* Whether it is worth it for a walk, and then its number where it has one (`lanes = 8`); those
   * before it in the table stand on the operation already.  Emits nothing. */
  bool (*choose)(const walked *w, int64_t *number);
  bool has_number;
  /* Where its code is long: a kernel whose walks that want it have more levels has none; or 0. */
  int most_levels;
} strategy;

/* Rows as one (flat.c); entries at a time, as lanes of a vector, but one by one where they are few
 * in all (reduction.c); iterations at a time, through loops inside that are the same for them
 * (jam.c); a few coordinates, one after another in the code (write_out.c); a level by
 * looking it up in a table of the other (look_up.c); two levels, block by block (intersect.c); a
 * level by searching where it is much longer than others (seek.c); cases without branches
 * (select.c); memory for what is appended, before the loops (reserve.c); prefetches so many entries
 * ahead (read_ahead.c); windows begun near the last one, or near the last one of their row
 * (cursor.c); threads that have shares of one size, or take so many iterations at a time (deal.c);
 * rows that all threads share (long_rows.c); stores past the caches (stream.c).
 */
extern const strategy flat_strategy, lanes_strategy, fours_strategy, jam_strategy,
    write_out_strategy, look_up_strategy, blocks_strategy, select_strategy, search_strategy,
    reserve_strategy, read_ahead_strategy, static_strategy, dynamic_strategy, long_rows_strategy,
    cursor_strategy, cursors_strategy, stream_strategy;

/* The table, in the order in which they are chosen. */
const strategy *strategy_at(int i); /* NULL behind the last */
const strategy *strategy_find(MlirStringRef name);
/* The words of the strategy of that name; NULL for none. */
const char *strategy_words(MlirStringRef name);
/* One more, of a library's own; not for use while passes run.  Nothing where the table is full. */
void strategy_register(const strategy *s);

/* Whether a sit.coiterate says it; and its number, 0 where it does not. */
bool strategy_is_taken(MlirOperation coiterate, const strategy *s);
int64_t strategy_number(MlirOperation coiterate, const strategy *s);
void strategy_take(MlirOperation coiterate, const strategy *s, int64_t number);

/* Whether all that a sit.coiterate says is a strategy of the table, with a number exactly where
 * that has one; an error at it if not. */
bool strategies_verify(MlirOperation coiterate);

#ifdef __cplusplus
}
#endif
#endif
