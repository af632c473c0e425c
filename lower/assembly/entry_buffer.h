/* entry_buffer.h - entries of a result in a buffer, in any order: what levels are recorded in.
 *
 * An entry is words of 64 bits: its key, in which the coordinates of the recorded levels stand in
 * their order, the outermost highest, and the position above them; then its value.
 *
 *     i : dense, j : compressed(nonunique), k : singleton, f64, 32-bit coordinates
 *
 *     word 0   .. i (low bits) | j        bits of a size each, known when the result begins
 *     word 1   k                          a word has as many as surely fit
 *     word 2   value
 *
 * They lie in parts, each of some consecutive positions above (or, where the levels are all, of
 * some consecutive coordinates of the outermost), which are counted first.  So what is written to
 * at once is few parts, not many rows, and what is sorted and walked at once fits the caches
 * (Knuth, volume 3: distribution by the most significant digits).
 *
 * On threads each range of what the loop goes over has counts of its own (share.c): those of a part
 * come range by range, so that the buffer is the same for any number of ranges.
 */
#ifndef LACUNA_ENTRY_BUFFER_H
#define LACUNA_ENTRY_BUFFER_H

#include "storage_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The coordinate of a level: word >> shift & (1 << bits) - 1. */
typedef struct entry_field {
  int word;
  bool is_first; /* of its word */
  MlirValue shift, bits;
} entry_field;

typedef struct entry_buffer {
  storage *s;
  int first, end;      /* the levels that are recorded */
  int keys, words;     /* of an entry */
  entry_field *fields; /* of level first + n */
  MlirValue below;     /* the bits of word 0 below the position above the levels */
  MlirValue part_bits; /* of that position (or coordinate) that do not tell the part */
  MlirValue part_count;
  scratch_memory parts; /* counts, then where the next entry of each goes, at last where it ends; a
                           row of them for each range */
  MlirValue ranges, counts; /* how many ranges, and, of one's own, where its row begins; or null */
  variable count, largest;  /* of all entries, and of those of the largest part */
  MlirValue buffer, memory; /* the runtime's lac_array, and where the entries are */
  MlirValue spare_buffer, spare;
  stored_array *key;   /* word n of each entry */
  stored_array values; /* of each entry */
} entry_buffer;

/* Entries of levels first .. end - 1, which lie below l->parents positions; no parts have any. */
entry_buffer *entry_buffer_make(level *l, int end);
/* Counts one more with that coordinate of the first level. */
void entry_buffer_count(entry_buffer *e, MlirValue parent, MlirValue coordinate);
/* The same buffer, to count or to add entries of a range, for a storage that stands for the result
 * there. */
entry_buffer *entry_buffer_of_range(const entry_buffer *e, storage *s, MlirValue range);
/* Room for those that were counted, their values zero unless all will be stored; gives how many. */
MlirValue entry_buffer_begin(entry_buffer *e, level *l);
/* A new entry, with its coordinate of the first level; gives its number. */
MlirValue entry_buffer_add(entry_buffer *e, MlirValue parent, MlirValue coordinate);
/* The coordinate of another level of entry `q`. */
void entry_buffer_set(entry_buffer *e, int level, MlirValue q, MlirValue coordinate);

/* The coordinate of a level of entry `q`, and the position above all in part `part`. */
MlirValue entry_buffer_coordinate(const entry_buffer *e, int level, MlirValue q);
MlirValue entry_buffer_parent(const entry_buffer *e, MlirValue part, MlirValue q);
/* Where its value goes, in the place of its key; with `set`, nothing else is known of the entry
 * from then on. */
MlirValue entry_buffer_place(const entry_buffer *e, MlirValue q);
void entry_buffer_set_place(const entry_buffer *e, MlirValue q, MlirValue place);
/* Whether two entries of one part agree in what stands above a level (`end`: in all). */
MlirValue entry_buffer_agree(const entry_buffer *e, int level, MlirValue q, MlirValue other);

/* With all added: the entries of a part, and the first position above that it may have. */
MlirValue entry_buffer_part_begin(const entry_buffer *e, MlirValue part);
MlirValue entry_buffer_part_end(const entry_buffer *e, MlirValue part);
MlirValue entry_buffer_part_parent(const entry_buffer *e, MlirValue part);

/* Sorts the entries of a part, equal ones as they came, between spare memory for so many entries:
 * those from `spare_at` on. */
void entry_buffer_take_spare(entry_buffer *e, MlirValue count);
void entry_buffer_sort(const entry_buffer *e, MlirValue begin, MlirValue end, MlirValue spare_at);
void entry_buffer_give_spare(const entry_buffer *e);

void entry_buffer_free(const entry_buffer *e);

#ifdef __cplusplus
}
#endif
#endif
