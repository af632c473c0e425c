/* cin-tile.c - visits in tiles what an outer reduction goes over again and again, so that it stays
 * in the cache.
 *
 *     forall d {                              forall i0 {                     tiles of 1024 rows
 *       forall i {                              forall i1 { y[i] = 0 }
 *         y[i] add= A[i, j] * x[j]     ->       forall d {
 *                                                 forall i1 {
 *                                                   y[i] add= A[i, j] * x[j]
 *
 * y and a part of x are then read and written in the cache for each diagonal d of A, instead of in
 * memory; what is walked around the tiles is walked again for each.  That pays where the forall
 * goes over levels that are all full and located, so that a tile is a piece of each array.  The
 * inner foralls count too, or visit one coordinate at most.  No sum changes its order.  Foralls
 * whose order a schedule has fixed keep it.
 *
 * A result that is dense starts in tiles as well, if nothing is around them.
 */
#include "bridge.h"
#include "builder.h"
#include "cin.h"
#include "cin_kernel.h"
#include "statistics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* What an inner forall is taken to visit where its extent is not known; the least tile. */
enum { USUAL_EXTENT = 32, LEAST_TILE = 4 };

/* An assignment and the foralls around it: those of `first` and further in reduce, that of `tiled`
 * is made tiles of, all below are one in the other and alone. */
typedef struct nest {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, assign;
  op_list path, accesses;
  int first, tiled;
  bool *single; /* by place: visits one coordinate at most */
} nest;

static MlirValue variable_at(const nest *n, int place) {
  return cin_forall_variable(n->path.ops[place]);
}

static const tensor_format *format_of(const nest *n, MlirOperation access) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  return mlirTypeIsARankedTensor(type)
             ? tensor_format_get(n->memory, type, mlirOperationGetLocation(access))
             : NULL;
}

/* ---- the shape of the nest ---------------------------------------------------------------- */

static bool is_alone(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(mlirOperationGetBlock(op)), op);
}

static bool reduces(const nest *n, int place) {
  return cin_access_reduces(n->graph, n->assign, variable_at(n, place));
}

/* Whether the forall is serial and the one at the place before has nothing else in it. */
static bool is_nested(const nest *n, int place) {
  MlirOperation forall = n->path.ops[place];
  return !cin_forall_is_parallel(n->path.ops[place - 1]) &&
         !cin_forall_is_unrolled(n->path.ops[place - 1]) && is_alone(forall) &&
         mlirOperationEqual(mlirOperationGetParentOperation(forall), n->path.ops[place - 1]);
}

/* Whether tiles of the forall at `tiled` may go around the one at a place. */
static bool may_pass(const nest *n, int place) {
  return !(cin_forall_is_fixed(n->path.ops[n->tiled]) && cin_forall_is_fixed(n->path.ops[place]));
}

static bool find_places(nest *n) {
  int last = n->path.count - 1;
  MlirOperation innermost = n->path.ops[last];
  if (!mlirOperationEqual(mlirOperationGetParentOperation(n->assign), innermost) ||
      cin_forall_is_parallel(innermost) || cin_forall_is_unrolled(innermost))
    return false;
  for (n->tiled = last; n->tiled > 0 && is_nested(n, n->tiled); --n->tiled)
    if (!reduces(n, n->tiled) && reduces(n, n->tiled - 1))
      break;
  if (n->tiled == 0 || !is_nested(n, n->tiled) || !may_pass(n, n->tiled - 1))
    return false;
  n->first = n->tiled - 1;
  while (n->first > 0 && reduces(n, n->first - 1) && is_nested(n, n->first) &&
         may_pass(n, n->first - 1))
    --n->first;
  return true;
}

/* ---- what the foralls go over ------------------------------------------------------------- */

/* The place of the forall at which a level's coordinate becomes known; -1 for none. */
static int level_known_at(const nest *n, MlirOperation access, const format_level *level) {
  if (level->dimension >= 0)
    return cin_subscript_known_at(n->graph, n->path, access, level->dimension);
  MlirValue variable = cin_access_level(n->kernel, access, level);
  return mlirValueIsNull(variable) ? -1 : cin_known_at(n->graph, n->path, variable, NULL);
}

static bool is_located(const nest *n, MlirOperation access, const format_level *level) {
  bool assigned = mlirOperationEqual(access, n->assign);
  return (level->properties & LEVEL_FULL) &&
         (level->format->capabilities & (assigned ? LEVEL_INSERT : LEVEL_LOCATE));
}

/* Whether the levels that become known from the tiled forall on are located or, further in, have
 * one coordinate under each parent; and each is known somewhere. */
static bool is_tileable(const nest *n, MlirOperation access) {
  const tensor_format *format = format_of(n, access);
  if (!format)
    return false;
  for (int l = 0; l < format->level_count; ++l) {
    const format_level *level = &format->levels[l];
    int at = level_known_at(n, access, level);
    bool single = at > n->tiled && (level->properties & LEVEL_BRANCHLESS);
    if (at < 0 || (at >= n->tiled && !single && !is_located(n, access, level)))
      return false;
  }
  return true;
}

