/* parallel_safety.c - whether the iterations of a forall may run at once. */
#include "parallel_safety.h"

#include "cin.h"
#include "coordinate_order.h"
#include "copied_operand.h"
#include "parallel_check.h"
#include "result_format.h"

safety_check safety_check_of(arena *memory, provenance *graph, MlirOperation kernel,
                             MlirOperation forall, cin_race race) {
  return (safety_check){.memory = memory,
                        .graph = graph,
                        .kernel = kernel,
                        .forall = forall,
                        .unit = CIN_CPU_THREAD,
                        .race = race};
}

const kernel_statement *safety_statement(safety_check *c) {
  if (!c->is_read)
    c->statement = kernel_statement_read(c->memory, c->kernel);
  c->is_read = true;
  return c->statement;
}

static provenance *graph_of(const safety_check *c) {
  return c->graph ? c->graph : provenance_create(c->memory, c->kernel);
}

MlirStringRef safety_variable(const safety_check *c) {
  return provenance_name(cin_forall_variable(c->forall));
}

/* A workspace whose cin.where is below the forall: each iteration has its own. */
static bool is_private(const safety_check *c, MlirValue tensor) {
  op_list wheres = ops_below(c->memory, c->forall, cin_is_where);
  for (int i = 0; i < wheres.count; ++i)
    if (mlirValueEqual(cin_where_workspace(wheres.ops[i]), tensor))
      return true;
  return false;
}

/* ---- assignments ------------------------------------------------------------------------ */

static bool is_bare_somewhere(MlirOperation access, MlirValue variable) {
  for (intptr_t d = 0; d < cin_access_rank(access); ++d) {
    MlirValue bare = cin_access_bare(access, d);
    if (!mlirValueIsNull(bare) && mlirValueEqual(bare, variable))
      return true;
  }
  return false;
}

/* Other values come to other places, also by compound subscripts that tell them. */
static bool writes_disjointly(const safety_check *c, MlirOperation assign) {
  const MlirValue *roots;
  intptr_t count = provenance_roots(c->graph, cin_forall_variable(c->forall), &roots);
  for (intptr_t i = 0; i < count; ++i)
    if (!is_bare_somewhere(assign, roots[i]) && !cin_access_determines(c->graph, assign, roots[i]))
      return false;
  return true;
}

static const char *race_of_assign(const safety_check *c, MlirOperation assign) {
  const char *tensor = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(assign));
  bool disjoint = writes_disjointly(c, assign);
  if (disjoint || c->race == CIN_IGNORE_RACES)
    return NULL;
  if (c->race == CIN_NO_RACES)
    return arena_format(c->memory,
                        "expected iterations of '%.*s' to write to different places of %s, found "
                        "%s",
                        TEXT(safety_variable(c)), tensor,
                        cin_assign_kind(assign) ? "a reduction over it (which needs atomics)"
                                                : "that they write to the same");
  return cin_assign_kind(assign)
             ? NULL
             : arena_format(c->memory, "expected a reduction into %s, found a plain assignment",
                            tensor);
}

/* Whether the place that is assigned to is known where the forall begins. */
static bool writes_to_one_place(const safety_check *c, MlirOperation assign) {
  op_list path = cin_path(c->memory, assign);
  int forall = 0;
  while (forall < path.count && !mlirOperationEqual(path.ops[forall], c->forall))
    ++forall;
  for (intptr_t d = 0; d < cin_access_rank(assign); ++d)
    if (cin_subscript_known_at(c->graph, path, assign, d) >= forall)
      return false;
  return true;
}

static bool is_scalar(MlirOperation assign) {
  return cin_access_rank(assign) == 0 && cin_assign_kind(assign);
}

static bool will_be_copied(safety_check *c) {
  const kernel_statement *s = safety_statement(c);
  provenance *graph = graph_of(c);
  return s && graph && copied_operand(c->memory, graph, s);
}

/* How the result is built: as the kernel says, or copied, or in whichever order, or as its levels
 * want it first. */
static assembly expected_assembly(safety_check *c, const tensor_format *format) {
  assembly_list ways = assembly_ways(format, result_is_recorded(c->kernel));
  assembly found = ways.ways[0];
  cin_assembly told;
  if (cin_op_assembly(c->kernel, &told))
    assembly_as_told(format, told, &found);
  else if (found.way != ASSEMBLY_INSERT && will_be_copied(c))
    assembly_as_told(format, CIN_COPY, &found);
  else
    assembly_find(&ways, ASSEMBLY_COLLECT, &found);
  return found;
}

bool safety_is_appended(const assembly *how) {
  return how->way == ASSEMBLY_APPEND || how->way == ASSEMBLY_WORKSPACE;
}

