/* error_heading.c - errors under a heading; see error_heading.h. */
#include "error_heading.h"

#include "diagnostic.h"

#include <string.h>

static void append(MlirStringRef part, void *data) {
  held_errors *held = data;
  held->text = arena_format(held->memory, "%s%.*s", held->text, (int)part.length, part.data);
}

static MlirLogicalResult hold(MlirDiagnostic said, void *data) {
  held_errors *held = data;
  if (mlirDiagnosticGetSeverity(said) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  if (!held->text) {
    held->text = "";
    held->location = mlirDiagnosticGetLocation(said);
    mlirDiagnosticPrint(said, append, held);
  }
  return mlirLogicalResultSuccess();
}

void errors_begin(held_errors *held, arena *memory, MlirContext context) {
  *held = (held_errors){.memory = memory, .context = context};
  held->handler = mlirContextAttachDiagnosticHandler(context, hold, held, NULL);
}

void errors_drop(held_errors *held) {
  mlirContextDetachDiagnosticHandler(held->context, held->handler);
}

void errors_end(held_errors *held, const char *heading) {
  mlirContextDetachDiagnosticHandler(held->context, held->handler);
  if (!held->text)
    return;
  if (strncmp(held->text, heading, strlen(heading)))
    error_at_location(held->location, "%s: %s", heading, held->text);
  else
    error_at_location(held->location, "%s", held->text);
}
