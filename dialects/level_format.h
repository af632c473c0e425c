/* level_format.h - level formats as plug-ins: a table of C functions and flags.
 *
 * A level format stores one level of a coordinate hierarchy (Chou et al. 2018, section 3).  Its
 * functions *emit* IR through the builder that the level hands out; the code generator
 * asks the table and nothing else.  A built-in format is one file in lower/levels/ and registers
 * itself when the program starts, exactly as a user's shared library does:
 *
 *     static const level_format format = {.name = "dense", ...};
 *     __attribute__((constructor)) static void start(void) { level_format_register(&format); }
 */
#ifndef LACUNA_LEVEL_FORMAT_H
#define LACUNA_LEVEL_FORMAT_H

#include "builder.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a level can do (Table 1 of the paper; WORKSPACE: insert in any order, then sort, walk and
 * clear; SCATTER: take entries in any order of their parents, once they have been counted; COLLECT:
 * take them in any order at all, and several of one coordinate, once they have been counted).
 * WORKSPACE makes a format a policy of workspaces (Zhang et al. 2024, section 5), a user's own too:
 * `policy` of the table is what it is asked for by. */
enum {
  LEVEL_COORDINATE_ITERATION = 1, /* coord_iter, coord_access */
  LEVEL_POSITION_ITERATION = 2,   /* pos_iter, pos_access */
  LEVEL_LOCATE = 4,
  LEVEL_INSERT = 8,
  LEVEL_APPEND = 16,
  LEVEL_WORKSPACE = 32,
  LEVEL_SCATTER = 64,
  LEVEL_COLLECT = 128
};

/* Whether threads may call collect_count at once, and then collect_coord: under different parents,
 * where what is counted and placed under one touches nothing of another's, and no variable of the
 * level; or under one parent, where collect_count stores by level_scratch_raise alone, and
 * collect_coord only reads. */
typedef enum level_sharing {
  LEVEL_ALONE,
  LEVEL_SHARED_APART, /* under different parents */
  LEVEL_SHARED_FIRST, /* as a first level, under its one parent */
  LEVEL_SHARED        /* under any */
} level_sharing;

/* What holds of a level. */
enum {
  LEVEL_FULL = 1,         /* every coordinate is encoded */
  LEVEL_ORDERED = 2,      /* siblings are visited in ascending order */
  LEVEL_UNIQUE = 4,       /* no two siblings have one coordinate */
  LEVEL_BRANCHLESS = 8,   /* exactly one coordinate under each parent */
  LEVEL_COMPACT = 16,     /* no unlabelled nodes between coordinates */
  LEVEL_CONSECUTIVE = 32, /* consecutive coordinates below one parent have consecutive positions */
  LEVEL_PADDED = 64,      /* coordinates are encoded between those that there are */
  LEVEL_EVEN = 128 /* a coordinate is as many positions on, below the next parent, as the level
                      is long (level_size) */
};

/* One coordinate under each parent, and every one: it follows from those of the levels above, and
 * nothing is stored (offset), so that one of them must hold an expression of it. */
enum { LEVEL_IMPLIED = LEVEL_FULL | LEVEL_BRANCHLESS };
static inline bool level_is_implied(unsigned properties) {
  return (properties & LEVEL_IMPLIED) == LEVEL_IMPLIED;
}

/* What the elements of an array slot are: their width in bits follows (the format's pos or crd, 8,
 * or the level's first integer argument: 8, 16, 32 or 64).  Of at most one slot it is said that
 * element q is the coordinate at place q, of the entry at position q, and that there is one at
 * every place: several are then loaded at once, and the entries of a list ordered by it. */
typedef enum level_array_kind {
  LEVEL_NO_ARRAY,
  LEVEL_POSITIONS,
  LEVEL_COORDINATES,
  LEVEL_EACH_COORDINATE, /* as wide as these */
  LEVEL_BYTES,
  LEVEL_ARGUMENT_WIDE
} level_array_kind;
enum { LEVEL_ARRAY_COUNT = 4 };

