/* workspace_memory.c - memory of a workspace that the runtime has a part in (workspace_memory.h).
 */
#include "workspace_memory.h"

MlirValue workspace_word(level *l, const workspace_memory *m, int64_t word) {
  return level_scratch_load(l, m->own, level_constant(l, word));
}

MlirValue workspace_number(level *l, MlirValue x) {
  builder *b = level_builder(l);
  return index_cast(b, x, type_i(b, 64));
}

void workspace_set_room(level *l, const workspace_memory *m, int memory, MlirValue count) {
  level_scratch_store(l, m->own, level_constant(l, m->room + memory), count);
}

static void grow(level *l, const workspace_memory *m, int memory, MlirValue room,
                 MlirValue wanted) {
  builder *b = level_builder(l);
  MlirValue more = floor_div(b, room, level_constant(l, m->share));
  MlirValue count = max_i(b, wanted, add(b, room, more));
  m->grow(l, memory, room, count);
  if_begin(b, level_is_fine(l));
  workspace_set_room(l, m, memory, count);
  if_else(b);
  m->clear(l);
  if_end(b);
}

void workspace_grow_as_wanted(level *l, const workspace_memory *m) {
  builder *b = level_builder(l);
  for (int memory = 0; memory < m->count; memory++) {
    MlirValue room = workspace_word(l, m, m->room + memory);
    MlirValue wanted = workspace_word(l, m, m->wanted + memory);
    if_begin(b, less(b, room, wanted));
    grow(l, m, memory, room, wanted);
    if_end(b);
  }
}

void workspace_reset_values(level *l, MlirValue count) {
  builder *b = level_builder(l);
  MlirValue position = for_begin(b, level_constant(l, 0), count, level_constant(l, 1));
  level_reset_value(l, position);
  for_end(b);
}
