/* Reads a command line by the table of a tool's flags. */
#include "flags.h"
#include "complain.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool flags_complain(const flag_table *table, const char *message, const char *what) {
  complain("%s '%s' (%s --help lists the flags)", message, what, table->tool);
  return false;
}

void flags_print(const flag_table *table) {
  for (int i = 0; i < table->count; i++) {
    const flag *f = &table->flags[i];
    printf("  %-12s %-12s  %s\n", f->name, f->argument ? f->argument : "", f->help);
  }
}

bool flags_integer(const char *text, int64_t least, int64_t most, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return isdigit((unsigned char)*text) && !errno && !*end && *value >= least && *value <= most;
}

static bool take_count(const flag *kind, const char *text, int64_t *count) {
  return flags_integer(text, kind->least, kind->most, count) ||
         complain("%s expects an integer from %lld to %lld, found '%s'", kind->name,
                  (long long)kind->least, (long long)kind->most, text);
}

static bool take_binding(const flag_table *table, const flag *kind, const char *text,
                         binding **last) {
  const char *colon = strchr(text, ':');
  if (!colon || colon == text || !colon[1]) {
    complain("%s expects %s, found '%s'", kind->name, kind->argument, text);
    return false;
  }
  while (*last)
    last = &(*last)->next;
  *last = calloc(1, sizeof(binding));
  if (!*last)
    return flags_complain(table, "no memory for", text);
  **last = (binding){kind->name, strndup(text, (size_t)(colon - text)), colon + 1, NULL};
  return (*last)->name || flags_complain(table, "no memory for", text);
}

static bool take(const flag_table *table, const flag *kind, const char *argument, void *options) {
  void *place = (char *)options + kind->offset;
  switch (kind->kind) {
  case FLAG_SET:
    *(bool *)place = true;
    return true;
  case FLAG_TEXT:
    *(const char **)place = argument;
    return true;
  case FLAG_COUNT:
    return take_count(kind, argument, place);
  default:
    return take_binding(table, kind, argument, place);
  }
}

static const flag *find(const flag_table *table, const char *name) {
  for (int i = 0; i < table->count; i++)
    if (!strcmp(table->flags[i].name, name))
      return &table->flags[i];
  return NULL;
}

bool flags_parse(const flag_table *table, int argc, char **argv, void *options,
                 const char **program) {
  *program = NULL;
  for (int i = 1; i < argc; i++) {
    const flag *kind = find(table, argv[i]);
    if (!kind && argv[i][0] == '-' && argv[i][1])
      return flags_complain(table, "unknown flag", argv[i]);
    if (!kind && *program)
      return flags_complain(table, "expected one expression, found another:", argv[i]);
    if (!kind) {
      *program = argv[i];
      continue;
    }
    if (kind->argument && i + 1 == argc)
      return flags_complain(table, "expected an argument after", argv[i]);
    if (!take(table, kind, kind->argument ? argv[++i] : "", options))
      return false;
  }
  return true;
}

const char *binding_value(const binding *list, const char *flag, const char *name) {
  const char *value = NULL;
  for (const binding *b = list; b; b = b->next)
    if (!strcmp(b->flag, flag) && !strcmp(b->name, name))
      value = b->value;
  return value;
}

void bindings_free(binding *list) {
  while (list) {
    binding *next = list->next;
    free(list->name);
    free(list);
    list = next;
  }
}