/* A level of one tensor in the code being made.  The accessors below are all that a format may use.
 */
typedef struct level level;

/* An option of a policy of workspaces, of which it may have so many: what it is called, and the
 * largest number it may be. */
typedef struct level_option {
  const char *name;
  int64_t most;
} level_option;
enum { LEVEL_MOST_OPTIONS = 8 };

typedef struct level_format {
  const char *name; /* first in every version */
  unsigned capabilities;
  unsigned properties;   /* when the format text says nothing */
  unsigned configurable; /* of LEVEL_ORDERED | LEVEL_UNIQUE: what (unordered), (nonunique) may take
                            away */
  int arguments;         /* how many integers its text takes: 1 in delta(16) */
  level_array_kind arrays[LEVEL_ARRAY_COUNT];
  const char *layout; /* how long the arrays are, which positions are under a parent, what bounds
                         and orders coordinates, in rules (runtime/lac_layout.h; k: the first
                         argument, m: that of the level which lends its arrays): stored tensors are
                         checked by them.  NULL: only that the arrays are there */
  /* Of two formats that are one structure, as tuples and their elements: its arrays are also those
   * of levels below, n - 1 for a first argument n; it uses those of the level as many levels above
   * as its first argument says.  Arrays of structures cannot be said level by level otherwise, and
   * one without the other must be refused. */
  bool lends, borrows;
  /* Its first argument, 1 or more, says how many positions are under a parent.  What neither the
   * arrays nor the level's size tell is part of the kind of a stored level, nm(2): or else one with
   * three places would be taken for one with two. */
  bool places;
  int cursors; /* how many variables (level_get) each walk has of its own, up to 2: what it
                 remembers from one place to the next, set by pos_iter */

  /* Coordinate value iteration: coordinates [begin, end) under the ancestors' coordinates; then the
   * position of one of them. `coordinates` holds those of levels 0 to this one.  `*found` stays
   * null where every coordinate is there. */
  void (*coord_iter)(level *l, const MlirValue *coordinates, MlirValue *begin, MlirValue *end);
  void (*coord_access)(level *l, MlirValue parent, const MlirValue *coordinates,
                       MlirValue *position, MlirValue *found);

  /* Coordinate position iteration: places [begin, end) under position `parent`; then the coordinate
   * at a place, and the position of that entry (the place itself unless `*position` is set). */
  void (*pos_iter)(level *l, MlirValue parent, MlirValue *begin, MlirValue *end);
  void (*pos_access)(level *l, MlirValue place, const MlirValue *coordinates, MlirValue *coordinate,
                     MlirValue *position, MlirValue *found);

  /* Optional, of a branchless level whose places are the positions of its parents: pos_access at
   * `lanes` consecutive places at once, where consecutive parents run on the lanes of vectors.  The
   * others walk one parent at a time: their children are the lanes (LEVEL_EACH_COORDINATE).
   * `*coordinates` are integers as they are stored, `*found` is a mask, or stays null where every
   * place has an entry.  Lanes outside of `mask` (null: none are) may be whatever, but what they
   * would be read from may not be there (level_load_masked). */
  void (*pos_access_lanes)(level *l, MlirValue place, MlirValue mask, int64_t lanes,
                           MlirValue *coordinates, MlirValue *found);

  void (*locate)(level *l, MlirValue parent, const MlirValue *coordinates, MlirValue *position,
                 MlirValue *found);

  /* Optional: how the parent of a position is found.  Of so many parents, the positions of which
   * stand one after another: how many have theirs begin before `position`.  Where it is null, those
   * of a compact level that is iterated by position are searched (Senanayake et al. 2020, section
   * 5.1). */
  MlirValue (*parents_before)(level *l, MlirValue parent_size, MlirValue position);

  /* Assembly by insertion: the number of positions under `parent_size` parents; make ready; the
   * position of a coordinate, made present if it is not; optional: complete (workspaces, which go
   * as they are cleared, never are). */
  MlirValue (*insert_size)(level *l, MlirValue parent_size);
  void (*insert_init)(level *l, MlirValue parent_size, MlirValue size);
  /* Optional, where there are arrays (a format without needs none): instead of insert_init, below a
   * level that is appended to: room for `size` positions under so many parents, new ones as
   * insert_init makes them.  Results with such a level are refused where it is not there: what
   * inserts mostly stores values alone, which grow by themselves. */
  void (*insert_reserve)(level *l, MlirValue parent_size, MlirValue size);
  MlirValue (*insert_coord)(level *l, MlirValue parent, const MlirValue *coordinates);
  void (*insert_finalize)(level *l, MlirValue parent_size, MlirValue size);

  /* Assembly by appending: make ready (parent_size is null where the parent itself grows); make
   * room for `parent_size` parents or for `size` entries (the other one is null: it stays as it is;
   * emitted in a branch that is seldom taken); store a coordinate at the next position, for which
   * there is room; make [begin, end) the children of `parent`; complete, with the numbers of
   * parents and of entries. Parents that append_edges was never called for have no children. */
  void (*append_init)(level *l, MlirValue parent_size);
  void (*append_reserve)(level *l, MlirValue parent_size, MlirValue size);
  void (*append_coord)(level *l, MlirValue position, MlirValue coordinate);
  void (*append_edges)(level *l, MlirValue parent, MlirValue begin, MlirValue end);
  void (*append_finalize)(level *l, MlirValue parent_size, MlirValue size);

  /* Assembly by scattering (Chou et al. 2020, section 4: analysis, edge and coordinate insertion),
   * where entries come in any order of their parents: make ready to count the children of so many
   * parents; count one; with all counted, `size` in number, make the edges, and room; store a
   * coordinate at the next position under a parent, and give that position; complete.  A
   * branchless level has one child under each parent: there is nothing to make ready or to count
   * (both may be NULL), and its position is the parent's. */
  void (*scatter_init)(level *l, MlirValue parent_size);
  void (*scatter_count)(level *l, MlirValue parent);
  void (*scatter_edges)(level *l, MlirValue parent_size, MlirValue size);
  MlirValue (*scatter_coord)(level *l, MlirValue parent, MlirValue coordinate);
  void (*scatter_finalize)(level *l, MlirValue parent_size, MlirValue size);
  /* Optional, where join_init is there: scattering on threads, where each has counted what it will
   * place in a piece of its own, made ready by scatter_init.  For parents one after the other, and
   * for each the pieces: what the piece places under the parent goes to the positions from `begin`
   * on; gives how many that are.  The result has its edges from join_init and append_edges; its
   * scatter_coord is called with the piece's arrays of positions in the place of its own. */
  MlirValue (*scatter_share)(level *piece, MlirValue parent, MlirValue begin);
  /* Optional, where scatter_count is level_counts_add, and scatter_coord level_counts_place and
   * stores at the position which that gives, so that threads of a device may call them at once:
   * level_counts_sum_at_once, before scatter_edges; gives how many there are. */
  MlirValue (*scatter_sum)(level *l, MlirValue parent_size);

  /* Assembly by collecting (Chou et al. 2020: attribute queries, section 4; insertion of edges and
   * coordinates, section 5), where entries come in any order, and a coordinate may come several
   * times under one parent: make ready to count under so many parents; count an entry; with all
   * counted, number the positions, make room, and give how many there are; the position of a
   * coordinate that was counted, the same each time.  Values at positions that no entry
   * comes to hold the fill.  Levels below insert, or are collected in walks of their own. */
  void (*collect_init)(level *l, MlirValue parent_size);
  void (*collect_count)(level *l, MlirValue parent, MlirValue coordinate);
  MlirValue (*collect_edges)(level *l, MlirValue parent_size);
  MlirValue (*collect_coord)(level *l, MlirValue parent, MlirValue coordinate);
  level_sharing shared; /* by threads that collect at once */
  /* Optional: completes; gives scratch memory back, always, at the end, once collect_init ran. */
  void (*collect_finalize)(level *l, MlirValue parent_size, MlirValue size);
  void (*collect_release)(level *l);

  /* Optional, of a level whose append_coord and append_edges, or collect_coord, or insert_coord store
   * what follows from their positions and coordinates alone: joining, where threads build pieces of
   * a result, each some neighbouring parents with all that is below them.  Without it such results
   * are appended to on one thread, and put together on one where entries are recorded first.  Make
   * exactly so much room in place of append_init and append_reserve (collect_init and collect_edges,
   * insert_init; where all levels with arrays are appended to, append_init and append_reserve make
   * it, more as pieces come, and join_init is not called); then, for each piece, on several threads
   * at once: its `size` entries become those from position `base` on, and the children of its
   * `parent_size` parents those of the parents from `parent_base` on (null: all pieces have one
   * parent, for which append_edges is called behind all of them).  `piece` is the same level of the
   * piece, complete, to be read alone; its LEVEL_EACH_COORDINATE arrays may be the result's own from
   * `base` on, where what is copied is already. */
  /* Has arrays that are as long as neither parents nor positions: how many elements these have is the
   * level's variable 0 (level_get), once it is complete.  Joined it says how many stand before the
   * piece's, that of the piece how many it has, and in join_init how many there are in all.  What
   * may go on from one parent to the next must not be in a first level that is joined. */
  bool counts;
  void (*join_init)(level *l, MlirValue parent_size, MlirValue size);
  void (*join)(level *l, level *piece, MlirValue parent_base, MlirValue parent_size, MlirValue base,
               MlirValue size);

  /* Workspaces: what the policy is called (NULL: as the format); whether it is taken where nothing
   * is said; whether values grow with what is inserted (level_values_grow), as insert_size says
   * only how many there is room for at first; order what was inserted; empty it at the cost of what
   * was inserted; release scratch memory, emptied. */
  const char *policy;
  bool usual, grows;
  /* Optional, of a policy: what may be said of it, `bucket:size=1024,buckets=16`, each a number
   * from 1 on, up to one without a name.  They are the arguments of its text, as far as they are
   * said: bucket_accumulator(1024, 16), 0 for what is not (level_option). */
  const level_option *options;
  /* Optional, of a policy whose entries may have several coordinates: what it inserts is level_key,
   * of which there are level_key_count, its pos_access is level_entry_access, and `entry` gives the
   * key at a place, and the position of its value.  Levels below have the other coordinates, of a
   * format that says so. */
  bool shares_key;
  void (*entry)(level *l, MlirValue place, MlirValue *key, MlirValue *position);
  void (*sort)(level *l);
  void (*clear)(level *l);
  void (*release)(level *l);
} level_format;