/* Whether a forall further in follows the one coordinate that a level has under each parent. */
static bool visits_one(const nest *n, int place) {
  for (int i = 0; i < n->accesses.count; ++i) {
    const tensor_format *format = format_of(n, n->accesses.ops[i]);
    for (int l = 0; l < format->level_count; ++l)
      if ((format->levels[l].properties & LEVEL_BRANCHLESS) &&
          level_known_at(n, n->accesses.ops[i], &format->levels[l]) == place)
        return true;
  }
  return false;
}

/* The foralls further in count something of their own, or follow one coordinate. */
static bool inner_foralls_fit(nest *n) {
  n->single = ARENA_ARRAY(n->memory, bool, n->path.count);
  for (int place = n->tiled + 1; place < n->path.count; ++place) {
    n->single[place] = visits_one(n, place);
    if (!provenance_is_underived(variable_at(n, place)) || (reduces(n, place) && !n->single[place]))
      return false;
  }
  return true;
}

static bool result_is_array(const nest *n) {
  const tensor_format *format = format_of(n, n->assign);
  for (int l = 0; format && l < format->level_count; ++l)
    if (!is_located(n, n->assign, &format->levels[l]))
      return false;
  return format && format->level_count > 0 &&
         (format->levels[format->level_count - 1].properties & LEVEL_CONSECUTIVE);
}

static bool accesses_fit(nest *n) {
  for (OPERATIONS(op, mlirOperationGetBlock(n->assign))) {
    bool is_access = cin_is_read(op) || cin_is_assign(op);
    if (!is_access || !mlirTypeIsARankedTensor(mlirValueGetType(cin_access_tensor(op))))
      continue;
    if (!is_tileable(n, op))
      return false;
    op_list_add(n->memory, &n->accesses, op);
  }
  return true;
}

static bool can_tile(nest *n) {
  MlirValue result = cin_kernel_result(n->kernel);
  return n->path.count >= 2 && cin_assign_kind(n->assign) &&
         mlirValueEqual(cin_access_tensor(n->assign), result) && result_is_array(n) &&
         find_places(n) && provenance_is_underived(variable_at(n, n->tiled)) &&
         cin_foralls_over(n->memory, n->kernel, variable_at(n, n->tiled)) == 1 && accesses_fit(n) &&
         inner_foralls_fit(n);
}

/* ---- sizes -------------------------------------------------------------------------------- */

/* -1 where it is not known. */
static int64_t static_extent(const nest *n, MlirValue variable) {
  int64_t extent = cin_index_extent(value_owner(variable));
  for (int i = 0; i < n->accesses.count && extent < 0; ++i) {
    MlirType type = mlirValueGetType(cin_access_tensor(n->accesses.ops[i]));
    for (intptr_t d = 0; d < cin_access_rank(n->accesses.ops[i]); ++d) {
      MlirValue bare = cin_access_bare(n->accesses.ops[i], d);
      if (!mlirValueIsNull(bare) && mlirValueEqual(bare, variable) &&
          !mlirShapedTypeIsDynamicDim(type, d))
        extent = mlirShapedTypeGetDimSize(type, d);
    }
  }
  return extent;
}

static int64_t element_bytes(MlirType type) {
  if (type_is_complex(type))
    return 2 * element_bytes(mlirComplexTypeGetElementType(type));
  unsigned bits = type_is_float(type) ? mlirFloatTypeGetWidth(type) : mlirIntegerTypeGetWidth(type);
  return bits < 8 ? 1 : bits / 8;
}

/* What an access touches in one iteration of the tiled forall. */
static int64_t bytes_of(const nest *n, MlirOperation access) {
  const tensor_format *format = format_of(n, access);
  int64_t bytes = element_bytes(format->element);
  for (int l = 0; l < format->level_count; ++l) {
    int at = level_known_at(n, access, &format->levels[l]);
    if (at <= n->tiled || n->single[at])
      continue;
    int64_t extent = static_extent(n, variable_at(n, at));
    bytes *= extent > 0 ? extent : USUAL_EXTENT;
  }
  return bytes;
}

/* A power of two of iterations that together touch `cache` bytes at most. */
static int64_t tile_size(const nest *n, int64_t cache) {
  int64_t bytes = 0, size = LEAST_TILE;
  for (int i = 0; i < n->accesses.count; ++i)
    bytes += bytes_of(n, n->accesses.ops[i]);
  while (2 * size * bytes <= cache)
    size *= 2;
  return size;
}

/* ---- the transformation ------------------------------------------------------------------- */

/* The value that the reduction starts from; null where there is no constant of it. */
static MlirAttribute starting_value(const nest *n) {
  MlirType element = element_type(mlirValueGetType(cin_access_tensor(n->assign)));
  MlirAttribute identity = cin_assign_identity(n->assign);
  if (type_is_complex(element) || !mlirAttributeIsNull(identity))
    return type_is_complex(element) ? (MlirAttribute){NULL} : identity;
  builder *b =
      builder_create(mlirOperationGetContext(n->kernel), mlirOperationGetLocation(n->kernel));
  identity = combine_identity(b, cin_assign_kind(n->assign), element);
  builder_free(b);
  return identity;
}

