/* insert_tiles.c - workspaces in which tiles of a result that is in no cache are added up.
 *
 *     forall i0 { forall i_plus_k { forall i1 { y[i] add b } } }
 *  -> forall i0 { where { forall i1 on cpu_vector { y[i] = w[i1] } }
 *                 producing w { forall i_plus_k { forall i1 { w[i1] add b } } } }
 *
 * A tile that is added up in the result itself is read from memory before it begins and written
 * there afterwards.  That of a workspace stays in the first cache from one to the next, and what it
 * comes to is stored past the caches (lower/cpu/stream.c).
 */
#include "held_access.h"
#include "insert_workspaces.h"
#include "statistics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* Tiles of more bytes are in no first cache. */
enum { TILE_MOST = 16 << 10 };

/* The tiles of an assignment: the statement that adds one up, and the variable inside it. */
typedef struct tiles {
  MlirOperation statement;
  MlirValue within;
} tiles;

/* Of numbers that vectors hold. */
static bool is_array(const inserter *w) {
  const tensor_format *result = w->result;
  if (type_is_complex(result->element))
    return false;
  for (int l = 0; l < result->level_count; ++l)
    if (!(result->levels[l].properties & LEVEL_FULL) ||
        !(result->levels[l].format->capabilities & LEVEL_INSERT))
      return false;
  return result->level_count > 0;
}

/* How many coordinates a variable has, as operands are said to hold (tin.holds); 0 where nothing
 * tells. */
static double held_extent(const inserter *w, MlirValue variable) {
  op_list reads = ops_below(w->memory, w->kernel, cin_is_read);
  double extent = 0;
  for (int i = 0; i < reads.count; ++i) {
    held_access a;
    if (!held_access_of(w->memory, w->kernel, reads.ops[i], &a))
      continue;
    for (intptr_t d = 0; d < cin_access_rank(reads.ops[i]) && extent == 0; ++d) {
      MlirValue bare = cin_access_bare(reads.ops[i], d);
      extent = bare.ptr && mlirValueEqual(bare, variable) ? held_size(&a, (int)d) : 0;
    }
  }
  return extent;
}

/* Where its size is not known the result is taken to be small. */
static bool has_bytes(const inserter *w, MlirOperation assign, int64_t least) {
  MlirType type = mlirValueGetType(cin_kernel_result(w->kernel));
  double bytes = (double)type_bytes(w->result->element);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    MlirValue bare = cin_access_bare(assign, d);
    bytes *= !mlirShapedTypeIsDynamicDim(type, d) ? (double)mlirShapedTypeGetDimSize(type, d)
             : bare.ptr                           ? held_extent(w, bare)
                                                  : 0;
  }
  return bytes >= (double)least;
}

/* The split that leaves the variable inside a tile, of what the last level holds side by side; null
 * where it is none. */
static MlirOperation split_of(const inserter *w, MlirOperation assign, MlirValue within) {
  const MlirOperation none = {NULL};
  const format_level *last = &w->result->levels[w->result->level_count - 1];
  MlirOperation split = value_owner(within);
  if (!cin_is_split(split) || !mlirValueEqual(cin_split_inner(split), within) ||
      !(last->properties & LEVEL_CONSECUTIVE) || last->dimension < 0)
    return none;
  MlirValue held = cin_access_bare(assign, last->dimension);
  return held.ptr && mlirValueEqual(cin_split_parent(split), held) ? split : none;
}

/* Whether the foralls from a place on are serial, each all there is in the one around, and the
 * assignment is all there is in the innermost. */
static bool are_nested(MlirOperation assign, op_list path, int place) {
  for (int n = place; n < path.count; ++n)
    if (cin_op_unit(path.ops[n]) != CIN_SERIAL ||
        (n > place && !mlirOperationEqual(cin_only_forall_in(path.ops[n - 1]), path.ops[n])))
      return false;
  return mlirOperationEqual(mlirOperationGetParentOperation(assign), path.ops[path.count - 1]) &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(assign));
}

/* Whether the coordinate of a tile, and all of the place in the result but the coordinate in it,
 * are known around the forall at a place. */
static bool is_rest_known(const inserter *w, MlirOperation assign, op_list path, int place,
                          MlirOperation split) {
  const format_level *last = &w->result->levels[w->result->level_count - 1];
  bool is_known = false;
  for (intptr_t d = 0; d < cin_access_rank(assign); ++d)
    if (d != last->dimension && cin_subscript_known_at(w->graph, path, assign, d) >= place)
      return false;
  for (int n = 0; n < place; ++n)
    is_known |= mlirValueEqual(cin_forall_variable(path.ops[n]), cin_split_outer(split));
  return is_known;
}

/* From the outermost forall that reduces on. */
static bool find_tiles(const inserter *w, MlirOperation assign, tiles *t) {
  op_list path = cin_path(w->memory, assign);
  int place = 0, last = path.count - 1;
  while (place < last && !inserter_reduces_over(w, assign, path.ops[place]))
    ++place;
  if (place == 0 || place >= last)
    return false;
  *t = (tiles){.statement = path.ops[place], .within = cin_forall_variable(path.ops[last])};
  MlirOperation split = split_of(w, assign, t->within);
  int64_t size = provenance_static_extent(w->graph, t->within);
  return !mlirOperationIsNull(split) && size > 1 &&
         size <= TILE_MOST / type_bytes(w->result->element) && are_nested(assign, path, place) &&
         is_rest_known(w, assign, path, place, split);
}

static void add_up_in_workspace(const inserter *w, MlirOperation assign, const tiles *t) {
  const int64_t size = mlirShapedTypeGetDynamicSize();
  MlirType type = mlirRankedTensorTypeGet(1, &size, w->result->element, mlirAttributeGetNull());
  MlirValue workspace = cin_declare_workspace(w->kernel, type, 1, &t->within);
  MlirOperation where = inserter_wrap_in_where(t->statement, workspace);
  MlirBlock consumer = inserter_add_forall(assign, t->within, cin_where_consumer(where));
  cin_op_set_parallel(mlirBlockGetParentOperation(consumer), CIN_CPU_VECTOR, CIN_NO_RACES);
  inserter_produce(assign, workspace, 1, &t->within);
  inserter_consume(assign, consumer, workspace, 1, &t->within, true);
  mlirOperationDestroy(assign);
  statistic_add(STATISTIC_WORKSPACES, 1);
}

void inserter_insert_tile(const inserter *w, MlirOperation assign, int64_t beyond) {
  tiles t;
  if (inserter_is_result(w, assign) && cin_assign_kind(assign) && is_array(w) &&
      has_bytes(w, assign, beyond) && find_tiles(w, assign, &t) &&
      inserter_may_assign(w, assign, t.statement))
    add_up_in_workspace(w, assign, &t);
}
