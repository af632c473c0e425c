/* insert_rows.c - workspaces that a sparse result needs: of order one, a row each.
 *
 * A row of a sparse result that is scattered into, once for each iteration of a reduction outside
 * it, is built in a workspace of order one, and appended when it is complete:
 *
 *     forall i { forall j { forall k { A[i, k] add b } } }
 *  -> forall i { where { forall k { A[i, k] = w[k] } }
 *                producing w { forall j { forall k { w[k] add b } } } }
 *
 * So is one that several nests add to, inside of the foralls that they share:
 *
 *     forall i { forall j { A[i, j] add b }   forall k { A[i, k] add c } }
 *  -> forall i { where { forall j { A[i, j] = w[j] } }
 *                producing w { forall j { w[j] add b }   forall k { w[k] add c } } }
 *
 * and one whose coordinates come in strides, of j in parts of four here:
 *
 *     forall i { forall j1 { forall j0 { A[i, j] = b } } }
 *  -> forall i { where { forall j_row { A[i, j_row] = w[j_row] } }
 *                producing w { forall j1 { forall j0 { w[j] = b } } } }
 *
 * (Kjolstad et al. 2019, section 5; Zhang et al. 2024, section 3.)
 */
#include "assembly_loops.h"
#include "insert_workspaces.h"
#include "result_format.h"
#include "statistics.h"
#include "tin.h"
#include "usual_policy.h"

static const MlirValue none = {NULL};

/* ---- order one: a scatter into the last level ------------------------------------------- */

typedef struct scatter {
  MlirOperation assign;
  op_list path;
  int reduction; /* the outermost forall of the path that reduces, is not shared, or is of strides */
  int levels;    /* how many of the result's become known inside it */
  int appended;  /* how many of those would have to be known before it */
  int kept;      /* how many of those even where a row is gathered */
  bool strided;  /* coordinates of a row come in strides */
} scatter;

/* -1 where it is known around all of the path, as a constant is. */
static int level_known_at(const inserter *w, const scatter *s, int level) {
  const format_level *at = &w->result->levels[level];
  if (at->dimension >= 0)
    return cin_subscript_known_at(w->graph, s->path, s->assign, at->dimension);
  MlirValue held = cin_access_level(w->kernel, s->assign, at);
  bool is_open = !mlirValueIsNull(held) && !provenance_is_known(w->graph, held);
  return is_open ? cin_known_at(w->graph, s->path, held, NULL) : -1;
}

static bool is_outside(const inserter *w, assembly_way way, int level) {
  assembly found;
  return assembly_find(&w->ways, way, &found) && assembly_is_outside(&found, level);
}

/* Whether no way builds the level while its coordinates come again and again. */
static bool is_appended(const inserter *w, int level) {
  bool inserts = w->result->levels[level].format->capabilities & LEVEL_INSERT;
  return inserter_appends(w) && !inserts && is_outside(w, ASSEMBLY_APPEND, level);
}

/* Counts the levels that become known from place `known` of the path on. */
static void count_levels(const inserter *w, scatter *s, int known) {
  for (int l = 0; l < w->result->level_count; ++l) {
    if (level_known_at(w, s, l) < known)
      continue;
    ++s->levels;
    s->appended += is_appended(w, l);
    s->kept += is_outside(w, ASSEMBLY_WORKSPACE, l);
  }
}

/* What the last level holds, along a row; null where that is no variable. */
static MlirValue row_variable(const inserter *w, MlirOperation assign) {
  int last = w->result->level_count - 1;
  int dimension = last < 0 ? -1 : w->result->levels[last].dimension;
  return dimension < 0 ? none : cin_access_bare(assign, dimension);
}

/* Whether a forall of the path goes in strides through a variable, from the place on that is the
 * first to go through part of it. */
static bool strides_from(const inserter *w, const scatter *s, int place, MlirValue variable) {
  bool strided = false;
  for (int n = 0; n < s->path.count; ++n) {
    MlirValue loop = cin_forall_variable(s->path.ops[n]);
    bool follows = provenance_has_root(w->graph, loop, variable);
    strided |= n >= place && follows && provenance_strides_through(w->graph, loop, variable);
    if (n < place && follows)
      break;
    provenance_bind(w->graph, loop, none);
  }
  for (int n = 0; n < s->path.count; ++n)
    provenance_unbind(w->graph, cin_forall_variable(s->path.ops[n]));
  return strided;
}

/* Whether the coordinates of a row, which have to ascend, come in strides from a place on, and all
 * of them there. */
