/* building.h - the ways in which levels of a result, and workspaces, are built: a table, one file
 * each.
 *
 *     way         entries come                              and are
 *     insert      in any order                              put in their places at once
 *     copy        in any order, those of an operand         there, as the operand's are copied
 *     append      in order                                  put behind the last
 *     scatter     in any order of their parents             counted, then placed (Chou et al. 2020)
 *     collect     in any order, several to a coordinate     counted, then placed
 *     note        so, to a level that only appends          noted, then appended in order
 *     record      so, to levels down to the values          recorded, sorted, appended in order
 *     collect     so, by loops on threads                   recorded, then collected
 *     workspace   in any order, again and again             put in their places in scratch memory
 *     registers   so, few of them                           put in variables
 *
 * A level has one way from `begin` on.  Levels of a result are begun from the first to the last;
 * one that is counted ends that until it has its edges:
 *
 *     i : dense, j : compressed       insert, scatter    begin i, begin j | count j .. | edges j,
 *                                                        values | place .. | finish i, finish j
 *     i : compressed, j : compressed  append, append     begin i, begin j, values | place .. close
 *                                                        | finish i, finish j
 *
 * A step that a way does without is NULL, and asked for nowhere else than here: whoever wants to
 * know what can be done with a level looks whether the step is there.  The formats' own functions
 * (level_format.h) do the storing.  A result that threads append to is built in pieces, each begun
 * and finished by itself, and then joined (join.c).
 */
#ifndef LACUNA_BUILDING_H
#define LACUNA_BUILDING_H

#include "ir.h"
#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

struct building {
  const char *name;   /* what a level is, for messages: "appended to" */
  op_kind *placed_by; /* the operation of sit that places an entry */

  /* Whether level k of a result that is built by the plan goes this way.  NULL of workspaces. */
  bool (*takes)(const tensor_format *format, int k, const building_plan *p);

  /* Makes the level ready below l->parents positions (null: they grow); gives the number of its own
   * (null: they grow, or are known once it has its edges). */
  MlirValue (*begin)(level *l);
  /* Of a level that is counted: counts an entry; with all counted, makes room, and gives the number
   * of positions. */
  void (*count)(level *l, MlirValue parent, MlirValue coordinate);
  MlirValue (*edges)(level *l);
  /* Of a level that is counted, where that and placing go on threads (share.c), in ranges of which
   * each has counts of its own: the result to count the entries of range i in (`begun` as of
   * storage_begin) and how many have been; with the edges, the one to place them in. */
  storage *(*begin_counts)(level *l, MlirValue i, MlirValue *begun);
  MlirValue (*counted)(level *counts);
  storage *(*begin_places)(level *l, MlirValue i);
  /* The position of an entry with coordinates of levels 0 to this one, stored. */
  MlirValue (*place)(level *l, MlirValue parent, const MlirValue *coordinates);
  /* With all placed, orders them; for a workspace as often as one likes. */
  void (*order)(level *l);
  /* Empties a workspace. */
  void (*clear)(level *l);
  /* Completes the level below so many positions; gives the number of its own. */
  MlirValue (*finish)(level *l, MlirValue parents);
  /* Gives scratch memory back, whether or not all went well. */
  void (*release)(level *l);

  /* Of the last level whose way has them: memory for the values, so many (null: they grow), once
   * all levels are begun, in place of one for each position that starts as the initial value; and
   * their final length, once all are finished. */
  void (*begin_values)(level *l, MlirValue positions);
  void (*finish_values)(level *l, MlirValue positions);
  /* Values that are elsewhere than in an array. */
  MlirValue (*load)(storage *s, MlirValue i);
  void (*store)(storage *s, MlirValue i, MlirValue value);
};

extern const building building_insert, building_append, building_scatter, building_scatter_listed,
    building_collect, building_collect_recorded, building_collect_along, building_note,
    building_record, building_record_along, building_copy, building_workspace, building_registers;

/* A way that is asked before those above whether it takes a level, of whoever lowers results from
 * now on: the table stays its owner's.  False where there are too many, or it takes none. */
bool building_register(const building *way);

