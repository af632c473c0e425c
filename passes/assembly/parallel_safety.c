/* parallel_safety.c - whether the iterations of a forall may run at once. */
#include "parallel_safety.h"

#include "assembly.h"
#include "cin.h"
#include "coordinate_order.h"
#include "result_format.h"

#include <mlir-c/BuiltinTypes.h>

typedef struct safety_check {
  arena *memory;
  provenance *graph;
  MlirOperation kernel, forall;
  cin_unit unit; /* of threads: those of a CPU, or a unit of a GPU */
  cin_race race;
  bool is_read;
  const kernel_statement *statement; /* of the kernel, once that is read; NULL where it cannot be */
} safety_check;

static safety_check check_of(arena *memory, provenance *graph, MlirOperation kernel,
                             MlirOperation forall, cin_race race) {
  return (safety_check){.memory = memory,
                        .graph = graph,
                        .kernel = kernel,
                        .forall = forall,
                        .unit = CIN_CPU_THREAD,
                        .race = race};
}

static const kernel_statement *statement_of(safety_check *c) {
  if (!c->is_read)
    c->statement = kernel_statement_read(c->memory, c->kernel);
  c->is_read = true;
  return c->statement;
}

static MlirStringRef variable_name(const safety_check *c) {
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
                        TEXT(variable_name(c)), tensor,
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

/* How the result is built: as the kernel says, or in whichever order, or as its levels want it
 * first. */
static assembly expected_assembly(const safety_check *c, const tensor_format *format) {
  assembly_list ways = assembly_ways(format, result_is_recorded(c->kernel));
  assembly found = ways.ways[0];
  cin_assembly told;
  if (!cin_op_assembly(c->kernel, &told))
    told = CIN_COLLECT;
  assembly_find(&ways, (assembly_way)told, &found);
  return found;
}

static bool is_appended(const assembly *how) {
  return how->way == ASSEMBLY_APPEND || how->way == ASSEMBLY_WORKSPACE;
}

/* Whether a level is walked to a constant: that is around all foralls. */
static bool walks_to_constants(safety_check *c) {
  const kernel_statement *s = statement_of(c);
  for (int n = 0; s && n < s->iterators.count; ++n) {
    const iterator *i = s->iterators.iterators[n];
    if (!iterator_is_located(i) && subscript_is_constant(&i->at))
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
  return is_consumed_at_top(c->forall) && !walks_to_constants(c);
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
                        tensor, TEXT(variable_name(c)), hint_for_forall(c, assign));
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
  return c->race == CIN_TEMPORARY && is_appended(&how) && is_outermost(c) &&
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
                        tensor, TEXT(variable_name(c)));
  return NULL;
}

/* Whether iterations have no coordinate of the first level in common, and may collect under them at
 * once. */
static bool collects_apart(const safety_check *c, MlirOperation assign,
                           const tensor_format *format) {
  MlirValue first = cin_access_level(c->kernel, assign, &format->levels[0]);
  return !mlirValueIsNull(first) && mlirValueEqual(first, cin_forall_variable(c->forall)) &&
         tensor_format_collects_apart(format);
}

static bool can_share(const safety_check *c, MlirOperation assign, const assembly *how) {
  return tensor_format_builds_in_shares(how->format, (cin_assembly)how->way) &&
         assigns_all(c, assign) &&
         (how->way != ASSEMBLY_COLLECT || collects_apart(c, assign, how->format) ||
          knows_together(c, assign, how->format));
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
                            tensor, words, TEXT(variable_name(c)));
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

/* What threads gather, each in a workspace of its own by the policy: merged when all is there. */
static const char *hazard_of_workspace(const safety_check *c, MlirOperation assign) {
  MlirValue tensor = cin_access_tensor(assign);
  const char *name = cin_tensor_name(c->memory, c->kernel, tensor);
  if (!cin_workspace_policy(c->memory, value_owner(tensor)))
    return arena_format(c->memory, "expected no workspace shared by iterations of '%.*s', found %s",
                        TEXT(variable_name(c)), name);
  if (c->race != CIN_TEMPORARY)
    return arena_format(c->memory,
                        "expected no workspace shared by iterations of '%.*s', found %s (temporary "
                        "has one for each thread)",
                        TEXT(variable_name(c)), name);
  if (!is_in_producer(c, tensor) || !assigns_all(c, assign) || reads_below(c, tensor))
    return arena_format(c->memory,
                        "expected the outermost forall of all that fills %s, which does not read "
                        "it, found '%.*s'",
                        name, TEXT(variable_name(c)));
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
  if (is_appended(&how))
    return hazard_of_pieces(c, assign, format);
  if (assembly_is_in_shares(how.way))
    return hazard_of_shares(c, assign, &how);
  return race_of_assign(c, assign);
}

