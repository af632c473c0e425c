/* schedule_sums.c - what stands inside of the value of precompute: sums, and other workspaces, that
 * a cin.where around the assignment produces.
 *
 *     y(i) = c(i) * (b(i) + A(i,j) * x(j))         precompute(b(i) + A(i,j) * x(j), i, iw, w)
 *
 *     forall i { where { y[i] = c[i] * (b[i] + t) }
 *                producing t { forall j { t add A[i, j] * x[j] }}}
 *
 *     where { forall i { y[i] = c[i] * w[i] } }
 *     producing w { forall iw { where { w[iw] = b[iw] + t' }
 *                               producing t' { forall j { t' add A[iw, j] * x[j] }}}}
 *
 * A value that reads t is of what t is computed from.  Where t is produced inside of the loops that
 * move, it is produced in the producer of w as well; in the consumer it is gone, unless something
 * else reads it there.
 */
#include "cin.h"
#include "schedule_precompute.h"

/* ---- Which cin.where ---------------------------------------------------------------------- */

/* Those whose consumer the operation is in, the innermost first. */
static op_list wheres_around(arena *memory, MlirOperation op) {
  op_list around = {0};
  for (MlirOperation up = op; !cin_is_kernel(up); up = mlirOperationGetParentOperation(up)) {
    MlirOperation parent = mlirOperationGetParentOperation(up);
    if (cin_is_where(parent) &&
        mlirBlockEqual(mlirOperationGetBlock(up), cin_where_consumer(parent)))
      op_list_add(memory, &around, parent);
  }
  return around;
}

/* The reads of a cin.where's producer. */
static op_list reads_of_producer(arena *memory, MlirOperation where) {
  op_list all = ops_below(memory, where, cin_is_read), own = {0};
  for (int n = 0; n < all.count; ++n) {
    MlirOperation up = all.ops[n];
    while (!mlirOperationEqual(mlirOperationGetParentOperation(up), where))
      up = mlirOperationGetParentOperation(up);
    if (mlirBlockEqual(mlirOperationGetBlock(up), cin_where_producer(where)))
      op_list_add(memory, &own, all.ops[n]);
  }
  return own;
}

/* The reads of the value, and of all that workspaces among them are computed from. */
static op_list reads_within(const precompute *p) {
  op_list reads = {0}, wheres = {0};
  for (int n = 0; n < p->value.read_count; ++n)
    if (!mlirOperationIsNull(p->value.reads[n]))
      op_list_add(p->s->memory, &reads, p->value.reads[n]);
  for (int n = 0; n < reads.count; ++n) {
    MlirOperation where = cin_where_of(reads.ops[n]);
    for (int k = 0; k < wheres.count && !mlirOperationIsNull(where); ++k)
      if (mlirOperationEqual(wheres.ops[k], where))
        where = (MlirOperation){NULL};
    if (mlirOperationIsNull(where))
      continue;
    op_list_add(p->s->memory, &wheres, where);
    op_list more = reads_of_producer(p->s->memory, where);
    for (int k = 0; k < more.count; ++k)
      op_list_add(p->s->memory, &reads, more.ops[k]);
  }
  return reads;
}

/* Those around the assignment whose workspaces are among the reads, the outermost first. */
static op_list wheres_of(const precompute *p, op_list reads) {
  op_list around = wheres_around(p->s->memory, p->value.assign), found = {0};
  for (int n = around.count; n-- > 0;) {
    bool is_read = false;
    for (int k = 0; k < reads.count; ++k)
      is_read |=
          mlirValueEqual(cin_access_tensor(reads.ops[k]), cin_where_workspace(around.ops[n]));
    if (is_read)
      op_list_add(p->s->memory, &found, around.ops[n]);
  }
  return found;
}

/* ---- What a read is of -------------------------------------------------------------------- */

bool precompute_sum_is_of(const precompute *p, MlirOperation read, MlirValue variable) {
  MlirOperation where = cin_where_of(read);
  if (mlirOperationIsNull(where))
    return false;
  op_list reads = reads_of_producer(p->s->memory, where);
  for (int n = 0; n < reads.count; ++n)
    if (precompute_access_is_of(p, reads.ops[n], variable))
      return true;
  return false;
}

/* ---- How far out the cin.where may stand -------------------------------------------------- */

/* Whether what a read is of is known in the producer of a cin.where around forall n. */
static bool is_known_outside(const precompute *p, MlirOperation read, int n) {
  op_list path = cin_path(p->s->memory, read);
  MlirValue *from = ARENA_ARRAY(p->s->memory, MlirValue, p->path.count + path.count + 1);
  intptr_t count = 0;
  for (int k = 0; k < p->path.count; ++k)
    if (k < n || p->places[k] == LISTED || p->places[k] == SUMMED)
      from[count++] = precompute_variable(p, k);
  for (int k = 0; k < path.count; ++k)
    if (k >= p->path.count || !mlirOperationEqual(path.ops[k], p->path.ops[k]))
      from[count++] = cin_forall_variable(path.ops[k]);
  if (p->has_windows)
    return precompute_read_follows(p, read, count, from);
  for (intptr_t v = 0; v < cin_access_variable_count(read); ++v)
    if (!provenance_follows(p->s->graph, cin_access_variable(read, v), count, from))
      return false;
  return true;
}

