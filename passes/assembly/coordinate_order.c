/* coordinate_order.c - whether foralls go over the coordinates of a variable in their order. */
#include "coordinate_order.h"

#include "cin.h"

/* A walk down the nest: `at` is the next forall, null behind the last. */
typedef struct descent {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, first, assign, at;
} descent;

/* The forall that is all there is in another, or in the consumers of wheres that are; null where
 * there is none. */
static MlirOperation only_forall_in(MlirOperation forall) {
  MlirOperation first = mlirBlockGetFirstOperation(cin_forall_body(forall)), none = {NULL};
  while (!mlirOperationIsNull(first) && cin_is_where(first) &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(first)))
    first = mlirBlockGetFirstOperation(cin_where_consumer(first));
  bool alone = !mlirOperationIsNull(first) && cin_is_forall(first) &&
               mlirOperationIsNull(mlirOperationGetNextInBlock(first));
  return alone ? first : none;
}

static bool only_reduces(const descent *d, MlirOperation forall) {
  return cin_op_unit(forall) == CIN_SERIAL && cin_assign_kind(d->assign) &&
         !cin_access_follows(d->memory, d->graph, d->assign, cin_forall_variable(forall));
}

static bool goes_over(descent *d, MlirValue variable) {
  while (!mlirOperationIsNull(d->at) && !mlirOperationEqual(d->at, d->first) &&
         only_reduces(d, d->at))
    d->at = only_forall_in(d->at);
  if (mlirOperationIsNull(d->at) || !mlirValueEqual(cin_forall_variable(d->at), variable))
    return false;
  d->at = only_forall_in(d->at);
  return true;
}

/* What a variable is split into, or the quotient and the remainder of it that levels hold. */
typedef struct parts {
  MlirValue outer, inner;
} parts;

static bool parts_of_split(const descent *d, MlirValue variable, parts *found) {
  op_list splits = ops_below(d->memory, d->kernel, cin_is_split);
  for (int i = 0; i < splits.count; ++i)
    if (mlirValueEqual(cin_split_parent(splits.ops[i]), variable)) {
      *found = (parts){cin_split_outer(splits.ops[i]), cin_split_inner(splits.ops[i])};
      return true;
    }
  return false;
}

static bool goes_in_order(descent *d, MlirValue variable);

static bool goes_over_parts(descent *d, const parts *p) {
  MlirOperation from = d->at;
  bool goes = goes_in_order(d, p->outer) && goes_in_order(d, p->inner);
  if (!goes)
    d->at = from;
  return goes;
}

static bool goes_over_blocks(descent *d, MlirValue variable) {
  op_list remaps = ops_below(d->memory, d->kernel, cin_is_remap);
  for (int i = 0; i < remaps.count; ++i) {
    MlirValue quotient = mlirOperationGetResult(remaps.ops[i], 0);
    provenance_part part;
    if (!provenance_part_of(d->graph, quotient, &part) || !part.is_quotient ||
        mlirValueIsNull(part.other) || !mlirValueEqual(part.whole, variable))
      continue;
    parts p = {quotient, part.other};
    if (goes_over_parts(d, &p))
      return true;
  }
  return false;
}

static bool goes_in_order(descent *d, MlirValue variable) {
  parts split;
  if (parts_of_split(d, variable, &split))
    return goes_over_parts(d, &split);
  return goes_over_blocks(d, variable) || goes_over(d, variable);
}

bool goes_over_in_order(arena *memory, provenance *graph, MlirOperation kernel,
                        MlirOperation forall, MlirOperation assign, MlirValue variable) {
  descent d = {memory, graph, kernel, forall, assign, forall};
  return goes_in_order(&d, variable);
}
