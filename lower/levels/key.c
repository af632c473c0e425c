/* key.c - the levels of a workspace below its policy: the other coordinates of each entry.
 *
 *     (i : hash_accumulator(nonunique), j : key)
 *
 * The policy keeps all coordinates of an entry in one word (level_key) and makes the list of them;
 * level by level, what there is at a place of it is walked as the coordinates of a list are.
 *
 *     pos_iter(q)        <q, q + 1>
 *     pos_access(q)      this level's part of the key at place q; of the last level, the position
 *                        of the value
 *     insert_coord       the policy's
 */
#include "level_format.h"

static void key_iter(level *l, MlirValue parent, MlirValue *begin, MlirValue *end) {
  *begin = parent;
  *end = level_plus_one(l, parent);
}

static MlirValue key_size(level *l, MlirValue parent_size) {
  (void)l;
  return parent_size;
}

static void nothing(level *l, MlirValue parent_size, MlirValue size) {
  (void)l;
  (void)parent_size;
  (void)size;
}

static MlirValue key_coord(level *l, MlirValue parent, const MlirValue *coordinates) {
  (void)l;
  (void)coordinates;
  return parent;
}

static const level_format format = {
    .name = "key",
    .capabilities = LEVEL_POSITION_ITERATION | LEVEL_INSERT,
    .properties = LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_BRANCHLESS,
    .configurable = LEVEL_UNIQUE,
    .shares_key = true,
    .pos_iter = key_iter,
    .pos_access = level_entry_access,
    .insert_size = key_size,
    .insert_init = nothing,
    .insert_coord = key_coord,
};

__attribute__((constructor)) static void start(void) {
  level_format_register(&format);
}
