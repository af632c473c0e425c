// A signal that comes while compiled code is being kept leaves no half of a file in the folder.
// RUN: rm -rf %t.kept && mkdir -p %t.kept
// RUN: %cc %includes %s %lacuna -o %t
// RUN: env -u LACUNA_CACHE XDG_CACHE_HOME=%t.kept %t | FileCheck %s
// RUN: find %t.kept -type f | count 0
#include "lac_temporary.h"
#include "lacuna.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "func.func @sum() -> tensor<f64> {\n"
                              "  %s = tin.einsum \"s = 0.5 + 1.25\" () : () -> tensor<f64>\n"
                              "  return %s : tensor<f64>\n"
                              "}\n";

// Stands in for libc's: the moment before a file gets its name.
int renameat(int from, const char *old, int to, const char *new) {
  (void)from, (void)old, (void)to, (void)new;
  raise(SIGTERM);
  return -1;
}

static int compile(void) {
  lacuna_compiler *c = lacuna_open();
  lacuna_options options = lacuna_options_default();
  lac_temporary_clean_up();
  lacuna_kernel *k = lacuna_compile_text(c, program, "interrupted", &options);
  puts(k ? "compiled" : lacuna_error(c));
  return 1;
}

int main(void) {
  int ended = 0;
  pid_t child = fork();
  if (child == 0)
    _exit(compile());
  waitpid(child, &ended, 0);
  // CHECK: ended by SIGTERM: 1
  printf("ended by SIGTERM: %d\n", WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM);
  return 0;
}