/* How the result is built that is assigned to below the forall; false where none is. */
static bool assembly_below(const safety_check *c, assembly *how) {
  op_list assigns = ops_below(c->memory, c->forall, cin_is_assign);
  for (int i = 0; i < assigns.count; ++i) {
    MlirValue tensor = cin_access_tensor(assigns.ops[i]);
    if (!mlirValueEqual(tensor, cin_kernel_result(c->kernel)))
      continue;
    const tensor_format *format =
        tensor_format_get(c->memory, mlirValueGetType(tensor), mlirOperationGetLocation(c->forall));
    if (format)
      *how = expected_assembly(c, format);
    return format;
  }
  return false;
}

/* Whether what is below the forall appends to the result, or counts and places. */
static bool is_in_pieces(const safety_check *c) {
  assembly how;
  return assembly_below(c, &how) && (is_appended(&how) || assembly_is_in_shares(how.way));
}

bool parallel_appends(arena *memory, MlirOperation kernel, MlirOperation forall) {
  safety_check c = check_of(memory, NULL, kernel, forall, CIN_NO_RACES);
  assembly how;
  return assembly_below(&c, &how) && is_appended(&how);
}

/* ---- the walk ----------------------------------------------------------------------------- */

typedef struct forall_walk {
  bool walks;          /* the forall walks what levels store, not what another one derives */
  int stored;          /* levels walked that are not full */
  int partial;         /* those of them that cannot be located in */
  const char *repeats; /* the tensor of one that is not unique */
  bool branches;       /* one that is not, with levels below that branch */
  const char *strays;  /* the tensor of one that is not ordered */
} forall_walk;

/* Whether a level of what is accessed holds coordinates that follow from `known`. */
static bool is_walked_at(const safety_check *c, MlirOperation access, const format_level *level,
                         MlirValue known) {
  MlirValue variable = cin_access_level(c->kernel, access, level);
  if (!mlirValueIsNull(variable))
    return mlirValueEqual(variable, known);
  return level->dimension >= 0 && cin_subscript_uses(access, level->dimension, known);
}

/* The levels of `access` that the forall walks to reach the coordinates of `known`. */
static void add_walked_levels(const safety_check *c, MlirOperation access, MlirValue known,
                              forall_walk *found) {
  MlirType type = mlirValueGetType(cin_access_tensor(access));
  const tensor_format *format =
      mlirTypeIsARankedTensor(type)
          ? tensor_format_get(c->memory, type, mlirOperationGetLocation(access))
          : NULL;
  for (int i = 0; format && i < format->level_count; ++i) {
    const format_level *level = &format->levels[i];
    if (!is_walked_at(c, access, level, known) || level->properties & LEVEL_FULL)
      continue;
    ++found->stored;
    found->partial += !(level->format->capabilities & LEVEL_LOCATE);
    found->branches |= tensor_format_level_repeats(format, i);
    if (!(level->properties & LEVEL_ORDERED))
      found->strays = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(access));
    if (!(level->properties & LEVEL_UNIQUE))
      found->repeats = cin_tensor_name(c->memory, c->kernel, cin_access_tensor(access));
  }
}

static forall_walk walked_levels(const safety_check *c) {
  forall_walk found = {0};
  op_list path = cin_path(c->memory, c->forall);
  op_list_add(c->memory, &path, c->forall);
  const MlirValue *bases;
  intptr_t count = provenance_bases(c->graph, cin_forall_variable(c->forall), &bases);
  op_list reads = ops_below(c->memory, c->forall, cin_is_read);
  for (intptr_t n = 0; n < count; ++n) {
    provenance_kind kind = PROVENANCE_COUNT;
    int at = cin_known_at(c->graph, path, bases[n], &kind);
    if (at != path.count - 1 || kind != PROVENANCE_WALK)
      continue;
    found.walks = true;
    for (int i = 0; i < reads.count; ++i)
      add_walked_levels(c, reads.ops[i], bases[n], &found);
  }
  return found;
}

/* The iterators that are walked at `variable`; their number. */
static int find_walked(const kernel_statement *s, MlirValue variable, const iterator **walked) {
  int count = 0;
  for (int n = 0; n < s->iterators.count; ++n) {
    const iterator *i = s->iterators.iterators[n];
    if (!iterator_is_located(i) && mlirValueEqual(subscript_variable(&i->at), variable))
      walked[count++] = i;
  }
  return count;
}

