/* lac_kernel.h - what generated code calls: the runtime's side of a compiled kernel.
 *
 * A compiled kernel is a C function
 *
 *     int32_t f(lac_tensor *result, const lac_tensor *operand, ...);
 *
 * It returns LAC_OK or another lac_status with a message (lac_error_message, lac_error.h).
 * A kernel keeps one `int32_t status` of its own, 0 at first; functions here that can fail take
 * its address, store a status there once something failed and leave it alone otherwise.
 * Nothing here ends the process, and nothing writes out of bounds: where growth fails the array
 * stays as it was, and the kernel goes on inside it (it restarts at position 0) until its end,
 * where the status is returned and the result freed.
 *
 * A *signature* describes how a tensor is stored, in text: an element type, the order, and the
 * levels with the width in bits of the arrays that each uses, in the order of their slots (0: not
 * used):
 *
 *     f64 2 dense compressed:64:32          CSR with 64-bit positions and 32-bit coordinates
 *     f64 2 compressed:64:64 singleton:0:64 COO
 *
 * After the widths of a level its layout may stand, in braces (lac_layout.h).
 */
#ifndef LAC_KERNEL_H
#define LAC_KERNEL_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `tensor` (not NULL) is stored as `signature` says, its arrays' lengths included as far as
 * they can be checked without walking them (lac_tensor_check walks them).  If not: LAC_ERROR_FORMAT
 * with `name`, what was expected and what was found. */
bool lac_kernel_expect(const lac_tensor *tensor, const char *signature, const char *name,
                       int32_t *status);

/* Whether the levels of a tensor that is stored as expected are as large as what they hold of its
 * dimensions, in text, a level each: "0" dimension 0; "0/4", "0%4" its quotient, its remainder;
 * "(2*0+1+#3)" a linear form, counted from its least; and of those the same; "*" what dimensions do
 * not tell.  LAC_ERROR_FORMAT if not.  Says and checks nothing where something has failed before.
 */
bool lac_kernel_sizes(const lac_tensor *tensor, const char *held_by_levels, const char *name,
                      int32_t *status);

/* Whether a tensor that is stored as expected has the dimensions of a text, "3x?" where any second
 * one will do.  LAC_ERROR_SHAPE with both shapes if not.  Says and checks nothing where something
 * has failed before. */
bool lac_kernel_shape(const lac_tensor *tensor, const char *dimensions, const char *name,
                      int32_t *status);

/* Makes `result` an empty tensor with `signature`, the given dimensions (as many as the signature's
 * order) and level sizes (as many as its levels): frees what it held and owned, allocates the
 * fields, no arrays.  LAC_ERROR_OVERFLOW where a level's size is INT64_MIN, as of coordinates of
 * more than 63 bits, LAC_ERROR_SHAPE where it is negative else, LAC_ERROR_MEMORY.  That coordinates
 * fit their arrays the caller checks by lac_kernel_fits. */
bool lac_kernel_setup(lac_tensor *result, const char *signature, const int64_t *dimensions,
                      const int64_t *level_sizes, int32_t *status);

/* Whether the extents of index variable `name`, as two tensors have it, agree; LAC_ERROR_SHAPE with
 * both extents if not. */
bool lac_kernel_match(const char *name, int64_t expected, int64_t found, int32_t *status);

/* Whether a subscript that takes the values low to high (none where low > high) stays inside 0 to
 * extent - 1; LAC_ERROR_SHAPE with both ranges if not. */
bool lac_kernel_within(const char *subscript, int64_t low, int64_t high, int64_t extent,
                       int32_t *status);

/* a * b for sizes (both >= 0); LAC_ERROR_MEMORY and 0 where it does not fit in 63 bits. */
int64_t lac_kernel_product(int64_t a, int64_t b, int32_t *status);

/* How many threads the parallel loop of a kernel that comes runs on where OpenMP would take `most`:
 * as many as lac_threads_set says, and one where `visits` has said that its innermost body runs
 * fewer than lac_threads_from times. */
