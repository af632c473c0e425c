/* value_shapes.c - numbers for the shapes of values, from the leaves up. */
#include "value_shapes.h"

#include "ir.h"

#include <stdlib.h>
#include <string.h>

/* What algebra lets stand in any order; rounding may differ. */
static const chain_operator operators[] = {
    {"arith.addf", "arith.subf"},   {"arith.mulf", "arith.divf"},
    {"arith.addi", "arith.subi"},   {"arith.muli", NULL},
    {"complex.add", "complex.sub"}, {"complex.mul", "complex.div"},
    {"arith.andi", NULL},           {"arith.ori", NULL},
    {"arith.xori", NULL},           {"arith.minimumf", NULL},
    {"arith.maximumf", NULL},       {"arith.minnumf", NULL},
    {"arith.maxnumf", NULL},        {"arith.minsi", NULL},
    {"arith.maxsi", NULL},          {"arith.minui", NULL},
    {"arith.maxui", NULL},
};

/* A leaf, an operation on shapes, or a chain of them: 2 * shape, or 2 * shape + 1 of an inverse,
 * ascending. */
typedef struct shape {
  int leaf;                 /* SHAPE_INSIDE where it is none */
  const chain_operator *op; /* of a chain */
  MlirOperation example;    /* of another operation: one that is so */
  int count, *parts;
} shape;

struct shape_table {
  arena *memory;
  int count, room;
  shape *shapes;
};

shape_table *shape_table_create(arena *memory) {
  shape_table *table = ARENA_ARRAY(memory, shape_table, 1);
  table->memory = memory;
  return table;
}

/* ---- The table ---------------------------------------------------------------------------- */

/* Whether two operations do the same with their operands. */
static bool do_alike(MlirOperation x, MlirOperation y) {
  intptr_t count = mlirOperationGetNumAttributes(x);
  if (!mlirStringRefEqual(op_name(x), op_name(y)) || count != mlirOperationGetNumAttributes(y) ||
      mlirOperationGetNumResults(x) != 1 || mlirOperationGetNumResults(y) != 1 ||
      mlirOperationGetNumRegions(x) || mlirOperationGetNumRegions(y) ||
      !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(x, 0)),
                     mlirValueGetType(mlirOperationGetResult(y, 0))))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute a = mlirOperationGetAttribute(x, i);
    if (!mlirAttributeEqual(a.attribute,
                            mlirOperationGetAttributeByName(y, mlirIdentifierStr(a.name))))
      return false;
  }
  return true;
}

static bool are_equal(const shape *x, const shape *y) {
  if (x->leaf != y->leaf || x->op != y->op || x->count != y->count ||
      mlirOperationIsNull(x->example) != mlirOperationIsNull(y->example))
    return false;
  if (x->count && memcmp(x->parts, y->parts, sizeof *x->parts * (size_t)x->count) != 0)
    return false;
  return mlirOperationIsNull(x->example) || do_alike(x->example, y->example);
}

static int find_shape(shape_table *table, const shape *wanted, bool grows) {
  for (int n = 0; n < table->count; ++n)
    if (are_equal(&table->shapes[n], wanted))
      return n;
  if (!grows)
    return SHAPE_UNKNOWN;
  if (table->count == table->room) {
    table->room = table->room ? 2 * table->room : 16;
    shape *larger = ARENA_ARRAY(table->memory, shape, table->room);
    if (table->count)
      memcpy(larger, table->shapes, sizeof *larger * (size_t)table->count);
    table->shapes = larger;
  }
  table->shapes[table->count] = *wanted;
  return table->count++;
}

/* ---- Chains ------------------------------------------------------------------------------- */

static const chain_operator *operator_of(MlirOperation op) {
  for (size_t n = 0; n < sizeof operators / sizeof *operators; ++n)
    if (op_is(op, operators[n].name) || (operators[n].inverse && op_is(op, operators[n].inverse)))
      return &operators[n];
  return NULL;
}

static bool is_inverse(MlirOperation op, const chain_operator *of) {
  return of->inverse && op_is(op, of->inverse);
}

/* Whether the value is a part of a chain that goes on: used once, and not as what an inverse
 * undoes. */
static bool is_inside(MlirValue value) {
  MlirOperation op = value_owner(value);
  const chain_operator *of = operator_of(op);
  MlirOpOperand use = value_only_use(value);
  if (!of || mlirOpOperandIsNull(use))
    return false;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return operator_of(user) == of &&
         (mlirOpOperandGetOperandNumber(use) == 0 || !is_inverse(user, of));
}

