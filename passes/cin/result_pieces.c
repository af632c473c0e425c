/* Pieces of a result for threads (result_pieces.h). */
#include "result_pieces.h"

#include "extent.h"
#include "forall_trips.h"
#include "parallel_safety.h"

#include <mlir-c/BuiltinAttributes.h>

#include <stdlib.h>

typedef struct cut {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, outermost;
  MlirValue variable;   /* of the result, which is cut, */
  int dimension;        /* along this dimension */
  MlirOperation around; /* the forall over a form of it */
  MlirOperation within; /* the one inside that becomes that over a piece */
} cut;

/* Each piece is as long as so many coordinates at least, and there are several for each thread.
 * Loops around those that are cut have so many iterations at most. */
enum { SHORTEST = 8, FOR_EACH_THREAD = 4, FOR_ANY_THREADS = 64, SELDOM = 64 };

/* ---- Which variable ------------------------------------------------------------------------ */

/* The dimension that is subscripted by a variable alone; -1 for none. */
static int dimension_of(MlirOperation access, MlirValue variable) {
  int d = (int)cin_access_rank(access) - 1;
  while (d >= 0 && !mlirValueEqual(cin_access_bare(access, d), variable))
    d--;
  return d;
}

/* The dimension of the result, where all that is assigned to it is at a coordinate of the variable;
 * -1 where that is not so. */
static int divided_dimension(const cut *c, MlirValue variable) {
  op_list assigns = ops_below(c->memory, c->outermost, cin_is_assign);
  int dimension = -1;
  for (int i = 0; i < assigns.count; ++i) {
    if (!mlirValueEqual(cin_access_tensor(assigns.ops[i]), cin_kernel_result(c->kernel)))
      continue;
    dimension = dimension_of(assigns.ops[i], variable);
    if (dimension < 0)
      return -1;
  }
  return dimension;
}

/* The only forall over a variable, inside of another one; null where there is none, or it is told
 * what to run on. */
static MlirOperation forall_over(const cut *c, MlirOperation outside, MlirValue variable) {
  op_list foralls = ops_below(c->memory, outside, cin_is_forall);
  MlirOperation found = {NULL};
  for (int i = 0; i < foralls.count; ++i)
    if (mlirValueEqual(cin_forall_variable(foralls.ops[i]), variable))
      found = foralls.ops[i];
  bool is_only = found.ptr && cin_foralls_over(c->memory, c->kernel, variable) == 1;
  return is_only && cin_op_unit(found) == CIN_SERIAL && !cin_forall_is_told(found)
             ? found
             : (MlirOperation){NULL};
}

/* The innermost forall over another variable of the form, which then follows instead: one that goes
 * through all coordinates, with each of which the form goes one further. */
static MlirOperation forall_instead(const cut *c, MlirOperation form) {
  MlirAffineExpr sum = remap_canonical(mlirAffineMapGetResult(cin_remap_map(form), 0));
  MlirOperation innermost = {NULL};
  for (intptr_t n = 0; n < cin_remap_variable_count(form); ++n) {
    MlirOperation forall = forall_over(c, c->around, cin_remap_variable(form, n));
    bool takes = forall.ptr && llabs(subscript_factor(sum, (int)n)) == 1 &&
                 !cin_forall_is_fixed(forall) &&
                 parallel_walks_full(c->memory, c->graph, c->kernel, forall);
    if (takes && (!innermost.ptr || op_is_inside(forall, innermost)))
      innermost = forall;
  }
  return innermost;
}

static bool find_in_form(cut *c, MlirOperation form) {
  for (intptr_t n = 0; n < cin_remap_variable_count(form); ++n) {
    MlirValue variable = cin_remap_variable(form, n);
    c->variable = variable;
    c->dimension = divided_dimension(c, variable);
    if (!provenance_is_underived(variable) || provenance_is_consumed(c->graph, variable) ||
        c->dimension < 0)
      continue;
    c->within = cin_foralls_over(c->memory, c->kernel, variable)
                    ? forall_over(c, c->around, variable)
                    : forall_instead(c, form);
    if (c->within.ptr)
      return true;
  }
  return false;
}