/* The builder to emit through, which level it is (its own coordinate is coordinates[number]), the
 * number of coordinates of the level, its (nonunique, unordered) adjusted properties, and the
 * integer arguments of its format text. */
builder *level_builder(level *l);
int level_number(const level *l);
MlirValue level_size(level *l);
level *level_above(level *l, int64_t levels); /* the level so many levels above */
bool level_is_numbered(const level *l); /* a level above holds a counter: one entry a parent */
unsigned level_properties(const level *l);
intptr_t level_argument_count(const level *l);
int64_t level_argument(const level *l, intptr_t i);
/* What is said of option number i of a policy; `usual` where nothing is. */
int64_t level_option_said(const level *l, intptr_t i, int64_t usual);

/* What the coordinates of the levels above leave: all of the dimension, or, where one of them holds
 * its difference from another, those for which the other is in bounds; and the one coordinate that
 * follows from them where they hold a difference and the other dimension (LEVEL_IMPLIED). */
void level_bounds(level *l, const MlirValue *coordinates, MlirValue *begin, MlirValue *end);
MlirValue level_implied(level *l, const MlirValue *coordinates);

/* Of the first level of a workspace: what tells an entry with these coordinates, its own or those
 * of all levels in one word, ordered as they are; whether there are several levels; how many such
 * there may be, of a policy that does not grow; how many bits they have, of one that does. */
