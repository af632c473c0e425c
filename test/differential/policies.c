/* policies.c - policies of workspaces, of those that the compiler knows: built in and loaded. */
#include "maker.h"

#include "level_format.h"

#include <stdio.h>
#include <string.h>

enum { MOST_POLICIES = 32, POLICY_ROOM = 64 };

/* One of them, of the number. */
static const level_format *format_of(uint64_t number) {
  const level_format *known[MOST_POLICIES];
  uint64_t count = 0;
  for (int n = 0; n < level_format_count() && count < MOST_POLICIES; n++)
    if (level_format_at(n)->capabilities & LEVEL_WORKSPACE)
      known[count++] = level_format_at(n);
  return count ? known[number % count] : NULL;
}

/* Of a format's options the one of the number, small, so that what it bounds is soon reached; of
 * two numbers in three none. */
static void add_option(char *text, size_t room, const level_format *format, uint64_t number) {
  enum { LARGEST = 40 };
  int count = level_format_option_count(format);
  if (!count || number % 3)
    return;
  const level_option *option = &format->options[number / 3 % (uint64_t)count];
  uint64_t most = option->most < LARGEST ? (uint64_t)option->most : LARGEST;
  size_t length = strlen(text);
  snprintf(text + length, room - length, ":%s=%d", option->name, (int)(1 + number / 32 % most));
}

static void write_policy(char *text, size_t room, uint64_t number) {
  const level_format *format = format_of(number);
  snprintf(text, room, "%s", format ? level_format_policy(format) : "");
  if (format)
    add_option(text, room, format, number / MOST_POLICIES);
}

void choose_any_policy(test_case *c) {
  if (c->seed % 10 < 3)
    write_policy(c->policies, sizeof c->policies, c->seed / 10);
}

void choose_policies(maker *m) {
  char *text = m->c->policies, one[POLICY_ROOM], other[POLICY_ROOM];
  size_t room = sizeof m->c->policies;
  int kind = pick(m, 8);
  write_policy(one, sizeof one, random_next(&m->random));
  write_policy(other, sizeof other, random_next(&m->random));
  if (kind == 0)
    return;
  if (kind < 6)
    snprintf(text, room, "%s", one);
  else
    snprintf(text, room, "w:%s%s%s", one, kind == 6 ? "," : "", kind == 6 ? other : "");
}
