/* schedule.h - a schedule being applied to a kernel, for the files of its commands.
 *
 * While commands are applied a loop over a collapsed variable is one forall.  In the end, and where
 * somebody looks at what its iterations do, the foralls over the variables collapsed stand around
 * the innermost forall over its parts, so that these are counted on from where a piece begins:
 *
 *     collapse(i,j,f) split(f,f0,f1,8)      forall f0 { forall f1 { s } }
 *     in the end                            forall f0 { forall i { forall f1 { s } } }
 */
#ifndef LACUNA_SCHEDULE_H
#define LACUNA_SCHEDULE_H

#include "op_list.h"
#include "provenance.h"
#include "schedule_parser.h"

typedef struct scheduler {
  arena *memory;
  MlirOperation kernel;
  provenance *graph;
  const schedule_command *command;
  op_list foralls; /* of the kernel */
} scheduler;

/* False, after the command and why at the operation. */
bool schedule_refuse(const scheduler *s, MlirOperation op, const char *why);

/* The variable that the command names in place n, and the foralls over a variable. */
MlirValue schedule_known(const scheduler *s, int n);
op_list schedule_foralls_over(const scheduler *s, MlirValue variable);
/* The only statement in the forall, if it is a forall; null. */
MlirOperation schedule_directly_nested(MlirOperation forall);
/* forall v { s } -> forall outer { forall inner { s } } */
void schedule_nest(MlirOperation forall, MlirValue outer, MlirValue inner);

/* Those over the variable that the command names first; and over a variable as over its parts, of
 * the size that `split` says or, if `up`, so many. */
op_list schedule_commanded(const scheduler *s);
void schedule_split(op_list foralls, MlirOperation split, bool up);

/* schedule_units.c: the commands; false, after a diagnostic, where what runs on threads or lanes
 * cannot as it stands now. */
bool schedule_apply_parallelize(scheduler *s);
bool schedule_apply_unroll(scheduler *s);
bool schedule_apply_strategies(scheduler *s);
bool schedule_check_units(scheduler *s);
/* schedule_collapse.c: the commands; whether the operation has collapsed variables, without foralls
 * of their own, whether it has this one, and that so many of those above, the last ones, are. */
bool schedule_apply_collapse(scheduler *s);
bool schedule_apply_pos(scheduler *s);
bool schedule_apply_coord(scheduler *s);
bool schedule_apply_bound(scheduler *s);
int schedule_collapsed_count(MlirOperation op);
bool schedule_is_collapsed(MlirOperation op, MlirValue variable);
void schedule_set_collapsed(MlirOperation op, int64_t count);
/* schedule_precompute.c: the command; whether the kernel has the value that it names, and why not,
 * false. */
bool schedule_apply_precompute(scheduler *s);
bool schedule_has_value(const scheduler *s);
bool schedule_refuse_value(const scheduler *s);
/* The foralls that go over the variables collapsed are put around the innermost ones over what was
 * made of them; and taken away again. */
op_list schedule_expand(arena *memory, MlirOperation kernel);
void schedule_contract(op_list expanded);
/* Those around these foralls, over a variable that is collapsed or its positions, stay from now on;
 * the outermost ones. */
op_list schedule_expand_over(const scheduler *s, op_list foralls);
/* The schedule ends: they stay. */
void schedule_expand_for_good(arena *memory, MlirOperation kernel);
/* schedule_order.c: floats that threads reduce by atomics come to the same bits on any number of
 * them instead. */
bool schedule_settle_order(arena *memory, MlirOperation kernel);
/* Whether foralls over collapsed variables belong around this one. */
bool schedule_goes_through_collapsed(arena *memory, MlirOperation kernel, MlirOperation forall);

#endif
