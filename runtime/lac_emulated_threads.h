/* lac_emulated_threads.h - inside the runtime: the threads of a launch on the emulated device. */
#ifndef LAC_EMULATED_THREADS_H
#define LAC_EMULATED_THREADS_H

#include "lac_device_kind.h"
#include "lac_fibre.h"
#include "lac_race.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lac_emulated_launch {
  const lac_device_code *code;
  int64_t blocks, threads;
  void *shared; /* of one block after the other */
  int64_t shared_bytes;
  void **arguments;
} lac_emulated_launch;

/* Runs all of its threads, or until one fails; what that came to. */
int32_t lac_emulated_run(const lac_emulated_launch *launch);

/* Ends the launch with a status whose message is there: leaves all threads where they are. */
_Noreturn void lac_emulated_fail(int32_t status);

/* Of the thread that runs: which one, after how many barriers; its stack; its kernel's name. */
lac_moment lac_emulated_now(void);
const lac_fibre *lac_emulated_fibre(void);
const char *lac_emulated_kernel(void);

#ifdef __cplusplus
}
#endif
#endif