static const index_statement *find_forall(const block *code, MlirOperation forall) {
  const index_statement *found = NULL;
  for (int n = 0; n < code->count && !found; ++n) {
    const index_statement *at = code->statements[n];
    if (mlirOperationEqual(at->op, forall))
      return at;
    found = find_forall(&at->producer, forall);
    if (!found)
      found = find_forall(&at->body, forall);
  }
  return found;
}

/* What a forall visits where nothing around it is absent; NULL where it cannot be told. */
static const merge_lattice *forall_lattice(safety_check *c) {
  const kernel_statement *s = statement_of(c);
  const index_statement *forall = s ? find_forall(&s->body, c->forall) : NULL;
  const MlirValue *bases;
  if (!forall || provenance_bases(c->graph, forall->variable, &bases) != 1)
    return NULL;
  const iterator **walked = ARENA_ARRAY(c->memory, const iterator *, s->iterators.count + 1);
  int count = find_walked(s, bases[0], walked);
  absence nothing = {.memory = c->memory,
                     .statement = s,
                     .iterators = ARENA_ARRAY(c->memory, bool, s->iterators.count + 1),
                     .produced = ARENA_ARRAY(c->memory, bool, s->tensor_count + 1)};
  effects all = block_effects(c->memory, &forall->body);
  const merge_lattice *points =
      merge_lattice_build(&nothing, &all, count, walked, MERGE_LATTICE_MOST_POINTS);
  return points ? points : merge_lattice_of_any(&nothing, &all, count, walked);
}

const merge_lattice *parallel_lattice(arena *memory, provenance *graph, MlirOperation kernel,
                                      MlirOperation forall) {
  safety_check c = check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return forall_lattice(&c);
}

/* Why the iterations cannot be dealt out: several levels are walked, or one and all coordinates. */
static const char *hazard_of_merge(safety_check *c, const forall_walk *found) {
  const merge_lattice *lattice = found->walks ? forall_lattice(c) : NULL;
  if (!lattice)
    return NULL;
  int merged =
      lattice->iterator_count - set_size(merge_lattice_located(c->memory, lattice, set_empty()));
  if (merged > 1)
    return arena_format(c->memory,
                        "expected at most one operand to walk at '%.*s', found %d that are merged "
                        "(split it first)",
                        TEXT(variable_name(c)), merged);
  if (merged && lattice->whole)
    return arena_format(c->memory,
                        "expected one operand to walk at '%.*s', found one that is merged with all "
                        "of its coordinates (split it first)",
                        TEXT(variable_name(c)));
  return NULL;
}

/* A range of coordinates is found in what is in order. */
static const char *hazard_of_ranges(const safety_check *c, const forall_walk *found) {
  return found->strays ? arena_format(c->memory,
                                      "expected ordered coordinates at '%.*s', found that those of "
                                      "%s are in no order",
                                      TEXT(variable_name(c)), found->strays)
                       : NULL;
}

/* Whether what the forall goes over can be dealt out in ranges of coordinates. */
static bool has_ranges(const safety_check *c) {
  return c->unit == CIN_CPU_THREAD || c->unit == CIN_GPU_THREAD;
}

/* Whether an outermost forall merges levels, or walks one that may repeat coordinates, in order. */
static bool is_cut(safety_check *c, const forall_walk *found) {
  bool privately = cin_race_is_private(c->race) && c->unit == CIN_CPU_THREAD;
  bool separate = c->race == CIN_NO_RACES || privately;
  bool outermost = !cin_path(c->memory, c->forall).count && !walks_to_constants(c);
  return separate && outermost && found->walks && !found->strays &&
         (found->repeats || found->partial > 1 || hazard_of_merge(c, found));
}

static bool is_of_positions(const safety_check *c) {
  return provenance_space(c->graph, cin_forall_variable(c->forall)).is_positions;
}

static const char *hazard_of_walk(safety_check *c) {
  forall_walk found = walked_levels(c);
  if (has_ranges(c) && (is_in_pieces(c) || is_cut(c, &found)))
    return hazard_of_ranges(c, &found);
  if (found.partial > 1)
    return arena_format(c->memory,
                        "expected at most one operand to walk at '%.*s', found %d that are merged "
                        "(split it first)",
                        TEXT(variable_name(c)), found.partial);
  const char *hazard = hazard_of_merge(c, &found);
  if (hazard)
    return hazard;
  if (found.repeats &&
      (c->race == CIN_NO_RACES || (cin_unit_is_gpu(c->unit) && !is_of_positions(c))))
    return arena_format(c->memory,
                        "expected unique coordinates at '%.*s', found that %s may repeat them "
                        "(split it first, or use atomics)",
                        TEXT(variable_name(c)), found.repeats);
  return NULL;
}