/* Whether a level is walked to a constant, or to what follows from one, or a constant may be out of
 * range: that is around all foralls. */
bool safety_walks_to_constants(safety_check *c) {
  const kernel_statement *s = safety_statement(c);
  const provenance *graph = graph_of(c);
  for (int n = 0; s && graph && n < s->iterators.count; ++n) {
    const iterator *i = s->iterators.iterators[n];
    bool may_fail = !iterator_is_located(i) || i->at.padded;
    if (may_fail && subscript_is_known(&i->at, graph))
      return true;
  }
  return false;
}

/* Whether no forall is around, but for that it is in the consumers of workspaces. */
static bool is_consumed_at_top(MlirOperation forall) {
  MlirOperation up = forall, around = mlirOperationGetParentOperation(up);
  while (cin_is_where(around) &&
         mlirBlockEqual(mlirOperationGetBlock(up), cin_where_consumer(around))) {
    up = around;
    around = mlirOperationGetParentOperation(up);
  }
  return cin_is_kernel(around);
}

/* Whether nothing at all is around the forall. */
static bool is_outermost(safety_check *c) {
  return is_consumed_at_top(c->forall) && !safety_walks_to_constants(c);
}

/* Of a variable that is collapsed its pieces are moved to where coordinates of the first level end
 * (schedule_units.c); not what it is split into by hand. */
static const char *hint_for_forall(const safety_check *c, MlirOperation assign) {
  bool gathers = is_consumed_at_top(c->forall) && cin_assign_kind(assign) &&
                 !cin_access_follows(c->memory, c->graph, assign, cin_forall_variable(c->forall));
  bool collapsed = provenance_is_collapsed(c->graph, cin_forall_variable(c->forall));
  return gathers     ? " (temporary gathers its entries by thread)"
         : collapsed ? ", a part of what is collapsed (put all of it on threads, unsplit)"
                     : "";
}

/* What is appended to in order: in pieces, each for a range of coordinates of the first level. */
static const char *hazard_of_pieces(safety_check *c, MlirOperation assign,
                                    const tensor_format *format) {
  const char *tensor = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(assign));
  MlirValue first = cin_access_level(c->kernel, assign, &format->levels[0]);
  int level = tensor_format_unjoined_level(format);
  if (level >= 0)
    return arena_format(
        c->memory,
        "expected a result whose levels can be joined from pieces, found that level "
        "%d (%s) of %s cannot",
        level, format->levels[level].format->name, tensor);
  if (!is_outermost(c) || mlirValueIsNull(first) ||
      !goes_over_in_order(c->memory, c->graph, c->kernel, c->forall, assign, first))
    return arena_format(c->memory,
                        "expected an outermost forall over the first level of %s, which is "
                        "appended to in order, or over parts of it, found '%.*s'%s",
                        tensor, TEXT(safety_variable(c)), hint_for_forall(c, assign));
  return NULL;
}

/* The place in `path` of the forall at which the coordinates of all levels before `end` are known;
 * -1 where that cannot be told. */
static int levels_known_at(const safety_check *c, op_list path, MlirOperation assign,
                           const tensor_format *format, int end) {
  int latest = 0;
  for (int l = 0; l < end; ++l) {
    MlirValue variable = cin_access_level(c->kernel, assign, &format->levels[l]);
    int at = mlirValueIsNull(variable) ? -1 : cin_known_at(c->graph, path, variable, NULL);
    if (at < 0)
      return -1;
    latest = at > latest ? at : latest;
  }
  return latest;
}

/* Whether all that is below the level which is counted becomes known along with it, so that there
 * are as many entries of that as values. */
static bool knows_together(const safety_check *c, MlirOperation assign,
                           const tensor_format *format) {
  op_list path = cin_path(c->memory, assign);
  int counted = tensor_format_collected_level(format);
  int at = levels_known_at(c, path, assign, format, counted + 1);
  return at >= 0 && at == levels_known_at(c, path, assign, format, format->level_count);
}

/* How many assignments below `op` do the same with the same tensor; -1 where one does another. */
static int assigned_alike(const safety_check *c, MlirOperation op, MlirOperation assign) {
  op_list assigns = ops_below(c->memory, op, cin_is_assign);
  int count = 0;
  for (int i = 0; i < assigns.count; ++i) {
    if (!mlirValueEqual(cin_access_tensor(assigns.ops[i]), cin_access_tensor(assign)))
      continue;
    if (cin_assign_kind(assigns.ops[i]) != cin_assign_kind(assign))
      return -1;
    ++count;
  }
  return count;
}

