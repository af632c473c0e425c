/* lac_fibre.h - inside the runtime: fibres, functions on stacks of their own that give the
 * processor to each other by name, in one thread of the system.
 *
 *     | guard |          stack          |      a page that nobody may touch, then LAC_FIBRE_STACK
 *
 * The sanitizers are told of each switch.
 */
#ifndef LAC_FIBRE_H
#define LAC_FIBRE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAC_FIBRE_STACK = 1 << 20 };

typedef struct lac_fibre lac_fibre;

/* A fibre that calls `run` when it is switched to first; NULL and a message without memory.  `run`
 * does not return. */
lac_fibre *lac_fibre_create(void (*run)(void));
void lac_fibre_free(lac_fibre *fibre);

/* Whatever it was doing is left where it is, and it begins once more; not the one that runs. */
void lac_fibre_restart(lac_fibre *fibre);

/* From the fibre that runs to another one; comes back when somebody switches to it. NULL is the
 * stack of the thread itself. */
void lac_fibre_switch(lac_fibre *from, lac_fibre *to);

/* Whether all of these bytes are on its stack. */
bool lac_fibre_holds(const lac_fibre *fibre, const void *at, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
