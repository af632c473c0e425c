/* usual_policy.h - the policy that a workspace begins with, where nothing is said of it. */
#ifndef USUAL_POLICY_H
#define USUAL_POLICY_H

#include "cin.h"
#include "level_format.h"
#include "op_list.h"

/* Of a workspace over so many variables of the kernel: one that grows with its entries where there
 * are several, or where a tensor's type says that the only one is long; else an array. */
const level_format *usual_policy(arena *memory, MlirOperation kernel, intptr_t count,
                                 const MlirValue *variables);

#endif
