/* other_program.c - see other_program.h. */
#include "other_program.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool other_program_is_on_path(const char *name) {
  const char *path = getenv("PATH");
  char file[4096];
  while (path && *path) {
    size_t length = strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
    if (!access(file, X_OK))
      return true;
    path += length + (path[length] == ':');
  }
  return false;
}

static int spawn(pid_t *child, char *const *words, int errors) {
  posix_spawn_file_actions_t actions;
  int problem = posix_spawn_file_actions_init(&actions);
  if (problem)
    return problem;
  if (errors >= 0)
    problem = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  if (!problem)
    problem = posix_spawnp(child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

int other_program_run(char *const *words, int errors) {
  pid_t child;
  int status;
  int problem = spawn(&child, words, errors);
  if (problem) {
    errno = problem;
    return -1;
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  errno = EINTR;
  return -1;
}
