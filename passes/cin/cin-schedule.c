/* cin-schedule.c - applies a schedule given as text to the kernels of a module.
 *
 *     split(i, i0, i1, 32)      forall i { s }           ->  forall i0 { forall i1 { s } }
 *     pos(j, p, A)              forall j { s }           ->  forall p { s }
 *     reorder(k, i, j)          forall i { j { k { s }}} ->  forall k { i { j { s }}}
 *     parallelize(i, u, r)      forall i { s }           ->  forall i on u r { s }
 *     unroll(i, 4)              forall i { s }           ->  forall i unroll 4 { s }
 *     strategies(i, lanes=4)    forall i { s }           ->  forall i strategies {lanes = 4} { s }
 *     precompute(e, i, iw, w)   forall i { s of e }      ->  where { forall i { s of w } }
 *                                                            producing w { forall iw { w = e } }
 *
 * What `reorder` names is marked `fixed`: those foralls keep their order among each other, whatever
 * else is made of the nest (cin-vectorize, cin-tile).
 *
 * A command applies to each kernel that has all the variables that it names, and that somebody
 * wrote: conversions of operands have names of their own.  Where the foralls then go against the
 * order in which a tensor is stored, it is converted (cin-insert-conversions), but for one whose
 * positions are gone through.  (Senanayake et al. 2020, section 4.)
 */
#include "access_order.h"
#include "bridge.h"
#include "cin.h"
#include "error_heading.h"
#include "nearest.h"
#include "schedule_forms.h"

#include <mlir-c/BuiltinAttributes.h>

#include <string.h>

typedef bool apply_command(scheduler *s);

bool schedule_refuse(const scheduler *s, MlirOperation op, const char *why) {
  return error_at(op, "'%s': %s", s->command->text, why);
}

static bool refuse(const scheduler *s, MlirOperation op, const char *why) {
  return schedule_refuse(s, op, why);
}

MlirValue schedule_known(const scheduler *s, int n) {
  return cin_kernel_variable(s->kernel, s->command->known[n]);
}

/* ---- variables -------------------------------------------------------------------------- */

/* Whether some forall ranges over the variable, or ranged over it before others were derived. */
static bool has_loop(arena *memory, MlirOperation kernel, MlirValue variable) {
  op_list foralls = ops_below(memory, kernel, cin_is_forall);
  for (OPERATIONS(op, op_block(kernel, 0)))
    if ((!cin_is_index(op) && !cin_is_remap(op) && mlirOperationGetNumResults(op) &&
         cinTypeIsAIndexVariable(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), variable)) ||
        schedule_is_collapsed(op, variable))
      return true;
  for (int i = 0; i < foralls.count; ++i)
    if (mlirValueEqual(cin_forall_variable(foralls.ops[i]), variable))
      return true;
  return false;
}

static bool names_variables(MlirOperation kernel, const schedule_command *command) {
  for (int i = 0; i < command->known_count; ++i)
    if (mlirValueIsNull(cin_kernel_variable(kernel, command->known[i])))
      return false;
  return true;
}

/* Whether levels hold an expression of the variable: others have foralls in its place. */
static bool is_remapped(MlirOperation kernel, MlirValue variable) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    for (intptr_t i = 0; cin_is_remap(op) && i < cin_remap_variable_count(op); ++i)
      if (mlirValueEqual(cin_remap_variable(op, i), variable))
        return true;
  return false;
}

/* What is listed for a workspace may be gone through by others; what is reordered, in place of
 * such. */
static bool can_name(const scheduler *s, MlirValue variable) {
  return has_loop(s->memory, s->kernel, variable) || schedule_can_take(s, variable) ||
         schedule_is_window(s, variable) ||
         (s->command->kind == SCHEDULE_PRECOMPUTE && is_remapped(s->kernel, variable));
}

static bool has_loops(const scheduler *s) {
  for (int i = 0; i < s->command->known_count; ++i)
    if (!can_name(s, cin_kernel_variable(s->kernel, s->command->known[i])))
      return false;
  return true;
}

