/* error_heading.h - errors that are said under a heading: of what somebody wrote, say, that a check
 * further down knows nothing of.
 *
 *     errors_begin(&held, memory, context)      error: expected a level that is walked by position
 *     ... error_at(op, "expected ...") ...  ->
 *     errors_end(&held, "'pos(i,p,A)'")         error: 'pos(i,p,A)': expected a level that is ...
 */
#ifndef LACUNA_ERROR_HEADING_H
#define LACUNA_ERROR_HEADING_H

#include "arena.h"

#include <mlir-c/Diagnostics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct held_errors {
  arena *memory;
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  MlirLocation location; /* of the first */
  const char *text;      /* of the first; NULL for none */
} held_errors;

/* From begin to end errors are held back, of which the first is said in the end, under the heading
 * if it has none (begins with it) yet.  What else is said, remarks, goes its way. */
void errors_begin(held_errors *held, arena *memory, MlirContext context);
void errors_end(held_errors *held, const char *heading);
/* Ends it with nothing said: what was tried is not asked for. */
void errors_drop(held_errors *held);

#ifdef __cplusplus
}
#endif
#endif
