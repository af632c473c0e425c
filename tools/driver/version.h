/* version.h - what `--version` prints. */
#ifndef LACUNA_DRIVER_VERSION_H
#define LACUNA_DRIVER_VERSION_H

#include <stdbool.h>

/* Prints `TOOL (Lacuna) 0.1.0`, and on a line of its own the version of LLVM (NULL: the tool has
 * none in it). */
void version_print(const char *tool, const char *llvm);

/* Whether --version is among the arguments of a tool that has no table of flags. */
bool version_asked(int argc, char **argv);

#endif
