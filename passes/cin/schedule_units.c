/* schedule_units.c - the commands of a schedule that say how the iterations of a forall are run:
 * parallelize, unroll, strategies.
 *
 *     forall f { s }  of a collapsed f, on threads   ->   forall f_piece on threads {
 *                                                           forall f_of_piece { s }
 *
 *     the same, that appends to a result             ->   forall i on threads { forall f { s } }
 *
 * since its pieces end where coordinates of the result's first level do: they are cut by what is
 * stored (lower/iterate/cut.c), so that a row that a piece would cut goes on in it to its end.
 *
 * What runs on threads or lanes is looked at again after each later command, in the nest as it will
 * be in the end.  (Senanayake et al. 2020, section 4.2.)
 */
#include "schedule.h"

#include "cin.h"
#include "lane_access.h"
#include "parallel_safety.h"

#include <mlir-c/BuiltinAttributes.h>

/* Into so many a loop is cut whose iterations count on from each other. */
enum { PIECES = 256 };

/* The foralls that threads share: of collapsed variables, whose coordinates are found at the begin
 * of a piece and counted on, those over pieces. */
static op_list pieces_of(scheduler *s, op_list foralls) {
  if (!foralls.count || !schedule_goes_through_collapsed(s->memory, s->kernel, foralls.ops[0]))
    return foralls;
  MlirValue variable = schedule_known(s, 0);
  if (schedule_collapsed_count(value_owner(variable)) &&
      parallel_appends(s->memory, s->kernel, foralls.ops[0]))
    return schedule_expand_over(s, foralls);
  const char *piece = cin_new_name(s->memory, s->kernel, variable, "_piece");
  const char *within = cin_new_name(s->memory, s->kernel, variable, "_of_piece");
  schedule_split(foralls, cin_declare_split(s->kernel, variable, PIECES, piece, within), true);
  return foralls;
}

/* In the nest as it will be in the end. */
static const char *hazard_in(scheduler *s, provenance *graph, MlirOperation forall, cin_unit unit,
                             cin_race race) {
  return unit == CIN_CPU_VECTOR ? lanes_hazard(s->memory, graph, s->kernel, forall, race)
                                : parallel_hazard(s->memory, graph, s->kernel, forall, unit, race);
}

static const char *hazard_of(scheduler *s, MlirOperation forall, cin_race race) {
  op_list expanded = schedule_expand(s->memory, s->kernel);
  provenance *graph = provenance_create(s->memory, s->kernel);
  const char *hazard = graph ? hazard_in(s, graph, forall, s->command->unit, race)
                             : "expected relations that have a meaning";
  schedule_contract(expanded);
  return hazard;
}

bool schedule_apply_parallelize(scheduler *s) {
  const schedule_command *c = s->command;
  op_list foralls = schedule_commanded(s);
  if (c->unit == CIN_CPU_THREAD)
    foralls = pieces_of(s, foralls);
  for (int i = 0; i < foralls.count; ++i) {
    if (cin_forall_is_unrolled(foralls.ops[i]))
      return schedule_refuse(
          s, foralls.ops[i],
          arena_format(s->memory,
                       "expected a forall that is not unrolled, found '%s' unrolled by %lld",
                       c->known[0], (long long)op_integer(foralls.ops[i], "unroll", 1)));
    cin_race race = c->race_is_open ? lanes_race(s->memory, s->graph, foralls.ops[i]) : c->race;
    const char *hazard = hazard_of(s, foralls.ops[i], race);
    if (hazard)
      return schedule_refuse(s, foralls.ops[i], hazard);
    cin_op_set_parallel(foralls.ops[i], c->unit, race);
  }
  return true;
}

/* LLVM unrolls loops up to some size only. */
enum { MOST_UNROLLED = 256 };

bool schedule_apply_unroll(scheduler *s) {
  MlirContext context = mlirOperationGetContext(s->kernel);
  op_list foralls = schedule_commanded(s);
  if (s->command->number > MOST_UNROLLED)
    return schedule_refuse(s, s->kernel,
                           arena_format(s->memory, "expected a factor of at most %d, found %lld",
                                        MOST_UNROLLED, (long long)s->command->number));
  for (int i = 0; i < foralls.count; ++i)
    if (cin_op_unit(foralls.ops[i]) != CIN_SERIAL)
      return schedule_refuse(s, foralls.ops[i],
                             arena_format(s->memory, "expected a serial forall, found one on %s",
                                          cin_unit_name(cin_op_unit(foralls.ops[i]))));
  for (int i = 0; i < foralls.count; ++i)
    op_set(foralls.ops[i], "unroll", integer_attribute(context, s->command->number));
  return true;
}

/* Which there are and what their numbers may be says the target that the kernel is lowered for. */
bool schedule_apply_strategies(scheduler *s) {
  const schedule_command *c = s->command;
  MlirContext context = mlirOperationGetContext(s->kernel);
  op_list foralls = schedule_commanded(s);
  MlirNamedAttribute *all = ARENA_ARRAY(s->memory, MlirNamedAttribute, c->strategy_count + 1);
  for (int i = 0; i < c->strategy_count; ++i) {
    const schedule_strategy *told = &c->strategies[i];
    all[i] = mlirNamedAttributeGet(
        mlirIdentifierGet(context, mlirStringRefCreateFromCString(told->name)),
        told->number ? integer_attribute(context, told->number) : mlirUnitAttrGet(context));
  }
  for (int i = 0; i < foralls.count; ++i)
    op_set(foralls.ops[i], "strategies", mlirDictionaryAttrGet(context, c->strategy_count, all));
  return true;
}

bool schedule_check_units(scheduler *s) {
  op_list foralls = ops_below(s->memory, s->kernel, cin_is_forall);
  for (int i = 0; i < foralls.count; ++i) {
    MlirOperation forall = foralls.ops[i];
    cin_unit unit = cin_op_unit(forall);
    const char *hazard =
        unit == CIN_SERIAL ? NULL : hazard_in(s, s->graph, forall, unit, cin_op_race(forall));
    if (hazard)
      return schedule_refuse(s, forall,
                             arena_format(s->memory, "the forall over '%.*s' is on %s: %s",
                                          TEXT(provenance_name(cin_forall_variable(forall))),
                                          cin_unit_name(unit), hazard));
  }
  return true;
}
