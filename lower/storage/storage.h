/* storage.h - one stored tensor in the code being made: where its arrays are, and how the code
 * reads and builds them.  All functions emit IR through the builder that the storage was made with.
 *
 *     operand    handle (lac_tensor *)  --open-->   memrefs of levels' arrays and of the values
 *     result     handle  --begin-->  each level in its way (building.h)  --finish-->  complete
 *     workspace  no handle: scratch memory, or variables, from begin to release
 *
 * Positions are `index`: the position of an entry in its level, constant 0 for the root above level
 * 0.  Arrays of level k that grow together (its coordinates; below it the children's arrays with an
 * element for each parent; the values) have one capacity, counted in positions of level k, so that
 * an append costs one comparison:
 *
 *     position = end[k]
 *     if position >= capacity[k]        cold: grow all of them; out of memory: position = 0, and
 *       capacity[k] = 2 * capacity[k]   the status says so at the end of the kernel
 *     crd[position] = coordinate
 *     end[k] = position + 1
 *
 * The table that does the storing is the level format's (level_format.h); nothing here knows one by
 * name.
 */
#ifndef LACUNA_STORAGE_H
#define LACUNA_STORAGE_H

#include "format_assembly.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct storage storage;
typedef struct storage_runs storage_runs;

/* A storage in `memory`, nothing emitted.  `name` is the tensor's name in messages.  `handle` is an
 * !llvm.ptr to a lac_tensor (null for a workspace), `status` an !llvm.ptr to the kernel's int32_t
 * status, 0 at first.  Both must dominate all uses of the storage. */
storage *storage_make(arena *memory, builder *b, const tensor_format *format, const char *name,
                      MlirValue handle, MlirValue status);

const tensor_format *storage_format(const storage *s);
const level_format *storage_level_format(const storage *s, int k);
/* Level k, for the functions of its format's table. */
level *storage_level(storage *s, int k);
/* The variables of a walk (level_format.h, `cursors`) are those of the level from here on. */
enum { LEVEL_CURSORS = 2 };
void storage_take_cursors(level *l, const variable *cursors);
/* Extent of dimension d and size of level k, index.  Of an operand: after storage_expect held. */
MlirValue storage_dimension(storage *s, int d);
MlirValue storage_level_size(storage *s, int k);
/* Whether a coordinate is one of the level's, from 0 to below its size. */
MlirValue level_is_inside(level *l, MlirValue coordinate);
/* Whether an entry has these coordinates still, at a place behind one that has: of a level whose
 * pos_access is level_entry_access. */
MlirValue level_entry_is_at(level *l, MlirValue place, const MlirValue *coordinates);
/* The number of values of an operand. */
MlirValue storage_value_count(storage *s);

/* How a tensor of `format` is stored, as lac_kernel.h's signatures say it: "f64 2 dense
 * compressed:64:32", with the layouts of the levels. */
const char *storage_signature(arena *memory, const tensor_format *format);

/* What its levels hold of the dimensions, as lac_kernel_sizes reads it: "0 1", "0/4 1/4 0%4 1%4".
 */
const char *storage_sizes(arena *memory, const tensor_format *format);

/* The sizes that a type tells of its dimensions, as lac_kernel_shape reads it: "3x?"; NULL where it
 * tells none. */
const char *storage_shape(arena *memory, MlirType type);

/* The width in bits of the elements of an array of level k; 0 where there is none. */
unsigned storage_array_width(const tensor_format *format, int k, int slot);

/* Operands.  `expect` emits the check that the handle is stored as its format says, with the sizes
 * that its type tells, and gives whether (i1); only where it holds, `open` loads sizes and arrays
 * (once, at the kernel's top). */
MlirValue storage_expect(storage *s, MlirType type);
void storage_open(storage *s);

/* How a result takes the entries of a loop on threads that appends to it, or counts them:
 *
 *     whole      there is no such loop; so do workspaces
 *     joined     each thread makes pieces, which are joined (join.c): nothing is put in itself, and
 *                it needs no finish
 *     told       each appends through a view, where operands tell how many entries (append.c)
 *     counted    so does each, where a first walk of the loop counts them (counted.c)
 *     shared     each counts the entries of ranges, the same ones that are placed (scatter.c)
 *     at_once    threads of a device count entries, and place them, each at the next place under
 *                its parent; siblings are ordered behind that (scatter.c)
 *     piece      it is what one of the threads fills: a piece, a view, the counts of a range
 *     counts     what stands for a counted one in that walk: entries have numbers, and nothing is
 *                stored
 */
