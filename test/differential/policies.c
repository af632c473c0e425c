/* policies.c - policies of workspaces, of those that the compiler knows: built in and loaded. */
#include "maker.h"

#include "level_format.h"

#include <stdio.h>

enum { MOST_POLICIES = 32 };

/* One of them, of the number. */
static const char *policy_of(uint64_t number) {
  const char *names[MOST_POLICIES];
  uint64_t count = 0;
  for (int n = 0; n < level_format_count() && count < MOST_POLICIES; n++)
    if (level_format_at(n)->capabilities & LEVEL_WORKSPACE)
      names[count++] = level_format_policy(level_format_at(n));
  return count ? names[number % count] : "";
}

void choose_any_policy(test_case *c) {
  if (c->seed % 10 < 3)
    snprintf(c->policies, sizeof c->policies, "%s", policy_of(c->seed / 10));
}

void choose_policies(maker *m) {
  char *text = m->c->policies;
  size_t room = sizeof m->c->policies;
  int kind = pick(m, 8);
  const char *one = policy_of(random_next(&m->random)), *other = policy_of(random_next(&m->random));
  if (kind == 0)
    return;
  if (kind < 6)
    snprintf(text, room, "%s", one);
  else
    snprintf(text, room, "w:%s%s%s", one, kind == 6 ? "," : "", kind == 6 ? other : "");
}
