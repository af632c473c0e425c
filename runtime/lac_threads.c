/* lac_threads.c - how many threads a kernel runs on, which its caller says when it runs. */
#include "lac_kernel.h"

static _Thread_local int32_t wanted;

void lac_threads_set(int32_t count) {
  wanted = count < 0 ? 0 : count;
}

int32_t lac_threads(void) {
  return wanted;
}

int32_t lac_kernel_threads(int32_t most) {
  return wanted ? wanted : most;
}

int32_t lac_kernel_threads_begin(int32_t count) {
  int32_t before = wanted;
  if (!before)
    wanted = count;
  return before;
}
