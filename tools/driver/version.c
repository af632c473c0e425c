/* What `--version` prints. */
#include "version.h"

#include "lac_version.h"

#include <stdio.h>
#include <string.h>

void version_print(const char *tool, const char *llvm) {
  printf("%s (Lacuna) %s\n", tool, LACUNA_VERSION_STRING);
  if (llvm)
    printf("LLVM %s\n", llvm);
}

bool version_asked(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-version"))
      return true;
  return false;
}