int32_t lac_kernel_threads(int32_t most);
void lac_kernel_visits(int64_t visits);

/* Whether that says more threads than one, so that OpenMP has to be asked for `most`. */
bool lac_kernel_several(void);

/* In how many parts the iterations of the parallel loop which comes are dealt out, at least 1,
 * asked before lac_kernel_threads: taking a part costs as much as some visits, for which two
 * threads have to see one counter. */
int64_t lac_kernel_parts_count(void);

/* Into how many pieces the result is cut that the parallel loop which comes assembles, asked before
 * lac_kernel_threads: one where that says one thread, and so many for each thread that they end at
 * about the same time else. */
int64_t lac_kernel_pieces_count(int32_t most);
/* The same of pieces that are joined as they come: what one is made in stays in a cache. */
int64_t lac_kernel_turns_count(int32_t most);
/* The same of one that is scattered into, where each piece has a count for each of so many parents:
 * no more counts than there is to do. */
int64_t lac_kernel_shares_count(int32_t most, int64_t parents);

/* How many threads the loop which comes runs on, asked before lac_kernel_threads. */
int64_t lac_kernel_copies_count(int32_t most);
/* How many copies are worth making, of at most so many, where each but the first costs so many
 * visits; asked before lac_kernel_threads.  It does not depend on the number of threads. */
int64_t lac_kernel_copies_worth(int64_t most, int64_t visits);
/* From here on loops run on at most so many threads, as there are copies of a result for these; 0:
 * on any number again. */
void lac_kernel_threads_most(int64_t count);

/* Around a call that is to run on `count` threads where nothing else is set: `begin` gives what
 * lac_threads_set takes at the end. */
int32_t lac_kernel_threads_begin(int32_t count);

/* An array of a result is named by its level and slot; level -1 names the values (slot 0).
 *
 * - allocate: exactly `count` elements (length = capacity = count), zeroed; large arrays are mapped
 *   so that they get huge pages and cost nothing until touched.
 * - allocate_raw: the same, but what the elements are is undefined.
 * - allocate_unset: the same as allocate, but the elements of a large array may be left to whoever
 *   calls it, who has threads: returns how many, all or none.
 * - grow: makes the capacity at least `needed`, at least doubling it, the content kept up to
 *   the old capacity, zero beyond; returns the new capacity.  On failure the array and the capacity
 *   stay, and it is returned.
 * - grow_raw: the same, but what stands beyond the old capacity is undefined.
 * - data: where the array is now; NULL where there is none.
 * - copy_level: arrays for a level like that of `source`, which has the same size; returns the
 *   length of the longest, 0 where one could not be made.  copy_share, where that is not 0, copies
 *   one of as many shares of each, so that threads may copy at once.
 * - trim: sets length to `count` and gives back memory far above it.
 *
 * Once something has failed, allocate and grow do nothing, so that the first message stays.
 *
 * Of arrays with a narrow width the caller has checked the largest element by lac_kernel_fits. */
bool lac_kernel_allocate(lac_tensor *result, int64_t level, int64_t slot, int64_t count,
                         int32_t *status);
bool lac_kernel_allocate_raw(lac_tensor *result, int64_t level, int64_t slot, int64_t count,
                             int32_t *status);
int64_t lac_kernel_allocate_unset(lac_tensor *result, int64_t level, int64_t slot, int64_t count,
                                  int32_t *status);
int64_t lac_kernel_copy_level(lac_tensor *result, int64_t level, const lac_tensor *source,
                              int32_t *status);
void lac_kernel_copy_share(lac_tensor *result, int64_t level, const lac_tensor *source,
                           int64_t part, int64_t parts);
int64_t lac_kernel_grow(lac_tensor *result, int64_t level, int64_t slot, int64_t needed,
                        int32_t *status);
