/* iterator.h - the iterators of a statement: one for each level of each access.
 *
 * Accesses that agree in their subscripts down to a level share its iterator, so that the iterators
 * of a tensor make a tree:
 *
 *     A(i,j) * A(i,k)         A level 0 at i
 *                             /            \
 *                    A level 1 at j     A level 1 at k
 *
 * A level that is full and can locate is never walked: its position is located once the coordinate
 * is known.  Every other level is walked, alone or merged with others (Chou et al. 2018, sections
 * 4.1 and 4.2).
 */
#ifndef LACUNA_ITERATOR_H
#define LACUNA_ITERATOR_H

#include "subscript.h"
#include "tensor_format.h"

struct tensor;

typedef struct iterator {
  int number;
  const struct tensor *tensor;
  int level;
  const struct iterator *parent; /* of the level above; NULL for level 0 */
  subscript at;
  const format_level *format;
} iterator;

typedef struct iterator_list {
  arena *memory;
  int count, room;
  iterator **iterators;
} iterator_list;

/* The iterator of `tensor`'s level under `parent` at the subscript: the one there is, or a new one
 * at the end of the list (so that parents come before children). */
const iterator *iterator_get(iterator_list *list, const struct tensor *tensor,
                             const format_level *format, int level, const iterator *parent,
                             const subscript *at);

/* How its level is reached, from the level's properties and capabilities. */
bool iterator_is_located(const iterator *i);
bool iterator_can_walk(const iterator *i);
bool iterator_can_locate(const iterator *i);
/* Whether it is walked to one coordinate that is known by then: that of a subscript that is more
 * than a variable, or of a variable that such a subscript above it needs. */
bool iterator_is_searched(const iterator *i);
bool iterator_is_full(const iterator *i);
bool iterator_is_ordered(const iterator *i);
bool iterator_is_unique(const iterator *i);
bool iterator_is_branchless(const iterator *i);

#endif
