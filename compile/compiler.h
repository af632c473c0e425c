/* compiler.h - Lacuna as a library: a context with the dialects, modules from text, passes over
 * them, and what went wrong.
 *
 *     compiler *c = compiler_create();
 *     MlirModule module = compiler_parse(c, text, "expression");
 *     if (mlirModuleIsNull(module) || !compiler_run(c, module, pipeline, CHECK_EACH))
 *       fprintf(stderr, "error: %s\n", compiler_error(c));
 *
 * A compiler belongs to one thread at a time; several may live side by side.
 */
#ifndef LACUNA_COMPILER_H
#define LACUNA_COMPILER_H

#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct compiler compiler;

/* A new compiler, its context single-threaded, with the dialects that the sparse-cpu pipeline
 * meets. NULL when memory runs out.  compiler_free frees it with every attribute and type made in
 * it; modules are their owner's and must be destroyed before. */
compiler *compiler_create(void);
void compiler_free(compiler *c);
MlirContext compiler_context(const compiler *c);

/* A module from text, or a null module; `name` stands for the text in messages;
 * NULL where the text is nobody's to look at: then messages have no location. */
MlirModule compiler_parse(compiler *c, const char *text, const char *name);

/* The attribute of a text, or a null attribute. */
MlirAttribute compiler_attribute(compiler *c, const char *text);

/* When verifiers look at the module: after each pass; once, after the last; or not yet, where other
 * passes follow that look.  Passes on what a
 * user wrote leave it to the verifiers to refuse some of it; below `sit` they look for our own
 * mistakes, and take a fifth of the passes' time. */
typedef enum compiler_check { CHECK_EACH, CHECK_LAST, CHECK_LATER } compiler_check;

/* Runs a textual pipeline over builtin.module.  False where it does not parse or a pass fails. */
bool compiler_run(compiler *c, MlirModule module, const char *pipeline, compiler_check check);

/* Whether the verifiers find the module sound. */
bool compiler_verify(compiler *c, MlirModule module);

/* The first error since the last call of compiler_parse, _verify or _run began, with its location
 * where it has one: `file:line:column: message`.  "" where there was none. */
const char *compiler_error(const compiler *c);

/* Forgets it. */
void compiler_forget(compiler *c);

/* Called for each remark and warning ("remark", "warning", ...); by default they are dropped. */
typedef void compiler_listener(void *data, const char *severity, const char *message);
void compiler_listen(compiler *c, compiler_listener *listener, void *data);

/* Tells the listener, as passes do. */
void compiler_tell(const compiler *c, const char *severity, const char *message);

/* Also writes what the listener is told to `record` from now on, severity and message each with a
 * NUL behind it; NULL ends that. */
void compiler_record(compiler *c, FILE *record);

/* Sets the error, where there is none yet. */
void compiler_fail(compiler *c, const char *message);

#ifdef __cplusplus
}
#endif
#endif