static const char *known_variables(arena *memory, MlirOperation kernel) {
  const char *names = "";
  for (OPERATIONS(op, op_block(kernel, 0)))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue v = mlirOperationGetResult(op, i);
      if (cinTypeIsAIndexVariable(mlirValueGetType(v)))
        names =
            arena_format(memory, "%s%s%.*s", names, *names ? ", " : "", TEXT(provenance_name(v)));
    }
  return names;
}

/* Whether others stand in the place of the variable. */
static bool is_gone(const scheduler *s, MlirValue variable) {
  bool collapsed = false;
  for (OPERATIONS(op, op_block(s->kernel, 0)))
    collapsed |= schedule_is_collapsed(op, variable);
  return collapsed || provenance_is_consumed(s->graph, variable);
}

static bool check_loops_remain(const scheduler *s) {
  for (int i = 0; i < s->command->known_count; ++i)
    if (is_gone(s, schedule_known(s, i)))
      return refuse(s, s->kernel,
                    arena_format(s->memory,
                                 "expected a variable with a forall, found '%s', from "
                                 "which others were derived",
                                 s->command->known[i]));
  return true;
}

static bool check_new_names(const scheduler *s) {
  const schedule_command *c = s->command;
  for (int i = 0; i < c->made_count; ++i) {
    bool taken = !mlirValueIsNull(cin_kernel_variable(s->kernel, c->made[i]));
    for (int j = 0; j < i; ++j)
      taken |= strcmp(c->made[i], c->made[j]) == 0;
    if (taken)
      return refuse(s, s->kernel,
                    arena_format(s->memory, "expected a new name, found '%s' twice", c->made[i]));
  }
  return true;
}

op_list schedule_foralls_over(const scheduler *s, MlirValue variable) {
  op_list found = {0};
  for (int i = 0; i < s->foralls.count; ++i)
    if (mlirValueEqual(cin_forall_variable(s->foralls.ops[i]), variable))
      op_list_add(s->memory, &found, s->foralls.ops[i]);
  return found;
}

op_list schedule_commanded(const scheduler *s) {
  return schedule_foralls_over(s, schedule_known(s, 0));
}

/* ---- split ------------------------------------------------------------------------------ */

void schedule_nest(MlirOperation forall, MlirValue outer, MlirValue inner) {
  MlirOperation nested = cin_forall_create(mlirOperationGetLocation(forall), inner);
  move_statements(cin_forall_body(forall), cin_forall_body(nested));
  mlirBlockAppendOwnedOperation(cin_forall_body(forall), nested);
  cin_forall_set_variable(forall, outer);
  if (cin_forall_is_fixed(forall))
    cin_forall_fix(nested);
}

/* Foralls over a variable as foralls over its parts: of `size` each or, if `up`, as many. */
void schedule_split(op_list foralls, MlirOperation split, bool up) {
  if (up)
    op_set(split, "up", mlirUnitAttrGet(mlirOperationGetContext(split)));
  for (int i = 0; i < foralls.count; ++i)
    schedule_nest(foralls.ops[i], cin_split_outer(split), cin_split_inner(split));
}

/* What was said of iterations of a variable is not said of pieces of it. */
static bool check_plain(const scheduler *s, op_list foralls) {
  for (int i = 0; i < foralls.count; ++i) {
    if (cin_op_unit(foralls.ops[i]) == CIN_CPU_VECTOR)
      return refuse(s, foralls.ops[i],
                    arena_format(s->memory,
                                 "expected a forall that is not on lanes (put a part on them), "
                                 "found '%s' on cpu_vector",
                                 s->command->known[0]));
    if (cin_forall_is_unrolled(foralls.ops[i]))
      return refuse(s, foralls.ops[i],
                    arena_format(s->memory,
                                 "expected a forall that is not unrolled (unroll a part), found "
                                 "'%s' unrolled by %lld",
                                 s->command->known[0],
                                 (long long)op_integer(foralls.ops[i], "unroll", 1)));
  }
  return true;
}