typedef enum storage_role {
  STORAGE_WHOLE,
  STORAGE_JOINED,
  STORAGE_TOLD,
  STORAGE_COUNTED,
  STORAGE_SHARED,
  STORAGE_AT_ONCE,
  STORAGE_PIECE,
  STORAGE_COUNTS
} storage_role;
storage_role storage_role_of(const storage *s);
/* Whether threads that collect have no entry in common, and none that is numbered. */
bool storage_is_apart(const storage *s);
/* Whether it has a place for each value from the start: it is an array, or copied. */
bool storage_has_places(const storage *s);

/* A thread of a device: its number (index), and of how many. */
typedef struct device_thread {
  MlirValue number, count;
} device_thread;
/* The one that runs the code in a launch. */
device_thread device_thread_in(builder *b, const launch *in);

/* How a result is to be built, as sit.result says it, and the loops on it. */
typedef struct building_plan {
  MlirAttribute initial;  /* what values of positions that are there without an entry start as: a
                             typed attribute; null: zero */
  cin_assembly way;       /* as its format allows; of insert and append, either is both: levels
                             that can insert do, others are appended to */
  bool stored;            /* all values are stored before they are read: memory for them need not be
                             cleared */
  bool streams;           /* loops ask for stores past the caches, of values that are not read */
  bool threads;           /* it may be ordered on threads */
  bool runs_on_threads;   /* loops of the kernel do */
  bool apart;             /* threads that collect have no entry in common */
  bool values_later;      /* levels are built first, without the values */
  tin_reduction combines; /* what is done with an entry that comes again; 0: it is stored */
  bool strict;            /* in that order, by IEEE's rules */
  bool structure;         /* of a workspace: it has no values, only coordinates, */
  bool any_order;         /* which need not be sorted */
  bool cleared;           /* of a workspace: it is, after all that is put in it */
  bool deterministic;     /* entries come in the same order each time, in unordered levels too */
  storage_role role;
  const storage *source;       /* of one that is copied: the operand */
  const MlirValue *copied;     /* and the number of positions of each of its levels */
  const device_thread *thread; /* of a workspace or piece: whose it is; NULL: not of a device */
} building_plan;
/* The first level that cannot be built so, -1 where all can: `begin` wants that. */
int building_plan_unfit(const tensor_format *format, const building_plan *p);

/* Results.  `begin` makes the handle an empty tensor with these dimensions (index), chooses how
 * each level is built, and gives whether that worked (i1, else the status says why): the rest of
 * the kernel, `finish` included, must stand under an `if` of it, in which variables may be set.
 * `finish` completes the levels, checks that positions fit their width, and sets the arrays'
 * lengths. */
MlirValue storage_begin(storage *s, const MlirValue *dimensions, const building_plan *p);
void storage_finish(storage *s);
/* After `begin`, of a result that will have an entry at every coordinate, made of operands with so
 * many values: whether that is worth its memory, and nothing has failed. */
MlirValue storage_is_worthwhile_full(storage *s, MlirValue entries);

/* Whether nothing has failed so far (i1). */
MlirValue storage_is_fine(storage *s);

/* Of a result that is joined: of how many pieces (index), by what is expected of the loop; so many,
 * and whether there was memory for them (i1, else the status says so); and the piece that iteration
 * n on threads makes. */
MlirValue storage_piece_count(storage *s);
MlirValue storage_begin_pieces(storage *s, MlirValue count);
MlirValue storage_next_piece(storage *s, MlirValue n);
/* Piece i of them, for coordinates `first` to `end - 1` of the first level, with about `expected`
 * entries; `begun` as of storage_begin.  Finished by storage_finish_piece, from which on it may be
 * joined with the others; storage_join completes the result, behind the loop on threads that made
 * them, and frees what there is of pieces, whether or not all went well, the beginning too. */
storage *storage_begin_piece(storage *s, MlirValue i, MlirValue first, MlirValue end,
                             MlirValue expected, MlirValue *begun);
void storage_finish_piece(storage *s, storage *piece, MlirValue i);
void storage_join(storage *s);

/* Of a result that is told, where operands tell how many entries each level that is appended to
 * gets, and where those of each range go:
 *
 * - reserve: room for so many more entries of a level
 * - view: the same result, to append entries of a range to on one thread: nothing else has changed
 * - view_room: in it, those of a level go behind the first `begin` of all that are told, before
 *   `end` of them; where there come more, the kernel's status says so
 * - append: so many entries of a level have come
 *
 * Of levels of which operands tell entries once they are counted: rows for so many ranges; the
 * entries of a range set, on its thread (`set_end` behind the last); summed up, then what comes
 * before a range, or all where it is the one behind the last; and given back. */