MlirValue level_key(level *l, const MlirValue *coordinates);
bool level_key_is_shared(const level *l);
MlirValue level_key_count(level *l);
MlirValue level_key_bits(level *l);
/* pos_access of a policy that has `entry`, and of the levels below it. */
void level_entry_access(level *l, MlirValue place, const MlirValue *coordinates,
                        MlirValue *coordinate, MlirValue *position, MlirValue *found);

/* The arrays of the level as stored: elements are loaded zero-extended to index, and stored
 * truncated; `lanes` consecutive ones are loaded as they are stored, those from `count` on being
 * the first again, or those outside of `mask` (null: none are) being 0. */
MlirValue level_load(level *l, int slot, MlirValue i);
MlirValue level_load_lanes(level *l, int slot, MlirValue i, MlirValue count, int64_t lanes);
MlirValue level_load_masked(level *l, int slot, MlirValue i, MlirValue mask, int64_t lanes);
void level_store(level *l, int slot, MlirValue i, MlirValue value);
/* The same of a LEVEL_EACH_COORDINATE array. */
MlirValue level_load_coordinates(level *l, MlirValue place, MlirValue count, int64_t lanes);
/* Of an operand: the number of elements. */
MlirValue level_length(level *l, int slot);
/* For results, one of the two for each array: exactly `count` zeroed elements; room for at least
 * `needed`, new ones zero (out of memory: the room stays, and the kernel's status says so), or
 * raw: for arrays whose elements are all stored before they are read; the final length. */
