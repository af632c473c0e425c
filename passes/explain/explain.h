/* explain.h - what was chosen for each statement, in plain words: its loops and why they stand so,
 * how the result is built, what is walked and how, what was converted or refused.
 *
 *     explanation *x = explanation_begin(memory);
 *     ... the passes down to cin, with explanation_remark for each remark ...
 *     explanation_take_loops(x, module);
 *     ... the passes down to sit ...
 *     explanation_take_walks(x, module);
 *     explanation_write(x, stdout);
 */
#ifndef LACUNA_EXPLAIN_H
#define LACUNA_EXPLAIN_H

#include "arena.h"
#include "ir.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct explanation explanation;

explanation *explanation_begin(arena *memory);

/* What a pass says; it stands with the statement whose tensors it names, the last such, or at the
 * end. */
void explanation_remark(explanation *x, const char *message);

/* What a loop does by a strategy of the machine that it is for; NULL where its name must do. */
typedef const char *explain_strategy(MlirStringRef name);

/* From the kernels of a module at cin, and of the same at sit. */
void explanation_take_loops(explanation *x, MlirOperation module);
void explanation_take_walks(explanation *x, MlirOperation module, explain_strategy *words);

void explanation_write(const explanation *x, FILE *out);

/* The kernels of a module at cin, but for conversions, as commands of a schedule
 * (docs/schedules.md) that makes their loops what they are, a line for each. */
void explain_schedule(arena *memory, MlirOperation module, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