static bool split_commanded(scheduler *s, bool up) {
  const schedule_command *c = s->command;
  if (!check_plain(s, schedule_commanded(s)))
    return false;
  MlirOperation split =
      cin_declare_split(s->kernel, schedule_known(s, 0), c->number, c->made[0], c->made[1]);
  schedule_split(schedule_commanded(s), split, up);
  return true;
}

static bool apply_split(scheduler *s) {
  return split_commanded(s, false);
}

static bool apply_split_up(scheduler *s) {
  return split_commanded(s, true);
}

/* ---- reorder ---------------------------------------------------------------------------- */

static int place_in_command(const scheduler *s, MlirOperation forall) {
  if (!cin_is_forall(forall))
    return -1;
  for (int i = 0; i < s->command->known_count; ++i)
    if (text_is(provenance_name(cin_forall_variable(forall)), s->command->known[i]))
      return i;
  return -1;
}

MlirOperation schedule_directly_nested(MlirOperation forall) {
  MlirOperation first = mlirBlockGetFirstOperation(cin_forall_body(forall));
  bool alone =
      !mlirOperationIsNull(first) && mlirOperationIsNull(mlirOperationGetNextInBlock(first));
  return alone && cin_is_forall(first) ? first : (MlirOperation){NULL};
}

/* What makes a forall what it is, to be moved to another place of the nest. */
typedef struct forall_head {
  MlirValue variable;
  cin_unit unit;
  cin_race race;
  MlirAttribute unroll, strategies;
} forall_head;

static forall_head head_of(MlirOperation forall) {
  return (forall_head){cin_forall_variable(forall), cin_op_unit(forall), cin_op_race(forall),
                       op_attribute(forall, "unroll"), op_attribute(forall, "strategies")};
}

/* Null takes it away. */
static void set_or_remove(MlirOperation op, const char *name, MlirAttribute attribute) {
  if (!mlirAttributeIsNull(attribute))
    op_set(op, name, attribute);
  else
    mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString(name));
}

static void set_head(MlirOperation forall, forall_head head) {
  cin_forall_set_variable(forall, head.variable);
  cin_op_set_parallel(forall, head.unit, head.race);
  set_or_remove(forall, "unroll", head.unroll);
  set_or_remove(forall, "strategies", head.strategies);
}

static bool check_distinct(const scheduler *s) {
  for (int i = 0; i < s->command->known_count; ++i)
    for (int j = 0; j < i; ++j)
      if (strcmp(s->command->known[i], s->command->known[j]) == 0)
        return refuse(s, s->kernel,
                      arena_format(s->memory, "expected distinct variables, found '%s' twice",
                                   s->command->known[i]));
  return true;
}

static bool refuse_nest(const scheduler *s, MlirOperation forall, MlirOperation nested) {
  const char *found =
      mlirOperationIsNull(nested)
          ? "no forall alone"
          : arena_format(s->memory, "'%.*s'", TEXT(provenance_name(cin_forall_variable(nested))));
  return refuse(s, forall,
                arena_format(s->memory,
                             "expected another of its variables directly nested in the forall over "
                             "'%.*s', found %s",
                             TEXT(provenance_name(cin_forall_variable(forall))), found));
}

/* Reorders the nest that starts at `outermost`. */
static bool reorder_nest(const scheduler *s, MlirOperation outermost) {
  int count = s->command->known_count;
  forall_head *heads = ARENA_ARRAY(s->memory, forall_head, count);
  MlirOperation forall = outermost;
  for (int i = 0; i < count; ++i) {
    forall_head *head = &heads[place_in_command(s, forall)];
    if (!mlirValueIsNull(head->variable))
      return refuse(s, forall, "expected a variable once in the nest, found it twice");
    *head = head_of(forall);
    MlirOperation nested = schedule_directly_nested(forall);
    if (i < count - 1 && place_in_command(s, nested) < 0)
      return refuse_nest(s, forall, nested);
    forall = i < count - 1 ? nested : outermost;
  }
  for (int i = 0; i < count; ++i, forall = schedule_directly_nested(forall)) {
    set_head(forall, heads[i]);
    cin_forall_fix(forall);
  }
  return true;
}