static int shape_at(const shaped_values *all, MlirValue value) {
  int place = value_map_place(&all->places, value);
  return place < 0 ? SHAPE_UNKNOWN : all->shapes[place];
}

/* Room doubles at powers of two. */
static void add_part(arena *memory, chain *list, chain_part part) {
  if (!(list->count & (list->count - 1))) {
    int room = list->count ? 2 * list->count : 1;
    chain_part *larger = ARENA_ARRAY(memory, chain_part, room);
    if (list->count)
      memcpy(larger, list->parts, sizeof *larger * (size_t)list->count);
    list->parts = larger;
  }
  list->parts[list->count++] = part;
}

/* From left to right, without going deep. */
chain shaped_chain(const shaped_values *all, MlirValue value) {
  MlirOperation op = value_owner(value);
  chain c = {.op = operator_of(op)}, waiting = {NULL, 0, NULL};
  if (!c.op || shape_at(all, value) == SHAPE_INSIDE || !shaped_has(all, value))
    return (chain){NULL, 0, NULL};
  chain_part at = {value, SHAPE_INSIDE, false};
  for (;;) {
    if (at.shape == SHAPE_INSIDE) {
      op = value_owner(at.value);
      MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
      add_part(all->memory, &waiting, (chain_part){y, shape_at(all, y), is_inverse(op, c.op)});
      at = (chain_part){x, shape_at(all, x), false};
      continue;
    }
    add_part(all->memory, &c, at);
    if (!waiting.count)
      return c;
    at = waiting.parts[--waiting.count];
  }
}

static int compare_numbers(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

/* False where the table has not the shape of a part. */
static bool take_chain(const shaped_values *all, MlirValue value, shape *taken) {
  chain c = shaped_chain(all, value);
  taken->op = c.op;
  taken->parts = ARENA_ARRAY(all->memory, int, c.count + 1);
  for (int n = 0; n < c.count; ++n) {
    if (c.parts[n].shape < 0)
      return false;
    taken->parts[taken->count++] = 2 * c.parts[n].shape + c.parts[n].inverse;
  }
  qsort(taken->parts, (size_t)taken->count, sizeof *taken->parts, compare_numbers);
  return true;
}

static bool take_operation(const shaped_values *all, MlirOperation op, shape *taken) {
  intptr_t count = mlirOperationGetNumOperands(op);
  taken->example = op;
  taken->parts = ARENA_ARRAY(all->memory, int, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    int part = shape_at(all, mlirOperationGetOperand(op, i));
    if (part < 0)
      return false;
    taken->parts[taken->count++] = part;
  }
  return true;
}

/* ---- Values ------------------------------------------------------------------------------- */

typedef struct reading {
  shape_leaf *leaf;
  void *data;
} reading;

static bool is_leaf(MlirValue value, void *data) {
  const reading *r = data;
  return r->leaf(value, r->data) != SHAPE_INSIDE;
}

static int shape_of(shape_table *table, const shaped_values *all, MlirValue value, int leaf,
                    bool grows) {
  shape taken = {.leaf = leaf};
  if (leaf < SHAPE_INSIDE)
    return SHAPE_INSIDE - 1 - leaf;
  if (leaf != SHAPE_INSIDE)
    return leaf == SHAPE_UNKNOWN ? leaf : find_shape(table, &taken, grows);
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op))
    return SHAPE_UNKNOWN;
  if (is_inside(value))
    return SHAPE_INSIDE;
  bool known = operator_of(op) ? take_chain(all, value, &taken) : take_operation(all, op, &taken);
  return known ? find_shape(table, &taken, grows) : SHAPE_UNKNOWN;
}

shaped_values *shape_values(shape_table *table, MlirValue root, shape_leaf *leaf, void *data,
                            bool grows) {
  arena *memory = table->memory;
  reading r = {leaf, data};
  value_list list = values_in_order(memory, root, is_leaf, &r);
  shaped_values *all = ARENA_ARRAY(memory, shaped_values, 1);
  *all = (shaped_values){.memory = memory, .places = {.memory = memory}};
  all->values = list.values;
  all->shapes = ARENA_ARRAY(memory, int, list.count + 1);
  for (; all->count < list.count; ++all->count) {
    MlirValue value = list.values[all->count];
    value_map_set(&all->places, value, value);
    all->shapes[all->count] = SHAPE_INSIDE - 1;
    all->shapes[all->count] = shape_of(table, all, value, leaf(value, data), grows);
  }
  return all;
}

bool shaped_has(const shaped_values *all, MlirValue value) {
  return value_map_place(&all->places, value) >= 0;
}
