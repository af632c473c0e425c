/* parallel_loop.c - a loop on threads over places, in chunks of neighbouring ones.
 *
 *     parallel for chunk in 0..ceil(n/size)-1
 *       workspaces that depend on nothing in the loop, scratch arrays, what is the chunk's own,
 *       where the last rows were found
 *       for place in chunk * size .. min(n, (chunk + 1) * size) - 1
 *
 * What several chunks reduce into is theirs (shared_reduction.h) where the race strategy says
 * `temporary` or `parallel_reduction`.
 */
#include "coiterate.h"

#include "cin.h"
#include "ir.h"
#include "kernel.h"
#include "parents.h"
#include "scratch.h"
#include "shared_reduction.h"
#include "sit.h"
#include "visits.h"

enum { CHUNKS = 256 };

/* ---- What an iteration needs of its own --------------------------------------------------- */

/* Constants in it are the same anywhere. */
static bool depends_on_block(MlirOperation op, MlirBlock block) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation made = value_owner(mlirOperationGetOperand(op, i));
    bool is_constant = !mlirOperationIsNull(made) && op_is(made, "arith.constant");
    if (!is_constant && mlirBlockEqual(value_block(mlirOperationGetOperand(op, i)), block))
      return true;
  }
  return false;
}

static bool has_hoistable_workspace(coiteration *c) {
  MlirBlock block = sit_coiterate_case_body(c->op, 0);
  if (scratch_is_needed(c->op))
    return true;
  for (OPERATIONS(op, block))
    if (sit_is_workspace(op) && !depends_on_block(op, block))
      return true;
  return false;
}

static bool hoist_of_case(coiteration *c, MlirBlock block) {
  for (OPERATIONS(op, block)) {
    if (!sit_is_workspace(op) || depends_on_block(op, block))
      continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
      lowering_ahead(c->k, c->op, mlirOperationGetOperand(op, i));
    if (!lower_workspace(c->k, op))
      return false;
    lowered made = *lowering_find(c->k, mlirOperationGetResult(op, 0));
    made.hoisted = true;
    lowering_bind(c->k, mlirOperationGetResult(op, 0), made);
  }
  return true;
}

static void drop_workspace(lowering *k, MlirValue workspace) {
  lowered made = *lowering_find(k, workspace);
  made.hoisted = false;
  lowering_bind(k, workspace, made);
}

bool coiteration_hoist_workspaces(coiteration *c) {
  bool good = true;
  for (intptr_t i = 0; good && i < sit_coiterate_case_count(c->op); i++)
    good = hoist_of_case(c, sit_coiterate_case_body(c->op, i));
  return good;
}

void coiteration_drop_workspaces(coiteration *c) {
  for (intptr_t i = 0; i < sit_coiterate_case_count(c->op); i++)
    for (OPERATIONS(op, sit_coiterate_case_body(c->op, i)))
      if (sit_is_workspace(op) && lowering_find(c->k, mlirOperationGetResult(op, 0)))
        drop_workspace(c->k, mlirOperationGetResult(op, 0));
}

/* ---- Chunks ------------------------------------------------------------------------------- */

/* The places of a chunk, with workspaces and scratch arrays of its own. */
static bool chunk_body(coiteration *c, MlirValue from, MlirValue to) {
  struct closing *outer = rest_mark(c->k);
  struct scratch_array *others = c->k->scratches;
  scratch_make(c->k, c->op);
  bool good = coiteration_hoist_workspaces(c) && coiteration_serial_loop(c, from, to);
  close_rest(c->k, outer);
  coiteration_drop_workspaces(c);
  c->k->scratches = others;
  return good;
}

typedef struct chunks {
  MlirValue size, count;
} chunks;

/* A part behind the end of the whole has none. */
static MlirValue places_between(builder *b, MlirValue begin, MlirValue end) {
  return max_i(b, sub(b, end, begin), constant_index(b, 0));
}

static chunks chunks_of(builder *b, MlirValue begin, MlirValue end, MlirValue most) {
  MlirValue places = places_between(b, begin, end);
  MlirValue size = max_i(b, constant_index(b, 1), ceil_div(b, places, most));
  return (chunks){size, ceil_div(b, places, size)};
}

/* Those that are dealt out at once, where that is said. */
static chunks own_chunks(const coiteration *c, MlirValue begin, MlirValue end) {
  builder *b = c->k->b;
  int64_t at_once = dealt_at_once(c);
  if (!at_once)
    return chunks_of(b, begin, end, constant_index(b, CHUNKS));
  MlirValue size = constant_index(b, at_once);
  return (chunks){size, ceil_div(b, places_between(b, begin, end), size)};
}

static bool chunk_loop(coiteration *c, MlirValue begin, MlirValue end, chunks all,
                       shared_reduction *shared) {
  builder *b = c->k->b;
  MlirValue chunk = parallel_begin(b, constant_index(b, 0), all.count, constant_index(b, 1));
  MlirValue from = add(b, begin, mul(b, chunk, all.size));
  if (shared)
    shared_reduction_enter(shared, chunk);
  bool good = chunk_body(c, from, min_i(b, end, add(b, from, all.size)));
  if (shared)
    shared_reduction_leave(shared, chunk);
  deal_out(c, parallel_end(b), 1);
  return good;
}

static bool shared_loop(coiteration *c, MlirValue begin, MlirValue end, shared_reduction *shared) {
  builder *b = c->k->b;
  MlirValue threads = shared_reduction_threads(shared);
  chunks all =
      chunks_of(b, begin, end, threads.ptr ? threads : shared_reduction_chunks(shared, CHUNKS));
  int outer = c->k->parallel_mark;
  shared_reduction_begin(shared, all.count);
  c->k->parallel_mark = var_mark(b) + 1;
  bool good = chunk_loop(c, begin, end, all, shared);
  c->k->parallel_mark = outer;
  shared_reduction_end(shared);
  return good;
}

static bool plain_parallel_loop(coiteration *c, MlirValue begin, MlirValue end) {
  MlirValue place = parallel_begin(c->k->b, begin, end, constant_index(c->k->b, 1));
  bool good = coiteration_place(c, place);
  deal_out(c, parallel_end(c->k->b), dealt_at_once(c));
  return good;
}

static bool separate_loop(coiteration *c, MlirValue begin, MlirValue end) {
  int outer = c->k->parallel_mark;
  expect_visits(c->k, c->op);
  c->k->parallel_mark = var_mark(c->k->b) + 1;
  bool good = has_hoistable_workspace(c) || parents_are_sought(c->op)
                  ? chunk_loop(c, begin, end, own_chunks(c, begin, end), NULL)
                  : plain_parallel_loop(c, begin, end);
  c->k->parallel_mark = outer;
  return good;
}

bool coiteration_parallel_loop(coiteration *c, MlirValue begin, MlirValue end) {
  shared_reduction shared;
  if (!shared_reduction_read(&shared, c->k, c->op))
    return false;
  if (shared_reduction_is_needed(&shared))
    return shared_loop(c, begin, end, &shared);
  return has_long_rows(c) ? long_rows_loop(c, begin, end, separate_loop)
                          : separate_loop(c, begin, end);
}
