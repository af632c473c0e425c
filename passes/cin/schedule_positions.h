/* schedule_positions.h - pos(j, p, A) of a schedule: which level of A it numbers. */
#ifndef LACUNA_SCHEDULE_POSITIONS_H
#define LACUNA_SCHEDULE_POSITIONS_H

#include "cin_kernel.h"

/* The cin.pos, not inserted anywhere, of the level of the operand `tensor` that holds `variable`,
 * with the name `made`.  Null, and why, where there is none. */
MlirOperation schedule_positions(arena *memory, MlirOperation kernel, MlirValue variable,
                                 const char *tensor, const char *made, const char **why);

#endif