int64_t lac_kernel_grow_raw(lac_tensor *result, int64_t level, int64_t slot, int64_t needed,
                            int32_t *status);
void *lac_kernel_data(const lac_tensor *result, int64_t level, int64_t slot);
/* How many elements it has room for; 0 where there is no such array. */
int64_t lac_kernel_room(const lac_tensor *result, int64_t level, int64_t slot);
/* Whether what is stored to all of it had better go past the caches: it is larger than they are
 * (lac_stream_from), and has been in memory before. */
bool lac_kernel_streams(const lac_tensor *result, int64_t level, int64_t slot);
void lac_kernel_trim(lac_tensor *result, int64_t level, int64_t slot, int64_t count);

/* Whether `value` (>= 0) fits an unsigned integer of `bits` bits (64: always); LAC_ERROR_OVERFLOW
 * if not, the message naming `what`. */
void lac_kernel_refuse(const char *message, int32_t *status);
bool lac_kernel_fits(int64_t value, int64_t bits, const char *what, int32_t *status);

/* Whether a result called `name` may have so many values for so many entries that were counted:
 * LAC_ERROR_MEMORY with the size that it would take where they are more than 64 for each, and more
 * than 64 MiB, as of diagonals of a matrix whose entries are anywhere.  Where results are forced,
 * they may. */
bool lac_kernel_worthwhile(const lac_tensor *result, int64_t values, int64_t entries,
                           const char *name, int32_t *status);
void lac_kernel_force(bool force);
/* How who sees the message forces them: "--force" in a tool that has such a flag, where this is
 * said.  Lent for good. */
void lac_kernel_force_by(const char *words);

/* Scratch memory of a workspace, zeroed; NULL and LAC_ERROR_MEMORY where it cannot be had.
 * At least one byte is allocated.  `bytes` must be given again to release it.  What is all zero
 * again when it is released may be said to be clean: the next workspace of its size takes it.  It
 * grows to `needed` bytes, those beyond zero, and gives where it is now: as it was where something
 * has failed, memory for this included. */
void *lac_kernel_scratch(int64_t bytes, int32_t *status);
void *lac_kernel_scratch_grow(void *scratch, int64_t bytes, int64_t needed, int32_t *status);
void lac_kernel_release(void *scratch, int64_t bytes);
void lac_kernel_release_clean(void *scratch, int64_t bytes);

/* Sorts `count` coordinates ascending, in place; the same of pairs, a coordinate and what goes
 * along with it, where there is room for as many behind the first `room`. */
void lac_kernel_sort(int64_t *coordinates, int64_t count);
void lac_kernel_sort_pairs(int64_t *pairs, int64_t count, int64_t room);

/* The accumulation arrays of a workspace (lac_accumulation.c), in memory of the kernel's: pairs of
 * words, a key and the position of its value; what is known of them stands in words that
 * generated code reads by their offsets.  Before merge, next and order each memory has to be as
 * long as `wanted` says, in words, and there have to be values for as many positions; `room` says
 * how much there is, and is zero at first, as all else is.
 *
 * - begin: the first array, of `size` pairs; the stages of growth, by a `threshold`; one of
 *   `buffers`, or two, for what is in order; of `threads` one, or a second one that merges
 * - merge: merges what was inserted up to pair `next`, or waits for the second thread, which
 *   merged what was full before
 * - next: another array to insert into, from `begin` to `end`; the second thread begins
 * - order: merges what is left; true where it has to be asked again
 * - clear: nothing is in it;  end: no second thread is at work
 *
 * What is listed are pairs of positions, `to` and `from`, to be followed one after the other after
 * each call that merges: their values are combined. */
