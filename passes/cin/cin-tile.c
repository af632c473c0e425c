/* cin-tile.c - visits in tiles what an outer reduction goes over again and again, so that it stays
 * in the cache.
 *
 *     forall d {                              forall i0 {                     tiles of 1024 rows
 *       forall i {                              forall d {
 *         y[i] add= A[i, j] * x[j]     ->         forall i1 {
 *                                                   y[i] add= A[i, j] * x[j]
 *
 * y and a part of x are then read and written in the cache for each diagonal d of A, instead of in
 * memory; what is walked around the tiles is walked again for each.  That pays where the forall
 * goes over levels that are full and located, or walked in order some offset away (A[i + k]), so
 * that a tile is a piece of each array.  The inner foralls count too, or visit one coordinate at
 * most.  No sum changes its order.  Foralls whose order a schedule has fixed keep it.
 *
 * So are visited in tiles entries each of which is added to a window of the result, beside that of
 * the last one (result_pieces.h):
 *
 *     forall i_plus_k {                       forall i0 {
 *       forall k {                              forall i_plus_k {
 *         y[i] add= x[i_plus_k] * w[k]  ->        forall i1 {
 *                                                   y[i] add= x[i_plus_k] * w[k]
 *
 * Each tile of a result that is dense begins by itself then (sparsify_starts.c); of one that is in
 * no cache, tiles are added up in a workspace (insert_tiles.c).
 */
#include "bridge.h"
#include "cin.h"
#include "cin_kernel.h"
#include "insert_workspaces.h"
#include "result_format.h"
#include "result_pieces.h"
#include "statistics.h"

#include <mlir-c/BuiltinTypes.h>

/* What an inner forall is taken to visit where its extent is not known; the least tile; and how
 * much larger the next cache is. */
enum { USUAL_EXTENT = 32, LEAST_TILE = 4, NEXT_CACHE = 8 };

/* An assignment and the foralls around it: those of `first` and further in reduce, that of `tiled`
 * is made tiles of, all below are one in the other and alone. */
typedef struct tiling {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, assign;
  op_list path, accesses;
  int first, tiled;
  bool *single; /* by place: visits one coordinate at most */
} tiling;

static MlirValue variable_at(const tiling *t, int place) {
  return cin_forall_variable(t->path.ops[place]);
}

static const tensor_format *format_of(const tiling *t, MlirOperation access) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  return mlirTypeIsARankedTensor(type)
             ? tensor_format_get(t->memory, type, mlirOperationGetLocation(access))
             : NULL;
}

/* ---- the shape of the nest ---------------------------------------------------------------- */

static bool is_alone(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(mlirOperationGetBlock(op)), op);
}

static bool reduces(const tiling *t, int place) {
  return cin_access_reduces(t->graph, t->assign, variable_at(t, place));
}

/* Whether the forall is serial and the one at the place before has nothing else in it. */
static bool is_nested(const tiling *t, int place) {
  MlirOperation forall = t->path.ops[place];
  return !cin_forall_is_parallel(t->path.ops[place - 1]) &&
         !cin_forall_is_told(t->path.ops[place - 1]) && is_alone(forall) &&
         mlirOperationEqual(mlirOperationGetParentOperation(forall), t->path.ops[place - 1]);
}

/* Whether tiles of the forall at `tiled` may go around the one at a place. */
static bool may_pass(const tiling *t, int place) {
  return !(cin_forall_is_fixed(t->path.ops[t->tiled]) && cin_forall_is_fixed(t->path.ops[place]));
}

