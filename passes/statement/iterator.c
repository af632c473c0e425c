/* iterator.c - the iterators of a statement. */
#include "iterator.h"

#include <string.h>

static const iterator *find(const iterator_list *list, const struct tensor *tensor, int level,
                            const iterator *parent, const subscript *at) {
  for (int n = 0; n < list->count; ++n) {
    const iterator *i = list->iterators[n];
    if (i->tensor == tensor && i->level == level && i->parent == parent &&
        subscript_equal(&i->at, at))
      return i;
  }
  return NULL;
}

static void append(iterator_list *list, iterator *i) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 8;
    iterator **more = ARENA_ARRAY(list->memory, iterator *, list->room);
    if (list->count)
      memcpy(more, list->iterators, (size_t)list->count * sizeof *more);
    list->iterators = more;
  }
  list->iterators[list->count++] = i;
}

const iterator *iterator_get(iterator_list *list, const struct tensor *tensor,
                             const format_level *format, int level, const iterator *parent,
                             const subscript *at) {
  const iterator *there = find(list, tensor, level, parent, at);
  if (there)
    return there;
  iterator *i = ARENA_ARRAY(list->memory, iterator, 1);
  *i = (iterator){list->count, tensor, level, parent, *at, format};
  append(list, i);
  return i;
}

static bool has(const iterator *i, unsigned property) {
  return i->format->properties & property;
}

bool iterator_is_located(const iterator *i) {
  return has(i, LEVEL_FULL) && (i->format->format->capabilities & LEVEL_LOCATE);
}

bool iterator_can_walk(const iterator *i) {
  return format_level_can_walk(i->format);
}

bool iterator_can_locate(const iterator *i) {
  return i->format->format->capabilities & LEVEL_LOCATE;
}

static bool is_known_above(const iterator *i) {
  for (const iterator *above = i->parent; above; above = above->parent)
    if (subscript_is_compound(&above->at) &&
        subscript_mentions(&above->at, subscript_variable(&i->at)))
      return true;
  return false;
}

bool iterator_is_searched(const iterator *i) {
  return iterator_can_walk(i) && (subscript_is_compound(&i->at) || is_known_above(i));
}

bool iterator_is_full(const iterator *i) {
  return has(i, LEVEL_FULL);
}

bool iterator_is_ordered(const iterator *i) {
  return has(i, LEVEL_ORDERED);
}

bool iterator_is_unique(const iterator *i) {
  return has(i, LEVEL_UNIQUE);
}

bool iterator_is_branchless(const iterator *i) {
  return has(i, LEVEL_BRANCHLESS);
}
