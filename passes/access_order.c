/* access_order.c - whether the order of the foralls is one that the levels allow. */
#include "access_order.h"

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

static bool is_assigned(const access_check *c) {
  return op_is(c->access, "cin.assign");
}

/* The level of a result that entries are scattered into, -1 where there is none. */
static int scatter_level(const access_check *c) {
  return is_assigned(c) ? tensor_format_scatter_level(c->format) : -1;
}

/* Whether level `above` must be known first. */
static bool is_outside(const access_check *c, int above) {
  int scatter = scatter_level(c);
  return scatter < 0 || (above >= scatter && (c->format->levels[above].properties & LEVEL_ORDERED));
}

static bool is_reached_in_order_only(const access_check *c, int level) {
  unsigned random = is_assigned(c) ? LEVEL_INSERT : LEVEL_LOCATE;
  if (is_assigned(c) && tensor_format_can_collect(c->format))
    return false;
  return !(c->format->levels[level].format->capabilities & random);
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

/* What is appended to stays under one parent until the next one's turn: the parents ascend too,
 * where it is not scattered into. */
static int first_ascending(const access_check *c, int level) {
  int scatter = scatter_level(c);
  return scatter >= 0 ? scatter : is_assigned(c) ? 0 : level;
}

static bool verify_level(const access_check *c, int level) {
  int at = level_known_at(c, level);
  if (at < 0 || !is_reached_in_order_only(c, level))
    return true;
  for (int above = 0; above < level; ++above)
    if (is_outside(c, above) && level_known_at(c, above) > at)
      return refuse(c, at,
                    arena_format(c->memory, "expected %s outside %s", described(c, above),
                                 described(c, level)));
  for (int l = first_ascending(c, level); l <= level; ++l)
    if (is_visited_in_strides(c, l))
      return refuse(c, level_known_at(c, l),
                    arena_format(c->memory, "expected ascending coordinates at %s, found strides",
                                 described(c, l)));
  return true;
}

static bool verify_access(access_check *c) {
  MlirType type = mlirValueGetType(cin_access_tensor(c->access));
  if (!mlirTypeIsARankedTensor(type))
    return true;
  c->path = cin_path(c->memory, c->access);
  bool is_result = mlirValueEqual(cin_access_tensor(c->access), cin_kernel_result(c->kernel));
  c->format = is_result ? result_format_get(c->memory, c->kernel, type)
                        : tensor_format_get(c->memory, type, mlirOperationGetLocation(c->access));
  if (!c->format)
    return false;
  for (int level = 0; level < c->format->level_count; ++level)
    if (!verify_level(c, level))
      return false;
  return true;
}

bool access_order_verify(arena *memory, provenance *graph, MlirOperation kernel,
                         const char *command) {
  static const char *const names[] = {"cin.read", "cin.assign"};
  access_check c = {.memory = memory, .graph = graph, .kernel = kernel, .command = command};
  for (int n = 0; n < 2; ++n) {
    op_list accesses = ops_below(memory, kernel, names[n]);
    for (int i = 0; i < accesses.count; ++i) {
      c.access = accesses.ops[i];
      if (!verify_access(&c))
        return false;
    }
  }
  return true;
}
