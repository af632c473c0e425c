/* insert_entries.c - workspaces that a sparse result needs, of several of its levels (Zhang et al.
 * 2024, section 6.2).
 *
 * Where more than the last level becomes known inside of a reduction, or before one above it, rows
 * cannot be gathered one after the other: entries are, of all levels that are not known outside in
 * their order, and then gone through as the result stores them:
 *
 *     forall k { forall i { forall j { A[i, j] add b } } }
 *  -> where { forall i { forall j { A[i, j] = w[i, j] } } }
 *     producing w { forall k { forall i { forall j { w[i, j] add b } } } }
 *
 * What is known in order outside of all that stays around both (common iteration hoisting):
 *
 *     forall l { forall k { forall j { forall i { A[l, i, j] add b } } } }
 *  -> forall l { where { forall i { forall j { A[l, i, j] = w[i, j] } } }
 *                producing w { forall k { forall j { forall i { w[i, j] add b } } } } }
 *
 * The workspace has the variables of the levels, which are remaps where these hold expressions.
 */
#include "insert_workspaces.h"

#include "statistics.h"
#include "usual_policy.h"

static const MlirValue none = {NULL};

typedef struct gathering {
  int count;
  const MlirOperation *assigns;
  op_list path;                /* of the first assignment */
  int place;                   /* of the path's, the outermost forall that goes into the producer */
  int first;                   /* the first level that is gathered */
  MlirValue *held;             /* what each level holds */
  int *known;                  /* the place in the path from which it is known */
  int order;                   /* of the workspace */
  MlirValue *variables, *gone; /* its subscripts, and what the consumer goes through for each */
} gathering;

static bool refuse(const inserter *w, const gathering *g, const char *found) {
  return error_at(g->assigns[0],
                  "not supported yet: entries of %s gathered in a workspace, expected an index "
                  "variable at each level, gone through whole or as parts in their order, found %s",
                  cin_tensor_name(w->memory, w->kernel, cin_access_tensor(g->assigns[0])), found);
}

/* ---- which levels, and from where on ------------------------------------------------------- */

static bool read_levels(const inserter *w, gathering *g) {
  int count = w->result->level_count;
  g->held = ARENA_ARRAY(w->memory, MlirValue, count + 1);
  g->known = ARENA_ARRAY(w->memory, int, count + 1);
  for (int l = 0; l < count; ++l) {
    g->held[l] = cin_access_level(w->kernel, g->assigns[0], &w->result->levels[l]);
    g->known[l] =
        mlirValueIsNull(g->held[l]) ? -1 : cin_known_at(w->graph, g->path, g->held[l], NULL);
    if (g->known[l] < 0)
      return refuse(w, g, arena_format(w->memory, "none at level %d", l));
  }
  return true;
}

static bool goes_in_strides(const inserter *w, const gathering *g, MlirValue loop) {
  bool strided = false;
  for (int l = 0; l < w->result->level_count; ++l)
    strided |= provenance_strides_through(w->graph, loop, g->held[l]);
  return strided;
}

/* The outermost forall up to a place along which coordinates come again, or in strides; the place
 * where there is none. */
static int first_disordered(const inserter *w, const gathering *g, int place) {
  for (int at = place - 1; at >= 0; --at)
    place = inserter_revisits(w, g->assigns[0], g->path.ops[at]) ? at : place;
  int n = 0;
  while (n < place && !goes_in_strides(w, g, cin_forall_variable(g->path.ops[n])))
    provenance_bind(w->graph, cin_forall_variable(g->path.ops[n++]), none);
  int disordered = n;
  while (n > 0)
    provenance_unbind(w->graph, cin_forall_variable(g->path.ops[--n]));
  return disordered;
}

/* How many levels are known before the place, each after the one above it. */
static int known_in_order(const inserter *w, const gathering *g, int place) {
  int l = 0;
  while (l < w->result->level_count && g->known[l] < place &&
         (l == 0 || g->known[l - 1] <= g->known[l]))
    ++l;
  return l;
}

/* The first place from which something is known of the variable. */
static int first_part(const inserter *w, const gathering *g, MlirValue variable) {
  int n = 0;
  while (n < g->path.count &&
         !provenance_has_root(w->graph, cin_forall_variable(g->path.ops[n]), variable))
    ++n;
  return n;
}

/* Outward, until nothing is known outside of a level that is gathered, but of the first one parts
 * of its coordinates, one after the other. */
static void find_place(const inserter *w, gathering *g) {
  int before;
  g->place = first_disordered(w, g, g->place);
  do {
    before = g->place;
    g->first = known_in_order(w, g, g->place);
    for (int l = g->first; l < w->result->level_count; ++l) {
      int from = l > g->first ? first_part(w, g, g->held[l]) : g->known[l];
      g->place = from < g->place ? from : g->place;
    }
  } while (g->place < before);
}

/* ---- the consumer --------------------------------------------------------------------------- */

static bool is_partly_known(const inserter *w, const gathering *g, MlirValue variable) {
  for (int n = 0; n < g->place; ++n)
    if (provenance_has_root(w->graph, cin_forall_variable(g->path.ops[n]), variable))
      return true;
  return false;
}

/* Whether the foralls of the producer go through parts of the variable, in the space of its
 * coordinates. */
static bool goes_in_parts(const inserter *w, const gathering *g, MlirValue variable) {
  for (int n = g->place; n < g->path.count; ++n)
    if (inserter_goes_in_place_of(w, cin_forall_variable(g->path.ops[n]), variable))
      return false;
  return true;
}