enum {
  LAC_ACCUMULATION_ALL,
  LAC_ACCUMULATION_INSERTED,
  LAC_ACCUMULATION_LISTED,
  LAC_ACCUMULATION_VALUES, /* positions */
  LAC_ACCUMULATION_MEMORIES
};
typedef struct lac_accumulation {
  int64_t begin, end;     /* the pairs to insert into */
  int64_t free, combines; /* what is listed: from which pair on, and how many */
  int64_t base, count;    /* all pairs in order: from which on, and how many */
  int64_t touched;        /* how many positions were used, at any time */
  int64_t wanted[LAC_ACCUMULATION_MEMORIES], room[LAC_ACCUMULATION_MEMORIES];
  int64_t size, threshold, buffers, threads;
  int64_t full_at, full;       /* the array that is to be merged */
  int64_t length, used, taken; /* of the next array; positions; of the first array's pairs */
  int64_t pending, started, thread;
  int64_t *memory[LAC_ACCUMULATION_VALUES];
} lac_accumulation;
void lac_kernel_accumulation_begin(lac_accumulation *a, int64_t *inserted, int64_t size,
                                   int64_t threshold, int64_t buffers, int64_t threads);
void lac_kernel_accumulation_merge(lac_accumulation *a, int64_t *all, int64_t *inserted,
                                   int64_t *listed, int64_t next);
void lac_kernel_accumulation_next(lac_accumulation *a, int64_t *all, int64_t *inserted,
                                  int64_t *listed);
bool lac_kernel_accumulation_order(lac_accumulation *a, int64_t *all, int64_t *inserted,
                                   int64_t *listed, int64_t next);
void lac_kernel_accumulation_clear(lac_accumulation *a, int64_t *inserted);
void lac_kernel_accumulation_end(lac_accumulation *a);

/* The buckets of a workspace (lac_buckets.c), in memory of the kernel's: words of 64 bits, which
 * generated code reads by their offsets; behind them the buckets.  Before a call that makes room,
 * or orders, each memory has to be as long as `wanted` says; `room` says how long it is.
 *
 * - begin: one empty bucket for keys of `bits` bits; one that is divided, where more than `size`
 *   keys are in it; `count`, about, of them at first
 * - make room: for one entry of a key, in the bucket that its place in the directory says; where
 *   values have to go then is listed
 * - order: the next bucket's entries go to the end of what is in order; false where none was left
 *
 * What is listed are pairs of positions, `to` and `from`, to be followed one after the other: first
 * those whose values are combined, then those whose values move. */
enum { LAC_BUCKETS_KEYS, LAC_BUCKETS_DIRECTORY, LAC_BUCKETS_LISTED, LAC_BUCKETS_OWN };
enum { LAC_BUCKETS_MEMORIES = LAC_BUCKETS_OWN + 1, LAC_BUCKETS_CHUNK_BITS = 6 };
/* How long each has to be at first. */
enum {
  LAC_BUCKETS_FIRST_KEYS = 1280,
  LAC_BUCKETS_FIRST_DIRECTORY = 8,
  LAC_BUCKETS_FIRST_LISTED = 1600,
  LAC_BUCKETS_FIRST_OWN = 64
};
typedef struct lac_bucket {
  int64_t next;          /* position; a multiple of a chunk's size where there is no room */
  int64_t first, chunks; /* the first of a list, and how many */
  int64_t limit;         /* so many chunks are taken before equal keys are combined */
} lac_bucket;
typedef struct lac_buckets {
  int64_t shift; /* of a key: its place in the directory, where the word of its bucket stands */
  int64_t combined, combines; /* what is listed: from which word on, and how many pairs */
  int64_t moved, moves;
  int64_t count; /* of entries in order */
  int64_t used;  /* how many positions were, at any time */
  int64_t wanted[LAC_BUCKETS_MEMORIES], room[LAC_BUCKETS_MEMORIES];
  int64_t bits, depth, depth_at_first, size, buckets, most, chunks, free, ordered;
} lac_buckets;
void lac_kernel_buckets_begin(lac_buckets *b, int64_t *directory, int64_t bits, int64_t size,
                              int64_t count);