static bool find_places(tiling *t) {
  int last = t->path.count - 1;
  MlirOperation innermost = t->path.ops[last];
  if (!mlirOperationEqual(mlirOperationGetParentOperation(t->assign), innermost) ||
      cin_forall_is_parallel(innermost) || cin_forall_is_told(innermost))
    return false;
  for (t->tiled = last; t->tiled > 0 && is_nested(t, t->tiled); --t->tiled)
    if (!reduces(t, t->tiled) && reduces(t, t->tiled - 1))
      break;
  if (t->tiled == 0 || !is_nested(t, t->tiled) || !may_pass(t, t->tiled - 1))
    return false;
  t->first = t->tiled - 1;
  while (t->first > 0 && reduces(t, t->first - 1) && is_nested(t, t->first) &&
         may_pass(t, t->first - 1))
    --t->first;
  return true;
}

/* Whether the forall is all there is in the one at the place before. */
static bool is_inside(const tiling *t, int place) {
  MlirOperation forall = t->path.ops[place];
  return is_alone(forall) && !cin_forall_is_parallel(forall) && !cin_forall_is_told(forall) &&
         mlirOperationEqual(mlirOperationGetParentOperation(forall), t->path.ops[place - 1]);
}

/* ---- what the foralls go over ------------------------------------------------------------- */

/* The place of the forall at which a level's coordinate becomes known; -1 for none. */
static int level_known_at(const tiling *t, MlirOperation access, const format_level *level) {
  MlirValue variable = cin_access_level(t->kernel, access, level);
  if (!mlirValueIsNull(variable))
    return cin_known_at(t->graph, t->path, variable, NULL);
  return level->dimension < 0 ? -1
                              : cin_subscript_known_at(t->graph, t->path, access, level->dimension);
}

static bool is_located(const tiling *t, MlirOperation access, const format_level *level) {
  bool assigned = mlirOperationEqual(access, t->assign);
  return (level->properties & LEVEL_FULL) &&
         (level->format->capabilities & (assigned ? LEVEL_INSERT : LEVEL_LOCATE));
}

/* Whether entries in order are walked along the tiled forall, some offset away: those of a tile are
 * next to one another. */
static bool is_subsection(const tiling *t, MlirOperation access, const format_level *level) {
  return level->dimension >= 0 && mlirValueIsNull(cin_access_bare(access, level->dimension)) &&
         !mlirOperationEqual(access, t->assign) && (level->properties & LEVEL_ORDERED) &&
         format_level_can_walk(level);
}

/* Whether entries come in no order, and several to a coordinate: they are visited one by one, where
 * no tiles are between, and ordered before where there are. */
static bool is_list_in_no_order(const format_level *level) {
  return !(level->properties & (LEVEL_ORDERED | LEVEL_UNIQUE));
}

/* Whether the levels that become known from the tiled forall on are located or, further in, have
 * one coordinate under each parent; and each is known somewhere. */
static bool is_tileable(const tiling *t, MlirOperation access) {
  const tensor_format *format = format_of(t, access);
  if (!format)
    return false;
  for (int l = 0; l < format->level_count; ++l) {
    const format_level *level = &format->levels[l];
    int at = level_known_at(t, access, level);
    bool single = at > t->tiled && (level->properties & LEVEL_BRANCHLESS);
    single |= at == t->tiled && is_subsection(t, access, level);
    if (at < 0 || (at >= t->tiled && !single && !is_located(t, access, level)) ||
        (at < t->first && is_list_in_no_order(level)))
      return false;
  }
  return true;
}

/* Whether a forall further in follows the one coordinate that a level has under each parent. */
static bool visits_one(const tiling *t, int place) {
  for (int i = 0; i < t->accesses.count; ++i) {
    const tensor_format *format = format_of(t, t->accesses.ops[i]);
    for (int l = 0; l < format->level_count; ++l)
      if ((format->levels[l].properties & LEVEL_BRANCHLESS) &&
          level_known_at(t, t->accesses.ops[i], &format->levels[l]) == place)
        return true;
  }
  return false;
}

/* The foralls further in count something of their own, or follow one coordinate. */
static bool inner_foralls_fit(tiling *t) {
  t->single = ARENA_ARRAY(t->memory, bool, t->path.count);
  for (int place = t->tiled + 1; place < t->path.count; ++place) {
    t->single[place] = visits_one(t, place);
    if (!provenance_is_underived(variable_at(t, place)) || (reduces(t, place) && !t->single[place]))
      return false;
  }
  return true;
}

