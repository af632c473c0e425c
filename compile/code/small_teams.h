/* small_teams.h - parallel regions of one thread cost no call into OpenMP's runtime. */
#ifndef LACUNA_SMALL_TEAMS_H
#define LACUNA_SMALL_TEAMS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the module runs code on a team of threads, has this thread run it by itself if the team is
 * to have one, and no other around it has more: what OpenMP's runtime does for a region of one
 * thread takes as long as a small kernel does. */
void small_teams_call(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