void level_allocate(level *l, int slot, MlirValue count);
void level_allocate_raw(level *l, int slot, MlirValue count);
void level_reserve(level *l, int slot, MlirValue needed);
void level_reserve_raw(level *l, int slot, MlirValue needed);
void level_trim(level *l, int slot, MlirValue count);

/* Of a level that is joined: elements `from` on of an array of a piece's become those `at` on of
 * its own. */
void level_copy(level *l, int slot, MlirValue at, level *piece, MlirValue from, MlirValue count);

/* Whether nothing has failed so far (i1): memory that was asked for is there.  Loops over it right
 * after it was asked for must stand under an `if` of it. */
MlirValue level_is_fine(level *l);

/* How many bits the elements of the array have; 0 where there is none. */
unsigned level_width(const level *l, int slot);
/* What an element of all ones is as it is loaded: formats store it where no coordinate is; and
 * which of several loaded as they are stored are not that. */
MlirValue level_all_ones(level *l, int slot);
MlirValue level_lanes_found(level *l, MlirValue stored);
/* The index x, and x + 1. */
MlirValue level_constant(level *l, int64_t x);
MlirValue level_plus_one(level *l, MlirValue x);

/* The last i in [begin, end) whose element is not above `key`; `begin` where there is none. Element
 * i is element(l, which, i), as of level_load or level_noted_coordinate; they ascend. */
MlirValue level_last_not_above(level *l, MlirValue (*element)(level *l, int which, MlirValue i),
                               int which, MlirValue key, MlirValue begin, MlirValue end);

/* Unless `value` (not negative) fits `bits` bits, the kernel's status says that it does not; `what`
 * is what it is, for the message.  Coordinates and positions themselves are looked after. */
void level_must_fit(level *l, MlirValue value, unsigned bits, const char *what);

/* The kernel's status says that there are more than `most` coordinates under one parent. */
void level_refuse_more(level *l, int64_t most);

