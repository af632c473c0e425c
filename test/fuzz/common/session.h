/* session.h - a compiler that a fuzzer keeps over many inputs. */
#ifndef LACUNA_FUZZ_SESSION_H
#define LACUNA_FUZZ_SESSION_H

#include "compiler.h"

#include <stddef.h>
#include <stdint.h>

/* The compiler, made anew after some hundred inputs, since a context keeps every attribute. */
compiler *session_compiler(void);

/* The input as a C string, which the caller frees. */
char *session_text(const uint8_t *data, size_t size);

/* Ends the process, as a finding, with a message. */
void session_finding(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Runs the pipeline --sparse-cpu over a module's text, with this schedule.  It may fail, as long as
 * it then says why. */
void session_lower(const char *text, const char *schedule, int64_t threads);

#endif