void storage_told_begin(storage *s, MlirValue ranges);
void storage_told_set(storage *s, MlirValue range, int k, MlirValue count);
void storage_told_set_end(storage *s);
void storage_told_sum(storage *s);
MlirValue storage_told_before(storage *s, MlirValue range, int k);
void storage_told_end(storage *s);
void storage_reserve_told(storage *s, int k, MlirValue count);
storage *storage_begin_view(storage *s);
void storage_view_room(storage *view, int k, MlirValue begin, MlirValue end);
void storage_append_told(storage *s, int k, MlirValue count);

/* Of a result that is counted, in `count` ranges:
 *
 * - begin: rows for their counts; `end` gives them back
 * - note: one of `notes` numbers of a range, or behind the last one, that is `noted` from then on
 * - counting: what counts the entries of one range, on its thread; count_entry: the number of an
 *   entry, which is one more; set: how many entries there are, so that range's
 * - make: room for exactly as many as all are; gives whether there is (i1, else the status says
 *   why)
 * - placing: behind `make`, the result as it is now; view: what appends the entries of one range to
 *   it, on its thread
 * - append: all have come */
typedef struct storage_ranges storage_ranges;
storage_ranges *storage_ranges_begin(storage *s, MlirValue count, int notes);
void storage_ranges_note(storage_ranges *c, int note, MlirValue range, MlirValue number);
MlirValue storage_ranges_noted(storage_ranges *c, int note, MlirValue range);
storage *storage_ranges_counting(storage_ranges *c, const device_thread *thread);
MlirValue storage_count_entry(storage *s, int k);
void storage_ranges_set(storage_ranges *c, storage *counts, MlirValue range);
MlirValue storage_ranges_make(storage_ranges *c);
storage *storage_ranges_placing(storage_ranges *c);
storage *storage_ranges_view(storage_ranges *c, storage *placing, const device_thread *thread,
                             MlirValue range);
void storage_ranges_append(storage_ranges *c);
void storage_ranges_end(storage_ranges *c);

/* Of a result that is shared, which `begin` makes counts for, in ranges of what the loop goes over:
 * their number (index); what counts the entries of range i, of so many coordinates, complete with
 * `counted` (under `begun`, as of storage_begin); and, once the result has its edges, where range i
 * begins, from the first coordinate on (also of the one behind the last range), and what places its
 * entries. */
MlirValue storage_share_count(const storage *s);
storage *storage_begin_counts(storage *s, MlirValue i, MlirValue *begun);
void storage_counted(storage *s, storage *counts, MlirValue i, MlirValue coordinates);
MlirValue storage_share_begin(storage *s, MlirValue i);
storage *storage_begin_places(storage *s, MlirValue i);

/* How a level of a result or of a workspace is built: the steps that there are (building.h). */
typedef struct building building;
const building *storage_building(const storage *s, int k);
/* The level whose entries are to be counted next, before those below it are begun by `edges`; -1
 * where none is.  `edges` gives whether there is room for what was counted (i1, else the status
 * says why): all that comes after, `finish` included, must stand under an `if` of it.  A level is
 * released after all that, from when it waits, whether or not there was room. */
int storage_waits_for(const storage *s);
MlirValue storage_edges(storage *s, int k);
void storage_release(storage *s, int k);

/* Of a level that is appended to: the entries that there are; those from `begin` on become the
 * children of `parent` (sit.end, sit.close). */
MlirValue storage_end(storage *s, int k);
void storage_close(storage *s, int k, MlirValue begin, MlirValue parent);
/* Room for `count` more entries of level k; gives whether there is (i1; if not, the status says
 * why). Where it holds, that many appends up to `leave` check nothing. */
MlirValue storage_enter_room(storage *s, int k, MlirValue count);
void storage_leave_room(storage *s, int k);
/* Whether it has the room that an operand tells, and no more. */
bool storage_is_told(const storage *s, int k);

/* Of a result that is collected: whether level k holds a counter, and the number of an entry with
 * that coordinate of the dimension, one more each time until the next `edges`. */
bool storage_numbers(const storage *s, int k);
MlirValue storage_number(storage *s, int k, MlirValue coordinate);

/* Workspaces, of a policy or of dense levels: values all the plan's initial one, which combine by
 * it; gives whether there was memory (i1; if not, what there was is given back): all uses, and the
 * release of level 0 at their end, must stand under an `if` of it. Null where none is wanted, as
 * one that `is_small` may be held: its values are variables, and nothing is released. */
