/* print-dot.c - the graphs of a function, whatever rung it is at, to standard error (dot.h). */
#include "bridge.h"
#include "dot.h"

int print_dot_run(MlirOperation module, const struct print_dot_options *options) {
  arena *memory = arena_create();
  (void)options;
  dot_write(memory, module, stderr);
  arena_free(memory);
  return 0;
}
