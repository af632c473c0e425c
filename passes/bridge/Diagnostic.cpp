// Diagnostic.cpp - remarks, for which MLIR has no C door, and errors at locations, with printf's
// formats.

#include "diagnostic.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"

#include <cstdarg>
#include <cstdio>
#include <string>

static std::string printed(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  std::string text(length < 0 ? 0 : static_cast<size_t>(length), '\0');
  if (length > 0)
    vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

static void emit(MlirLocation location, mlir::DiagnosticSeverity severity, const char *format,
                 va_list arguments) {
  mlir::Location at = unwrap(location);
  at.getContext()->getDiagEngine().emit(at, severity) << printed(format, arguments);
}

bool error_at_location(MlirLocation location, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  emit(location, mlir::DiagnosticSeverity::Error, format, arguments);
  va_end(arguments);
  return false;
}

void remark_at(MlirOperation op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  emit(mlirOperationGetLocation(op), mlir::DiagnosticSeverity::Remark, format, arguments);
  va_end(arguments);
}