static bool strides_in_row(const inserter *w, const scatter *s, int place) {
  int last = w->result->level_count - 1;
  assembly append;
  if (last < 0 || !is_appended(w, last) || !assembly_find(&w->ways, ASSEMBLY_APPEND, &append) ||
      !assembly_ascends(&append, last))
    return false;
  MlirValue variable = row_variable(w, s->assign);
  scatter inside = {.assign = s->assign, .path = s->path};
  count_levels(w, &inside, place + 1);
  return !mlirValueIsNull(variable) && inside.levels && !inside.kept &&
         strides_from(w, s, place, variable);
}

/* Whether coordinates ascend along the forall from whose variable alone they follow, each from
 * another one. */
static bool ascends_along(const inserter *w, MlirValue loop, MlirValue variable) {
  return provenance_follows(w->graph, variable, 1, &loop) &&
         provenance_follows(w->graph, loop, 1, &variable) &&
         !provenance_is_strided(w->graph, loop) && !provenance_descends(w->graph, loop, variable);
}

/* Whether the coordinates of a row are different ones in each iteration of a forall: where it were
 * not there they would not follow from the others and what the levels above hold. */
static bool tells_of_row(const inserter *w, const scatter *s, int place, MlirValue variable) {
  int last = w->result->level_count - 1, count = 0;
  MlirValue *others = ARENA_ARRAY(w->memory, MlirValue, s->path.count + last + 1);
  for (int n = 0; n < s->path.count; ++n)
    if (n != place)
      others[count++] = cin_forall_variable(s->path.ops[n]);
  for (int l = 0; l < last; ++l) {
    int dimension = w->result->levels[l].dimension;
    MlirValue held = dimension < 0 ? none : cin_access_bare(s->assign, dimension);
    if (!mlirValueIsNull(held))
      others[count++] = held;
  }
  return !provenance_follows(w->graph, variable, count, others);
}

/* Whether the coordinates of a row follow from foralls over other variables alone, of which that at
 * this place is one, as those of a compound subscript do, and need not ascend: those of 8 - i from
 * both parts of i. */
static bool row_follows(const inserter *w, const scatter *s, int place) {
  MlirValue variable = row_variable(w, s->assign);
  int known = mlirValueIsNull(variable) ? -1 : cin_known_at(w->graph, s->path, variable, NULL);
  if (known < place)
    return false;
  for (int n = 0; n <= known; ++n)
    if (provenance_has_root(w->graph, cin_forall_variable(s->path.ops[n]), variable))
      return false;
  return (place == known || tells_of_row(w, s, place, variable)) &&
         !ascends_along(w, cin_forall_variable(s->path.ops[place]), variable);
}

/* Whether a row has to be gathered from the forall at a place on. */
static bool wants_row(const inserter *w, const scatter *s, int place) {
  MlirOperation forall = s->path.ops[place];
  return inserter_revisits(w, s->assign, forall) || row_follows(w, s, place) ||
         (provenance_has_root(w->graph, cin_forall_variable(forall), row_variable(w, s->assign)) &&
          strides_in_row(w, s, place));
}

static bool is_gone_through_otherwise(const inserter *w, const scatter *s, MlirValue variable);

/* The first forall that goes through part of a row which is gathered whole: with a variable of its
 * own, that no part is of. */
static int whole_row_from(const inserter *w, const scatter *s) {
  MlirValue variable = row_variable(w, s->assign);
  int first = 0;
  while (first < s->reduction &&
         !provenance_has_root(w->graph, cin_forall_variable(s->path.ops[first]), variable))
    ++first;
  return is_gone_through_otherwise(w, s, variable) ? first : s->reduction;
}

static scatter find_scatter(const inserter *w, MlirOperation assign) {
  scatter s = {.assign = assign, .path = cin_path(w->memory, assign)};
  while (s.reduction < s.path.count && !wants_row(w, &s, s.reduction))
    ++s.reduction;
  if (s.reduction < s.path.count && !mlirValueIsNull(row_variable(w, assign)))
    s.reduction = whole_row_from(w, &s);
  count_levels(w, &s, s.reduction);
  s.strided = s.reduction < s.path.count && strides_in_row(w, &s, s.reduction);
  return s;
}

static MlirStringRef reduction_name(const scatter *s) {
  return provenance_name(cin_forall_variable(s->path.ops[s->reduction]));
}

