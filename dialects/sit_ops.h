/* sit_ops.h - makes the operations of the sit dialect, so that the code that makes them reads like
 * them.  A null parent or position stands for none. */
#ifndef LACUNA_SIT_OPS_H
#define LACUNA_SIT_OPS_H

#include "bit_set.h"
#include "builder.h"
#include "cin.h"
#include "tin.h"

MlirValue sit_extent(builder *b, MlirValue tensor, int64_t dimension);
void sit_match(builder *b, MlirStringRef variable, MlirValue expected, MlirValue found);
void sit_within(builder *b, const char *subscript, MlirValue low, MlirValue high, MlirValue extent);

/* An empty sit.kernel of the operands, the result, the fills and the names of a cin.kernel; a
 * sit.call, in place of a sit.kernel, of the function.  Neither is inserted anywhere. */
MlirOperation sit_kernel_create(MlirOperation like);
MlirOperation sit_call_create(MlirOperation kernel, MlirStringRef callee);

/* A sit.coiterate with `case_count` empty cases, each a set of iterators, by number; their
 * blocks are its regions', in order, with the coordinate and the positions as arguments. */
typedef struct coiteration {
  int count;
  const MlirValue *tensors;
  const int64_t *levels;
  const MlirValue *parents;
  const MlirValue *offsets;    /* NULL: no level is walked so; null for those that are not */
  bit_set scratch;             /* those that go through a scratch array */
  MlirValue extent, low, high; /* null for none; without `high`, `low` is the one coordinate */
  bool padded;                 /* coordinates may be out of a level's range */
  bool fused;
  bool any; /* the one case, of all iterators, runs where some have an entry */
  int case_count;
  const bit_set *cases;
  cin_unit unit;
  cin_race race;
  MlirAttribute unroll;
  int64_t groups;           /* of lanes; 0 for none */
  MlirAttribute variable;   /* the coordinate's name; null for none */
  MlirAttribute strategies; /* null where they are to be chosen */
} coiteration;
MlirOperation sit_coiterate(builder *b, const coiteration *walk);

/* `scratch`: the parent is a segment, and what is below it comes into a scratch array.  `padded`:
 * the coordinate may be out of range, where there is no position. */
MlirValue sit_locate(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
                     MlirValue parent, bool scratch, bool padded);
MlirValue sit_value(builder *b, MlirValue tensor, MlirValue position, MlirType type);
/* Positions [begin, end) of a level: below a parent's position, or all of them where it is null;
 * the coordinate at one below a parent; how many of the level above have theirs begin before one.
 */
typedef struct sit_interval {
  MlirValue begin, end;
} sit_interval;
sit_interval sit_positions(builder *b, MlirValue tensor, int64_t level, MlirValue parent);
MlirValue sit_coordinate(builder *b, MlirValue tensor, int64_t level, MlirValue position,
                         MlirValue parent);
MlirValue sit_parents(builder *b, MlirValue tensor, int64_t level, MlirValue position);
MlirValue sit_present(builder *b, MlirValue position);
MlirValue sit_ordinal(builder *b, MlirValue position);

void sit_result(builder *b, MlirValue tensor, intptr_t count, const MlirValue *dimensions,
                MlirAttribute initial, cin_assembly way, bool stored, bool apart);
void sit_finish(builder *b, MlirValue tensor);
MlirValue sit_workspace(builder *b, MlirType type, intptr_t count, const MlirValue *dimensions,
                        MlirAttribute identity);
MlirValue sit_insert(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
                     MlirValue parent);
MlirValue sit_end(builder *b, MlirValue tensor, int64_t level);
MlirValue sit_append(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate);
void sit_close(builder *b, MlirValue tensor, int64_t level, MlirValue begin, MlirValue parent);
void sit_count(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate, MlirValue parent);
void sit_edges(builder *b, MlirValue tensor, int64_t level);
MlirValue sit_number(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate);
void sit_order(builder *b, MlirValue tensor, int64_t level);
MlirValue sit_place(builder *b, MlirValue tensor, int64_t level, MlirValue coordinate,
                    MlirValue parent);
/* The position in the level of a result that is copied from `source` (CIN_COPY). */
MlirValue sit_copied(builder *b, MlirValue tensor, int64_t level, MlirValue source,
                     MlirValue position);
void sit_store(builder *b, MlirValue value, MlirValue tensor, MlirValue position);
void sit_accumulate(builder *b, tin_reduction kind, MlirValue value, MlirValue tensor,
                    MlirValue position, bool atomic);
void sit_sort(builder *b, MlirValue tensor, int64_t level);
void sit_clear(builder *b, MlirValue tensor);

/* One that threads may reduce into by `kind`; TIN_NO_REDUCTION for none. */
MlirValue sit_var(builder *b, MlirValue init, tin_reduction kind);
MlirValue sit_get(builder *b, MlirValue var);
void sit_set(builder *b, MlirValue var, MlirValue value);

/* Arrays of a handle: that of a level in a slot, the values; and memory as an array. */
MlirValue sit_array(builder *b, MlirValue handle, int64_t level, int64_t slot, MlirType element);
MlirValue sit_values(builder *b, MlirValue handle, MlirType element);
MlirValue sit_memory(builder *b, MlirValue pointer, MlirValue length, MlirType element);

#endif