/* ---- the forall --------------------------------------------------------------------------- */

/* On threads of a CPU: all the others are serial. On a GPU a block is around its warps, a warp
 * around its threads, and serial foralls may be anywhere. */
static bool may_enclose(cin_unit outer, cin_unit inner) {
  return outer == CIN_SERIAL || inner == CIN_SERIAL ||
         (outer == CIN_CPU_THREAD && inner == CIN_CPU_VECTOR) ||
         (cin_unit_is_gpu(outer) && cin_unit_is_gpu(inner) && outer < inner);
}

/* Whether a warp can be cut into as many groups of lanes as the forall has iterations. */
static bool is_over_groups(MlirOperation forall) {
  MlirValue variable = cin_forall_variable(forall);
  MlirOperation split = value_owner(variable);
  return cin_is_split(split) && mlirValueEqual(cin_split_inner(split), variable) &&
         cin_can_be_groups(cin_split_size(split));
}

/* How many foralls on threads of a GPU are around, but for one. */
static int count_threads_around(const safety_check *c, MlirOperation forall, MlirOperation but) {
  op_list path = cin_path(c->memory, forall);
  int count = 0;
  for (int i = 0; i < path.count; ++i)
    count += cin_op_unit(path.ops[i]) == CIN_GPU_THREAD && !mlirOperationEqual(path.ops[i], but);
  return count;
}

/* Whether the outer one is over groups of lanes, the inner one over the lanes of a group; `unit` is
 * the other one's. */
static bool are_groups_and_lanes(const safety_check *c, MlirOperation outer, MlirOperation inner,
                                 cin_unit unit) {
  return c->unit == CIN_GPU_THREAD && unit == CIN_GPU_THREAD && is_over_groups(outer) &&
         !count_threads_around(c, outer, outer) && !count_threads_around(c, inner, outer);
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
        !are_groups_and_lanes(c, path.ops[i], c->forall, cin_op_unit(path.ops[i])))
      return hazard_of_unit(c, path.ops[i], "around");
  op_list below = ops_below(c->memory, c->forall, cin_is_forall);
  for (int i = 0; i < below.count; ++i)
    if (!may_enclose(c->unit, cin_op_unit(below.ops[i])) &&
        !mlirOperationEqual(below.ops[i], c->forall) &&
        !are_groups_and_lanes(c, c->forall, below.ops[i], cin_op_unit(below.ops[i])))
      return hazard_of_unit(c, below.ops[i], "inside");
  return NULL;
}

/* Where a workspace grows, only the host knows where it is. */
static const char *hazard_of_growing(const safety_check *c, MlirValue workspace) {
  MlirOperation made = value_owner(workspace);
  const level_format *policy =
      mlirOperationIsNull(made) ? NULL : cin_workspace_policy(c->memory, made);
  return policy && policy->grows
             ? arena_format(c->memory, "expected workspaces that do not grow, found one kept by %s",
                            policy->policy)
             : NULL;
}

static const char *hazard_of_read(const safety_check *c, MlirOperation read) {
  return hazard_of_growing(c, cin_access_tensor(read));
}

/* Values that a thread of a GPU may have to itself. */
enum { MOST_OWN = 64 };

/* Whether a workspace is dense, and has a few values, which are known to be so many: each thread
 * has its own, in registers where loops over them are unrolled. */
static bool is_small(const safety_check *c, MlirValue workspace) {
  MlirOperation made = value_owner(workspace);
  MlirType type = mlirValueGetType(workspace);
  const tensor_format *format = tensor_format_get(c->memory, type, mlirOperationGetLocation(made));
  int64_t count = 1;
  for (intptr_t d = 0; d < cin_workspace_variable_count(made) && count > 0; ++d) {
    int64_t size = mlirShapedTypeIsDynamicDim(type, d)
                       ? provenance_static_extent(c->graph, cin_workspace_variable(made, d))
                       : mlirShapedTypeGetDimSize(type, d);
    count = size > 0 && size <= MOST_OWN ? count * size : -1;
  }
  return format && tensor_format_is_dense(format) && count > 0 && count <= MOST_OWN;
}

/* What units have for themselves: each thread values, and parts of what was taken before. */
static const char *hazard_of_own(const safety_check *c, MlirOperation where) {
  MlirValue workspace = cin_where_workspace(where);
  if (mlirShapedTypeGetRank(mlirValueGetType(workspace)) == 0 || is_small(c, workspace))
    return NULL;
  return c->unit == CIN_GPU_THREAD
             ? hazard_of_growing(c, workspace)
             : "expected workspaces of at most 64 values inside, of constant sizes, found another "
               "(gpu_thread has such)";
}

