/* workspace_policy.h - what is said of the policies of workspaces, as text.
 *
 *     hash                 of all workspaces that keep entries, and no arrays
 *     w:hash, dense        of workspace w, which a schedule names; of all others
 */
#ifndef WORKSPACE_POLICY_H
#define WORKSPACE_POLICY_H

#include "arena.h"

#include <mlir-c/Support.h>

typedef struct workspace_policy {
  MlirStringRef workspace, policy; /* no name: of all */
  bool named;                      /* there is a colon, whatever stands before it */
} workspace_policy;

/* The next of a text that is not empty, which goes on behind it. */
workspace_policy workspace_policy_next(const char **text);

/* What a text says of a workspace: by its name, else of all (the last that names none); none where
 * nothing is. */
MlirStringRef workspace_policy_said(const char *text, MlirStringRef name);

/* What is wrong with a text, in one line; NULL where it is fine: names that workspaces can have,
 * and policies that level formats are of (level_format.h). */
const char *workspace_policy_problem(arena *memory, const char *text);

#endif