MlirValue storage_workspace_begin(storage *s, const MlirValue *dimensions, const building_plan *p,
                                  bool is_small);
bool storage_in_registers(const storage *s);
bool storage_is_own(const storage *s); /* of each thread of a GPU */

/* A workspace of a policy that a loop on threads fills (runs.c), with these dimensions: threads
 * gather in workspaces of their own, and what they gathered is merged when it is ordered; `begun`
 * as of a workspace.  Whether one is such; how it is walked; how many entries it has, once it was
 * ordered.
 *
 * - begin: so many threads, or parts of the loop, will gather, each once
 * - next: the number of the next part of the loop that no thread has taken, from 0 on
 * - own: a workspace for one of them, under `begun`; end: it was number n, and what is in it goes
 *   along with that of the others.  It is to be released */
storage *storage_gather_by_threads(arena *memory, builder *b, const tensor_format *policy,
                                   MlirValue status, const MlirValue *dimensions,
                                   const building_plan *p, MlirValue *begun);
bool storage_is_gathered_by_threads(const storage *s);
const tensor_format *storage_gathered_format(arena *memory, const tensor_format *policy);
MlirValue storage_gathered_count(const storage *s);
void storage_gather_begin(storage *s, MlirValue count);
MlirValue storage_gather_next(storage *s);
storage *storage_gather_own(storage *s, MlirValue *begun);
void storage_gather_end(storage *s, storage *own, MlirValue n);

/* Copies of the values of a result that is an array, for threads that reduce into it by `kind` at
 * once: `count` of them (index), the first the result's own, the others all the identity; the copy
 * of a number, to be reduced into; `end` puts them together in the order of their numbers.  Where
 * there was no memory the status says so, and copies are not to be used. */
typedef struct storage_copies storage_copies;
storage_copies *storage_copies_begin(storage *s, tin_reduction kind, MlirValue count);
storage *storage_copy(storage_copies *c, MlirValue number);
void storage_copies_end(storage_copies *c, bool strict);
/* Scalars, one for each of `count` chunks, which set theirs; `end` gives `first` with all of them
 * put together in their order.  Memory as above; the storage tells the status. */
typedef struct storage_partials storage_partials;
storage_partials *storage_partials_begin(storage *s, MlirType element, MlirValue count);
void storage_partial_set(storage_partials *p, MlirValue number, MlirValue value);
MlirValue storage_partials_end(storage_partials *p, tin_reduction kind, MlirValue first,
                               bool strict);

/* Values.  The position of a tensor of order 0 is constant 0 (or a null value).  `accumulate`
 * reduces by `kind` as builder.h's combine; with `atomic` safely from several threads. */
MlirValue storage_load(storage *s, MlirValue position);
void storage_store(storage *s, MlirValue value, MlirValue position);
/* The same for `lanes` consecutive positions from `position`, a vector, or for some that are `step`
 * apart; a mask as for load_lanes. */
MlirValue storage_load_lanes(storage *s, MlirValue position, int64_t lanes, MlirValue mask);
MlirValue storage_load_lanes_strided(storage *s, MlirValue position, int64_t step, int64_t lanes,
                                     MlirValue mask);
void storage_store_lanes(storage *s, MlirValue value, MlirValue position, int64_t lanes,
                         MlirValue mask);
/* Of an operand: those at position + spread[lane] in lanes of the mask, anything in the others, by
 * one instruction or by a load for each lane; and all of them, as a memref. */
MlirValue storage_gather(storage *s, MlirValue position, MlirValue spread, MlirValue mask);
MlirValue storage_gather_by_loads(storage *s, MlirValue position, MlirValue spread, MlirValue mask);
/* Of a result: reads and writes those at position + spread[lane] in lanes of the mask, which are
 * different places. */
MlirValue storage_gather_written(storage *s, MlirValue position, MlirValue spread, MlirValue mask);
void storage_scatter(storage *s, MlirValue value, MlirValue position, MlirValue spread,
                     MlirValue mask);
MlirValue storage_values(const storage *s);
/* Of an operand: those coordinates of level k, at each position, as a memref; null where they do
 * not stand in an array so (LEVEL_EACH_COORDINATE). */
MlirValue storage_coordinates(const storage *s, int k);
/* How many there are (index); null also where other things stand between them, and of a result. */
MlirValue storage_coordinate_count(const storage *s, int k);
void storage_accumulate(storage *s, tin_reduction kind, MlirValue value, MlirValue position,
                        bool atomic, bool strict);

#ifdef __cplusplus
}
#endif
#endif
