/* visits.h - how much a parallel loop has to do. */
#ifndef LACUNA_VISITS_H
#define LACUNA_VISITS_H

#include "lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Before a parallel loop: tells the runtime about how much it has to do. */
void expect_visits(lowering *k, MlirOperation coiterate);
/* The same of a loop that makes pieces of a result. */
void expect_visits_in_pieces(lowering *k, MlirOperation coiterate);

#ifdef __cplusplus
}
#endif
#endif
