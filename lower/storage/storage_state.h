/* storage_state.h - what a storage and a level of it hold; for this folder and assembly/ only. */
#ifndef LACUNA_STORAGE_STATE_H
#define LACUNA_STORAGE_STATE_H

#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LEVEL_COUNTERS = 4, LEVEL_SCRATCH = 4, VALUES = -1 };

/* An array of a level, or the values (level VALUES): a memref<?x element>, or, once it was reserved
 * and may grow, a variable that holds the pointer. */
typedef struct stored_array {
  int level, slot;
  MlirType element;
  MlirValue fixed;
  MlirValue pointer; /* of an array that was allocated once and for all, or null */
  MlirValue streams; /* whether whole lines of it are stored past the caches (i1), or null */
  variable growing;
  bool grows;
  bool raw;              /* new elements may be anything: each is stored before it is read */
  int64_t stride, first; /* of records (0: none), in elements: from one to the next, before the
                            first */
  MlirValue base;        /* where it begins in `fixed`; null: at its begin */
} stored_array;

/* Scratch memory: `count` elements at `pointer`; of one that grows those that it had at first, and
 * variables for where it is now, and how many bytes.  Of a thread of a device those from `base` on,
 * which are given back by nobody else than the launch. */
typedef struct scratch_memory {
  MlirValue pointer, bytes, elements, base;
  MlirType element;
  bool grows;
  variable where, length;
} scratch_memory;

/* What a level notes (level_notes.c): two of the runtime's lac_arrays. */
typedef struct level_noted {
  MlirValue notes, ends;
} level_noted;

struct level {
  storage *owner;
  int number;
  const format_level *format;
  MlirValue size;
  stored_array arrays[LEVEL_ARRAY_COUNT];
  variable counters[LEVEL_COUNTERS];
  scratch_memory scratch[LEVEL_SCRATCH];
  level_noted notes[LEVEL_SCRATCH];

  /* Of a result or a workspace. */
  const building *way;    /* how it is built; NULL of an operand */
  void *state;            /* the way's own */
  MlirValue parents;      /* the number of positions above; null where they grow */
  MlirValue positions;    /* of a level that is counted: how many it has, once there are edges */
  MlirValue keys_below;   /* of a workspace of several levels: level_key.c */
  scratch_memory numbers; /* of a counter: of the next entry of each coordinate */
};

struct storage {
  builder *b;
  arena *memory;
  const tensor_format *format;
  const char *name;
  MlirValue handle, status;
  MlirValue *dimensions;
  level *levels;
  stored_array values;

  /* Of a result, what stands for it in a loop on threads, or a workspace. */
  building_plan plan;
  MlirValue positions; /* the number of values where it does not grow, or null */
  MlirValue keys;      /* of a workspace, how many there may be, or how many bits they have */
  int waits_for;       /* the level that is counted next; -1 */

  /* Of a result that is joined or shared, and of a piece that takes turns: the tensors of all
   * pieces (piece_tensors.h). */
  MlirValue pieces, piece_count;

  /* Of a piece. */
  MlirValue expected; /* about how many entries it has; or null */
  MlirValue first;    /* the coordinate that its first level begins at; null: all of them */
  bool takes_turns;   /* it is joined as it comes, and leaves its memory to the piece after it */
};

/* `count` elements at `pointer`, as a memref. */
MlirValue memory_at(storage *s, MlirValue pointer, MlirValue count, MlirType element);

MlirValue stored_array_load(storage *s, const stored_array *array, MlirValue i);
void stored_array_store(storage *s, const stored_array *array, MlirValue i, MlirValue value);
/* The first `count` elements at least, as a memref. */
MlirValue stored_array_memory(storage *s, const stored_array *array, MlirValue count);
/* Of a result: exactly `count` zeroed elements; room for `needed`, kept and zero beyond; the final
 * length. */