static bool result_is_array(const tiling *t) {
  const tensor_format *format = format_of(t, t->assign);
  for (int l = 0; format && l < format->level_count; ++l)
    if (!is_located(t, t->assign, &format->levels[l]))
      return false;
  return format && format->level_count > 0 &&
         (format->levels[format->level_count - 1].properties & LEVEL_CONSECUTIVE);
}

static bool accesses_fit(tiling *t) {
  for (OPERATIONS(op, mlirOperationGetBlock(t->assign))) {
    bool is_access = cin_is_read(op) || cin_is_assign(op);
    if (!is_access || !mlirTypeIsARankedTensor(mlirValueGetType(cin_access_tensor(op))))
      continue;
    if (!is_tileable(t, op))
      return false;
    op_list_add(t->memory, &t->accesses, op);
  }
  return true;
}

static bool reduces_into_array(const tiling *t) {
  return t->path.count >= 2 && cin_assign_kind(t->assign) &&
         mlirValueEqual(cin_access_tensor(t->assign), cin_kernel_result(t->kernel)) &&
         result_is_array(t);
}

static bool can_tile(tiling *t) {
  return reduces_into_array(t) && find_places(t) &&
         provenance_is_underived(variable_at(t, t->tiled)) &&
         cin_foralls_over(t->memory, t->kernel, variable_at(t, t->tiled)) == 1 && accesses_fit(t) &&
         inner_foralls_fit(t);
}

/* ---- sizes -------------------------------------------------------------------------------- */

/* -1 where it is not known. */
static int64_t static_extent(const tiling *t, MlirValue variable) {
  int64_t extent = cin_index_extent(value_owner(variable));
  for (int i = 0; i < t->accesses.count && extent < 0; ++i) {
    MlirType type = mlirValueGetType(cin_access_tensor(t->accesses.ops[i]));
    for (intptr_t d = 0; d < cin_access_rank(t->accesses.ops[i]); ++d) {
      MlirValue bare = cin_access_bare(t->accesses.ops[i], d);
      if (!mlirValueIsNull(bare) && mlirValueEqual(bare, variable) &&
          !mlirShapedTypeIsDynamicDim(type, d))
        extent = mlirShapedTypeGetDimSize(type, d);
    }
  }
  return extent;
}

/* What an access touches in one iteration of the tiled forall: next to nothing in a subsection. */
static int64_t bytes_of(const tiling *t, MlirOperation access) {
  const tensor_format *format = format_of(t, access);
  int64_t bytes = type_bytes(format->element);
  for (int l = 0; l < format->level_count; ++l) {
    int at = level_known_at(t, access, &format->levels[l]);
    if (at == t->tiled && is_subsection(t, access, &format->levels[l]))
      return 0;
    if (at <= t->tiled || t->single[at])
      continue;
    int64_t extent = static_extent(t, variable_at(t, at));
    bytes *= extent > 0 ? extent : USUAL_EXTENT;
  }
  return bytes;
}

/* The largest power of two of iterations that touch so many bytes each, `cache` together. */
static int64_t power_within(int64_t bytes, int64_t cache) {
  int64_t size = LEAST_TILE;
  while (2 * size * bytes <= cache)
    size *= 2;
  return size;
}

/* A power of two of iterations that together touch `cache` bytes at most; or the cache behind that
 * one, where the begin of each subsection has to be searched for. */
static int64_t tile_size(const tiling *t, int64_t cache) {
  int64_t bytes = 0;
  bool searches = false;
  for (int i = 0; i < t->accesses.count; ++i) {
    int64_t touched = bytes_of(t, t->accesses.ops[i]);
    bytes += touched;
    searches |= !touched;
  }
  return power_within(bytes, searches ? cache * NEXT_CACHE : cache);
}

