/* How foralls come to the levels of an access (access_order.h). */
#include "access_order.h"

#include "assembly.h"
#include "cin.h"
#include "result_format.h"

#include <mlir-c/BuiltinTypes.h>

static const format_level *level_at(const access_order *o, int l) {
  return &o->format->levels[l];
}

static MlirValue variable_of(const access_order *o, int l) {
  return cin_access_level(o->kernel, o->access, level_at(o, l));
}

bool format_level_is_walked(const format_level *level) {
  unsigned can = level->format->capabilities;
  bool has_entries = (can & LEVEL_POSITION_ITERATION) && !(level->properties & LEVEL_FULL);
  return !(can & LEVEL_LOCATE) || has_entries;
}

/* ---- where coordinates become known --------------------------------------------------------- */

static bool is_constant(const access_order *o, int dimension) {
  for (intptr_t i = 0; i < cin_access_variable_count(o->access); ++i)
    if (cin_subscript_uses(o->access, dimension, cin_access_variable(o->access, i)))
      return false;
  return true;
}

/* Whether whichever coordinate comes is located, or searched for: none that positions tell. */
static bool is_found_in_strides(const access_order *o, const provenance *graph, int l, int at) {
  bool locates = level_at(o, l)->format->capabilities & LEVEL_LOCATE;
  MlirValue variable = cin_forall_variable(o->path.ops[at]);
  return locates || (format_level_is_searched(level_at(o, l)) &&
                     !provenance_space(graph, variable).is_positions);
}

static int level_known_at(const access_order *o, provenance *graph, int l, bool *strides) {
  int dimension = level_at(o, l)->dimension;
  MlirValue variable = variable_of(o, l);
  provenance_kind kind = PROVENANCE_WALK;
  *strides = false;
  if (mlirValueIsNull(variable))
    return dimension < 0 || is_constant(o, dimension)
               ? -1
               : cin_subscript_known_at(graph, o->path, o->access, dimension);
  int at = cin_known_at(graph, o->path, variable, &kind);
  *strides = at >= 0 && kind != PROVENANCE_WALK && !is_found_in_strides(o, graph, l, at);
  return at;
}

/* Whether foralls go over the variable, or parts of it by a split; else it follows from what other
 * levels hold. */
static bool has_foralls(const access_order *o, const provenance *graph, MlirValue variable) {
  const MlirValue *bases;
  for (int i = 0; i < o->path.count; ++i) {
    intptr_t count = provenance_bases(graph, cin_forall_variable(o->path.ops[i]), &bases);
    for (intptr_t n = 0; n < count; ++n)
      if (mlirValueEqual(bases[n], variable))
        return true;
  }
  return false;
}

/* Whether a subscript of more than a variable, above level `l`, needs the variable. */
static bool is_needed_above(const access_order *o, int l, MlirValue variable) {
  for (int above = 0; above < l; ++above) {
    int dimension = level_at(o, above)->dimension;
    if (dimension >= 0 && mlirValueIsNull(cin_access_bare(o->access, dimension)) &&
        cin_subscript_uses(o->access, dimension, variable))
      return true;
  }
  return false;
}

/* Whether another access has entries along the variable. */
static bool others_walk(arena *memory, const access_order *o, MlirValue variable) {
  op_list reads = ops_below(memory, o->kernel, cin_is_read);
  for (int i = 0; i < reads.count; ++i) {
    MlirType type = mlirValueGetType(cin_access_tensor(reads.ops[i]));
    if (mlirOperationEqual(reads.ops[i], o->access) || !mlirTypeIsARankedTensor(type))
      continue;
    const tensor_format *format =
        tensor_format_get(memory, type, mlirOperationGetLocation(reads.ops[i]));
    for (int l = 0; format && l < format->level_count; ++l) {
      MlirValue held = cin_access_level(o->kernel, reads.ops[i], &format->levels[l]);
      if (!mlirValueIsNull(held) && mlirValueEqual(held, variable) &&
          format_level_is_walked(&format->levels[l]))
        return true;
    }
  }
  return false;
}

static bool level_asks(arena *memory, const access_order *o, const provenance *graph, int l) {
  MlirValue variable = variable_of(o, l);
  bool locates = level_at(o, l)->format->capabilities & LEVEL_LOCATE;
  if (o->known_at[l] < 0 || mlirValueIsNull(variable) || !has_foralls(o, graph, variable))
    return false;
  if (is_needed_above(o, l, variable))
    return false;
  return !locates || (format_level_is_walked(level_at(o, l)) && !others_walk(memory, o, variable));
}

bool access_order_read(arena *memory, provenance *graph, MlirOperation kernel, MlirOperation access,
                       MlirType type, access_order *order) {
  access_order o = {.kernel = kernel, .access = access, .path = cin_path(memory, access)};
  o.format = tensor_format_get(memory, type, mlirOperationGetLocation(access));
  if (!o.format)
    return false;
  int count = o.format->level_count;
  o.known_at = ARENA_ARRAY(memory, int, count + 1);
  o.strides = ARENA_ARRAY(memory, bool, count + 1);
  o.asks = ARENA_ARRAY(memory, bool, count + 1);
  for (int l = 0; l < count; ++l)
    o.known_at[l] = level_known_at(&o, graph, l, &o.strides[l]);
  for (int l = 0; l < count; ++l)
    o.asks[l] = level_asks(memory, &o, graph, l);
  *order = o;
  return true;
}

