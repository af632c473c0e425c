/* schedule_forms.h - foralls over other variables of linear forms, as `reorder` names them. */
#ifndef LACUNA_SCHEDULE_FORMS_H
#define LACUNA_SCHEDULE_FORMS_H

#include "schedule.h"

/* Whether the command may name variables that have no foralls, but may have. */
bool schedule_takes_foralls(const schedule_command *command);

/* Declares the compound subscripts of the kernel that such a command names, if nothing else is
 * called so. */
void schedule_declare_forms(arena *memory, MlirOperation kernel, const schedule_command *command);

/* The variable of a compound subscript of an access, declared if there was none; null where another
 * one has its name. */
MlirValue schedule_form_of(arena *memory, MlirOperation kernel, MlirOperation access,
                           intptr_t dimension);

/* schedule_windows.c: declares the windows of compound subscripts that the command names, if it is
 * a precompute, and whether the variable is one, or a subscript that has one. */
void schedule_declare_windows(arena *memory, MlirOperation kernel, const schedule_command *command);
bool schedule_is_window(const scheduler *s, MlirValue variable);

/* False, after a diagnostic, where a forall over a padded subscript leaves out something. */
bool schedule_check_padded(const scheduler *s);

/* Whether a variable without a forall may be given one: relations to what levels hold, or to a
 * compound subscript, lead to it. */
bool schedule_can_take(const scheduler *s, MlirValue variable);

/* Foralls over all that the command names; false, after a diagnostic, where there can be none. */
bool schedule_take_foralls(scheduler *s);

#endif
