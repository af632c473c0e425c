/* cin-unroll.c - unrolls foralls over the few coordinates of a window, so that all of them are
 * written one after another wherever the window is not cut off (sparsify).
 *
 *     forall j_plus_l {                       forall j_plus_l {
 *       forall l {                    ->        forall l unroll 3 {
 *         Y[i, j] add= ...                        Y[i, j] add= ...
 *
 *     forall i_plus_k {                       forall i_plus_k {
 *       forall i {                    ->        forall i unroll 3 attributes {window} {
 *         y[i] add= ...                           y[i] add= ...
 *
 * These are the taps of a filter that a nonzero is multiplied by, or the places that it is part of:
 * three of them but for those at the ends of a row.  How many there are, the type says or what
 * operands are said to hold (tin.holds); windows around them too, as long as the code stays short.
 */
#include "bridge.h"
#include "cin.h"
#include "extent.h"
#include "held_access.h"
#include "loop_cost.h"
#include "parallel_safety.h"
#include "statistics.h"

#include <stdlib.h>

/* A forall, and those around it. */
typedef struct unrolling {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, forall;
  op_list around;
} unrolling;

/* ---- How many ----------------------------------------------------------------------------- */

/* How many coordinates a variable has that the forall reads by, where these are few; else 0. */
static int64_t size_of(const unrolling *u, MlirValue variable) {
  double size = (double)provenance_static_extent(u->graph, variable);
  op_list reads = ops_below(u->memory, u->forall, cin_is_read);
  for (int i = 0; i < reads.count && size < 0; ++i) {
    held_access a;
    if (!held_access_of(u->memory, u->kernel, reads.ops[i], &a))
      continue;
    for (intptr_t d = 0; d < cin_access_rank(reads.ops[i]); ++d) {
      MlirValue bare = cin_access_bare(reads.ops[i], d);
      double held = held_size(&a, (int)d);
      if (!mlirValueIsNull(bare) && mlirValueEqual(bare, variable) && held > 0)
        size = held;
    }
  }
  return size > 0 && size <= WRITTEN_OUT_MOST ? (int64_t)size : 0;
}

static bool is_known_around(const unrolling *u, MlirValue variable) {
  return cin_known_at(u->graph, u->around, variable, NULL) >= 0;
}

/* How many places a form leaves a variable, while the others that are not known go through all that
 * they have; 0 where that is not known, or all of them are not one beside the other. */
static int64_t width_in(const unrolling *u, MlirOperation form, MlirValue variable) {
  MlirAffineExpr sum = remap_canonical(mlirAffineMapGetResult(cin_remap_map(form), 0));
  int64_t width = 0;
  bool is_in = false;
  for (intptr_t n = 0; n < cin_remap_variable_count(form); ++n) {
    MlirValue other = cin_remap_variable(form, n);
    bool is_same = mlirValueEqual(other, variable);
    is_in |= is_same;
    if (!is_same && is_known_around(u, other))
      continue;
    int64_t size = is_same ? 1 : size_of(u, other);
    if (!size || llabs(subscript_factor(sum, (int)n)) != 1)
      return 0;
    width += width ? size - 1 : size;
  }
  return is_in && is_known_around(u, mlirOperationGetResult(form, 0)) ? width : 0;
}

/* How many places are left to the one variable that the forall makes known. */
static int64_t window_of(const unrolling *u) {
  const MlirValue *bases;
  if (provenance_bases(u->graph, cin_forall_variable(u->forall), &bases) != 1)
    return 0;
  op_list forms = ops_below(u->memory, u->kernel, cin_is_remap);
  int64_t width = 0;
  for (int i = 0; i < forms.count && !width; ++i)
    width = width_in(u, forms.ops[i], bases[0]);
  return width <= WRITTEN_OUT_MOST ? width : 0;
}

/* How many assignments are written one after another in the forall; 0 where loops are left. */
static int64_t written_in(const unrolling *u, MlirOperation forall) {
  MlirOperation inner = cin_only_forall_in(forall);
  if (!mlirOperationIsNull(inner))
    return cin_forall_is_unrolled(inner) ? op_integer(inner, "unroll", 1) * written_in(u, inner)
                                         : 0;
  return ops_below(u->memory, forall, cin_is_forall).count
             ? 0
             : ops_below(u->memory, forall, cin_is_assign).count;
}

/* ---- Which -------------------------------------------------------------------------------- */

/* Whether what is known around the forall leaves it a window of what it is added to. */
static bool is_bounded(const unrolling *u) {
  MlirValue variable = cin_forall_variable(u->forall);
  cin_bind(u->graph, u->around);
  bool bounded =
      provenance_is_in_form(u->graph, variable) && provenance_is_bounded(u->graph, variable);
  cin_unbind(u->graph, u->around);
  return bounded;
}

static bool is_on_lanes(const unrolling *u) {
  for (int i = 0; i < u->around.count; ++i)
    if (cin_op_unit(u->around.ops[i]) == CIN_CPU_VECTOR)
      return true;
  return false;
}

/* What a schedule has unrolled may be just so many as well. */
static void unroll(const unrolling *u) {
  bool by_hand = cin_forall_is_unrolled(u->forall);
  int64_t written = written_in(u, u->forall);
  if ((cin_forall_is_told(u->forall) && !by_hand) || cin_forall_is_parallel(u->forall) ||
      !written || is_on_lanes(u) || !parallel_walks_full(u->memory, u->graph, u->kernel, u->forall))
    return;
  int64_t size = is_bounded(u) ? size_of(u, cin_forall_variable(u->forall)) : 0;
  int64_t count = size ? size : window_of(u);
  bool fits = count > 1 && written <= WRITTEN_OUT_MOST / count;
  if (by_hand ? op_integer(u->forall, "unroll", 1) != count : !fits)
    return;
  op_set(u->forall, "unroll", integer_attribute(mlirOperationGetContext(u->forall), count));
  if (!size)
    cin_forall_make_window(u->forall);
  statistic_add(STATISTIC_LOOPS_UNROLLED, 1);
}

/* From the inside out. */
static bool unroll_in_kernel(arena *memory, MlirOperation kernel) {
  unrolling u = {.memory = memory, .graph = provenance_create(memory, kernel), .kernel = kernel};
  if (!u.graph)
    return false;
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (int i = foralls.count - 1; i >= 0; --i) {
    u.forall = foralls.ops[i];
    u.around = cin_path(memory, u.forall);
    unroll(&u);
  }
  return true;
}

int cin_unroll_run(MlirOperation root, const struct cin_unroll_options *options) {
  (void)options;
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, root, cin_is_kernel);
  bool done = true;
  for (int i = 0; done && i < kernels.count; ++i)
    done = unroll_in_kernel(memory, kernels.ops[i]);
  arena_free(memory);
  return done ? 0 : 1;
}