/* Parts of a variable that are tiles are few. */
static bool goes_through_parts(MlirOperation forall) {
  MlirOperation split = value_owner(cin_forall_variable(forall));
  return cin_is_split(split) && mlirValueEqual(cin_split_outer(split), cin_forall_variable(forall));
}

/* What is around the forall over a form is gone through once for each piece. */
static bool is_reached_seldom(const cut *c) {
  op_list path = cin_path(c->memory, c->around);
  double trips = 1;
  for (int n = 0; n < path.count; ++n)
    if (!goes_through_parts(path.ops[n]))
      trips *= forall_trips(c->memory, c->kernel, path.ops[n]);
  return !path.count || (trips > 0 && trips <= SELDOM);
}

/* Of the forall around, where that is over a form. */
static bool find_in_forall(cut *c) {
  MlirValue variable = cin_forall_variable(c->around);
  MlirOperation form = value_owner(variable);
  return cin_is_remap(form) && provenance_is_in_form(c->graph, variable) && find_in_form(c, form);
}

/* Of the outermost forall over a form. */
static bool find_variable(cut *c) {
  op_list foralls = ops_below(c->memory, c->kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i) {
    c->around = foralls.ops[i];
    if (op_is_inside(c->around, c->outermost) && is_reached_seldom(c) && find_in_forall(c))
      return true;
  }
  return false;
}

/* ---- Cutting ------------------------------------------------------------------------------- */

/* How many pieces; 1 where they would be too short. */
static int64_t pieces_of(const cut *c, int64_t threads) {
  int64_t most = threads ? FOR_EACH_THREAD * threads : FOR_ANY_THREADS;
  int64_t extent = dimension_size(mlirValueGetType(cin_kernel_result(c->kernel)), c->dimension);
  if (extent < 0 || extent / SHORTEST >= most)
    return most;
  return extent < 2 * SHORTEST ? 1 : extent / SHORTEST;
}

/* The split by `size`, and a forall over the pieces around the outermost one. */
static MlirOperation enclose_in(const cut *c, int64_t size, const char *outer, const char *inner) {
  outer = cin_new_name(c->memory, c->kernel, c->variable, outer);
  inner = cin_new_name(c->memory, c->kernel, c->variable, inner);
  MlirOperation split = cin_declare_split(c->kernel, c->variable, size, outer, inner);
  cin_forall_set_variable(c->within, cin_split_inner(split));
  cin_forall_enclose(c->outermost, cin_split_outer(split));
  return split;
}

static void enclose_in_pieces(const cut *c, int64_t pieces) {
  MlirOperation split = enclose_in(c, pieces, "_piece", "_of_piece");
  op_set(split, "up", mlirUnitAttrGet(mlirOperationGetContext(split)));
  cin_op_set_parallel(c->outermost, CIN_CPU_THREAD, CIN_NO_RACES);
}

bool cut_result(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation forall,
                int64_t threads) {
  cut c = {.memory = memory, .graph = graph, .kernel = kernel, .outermost = forall};
  if (cin_op_unit(forall) != CIN_SERIAL || !parallel_reduces_densely(memory, kernel, forall) ||
      !find_variable(&c))
    return false;
  int64_t pieces = pieces_of(&c, threads);
  if (pieces > 1)
    enclose_in_pieces(&c, pieces);
  return pieces > 1;
}

bool tile_result(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation forall,
                 int64_t size) {
  cut c = {
      .memory = memory, .graph = graph, .kernel = kernel, .outermost = forall, .around = forall};
  if (!find_in_forall(&c))
    return false;
  int64_t extent = dimension_size(mlirValueGetType(cin_kernel_result(kernel)), c.dimension);
  bool fits = extent >= 0 && extent < 2 * size;
  if (!fits)
    enclose_in(&c, size, "_tile", "_of_tile");
  return !fits;
}