static bool apply_reorder(scheduler *s) {
  if (!check_distinct(s))
    return false;
  op_list starts = {0};
  for (int i = 0; i < s->foralls.count; ++i) {
    MlirOperation forall = s->foralls.ops[i];
    if (place_in_command(s, forall) >= 0 &&
        place_in_command(s, mlirOperationGetParentOperation(forall)) < 0)
      op_list_add(s->memory, &starts, forall);
  }
  for (int i = 0; i < starts.count; ++i)
    if (!reorder_nest(s, starts.ops[i]))
      return false;
  return true;
}

/* ---- the schedule ----------------------------------------------------------------------- */

static apply_command *const applications[] = {
    [SCHEDULE_REORDER] = apply_reorder,
    [SCHEDULE_SPLIT] = apply_split,
    [SCHEDULE_POS] = schedule_apply_pos,
    [SCHEDULE_PARALLELIZE] = schedule_apply_parallelize,
    [SCHEDULE_UNROLL] = schedule_apply_unroll,
    [SCHEDULE_SPLIT_UP] = apply_split_up,
    [SCHEDULE_COLLAPSE] = schedule_apply_collapse,
    [SCHEDULE_COORD] = schedule_apply_coord,
    [SCHEDULE_PRECOMPUTE] = schedule_apply_precompute,
    [SCHEDULE_BOUND] = schedule_apply_bound,
    [SCHEDULE_STRATEGIES] = schedule_apply_strategies,
};

/* A read against whose levels the foralls go; false after a diagnostic where they do. */
static bool check_read(const scheduler *s, MlirOperation read) {
  access_order order;
  int above, level;
  MlirType type = mlirValueGetType(cin_access_tensor(read));
  if (!access_order_read(s->memory, s->graph, s->kernel, read, type, &order))
    return false;
  if ((level = access_order_fault(&order, &above)) < 0)
    return true;
  MlirOperation forall = order.path.ops[order.known_at[level]];
  const char *name = order.format->levels[level].format->name;
  const char *wanted =
      above < 0
          ? arena_format(s->memory,
                         "expected ascending coordinates at level %d (%s), found strides", level,
                         name)
          : arena_format(s->memory, "expected level %d outside level %d (%s)", above, level, name);
  return refuse(
      s, forall,
      arena_format(s->memory, "the forall over '%.*s' is against the level order of %s: %s",
                   TEXT(provenance_name(cin_forall_variable(forall))),
                   cin_tensor_name(s->memory, s->kernel, cin_access_tensor(read)), wanted));
}

/* An operand whose positions are gone through stays as it is stored. */
static bool check_positions(const scheduler *s, MlirOperation pos) {
  op_list reads = ops_below(s->memory, s->kernel, cin_is_read);
  for (int i = 0; i < reads.count; ++i)
    if (mlirValueEqual(cin_access_tensor(reads.ops[i]), cin_pos_tensor(pos)) &&
        !check_read(s, reads.ops[i]))
      return false;
  return true;
}

/* Whether the relations are ones that have a meaning, positions are gone through in order, and what
 * runs on threads or lanes still can. */
static bool check_relations(scheduler *s) {
  op_list expanded = schedule_expand(s->memory, s->kernel);
  s->graph = provenance_create(s->memory, s->kernel);
  bool good = s->graph;
  for (OPERATIONS(op, op_block(s->kernel, 0)))
    good = good && (!cin_is_pos(op) || check_positions(s, op));
  good = good && schedule_check_units(s);
  schedule_contract(expanded);
  return good;
}

/* Of a kernel: the commands applied to it, kept where one of them makes a workspace, as the loops
 * alone do not tell them any more (explain_schedule.c). */
static const char commands_attribute[] = "commands";

static void note_command(const scheduler *s) {
  MlirContext context = mlirOperationGetContext(s->kernel);
  bool first = !op_has(s->kernel, commands_attribute);
  MlirStringRef before = first ? (MlirStringRef){"", 0} : op_text(s->kernel, commands_attribute);
  const char *all =
      arena_format(s->memory, "%.*s%s%s", TEXT(before), first ? "" : " ", s->command->text);
  op_set(s->kernel, commands_attribute,
         text_attribute(context, mlirStringRefCreateFromCString(all)));
}