/* Whether all that is assigned to the result is in this forall, and done alike. */
static bool assigns_all(const safety_check *c, MlirOperation assign) {
  int all = assigned_alike(c, c->kernel, assign);
  return all > 0 && assigned_alike(c, c->forall, assign) == all;
}

/* Whether entries come again and again along the forall, which is all there is: in the end each
 * thread gathers them in a workspace of its own. */
static bool will_be_gathered(safety_check *c, MlirOperation assign, const tensor_format *format) {
  assembly how = expected_assembly(c, format);
  return c->race == CIN_TEMPORARY && safety_is_appended(&how) && is_outermost(c) &&
         !writes_disjointly(c, assign) && assigns_all(c, assign);
}

/* What threads reduce into a place, or an array, of their own. */
static const char *hazard_of_reduction(safety_check *c, MlirOperation assign,
                                       const tensor_format *format) {
  const char *tensor = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(assign));
  if (!cin_assign_kind(assign))
    return arena_format(c->memory, "expected a reduction into %s, found a plain assignment",
                        tensor);
  int l = tensor_format_no_array_level(format);
  assembly how = expected_assembly(c, format);
  if (how.way == ASSEMBLY_COPY)
    l = -1;
  if (l >= 0 && will_be_gathered(c, assign, format))
    return NULL;
  if (l >= 0)
    return arena_format(c->memory,
                        "expected a dense result for %s, found that level %d of %s is %s",
                        cin_race_name(c->race), l, tensor, format->levels[l].format->name);
  if (c->race == CIN_PARALLEL_REDUCTION && !writes_to_one_place(c, assign))
    return arena_format(c->memory,
                        "expected a reduction into one place of %s, known outside of the forall "
                        "over '%.*s', found several places (temporary has a copy of all)",
                        tensor, TEXT(safety_variable(c)));
  return NULL;
}

static bool is_over(const safety_check *c, MlirValue variable) {
  return !mlirValueIsNull(variable) && mlirValueEqual(variable, cin_forall_variable(c->forall));
}

/* Whether a coordinate may come in several ranges, which are of places then. */
static bool comes_in_several(const safety_check *c) {
  forall_walk found = safety_walk(c);
  return found.strays && found.repeats;
}

/* Whether iterations number coordinates of their own. */
static bool numbers_apart(const safety_check *c, MlirOperation assign,
                          const tensor_format *format) {
  for (int l = 0; l < format->level_count; ++l) {
    int dimension = remap_counted(format->levels[l].expression);
    if (dimension >= 0 && !is_over(c, cin_access_bare(assign, dimension)))
      return false;
  }
  return true;
}

/* Whether iterations have no entry in common, and may collect at once, each where it goes. */
static bool collects_apart(const safety_check *c, MlirOperation assign,
                           const tensor_format *format) {
  bool has_first = is_over(c, cin_access_level(c->kernel, assign, &format->levels[0]));
  return numbers_apart(c, assign, format) && !comes_in_several(c) &&
         ((has_first && tensor_format_collects_apart(format)) ||
          (tensor_format_collects_together(format) && writes_disjointly(c, assign)));
}

static bool can_share(const safety_check *c, MlirOperation assign, const assembly *how) {
  bool collects = how->way == ASSEMBLY_COLLECT;
  if (!assigns_all(c, assign))
    return false;
  return (collects && collects_apart(c, assign, how->format)) ||
         (tensor_format_builds_in_shares(how->format, (cin_assembly)how->way) &&
          (!collects || knows_together(c, assign, how->format)));
}

/* What is counted and then placed: each range of what the forall goes over with its own counts; on
 * a GPU all at once. */
static const char *hazard_of_shares(safety_check *c, MlirOperation assign, const assembly *how) {
  const char *tensor = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(assign));
  const char *words = assembly_words(how->way);
  if (!cin_unit_is_gpu(c->unit) && !can_share(c, assign, how))
    return arena_format(c->memory,
                        "expected a result that can be %s by several threads, found that %s "
                        "cannot",
                        words, tensor);
  return is_outermost(c)
             ? NULL
             : arena_format(c->memory, "expected an outermost forall, for %s is %s, found '%.*s'",
                            tensor, words, TEXT(safety_variable(c)));
}

/* Whether the forall is a statement of the producer of the workspace. */
static bool is_in_producer(const safety_check *c, MlirValue workspace) {
  MlirOperation where = mlirOperationGetParentOperation(c->forall);
  return cin_is_where(where) && mlirValueEqual(cin_where_workspace(where), workspace) &&
         mlirBlockEqual(mlirOperationGetBlock(c->forall), cin_where_producer(where));
}