static bool check_scatter(const inserter *w, const scatter *s) {
  if (!cin_assign_kind(s->assign) && inserter_revisits(w, s->assign, s->path.ops[s->reduction]))
    return error_at(s->assign, "expected a reduction over '%.*s', found a plain assignment",
                    TEXT(reduction_name(s)));
  if (inserter_assigns_below(w, s->path.ops[s->reduction], cin_access_tensor(s->assign)) != 1)
    return error_at(s->assign,
                    "expected one assignment to the sparse result in the reduction over '%.*s', "
                    "found several: not supported yet",
                    TEXT(reduction_name(s)));
  return true;
}

static bool derives_from(const inserter *w, MlirOperation forall, MlirValue variable) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(w->graph, cin_forall_variable(forall), &roots);
  return count == 1 && mlirValueEqual(roots[0], variable);
}

/* Whether the variable follows from parts of it, which foralls go over, and is none of a relation.
 */
static bool follows_from_remaps(const inserter *w, const scatter *s, MlirValue variable) {
  bool follows = !provenance_is_consumed(w->graph, variable);
  for (int i = 0; i < s->path.count; ++i)
    follows &= !mlirValueEqual(cin_forall_variable(s->path.ops[i]), variable);
  return follows;
}

/* One variable in place of another one. */
static void replace_subscripts(MlirOperation assign, MlirValue variable, MlirValue by) {
  for (intptr_t n = 0; n < mlirOperationGetNumOperands(assign); ++n)
    if (mlirValueEqual(mlirOperationGetOperand(assign, n), variable))
      mlirOperationSetOperand(assign, n, by);
}

/* The foralls of the path from which `variable` is known, one in the other in `block`; the
 * innermost block.  Where it follows from its blocks, one over all of it, which comes to what was
 * gathered in order. */
static MlirBlock copy_foralls(const inserter *w, const scatter *s, MlirValue variable,
                              MlirBlock block) {
  if (follows_from_remaps(w, s, variable))
    return inserter_add_forall(s->assign, variable, block);
  for (int i = s->reduction; i < s->path.count; ++i)
    if (derives_from(w, s->path.ops[i], variable))
      block = inserter_add_forall(s->assign, cin_forall_variable(s->path.ops[i]), block);
  return block;
}

static bool is_gone_through_otherwise(const inserter *w, const scatter *s, MlirValue variable) {
  for (int i = s->reduction; i < s->path.count; ++i)
    if (inserter_goes_in_place_of(w, cin_forall_variable(s->path.ops[i]), variable))
      return true;
  return false;
}

/* The foralls over what was gathered, in the where's consumer: its block, and what goes through the
 * coordinates in it. */
static MlirBlock go_through_row(const inserter *w, const scatter *s, MlirOperation where,
                                MlirValue *variable) {
  bool constant = provenance_is_known(w->graph, *variable);
  if (!s->strided && !constant && !is_gone_through_otherwise(w, s, *variable))
    return copy_foralls(w, s, *variable, cin_where_consumer(where));
  *variable = inserter_variable_like(w, *variable);
  return inserter_add_forall(s->assign, *variable, cin_where_consumer(where));
}

static bool insert_row_workspace(const inserter *w, const scatter *s) {
  MlirValue variable = row_variable(w, s->assign);
  if (s->kept || mlirValueIsNull(variable))
    return inserter_gather_entries(w, 1, &s->assign, s->reduction);
  if (!check_scatter(w, s))
    return false;
  MlirType type = cin_list_workspace_type(s->assign, w->result, 1,
                                          usual_policy(w->memory, w->kernel, 1, &variable));
  if (mlirTypeIsNull(type))
    return false;
  MlirValue workspace = cin_declare_workspace(w->kernel, type, 1, &variable);
  statistic_add(STATISTIC_WORKSPACES, 1);
  MlirOperation where = inserter_wrap_in_where(s->path.ops[s->reduction], workspace);
  MlirValue gathered = variable;
  MlirBlock consumer = go_through_row(w, s, where, &gathered);
  inserter_produce(s->assign, workspace, 1, &variable);
  replace_subscripts(s->assign, variable, gathered);
  inserter_consume(s->assign, consumer, workspace, 1, &gathered, true);
  mlirOperationDestroy(s->assign);
  return true;
}

/* ---- order one: several nests into one row ------------------------------------------------ */

/* How many foralls, from the outermost one on, are around both. */
static int shared_foralls(const op_list *x, const op_list *y) {
  int count = 0;
  while (count < x->count && count < y->count && mlirOperationEqual(x->ops[count], y->ops[count]))
    ++count;
  return count;
}