static bool has_named_workspace(MlirOperation kernel) {
  for (OPERATIONS(op, op_block(kernel, 0)))
    if (cin_is_workspace(op) && op_has(op, "name"))
      return true;
  return false;
}

/* What precompute makes may have the name that it has. */
static bool names_its_own(const scheduler *s) {
  return s->command->kind == SCHEDULE_PRECOMPUTE;
}

static bool take_foralls(scheduler *s) {
  return !schedule_takes_foralls(s->command) || schedule_take_foralls(s);
}

static bool apply_command_to_kernel(scheduler *s) {
  s->graph = provenance_create(s->memory, s->kernel);
  s->foralls = ops_below(s->memory, s->kernel, cin_is_forall);
  return s->graph && check_loops_remain(s) && (names_its_own(s) || check_new_names(s)) &&
         take_foralls(s) && applications[s->command->kind](s) && check_relations(s);
}

/* What relations say that they want is said of the command that made them. */
static bool apply_to_kernel(scheduler *s) {
  held_errors held;
  errors_begin(&held, s->memory, mlirOperationGetContext(s->kernel));
  bool applied = apply_command_to_kernel(s);
  errors_end(&held, arena_format(s->memory, "'%s'", s->command->text));
  if (applied)
    note_command(s);
  return applied;
}

static int count_known(const schedule_command *command, MlirOperation kernel) {
  int known = 0;
  for (int i = 0; i < command->known_count; ++i)
    known += !mlirValueIsNull(cin_kernel_variable(kernel, command->known[i]));
  return known;
}

/* The first of those that have most of the variables. */
static MlirOperation kernel_meant(const scheduler *s, op_list kernels) {
  MlirOperation meant = kernels.ops[0];
  for (int i = 1; i < kernels.count; ++i)
    if (count_known(s->command, kernels.ops[i]) > count_known(s->command, meant))
      meant = kernels.ops[i];
  return meant;
}

static const char *result_name(const scheduler *s, MlirOperation kernel) {
  return cin_tensor_name(s->memory, kernel, cin_kernel_result(kernel));
}

/* "; 's' has k": the variables of the statements beside the one that is meant. */
static const char *variables_beside(const scheduler *s, op_list kernels, MlirOperation meant,
                                    nearest *near) {
  const char *text = "";
  for (int i = 0; i < kernels.count; ++i) {
    const char *known = known_variables(s->memory, kernels.ops[i]);
    if (*known && !mlirOperationEqual(kernels.ops[i], meant))
      text = arena_format(s->memory, "%s; %s has %s", text, result_name(s, kernels.ops[i]), known);
    nearest_offer_words(near, known);
  }
  return text;
}

static bool refuse_unknown(scheduler *s, op_list kernels, MlirOperation kernel, const char *name) {
  const char *known = known_variables(s->memory, kernel);
  nearest near = nearest_to(name);
  const char *beside = variables_beside(s, kernels, kernel, &near);
  const char *place = kernels.count == 1 ? "here"
                                         : arena_format(s->memory, "in the statement of %s",
                                                        result_name(s, kernel));
  return refuse(s, kernel,
                arena_format(s->memory, "no variable '%s' %s: expected %s%s%s%s", name, place,
                             *known ? "one of " : "none", known, beside, nearest_hint(&near)));
}

static bool no_kernel_matches(scheduler *s, op_list kernels) {
  MlirOperation kernel = kernel_meant(s, kernels);
  for (int i = 0; i < s->command->known_count; ++i) {
    const char *name = s->command->known[i];
    MlirValue variable = cin_kernel_variable(kernel, name);
    if (mlirValueIsNull(variable))
      return refuse_unknown(s, kernels, kernel, name);
    s->kernel = kernel;
    if (!can_name(s, variable))
      return refuse(s, kernel,
                    arena_format(s->memory,
                                 "expected a variable with a forall, found '%s', which follows "
                                 "from others",
                                 name));
  }
  s->kernel = kernel;
  return schedule_refuse_value(s);
}

