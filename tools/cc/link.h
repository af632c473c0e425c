/* link.h - an object file becomes a shared library, by the system's linker. */
#ifndef LACUNA_CC_LINK_H
#define LACUNA_CC_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* Links `size` bytes of an object into the shared library `path`, which needs the runtime of this
 * process, and OpenMP's library with `threads`.  `linker` is a compiler driver or ld; NULL takes
 * the first there is of cc, clang, gcc, ld.lld.  False with a message on stderr. */
bool link_library(const char *path, const char *object, size_t size, const char *linker,
                  bool threads);

#endif