void lac_kernel_buckets_room(lac_buckets *b, int64_t *directory, int64_t *keys, int64_t *listed,
                             int64_t key);
bool lac_kernel_buckets_order(lac_buckets *b, int64_t *directory, int64_t *keys, int64_t *listed);

/* A buffer of entries (lac_entries.c): memory whose elements are `width` bytes; all fields but that
 * zero at first.
 *
 * - buffer: room for exactly `count`, zeroed unless `raw`; where it is, or NULL and a status
 * - grow: room for `needed` at least, those that are there kept; where it is now; without memory
 *   all stays
 * - free: gives memory back, whatever failed */
void *lac_kernel_buffer(lac_array *buffer, int64_t count, bool raw, int32_t *status);
void *lac_kernel_buffer_grow(lac_array *buffer, int64_t needed, int32_t *status);
void lac_kernel_buffer_free(lac_array *buffer);

/* Sorts entries of `words` words of 64 bits, stably, by their first `keys` words, which are
 * unsigned and the first the most significant: those from `begin` to `end`, between their places
 * and `spare`, which has room for as many from `at` on; or the first `count`, with memory of its
 * own (LAC_ERROR_MEMORY, and nothing has changed). */
void lac_kernel_entries_sort_part(void *entries, int64_t begin, int64_t end, void *spare,
                                  int64_t at, int32_t words, int32_t keys);
void lac_kernel_entries_sort(void *entries, int64_t count, int32_t words, int32_t keys,
                             int32_t *status);

/* Entries that threads gathered, merged into one list in the order of their keys (lac_runs.c).  An
 * entry is `words` words of 64 bits, the first of them its key, unsigned.
 *
 * - runs: none; NULL and a status where they cannot be had.  begin: so many, in place of those
 *   before, which go back as by `clear`
 * - next: the number of the next part that nobody has taken, from 0 on
 * - run: room for `count` entries of run i; NULL and a status where there is none.  end: so many
 *   are there, ascending
 * - cut: ranges of keys of all runs, for as many threads as `most`; how many ranges are to be
 *   merged: none, where one run has all entries, or something has failed
 * - merge: range n, equal keys in the order of their runs; where it is, or NULL and a status.
 *   size: how many entries it has.  kept: so many of them are left, the first ones
 * - place: room for what is left of all ranges; what is known of the loop which copies is said.
 *   copy: range n to its place
 * - all, count: the list, and its length.  clear: it goes back, and what there is of runs.  free:
 *   NULL is taken
 *
 * next, run, end, and merge to copy of different ranges, may be called on several threads. */
typedef struct lac_runs lac_runs;
lac_runs *lac_kernel_runs(int32_t words, int32_t *status);
void lac_kernel_runs_begin(lac_runs *r, int64_t count, int32_t *status);
int64_t lac_kernel_runs_next(lac_runs *r);
void *lac_kernel_run(lac_runs *r, int64_t i, int64_t count, int32_t *status);
void lac_kernel_run_end(lac_runs *r, int64_t i, int64_t count);
int64_t lac_kernel_runs_cut(lac_runs *r, int32_t most, int32_t *status);
void *lac_kernel_runs_merge(lac_runs *r, int64_t n, int32_t *status);
int64_t lac_kernel_runs_size(const lac_runs *r, int64_t n);
void lac_kernel_runs_kept(lac_runs *r, int64_t n, int64_t count);
void lac_kernel_runs_place(lac_runs *r, int32_t *status);
void lac_kernel_runs_copy(lac_runs *r, int64_t n);
void *lac_kernel_runs_all(lac_runs *r);
int64_t lac_kernel_runs_count(const lac_runs *r);
void lac_kernel_runs_clear(lac_runs *r);
void lac_kernel_runs_free(lac_runs *r);

