/* format_order.h - the same tensor with its levels in another order. */
#ifndef LACUNA_FORMAT_ORDER_H
#define LACUNA_FORMAT_ORDER_H

#include "statement.h"

/* `type`, stored as `format`, with its levels in another order: place l holds what level `from[l]`
 * did, by the level format of place l, without the property unordered: (j : dense, i : compressed)
 * becomes (i : dense, j : compressed).  Null where a level keeps to its place. */
MlirType type_with_levels(arena *memory, MlirType type, const tensor_format *format,
                          const int *from);

/* `type` with its first level, which stores the coordinates of a dimension that have entries, each
 * once, as one that has a place for each of them: (i : compressed, j : compressed) becomes
 * (i : dense, j : compressed).  Null where it is none such, or those are more than the entries that
 * a tensor is said to hold (tin_tensor_holds). */
MlirType type_with_whole_root(arena *memory, MlirType type, MlirAttribute holds);

/* The type of an access whose levels follow the order of loops, ordered. */
MlirType type_following_loops(const statement *s, int access_number, const int *order);

/* `type`, stored as `format`, with its levels as they stand, in order (type_with_levels). */
MlirType type_in_order(arena *memory, MlirType type, const tensor_format *format);

/* Whether some level of an operand would have to be looked through for one coordinate after the
 * other (statement.h), since it is in no order. */
bool access_is_unsearched(const access *a);

/* The type of a temporary over the variables of `set` (in their order): dense where it has at most
 * one, which is no compound subscript of the result, or the result is dense, or there are others
 * than the result's; else as the result's outer levels are. */
MlirType temporary_type(const statement *s, variable_set set, MlirType element);

/* The type of a coordinate list of the shape and element type of `type`: level l holds dimension
 * `dimensions[l]`, positions and coordinates are as wide as in `widths` (NULL: 64 bits), entries
 * may repeat if `has_duplicates`, and level l is unordered where that of `orders` is (NULL: none
 * is). Null where no level formats for it are registered. */
MlirType coordinate_list_type(arena *memory, MlirType type, const int *dimensions,
                              const tensor_format *widths, const tensor_format *orders,
                              bool has_duplicates);

/* The same for a list that takes entries as they come: in any order, and repeated. */
MlirType unordered_list_type(arena *memory, MlirType type, const int *dimensions);

/* The type of a coordinate list whose levels hold what those of `format` do, but for counters,
 * constants and what follows from the others.
 * `sorted`: lists are sorted, with repeated entries only if `has_duplicates`; else entries come in
 * any order. */
MlirType coordinate_list_like(arena *memory, MlirType type, const tensor_format *format,
                              bool sorted, bool has_duplicates);

/* `type` in rows, in the order of its dimensions `dimensions`: the last one is compressed below the
 * others, which are stored whole.  Null where no format for it is registered. */
MlirType rows_type(arena *memory, MlirType type, const int *dimensions);

/* `type` so stored that its entries come in any order, and are found by their coordinates: in each
 * level those of one dimension.  The outermost levels of `like` that have places for all
 * coordinates are kept, and the order of its dimensions; NULL: there is none such.  Null where no
 * level format for it is registered. */
MlirType scattered_type(arena *memory, MlirType type, const tensor_format *like);

/* `type`, whose first levels are a coordinate list of blocks that the levels below insert, with
 * that list as a tree, in which each block is at one place:
 *
 *     (i floordiv 4 : compressed(nonunique), j floordiv 4 : singleton, i mod 4 : dense, ...)
 *     (i floordiv 4 : compressed, j floordiv 4 : compressed, i mod 4 : dense, ...)
 *
 * Null where it has no such list, or none that can be collected is registered. */
MlirType block_tree_type(arena *memory, MlirType type, const tensor_format *format);

/* Whether every level is as coordinate_list_type makes them. */
bool is_coordinate_list(const tensor_format *format);

/* A format in words, as it stands in the type: "(i, j) -> (j : dense, i : compressed)". */
char *format_text(arena *memory, MlirType type);

#endif