static bool reads_below(const safety_check *c, MlirValue tensor) {
  op_list reads = ops_below(c->memory, c->forall, cin_is_read);
  for (int i = 0; i < reads.count; ++i)
    if (mlirValueEqual(cin_access_tensor(reads.ops[i]), tensor))
      return true;
  return false;
}

/* An array each of whose places one iteration comes to is filled by threads together; others are
 * not shared. */
static const char *hazard_of_array(const safety_check *c, MlirOperation assign) {
  MlirValue tensor = cin_access_tensor(assign);
  if (c->unit == CIN_CPU_THREAD && c->race == CIN_NO_RACES && is_in_producer(c, tensor) &&
      !reads_below(c, tensor) && writes_disjointly(c, assign))
    return NULL;
  return arena_format(c->memory, "expected no workspace shared by iterations of '%.*s', found %s",
                      TEXT(safety_variable(c)), cin_tensor_name(c->memory, c->kernel, tensor));
}

/* What threads gather, each in a workspace of its own by the policy: merged when all is there. */
static const char *hazard_of_workspace(const safety_check *c, MlirOperation assign) {
  MlirValue tensor = cin_access_tensor(assign);
  const char *name = cin_tensor_name(c->memory, c->kernel, tensor);
  if (!cin_workspace_policy(c->memory, value_owner(tensor)))
    return hazard_of_array(c, assign);
  if (c->race != CIN_TEMPORARY)
    return arena_format(c->memory,
                        "expected no workspace shared by iterations of '%.*s', found %s (temporary "
                        "has one for each thread)",
                        TEXT(safety_variable(c)), name);
  if (!is_in_producer(c, tensor) || !assigns_all(c, assign) || reads_below(c, tensor))
    return arena_format(c->memory,
                        "expected the outermost forall of all that fills %s, which does not read "
                        "it, found '%.*s'",
                        name, TEXT(safety_variable(c)));
  return NULL;
}

static const char *hazard_of_assign(safety_check *c, MlirOperation assign) {
  MlirValue tensor = cin_access_tensor(assign);
  bool alone = cin_race_is_private(c->race);
  if (is_private(c, tensor))
    return NULL;
  if (alone && is_scalar(assign) && !mlirValueEqual(tensor, cin_kernel_result(c->kernel)))
    return NULL;
  if (!mlirValueEqual(tensor, cin_kernel_result(c->kernel)))
    return hazard_of_workspace(c, assign);
  const tensor_format *format =
      tensor_format_get(c->memory, mlirValueGetType(tensor), mlirOperationGetLocation(assign));
  if (!format)
    return "expected a known format";
  if (alone && cin_unit_is_gpu(c->unit) && !writes_to_one_place(c, assign))
    return "expected atomics, since threads of a GPU have no copies of a result";
  if (alone)
    return hazard_of_reduction(c, assign, format);
  assembly how = expected_assembly(c, format);
  if (safety_is_appended(&how))
    return hazard_of_pieces(c, assign, format);
  if (assembly_is_in_shares(how.way))
    return hazard_of_shares(c, assign, &how);
  return race_of_assign(c, assign);
}

/* What is assigned to the result below the forall, first; null. */
static MlirOperation assigned_first(const safety_check *c) {
  op_list assigns = ops_below(c->memory, c->forall, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i)
    if (mlirValueEqual(cin_access_tensor(assigns.ops[i]), cin_kernel_result(c->kernel)))
      return assigns.ops[i];
  return (MlirOperation){NULL};
}

/* How the result is built that is assigned to below the forall; false where none is. */
bool safety_assembly(safety_check *c, assembly *how) {
  MlirOperation assign = assigned_first(c);
  const tensor_format *format =
      mlirOperationIsNull(assign)
          ? NULL
          : tensor_format_get(c->memory, mlirValueGetType(cin_access_tensor(assign)),
                              mlirOperationGetLocation(c->forall));
  if (format)
    *how = expected_assembly(c, format);
  return format;
}

/* Whether what is below the forall appends to the result, or counts and places. */
bool safety_is_in_pieces(safety_check *c) {
  assembly how;
  return safety_assembly(c, &how) && (safety_is_appended(&how) || assembly_is_in_shares(how.way));
}

bool parallel_appends(arena *memory, MlirOperation kernel, MlirOperation forall) {
  safety_check c = safety_check_of(memory, NULL, kernel, forall, CIN_NO_RACES);
  assembly how;
  return safety_assembly(&c, &how) && safety_is_appended(&how);
}

/* ---- the forall --------------------------------------------------------------------------- */

/* On threads of a CPU: all the others are serial. On a GPU a block is around its warps, a warp
 * around its threads, and serial foralls may be anywhere. */