/* A scratch array that a level is walked through (lac_pairs.c): coordinates with their positions,
 * in an array that grows.  Generated code reads the fields at these offsets, and writes the pairs.
 *
 * - pairs: an empty one; NULL and LAC_ERROR_MEMORY where it cannot be had
 * - grow: room for `needed` pairs at least, those that are there kept; without memory the room
 * stays
 * - sort: the first `count` by coordinates, ascending; equal ones stay in their order
 * - free: gives memory back; NULL is taken */
typedef struct lac_pair {
  int64_t coordinate, position;
} lac_pair;
typedef struct lac_pairs {
  lac_pair *pairs;
  int64_t room;
  lac_pair *spare; /* as many, to sort with */
} lac_pairs;
lac_pairs *lac_kernel_pairs(int32_t *status);
void lac_kernel_pairs_grow(lac_pairs *p, int64_t needed, int32_t *status);
void lac_kernel_pairs_sort(lac_pairs *p, int64_t count);
void lac_kernel_pairs_free(lac_pairs *p);

/* A table in which the coordinates of one segment of a level are looked up (lac_table.c): for each
 * where its place is in the segment, from 1 on, or 0.  Generated code reads and writes the fields
 * at these offsets.
 *
 * - table: one of no coordinates; NULL and LAC_ERROR_MEMORY where it cannot be had
 * - grow: gives it room for so many coordinates at least, 0 for all, and gives how many it has room
 *   for: as before, where these are too many or cannot be had
 * - free: gives memory back; NULL is taken */
typedef struct lac_table {
  int64_t begin, end;               /* the segment that was wanted last */
  int64_t marked_begin, marked_end; /* the one whose places are there */
  int64_t count;                    /* of coordinates */
  int32_t *places;
} lac_table;
lac_table *lac_kernel_table(int32_t *status);
int64_t lac_kernel_table_grow(lac_table *t, int64_t coordinates);
void lac_kernel_table_free(lac_table *t);

/* The pieces of a result (lac_pieces.c), tensors stored as it, each for a range of coordinates of
 * its first level.
 *
 * - pieces: so many, of a result with so many levels; NULL and LAC_ERROR_MEMORY where they cannot
 *   be had
 * - begin: piece i, made an empty tensor like the result (as lac_kernel_setup left it), its first
 *   level of another size; where it takes turns and has the next one, the arrays in `in_place`
 *   (a set as of turn_end), which have an element for each position, are the result's own from
 *   there on where all before it ends, until they need more room than that has; may be called on
 *   several threads
 * - piece: piece i
 * - sizes: a row of numbers, one for each level: of piece i, or of all where i is their count
 * - sum: where each row held how many positions its piece has of each level, it holds how many
 *   those before it have; the last one, how many all have
 * - take: the result becomes the first piece
 * - copy: elements `from` on of an array of a piece to those `at` on of the result's
 * - order: what a thread did before it called this, or one of these but copy, is done for who calls
 *   one after that, as OpenMP's barriers say anyway, to whoever looks for races
 * - free: gives them back; NULL is taken
 *
 * Pieces that are joined as they come, each behind all before it:
 *
 * - next: the number of the piece to begin now, each once; their count behind the last
 * - turn_begin: `made` is complete, with its row of sizes (-1: none is); the piece whose turn it
 *   is, where it is complete, else -1.  Its row then holds where it begins in the result, the one
 *   of all where it ends; in one more row the caller notes how many there is room for.  From here
 *   on to `go` one thread at a time
 * - alone: nobody copies into the result any more: its arrays may move
 * - go: it has its place, the result's arrays theirs, and it is copied
 * - grow, trim: lac_kernel_grow_raw and lac_kernel_trim of a piece's array; but where there are
 *   several, it leaves the largest kept blocks to the result, and its room to the next piece
 * - turn_end: that is over; a piece that begins takes its arrays over which `kept` says, those
 *   whose elements need not be zero: a bit each, slot by slot from level 0 on, 62 for the values */
