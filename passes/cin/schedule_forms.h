/* schedule_forms.h - foralls over other variables of linear forms, as `reorder` names them. */
#ifndef LACUNA_SCHEDULE_FORMS_H
#define LACUNA_SCHEDULE_FORMS_H

#include "schedule.h"

/* Declares the compound subscripts of the kernel that the command names, if it is a reorder and
 * nothing else is called so. */
void schedule_declare_forms(arena *memory, MlirOperation kernel, const schedule_command *command);

/* Whether a variable without a forall may be given one: relations to what levels hold, or to a
 * compound subscript, lead to it. */
bool schedule_can_take(const scheduler *s, MlirValue variable);

/* Foralls over all that the command names; false, after a diagnostic, where there can be none. */
bool schedule_take_foralls(scheduler *s);

#endif
