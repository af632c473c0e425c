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
  bool running;
  atomic_bool stop;
  atomic_int permille; /* -1: unknown */
} bar;

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

static void *watch(void *unused) {
  (void)unused;
  for (int ticks = 0; !atomic_load(&bar.stop); ticks++) {
    nanosleep(&(struct timespec){0, TICK_MS * 1000000L}, NULL);
    if (ticks >= QUIET_TICKS)
      draw(ticks);
  }
  return NULL;
}

void progress_begin(const char *task) {
  bar.task = task;
  atomic_store(&bar.stop, false);
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
  atomic_store(&bar.stop, true);
  pthread_join(bar.thread, NULL);
  bar.running = false;
  fputs("\r\033[K", stderr);
}