typedef struct lac_pieces lac_pieces;
lac_pieces *lac_kernel_pieces(int64_t count, int64_t levels, int32_t *status);
lac_tensor *lac_kernel_piece_begin(lac_pieces *p, int64_t i, const lac_tensor *result,
                                   int64_t first_size, int64_t in_place, int32_t *status);
lac_tensor *lac_kernel_piece(lac_pieces *p, int64_t i);
int64_t *lac_kernel_piece_sizes(lac_pieces *p, int64_t i);
void lac_kernel_pieces_sum(lac_pieces *p);
void lac_kernel_pieces_take(lac_pieces *p, lac_tensor *result);
void lac_kernel_copy(const lac_tensor *result, const lac_tensor *piece, int64_t level, int64_t slot,
                     int64_t at, int64_t from, int64_t count);
int64_t lac_kernel_piece_next(lac_pieces *p);
int64_t lac_kernel_turn_begin(lac_pieces *p, int64_t made);
void lac_kernel_turn_alone(lac_pieces *p);
void lac_kernel_turn_go(lac_pieces *p, int64_t i, const lac_tensor *result);
int64_t lac_kernel_piece_grow(const lac_pieces *p, lac_tensor *piece, int64_t level, int64_t slot,
                              int64_t needed, int32_t *status);
void lac_kernel_piece_trim(const lac_pieces *p, lac_tensor *piece, int64_t level, int64_t slot,
                           int64_t count);
void lac_kernel_turn_end(lac_pieces *p, int64_t i, int64_t kept);
void lac_kernel_pieces_order(lac_pieces *p);
void lac_kernel_pieces_free(lac_pieces *p);

/* A frame owns the temporaries of one activation of a compiled function that calls several kernels.
 *
 * - enter: a new frame, or NULL with memory at an end (which every function here takes for a frame
 *   that failed)
 * - tensor: a new empty tensor, freed with the frame; NULL with memory at an end
 * - ok: whether nothing has failed so far
 * - takes: whether nothing has failed so far, and the tensor is there, its dimensions too
 * - check: takes the status of a call
 * - result: gives `value` to the caller as `*out`: moved when the frame owns it, copied when not;
 *   what `*out` held is freed; nothing is given by a frame that failed
 * - mark: the temporaries so far, for sweep
 * - sweep: frees the tensors made since `mark` but those among the `count` in `kept`
 * - leave: frees the frame and its tensors; returns the first status taken, or LAC_OK */
typedef struct lac_frame lac_frame;
lac_frame *lac_frame_enter(void);
lac_tensor *lac_frame_tensor(lac_frame *frame);
bool lac_frame_ok(const lac_frame *frame);
bool lac_frame_takes(lac_frame *frame, const lac_tensor *tensor);
void lac_frame_check(lac_frame *frame, int32_t status);
void lac_frame_result(lac_frame *frame, lac_tensor *value, lac_tensor *out);
const void *lac_frame_mark(const lac_frame *frame);
void lac_frame_sweep(lac_frame *frame, const void *mark, int64_t count, lac_tensor *const *kept);
int32_t lac_frame_leave(lac_frame *frame);

/* A caller may give one tensor as a result and as an operand, or lend an operand what a result
 * owns.  `tensors` are those of a call, the `results` first, `count` in all.
 *
 * - begin: `into[i]` is where result i is to be made: tensors[i] itself where it shares no memory
 *   with the others that it would free, else spare[i], which is made empty.
 * - end: results made in `spare` take the place of what the caller gave; gives `status`.  Where
 *   that is none of LAC_OK they are freed, and what the caller gave stays.  LAC_ERROR_FORMAT where
 *   a result is NULL, or two are the same tensor. */
void lac_results_begin(lac_tensor *const *tensors, int64_t results, int64_t count,
                       lac_tensor *spare, lac_tensor **into);
int32_t lac_results_end(lac_tensor *const *tensors, int64_t results, lac_tensor *const *into,
                        int32_t status);

#ifdef __cplusplus
}
#endif
#endif