static bool may_enclose(cin_unit outer, cin_unit inner) {
  return outer == CIN_SERIAL || inner == CIN_SERIAL ||
         (outer == CIN_CPU_THREAD && inner == CIN_CPU_VECTOR) ||
         (cin_unit_is_gpu(outer) && cin_unit_is_gpu(inner) && outer < inner);
}

static const char *hazard_of_unit(const safety_check *c, MlirOperation other, const char *where) {
  return arena_format(c->memory, "expected serial foralls %s, found '%.*s' on %s", where,
                      TEXT(provenance_name(cin_forall_variable(other))),
                      cin_unit_name(cin_op_unit(other)));
}

static const char *hazard_of_nesting(const safety_check *c) {
  op_list path = cin_path(c->memory, c->forall);
  for (int i = 0; i < path.count; ++i)
    if (!may_enclose(cin_op_unit(path.ops[i]), c->unit) &&
        !safety_are_groups_and_lanes(c, path.ops[i], c->forall, cin_op_unit(path.ops[i])))
      return hazard_of_unit(c, path.ops[i], "around");
  op_list below = ops_below(c->memory, c->forall, cin_is_forall);
  for (int i = 0; i < below.count; ++i)
    if (!may_enclose(c->unit, cin_op_unit(below.ops[i])) &&
        !mlirOperationEqual(below.ops[i], c->forall) &&
        !safety_are_groups_and_lanes(c, c->forall, below.ops[i], cin_op_unit(below.ops[i])))
      return hazard_of_unit(c, below.ops[i], "inside");
  return NULL;
}

const char *parallel_hazard(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall, cin_unit unit, cin_race race) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, race);
  c.unit = unit;
  const char *hazard = hazard_of_nesting(&c);
  if (!hazard && cin_unit_is_gpu(unit))
    hazard = safety_hazard_on_gpu(&c);
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  for (int i = 0; i < assigns.count && !hazard; ++i)
    hazard = hazard_of_assign(&c, assigns.ops[i]);
  return hazard ? hazard : safety_hazard_of_walk(&c);
}

/* ---- dealing out the iterations ----------------------------------------------------------- */

bool parallel_is_in_ranges(arena *memory, provenance *graph, MlirOperation kernel,
                           MlirOperation forall, cin_race race) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, race);
  forall_walk found = safety_walk(&c);
  return safety_is_in_pieces(&c) || safety_is_cut(&c, &found);
}

bool parallel_is_balanced(arena *memory, provenance *graph, MlirOperation kernel,
                          MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  int partial = safety_walk(&c).partial;
  return partial == 0 || (partial == 1 && safety_walks_alone(&c));
}

bool parallel_collects_apart(arena *memory, provenance *graph, MlirOperation kernel,
                             MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  assembly how;
  return safety_assembly(&c, &how) && how.way == ASSEMBLY_COLLECT &&
         collects_apart(&c, assigned_first(&c), how.format);
}

bool parallel_is_worthwhile(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  assembly how;
  if (!safety_assembly(&c, &how) || how.way != ASSEMBLY_COLLECT ||
      collects_apart(&c, assigned_first(&c), how.format))
    return true;
  bool is_marked = how.format->levels[0].properties & LEVEL_ORDERED;
  return tensor_format_collected_level(how.format) != 0 || !is_marked;
}

bool parallel_reduces_densely(arena *memory, MlirOperation kernel, MlirOperation forall) {
  safety_check c = safety_check_of(memory, NULL, kernel, forall, CIN_TEMPORARY);
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  bool reduces = false;
  for (int i = 0; i < assigns.count; ++i) {
    MlirOperation assign = assigns.ops[i];
    MlirValue tensor = cin_access_tensor(assign);
    if (!mlirValueEqual(tensor, cin_kernel_result(kernel)))
      continue;
    const tensor_format *format =
        tensor_format_get(memory, mlirValueGetType(tensor), mlirOperationGetLocation(assign));
    reduces = format && cin_assign_kind(assign) && tensor_format_no_array_level(format) < 0 &&
              assigned_alike(&c, forall, assign) > 0;
    if (!reduces)
      return false;
  }
  return reduces;
}

bool parallel_walks_full(arena *memory, provenance *graph, MlirOperation kernel,
                         MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return safety_walk(&c).stored == 0;
}

bool parallel_walk_repeats(arena *memory, provenance *graph, MlirOperation kernel,
                           MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return safety_walk(&c).repeats != NULL;
}

bool parallel_walk_branches(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall) {
  safety_check c = safety_check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return safety_walk(&c).branches;
}
