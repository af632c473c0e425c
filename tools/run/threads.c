/* As many threads as are wanted are made once, and wait for each other to be there. */
#include "threads.h"

#include "complain.h"
#include "lac_tensor.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool is_open;
} gate;

static void *wait_at(void *data) {
  gate *g = data;
  pthread_mutex_lock(&g->lock);
  while (!g->is_open)
    pthread_cond_wait(&g->opened, &g->lock);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

static void open_gate(gate *g) {
  pthread_mutex_lock(&g->lock);
  g->is_open = true;
  pthread_cond_broadcast(&g->opened);
  pthread_mutex_unlock(&g->lock);
}

/* How many of `count` threads can be at once; errno says why not all. */
static int64_t try_threads(pthread_t *threads, int64_t count) {
  gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
  int64_t made = 0;
  int problem = 0;
  while (made < count && !(problem = pthread_create(&threads[made], NULL, wait_at, &g)))
    made++;
  open_gate(&g);
  for (int64_t i = 0; i < made; i++)
    pthread_join(threads[i], NULL);
  errno = problem;
  return made;
}

/* This thread is one of them.  As many as there are processors are there without a try. */
static bool can_run(int64_t count) {
  if (count <= sysconf(_SC_NPROCESSORS_ONLN))
    return true;
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  if (!threads)
    return complain("no memory");
  int64_t made = try_threads(threads, count - 1) + 1;
  if (made < count)
    complain("--threads expects at most the %lld threads that can run here, found %lld: %s",
             (long long)made, (long long)count, strerror(errno));
  free(threads);
  return made == count;
}

bool threads_prepare(int64_t count) {
  char text[24];
  if (!can_run(count))
    return false;
  lac_threads_set((int32_t)count);
  snprintf(text, sizeof text, "%lld", (long long)count);
  return !setenv("OMP_NUM_THREADS", text, 1) || complain("no memory");
}