static const char *bare_result_name(const scheduler *s, MlirOperation kernel) {
  return cin_tensor_bare_name(s->memory, kernel, cin_kernel_result(kernel));
}

/* Of the kernels, those that the command is for by their result. */
static op_list kernels_named(const scheduler *s, op_list kernels) {
  const char *result = s->command->result;
  op_list named = {0};
  for (int i = 0; i < kernels.count; ++i)
    if (!result || !strcmp(result, bare_result_name(s, kernels.ops[i])))
      op_list_add(s->memory, &named, kernels.ops[i]);
  return named;
}

static bool no_kernel_named(const scheduler *s, op_list kernels) {
  nearest near = nearest_to(s->command->result);
  const char *known = bare_result_name(s, kernels.ops[0]);
  for (int i = 1; i < kernels.count; ++i)
    known = arena_format(s->memory, "%s, %s", known, bare_result_name(s, kernels.ops[i]));
  nearest_offer_words(&near, known);
  return refuse(s, kernels.ops[0],
                arena_format(s->memory, "expected one of the results %s, found '%s'%s", known,
                             s->command->result, nearest_hint(&near)));
}

/* Whether the command is for the kernel: it has the variables, and the value where one is named. */
static bool is_meant(const scheduler *s) {
  return names_variables(s->kernel, s->command) && has_loops(s) &&
         (!s->command->value || schedule_has_value(s));
}

static bool apply_to_kernels(scheduler *s, op_list all) {
  op_list kernels = kernels_named(s, all);
  bool applied = false;
  if (!kernels.count)
    return no_kernel_named(s, all);
  for (int i = 0; i < kernels.count; ++i) {
    s->kernel = kernels.ops[i];
    schedule_declare_forms(s->memory, s->kernel, s->command);
    schedule_declare_windows(s->memory, s->kernel, s->command);
    if (!is_meant(s))
      continue;
    applied = true;
    if (!apply_to_kernel(s))
      return false;
  }
  return applied || no_kernel_matches(s, kernels);
}

/* Of a kernel: its own commands, applied before those that are for all. */
static const char schedule_attribute[] = "schedule";

/* Those of statements that somebody wrote. */
static op_list written_kernels(arena *memory, MlirOperation module) {
  op_list all = ops_below(memory, module, cin_is_kernel), written = {0};
  for (int i = 0; i < all.count; ++i)
    if (!op_has(all.ops[i], "conversion"))
      op_list_add(memory, &written, all.ops[i]);
  return written;
}

/* The commands of `text`, said at an operation, for these kernels. */
static bool apply_text(arena *memory, MlirOperation at, op_list kernels, const char *text) {
  schedule parsed;
  if (!schedule_parse(memory, text, &parsed))
    return error_at(at, "schedule: %s", parsed.error);
  if (parsed.count && !kernels.count)
    return error_at(at, "'%s': expected a cin.kernel to apply it to, found none",
                    parsed.commands[0].text);
  for (int i = 0; i < parsed.count; ++i) {
    scheduler s = {.memory = memory, .command = &parsed.commands[i]};
    if (!apply_to_kernels(&s, kernels))
      return false;
  }
  return true;
}

/* Those that have the same schedule as `first`, of which it is taken: what one statement has become
 * are several. */
static op_list take_scheduled(arena *memory, op_list kernels, MlirOperation first) {
  op_list taken = {0};
  MlirAttribute told = op_attribute(first, schedule_attribute);
  for (int i = 0; i < kernels.count; ++i)
    if (op_has(kernels.ops[i], schedule_attribute) &&
        mlirAttributeEqual(op_attribute(kernels.ops[i], schedule_attribute), told))
      op_list_add(memory, &taken, kernels.ops[i]);
  for (int i = 0; i < taken.count; ++i)
    mlirOperationRemoveAttributeByName(taken.ops[i],
                                       mlirStringRefCreateFromCString(schedule_attribute));
  return taken;
}

