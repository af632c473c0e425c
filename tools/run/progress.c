/* A thread draws the bar ten times a second, so that the work itself never waits for the terminal.
 */
#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 40, TICK_MS = 100, QUIET_TICKS = 10 };

static struct {
  const char *task;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool running, stop, drawn; /* the last two under the lock */
  atomic_int permille;       /* -1: unknown */
} bar = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void draw(int ticks) {
  int done = atomic_load(&bar.permille);
  if (done < 0) {
    fprintf(stderr, "\r%s %d s", bar.task, ticks * TICK_MS / 1000);
    return;
  }
  fprintf(stderr, "\r%s [", bar.task);
  for (int i = 0; i < BAR_WIDTH; i++)
    fputc(i * 1000 < done * BAR_WIDTH ? '#' : '.', stderr);
  fprintf(stderr, "] %3d %%", done / 10);
}

/* Sleeps until the next tick; false where the work ended before. */
static bool wait_for_tick(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TICK_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  while (!bar.stop && pthread_cond_timedwait(&bar.ended, &bar.lock, &until) == 0)
    ;
  return !bar.stop;
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&bar.lock);
  for (int ticks = 1; wait_for_tick(); ticks++) {
    bar.drawn = ticks > QUIET_TICKS;
    if (bar.drawn)
      draw(ticks);
  }
  pthread_mutex_unlock(&bar.lock);
  return NULL;
}

void progress_begin(const char *task) {
  bar.task = task;
  bar.stop = bar.drawn = false;
  atomic_store(&bar.permille, -1);
  bar.running = isatty(STDERR_FILENO) && pthread_create(&bar.thread, NULL, watch, NULL) == 0;
}

void progress_update(void *data, double fraction) {
  (void)data;
  atomic_store(&bar.permille, (int)(1000 * fraction));
}

void progress_end(void) {
  if (!bar.running)
    return;
  pthread_mutex_lock(&bar.lock);
  bar.stop = true;
  pthread_cond_signal(&bar.ended);
  pthread_mutex_unlock(&bar.lock);
  pthread_join(bar.thread, NULL);
  bar.running = false;
  if (bar.drawn)
    fputs("\r\033[K", stderr);
}
