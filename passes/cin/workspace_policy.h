/* workspace_policy.h - what is said of the policies of workspaces, as text.
 *
 *     hash                          of all workspaces that keep entries, and no arrays
 *     w:hash, dense                 of workspace w, which a schedule names; of all others
 *     bucket:size=1024,buckets=16   with options; so is w:bucket:size=1024, dense
 *
 *     text    said { "," said }
 *     said    [ name ":" ] policy [ ":" option { "," option } ]
 *     option  name "=" number
 *
 * What has an equals sign is an option of the policy before it; nothing else has one.
 */
#ifndef WORKSPACE_POLICY_H
#define WORKSPACE_POLICY_H

#include "arena.h"
#include "level_format.h"

#include <mlir-c/Support.h>

typedef struct workspace_policy {
  MlirStringRef workspace, policy; /* no name: of all */
  MlirStringRef options;           /* none, or as they are said */
  bool named;                      /* there is a colon, whatever stands before it */
} workspace_policy;

/* The next of a text that is not empty, which goes on behind it. */
workspace_policy workspace_policy_next(const char **text);

/* What a text says of a workspace: by its name, else of all (the last that names none); no policy
 * where nothing is. */
workspace_policy workspace_policy_said(const char *text, MlirStringRef name);

/* The level format of a policy, or NULL. */
const level_format *workspace_policy_format(arena *memory, const workspace_policy *said);

/* The options of one that is fine, of a level format, 0 for those that are not said: gives how many
 * arguments they make, none where none is said. */
int workspace_policy_options(const workspace_policy *said, const level_format *format,
                             int64_t options[LEVEL_MOST_OPTIONS]);

/* What is wrong with a text, in one line; NULL where it is fine: names that workspaces can have,
 * and policies that level formats are of (level_format.h), with options that these have. */
const char *workspace_policy_problem(arena *memory, const char *text);

#endif
