/* op_list.h - lists of operations: those of a kind, and what a pass does with each of them. */
#ifndef LACUNA_OP_LIST_H
#define LACUNA_OP_LIST_H

#include "arena.h"
#include "ir.h"

/* A growing list of operations, in an arena. */
typedef struct op_list {
  int count, room;
  MlirOperation *ops;
} op_list;
void op_list_add(arena *memory, op_list *list, MlirOperation op);

/* The operations of that kind below `root`, in program order. */
op_list ops_below(arena *memory, MlirOperation root, op_kind *is);

/* Gives each of these operations to `change`, with an arena for all of them; whether all of them
 * could be changed. */
bool change_operations(MlirOperation root, op_kind *is,
                       bool (*change)(MlirOperation op, arena *memory));

/* Replaces all uses of the operation's one result and erases it. */
void replace_operation(MlirOperation op, MlirValue replacement);

#endif