/* Makes what is built of a storage, with these dimensions. */
void storage_build(storage *s, const MlirValue *dimensions, const building_plan *p);
/* The handle becomes an empty tensor as the storage says. */
void storage_set_up(storage *s);
/* The levels of a result that is set up get their ways and are begun (building.c). */
void storage_choose_ways(storage *s);
MlirValue storage_begin_levels(storage *s);
/* The same of levels k on, below so many positions. */
MlirValue storage_begin_levels_from(storage *s, int k, MlirValue parents);
/* Joins the pieces (join.c), which are still there then, their sizes summed up where they are
 * several; values too, but where they come later. */
void storage_join_pieces(storage *s);
/* Completes all levels; `positions[k]`, where not NULL, becomes the number of those of level k. */
void storage_finish_levels(storage *s, MlirValue *positions);
void storage_finish_levels_from(storage *s, int k, MlirValue parents, MlirValue *positions);

/* An array of so many values, all the initial one. */
void storage_begin_values(storage *s, MlirValue positions);
/* `size` where all is well so far, else 0. */
MlirValue storage_size_if_fine(storage *s, MlirValue size);
/* The state of a level's way, `size` bytes of zero. */
void *building_state(level *l, size_t size);

/* Of a level that is appended to: so many positions in all that grows with it. */
void append_reserve_positions(level *l, MlirValue count);
/* Of a result that is counted (counted.c): what stands for it in the walk that counts; the result
 * with its arrays where they are, as long as they are now; and of a view, a level that has room for
 * all that comes. */
storage *append_counting(storage *s);
storage *append_fixed(storage *s);
void append_unchecked(storage *view, int k);
/* A result that was begun elsewhere, its arrays where they are now, its levels that are appended to
 * with so many entries. */
storage *append_to_now(storage *s, const MlirValue *ends);

/* Whether pieces of a result are joined as they come (turns.c), and not behind the loop that makes
 * them; their number; the result made ready, where they are several; piece i, which is finished
 * (`piece` tells how it was made), and all others whose turn it is then, joined; and the result
 * completed, once all are.  Arrays of a piece that may be made where they will stand, as a set
 * (lac_kernel.h); whether one is among them, the values of level -1: those of which each element is
 * stored as its position is appended. */
bool turns_are_taken(const storage *s);
MlirValue turns_count(storage *s);
int64_t turns_in_place(const storage *s);
bool turns_lend(const storage *s, int k, int slot);
void turns_begin(storage *s);
void turns_take(storage *s, const storage *piece, MlirValue i);
void turns_finish(storage *s);

/* Whether the level can be appended to. */
bool building_appends(const tensor_format *format, int k);

/* Steps that ways share: the position of a coordinate in a level that inserts; the values cut off
 * where there are as many as positions. */
MlirValue building_insert_coordinate(level *l, MlirValue parent, const MlirValue *coordinates);
void building_trim_values(level *l, MlirValue positions);

/* What collecting (collect.c) and noting (note.c) share: how many entries the last walk counted;
 * the values of a result in which that was the last level. */
typedef struct collected {
  variable entries;
} collected;
void collected_begin(level *l);
void collected_count(level *l);
void collected_begin_values(level *l, MlirValue positions);

/* Ranges that are counted on threads (share.c): whether the level's are; pieces for the counts,
 * each of so many, and behind the sizes of their levels those of the ranges; with all counted, how
 * many entries the level has.  To be given back by piece_tensors_free. */
bool share_is_made(const level *l);
void share_begin(level *l, MlirValue counts);
MlirValue share_sum(level *l);

/* Puts siblings in order that threads of a device have placed at once (scatter_order.c). */
void scatter_order(level *l);

/* A workspace in variables, where it is small enough: false where it is not. */
bool registers_begin(storage *s, const MlirValue *dimensions, const building_plan *p);

/* Counters that a result's levels hold (numbers.c): made, set to 0 before a walk, given back. */
void numbers_make(storage *s);
void numbers_clear(storage *s);
void numbers_release(storage *s);

#ifdef __cplusplus
}
#endif
#endif
