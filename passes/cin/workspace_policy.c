/* workspace_policy.c - policies of workspaces, taken apart (workspace_policy.h). */
#include "workspace_policy.h"

#include "ir.h"
#include "level_format.h"

#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static MlirStringRef trimmed(const char *begin, const char *end) {
  while (begin < end && *begin == ' ')
    ++begin;
  while (begin < end && end[-1] == ' ')
    --end;
  return mlirStringRefCreate(begin, (size_t)(end - begin));
}

workspace_policy workspace_policy_next(const char **text) {
  const char *begin = *text, *end = begin + strcspn(begin, ",");
  const char *colon = memchr(begin, ':', (size_t)(end - begin));
  *text = *end ? end + 1 : end;
  return (workspace_policy){trimmed(begin, colon ? colon : begin),
                            trimmed(colon ? colon + 1 : begin, end), colon != NULL};
}

MlirStringRef workspace_policy_said(const char *text, MlirStringRef name) {
  MlirStringRef found = {NULL, 0};
  bool named = false;
  while (*text) {
    workspace_policy said = workspace_policy_next(&text);
    bool is_its = said.workspace.length && mlirStringRefEqual(said.workspace, name);
    if (!is_its && (named || said.workspace.length))
      continue;
    named |= is_its;
    found = said.policy;
  }
  return found;
}

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
    const char *policy = arena_format(memory, "%.*s", TEXT(said.policy));
    if (!is_name(said.workspace) || (said.named && !said.workspace.length))
      return arena_format(memory, "expected the name of a workspace, found '%.*s'",
                          TEXT(said.workspace));
    if (!level_format_workspace(policy))
      return arena_format(memory, "expected a policy of workspaces (%s), found '%s'",
                          known_policies(memory), policy);
  }
  return NULL;
}
