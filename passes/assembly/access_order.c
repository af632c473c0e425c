/* access_order.c - whether the order of the foralls is one that the levels allow. */
#include "access_order.h"

#include "assembly.h"
#include "cin.h"
#include "result_format.h"

#include <mlir-c/BuiltinTypes.h>

typedef struct access_check {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, access;
  const char *command;
  op_list path;
  const tensor_format *format;
} access_check;

static MlirValue level_variable(const access_check *c, int level) {
  return cin_access_level(c->kernel, c->access, &c->format->levels[level]);
}

/* Where the coordinate of a level becomes known, -1 where that cannot be said. */
static int level_known_at(const access_check *c, int level) {
  int dimension = c->format->levels[level].dimension;
  if (dimension >= 0)
    return cin_subscript_known_at(c->graph, c->path, c->access, dimension);
  MlirValue variable = level_variable(c, level);
  return mlirValueIsNull(variable) ? -1 : cin_known_at(c->graph, c->path, variable, NULL);
}

static const char *described(const access_check *c, int level) {
  MlirStringRef format = mlirStringRefCreateFromCString(c->format->levels[level].format->name);
  MlirValue variable = level_variable(c, level);
  MlirStringRef name =
      mlirValueIsNull(variable) ? mlirStringRefCreateFromCString("...") : provenance_name(variable);
  return arena_format(c->memory, "level %d (%.*s : %.*s)", level, TEXT(name), TEXT(format));
}

static bool refuse(const access_check *c, int at, const char *why) {
  const char *tensor = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(c->access));
  MlirOperation forall = c->path.ops[at];
  MlirStringRef name = provenance_name(cin_forall_variable(forall));
  if (c->command)
    return error_at(forall, "'%s': the forall over '%.*s' is against the level order of %s: %s",
                    c->command, TEXT(name), tensor, why);
  return error_at(forall, "the forall over '%.*s' is against the level order of %s: %s", TEXT(name),
                  tensor, why);
}

static bool is_visited_in_strides(const access_check *c, int level) {
  MlirValue variable = level_variable(c, level);
  provenance_kind kind = PROVENANCE_WALK;
  if (!mlirValueIsNull(variable))
    cin_known_at(c->graph, c->path, variable, &kind);
  return kind != PROVENANCE_WALK;
}

/* Whether the foralls go as a level that is reached in order only wants: inside of those that must
 * be known before, and in ascending order. */
static bool verify_before(const access_check *c, int above, int level) {
  int at = level_known_at(c, level);
  return at < 0 || level_known_at(c, above) <= at ||
         refuse(c, at,
                arena_format(c->memory, "expected %s outside %s", described(c, above),
                             described(c, level)));
}

static bool verify_ascends(const access_check *c, int level) {
  return level_known_at(c, level) < 0 || !is_visited_in_strides(c, level) ||
         refuse(c, level_known_at(c, level),
                arena_format(c->memory, "expected ascending coordinates at %s, found strides",
                             described(c, level)));
}

/* An operand's level that cannot locate is walked below those above it. */
static bool verify_read(const access_check *c) {
  for (int level = 0; level < c->format->level_count; ++level) {
    if (c->format->levels[level].format->capabilities & LEVEL_LOCATE)
      continue;
    for (int above = 0; above < level; ++above)
      if (!verify_before(c, above, level))
        return false;
    if (!verify_ascends(c, level))
      return false;
  }
  return true;
}

/* A result's levels are as the way asks that asks least. */
static bool verify_assignment(const access_check *c) {
  assembly_list ways = assembly_ways(c->format, result_is_recorded(c->kernel));
  assembly least = assembly_least(&ways);
  for (int level = 0; level < c->format->level_count; ++level) {
    for (int above = 0; above < level; ++above)
      if (assembly_is_before(&least, above, level) && !verify_before(c, above, level))
        return false;
    if (assembly_ascends(&least, level) && !verify_ascends(c, level))
      return false;
  }
  return true;
}

static bool verify_access(access_check *c) {
  MlirType type = mlirValueGetType(cin_access_tensor(c->access));
  bool is_result = mlirValueEqual(cin_access_tensor(c->access), cin_kernel_result(c->kernel));
  if (!mlirTypeIsARankedTensor(type) || (cin_is_assign(c->access) && !is_result))
    return true;
  c->path = cin_path(c->memory, c->access);
  c->format = is_result ? result_format_get(c->memory, c->kernel, type)
                        : tensor_format_get(c->memory, type, mlirOperationGetLocation(c->access));
  if (!c->format)
    return false;
  return is_result ? verify_assignment(c) : verify_read(c);
}

bool access_order_verify(arena *memory, provenance *graph, MlirOperation kernel,
                         const char *command) {
  static op_kind *const kinds[] = {cin_is_read, cin_is_assign};
  access_check c = {.memory = memory, .graph = graph, .kernel = kernel, .command = command};
  for (int n = 0; n < 2; ++n) {
    op_list accesses = ops_below(memory, kernel, kinds[n]);
    for (int i = 0; i < accesses.count; ++i) {
      c.access = accesses.ops[i];
      if (!verify_access(&c))
        return false;
    }
  }
  return true;
}