/* The foralls that go over a tile of the result. */
static op_list tile_foralls(const nest *n) {
  op_list foralls = {0};
  for (int place = n->tiled; place < n->path.count; ++place)
    if (place == n->tiled || !n->single[place])
      op_list_add(n->memory, &foralls, n->path.ops[place]);
  return foralls;
}

static bool foralls_tell_subscripts(const nest *n) {
  op_list foralls = tile_foralls(n);
  for (intptr_t d = 0; d < cin_access_rank(n->assign); ++d)
    if (cin_subscript_known_at(n->graph, foralls, n->assign, d) < 0)
      return false;
  return true;
}

/* The only assignment to the result, around which there are its tiles and nothing else. */
static bool can_start_in_tiles(const nest *n) {
  op_list assigns = ops_below(n->memory, n->kernel, cin_is_assign);
  return n->first == 0 && assigns.count == 1 &&
         cin_is_kernel(mlirOperationGetParentOperation(n->path.ops[0])) &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(n->path.ops[0])) &&
         mlirOperationEqual(cin_kernel_first_statement(n->kernel), n->path.ops[0]) &&
         foralls_tell_subscripts(n) && !mlirAttributeIsNull(starting_value(n));
}

static MlirOperation constant_create(MlirLocation location, MlirAttribute value) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("arith.constant"), location);
  MlirType type = mlirAttributeGetType(value);
  MlirNamedAttribute named = mlirNamedAttributeGet(
      mlirIdentifierGet(mlirLocationGetContext(location), mlirStringRefCreateFromCString("value")),
      value);
  mlirOperationStateAddAttributes(&state, 1, &named);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

/* In the tiles: forall inner { y[i] = start }. */
static void start_in_tile(const nest *n, MlirOperation tiles) {
  MlirLocation location = mlirOperationGetLocation(n->assign);
  MlirOperation constant = constant_create(location, starting_value(n));
  MlirBlock block = cin_forall_body(tiles);
  MlirOperation before = mlirBlockGetFirstOperation(block);
  op_list foralls = tile_foralls(n);
  for (int i = 0; i < foralls.count; ++i) {
    MlirOperation forall = cin_forall_create(location, cin_forall_variable(foralls.ops[i]));
    mlirBlockInsertOwnedOperationBefore(block, before, forall);
    block = cin_forall_body(forall);
    before = (MlirOperation){NULL};
  }
  intptr_t rank = cin_access_rank(n->assign);
  MlirValue *variables = ARENA_ARRAY(n->memory, MlirValue, rank + 1);
  for (intptr_t d = 0; d < rank; ++d)
    variables[d] = cin_access_bare(n->assign, d);
  mlirBlockAppendOwnedOperation(block, constant);
  mlirBlockAppendOwnedOperation(block,
                                cin_bare_assign(location, cin_access_tensor(n->assign), rank,
                                                variables, mlirOperationGetResult(constant, 0),
                                                TIN_NO_REDUCTION, (MlirAttribute){NULL}));
}

static void tile(nest *n, int64_t size) {
  MlirValue variable = variable_at(n, n->tiled);
  const char *outer = cin_new_name(n->memory, n->kernel, variable, "_tile");
  const char *inner = cin_new_name(n->memory, n->kernel, variable, "_of_tile");
  bool starts = can_start_in_tiles(n);
  MlirOperation split = cin_declare_split(n->kernel, variable, size, outer, inner);
  statistic_add(STATISTIC_LOOPS_TILED, 1);
  cin_forall_set_variable(n->path.ops[n->tiled], cin_split_inner(split));
  cin_forall_enclose(n->path.ops[n->first], cin_split_outer(split));
  if (starts)
    start_in_tile(n, n->path.ops[n->first]);
}

static bool tile_nest(arena *memory, MlirOperation kernel, MlirOperation assign, int64_t cache) {
  nest n = {.memory = memory,
            .graph = provenance_create(memory, kernel),
            .kernel = kernel,
            .assign = assign,
            .path = cin_path(memory, assign)};
  if (!n.graph || !can_tile(&n))
    return n.graph;
  int64_t size = tile_size(&n, cache), extent = static_extent(&n, variable_at(&n, n.tiled));
  if (extent < 0 || extent > size)
    tile(&n, size);
  return true;
}

static bool tile_kernel(arena *memory, MlirOperation kernel, int64_t cache) {
  op_list assigns = ops_below(memory, kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (!tile_nest(memory, kernel, assigns.ops[i], cache))
      return false;
  return true;
}

int cin_tile_run(MlirOperation module, const struct cin_tile_options *options) {
  arena *memory = arena_create();
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool done = true;
  for (int i = 0; i < kernels.count && done && options->cache > 0; ++i)
    done = tile_kernel(memory, kernels.ops[i], options->cache);
  arena_free(memory);
  return !done;
}