/* What kernels say of themselves. */
static bool apply_told(arena *memory, op_list kernels) {
  for (int i = 0; i < kernels.count; ++i) {
    if (!op_has(kernels.ops[i], schedule_attribute))
      continue;
    MlirStringRef told = mlirStringAttrGetValue(op_attribute(kernels.ops[i], schedule_attribute));
    const char *text = arena_text(memory, told.data, told.length);
    if (!apply_text(memory, kernels.ops[i], take_scheduled(memory, kernels, kernels.ops[i]), text))
      return false;
  }
  return true;
}

/* Of a kernel: commands that were estimated to be worth it, for a CPU and for a GPU; and that they
 * have been applied. */
static const char proposal_attribute[] = "proposal", gpu_proposal_attribute[] = "gpu_proposal",
                  proposed_attribute[] = "proposed";

/* Commands tried on a copy of the kernel; null where they cannot be applied. */
static MlirOperation apply_to_copy(arena *memory, MlirOperation kernel, const char *text) {
  held_errors held;
  MlirOperation copy = mlirOperationClone(kernel);
  op_list kernels = {0};
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(kernel), kernel, copy);
  op_list_add(memory, &kernels, copy);
  errors_begin(&held, memory, mlirOperationGetContext(kernel));
  bool applied = apply_text(memory, copy, kernels, text);
  errors_drop(&held);
  if (applied)
    return copy;
  mlirOperationDestroy(copy);
  return (MlirOperation){NULL};
}

/* The text of an attribute, which is gone then; NULL for none. */
static const char *take_text(arena *memory, MlirOperation kernel, const char *attribute) {
  if (!op_has(kernel, attribute))
    return NULL;
  MlirStringRef text = op_text(kernel, attribute);
  const char *copy = arena_text(memory, text.data, text.length);
  mlirOperationRemoveAttributeByName(kernel, mlirStringRefCreateFromCString(attribute));
  return copy;
}

/* What is proposed for "cpu" or "gpu" is done where it can be. */
static MlirOperation take_proposal(arena *memory, MlirOperation kernel, const char *processor) {
  const char *on_cpu = take_text(memory, kernel, proposal_attribute);
  const char *on_gpu = take_text(memory, kernel, gpu_proposal_attribute);
  const char *commands = !strcmp(processor, "cpu")   ? on_cpu
                         : !strcmp(processor, "gpu") ? on_gpu
                                                     : NULL;
  MlirOperation copy = commands ? apply_to_copy(memory, kernel, commands) : (MlirOperation){NULL};
  if (mlirOperationIsNull(copy))
    return kernel;
  op_set(copy, proposed_attribute, mlirUnitAttrGet(mlirOperationGetContext(copy)));
  replace_operation(kernel, mlirOperationGetResult(copy, 0));
  return copy;
}

static bool apply_schedule(arena *memory, MlirOperation module, const char *text,
                           const char *proposals) {
  op_list kernels = written_kernels(memory, module);
  for (int i = 0; i < kernels.count; ++i)
    kernels.ops[i] = take_proposal(memory, kernels.ops[i], *text ? "" : proposals);
  if (!apply_told(memory, kernels) || !apply_text(memory, module, kernels, text))
    return false;
  for (int i = 0; i < kernels.count; ++i) {
    schedule_expand_for_good(memory, kernels.ops[i]);
    if (!has_named_workspace(kernels.ops[i]))
      mlirOperationRemoveAttributeByName(kernels.ops[i],
                                         mlirStringRefCreateFromCString(commands_attribute));
  }
  return true;
}

static bool settle_orders(arena *memory, MlirOperation module) {
  op_list kernels = ops_below(memory, module, cin_is_kernel);
  bool settled = true;
  for (int i = 0; i < kernels.count && settled; ++i)
    settled = schedule_settle_order(memory, kernels.ops[i]);
  return settled;
}

int cin_schedule_run(MlirOperation module, const struct cin_schedule_options *options) {
  arena *memory = arena_create();
  bool applied = apply_schedule(memory, module, options->schedule, options->proposals) &&
                 (!options->deterministic || settle_orders(memory, module));
  arena_free(memory);
  return !applied;
}