static bool reduce_alike(MlirOperation x, MlirOperation y) {
  return cin_assign_kind(x) && cin_assign_kind(x) == cin_assign_kind(y) &&
         mlirAttributeEqual(cin_assign_identity(x), cin_assign_identity(y));
}

/* The assignments to the result, each from the first forall on that not all share. */
static scatter *find_nests(const inserter *w, int *count) {
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  scatter *nests = ARENA_ARRAY(w->memory, scatter, assigns.count + 1);
  *count = 0;
  for (int i = 0; i < assigns.count; ++i)
    if (inserter_is_result(w, assigns.ops[i]))
      nests[(*count)++] =
          (scatter){.assign = assigns.ops[i], .path = cin_path(w->memory, assigns.ops[i])};
  int shared = *count ? nests[0].path.count : 0;
  for (int i = 1; i < *count; ++i) {
    int both = shared_foralls(&nests[0].path, &nests[i].path);
    shared = both < shared ? both : shared;
  }
  for (int i = 0; i < *count; ++i) {
    nests[i].reduction = shared;
    count_levels(w, &nests[i], shared);
  }
  return nests;
}

static bool check_alike(int count, const scatter *nests) {
  for (int i = 0; i < count; ++i)
    if (!reduce_alike(nests[i].assign, nests[0].assign))
      return error_at(nests[i].assign,
                      "expected several assignments to the sparse result that reduce alike");
  return true;
}

/* Whether more than a row has to be gathered. */
static bool any_kept(int count, const scatter *nests) {
  bool kept = false;
  for (int i = 0; i < count; ++i)
    kept |= nests[i].kept > 0;
  return kept;
}

/* Whether the foralls of the first nest, copied, would go through what was gathered in order. */
static bool goes_in_order(const inserter *w, const scatter *nest, MlirValue variable) {
  return !is_gone_through_otherwise(w, nest, variable) &&
         !strides_from(w, nest, nest->reduction, variable);
}

static bool gather_nests(const inserter *w, int count, const scatter *nests) {
  MlirOperation *assigns = ARENA_ARRAY(w->memory, MlirOperation, count);
  for (int i = 0; i < count; ++i)
    assigns[i] = nests[i].assign;
  return inserter_gather_entries(w, count, assigns, nests[0].reduction);
}

static bool insert_nests_workspace(const inserter *w, int count, const scatter *nests) {
  MlirValue variable = row_variable(w, nests[0].assign);
  if (!check_alike(count, nests))
    return false;
  if (any_kept(count, nests) || mlirValueIsNull(variable) || !goes_in_order(w, nests, variable))
    return gather_nests(w, count, nests);
  MlirType type = cin_list_workspace_type(nests[0].assign, w->result, 1,
                                          usual_policy(w->memory, w->kernel, 1, &variable));
  if (mlirTypeIsNull(type))
    return false;
  MlirValue workspace = cin_declare_workspace(w->kernel, type, 1, &variable);
  statistic_add(STATISTIC_WORKSPACES, 1);
  int shared = nests[0].reduction;
  MlirOperation outer = shared ? nests[0].path.ops[shared - 1] : (MlirOperation){NULL};
  MlirOperation where = inserter_wrap_all_in_where(w, outer, nests[0].assign, workspace);
  MlirBlock consumer = copy_foralls(w, &nests[0], variable, cin_where_consumer(where));
  inserter_consume(nests[0].assign, consumer, workspace, 1, &variable, true);
  for (int i = 0; i < count; ++i) {
    inserter_produce(nests[i].assign, workspace, 1, &variable);
    mlirOperationDestroy(nests[i].assign);
  }
  return true;
}

/* Whether the foralls build the result as they are. */
static bool is_built(const inserter *w) {
  const kernel_statement *s = kernel_statement_read(w->memory, w->kernel);
  return !s || assembly_is_possible(s, w->graph, result_is_recorded(w->kernel));
}

bool inserter_insert_rows(const inserter *w) {
  int count;
  const scatter *nests = find_nests(w, &count);
  if (count > 1 && nests[0].appended)
    return insert_nests_workspace(w, count, nests);
  bool inserted = !count;
  op_list assigns = ops_below(w->memory, w->kernel, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    if (!inserter_is_result(w, assigns.ops[i]))
      continue;
    scatter s = find_scatter(w, assigns.ops[i]);
    if (!s.appended || s.reduction == s.path.count)
      continue;
    if (!insert_row_workspace(w, &s))
      return false;
    inserted = true;
  }
  return inserted || !inserter_appends(w) || is_built(w) || gather_nests(w, count, nests);
}
