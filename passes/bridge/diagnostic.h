/* diagnostic.h - what passes say to people, beside error_at (ir.h). */
#ifndef LACUNA_DIAGNOSTIC_H
#define LACUNA_DIAGNOSTIC_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An error at a location, as printf.  Returns false. */
bool error_at_location(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A remark at `op`, as printf: the pass goes on, and says what it did that was not asked for. */
void remark_at(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