static MlirBlock add_parts(const inserter *w, const gathering *g, MlirValue variable,
                           MlirBlock block) {
  for (int n = g->place; n < g->path.count; ++n) {
    MlirValue loop = cin_forall_variable(g->path.ops[n]);
    if (provenance_has_root(w->graph, loop, variable))
      block = inserter_add_forall(g->assigns[0], loop, block);
  }
  return block;
}

/* Whether a variable follows from what the consumer goes through before, as the second of
 * R[2*i + l, 2*i + l] does from the first: what was gathered is gone through level by level. */
static bool follows_from_before(const inserter *w, const gathering *g, MlirValue variable) {
  MlirValue *before = ARENA_ARRAY(w->memory, MlirValue, g->place + g->order + 1);
  int count = 0;
  for (int n = 0; n < g->place; ++n)
    before[count++] = cin_forall_variable(g->path.ops[n]);
  for (int n = 0; n < g->order; ++n)
    before[count++] = g->gone[n];
  return provenance_follows(w->graph, variable, count, before);
}

/* The place of the variable among the workspace's; their count where it is none. */
static int subscript_of(const gathering *g, MlirValue variable) {
  int n = 0;
  while (n < g->order && !mlirValueEqual(g->variables[n], variable))
    ++n;
  return n;
}

/* Those of the levels, once where several hold one, as both of R[i, i] do. */
static bool choose_variables(const inserter *w, gathering *g) {
  g->variables = ARENA_ARRAY(w->memory, MlirValue, w->result->level_count + 1);
  g->gone = ARENA_ARRAY(w->memory, MlirValue, w->result->level_count + 1);
  for (int l = g->first; l < w->result->level_count; ++l) {
    MlirValue held = g->held[l];
    if (subscript_of(g, held) < g->order)
      continue;
    bool parts = is_partly_known(w, g, held), consumed = provenance_is_consumed(w->graph, held);
    if ((parts && !goes_in_parts(w, g, held)) ||
        (consumed && !parts && !cin_is_index(value_owner(held))))
      return refuse(
          w, g,
          arena_format(w->memory, "'%.*s' gone through otherwise", TEXT(provenance_name(held))));
    bool other = !parts && (consumed || follows_from_before(w, g, held));
    g->gone[g->order] = other ? inserter_variable_like(w, held) : held;
    g->variables[g->order++] = held;
  }
  return true;
}

static MlirBlock go_through(const inserter *w, const gathering *g, MlirBlock block) {
  for (int n = 0; n < g->order; ++n)
    block = is_partly_known(w, g, g->variables[n])
                ? add_parts(w, g, g->variables[n], block)
                : inserter_add_forall(g->assigns[0], g->gone[n], block);
  return block;
}

static void replace_subscripts(const gathering *g, MlirOperation assign) {
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(assign); ++n) {
    int of = subscript_of(g, mlirOperationGetOperand(assign, n));
    if (of < g->order)
      mlirOperationSetOperand(assign, n, g->gone[of]);
  }
}

/* ---- the where ------------------------------------------------------------------------------ */

/* From the place on: one forall, or all that stands inside of the foralls that are shared. */
static MlirOperation wrap(const inserter *w, const gathering *g, MlirValue workspace) {
  if (g->place < g->path.count && g->count == 1)
    return inserter_wrap_in_where(g->path.ops[g->place], workspace);
  MlirOperation outer = g->place ? g->path.ops[g->place - 1] : (MlirOperation){NULL};
  return inserter_wrap_all_in_where(w, outer, g->assigns[0], workspace);
}

static bool is_met_again(const inserter *w, const gathering *g, MlirOperation assign) {
  op_list path = cin_path(w->memory, assign);
  for (int n = g->place; n < path.count; ++n)
    if (inserter_revisits(w, assign, path.ops[n]))
      return true;
  return g->count > 1;
}

static bool reduce(const inserter *w, const gathering *g) {
  for (int i = 0; i < g->count; ++i)
    if (!cin_assign_kind(g->assigns[i]) && is_met_again(w, g, g->assigns[i]))
      return error_at(g->assigns[i],
                      "expected a reduction into %s, whose entries come again and again, found a "
                      "plain assignment",
                      cin_tensor_name(w->memory, w->kernel, cin_access_tensor(g->assigns[i])));
  return true;
}

static void build(const inserter *w, const gathering *g, MlirValue workspace) {
  MlirOperation where = wrap(w, g, workspace);
  for (int i = 0; i < g->count; ++i)
    inserter_produce(g->assigns[i], workspace, g->order, g->variables);
  MlirBlock consumer = go_through(w, g, cin_where_consumer(where));
  replace_subscripts(g, g->assigns[0]);
  inserter_consume(g->assigns[0], consumer, workspace, g->order, g->gone, true);
  for (int i = 0; i < g->count; ++i)
    mlirOperationDestroy(g->assigns[i]);
}

bool inserter_gather_entries(const inserter *w, int count, const MlirOperation *assigns,
                             int place) {
  gathering g = {
      .count = count, .assigns = assigns, .path = cin_path(w->memory, assigns[0]), .place = place};
  if (!read_levels(w, &g))
    return false;
  find_place(w, &g);
  if (!reduce(w, &g) || !choose_variables(w, &g))
    return false;
  MlirType type = cin_list_workspace_type(assigns[0], w->result, g.order,
                                          usual_policy(w->memory, w->kernel, g.order, g.variables));
  if (mlirTypeIsNull(type))
    return false;
  statistic_add(STATISTIC_WORKSPACES, 1);
  build(w, &g, cin_declare_workspace(w->kernel, type, g.order, g.variables));
  return true;
}
