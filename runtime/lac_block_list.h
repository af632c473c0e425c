/* lac_block_list.h - inside the runtime: blocks of memory that are kept, in order of age.  Who has
 * such a list locks it, and says when a block leaves and what becomes of it. */
#ifndef LAC_BLOCK_LIST_H
#define LAC_BLOCK_LIST_H

#include <stdint.h>
#include <string.h>

enum { LAC_BLOCK_LIMIT = 64 };

typedef struct lac_block {
  void *base;
  int64_t bytes;
} lac_block;

typedef struct lac_block_list {
  lac_block blocks[LAC_BLOCK_LIMIT]; /* the oldest first */
  int count;
  int64_t bytes; /* of all */
} lac_block_list;

/* Where there are fewer than LAC_BLOCK_LIMIT. */
static inline void lac_block_list_add(lac_block_list *list, void *base, int64_t bytes) {
  list->blocks[list->count++] = (lac_block){base, bytes};
  list->bytes += bytes;
}

static inline lac_block lac_block_list_remove(lac_block_list *list, int i) {
  lac_block removed = list->blocks[i];
  list->bytes -= removed.bytes;
  list->count--;
  memmove(&list->blocks[i], &list->blocks[i + 1], (size_t)(list->count - i) * sizeof *list->blocks);
  return removed;
}

#endif