void stored_array_allocate(storage *s, stored_array *array, MlirValue count);
/* The same, but it gives how many elements are left to be zeroed: all, or none. */
MlirValue stored_array_allocate_unset(storage *s, stored_array *array, MlirValue count);
/* From now on whole lines are stored past the caches, where the array is larger than these. */
void stored_array_stream(storage *s, stored_array *array);
void stored_array_reserve(storage *s, stored_array *array, MlirValue needed);
void stored_array_trim(storage *s, const stored_array *array, MlirValue count);
/* Whether threads of a device count and place the result's entries at once. */
bool storage_is_at_once(const storage *s);
/* One more in an element, by an atomic: gives what it was (of its own type). */
MlirValue stored_array_count(storage *s, const stored_array *array, MlirValue i);
/* Of one that may grow: how many elements there is room for. */
MlirValue stored_array_room(storage *s, const stored_array *array);
/* It grows from where it is now. */
void stored_array_find(storage *s, stored_array *array);

/* Of a result: elements of the same array of a piece, to those `at` on. */
void stored_array_copy(storage *s, const stored_array *array, MlirValue at, storage *piece,
                       MlirValue from, MlirValue count);

scratch_memory scratch_take(storage *s, MlirType element, MlirValue count);
scratch_memory scratch_take_growing(storage *s, MlirType element, MlirValue count);
/* Of launches alone, all zero before the first that has it; the host's loads find nothing in it. */
scratch_memory scratch_take_for_launches(storage *s, MlirType element, MlirValue count);
void scratch_release_of_launches(storage *s, const scratch_memory *scratch);
void scratch_grow(storage *s, const scratch_memory *scratch, MlirValue count); /* zero beyond */
MlirValue scratch_pointer(const storage *s, const scratch_memory *scratch);
MlirValue scratch_load(storage *s, const scratch_memory *scratch, MlirValue i);
void scratch_store(storage *s, const scratch_memory *scratch, MlirValue i, MlirValue value);
/* The value where the element is less, as threads do at once. */
void scratch_raise(storage *s, const scratch_memory *scratch, MlirValue i, MlirValue value);
void scratch_release(storage *s, const scratch_memory *scratch);
void scratch_release_clean(storage *s, const scratch_memory *scratch); /* all zero again */

/* How many bits numbers below `size` have. */
MlirValue storage_bits_below(builder *b, MlirValue size);
/* Of a workspace, whose sizes are known: how coordinates become keys (level_key.c). */
void storage_begin_keys(storage *s);

/* a * b for sizes, 0 and a status where it overflows. */
MlirValue storage_product(storage *s, MlirValue a, MlirValue b);
/* Takes a status where so many values for so many entries are not worth their memory. */
void storage_check_worth(storage *s, MlirValue values, MlirValue entries);
/* The value that positions have before one is stored. */
MlirValue storage_initial_value(storage *s);
/* Whether it is zero in all bits, as new memory is. */
bool storage_starts_zero(const storage *s);
/* The same of any value; null: zero. */
bool is_all_zero(MlirAttribute value);
/* Sets the values at positions [begin, end) to it, of memory in any state; of new memory, where it
 * is not that anyway. */
void storage_set_initial(storage *s, MlirValue begin, MlirValue end);
void storage_fill(storage *s, MlirValue begin, MlirValue end);
/* Begins a loop on threads over blocks of `count` elements, which is so many visits of work; the
 * last block ends where they do. parallel_end ends it. */
typedef struct storage_block {
  MlirValue begin, end;
} storage_block;
storage_block storage_blocks_begin(storage *s, MlirValue count, MlirValue visits);

/* storage_accumulate, safely from several threads. */
void storage_accumulate_atomic(storage *s, tin_reduction kind, MlirValue value, MlirValue i);

/* Has a status unless so many positions fit the width of the level's. */
void storage_check_positions(storage *s, level *l, MlirValue size);

#ifdef __cplusplus
}
#endif
#endif