/* ---- the transformation ------------------------------------------------------------------- */

static void tile(tiling *t, int64_t size) {
  MlirValue variable = variable_at(t, t->tiled);
  const char *outer = cin_new_name(t->memory, t->kernel, variable, "_tile");
  const char *inner = cin_new_name(t->memory, t->kernel, variable, "_of_tile");
  MlirOperation split = cin_declare_split(t->kernel, variable, size, outer, inner);
  statistic_add(STATISTIC_LOOPS_TILED, 1);
  cin_forall_set_variable(t->path.ops[t->tiled], cin_split_inner(split));
  cin_forall_enclose(t->path.ops[t->first], cin_split_outer(split));
}

/* ---- entries that are added to windows ---------------------------------------------------- */

/* forall i_plus_k { forall k { y[i] add= .. } }: what an entry is added to is beside what the last
 * one was, and in a tile all of it stays in the cache, of which entries take as much. */
static bool tile_windows(tiling *t, int64_t cache) {
  int last = t->path.count - 1;
  if (!reduces_into_array(t) || !is_inside(t, last) || !is_nested(t, last) ||
      !mlirOperationEqual(mlirOperationGetParentOperation(t->assign), t->path.ops[last]) ||
      cin_forall_is_fixed(t->path.ops[last]) || cin_forall_is_fixed(t->path.ops[last - 1]))
    return false;
  for (int place = 0; place < last - 1; ++place)
    if (reduces(t, place))
      return false;
  int64_t size = power_within(type_bytes(format_of(t, t->assign)->element), cache / 2);
  return tile_result(t->memory, t->graph, t->kernel, t->path.ops[last - 1], size);
}

static bool tile_nest(arena *memory, MlirOperation kernel, MlirOperation assign, int64_t cache) {
  tiling t = {.memory = memory,
              .graph = provenance_create(memory, kernel),
              .kernel = kernel,
              .assign = assign,
              .path = cin_path(memory, assign)};
  if (t.graph && tile_windows(&t, cache)) {
    statistic_add(STATISTIC_LOOPS_TILED, 1);
    t.graph = provenance_create(memory, kernel);
    t.path = cin_path(memory, assign);
  }
  if (!t.graph || !can_tile(&t))
    return t.graph;
  int64_t size = tile_size(&t, cache), extent = static_extent(&t, variable_at(&t, t.tiled));
  if (extent < 0 || extent > size)
    tile(&t, size);
  return true;
}

/* ---- the pass ----------------------------------------------------------------------------- */

static bool insert_workspaces(arena *memory, MlirOperation kernel, int64_t beyond) {
  MlirLocation location = mlirOperationGetLocation(kernel);
  inserter w = {.memory = memory, .kernel = kernel, .graph = provenance_create(memory, kernel)};
  w.result = tensor_format_get(memory, mlirValueGetType(cin_kernel_result(kernel)), location);
  if (!w.graph || !w.result)
    return false;
  w.ways = assembly_ways(w.result, result_is_recorded(kernel));
  w.b = builder_create(mlirOperationGetContext(kernel), location);
  op_list assigns = ops_below(memory, kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    inserter_insert_tile(&w, assigns.ops[i], beyond);
  builder_free(w.b);
  return true;
}

static bool tile_kernel(arena *memory, MlirOperation kernel,
                        const struct cin_tile_options *options) {
  op_list assigns = ops_below(memory, kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (!tile_nest(memory, kernel, assigns.ops[i], options->cache))
      return false;
  return insert_workspaces(memory, kernel, options->beyond);
}

int cin_tile_run(MlirOperation module, const struct cin_tile_options *options) {
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool done = true;
  for (int i = 0; i < kernels.count && done && options->cache > 0; ++i)
    done = tile_kernel(memory, kernels.ops[i], options);
  arena_free(memory);
  return !done;
}