int access_order_fault(const access_order *order, int *above) {
  for (int l = 0; l < order->format->level_count; ++l) {
    if (!order->asks[l])
      continue;
    for (*above = 0; *above < l; ++*above)
      if (order->known_at[*above] > order->known_at[l])
        return l;
    *above = -1;
    if (order->strides[l])
      return l;
  }
  return -1;
}

/* ---- cycles --------------------------------------------------------------------------------- */

typedef struct edge {
  MlirValue from, to;
  const char *name; /* of the tensor that asks for it */
  int before;       /* in a path of edges; -1 for none */
} edge;

typedef struct edge_list {
  arena *memory;
  int count, room;
  edge *edges;
} edge_list;

static void add_edge(edge_list *list, edge e) {
  if (mlirValueIsNull(e.from) || mlirValueIsNull(e.to) || mlirValueEqual(e.from, e.to))
    return;
  if (list->count == list->room) {
    edge *larger = ARENA_ARRAY(list->memory, edge, list->room = 2 * list->room + 8);
    for (int n = 0; n < list->count; ++n)
      larger[n] = list->edges[n];
    list->edges = larger;
  }
  list->edges[list->count++] = e;
}

static const char *tensor_name(edge_list *list, const access_order *o) {
  return cin_tensor_bare_name(list->memory, o->kernel, cin_access_tensor(o->access));
}

static void add_operand_edges(edge_list *list, const access_order *o) {
  const char *name = tensor_name(list, o);
  for (int l = 0; l < o->format->level_count; ++l)
    for (int above = 0; o->asks[l] && above < l; ++above)
      add_edge(list, (edge){variable_of(o, above), variable_of(o, l), name, -1});
}

/* What a result that is built a row at a time wants: levels in their order, and all but the last
 * outside of what is reduced. */
static void add_result_edges(edge_list *list, provenance *graph, const access_order *o) {
  assembly_list ways = assembly_ways(o->format, result_is_recorded(o->kernel));
  assembly way = assembly_least(&ways);
  const char *name = tensor_name(list, o);
  assembly_find(&ways, ASSEMBLY_WORKSPACE, &way);
  for (int l = 0; l < o->format->level_count; ++l) {
    MlirValue variable = variable_of(o, l);
    for (int above = 0; above < l; ++above)
      if (assembly_is_before(&way, above, l))
        add_edge(list, (edge){variable_of(o, above), variable, name, -1});
    for (int i = 0; assembly_is_outside(&way, l) && i < o->path.count; ++i) {
      const MlirValue *bases;
      MlirValue loop = cin_forall_variable(o->path.ops[i]);
      intptr_t count = provenance_bases(graph, loop, &bases);
      for (intptr_t n = 0; cin_access_reduces(graph, o->access, loop) && n < count; ++n)
        add_edge(list, (edge){variable, bases[n], name, -1});
    }
  }
}

static edge_list edges_of(arena *memory, provenance *graph, MlirOperation kernel) {
  static op_kind *const kinds[] = {cin_is_read, cin_is_assign};
  edge_list list = {.memory = memory};
  for (int k = 0; k < 2; ++k) {
    op_list found = ops_below(memory, kernel, kinds[k]);
    for (int i = 0; i < found.count; ++i) {
      MlirValue tensor = cin_access_tensor(found.ops[i]);
      bool is_result = mlirValueEqual(tensor, cin_kernel_result(kernel));
      access_order o;
      if (!mlirValueIsABlockArgument(tensor) ||
          !mlirTypeIsARankedTensor(mlirValueGetType(tensor)) ||
          !access_order_read(memory, graph, kernel, found.ops[i], mlirValueGetType(tensor), &o))
        continue;
      if (is_result)
        add_result_edges(&list, graph, &o);
      else
        add_operand_edges(&list, &o);
    }
  }
  return list;
}

/* The edges, in a row, from `from` to `to`: the last of them, each knows the one before; -1. */
static int find_path(edge_list *list, MlirValue from, MlirValue to) {
  int *queue = ARENA_ARRAY(list->memory, int, list->count + 1), end = 0;
  bool *seen = ARENA_ARRAY(list->memory, bool, list->count + 1);
  for (int at = -1; at < end; ++at) {
    MlirValue here = at < 0 ? from : list->edges[queue[at]].to;
    if (at >= 0 && mlirValueEqual(here, to))
      return queue[at];
    for (int n = 0; n < list->count; ++n) {
      if (seen[n] || !mlirValueEqual(list->edges[n].from, here))
        continue;
      seen[n] = true;
      list->edges[n].before = at < 0 ? -1 : queue[at];
      queue[end++] = n;
    }
  }
  return -1;
}

const char *access_order_cycle(arena *memory, provenance *graph, const access_order *order,
                               int above, int level) {
  edge_list list = edges_of(memory, graph, order->kernel);
  MlirValue outer = variable_of(order, above), inner = variable_of(order, level);
  if (mlirValueIsNull(outer) || mlirValueIsNull(inner))
    return NULL;
  int last = find_path(&list, inner, outer);
  if (last < 0)
    return NULL;
  const char *text = arena_format(memory, " -> %.*s (%s)", TEXT(provenance_name(inner)),
                                  tensor_name(&list, order));
  for (; last >= 0; last = list.edges[last].before)
    text = arena_format(memory, " -> %.*s (%s)%s", TEXT(provenance_name(list.edges[last].to)),
                        list.edges[last].name, text);
  return arena_format(memory, "%.*s%s", TEXT(provenance_name(inner)), text);
}
