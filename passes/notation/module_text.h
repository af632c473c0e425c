/* module_text.h - what MLIR's parser must not be given. */
#ifndef LACUNA_MODULE_TEXT_H
#define LACUNA_MODULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the text of a module would end the process inside MLIR 22 instead of giving a diagnostic:
 *
 * - brackets nested so deep that the recursive parser would leave its stack
 * - `array<index`, whose element type has no width
 *
 * Strings and comments are skipped. */
typedef struct module_text_problem {
  int line, column;
  const char *message; /* what was expected, what was found; static */
} module_text_problem;

/* Whether `length` bytes of `text` may be parsed; if not, `*problem` says why. */
bool module_text_is_sound(const char *text, size_t length, module_text_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
