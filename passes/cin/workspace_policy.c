/* workspace_policy.c - policies of workspaces, taken apart (workspace_policy.h). */
#include "workspace_policy.h"

#include "ir.h"

#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static MlirStringRef trimmed(const char *begin, const char *end) {
  while (begin < end && *begin == ' ')
    ++begin;
  while (begin < end && end[-1] == ' ')
    --end;
  return mlirStringRefCreate(begin, (size_t)(end - begin));
}

/* Where an item ends, at a comma or at the end of the text. */
static const char *end_of_item(const char *begin) {
  return begin + strcspn(begin, ",");
}

static bool is_option(const char *begin, const char *end) {
  return memchr(begin, '=', (size_t)(end - begin)) && !memchr(begin, ':', (size_t)(end - begin));
}

/* Where the options of an item begin, behind its last colon; its end without any. */
static const char *begin_of_options(const char *begin, const char *end) {
  const char *equals = memchr(begin, '=', (size_t)(end - begin)), *at = equals;
  while (at && at > begin && at[-1] != ':')
    --at;
  return at && at > begin ? at : end;
}

workspace_policy workspace_policy_next(const char **text) {
  const char *begin = *text, *end = end_of_item(begin), *options = begin_of_options(begin, end);
  const char *behind = options < end ? options - 1 : end;
  const char *colon = memchr(begin, ':', (size_t)(behind - begin));
  while (options < end && *end && is_option(end + 1, end_of_item(end + 1)))
    end = end_of_item(end + 1);
  *text = *end ? end + 1 : end;
  return (workspace_policy){trimmed(begin, colon ? colon : begin),
                            trimmed(colon ? colon + 1 : begin, behind),
                            trimmed(behind < end ? options : end, end), colon != NULL};
}

workspace_policy workspace_policy_said(const char *text, MlirStringRef name) {
  workspace_policy found = {{NULL, 0}, {NULL, 0}, {NULL, 0}, false};
  bool named = false;
  while (*text) {
    workspace_policy said = workspace_policy_next(&text);
    bool is_its = said.workspace.length && mlirStringRefEqual(said.workspace, name);
    if (!is_its && (named || said.workspace.length))
      continue;
    named |= is_its;
    found = said;
  }
  return found;
}

const level_format *workspace_policy_format(arena *memory, const workspace_policy *said) {
  return level_format_workspace(arena_format(memory, "%.*s", TEXT(said->policy)));
}

/* ---- Options ------------------------------------------------------------------------------ */

typedef struct said_option {
  MlirStringRef name, value;
} said_option;

/* The next of options that are not empty, which go on behind it. */
static said_option next_option(MlirStringRef *options) {
  const char *begin = options->data, *all = begin + options->length;
  const char *comma = memchr(begin, ',', options->length), *end = comma ? comma : all;
  const char *equals = memchr(begin, '=', (size_t)(end - begin));
  const char *next = comma ? comma + 1 : all;
  *options = mlirStringRefCreate(next, (size_t)(all - next));
  return (said_option){trimmed(begin, equals), trimmed(equals + 1, end)};
}

/* Which of a format's; their number where it has no such. */
static int number_of(const level_format *format, MlirStringRef name) {
  int n = 0, count = level_format_option_count(format);
  while (n < count &&
         !mlirStringRefEqual(mlirStringRefCreateFromCString(format->options[n].name), name))
    ++n;
  return n;
}

/* 0 where it is no number, or one above `most`. */
static int64_t number_up_to(MlirStringRef text, int64_t most) {
  int64_t number = 0;
  for (size_t n = 0; n < text.length; ++n) {
    int digit = text.data[n] - '0';
    if (digit < 0 || digit > 9 || digit > most || number > (most - digit) / 10)
      return 0;
    number = 10 * number + digit;
  }
  return number;
}

int workspace_policy_options(const workspace_policy *said, const level_format *format,
                             int64_t options[LEVEL_MOST_OPTIONS]) {
  int count = said->options.length ? level_format_option_count(format) : 0;
  memset(options, 0, LEVEL_MOST_OPTIONS * sizeof *options);
  for (MlirStringRef rest = said->options; rest.length;) {
    said_option one = next_option(&rest);
    int n = number_of(format, one.name);
    options[n] = number_up_to(one.value, format->options[n].most);
  }
  return count;
}

/* "size, buckets" */
static const char *known_options(arena *memory, const level_format *format) {
  const char *known = "";
  for (int n = 0; n < level_format_option_count(format); ++n)
    known = arena_format(memory, "%s%s%s", known, n ? ", " : "", format->options[n].name);
  return known;
}

static const char *option_problem(arena *memory, const level_format *format, said_option said) {
  const char *policy = level_format_policy(format);
  int n = number_of(format, said.name), count = level_format_option_count(format);
  if (!count)
    return arena_format(memory, "expected no options of '%s', which has none, found '%.*s'", policy,
                        TEXT(said.name));
  if (n == count)
    return arena_format(memory, "expected an option of '%s' (%s), found '%.*s'", policy,
                        known_options(memory, format), TEXT(said.name));
  if (!number_up_to(said.value, format->options[n].most))
    return arena_format(memory, "expected %s of '%s' from 1 to %lld, found '%.*s'",
                        format->options[n].name, policy, (long long)format->options[n].most,
                        TEXT(said.value));
  return NULL;
}

static const char *options_problem(arena *memory, const workspace_policy *said) {
  const level_format *format = workspace_policy_format(memory, said);
  const char *problem = NULL;
  for (MlirStringRef rest = said->options; rest.length && !problem;)
    problem = option_problem(memory, format, next_option(&rest));
  return problem;
}

/* ---- Problems ----------------------------------------------------------------------------- */

/* "dense, hash" */
static const char *known_policies(arena *memory) {
  const char *known = "";
  for (int i = 0; i < level_format_count(); ++i) {
    const level_format *format = level_format_at(i);
    if (format->capabilities & LEVEL_WORKSPACE)
      known =
          arena_format(memory, "%s%s%s", known, *known ? ", " : "", level_format_policy(format));
  }
  return known;
}

static bool is_name(MlirStringRef name) {
  return strspn(name.data, letters) >= name.length;
}

const char *workspace_policy_problem(arena *memory, const char *text) {
  while (*text) {
    workspace_policy said = workspace_policy_next(&text);
    if (!is_name(said.workspace) || (said.named && !said.workspace.length))
      return arena_format(memory, "expected the name of a workspace, found '%.*s'",
                          TEXT(said.workspace));
    if (!workspace_policy_format(memory, &said))
      return arena_format(memory, "expected a policy of workspaces (%s), found '%.*s'",
                          known_policies(memory), TEXT(said.policy));
    const char *problem = options_problem(memory, &said);
    if (problem)
      return problem;
  }
  return NULL;
}
