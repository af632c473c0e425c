/* look_up.h - the table that an intersection looks up in (look_up.c), for who makes it. */
#ifndef LACUNA_LOOK_UP_H
#define LACUNA_LOOK_UP_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a sit.coiterate wants one; makes it: an !llvm.ptr to a lac_table. */
bool look_up_is_taken(MlirOperation coiterate);
MlirValue look_up_table(lowering *k);

#ifdef __cplusplus
}
#endif
#endif