/* The kernel's status says that there are not `count` coordinates under some parent. */
void level_refuse_other(level *l, int64_t count);

/* Levels that have a place for each of their N coordinates under each parent: p * N + i for the
 * level's own coordinate i under the parent at p, and how many places that makes. */
MlirValue level_place_of(level *l, MlirValue parent, const MlirValue *coordinates);
MlirValue level_place_count(level *l, MlirValue parent_size);

/* Levels whose children of all parents stand one behind another: an array of positions, of which
 * element p is where the children of parent p begin, and element p + 1 where they end.
 *
 * - children: those of a parent
 * - allocate, reserve: for so many parents, all without children (null: nothing)
 * - store: the end of a parent's; parents come in ascending order
 * - finalize: parents that were passed over have none; the final length
 * - trim: the final length
 * - join: the ends of a piece's parents, of which the first becomes the result's at `parent_base`
 *   (null: nothing), their children those from position `base` on; as `join` of the table */
void level_children(level *l, int slot, MlirValue parent, MlirValue *begin, MlirValue *end);
void level_ends_allocate(level *l, int slot, MlirValue parent_size);
void level_ends_reserve(level *l, int slot, MlirValue parent_size);
void level_ends_store(level *l, int slot, MlirValue parent, MlirValue end);
void level_ends_finalize(level *l, int slot, MlirValue parent_size);
void level_ends_trim(level *l, int slot, MlirValue parent_size);
void level_ends_join(level *l, int slot, level *piece, MlirValue parent_base, MlirValue parent_size,
                     MlirValue base);
/* The same array where children are counted first (scatter_init to scatter_share of the table):
 * made for so many parents; one child more; all counted, and by threads of a device at once, whose
 * level_counts_sum has nothing left to do; the position of a parent's next child,
 * which ends the array as trim expects it; and the share of a piece. */
void level_counts_allocate(level *l, int slot, MlirValue parent_size);
void level_counts_add(level *l, int slot, MlirValue parent);
void level_counts_sum(level *l, int slot, MlirValue parent_size);
MlirValue level_counts_sum_at_once(level *l, int slot, MlirValue parent_size);
MlirValue level_counts_place(level *l, int slot, MlirValue parent);
MlirValue level_counts_share(level *piece, int slot, MlirValue parent, MlirValue begin);

/* The product of two sizes; where it overflows 0, and the kernel's status says so. */
MlirValue level_product(level *l, MlirValue a, MlirValue b);

/* Variables of the level (index-typed, 0 at first): a count, a cursor. n is 0 to 3.  They cannot be
 * set where a loop on threads walks the level itself. */
MlirValue level_get(level *l, int n);
void level_set(level *l, int n, MlirValue value);
bool level_can_set(const level *l, int n);
/* Whether the code is for a processor whose lanes a level may use, not for a thread of a GPU. */
bool level_has_lanes(const level *l);
/* Scratch memory of a workspace, or of a level that is collected: slot n (0 to 3) holds `count`
 * zeroed elements of `width` bits; released with level_scratch_free, or, where it is all zero
 * again, with level_scratch_free_clean, which keeps it for the next workspace of its size. */
void level_scratch(level *l, int n, unsigned width, MlirValue count);
/* The same, where it may grow: to `count` elements, those that there are kept, new ones zero; out
 * of memory all stays, and the kernel's status says so. */
void level_scratch_growing(level *l, int n, unsigned width, MlirValue count);
void level_scratch_grow(level *l, int n, MlirValue count);
MlirValue level_scratch_load(level *l, int n, MlirValue i);
void level_scratch_store(level *l, int n, MlirValue i, MlirValue value);
/* Stores the value where the element is less; also where threads do so at once (level_sharing). */
void level_scratch_raise(level *l, int n, MlirValue i, MlirValue value);
/* Of elements of 8 bits: which of the 64 from 64 * `word` on are not 0, as the bits of an index,
 * the first its lowest; all of them become 0.  Where level_has_lanes. */