static bool are_known_outside(const precompute *p, op_list reads, int n) {
  for (int r = 0; r < reads.count; ++r)
    if (!is_known_outside(p, reads.ops[r], n))
      return false;
  return true;
}

/* Whether a workspace of the value is produced directly inside of forall n. */
static bool is_produced_in(const precompute *p, op_list wheres, int n) {
  for (int k = 0; k < wheres.count; ++k)
    if (cin_path(p->s->memory, wheres.ops[k]).count == n + 1)
      return true;
  return false;
}

static bool numbers(const precompute *p) {
  for (int n = 0; n < p->s->command->known_count; ++n)
    if (!mlirOperationIsNull(precompute_numbering(schedule_known(p->s, n))))
      return true;
  return false;
}

int precompute_outermost(const precompute *p) {
  op_list reads = reads_within(p), wheres = wheres_of(p, reads);
  int top = p->top;
  while (top > 0 && p->places[top - 1] == CONSUMED && !numbers(p) &&
         !cin_forall_is_parallel(p->path.ops[top - 1]) && !is_produced_in(p, wheres, top - 1) &&
         are_known_outside(p, reads, top - 1))
    --top;
  return top;
}

/* ---- Sums in the producer ----------------------------------------------------------------- */

typedef struct renaming {
  const precompute *p;
  value_map *now;
} renaming;

/* A workspace like this one, where it is no other's. */
static MlirValue workspace_like(const renaming *r, MlirValue workspace) {
  MlirOperation like = mlirOperationClone(value_owner(workspace));
  mlirOperationRemoveAttributeByName(like, mlirStringRefCreateFromCString("name"));
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(like); ++n) {
    MlirValue now = value_map_get(r->now, mlirOperationGetOperand(like, n));
    if (!mlirValueIsNull(now))
      mlirOperationSetOperand(like, n, now);
  }
  return mlirOperationGetResult(cin_declare(r->p->s->kernel, like), 0);
}

static bool rename_operands(MlirOperation op, void *data) {
  const renaming *r = data;
  if (cin_is_where(op))
    value_map_set(r->now, cin_where_workspace(op), workspace_like(r, cin_where_workspace(op)));
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(op); ++n) {
    MlirValue now = value_map_get(r->now, mlirOperationGetOperand(op, n));
    if (!mlirValueIsNull(now))
      mlirOperationSetOperand(op, n, now);
  }
  return true;
}

static void clear(MlirBlock block) {
  while (!mlirOperationIsNull(mlirBlockGetFirstOperation(block))) {
    MlirOperation op = mlirBlockGetFirstOperation(block), next;
    while (!mlirOperationIsNull(next = mlirOperationGetNextInBlock(op)))
      op = next;
    mlirOperationDestroy(op);
  }
}

/* { }  ->  { where { } producing t' { as that of t } }; the consumer's block. */
static MlirBlock produce_alike(renaming *r, MlirOperation where, MlirBlock block) {
  MlirOperation alike = mlirOperationClone(where);
  clear(cin_where_consumer(alike));
  mlirBlockAppendOwnedOperation(block, alike);
  rename_operands(alike, r);
  visit_below(alike, rename_operands, r);
  return cin_where_consumer(alike);
}

MlirBlock precompute_produce_sums(precompute *p, MlirBlock block) {
  op_list wheres = wheres_of(p, reads_within(p));
  renaming r = {p, &p->renamed};
  for (int n = 0; n < wheres.count; ++n)
    if (p->top < p->path.count && cin_path(p->s->memory, wheres.ops[n]).count > p->top)
      block = produce_alike(&r, wheres.ops[n], block);
  return block;
}

/* ---- Sums in the consumer ----------------------------------------------------------------- */

static bool has_reads(MlirValue workspace) {
  for (MlirOpOperand use = mlirValueGetFirstUse(workspace); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (cin_is_read(mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

/* where { s } producing t { ... }  ->  s, without the workspaces that nobody uses then. */
static void dissolve(arena *memory, MlirOperation where) {
  op_list within = {0}, inner;
  MlirOperation op;
  while (!mlirOperationIsNull(op = mlirBlockGetFirstOperation(cin_where_consumer(where)))) {
    mlirOperationRemoveFromParent(op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(where), where, op);
  }
  inner = ops_below(memory, where, cin_is_where);
  op_list_add(memory, &within, value_owner(cin_where_workspace(where)));
  for (int n = 0; n < inner.count; ++n)
    op_list_add(memory, &within, value_owner(cin_where_workspace(inner.ops[n])));
  mlirOperationDestroy(where);
  for (int n = 0; n < within.count; ++n)
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(within.ops[n], 0))))
      mlirOperationDestroy(within.ops[n]);
}

void precompute_dissolve_sums(const precompute *p) {
  op_list around = wheres_around(p->s->memory, p->value.assign);
  for (int n = 0; n < around.count; ++n)
    if (!has_reads(cin_where_workspace(around.ops[n])))
      dissolve(p->s->memory, around.ops[n]);
}
