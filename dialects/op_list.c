/* op_list.c - lists of operations. */
#include "op_list.h"

#include <string.h>

void op_list_add(arena *memory, op_list *list, MlirOperation op) {
  if (list->count == list->room) {
    int room = list->room ? 2 * list->room : 8;
    MlirOperation *ops = ARENA_ARRAY(memory, MlirOperation, room);
    if (list->count)
      memcpy(ops, list->ops, sizeof *ops * (size_t)list->count);
    list->ops = ops;
    list->room = room;
  }
  list->ops[list->count++] = op;
}

typedef struct collector {
  arena *memory;
  op_kind *is;
  op_list found;
} collector;

static bool collect(MlirOperation op, void *data) {
  collector *c = data;
  if (c->is(op))
    op_list_add(c->memory, &c->found, op);
  return true;
}

op_list ops_below(arena *memory, MlirOperation root, op_kind *is) {
  collector c = {memory, is, {0}};
  visit_below(root, collect, &c);
  return c.found;
}

bool change_operations(MlirOperation root, op_kind *is,
                       bool (*change)(MlirOperation op, arena *memory)) {
  arena *memory = arena_create();
  op_list found = ops_below(memory, root, is);
  bool all = true;
  for (int i = 0; i < found.count; i++)
    all &= change(found.ops[i], memory);
  arena_free(memory);
  return all;
}

void replace_operation(MlirOperation op, MlirValue replacement) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), replacement);
  mlirOperationDestroy(op);
}