MlirValue level_scratch_bits(level *l, int n, MlirValue word);
MlirValue level_scratch_pointer(level *l, int n); /* !llvm.ptr, for calls of the runtime */
/* Puts the first `count` elements in ascending order. */
void level_sort(level *l, int n, MlirValue count);
void level_scratch_free(level *l, int n);
void level_scratch_free_clean(level *l, int n);
/* Values: sets the value at a position to the initial one (the identity of a workspace, the fill of
 * a result). */
void level_reset_value(level *l, MlirValue position);
/* Of a workspace: the value at another position there as well; or reduced into the one there, as
 * what is inserted is. */
void level_move_value(level *l, MlirValue to, MlirValue from);
void level_combine_values(level *l, MlirValue to, MlirValue from);
/* Of a workspace whose values grow: where there was room for `before`, room for `count`, new ones
 * initial; out of memory as level_scratch_grow. */
void level_values_grow(level *l, MlirValue before, MlirValue count);

/* A number (of 32 bits, mixed) of a coordinate, for tables whose sizes are powers of two. */
MlirValue level_hash(level *l, MlirValue coordinate);

/* Coordinates under parents, noted in any order and several times, n being 0 to 3: make ready; note
 * one; number them under so many parents, each once and ascending, and give how many there are; the
 * coordinate of number i, and where the numbers of parent i end; give memory back. */
void level_notes(level *l, int n);
void level_note(level *l, int n, MlirValue parent, MlirValue coordinate);
MlirValue level_notes_number(level *l, int n, MlirValue parent_size);
MlirValue level_noted_coordinate(level *l, int n, MlirValue i);
MlirValue level_noted_end(level *l, int n, MlirValue parent);
void level_notes_free(level *l, int n);

/* The version of what a plug-in is compiled against: one more with each change of the table, of a
 * function above or of builder.h that an older plug-in would not survive. */
enum { LEVEL_FORMAT_VERSION = 12 };

/* The registry.  Not for use while passes run.  The table stays its owner's, who leaves it as it
 * is. A table that lacks a function of its capabilities, whose name is taken, or that was compiled
 * against another version of this header (its version and the size of a table then are registered
 * with it), is left out, and level_format_problem says why. */
void level_format_register_table(const level_format *format, unsigned version, size_t size);
static inline void level_format_register(const level_format *format) {
  level_format_register_table(format, LEVEL_FORMAT_VERSION, sizeof *format);
}
const char *level_format_problem(void); /* of the last table that was left out, or NULL */

/* Loads a shared library whose constructors register level formats: a file, or a name that the
 * system's loader finds.  It stays loaded; one that is loaded already changes nothing.  False, with
 * a message in `*problem` until the next call, where it cannot be loaded, registers none, or one of
 * its formats is left out: then none of them is registered. */
bool level_format_load(const char *library, const char **problem);

const level_format *level_format_find(MlirStringRef name);
/* The slot of the array of each coordinate; -1 where there is none. */
int level_format_coordinates(const level_format *format);
int level_format_count(void);
const level_format *level_format_at(int i);
/* The formats of a coordinate list: a first level that keeps repeated coordinates in the order in
 * which they are appended, and the rest, one coordinate under each entry.  The first registered
 * that can; NULL where none can. */
const level_format *level_format_coordinate_list(bool first);
/* The formats of workspaces: by a policy of that name; what is taken where nothing is said, of
 * those that grow, or of those as long as the dimension.  Or NULL. */
const level_format *level_format_workspace(const char *policy);
const level_format *level_format_usual_workspace(bool grows);
/* The format of the levels below a policy that takes several coordinates; NULL without one. */
const level_format *level_format_shares_key(void);
/* The name of a workspace's policy; how many options it has. */
const char *level_format_policy(const level_format *format);
int level_format_option_count(const level_format *format);

#ifdef __cplusplus
}
#endif
#endif
