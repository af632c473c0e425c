/* lac_temporary.c - a table of paths that a signal's handler can read: see lac_temporary.h. */
#include "lac_temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { PLACES = 64 };
static const char *_Atomic places[PLACES];

static void replace(const char *old, const char *path) {
  for (int i = 0; i < PLACES; i++) {
    const char *found = old;
    if (atomic_compare_exchange_strong(&places[i], &found, path))
      return;
  }
}

void lac_temporary_add(const char *path) {
  replace(NULL, path);
}

void lac_temporary_take_back(const char *path) {
  if (path)
    replace(path, NULL);
}

/* With SA_RESETHAND the signal has its default action again, which it takes when this returns. */
static void remove_all(int signal) {
  int problem = errno;
  for (int i = 0; i < PLACES; i++) {
    const char *path = atomic_load(&places[i]);
    if (path)
      unlink(path);
  }
  raise(signal);
  errno = problem;
}

void lac_temporary_clean_up(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};
  struct sigaction action = {.sa_handler = remove_all, .sa_flags = SA_RESETHAND}, before;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (!sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_DFL)
      sigaction(signals[i], &action, NULL);
}