static const char *first_hazard(const safety_check *c, op_kind *kind,
                                const char *(*hazard_of)(const safety_check *c, MlirOperation op)) {
  op_list ops = ops_below(c->memory, c->forall, kind);
  const char *hazard = NULL;
  for (int i = 0; i < ops.count && !hazard; ++i)
    hazard = hazard_of(c, ops.ops[i]);
  return hazard;
}

/* Of what stores coordinates threads count and place what is scattered into rows, and what is
 * appended to in order they count, and then append (counted.h). */
static const char *hazard_of_entries(const safety_check *c, const assembly *how) {
  if (how->way == ASSEMBLY_SCATTER && tensor_format_scatters_at_once(how->format))
    return NULL;
  if (!is_appended(how))
    return arena_format(c->memory,
                        "expected a result that is dense, appended to in order, or scattered into "
                        "rows with nothing below, found one that is %s",
                        assembly_words(how->way));
  int level = tensor_format_uncounted_level(how->format);
  return level < 0 ? NULL
                   : arena_format(c->memory,
                                  "expected a result whose entries are counted first, found that "
                                  "level %d is %s",
                                  level, how->format->levels[level].format->name);
}

static const char *hazard_of_result(const safety_check *c) {
  assembly how;
  if (!assembly_below(c, &how) ||
      (how.way == ASSEMBLY_INSERT && tensor_format_no_array_level(how.format) < 0))
    return NULL;
  return c->unit == CIN_GPU_THREAD ? hazard_of_entries(c, &how)
                                   : "expected gpu_thread for a result that stores coordinates";
}

/* What a GPU's threads cannot do. */
static const char *hazard_on_gpu(const safety_check *c) {
  const char *hazard = hazard_of_result(c);
  hazard = hazard ? hazard : first_hazard(c, cin_is_where, hazard_of_own);
  return hazard ? hazard : first_hazard(c, cin_is_read, hazard_of_read);
}

const char *parallel_hazard(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall, cin_unit unit, cin_race race) {
  safety_check c = check_of(memory, graph, kernel, forall, race);
  c.unit = unit;
  const char *hazard = hazard_of_nesting(&c);
  if (!hazard && cin_unit_is_gpu(unit))
    hazard = hazard_on_gpu(&c);
  op_list assigns = ops_below(memory, forall, cin_is_assign);
  for (int i = 0; i < assigns.count && !hazard; ++i)
    hazard = hazard_of_assign(&c, assigns.ops[i]);
  return hazard ? hazard : hazard_of_walk(&c);
}

/* ---- dealing out the iterations ----------------------------------------------------------- */

bool parallel_is_in_ranges(arena *memory, provenance *graph, MlirOperation kernel,
                           MlirOperation forall, cin_race race) {
  safety_check c = check_of(memory, graph, kernel, forall, race);
  forall_walk found = walked_levels(&c);
  return is_in_pieces(&c) || is_cut(&c, &found);
}

/* Whether nothing remains to be computed where the one level that an outermost forall walks has no
 * entry, so that it is walked alone. */
static bool walks_alone(safety_check *c) {
  const merge_lattice *lattice = forall_lattice(c);
  return lattice && !lattice->whole && lattice->iterator_count == 1 && lattice->point_count == 1;
}

bool parallel_is_balanced(arena *memory, provenance *graph, MlirOperation kernel,
                          MlirOperation forall) {
  safety_check c = check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  int partial = walked_levels(&c).partial;
  return partial == 0 || (partial == 1 && walks_alone(&c));
}

bool parallel_is_worthwhile(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall) {
  safety_check c = check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  assembly how;
  if (!assembly_below(&c, &how) || how.way != ASSEMBLY_COLLECT)
    return true;
  bool is_marked = how.format->levels[0].properties & LEVEL_ORDERED;
  return tensor_format_collected_level(how.format) != 0 || !is_marked;
}

bool parallel_reduces_densely(arena *memory, MlirOperation kernel, MlirOperation forall) {
  safety_check c = check_of(memory, NULL, kernel, forall, CIN_TEMPORARY);
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
  safety_check c = check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return walked_levels(&c).stored == 0;
}

bool parallel_walk_repeats(arena *memory, provenance *graph, MlirOperation kernel,
                           MlirOperation forall) {
  safety_check c = check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return walked_levels(&c).repeats != NULL;
}

bool parallel_walk_branches(arena *memory, provenance *graph, MlirOperation kernel,
                            MlirOperation forall) {
  safety_check c = check_of(memory, graph, kernel, forall, CIN_NO_RACES);
  return walked_levels(&c).branches;
}
