/* scattering.c - told from the loops in a where's producer (scattering.h). */
#include "scattering.h"

#include "cin.h"
#include "cin_kernel.h"
#include "provenance.h"

static const MlirValue none = {NULL};

/* The assignment to the workspace, of several the first, and the foralls around it in the producer.
 */
typedef struct producer {
  arena *memory;
  provenance *graph;
  MlirOperation workspace, assign;
  op_list path;
  int count, first; /* how many assign; the place in the path of the outermost in the producer */
} producer;

static producer producer_of(arena *memory, provenance *graph, MlirOperation where) {
  producer p = {.memory = memory, .graph = graph};
  MlirValue workspace = cin_where_workspace(where);
  op_list assigns = ops_below(memory, where, cin_is_assign);
  p.workspace = value_owner(workspace);
  for (int n = 0; n < assigns.count; ++n)
    if (mlirValueEqual(cin_access_tensor(assigns.ops[n]), workspace) && !p.count++)
      p.assign = assigns.ops[n];
  if (p.count)
    p.path = cin_path(memory, p.assign);
  p.first = cin_path(memory, where).count;
  return p;
}

static const char *name_of(const producer *p, MlirValue variable) {
  return arena_format(p->memory, "'%.*s'", TEXT(provenance_name(variable)));
}

static const char *listed(const producer *p, const char *list, MlirValue variable) {
  return arena_format(p->memory, "%s%s%s", list, *list ? ", " : "", name_of(p, variable));
}

/* ---- Why ---------------------------------------------------------------------------------- */

/* The outermost forall along which the entries come again; null where none is. */
static MlirValue summed_over(const producer *p) {
  for (int n = p->first; n < p->path.count; ++n) {
    MlirValue variable = cin_forall_variable(p->path.ops[n]);
    if (!cin_access_follows(p->memory, p->graph, p->assign, variable))
      return variable;
  }
  return none;
}

static bool goes_in_strides(const producer *p, MlirValue loop) {
  bool strided = false;
  for (intptr_t d = 0; d < cin_access_rank(p->assign); ++d)
    strided |= provenance_strides_through(p->graph, loop, cin_access_bare(p->assign, d));
  return strided;
}

/* The outermost forall that goes in strides; null where none does. */
static MlirValue strided_along(const producer *p) {
  MlirValue found = none;
  for (int n = 0; n < p->path.count; ++n) {
    MlirValue variable = cin_forall_variable(p->path.ops[n]);
    if (mlirValueIsNull(found) && n >= p->first && goes_in_strides(p, variable))
      found = variable;
    provenance_bind(p->graph, variable, none);
  }
  for (int n = 0; n < p->path.count; ++n)
    provenance_unbind(p->graph, cin_forall_variable(p->path.ops[n]));
  return found;
}

/* ---- In which order ----------------------------------------------------------------------- */

static int known_at(const producer *p, int d) {
  return cin_subscript_known_at(p->graph, p->path, p->assign, d);
}

static bool is_concordant(const producer *p, int order) {
  for (int d = 1; d < order; ++d)
    if (known_at(p, d) < known_at(p, d - 1))
      return false;
  return true;
}

/* The variables of the workspace, as the loops make them known. */
static const char *order_of_loops(const producer *p, int order) {
  const char *list = "";
  for (int n = 0; n < p->path.count; ++n)
    for (int d = 0; d < order; ++d)
      if (known_at(p, d) == n)
        list = listed(p, list, cin_workspace_variable(p->workspace, d));
  return list;
}

static const char *kind_of(const producer *p, int order, bool is_strided) {
  const char *kind = arena_format(p->memory, "scattering of order %d", order);
  if (!is_strided && is_concordant(p, order))
    return arena_format(p->memory, "%s, concordant", kind);
  if (is_strided)
    return arena_format(p->memory, "%s, discordant", kind);
  return arena_format(p->memory, "%s, discordant: in the order %s", kind, order_of_loops(p, order));
}

/* ---- All of it ---------------------------------------------------------------------------- */

static const char *reason_of(const producer *p, MlirValue summed, MlirValue strided) {
  if (p->count > 1)
    return "since several loops add to them";
  if (!mlirValueIsNull(summed))
    return arena_format(p->memory, "since the sum over %s goes on outside of them",
                        name_of(p, summed));
  return arena_format(p->memory, "since the loop over %s comes to them in strides",
                      name_of(p, strided));
}

scattering scattering_of(arena *memory, provenance *graph, MlirOperation kernel,
                         MlirOperation where) {
  producer p = producer_of(memory, graph, where);
  scattering s = {.result = cin_tensor_name(memory, kernel, cin_kernel_result(kernel))};
  int order = (int)cin_workspace_variable_count(p.workspace);
  if (!p.count || !cin_workspace_policy(memory, p.workspace))
    return s;
  MlirValue summed = p.count > 1 ? none : summed_over(&p), strided = none;
  if (p.count == 1 && mlirValueIsNull(summed))
    strided = strided_along(&p);
  bool is_strided = !mlirValueIsNull(strided);
  bool scatters = p.count > 1 || !mlirValueIsNull(summed) || is_strided;
  if (!scatters && is_concordant(&p, order))
    return s;
  s.along = "";
  for (int d = 0; d < order; ++d)
    s.along = listed(&p, s.along, cin_workspace_variable(p.workspace, d));
  s.kind = kind_of(&p, order, is_strided);
  s.reason =
      scatters ? reason_of(&p, summed, strided) : "since the loops come to them in another order";
  return s;
}
