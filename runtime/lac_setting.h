/* lac_setting.h - inside the runtime: a number, not negative, that a program sets for all of its
 * threads, or else a variable of the environment says, which is read once.
 */
#ifndef LAC_SETTING_H
#define LAC_SETTING_H

#include <stdint.h>

typedef struct lac_setting {
  const char *variable;
  _Atomic int64_t number; /* negative: the variable has not been read */
} lac_setting;

/* A negative number: what the variable says from now on. */
void lac_setting_set(lac_setting *setting, int64_t number);

/* The usual number where nothing has been set, and the variable says no number. */
int64_t lac_setting_get(lac_setting *setting, int64_t usual);

#endif
