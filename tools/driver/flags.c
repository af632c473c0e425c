/* Reads a command line by the table of a tool's flags. */
#include "flags.h"
#include "complain.h"
#include "level_format.h"
#include "nearest.h"
#include "whole_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool flags_complain(const flag_table *table, const char *message, const char *what) {
  complain("%s '%s' (%s --help lists the flags)", message, what, table->tool);
  return false;
}

bool flags_complain_unknown(const flag_table *table, const char *word) {
  char name[NEAREST_LENGTH + 1];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  nearest near = nearest_to(name);
  for (int i = 0; i < table->count; i++)
    nearest_offer(&near, table->flags[i].name);
  return complain("unknown flag '%s' (%s --help lists the flags)%s", word, table->tool,
                  nearest_hint(&near));
}

static int length_of(const flag *f) {
  return (int)(strlen(f->name) + (f->argument ? strlen(f->argument) + 1 : 0));
}

void flags_print(const flag_table *table) {
  int widest = 0;
  for (int i = 0; i < table->count; i++)
    if (length_of(&table->flags[i]) > widest)
      widest = length_of(&table->flags[i]);
  for (int i = 0; i < table->count; i++) {
    const flag *f = &table->flags[i];
    printf("  %s %s%*s  %s\n", f->name, f->argument ? f->argument : "",
           widest - length_of(f) - !f->argument + 1, "", f->help);
  }
}

bool flags_integer(const char *text, int64_t least, int64_t most, int64_t *value) {
  const char *end;
  return whole_number(text, &end, value) && !*end && *value >= least && *value <= most;
}

static bool take_count(const flag *kind, const char *text, int64_t *count) {
  return flags_integer(text, kind->least, kind->most, count) ||
         complain("%s expects an integer from %lld to %lld, found '%s'", kind->name,
                  (long long)kind->least, (long long)kind->most, text);
}

static bool take_binding(const flag_table *table, const flag *kind, const char *text,
                         binding **last) {
  const char *colon = strchr(text, ':');
  bool alone = kind->kind == FLAG_NAMED_OR_TEXT && !colon && *text;
  if (!alone && (!colon || colon == text || !colon[1])) {
    complain("%s expects %s, found '%s'", kind->name, kind->argument, text);
    return false;
  }
  while (*last)
    last = &(*last)->next;
  *last = calloc(1, sizeof(binding));
  if (!*last)
    return flags_complain(table, "no memory for", text);
  **last = alone ? (binding){kind->name, strdup(""), text, NULL}
                 : (binding){kind->name, strndup(text, (size_t)(colon - text)), colon + 1, NULL};
  return (*last)->name || flags_complain(table, "no memory for", text);
}

static bool load_library(const flag *kind, const char *library) {
  const char *problem;
  if (level_format_load(library, &problem))
    return true;
  complain("%s %s: %s", kind->name, library, problem);
  return false;
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
  case FLAG_LOAD:
    return load_library(kind, argument);
  default:
    return take_binding(table, kind, argument, place);
  }
}

/* The flag that a word begins with, and its value where that stands in the same word.  Every tool
 * takes -h for --help. */
static const flag *find(const flag_table *table, const char *word, const char **value) {
  if (!strcmp(word, "-h"))
    word = "--help";
  const char *equals = strncmp(word, "--", 2) ? NULL : strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  *value = equals ? equals + 1 : NULL;
  for (int i = 0; i < table->count; i++) {
    const flag *f = &table->flags[i];
    if (strlen(f->name) == length && !strncmp(f->name, word, length) && (!equals || f->argument))
      return f;
  }
  return NULL;
}

static bool take_program(const flag_table *table, const char *word, const char **program) {
  if (word[0] == '-' && word[1])
    return flags_complain_unknown(table, word);
  if (*program)
    return flags_complain(table, "expected one expression, found another:", word);
  *program = word;
  return true;
}

bool flags_parse(const flag_table *table, int argc, char **argv, void *options,
                 const char **program) {
  *program = NULL;
  for (int i = 1; i < argc; i++) {
    const char *value;
    const flag *kind = find(table, argv[i], &value);
    if (!kind && !take_program(table, argv[i], program))
      return false;
    if (!kind)
      continue;
    if (kind->argument && !value && ++i == argc)
      return flags_complain(table, "expected an argument after", argv[i - 1]);
    if (!take(table, kind, kind->argument ? value ? value : argv[i] : "", options))
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
